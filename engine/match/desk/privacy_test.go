package desk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// withData are the letters that bring data.
func withData(letters []notice.Message) (out []notice.Message) {
	for _, m := range letters {
		if m.Answer.Data != "" {
			out = append(out, m)
		}
	}
	return out
}

// TestMyData: the word brings what the host's export has, to the player's own address, in
// a letter of its own; a letter that anyone could have written brings nothing.
func TestMyData(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.write("ada", "say: greetings from the frigate")
	o.write("bo", "note: bo's secret")
	o.write("ada", "address add second@home.test")
	o.write("ada", "yes")
	o.write("second", "yes")
	c := o.letter(at("second"), o.token(at("ada")), "my data")
	_, out := o.send(c)
	got := withData(out)
	if len(got) != 1 || got[0].To != at("ada") || got[0].Game != "" || !slices.Equal(remarks(got[0]), []string{notice.SayData}) {
		t.Fatalf("%d letters with data: %+v", len(got), out)
	}
	if args := got[0].Answer.Remarks[0].Args; args["games"] != "1" || args["messages"] != "1" || args["letters"] == "0" {
		t.Errorf("%v", args)
	}
	if !slices.Contains(remarks(o.last("ada")), notice.SayDataSent) && !slices.Contains(remarks(out[0]), notice.SayDataSent) {
		t.Errorf("not told that it comes: %+v", out)
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(got[0].Answer.Data), &data); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{id, "greetings from the frigate", at("second"), `"letters_in"`} {
		if !strings.Contains(got[0].Answer.Data, want) {
			t.Errorf("no %q in %s", want, got[0].Answer.Data)
		}
	}
	for _, not := range []string{"bo's secret", at("bo")} {
		if strings.Contains(got[0].Answer.Data, not) {
			t.Errorf("%q of another player in %s", not, got[0].Answer.Data)
		}
	}

	_, out = o.send(o.letter(at("ada"), "", "my data"))
	if len(withData(out)) > 0 || problemOf(out[0]) != notice.ProblemToken {
		t.Errorf("a letter that anyone could have written: %+v", out)
	}
	forged := o.letter(at("ada"), o.token(at("ada")), "my data")
	forged.AuthFailed = true
	if _, out := o.send(forged); len(withData(out)) > 0 {
		t.Errorf("a forged letter: %+v", out)
	}
	if out := o.proven(at("ada"), "", "my data please"); len(withData(out)) != 1 {
		t.Errorf("a letter that passed DMARC: %+v", out)
	}
	if out := o.proven(at("ada"), "", "My data!"); len(withData(out)) > 0 || problemOf(out[0]) != notice.ProblemMany {
		t.Errorf("a third that day: %+v", out)
	}
	if out := o.proven("nobody@far.test", "", "my data"); len(out) != 1 || !slices.Equal(remarks(out[0]), []string{notice.SayDataNone}) {
		t.Errorf("a stranger: %+v", out)
	}
}

