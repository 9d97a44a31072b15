package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// The tests of this file read web/API.md to the field name, as a foreign
// client would that knows nothing else. chance_test.go has its chance.

// A shape is what a JSON value must look like: "int", "string", "bool"; "?" in
// front allows null; a list has one shape for all its elements; an object must
// have every field named, and may have more.
type (
	list_  struct{ of any }
	object map[string]any
	each   struct{ of any } // an object with any keys
	orNull struct{ of any }
)

var (
	dieShape   = list_{object{"color": "string", "value": "int"}}
	kindShape  = orNull{object{"id": "string", "kind": "string"}}
	colored    = func(of any) object { return object{"orange": of, "gray": of, "green": of} }
	scoreShape = list_{object{"seat": "int", "name": "string", "vp": "int", "final": orNull{"int"}, "by": object{
		"start": "int", "reward": "int", "activation": "int", "neutralization": "int", "tile": "int", "boost": "int", "advanced": "int", "goods": "int", "loss": "int"}}}
	optionsShape = object{"players": "int", "rules": "string", "edition": "string", "rules_version": "int", "set": "string"}
	viewShape    = object{
		"schema": "int", "game": "string", "viewer": "int", "step": "int", "latest": "int", "round": "int", "turn": "int",
		"to_act": list_{"int"}, "decision": "string", "legal": list_{"string"}, "finished": "bool", "ending": "string",
		"options": optionsShape, "scores": scoreShape, "winners": list_{"int"},
		"view": object{
			"space": list_{object{"strip": "int", "hexes": list_{object{"at": "string", "kind": "string", "comet": "bool", "icons": "int",
				"card": orNull{object{"id": "string", "owner": "int"}}, "ships": list_{"int"}}}}},
			"black_angel": "string", "spes_token": orNull{"int"},
			"locations": list_{object{"n": "int", "action": "string", "color": "string", "damage": "int",
				"ravagers": list_{object{"id": "string", "robots": list_{"int"}}}}},
			"supply":   colored(object{"dice": "int", "damaged": "int"}),
			"display":  list_{orNull{object{"id": "string", "color": "string", "effect": "string", "cost": "int"}}},
			"advanced": list_{kindShape},
			"decks":    each{object{"left": "int", "discarded": "int"}},
			"neutral":  orNull{object{"robots": each{"bool"}, "dice": dieShape}},
			"players": list_{object{"seat": "int", "name": "string", "vp": "int", "resources": "int", "debris": "int", "ships": "int",
				"robots":  object{"break": "int", "orange": "int", "gray": "int", "green": "int", "supply": "int", "pilots": "int", "cards": "int", "ravagers": "int"},
				"dice":    object{"standard": dieShape, "secure": dieShape},
				"hand":    object{"orange": "int", "gray": "int", "green": "int", "ravager": "int", "cards": orNull{list_{"string"}}},
				"slots":   object{"rows": list_{orNull{"string"}}, "columns": list_{orNull{"string"}}},
				"grid":    list_{list_{orNull{object{"id": "string", "color": "string", "effect": "string", "debris": "bool", "boost": "bool"}}}},
				"spaces":  colored(kindShape),
				"ejected": list_{"string"},
				"tucked":  colored(list_{"string"})}},
		},
	}
	lineShape   = object{"n": "int", "seat": "int", "by": "string", "order": "string", "told": list_{"string"}}
	recordShape = object{"schema": "int", "game": "string", "options": optionsShape, "set": "string", "commitment": "string",
		"entropy": list_{"string"}, "names": list_{"string"}, "viewer": "int", "log": list_{lineShape}}
	simShape = object{"schema": "int", "game": "int", "seed": "string", "players": "int", "rounds": "int", "turns": "int", "decisions": "int",
		"ending": "string", "scores": scoreShape, "winners": list_{"int"}, "log_sha256": "string"}
	readShape = object{"schema": "int", "file": "string", "kind": "string", "answer": "bool", "from": "string", "message_id": "string", "token": "string",
		"orders": list_{"string"}, "press": list_{object{"to": "string", "text": "string"}}, "dropped": list_{object{"line": "string", "why": "string"}}}
)

