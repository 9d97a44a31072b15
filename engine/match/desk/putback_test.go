package desk_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestPutBack restores a copy made while letters came in. Each player to move gets a fresh
// notice, the organiser a letter, once; a letter that comes again after that is applied once;
// the server asks again for what it no longer knows; and the game goes on.
func TestPutBack(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	off, err := o.desk.NewGame(ctx, seating.NewGameOrder{
		Organiser: at("cy"), Players: []seating.NewPlayer{{Address: at("cy")}, {Address: at("dan")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o.deliver()
	lines := func() int { return len(o.record(id, 0).Log) }

	copied := filepath.Join(t.TempDir(), "copy.db")
	taken := o.now
	if err := o.db.Backup(ctx, copied, taken); err != nil {
		t.Fatal(err)
	}
	l := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	if outcome, _ := o.send(l); outcome != desk.Answered || lines() != 1 {
		t.Fatalf("%s, %d lines", outcome, lines())
	}
	lost := o.last("ada") // its token is none of the copy's
	turn := o.sheet(lost).Example
	o.write("ada", "status")

	o.putBack(copied)
	if lines() != 0 {
		t.Fatalf("%d lines in the copy", lines())
	}
	o.now = o.now.Add(day)
	from, err := o.desk.PutBack(ctx, false)
	if err != nil || !from.Equal(taken) {
		t.Fatalf("put back to %v, %v, want %v", from, err, taken)
	}
	var told []string
	for _, r := range o.deliver() {
		told = append(told, r.To+" "+string(r.Kind)+" "+r.Game+" "+r.Answer.Remarks[0].Code+" "+r.Answer.Remarks[0].Args["time"])
	}
	time := taken.Format("2006-01-02 15:04 MST")
	want := []string{at("ada") + " turn " + id + " " + notice.TellPutBack + " " + time, at("cy") + " info " + off + " " + notice.TellBackGame + " " + time}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if from, err := o.desk.PutBack(ctx, false); err != nil || !from.IsZero() || len(o.deliver()) > 0 {
		t.Errorf("told twice: %v, %v", from, err)
	}

	fresh := o.last("ada")
	if _, out := o.send(o.letter(at("ada"), lost.Token, "card 087 at row 3")); lines() != 0 || len(out) != 1 || out[0].Answer.Remarks[0].Code != notice.AskLost {
		t.Errorf("a token that is lost: %d lines, %v", lines(), out)
	}
	// The same letter that had been applied comes again: moved back into the inbox by the host,
	// or delivered late. Its token is an old one, and good.
	for i := range 3 {
		if outcome, _ := o.send(l); (outcome == desk.Answered) != (i == 0) || lines() != 1 {
			t.Errorf("delivery %d: %s, %d lines, want 1", i, outcome, lines())
		}
	}
	if _, out := o.send(o.letter(at("ada"), fresh.Token, turn[0])); lines() != 2 || len(out) == 0 {
		t.Errorf("the fresh notice answered with %q: %d lines, %v", turn[0], lines(), out)
	}

	// A plain copy of the file says nothing; its caller knows that it is older.
	if _, err := o.desk.Beat(ctx); err != nil {
		t.Fatal(err)
	}
	if from, err := o.desk.PutBack(ctx, true); err != nil || !from.Equal(o.now.UTC()) || len(o.deliver()) != 2 {
		t.Errorf("an older file: %v, %v", from, err)
	}
}

// putBack has a copy in the place of the database, as it is after a restart.
func (o *office) putBack(copied string) {
	o.t.Helper()
	if err := o.db.Close(); err != nil {
		o.t.Fatal(err)
	}
	o.db = nil
	b, err := os.ReadFile(copied)
	if err == nil {
		err = os.WriteFile(o.file, b, 0o600)
	}
	if err != nil {
		o.t.Fatal(err)
	}
	o.open()
}

// copyFile copies the database file as an uninformed host would: the copy does not record that
// it is one.
func (o *office) copyFile() (copied string) {
	o.t.Helper()
	if err := o.db.Close(); err != nil {
		o.t.Fatal(err)
	}
	o.db = nil
	copied = filepath.Join(o.t.TempDir(), "copy.db")
	b, err := os.ReadFile(o.file)
	if err == nil {
		err = os.WriteFile(copied, b, 0o600)
	}
	if err != nil {
		o.t.Fatal(err)
	}
	o.open()
	return copied
}

// TestLostTokens replaces the database by a plain copy that does not record its age: the first
// letter that answers one of the lost ones shows it, and all get one letter. The server asks
// about its orders and carries them out after `yes`. Once the game has come to the same
// position again, letters that answer lost ones are as good as others. A lost token is good for
// its player alone, and a forged one for nothing.
func TestLostTokens(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.deliver()
	lines := func() int { return len(o.record(id, 0).Log) }
	copied := o.copyFile()
	o.write("ada", "card 087 at row 3")
	if lines() != 1 {
		t.Fatalf("%d lines", lines())
	}
	lost := o.last("ada")
	turn := o.sheet(lost).Example
	o.putBack(copied)
	for _, letter := range [][2]string{{at("ada"), lost.Token[:47] + "a"}, {at("bo"), lost.Token}} {
		if lost.Token == letter[1] && letter[0] == at("ada") {
			continue // the last character was an a
		}
		_, out := o.send(o.letter(letter[0], letter[1], "card 087 at row 3"))
		if lines() != 0 || len(out) == 0 || out[0].Answer.Remarks != nil && out[0].Answer.Remarks[0].Code == notice.AskLost {
			t.Errorf("%q: %d lines, %v", letter, lines(), out)
		}
	}
	told := func() (n int) {
		t.Helper()
		if _, err := o.desk.Due(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, r := range o.deliver() {
			for _, x := range r.Answer.Remarks {
				if x.Code == notice.TellPutBack {
					n++
				}
			}
		}
		return n
	}
	if n := told(); n != 1 { // from any sender the token shows that something is lost
		t.Errorf("%d were told that the database was put back, want the one to move", n)
	}
	_, out := o.send(o.letter(at("ada"), lost.Token, "status"))
	if len(out) == 0 || out[0].To != at("ada") || lines() != 0 {
		t.Errorf("a word to a lost letter: %v", out)
	}
	_, out = o.send(o.letter(at("ada"), lost.Token, "card 087 at row 3"))
	if len(out) != 1 || out[0].Answer.Remarks[0].Code != notice.AskLost || !slices.Equal(out[0].Answer.Remarks[0].List, []string{"card 087 at row 3"}) || lines() != 0 {
		t.Fatalf("orders to a lost letter: %d lines, %v", lines(), out)
	}
	if n := told(); n != 0 {
		t.Errorf("%d were told once more", n)
	}
	if _, yes := o.send(o.letter(at("ada"), out[0].Token, "yes")); lines() != 1 {
		t.Fatalf("yes to that: %d lines, %v", lines(), yes)
	}
	if _, out := o.send(o.letter(at("ada"), lost.Token, turn[0])); lines() != 2 {
		t.Errorf("orders to a lost letter, once the game is the same again: %d lines, %v", lines(), out)
	}
}

// TestTokensWithoutRoom: an address may have room for a random token alone.
func TestTokensWithoutRoom(t *testing.T) {
	for room, want := range map[int]int{0: 48, 48: 48, 47: 26} {
		o := newOffice(t, func(c *unit.Config) { c.TokenRoom = room })
		o.started(1, "ada", "bo")
		o.deliver()
		if got := len(o.last("ada").Token); got != want {
			t.Errorf("room for %d: a token has %d", room, got)
		}
		if out := o.write("ada", "status"); len(out) == 0 {
			t.Errorf("room for %d: no answer", room)
		}
	}
}

// TestTokenKeys: a key is renewed once a year, and one that is no longer in use is known for
// a year more.
func TestTokenKeys(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t)
	keys := func() (n []int64) {
		if err := o.db.View(ctx, func(tx store.Tx) error {
			all, err := tx.TokenKeys()
			for _, k := range all {
				n = append(n, k.N)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i, want := range [][]int64{{2, 1}, {2, 1}, {3, 2}, {4, 3}} {
		if i > 0 {
			o.now = o.now.Add(200 * day)
		}
		if i == 3 {
			o.now = o.now.Add(200 * day)
		}
		if _, err := o.desk.Beat(ctx); err != nil {
			t.Fatal(err)
		}
		if got := keys(); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", o.now, got, want)
		}
	}
}

// TestLostDeal: orders for a table that was dealt after the copy was made are not played at the
// one that is dealt instead.
func TestLostDeal(t *testing.T) {
	o := newOffice(t)
	id, err := o.desk.NewGame(context.Background(), seating.NewGameOrder{Seed: &[32]byte{7}, Organiser: at("ada"),
		Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}, {Address: at("bo"), Name: "Bo"}}})
	if err != nil {
		t.Fatal(err)
	}
	o.deliver()
	copied := o.copyFile()
	invited := map[string]string{"ada": o.token(at("ada")), "bo": o.token(at("bo"))}
	joins := func(word string) (mover string, first notice.Message) {
		t.Helper()
		for name, token := range invited {
			o.send(o.letter(at(name), token, "join "+name+", "+word))
		}
		g, err := o.desk.Host().Open(context.Background(), id, "", -1)
		if err != nil || g.View == nil {
			t.Fatalf("it has not begun: %v", err)
		}
		mover = strings.ToLower(g.Names[g.View.ToAct[0]-1])
		return mover, o.last(mover)
	}
	mover, lost := joins("tulip")
	o.putBack(copied)
	for _, word := range []string{"rose", "lily", "iris", "aster"} {
		if again, _ := joins(word); again == mover {
			break
		}
		o.putBack(copied)
	}
	o.send(o.letter(at(mover), lost.Token, "B"))
	if log := o.record(id, 0).Log; len(log) != 0 {
		t.Errorf("played: %v", log)
	}
}

// The directors of leagues that go on hear what an older copy has lost, each once.
func TestPutBackTellsDirectors(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	o.started(9, "al", "bot")
	o.made(tin + "assistant: al@home.test\n")
	o.made(strings.Replace(tin, "Tin", "Zinc", 1))
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	if _, err := o.desk.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := o.desk.PutBack(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	heard := map[string]int{}
	out := o.deliver()
	for _, r := range tells(out, notice.TellBackLeague) {
		m, _ := told(r, notice.TellBackLeague)
		heard[r.To+" "+m.Args["league"]]++
	}
	want := map[string]int{at("dora") + " Tin League": 1, at("al") + " Tin League": 1, at("dora") + " Zinc League": 1}
	if !maps.Equal(heard, want) {
		t.Errorf("told are %v", heard)
	}
	o.has(o.last("al"), []string{"If anything happened in the league Tin League after that, it is missing: results, sign-ups, check-ins and rulings."})
	for _, r := range out { // a copy may lack nothing: a server that moved works with one, too
		if text, _ := o.shown(r); strings.Contains(text, "is gone") || strings.Contains(text, "was lost") {
			t.Errorf("%s reads that something is lost: %s", r.To, text)
		}
	}
}