// TestMyDataIsBounded: data too large for a letter is summed up, with an address to ask.
func TestMyDataIsBounded(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Contact = "host@home.test" })
	o.started(1, "ada", "bo")
	o.deliver()
	err := o.db.Update(context.Background(), func(tx store.Tx) error {
		g, err := tx.GamesOf(o.player("ada"), true)
		for n := 0; n < 80 && err == nil; n++ {
			err = tx.AddPress(&store.Press{Game: g[0].ID, Place: 1, Writer: o.player("ada"), Text: strings.Repeat("long talk ", 400), At: o.now})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out := o.write("ada", "my data")
	i := slices.IndexFunc(out, func(m notice.Message) bool { return slices.Contains(remarks(m), notice.SayDataLarge) })
	if i < 0 || len(withData(out)) > 0 {
		t.Fatalf("%+v", out)
	}
	if args := out[i].Answer.Remarks[0].Args; args["messages"] != "80" || args["contact"] != "host@home.test" || args["asks"] != "true" {
		t.Errorf("%v", args)
	}
}

// TestForgetMe: a yes has the writer leave games and leagues and be erased within the
// hour; without one nothing happens.
func TestForgetMe(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "wilhelmina", "bo")
	tin := o.made(tin)
	o.joins(tin, "wilhelmina", "bo")
	out := o.write("wilhelmina", "forget me")
	if len(out) != 1 || !slices.Contains(remarks(out[0]), notice.AskForget) {
		t.Fatalf("%+v", out)
	}
	if args := out[0].Answer.Remarks[0].Args; args["games"] != "1" || args["leagues"] != "1" {
		t.Errorf("%v", args)
	}
	o.due(2 * time.Hour)
	if o.player("wilhelmina") == 0 {
		t.Fatal("erased without a yes")
	}
	o.write("wilhelmina", "no")
	if out := o.write("wilhelmina", "yes"); slices.Contains(remarks(out[0]), notice.SayForgotten) {
		t.Errorf("after a no: %+v", out)
	}
	_, out = o.send(o.letter(at("wilhelmina"), "", "Please forget me.")) // anyone could have written it; only they get the question
	if len(out) != 1 || out[0].To != at("wilhelmina") || !slices.Contains(remarks(out[0]), notice.AskForget) {
		t.Fatalf("%+v", out)
	}
	if _, out := o.send(o.letter(at("bo"), out[0].Token, "yes")); slices.ContainsFunc(out, func(m notice.Message) bool { return slices.Contains(remarks(m), notice.SayForgotten) }) {
		t.Fatalf("another player's yes: %+v", out)
	}
	_, out = o.send(o.letter(at("wilhelmina"), out[0].Token, "yes"))
	last, told := notice.Message{}, false
	for _, m := range out {
		if m.To == at("wilhelmina") {
			last = m
		}
		told = told || m.To == at("bo") && slices.Contains(remarks(m), notice.TellResigned)
	}
	if !slices.Contains(remarks(last), notice.SayForgotten) || !told {
		t.Errorf("the last letter: %+v; bo is told: %v", last, told)
	}
	if x := o.seats(id)[0]; x.Bot == "" {
		t.Errorf("the seat: %+v", x)
	}
	if out := o.due(2 * time.Hour); slices.ContainsFunc(out, func(m notice.Message) bool { return m.To == at("wilhelmina") }) {
		t.Errorf("letters after the last: %+v", out)
	}
	o.filed(at("wilhelmina"))
	if found := o.everywhere("wilhelmina"); len(found) > 0 {
		t.Errorf("left: %s", strings.Join(found, "\n"))
	}
	if x := o.seats(id)[0]; !strings.HasPrefix(x.Name, "Former player") {
		t.Errorf("the seat: %+v", x)
	}
	o.verified()
}

// TestForgetMeLeavesAllGames: however many games a player is in, they leave all of them.
func TestForgetMeLeavesAllGames(t *testing.T) {
	o := newOffice(t)
	var ids []string
	for i := range 101 {
		ids = append(ids, o.started(byte(i), "wilhelmina", "bo"))
	}
	out := o.write("wilhelmina", "forget me")
	if args := out[0].Answer.Remarks[0].Args; args["games"] != "101" {
		t.Errorf("%v", args)
	}
	o.write("wilhelmina", "yes")
	for i, id := range ids {
		if x := o.seats(id)[0]; x.Bot == "" {
			t.Errorf("game %d of %d: %+v", i+1, len(ids), x)
		}
	}
	o.due(2 * time.Hour)
	for i, id := range ids {
		if x := o.seats(id)[0]; !strings.HasPrefix(x.Name, "Former player") {
			t.Errorf("game %d of %d: %+v", i+1, len(ids), x)
		}
	}
}

// others tells the rows that hold what other players wrote, which are kept for their time.
func others(row string) bool { return strings.HasPrefix(row, "raw.bytes") }

// filed takes the addresses of erased players as if their letters had been deleted in the
// mailbox.
func (o *office) filed(want ...string) {
	o.t.Helper()
	got, err := o.db.Erased(context.Background())
	var addresses []string
	for _, e := range got {
		addresses = append(addresses, e.Address)
		err = errors.Join(err, o.db.ErasedFiled(context.Background(), e))
		if o.now.Before(e.Before) || o.now.Sub(e.Before) > 3*time.Hour {
			o.t.Errorf("letters up to %v are to be deleted; it is %v", e.Before, o.now)
		}
	}
	if err != nil || !slices.Equal(addresses, want) {
		o.t.Errorf("letters of %v are to be deleted in the mailbox, not of %v; %v", addresses, want, err)
	}
}

// takes reports whether a player has one of some seats.
func takes(seats []store.Seat, player int64) bool {
	return slices.ContainsFunc(seats, func(x store.Seat) bool { return x.Player == player })
}

// TestForgottenComesBack: a player who joins a game within the hour is not erased, and learns
// that; a player who only has an invitation is erased.
func TestForgottenComesBack(t *testing.T) {
	o := newOffice(t)
	forget := func() {
		t.Helper()
		o.write("wilhelmina", "forget me")
		if out := o.write("wilhelmina", "yes"); !slices.ContainsFunc(out, func(m notice.Message) bool { return slices.Contains(remarks(m), notice.SayForgotten) }) {
			t.Fatalf("%+v", out)
		}
	}
	o.started(1, "wilhelmina", "bo")
	forget()
	o.write("wilhelmina", "new game\nplayers: bo@home.test")
	o.due(2 * time.Hour)
	if o.player("wilhelmina") == 0 || !slices.Equal(remarks(o.last("wilhelmina")), []string{notice.SayNotForgotten}) {
		t.Fatalf("%+v", o.last("wilhelmina"))
	}
	forget()
	o.now = o.now.Add(10 * time.Minute)
	o.write("bo", "new game\nplayers: wilhelmina@home.test")
	o.write("bo", "yes")
	if !takes(o.seats(o.newest().ID), o.player("wilhelmina")) {
		t.Fatal("not invited")
	}
	o.due(2 * time.Hour)
	o.due(10 * time.Minute)
	o.filed(at("wilhelmina"))
	if found := slices.DeleteFunc(o.everywhere("wilhelmina"), others); len(found) > 0 {
		t.Errorf("left: %s", strings.Join(found, "\n"))
	}
}

// TestEraseMovedPlayer: what is kept under an address that was the player's once is
// exported and erased too; not what its next owner wrote from it.
func TestEraseMovedPlayer(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	old, to := "w.illa+games@gmail.com", "willa@new.test"
	id, err := o.desk.NewLeague(ctx, strings.Replace(tin, "dora@home.test", old, 1))
	if err != nil {
		t.Fatal(err)
	}
	o.started(1, old, "bo")
	o.write(old, "say: hello")
	o.write(old, "new game\nplayers: eve@home.test")
	o.write(old, "yes")
	o.write("bo", "new game\nplayers: "+old) // counted by its mailbox
	o.send(o.letter(to, "", "help"))         // they have written from there before
	if len(o.everywhere("willa@gmail.com")) == 0 {
		t.Fatal("nothing is counted by the mailbox")
	}
	if _, _, err := o.desk.MovePlayer(ctx, old, to); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	o.write(to, "status")
	letters := func(who string) int {
		t.Helper()
		data, err := o.desk.ExportPlayer(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		return len(data["letters_in"].([]map[string]any))
	}
	before := letters(to)
	if before != 5 {
		t.Errorf("%d letters in the export, not the 4 from before and the new one", before)
	}
	// Someone else has the old mailbox now, and plays.
	o.send(o.letter(old, "", "new game\nplayers: bo@home.test"))
	o.write(old, "yes")
	if a, b := letters(to), letters(old); a != before || b != 2 {
		t.Errorf("%d and %d letters", a, b)
	}
	if _, err := o.desk.ErasePlayer(ctx, to, false); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	o.due(2 * time.Hour)
	o.filed(to)
	if found := o.everywhere("willa@new"); len(found) > 0 {
		t.Errorf("left: %s", strings.Join(found, "\n"))
	}
	if n := letters(old); n != 2 {
		t.Errorf("the next owner has %d letters", n)
	}
	if _, err := o.desk.ErasePlayer(ctx, old, false); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	o.due(2 * time.Hour)
	o.filed(old)
	for _, what := range []string{old, "willa@gmail.com"} {
		if found := slices.DeleteFunc(o.everywhere(what), others); len(found) > 0 {
			t.Errorf("%s is left: %s", what, strings.Join(found, "\n"))
		}
	}
	if file := fmt.Sprint(o.league(id).State.Rules.Directors); strings.Contains(file, "illa") {
		t.Errorf("the league's file: %s", file)
	}
}

// TestEraseSharedAddress: letters under an address that another player had afterwards, and
// has no more, stay in the mailbox until both are erased.
func TestEraseSharedAddress(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	move := func(from, to string) {
		t.Helper()
		if _, _, err := o.desk.MovePlayer(ctx, from, to); err != nil {
			t.Fatal(err)
		}
		o.deliver()
	}
	erase := func(who string, want ...string) {
		t.Helper()
		if _, err := o.desk.ErasePlayer(ctx, who, false); err != nil {
			t.Fatal(err)
		}
		o.deliver()
		o.due(2 * time.Hour)
		o.filed(want...)
	}
	old, first, second := at("shared"), at("first"), at("second")
	o.started(1, old, "bo")
	move(old, first)
	o.send(o.letter(old, "", "new game\nplayers: bo@home.test"))
	o.write(old, "yes")
	move(old, second)
	erase(first, first)
	erase(second, second, old)
}

// TestForgetMeLapses: a yes that comes days later erases no one.
func TestForgetMeLapses(t *testing.T) {
	o := newOffice(t)
	o.started(1, "wilhelmina", "bo")
	o.write("wilhelmina", "forget me")
	o.now = o.now.Add(49 * time.Hour)
	if out := o.write("wilhelmina", "yes"); slices.ContainsFunc(out, func(m notice.Message) bool { return slices.Contains(remarks(m), notice.SayForgotten) }) {
		t.Errorf("%+v", out)
	}
}