// fits tells where a value, as decoded by encoding/json with UseNumber, has
// another shape than promised; "" where it fits.
func fits(v, shape any, at string) string {
	switch s := shape.(type) {
	case string:
		ok := false
		switch s {
		case "int":
			n, isNumber := v.(json.Number)
			_, err := n.Int64()
			ok = isNumber && err == nil
		case "string":
			_, ok = v.(string)
		case "bool":
			_, ok = v.(bool)
		}
		if !ok {
			return fmt.Sprintf("%s is %v, want %s", at, v, s)
		}
	case orNull:
		if v != nil {
			return fits(v, s.of, at)
		}
	case list_:
		items, ok := v.([]any)
		if !ok {
			return fmt.Sprintf("%s is %v, want a list", at, v)
		}
		for i, item := range items {
			if bad := fits(item, s.of, fmt.Sprintf("%s[%d]", at, i)); bad != "" {
				return bad
			}
		}
	case each:
		fields, ok := v.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %v, want an object", at, v)
		}
		for key, item := range fields {
			if bad := fits(item, s.of, at+"."+key); bad != "" {
				return bad
			}
		}
	case object:
		fields, ok := v.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %v, want an object", at, v)
		}
		for _, key := range slices.Sorted(maps.Keys(s)) {
			item, has := fields[key]
			if !has {
				return fmt.Sprintf("%s has no %q", at, key)
			}
			if bad := fits(item, s[key], at+"."+key); bad != "" {
				return bad
			}
		}
	}
	return ""
}

// TestShapesBite shows that the shapes refuse what they should.
func TestShapesBite(t *testing.T) {
	for _, c := range []struct{ text, shape string }{
		{`{"left":1}`, "left, discarded"}, {`{"left":1,"discarded":"2"}`, "an int"}, {`{"left":1.5,"discarded":2}`, "whole"}, {`null`, "an object"},
		{`{"left":null,"discarded":2}`, "no null"},
	} {
		if fits(decode(t, c.text), object{"left": "int", "discarded": "int"}, "x") == "" {
			t.Errorf("%s passes for %s", c.text, c.shape)
		}
	}
	if bad := fits(decode(t, `{"left":1,"discarded":2,"more":3}`), object{"left": "int", "discarded": orNull{"int"}}, "x"); bad != "" {
		t.Error(bad)
	}
}

func decode(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("no JSON: %v\n%.300s", err, text)
	}
	return v
}

// tableView is view.json, as far as the tests reckon with it.
type tableView struct {
	Viewer, Step, Latest, Round, Turn int
	ToAct                             []int `json:"to_act"`
	Decision                          string
	Legal                             []string
	Finished                          bool
	Ending                            string
	Scores                            []scored
	Winners                           []int
	View                              struct {
		Space []struct {
			Strip int
			Hexes []struct {
				At, Kind string
				Comet    bool
				Icons    int
				Ships    []int
			}
		}
		BlackAngel string `json:"black_angel"`
		SpesToken  *int   `json:"spes_token"`
		Locations  []struct {
			N, Damage int
			Ravagers  []struct{ ID string }
		}
		Display  []*struct{ ID, Color string }
		Advanced []*struct{ ID string }
		Decks    map[string]struct{ Left, Discarded int }
		Neutral  *struct{ Dice []die }
		Players  []struct {
			Seat, VP int
			Name     string
			Robots   map[string]int
			Dice     struct{ Standard, Secure []die }
			Hand     struct {
				Orange, Gray, Green, Ravager int
				Cards                        []string
			}
			Slots  struct{ Rows, Columns []*string }
			Grid   [][]*struct{ ID string }
			Tucked map[string][]string
		}
	}
}

type scored struct {
	Seat, VP int
	Name     string
	Final    *int
	By       map[string]int
}

