package desk_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

func codes(m notice.Message) (out []string) {
	for _, r := range m.Answer.Remarks {
		out = append(out, r.Code)
	}
	return out
}

// TestAnnounce: every active player gets one letter, and no one else.
func TestAnnounce(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	o.started(1, "ada", "bo")
	o.started(2, "ada", "cyd")
	over := o.started(3, "dan", "eve")
	err := o.db.Update(ctx, func(tx store.Tx) error {
		g, err := tx.Game(over)
		g.State, g.Ended = store.GameAbandoned, o.now
		return errors.Join(err, tx.SaveGame(g), tx.SaveAddress(store.Address{Address: at("cyd"), Player: o.player("cyd"), Never: true}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := o.desk.Announce(ctx, "We move to a new machine on Sunday.\nAll games wait.", true); n != 2 || err != nil || len(o.deliver()) != 0 {
		t.Errorf("a dry run: %d %v", n, err)
	}
	for _, text := range []string{"", " \n", strings.Repeat("x", 100_000)} {
		if _, err := o.desk.Announce(ctx, text, false); !errors.Is(err, desk.ErrRefused) {
			t.Errorf("%.10q: %v", text, err)
		}
	}
	n, err := o.desk.Announce(ctx, "We move to a new machine on Sunday.\nAll games wait.", false)
	var to []string
	for _, m := range o.deliver() {
		to = append(to, m.To)
		if !slices.Equal(codes(m), []string{notice.TellHostSays}) || m.Answer.Press[0].Text != "We move to a new machine on Sunday.\nAll games wait." {
			t.Errorf("%+v", m.Answer)
		}
	}
	if n != 2 || err != nil || !slices.Equal(to, []string{at("ada"), at("bo")}) {
		t.Errorf("%d %v %v", n, err, to)
	}
}

// player is the number of the player with an address.
func (o *office) player(name string) (id int64) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) error {
		a, err := tx.Address(at(name))
		id = a.Player
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return id
}

// seatName is what a player is called in a game.
func (o *office) seatName(game, name string) string {
	o.t.Helper()
	var found string
	err := o.db.View(context.Background(), func(tx store.Tx) error {
		seats, err := tx.Seats(game)
		for _, x := range seats {
			if x.Player == o.player(name) {
				found = x.Name
			}
		}
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return found
}

// TestRenamePlayer: the host changes a name in all games, also past ones; where it is
// taken the player gets one like it.
func TestRenamePlayer(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	one, two := o.started(1, "ada", "bo"), o.started(2, "ada", "zed")
	if _, _, err := o.desk.RenamePlayer(ctx, "Zed", "Grace"); err != nil {
		t.Fatal(err)
	}
	_, p, err := o.desk.RenamePlayer(ctx, at("ada"), "Grace")
	if err != nil || p.Name != "Grace" {
		t.Fatalf("%+v %v", p, err)
	}
	if a, b := o.seatName(one, "ada"), o.seatName(two, "ada"); a != "Grace" || b == "Grace" || b == "Ada" || !strings.HasPrefix(b, "Grace") {
		t.Errorf("%q and %q", a, b)
	}
	o.deliver()
	if m := o.last("ada"); !slices.Equal(codes(m), []string{notice.TellHostRenamed}) || m.Answer.Remarks[0].Args["name"] != "Grace" {
		t.Errorf("%+v", m.Answer)
	}
	for who, name := range map[string]string{"nobody@home.test": "Ida", at("bo"): "x@home.test", "99": "Ida", "Nobody": "Ida", "Grace": "Ida"} {
		if _, _, err := o.desk.RenamePlayer(ctx, who, name); !errors.Is(err, desk.ErrRefused) && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s -> %s: %v", who, name, err)
		}
	}
}

// TestMoveToAnotherAddress: a player who lost their mailbox plays on from another address; a
// reader of the old one cannot.
func TestMoveToAnotherAddress(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	id := o.started(1, "ada", "bo")
	o.started(2, "cyd", "dan")
	o.deliver()
	stale := o.last("ada")
	o.send(o.letter(at("new"), "", "help")) // they have written from there before
	for _, to := range []string{at("cyd"), "x@angelpost.test", "no address"} {
		if _, _, err := o.desk.MovePlayer(ctx, at("ada"), to); !errors.Is(err, desk.ErrRefused) {
			t.Errorf("to %s: %v", to, err)
		}
	}
	_, p, err := o.desk.MovePlayer(ctx, at("ada"), at("new"))
	if err != nil || p.Address != at("new") {
		t.Fatalf("%+v %v", p, err)
	}
	var moved, turn bool
	for _, m := range o.deliver() {
		if m.To != at("new") {
			t.Errorf("a letter to %s: %+v", m.To, m.Answer)
		}
		moved = moved || slices.Contains(codes(m), notice.TellMovedAddress) && m.Answer.Home != "" && len(m.Answer.Sections) == 1
		if m.Kind == notice.KindTurn {
			turn = true
			if m.PageKey == stale.PageKey || m.PageKey == "" {
				t.Errorf("the page's key is %q, it was %q", m.PageKey, stale.PageKey)
			}
			for _, l := range o.box[at("new")] {
				for _, s := range l.Answer.Sections {
					if s.Kind != "link" {
						continue
					}
					if len(s.Games) != 1 || s.Games[0].PageKey != m.PageKey {
						t.Errorf("%+v, but the page's key is %s", s, m.PageKey)
					}
				}
			}
		}
	}
	if !moved || !turn {
		t.Error("not told, or not asked for the move")
	}
	before := len(o.record(id, 0).Log)
	o.send(o.letter(at("ada"), stale.Token, "card 087 at row 3")) // from the old mailbox
	if n := len(o.record(id, 0).Log); n != before {
		t.Errorf("whoever reads the old mailbox plays: %d lines, then %d", before, n)
	}
	o.write("new", "card 087 at row 3")
	if n := len(o.record(id, 0).Log); n == before {
		t.Errorf("no move from the new address; %v", codes(o.last("new")))
	}
}

// everywhere lists the rows of the database that hold a text, whatever its case.
func (o *office) everywhere(text string) (found []string) {
	o.t.Helper()
	c, err := sql.Open("sqlite3", o.file)
	if err != nil {
		o.t.Fatal(err)
	}
	defer c.Close()
	tables, err := c.Query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
	if err != nil {
		o.t.Fatal(err)
	}
	var names []string
	for tables.Next() {
		var name string
		if err := tables.Scan(&name); err != nil {
			o.t.Fatal(err)
		}
		names = append(names, name)
	}
	for _, name := range names {
		rows, err := c.Query("SELECT * FROM " + name)
		if err != nil {
			o.t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			o.t.Fatal(err)
		}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				o.t.Fatal(err)
			}
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					v = string(b)
				}
				if s := fmt.Sprint(v); strings.Contains(strings.ToLower(s), strings.ToLower(text)) {
					found = append(found, fmt.Sprintf("%s.%s: %.80q", name, columns[i], s))
				}
			}
		}
	}
	return found
}

