package lettertest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// hostileRecords are files of the largest size that is taken, each of what makes
// most work or memory of an octet somewhere.
func hostileRecords(t *testing.T) map[string][]byte {
	t.Helper()
	const size = 2 << 20
	fill := func(head, unit, tail string) []byte {
		n := (size - len(head) - len(tail)) / len(unit)
		return []byte(head + strings.Repeat(unit, n) + tail)
	}
	g, err := game.New(component.Default(), game.Header{Game: "test", Names: []string{"A", "B", "C", "D"},
		Options: game.Options{Players: 4, Rules: "advanced", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bot.New(bot.Greedy, "look")
	if err != nil {
		t.Fatal(err)
	}
	for !g.Finished() {
		seat := g.View(0).ToAct[0]
		v := g.View(seat)
		legal := v.Legal(nil)
		if _, err := g.Do(seat, game.ByPlayer, b.Choose(v, legal, g.Steps())); err != nil {
			t.Fatal(err)
		}
	}
	var whole bytes.Buffer
	if err := g.Record(0).Write(&whole); err != nil {
		t.Fatal(err)
	}
	head, tail, ok := strings.Cut(whole.String(), `"log":[`)
	if !ok {
		t.Fatal("a record without a log")
	}
	head += `"log":[`
	line, _, _ := strings.Cut(tail, "\n")
	line = strings.TrimSuffix(line, ",")
	return map[string][]byte{
		"a game":            whole.Bytes(),
		"empty lines":       fill(head, "{},", "{}]}"),
		"empty lists":       fill(head, "[],", "[]]}"),
		"numbers":           fill(head, "1,", "1]}"),
		"told":              fill(head+`{"n":1,"seat":1,"by":"player","order":"B","told":[`, `"",`, `""]}]}`),
		"one line again":    fill(head, line+",\n", line+"]}"),
		"much before it":    fill(`{"x":[`, "{},", "{}],"+head[1:]+tail),
		"names":             fill(`{"names":[`, `"",`, `""]}`),
		"one long name":     fill(`{"names":["`, "x", `"]}`),
		"escapes":           fill(`{"names":["`, `\u0001`, `"]}`),
		"one long number":   fill(`{"schema":`, "1", "}"),
		"a tiny number":     fill(`{"schema":1e-`, "9", "}"),
		"keys":              fill(`{`, `"a":1,`, `"b":1}`),
		"keys of a score":   fill(`{"result":{"scores":[{"by":{`, `"a":1,`, `"b":1}}]}}`),
		"deep":              fill("", "[", ""),
		"deep and ended":    []byte(strings.Repeat("[", size/2) + strings.Repeat("]", size/2)),
		"deep objects":      fill("", `{"a":`, ""),
		"values":            fill("", "{}", ""),
		"all that is taken": []byte(head + strings.Repeat(`{"told":[`+strings.Repeat(`"",`, 25)+`""]},`, 3999) + "{}]}"),
		"blanks":            fill("", " ", ""),
		"too large":         fill("", "{},", strings.Repeat(" ", size)),
		"much behind it":    append(whole.Bytes(), fill("", "{} ", "")[:size-whole.Len()]...),
		"broken at its end": fill(head, line+",\n", "x"),
	}
}

// TestLookUnderAttack: many clients bring records that make as much work as they
// can, again and again. Each gets a plain answer, other pages are served meanwhile,
// and the whole process stays below 100 MB.
func TestLookUnderAttack(t *testing.T) {
	p := program.ServeOn(t, "", func(string) {})
	end := time.Now().Add(8 * time.Second)
	var all sync.WaitGroup
	client := 0
	for name, file := range hostileRecords(t) {
		for _, path := range []string{"/look", "/look.json"} {
			client++
			from := fmt.Sprintf("203.0.113.%d", client)
			all.Go(func() {
				for time.Now().Before(end) {
					r, err := http.NewRequest("POST", p.Values["http"]+path, bytes.NewReader(file))
					if err != nil {
						t.Error(err)
						return
					}
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("X-Forwarded-For", from)
					resp, err := http.DefaultClient.Do(r)
					if err != nil { // what is too large by far may be cut off
						if name != "too large" {
							t.Errorf("%s: %v", name, err)
						}
						continue
					}
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					right := resp.StatusCode == 400 || resp.StatusCode == 413
					if name == "a game" {
						right = resp.StatusCode == 200
					}
					if !right && resp.StatusCode != 503 && resp.StatusCode != 429 {
						t.Errorf("%s: %s", name, resp.Status)
					}
				}
			})
		}
	}
	var slowest time.Duration
	for time.Now().Before(end) {
		began := time.Now()
		if _, status := mailclient.Get(t, p.Values["http"]+"/games"); status != 200 {
			t.Errorf("another page: %d", status)
		}
		slowest = max(slowest, time.Since(began))
		time.Sleep(20 * time.Millisecond)
	}
	all.Wait()
	peak := mostResident(t, p.Cmd.Process.Pid)
	t.Logf("another page took %v at most, the process %d MB", slowest, peak>>20)
	if peak > 100<<20 {
		t.Errorf("the process took %d MB, want 100 at most", peak>>20)
	}
	if slowest > maxWait {
		t.Errorf("another page took %v", slowest)
	}
	p.Stop()
}