type die struct {
	Color string
	Value int
}

// checkView reads view.json and holds what the contract promises beside the
// fields. own is the seat whose key it was asked with, 0 for the public.
func checkView(t *testing.T, text string, own int) tableView {
	t.Helper()
	if bad := fits(decode(t, text), viewShape, "view.json"); bad != "" {
		t.Fatalf("%s in\n%s", bad, text)
	}
	var v tableView
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if v.Viewer != own || v.Step > v.Latest {
		t.Errorf("viewer %d, step %d of %d; want viewer %d", v.Viewer, v.Step, v.Latest, own)
	}
	if acts := slices.Contains(v.ToAct, own); acts != (len(v.Legal) > 0) {
		t.Errorf("step %d: seat %d of to_act %v has %d legal orders", v.Step, own, v.ToAct, len(v.Legal))
	}
	if v.Finished != (len(v.ToAct) == 0) || v.Finished != (len(v.Winners) > 0) || v.Finished && v.Ending == "" || !slices.Contains([]string{"", "spes", "ravagers"}, v.Ending) {
		t.Errorf("step %d: finished %v, to_act %v, winners %v, ending %q", v.Step, v.Finished, v.ToAct, v.Winners, v.Ending)
	}
	checkScores(t, v.Scores, v.Finished, v.Winners)
	strips := map[int]int{2: 5, 3: 7, 4: 7}[len(v.View.Players)]
	if len(v.View.Space) != strips || len(v.View.Locations) != 6 || len(v.View.Decks) != 7 || (v.View.Neutral != nil) != (len(v.View.Players) == 2) {
		t.Errorf("step %d: %d strips, %d locations, %d decks, neutral %v", v.Step, len(v.View.Space), len(v.View.Locations), len(v.View.Decks), v.View.Neutral)
	}
	for _, name := range []string{"mission/orange", "mission/gray", "mission/green", "ravager"} {
		if _, ok := v.View.Decks[name]; !ok {
			t.Errorf("there is no deck %s", name)
		}
	}
	for i, s := range v.View.Space {
		if i > 0 && s.Strip != v.View.Space[i-1].Strip+1 || len(s.Hexes) != 5 {
			t.Errorf("strip %d at place %d with %d hexes: not nearest first", s.Strip, i, len(s.Hexes))
		}
		for lane, h := range s.Hexes {
			if want := fmt.Sprintf("%c%d", 'a'+lane, s.Strip); h.At != want || !slices.Contains([]string{"orange", "gray", "green", "asteroid", "spes"}, h.Kind) {
				t.Errorf("hex %s of kind %q, want %s", h.At, h.Kind, want)
			}
		}
	}
	card := regexp.MustCompile(`^\d{3}$`)
	back := regexp.MustCompile(`^(\d{3}|orange|gray|green|ravager)$`)
	for i, p := range v.View.Players {
		robots := 0
		for _, n := range p.Robots {
			robots += n
		}
		if p.Seat != i+1 || robots != 16 || p.VP != v.Scores[i].VP && !v.Finished || p.Name != v.Scores[i].Name {
			t.Errorf("step %d: place %d is seat %d with %d robots, %d VP", v.Step, i, p.Seat, robots, p.VP)
		}
		h := p.Hand
		if seen := p.Seat == own; seen != (h.Cards != nil) && !v.Finished || seen && len(h.Cards) != h.Orange+h.Gray+h.Green+h.Ravager {
			t.Errorf("step %d: seat %d shows seat %d the hand %v of %+v", v.Step, p.Seat, own, h.Cards, h)
		}
		for _, c := range h.Cards {
			if !card.MatchString(c) {
				t.Errorf("card %q", c)
			}
		}
		if len(p.Grid) != 3 || len(p.Slots.Rows) != 3 || len(p.Slots.Columns) != 3 {
			t.Errorf("seat %d: grid of %d rows, %d and %d slots", p.Seat, len(p.Grid), len(p.Slots.Rows), len(p.Slots.Columns))
		}
		for _, slot := range append(p.Slots.Rows, p.Slots.Columns...) {
			if slot != nil && (!back.MatchString(*slot) || p.Seat != own && !v.Finished && card.MatchString(*slot)) {
				t.Errorf("step %d: seat %d sees seat %d's slot with %q", v.Step, own, p.Seat, *slot)
			}
		}
	}
	return v
}

