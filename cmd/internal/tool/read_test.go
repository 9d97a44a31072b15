package tool

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
)

func TestRead(t *testing.T) {
	const clients = "../../../mail/letter/testdata/clients/"
	const notice = "../../../mail/letter/testdata/notice.txt"
	dir := t.TempDir()
	large := filepath.Join(dir, "large.eml")
	if err := os.WriteFile(large, append([]byte("From: a@example.org\n\n"), bytes.Repeat([]byte("resign\n"), 3_000_000)...), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	files := []string{clients + "thunderbird-bottom.eml", clients + "bars-only.eml", large, os.DevNull}
	if code := RunRead(append([]string{"-json", "-notice", notice}, files...), &stdout, &stderr); code != cli.ExitYes {
		t.Fatalf("exit %d, %s", code, &stderr)
	}
	var got []reading
	for dec := json.NewDecoder(strings.NewReader(stdout.String())); dec.More(); {
		var r reading
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if len(got) != len(files) {
		t.Fatalf("%d objects for %d files", len(got), len(files))
	}
	for i, want := range []struct {
		kind          string
		orders, press int
		barred        bool
	}{{"orders", 5, 1, false}, {"empty", 0, 0, true}, {"too_large", 0, 0, false}, {"broken", 0, 0, false}} {
		r := got[i]
		if string(r.Kind) != want.kind || len(r.Orders) != want.orders || len(r.Press) != want.press || r.BarredOnly != want.barred || r.File != files[i] || r.Schema != 1 {
			t.Errorf("%s: %+v", files[i], r)
		}
	}
	if strings.Contains(stdout.String(), ":null") {
		t.Error("null where a list is promised")
	}
	for _, bad := range [][]string{nil, {"-json"}, {files[0]}, {"-json", filepath.Join(dir, "none.eml")}, {"-json", "-notice", filepath.Join(dir, "none"), files[0]}} {
		var out, talk strings.Builder
		if code := RunRead(bad, &out, &talk); code != cli.ExitUsage || talk.String() == "" {
			t.Errorf("%q: exit %d, %q", bad, code, &talk)
		}
	}
	// A file that is not there does not keep the others from being read.
	stdout.Reset()
	if code := RunRead([]string{"-json", filepath.Join(dir, "none.eml"), files[0]}, &stdout, &stderr); code != cli.ExitUsage || !strings.Contains(stdout.String(), `"kind":"orders"`) {
		t.Errorf("exit %d, %s", code, &stdout)
	}
}

// What read prints is what the desk would do: messages end before orders, what may
// be a signature is marked, and everything that is passed over is listed.
func TestReadTellsPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		body                             string
		orders, press, doubtful, dropped []string
	}{
		"orders below a message": {"say to Bo: good luck\nB\nreserve orange 1\n", []string{"B", "reserve orange 1"}, []string{"Bo: good luck"}, nil, nil},
		"a long message":         {"say:\nDear all,\n\nB is bad.\nend\nB\n", []string{"B"}, []string{": Dear all,\n\nB is bad."}, []string{"B"}, nil},
		"a signature":            {"Hi,\nstatus\n\nThanks,\nB\n", []string{"status", "B"}, nil, []string{"B"}, []string{"Hi,", "Thanks,"}},
		"prose around a turn":    {"Here is my turn:\n\ndie gray 2\ncommand\n\nAnna Alpha\n+49 170 123 45 67\n", []string{"die gray 2", "command"}, nil, nil, []string{"Here is my turn:", "Anna Alpha", "+49 170 123 45 67"}},
	} {
		file := filepath.Join(t.TempDir(), "letter.eml")
		if err := os.WriteFile(file, []byte("From: a@example.org\nMessage-ID: <1@example.org>\nContent-Type: text/plain\n\n"+c.body), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		if code := RunRead([]string{"-json", file}, &stdout, &stderr); code != cli.ExitYes {
			t.Fatalf("%s: exit %d, %s", name, code, &stderr)
		}
		var r reading
		if err := json.Unmarshal([]byte(stdout.String()), &r); err != nil {
			t.Fatal(err)
		}
		var press, dropped []string
		for _, p := range r.Press {
			press = append(press, p.To+": "+p.Text)
		}
		for _, d := range r.Dropped {
			dropped = append(dropped, d.Line)
		}
		for what, pair := range map[string][2][]string{"orders": {r.Orders, c.orders}, "press": {press, c.press}, "doubtful": {r.Doubtful, c.doubtful}, "dropped": {dropped, c.dropped}} {
			if strings.Join(pair[0], "|") != strings.Join(pair[1], "|") {
				t.Errorf("%s: %s %q, want %q", name, what, pair[0], pair[1])
			}
		}
	}
}
