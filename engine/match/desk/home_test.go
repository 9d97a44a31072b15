package desk_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestHomeKey: the address of a player's start page comes in the letter that begins their first game
// and in answers to `link` and `settings`, and in no other; `link` ends the old one.
func TestHomeKey(t *testing.T) {
	o := newOffice(t)
	h := o.desk.Host()
	id := o.started(1, "ada", "bo")
	first := map[string]string{}
	for _, name := range []string{"ada", "bo"} {
		for _, r := range o.box[at(name)] {
			if r.Answer.First != (r.Answer.Home != "") {
				t.Errorf("%s, %s: first %v, key %q", name, r.Kind, r.Answer.First, r.Answer.Home)
			}
			if r.Answer.Home != "" {
				first[name] = r.Answer.Home
			}
		}
	}
	key := first["ada"]
	if key == "" || first["bo"] == "" || key == first["bo"] || len(key) < 26 {
		t.Fatalf("keys %q", first)
	}
	page, err := h.Home(t.Context(), key, o.now)
	if err != nil || len(page.Games) != 1 || page.Games[0].ID != id || page.Games[0].Seat == 0 {
		t.Fatalf("%+v, %v", page, err)
	}
	other, err := h.Home(t.Context(), first["bo"], o.now)
	if err != nil || page.Games[0].You == other.Games[0].You || page.Player == other.Player {
		t.Errorf("%+v and %+v, %v", page.Games, other, err)
	}
	// None of it opens a hand or can be answered.
	data, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range o.box[at("ada")] {
		for _, secret := range []string{r.PageKey, r.MuteKey, r.Token} {
			if secret != "" && strings.Contains(string(data), secret) {
				t.Errorf("the page has %s", secret)
			}
		}
	}
	if out := o.write("ada", "settings"); out[0].Answer.Home != key {
		t.Errorf("settings: %q, want %q", out[0].Answer.Home, key)
	}
	for _, line := range []string{"status", "board", "say: hello", "rules"} {
		for _, r := range o.write("ada", line) {
			if r.Answer.Home != "" {
				t.Errorf("%s tells it", line)
			}
		}
	}
	fresh := o.write("ada", "link")[0].Answer.Home
	if fresh == "" || fresh == key {
		t.Errorf("link: %q, was %q", fresh, key)
	}
	for _, bad := range []string{key, "", "nonsense", o.last("ada").PageKey} {
		if _, err := h.Home(t.Context(), bad, o.now); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := h.Home(t.Context(), fresh, o.now); err != nil {
		t.Error(err)
	}
	// No other letter of the game contains it.
	for range 6 {
		for _, name := range []string{"ada", "bo"} {
			o.plays(name)
		}
	}
	turns := 0
	for _, name := range []string{"ada", "bo"} {
		for _, r := range o.box[at(name)] {
			if r.Kind == notice.KindTurn && !r.Answer.First {
				if turns++; r.Answer.Home != "" {
					t.Errorf("a turn notice to %s has it", name)
				}
			}
		}
	}
	if turns == 0 {
		t.Error("no turn notices")
	}
}

// TestHomeOfManyGames: of more games than a start page lists it has those with the nearest
// deadlines, even if they are the oldest, and says how many it leaves out.
func TestHomeOfManyGames(t *testing.T) {
	o := newOffice(t)
	o.clock = "3d grace 1d"
	first := o.started(1, "ada", "bo")
	home := func(name string) *look.Home {
		page, err := o.desk.Host().Home(t.Context(), o.write(name, "link")[0].Answer.Home, o.now)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	moves := "ada"
	if !home(moves).Games[0].You {
		moves = "bo"
	}
	for n := range 45 {
		o.now = o.now.Add(time.Minute)
		o.started(byte(2+n), "bo", "ada")
	}
	if page := home(moves); len(page.Games) != 40 || page.More != 6 || page.Games[0].ID != first {
		t.Errorf("%d games, the oldest not first, %d more", len(page.Games), page.More)
	}
}