// checkScores holds that the sources sum to vp, or to final once finished, and
// who has won.
func checkScores(t *testing.T, scores []scored, finished bool, winners []int) {
	t.Helper()
	best := -1
	for i, s := range scores {
		sum := 0
		for _, n := range s.By {
			sum += n
		}
		if s.Seat != i+1 || len(s.By) != 9 || (s.Final != nil) != finished || !finished && sum != s.VP || finished && sum != *s.Final {
			t.Errorf("seat %d: sources sum to %d: %+v", s.Seat, sum, s)
		}
		if finished {
			best = max(best, *s.Final)
		}
	}
	for _, s := range scores {
		if finished && (*s.Final == best) != slices.Contains(winners, s.Seat) {
			t.Errorf("seat %d has %d of %d, winners %v", s.Seat, *s.Final, best, winners)
		}
	}
}

// checkNotice holds what every letter about a game must bear.
func checkNotice(t *testing.T, n mailclient.Received, game string, seat int) {
	t.Helper()
	h := n.Header
	if h.Get("X-Angelpost-Game") != game || h.Get("X-Angelpost-Seat") != strconv.Itoa(seat) {
		t.Errorf("a letter of game %q, seat %q, want %s, %d", h.Get("X-Angelpost-Game"), h.Get("X-Angelpost-Seat"), game, seat)
	}
	if _, err := strconv.ParseUint(h.Get("X-Angelpost-Step"), 10, 31); err != nil {
		t.Errorf("X-Angelpost-Step %q", h.Get("X-Angelpost-Step"))
	}
	if !slices.Contains([]string{"invitation", "start", "turn", "answer", "info", "end"}, n.Kind) {
		t.Errorf("X-Angelpost-Kind %q", n.Kind)
	}
	if !slices.Contains([]string{"applied", "partial", "refused", "none"}, n.Result) {
		t.Errorf("X-Angelpost-Result %q of a letter of kind %s", n.Result, n.Kind)
	}
	open := ""
	for line := range strings.SplitSeq(n.Text, "\n") {
		switch line = strings.TrimRight(line, "\r"); {
		case line == "| legal" || line == "| example":
			if open != "" {
				t.Errorf("%q before the end of %q", line, open)
			}
			open = line
		case line == "| end":
			if open == "" {
				t.Error("an end of nothing")
			}
			open = ""
		case open != "" && !strings.HasPrefix(line, "| "):
			t.Errorf("the line %q between %q and its end", line, open)
		}
	}
	if open != "" {
		t.Errorf("%q without end", open)
	}
	if len(n.Legal) == 0 && len(n.Example) > 0 && n.Kind != "invitation" {
		t.Errorf("an example where nothing is legal: %q", n.Example)
	}
}