// TestErasePlayer: within the hour nothing of an erased player is left in the database but
// the moves of their games, which go on; the export before had all of it.
func TestErasePlayer(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	id := o.started(1, "wilhelmina", "bo")
	over := o.started(2, "wilhelmina", "bo")
	o.write("wilhelmina", "say: wilhelmina sends greetings")
	o.write("wilhelmina", "note: wilhelmina's plan is secret")
	o.write("wilhelmina", "zone Europe/Berlin")
	o.write("wilhelmina", "ignore Bo")
	o.write("wilhelmina", "link")
	o.write("wilhelmina", "always reserve 3, 2")
	if _, err := o.desk.ErasePlayer(ctx, at("wilhelmina"), true); err != nil {
		t.Fatal(err)
	}
	data, err := o.desk.ExportPlayer(ctx, at("wilhelmina"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{at("wilhelmina"), "sends greetings", "plan is secret", "Europe/Berlin", id, over, "reserve 3", `"letters_in":[{`, `"letters_out":[{`, `"ignored":[{"name":"Bo"}]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the export does not have %q: %s", want, text)
		}
	}
	o.deliver()
	if _, err := o.desk.ErasePlayer(ctx, at("wilhelmina"), false); err != nil {
		t.Fatal(err)
	}
	told := false
	for _, m := range o.deliver() {
		told = told || m.To == at("wilhelmina") && slices.Contains(codes(m), notice.SayForgotten)
	}
	if !told {
		t.Error("the player is not told")
	}
	if n := len(o.everywhere("wilhelmina@")); n < 3 {
		t.Errorf("only %d rows have the address before", n)
	}
	o.due(2 * time.Hour)
	o.filed(at("wilhelmina"))
	for _, what := range []string{"wilhelmina@", "sends greetings", "plan is secret", "Wilhelmina"} {
		if found := o.everywhere(what); len(found) > 0 {
			t.Errorf("%s is left: %s", what, strings.Join(found, "\n"))
		}
	}
	if _, err := o.desk.ExportPlayer(ctx, at("wilhelmina")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("still known: %v", err)
	}
	if len(o.everywhere("Former player")) < 2 {
		t.Error("the games have no pseudonym")
	}
	// They can come back as someone new, and the game goes on without them.
	o.send(o.letter(at("wilhelmina"), "", "help"))
	before := len(o.record(id, 0).Log)
	o.write("bo", "status")
	if n := len(o.record(id, 0).Log); n < before {
		t.Errorf("%d lines, then %d", before, n)
	}
}

// TestErasedPlayersGames: the games of an erased player replay as before, though the dice
// come from words that the players added.
func TestErasedPlayersGames(t *testing.T) {
	o := newOffice(t)
	id, err := o.desk.NewGame(context.Background(), seating.NewGameOrder{Seed: &[32]byte{7}, Organiser: at("wilhelmina"),
		Players: []seating.NewPlayer{{Address: at("wilhelmina"), Name: "Wilhelmina"}, {Address: at("bo"), Name: "Bo"}}})
	if err != nil {
		t.Fatal(err)
	}
	o.deliver()
	o.write("wilhelmina", "join Wilhelmina, tulip")
	o.write("bo", "join Bo, rose")
	for range 2 {
		g, err := o.desk.Host().Open(context.Background(), id, "", -1)
		if err != nil {
			t.Fatal(err)
		}
		o.plays(strings.ToLower(g.Names[g.View.ToAct[0]-1]))
	}
	if n := len(o.record(id, 0).Log); n < 4 {
		t.Fatalf("only %d lines were played", n)
	}
	if _, err := o.desk.ErasePlayer(context.Background(), at("wilhelmina"), false); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	o.due(2 * time.Hour)
	o.verified()
}

// TestDirectorMoves: a director who gets another address directs their leagues from there, and
// anyone who reads the old mailbox does not; a player on a league's list stays on it.
func TestDirectorMoves(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin + "assistant: al@home.test\njoin: list\nadmit: ada@home.test, bo@home.test\n")
	twice := o.made(strings.Replace(tin, "Tin", "Zinc", 1) + "assistant: nova@home.test\n") // by both addresses
	o.joins("tin", "ada", "bo")
	for from, to := range map[string]string{"dora": "nova", "ada": "adele"} {
		if _, _, err := o.desk.MovePlayer(t.Context(), at(from), at(to)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][]string{twice: {at("nova")}, id: {at("nova"), "al@home.test"}} {
		if got := o.league(name).State.Rules.Directors; !slices.Equal(got, want) {
			t.Errorf("%s is directed by %v, want %v", name, got, want)
		}
	}
	r := o.league(id).State.Rules
	if !slices.Equal(r.Directors, []string{at("nova"), "al@home.test"}) || !slices.Equal(r.Admitted, []string{at("adele"), at("bo")}) {
		t.Errorf("directors %v, on the list %v", r.Directors, r.Admitted)
	}
	o.started(9, "dora", "bot") // someone else, in the old mailbox
	if got := problemOf(o.write("dora", "pause league tin: mine")[0]); got != notice.ProblemDirector {
		t.Errorf("someone who reads the old mailbox: %q", got)
	}
	o.write("nova", "pause league tin: moved")
	if o.league(id).State.Paused.IsZero() {
		t.Errorf("%s", summary(o.last("nova")))
	}
}