// TestContract plays a game in the demo by its letters, and holds letters,
// view.json, exports, show and verify to the contract on the way.
func TestContract(t *testing.T) {
	data := t.TempDir()
	seed := strings.Repeat("c0ffee", 10) + "0123"
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,human,bot", "-seed", seed)...)
	program.CheckAnnounced(t, p.Lines, []string{"human", "human", "bot"})
	game, config := p.Values["game"], filepath.Join(data, "angelpost.toml")
	public := p.Values["http"] + "/g/" + game
	pages := map[int]string{0: public, 1: p.Values["page1"], 2: p.Values["page2"]}
	clients := mailclient.DemoClients(t, p, 7)
	for _, c := range clients {
		c.Style = mailclient.OneStep
	}
	view := func(seat, at int) (string, tableView) {
		t.Helper()
		url := pages[seat] + "/view.json"
		if at >= 0 {
			url += "?at=" + strconv.Itoa(at)
		}
		body, status := mailclient.Get(t, url)
		if status != 200 {
			t.Fatalf("%s: %d %s", url, status, body)
		}
		return body, checkView(t, body, seat)
	}
	for _, url := range []string{pages[1][:len(pages[1])-1], public + "/" + pages[1][strings.LastIndexByte(pages[1], '/')+2:], p.Values["http"] + "/g/nosuchgame2345672"} {
		body, status := mailclient.Get(t, url+"/view.json")
		if bad := fits(decode(t, body), object{"schema": "int", "error": "string"}, "404"); status != 404 || bad != "" {
			t.Errorf("%s: %d, %s %s", url, status, bad, body)
		}
	}
	if body, status := mailclient.Get(t, public+"/view.json?at=99999"); status != 404 || fits(decode(t, body), object{"schema": "int", "error": "string"}, "") != "" {
		t.Errorf("a step that is not: %d %s", status, body)
	}

	// Thirty orders, one a letter.
	moves, open, last := 0, 0, map[*mailclient.Client]mailclient.Received{} // open: orders not yet answered
	for deadline := time.Now().Add(2 * time.Minute); moves < 30 || open > 0; {
		if time.Now().After(deadline) {
			t.Fatal("thirty orders take too long")
		}
		for i, c := range clients {
			seat := i + 1
			for _, n := range c.Fetch() {
				checkNotice(t, n, game, seat)
				last[c] = n
				if n.Kind == "answer" {
					open--
					if n.Result != "applied" {
						t.Errorf("one legal order is answered %q:\n%s", n.Result, n.Text)
					}
				}
				if len(n.Legal) == 0 {
					continue
				}
				step, _ := strconv.Atoi(n.Header.Get("X-Angelpost-Step"))
				if _, v := view(seat, step); len(n.Legal) != min(len(v.Legal), 40) || slices.ContainsFunc(n.Legal, func(o string) bool { return !slices.Contains(v.Legal, o) }) || v.Step != step {
					t.Errorf("step %d: the letter lists\n%q, view.json\n%q", step, n.Legal, v.Legal)
				}
				if moves < 30 {
					c.Answer(n)
					moves, open = moves+1, open+1
				}
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	_, now := view(0, -1)
	for seat := range pages {
		for at := 0; at <= now.Latest; at += 7 {
			if _, v := view(seat, at); v.Step != at {
				t.Errorf("?at=%d shows step %d", at, v.Step)
			}
		}
	}
	for seat := 0; seat <= 3; seat++ {
		checkRunning(t, config, game, seed, seat)
	}

	// The two give up: bots play on to the end.
	for _, c := range clients {
		c.Resign(last[c])
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, v := view(0, -1); v.Finished {
			now = v
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("resigned seats are not played on to the end")
		}
	}

	record, code := program.Output(t, "export", "-config", config, game)
	if code != program.ExitYes {
		t.Fatalf("export: exit %d", code)
	}
	rec := checkFinished(t, record, seed)
	file := filepath.Join(t.TempDir(), "record.json")
	if err := os.WriteFile(file, []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := program.Output(t, "verify", file); code != program.ExitYes || out != fmt.Sprintf("ok game=%s lines=%d\n", game, len(rec.Log)) {
		t.Errorf("verify: %d %q", code, out)
	}
	for seat := range pages { // show is what the server serves
		for _, at := range []int{0, 1, now.Latest / 2, now.Latest} {
			served, _ := view(seat, at)
			shown, code := program.Output(t, "show", "-json", "-at", strconv.Itoa(at), "-seat", strconv.Itoa(seat), file)
			if code != program.ExitYes || strings.TrimSpace(shown) != strings.TrimSpace(served) {
				t.Errorf("seat %d, step %d: exit %d, show prints\n%s\nserved is\n%s", seat, at, code, shown, served)
			}
		}
	}
	_, first := view(0, 0)
	_, one := view(1, 0)
	_, two := view(2, 0)
	first.View.Players[0].Hand.Cards, first.View.Players[1].Hand.Cards = one.View.Players[0].Hand.Cards, two.View.Players[1].Hand.Cards
	if rolls, drawn := checkChance(t, rec, first); rolls < 5 || drawn < 3 { // its seed is fixed
		t.Errorf("only %d rolls and %d Ravagers in the whole game", rolls, drawn)
	}
	for _, c := range clients {
		for _, n := range c.Fetch() {
			checkNotice(t, n, game, slices.Index(clients, c)+1)
		}
	}
	p.Stop()
}

type contractLine struct {
	N, Seat   int
	By, Order string
	Told      []string
}

type contractRecord struct {
	Game, Commitment, Seed string
	Entropy, Names         []string
	Invited                []int
	Viewer                 int
	Log                    []contractLine
	Result                 *struct {
		Ending  string
		Scores  []scored
		Winners []int
		LogHash string `json:"log_sha256"`
	}
}

func readContractRecord(t *testing.T, text string) contractRecord {
	t.Helper()
	if bad := fits(decode(t, text), recordShape, "record"); bad != "" {
		t.Fatal(bad)
	}
	var rec contractRecord
	if err := json.Unmarshal([]byte(text), &rec); err != nil {
		t.Fatal(err)
	}
	for i, l := range rec.Log {
		if l.N != i+1 || !slices.Contains([]string{"player", "bot", "organiser", "director", "clock"}, l.By) {
			t.Errorf("line %d of the log: %+v", i+1, l)
		}
		if word, _, _ := strings.Cut(l.Order, " "); slices.Contains([]string{"say", "note", "name", "format"}, word) {
			t.Errorf("%q is in the log", l.Order)
		}
	}
	return rec
}

// checkRunning holds the export of a running game: cut to the viewer, and not
// to be verified.
func checkRunning(t *testing.T, config, game, seed string, seat int) {
	t.Helper()
	text, code := program.Output(t, "export", "-config", config, "-seat", strconv.Itoa(seat), game)
	if code != program.ExitYes {
		t.Fatalf("export: exit %d", code)
	}
	rec := readContractRecord(t, text)
	if rec.Game != game || rec.Viewer != seat || rec.Seed != "" || rec.Result != nil || strings.Contains(text, seed) || rec.Commitment != sha256Hex(unhex(t, seed)) {
		t.Errorf("the export of a running game: %+v", rec)
	}
	numbered := regexp.MustCompile(`^(card|mission|hand ravager|keep|discard) \d{3}`)
	own := 0
	for _, l := range rec.Log {
		for _, s := range append(l.Told, strings.ReplaceAll(l.Order, "mission ", "")) { // a Mission placed in Space is open
			if !numbered.MatchString(s) {
				continue
			}
			if l.Seat != seat {
				t.Errorf("seat %d reads %q of seat %d", seat, s, l.Seat)
			}
			own++
		}
	}
	if (own > 0) != (seat > 0) {
		t.Errorf("seat %d reads %d numbers of hidden cards", seat, own)
	}
	file := filepath.Join(t.TempDir(), "running.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, talk := program.Outcome(t, "verify", file); code != program.ExitUsage || out != "" || strings.Contains(talk, "exported") {
		t.Errorf("verify of a running game: exit %d, %q, %q", code, out, talk)
	}
	changed := strings.Replace(text, `"names":["`, `"names":["x`, 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, talk := program.Outcome(t, "verify", file); changed == text || code != program.ExitUsage || out != "" || !strings.Contains(talk, "not as it was exported") {
		t.Errorf("verify of a running game that was changed: exit %d, %q, %q", code, out, talk)
	}
}

// checkFinished holds the export of a finished game.
func checkFinished(t *testing.T, text, seed string) contractRecord {
	t.Helper()
	rec := readContractRecord(t, text)
	switch {
	case rec.Result == nil:
		t.Fatal("a finished game without result")
	case seed != "" && rec.Seed != seed, rec.Commitment != sha256Hex(unhex(t, rec.Seed)):
		t.Errorf("seed %s, commitment %s", rec.Seed, rec.Commitment)
	case rec.Result.Ending != "spes" && rec.Result.Ending != "ravagers":
		t.Errorf("ending %q", rec.Result.Ending)
	}
	checkScores(t, rec.Result.Scores, true, rec.Result.Winners)
	var b bytes.Buffer
	for _, l := range rec.Log {
		fmt.Fprintf(&b, "%d\t%d\t%s\t%s\n", l.N, l.Seat, l.Order, strings.Join(l.Told, "; "))
	}
	if got := sha256Hex(b.Bytes()); got != rec.Result.LogHash {
		t.Errorf("log_sha256 is %s, the log says %s", rec.Result.LogHash, got)
	}
	return rec
}

// TestContractSim holds the lines of sim: fields, seeds, scores.
func TestContractSim(t *testing.T) {
	for _, options := range []string{"-players 2", "-players 1 -hal extreme", "-players 1 -rules advanced", "-players 4 -rules advanced -edition first"} {
		contractSim(t, strings.Fields(options+" -games 5 -seed a/b -workers 3")...)
	}
}

func contractSim(t *testing.T, args ...string) {
	t.Helper()
	code, out, talk := program.Outcome(t, append(append([]string{"sim"}, args...), "-json")...)
	if code != program.ExitYes {
		t.Fatalf("sim %v: exit %d\n%s", args, code, talk)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 6 || fits(decode(t, lines[5]), object{"summary": each{nil}}, "") != "" {
		t.Fatalf("%d lines, the last is %s", len(lines), lines[len(lines)-1])
	}
	for i, line := range lines[:5] {
		if bad := fits(decode(t, line), simShape, "game"); bad != "" {
			t.Fatal(bad)
		}
		var g struct {
			Game    int
			Seed    string
			Ending  string
			Scores  []scored
			Winners []int
		}
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		if g.Game != i+1 || g.Seed != sha256Hex([]byte("a/b/"+strconv.Itoa(i+1))) || g.Ending != "spes" && g.Ending != "ravagers" {
			t.Errorf("game %d: %s", i+1, line)
		}
		checkScores(t, g.Scores, true, g.Winners)
	}
}

// TestContractRead holds the fields of read, and that no letter makes it fail.
func TestContractRead(t *testing.T) {
	files, err := filepath.Glob("../../../mail/letter/testdata/clients/*")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d letters: %v", len(files), err)
	}
	hostile := filepath.Join(t.TempDir(), "hostile.eml")
	r := rand.New(rand.NewPCG(1, 1))
	junk := []byte("From: a@example.org\nContent-Type: multipart/mixed; boundary=\"\x00\"\n\n")
	for range 5000 {
		junk = append(junk, byte(r.Uint32()))
	}
	if err := os.WriteFile(hostile, junk, 0o600); err != nil {
		t.Fatal(err)
	}
	files = append(files, hostile)
	out, code := program.Output(t, append([]string{"read", "-json"}, files...)...)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != program.ExitYes || len(lines) != len(files) {
		t.Fatalf("exit %d, %d objects for %d letters", code, len(lines), len(files))
	}
	kinds := []string{"orders", "auto", "bounce", "list", "calendar", "receipt", "empty", "too_large", "broken"}
	whys := []string{"quote", "notice", "signature", "footer", "forward", "bar"}
	for _, line := range lines {
		if bad := fits(decode(t, line), readShape, "letter"); bad != "" {
			t.Fatalf("%s in %s", bad, line)
		}
		var l struct {
			Kind    string
			Dropped []struct{ Why string }
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(kinds, l.Kind) {
			t.Errorf("kind %q", l.Kind)
		}
		for _, d := range l.Dropped {
			if !slices.Contains(whys, d.Why) {
				t.Errorf("dropped because of %q", d.Why)
			}
		}
	}
}
