package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

func open(t *testing.T, path string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func fresh(t *testing.T) (*db.DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b?c#d%.db") // a path that a DSN would trip over
	return open(t, path), path
}

func update(t *testing.T, d *db.DB, f func(store.Tx) error) {
	t.Helper()
	if err := d.Update(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

func view(t *testing.T, d *db.DB, f func(store.Tx) error) {
	t.Helper()
	if err := d.View(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

var then = time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC)

const firstToken = "iea4amicb6lsbvxxfg7pksekzy" // as the desk makes them

// fill stores one of everything.
func fill(tx store.Tx) error {
	p := store.Player{Name: "Ada", Address: "ada@home.test", Registered: true, Every: true, Created: then}
	if err := tx.AddPlayer(&p); err != nil {
		return err
	}
	g := store.Game{
		ID: "abcdefgh", State: store.GameRunning, Name: "Harvest", Visibility: store.Listed, Organiser: p.ID, Mixed: true,
		Options: game.Options{Players: 2, Rules: "base", Edition: "revised", RulesVersion: 1, Set: "crossing"},
		Seed:    strings.Repeat("0f", 32), SetHash: strings.Repeat("a5", 32), Created: then, Started: then, Changed: then,
	}
	seats := []store.Seat{
		{Game: g.ID, Place: 1, Seat: 2, Player: p.ID, Stage: store.SeatJoined, Name: "Ada", Entropy: "moon", Seen: -1},
		{Game: g.ID, Place: 2, Seat: 1, Bot: "greedy", Stage: store.SeatJoined, Name: "Bot", Seen: -1},
	}
	if err := tx.AddGame(g, seats); err != nil {
		return err
	}
	lines := []game.Line{
		{N: 1, Seat: 1, By: game.ByBot, Order: "B", Told: []string{"orange die 3", "gray die 0"}},
		{N: 2, Seat: 1, By: game.ByBot, Order: "done"},
	}
	if err := tx.AppendLog(g.ID, lines); err != nil {
		return err
	}
	if err := tx.SetKey(store.Key{Key: "old", Mute: "old button", Game: g.ID, Place: 1, Player: p.ID}); err != nil {
		return err
	}
	if err := tx.SetKey(store.Key{Key: "key", Mute: "button", Game: g.ID, Place: 1, Player: p.ID}); err != nil {
		return err
	}
	first := notice.Message{Kind: notice.KindStart, Version: 1, To: p.Address, Player: p.ID, Game: g.ID, Seat: 2, Since: -1, Step: 0,
		Result: notice.None, Token: firstToken, PageKey: "old", Date: then, MessageID: "fsb4obf3cd3imgn4@angelpost.test",
		Answer: notice.Answer{Names: []string{"Bot", "Ada"}, Visibility: store.Listed}}
	if err := tx.AddMessage(&first, store.Token{Place: 1}, store.OutQueued); err != nil {
		return err
	}
	l := store.Letter{MessageID: "in-1@home.test", From: p.Address, Token: firstToken, Date: then, BodyHash: strings.Repeat("ab", 32),
		Class: incoming.Orders, State: store.LetterNew, Attempts: 1, Received: then, Raw: []byte("raw\r\nletter")}
	if err := tx.AddLetter(&l); err != nil {
		return err
	}
	r := notice.Message{Kind: notice.KindAnswer, Version: 1, To: p.Address, Player: p.ID, Game: g.ID, Seat: 2, Since: 1, Step: 2,
		Result: notice.Applied, Token: "tok1", PageKey: "key", Format: "text", Date: then.Add(time.Minute), MessageID: "out-2@angelpost.test",
		InReplyTo: l.MessageID, Thread: first.MessageID,
		Answer: notice.Answer{Names: []string{"Bot", "Ada"}, Lines: []notice.LineResult{{N: 1, Text: "B", As: []string{"B"}, Status: notice.LineApplied}}}}
	if err := tx.AddMessage(&r, store.Token{Place: 1, Turn: 3}, store.OutQueued); err != nil {
		return err
	}
	c := store.Confirm{Kind: store.ConfirmAlias, Player: p.ID, Address: "ada@work.test", Game: g.ID, Letter: l.ID, Lines: "{}", Open: true, Expires: then, Created: then}
	if err := tx.AddConfirm(&c); err != nil {
		return err
	}
	if err := tx.AddPress(&store.Press{Game: g.ID, Place: 1, Text: "Hello", Step: 2, At: then}); err != nil {
		return err
	}
	if _, err := tx.Bump("answers/ada@home.test", "2026-11-21"); err != nil {
		return err
	}
	return tx.AddDue(&store.Due{At: then, Kind: store.DueRemind, Game: g.ID, Place: 1, Step: 2})
}

// check reads what fill stored.
func check(t *testing.T, d *db.DB) {
	t.Helper()
	view(t, d, func(tx store.Tx) error {
		g, err := tx.Game("abcdefgh")
		if err != nil {
			return err
		}
		if g.Steps != 2 || g.Name != "Harvest" || g.Seed != strings.Repeat("0f", 32) || g.Options.Players != 2 || !g.Started.Equal(then) || !g.Ended.IsZero() {
			t.Errorf("game %+v", g)
		}
		seats, err := tx.Seats(g.ID)
		if err != nil {
			return err
		}
		if len(seats) != 2 || seats[0].Name != "Ada" || seats[0].Entropy != "moon" || seats[1].Bot != "greedy" {
			t.Errorf("seats %+v", seats)
		}
		all, err := tx.SeatsOf([]string{g.ID, "none"})
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(all[g.ID], seats) || len(all) != 1 {
			t.Errorf("seats of games %+v", all)
		}
		lines, err := tx.Log(g.ID, 0)
		if err != nil {
			return err
		}
		if len(lines) != 2 || !reflect.DeepEqual(lines[0].Told, []string{"orange die 3", "gray die 0"}) || lines[1].Told != nil || lines[1].By != game.ByBot {
			t.Errorf("log %+v", lines)
		}
		p, err := tx.Player(seats[0].Player)
		if err != nil {
			return err
		}
		if p.Name != "Ada" || !p.Registered || !p.Every || p.Text {
			t.Errorf("player %+v", p)
		}
		if some, err := tx.Players([]int64{p.ID, 99}); err != nil || len(some) != 1 || some[p.ID] != p {
			t.Errorf("players %v %v", some, err)
		}
		if k, err := tx.KeyOf(g.ID, 1); err != nil || k.Key != "key" {
			t.Errorf("key %+v %v", k, err)
		}
		if old, err := tx.OldKeys(g.ID); err != nil || len(old) != 2 || old[0].Key != "old" || old[1].Key != "key" {
			t.Errorf("every key %+v %v", old, err)
		}
		if ks, err := tx.Keys(g.ID); err != nil || len(ks) != 1 || ks[0].Key != "key" {
			t.Errorf("keys %+v %v", ks, err)
		}
		k, err := tx.Token("tok1")
		if err != nil || k.Game != g.ID || k.Player != p.ID || k.Place != 1 || k.Turn != 3 || k.Step != 2 || !k.Created.Equal(then.Add(time.Minute)) {
			t.Errorf("token %+v %v", k, err)
		}
		if last, err := tx.LastToken(g.ID, 1, p.ID); err != nil || last != k {
			t.Errorf("last token %+v %v", last, err)
		}
		r, err := tx.MessageByID("out-2@angelpost.test")
		if err != nil || r.PageKey != "key" || r.Answer.Lines[0].Text != "B" || r.Game != g.ID || r.InReplyTo != "in-1@home.test" ||
			!reflect.DeepEqual(r.References, []string{"fsb4obf3cd3imgn4@angelpost.test", "in-1@home.test"}) || r.Format != "text" || r.Since != 1 {
			t.Errorf("recipe %+v %v", r, err)
		}
		if same, err := tx.Message(r.ID); err != nil || !reflect.DeepEqual(same, r) {
			t.Errorf("recipe by id %+v %v", same, err)
		}
		if old, err := tx.Message(r.ID - 1); err != nil || old.PageKey != "old" || old.Since != -1 || old.Token != firstToken || len(old.Answer.Names) != 2 {
			t.Errorf("the first letter's key is %q, %v", old.PageKey, err)
		}
		ls, err := tx.LikeLetter("ada@home.test", then, firstToken, strings.Repeat("ab", 32))
		if err != nil || len(ls) != 1 || ls[0].Raw != nil || ls[0].BodyHash != strings.Repeat("ab", 32) {
			t.Errorf("like letters %+v %v", ls, err)
		}
		if l, err := tx.Letter(ls[0].ID); err != nil || string(l.Raw) != "raw\r\nletter" || l.MessageID != "in-1@home.test" || l.From != "ada@home.test" || l.Token != firstToken || !l.Received.Equal(then) {
			t.Errorf("letter %+v %v", l, err)
		}
		if other, err := tx.LikeLetter("ada@home.test", then, firstToken, strings.Repeat("ac", 32)); err != nil || len(other) != 0 {
			t.Errorf("another body is like it: %+v %v", other, err)
		}
		if cs, err := tx.OpenConfirms(store.ConfirmAlias, "ada@work.test"); err != nil || len(cs) != 1 || !cs[0].Expires.Equal(then) {
			t.Errorf("confirmations %+v %v", cs, err)
		}
		if ps, err := tx.Press(g.ID); err != nil || len(ps) != 1 || ps[0].Text != "Hello" {
			t.Errorf("press %+v %v", ps, err)
		}
		if n, err := tx.Count("answers/ada@home.test", "2026-11-21"); err != nil || n != 1 {
			t.Errorf("count %d %v", n, err)
		}
		due, err := tx.DueBefore(then, 10)
		if err != nil || len(due) != 1 || due[0].Game != g.ID {
			t.Errorf("due %+v %v", due, err)
		}
		return nil
	})
}

func TestStoredIsReadBack(t *testing.T) {
	d, path := fresh(t)
	update(t, d, fill)
	check(t, d)
	checkButtons(t, d, "old button", "button")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	check(t, open(t, path))
}

// checkButtons holds the keys to mute by against those of the first game: the
// keys' and the letters'.
func checkButtons(t *testing.T, d *db.DB, old, now string) {
	t.Helper()
	view(t, d, func(tx store.Tx) error {
		all, err := tx.OldKeys("abcdefgh")
		if err != nil || len(all) != 2 || all[0].Mute != old || all[1].Mute != now {
			t.Errorf("keys %+v, %v", all, err)
		}
		last, err := tx.KeyOf("abcdefgh", 1)
		each, err2 := tx.Keys("abcdefgh")
		if err != nil || err2 != nil || last != all[1] || !slices.Equal(each, all[1:]) {
			t.Errorf("the last key %+v, of %+v: %v, %v", last, each, err, err2)
		}
		for id, want := range []string{old, now} {
			if r, err := tx.Message(int64(id + 1)); err != nil || r.MuteKey != want {
				t.Errorf("letter %d mutes by %q, want %q: %v", id+1, r.MuteKey, want, err)
			}
		}
		return nil
	})
}

func TestNothingIsFoundAsNotFound(t *testing.T) {
	d, _ := fresh(t)
	view(t, d, func(tx store.Tx) error {
		_, err1 := tx.Player(1)
		_, err2 := tx.Address("x")
		_, err3 := tx.Game("x")
		_, err4 := tx.Token("x")
		_, err5 := tx.Message(1)
		_, err6 := tx.Letter(1)
		_, err7 := tx.Confirm(1)
		_, err8 := tx.KeyOf("x", 1)
		for i, err := range []error{err1, err2, err3, err4, err5, err6, err7, err8} {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("lookup %d: %v", i+1, err)
			}
		}
		return nil
	})
	if _, err := d.MessageByToken(context.Background(), "x"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// A database of the first schema, as it was released, becomes one of today's with all
// that was in it. The file is never changed.
func TestFirstSchemaIsUpgraded(t *testing.T) {
	text, err := os.ReadFile("testdata/first.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.db")
	c, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if copied, err := db.Migrate(t.Context(), path, time.Now()); err != nil || copied == "" {
		t.Fatalf("migrate: copy %q, %v", copied, err)
	}
	d := open(t, path)
	check(t, d)
	checkButtons(t, d, "old button", "button")
}

func TestNewerSchemaIsRefused(t *testing.T) {
	d, path := fresh(t)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := sql.Open("sqlite3", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec("PRAGMA user_version = 1000"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Open(context.Background(), path); !errors.Is(err, db.ErrNewer) {
		t.Errorf("opened: %v", err)
	}
}

func TestOnlyTheOwnerReadsTheFile(t *testing.T) {
	d, path := fresh(t)
	update(t, d, fill)
	for _, f := range []string{path, path + "-wal"} {
		st, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		if st.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", filepath.Base(f), st.Mode())
		}
	}
}

func TestErrorOrPanicUndoesAll(t *testing.T) {
	d, _ := fresh(t)
	boom := errors.New("boom")
	if err := d.Update(context.Background(), func(tx store.Tx) error {
		if err := fill(tx); err != nil {
			return err
		}
		return boom
	}); !errors.Is(err, boom) {
		t.Error(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		d.Update(context.Background(), func(tx store.Tx) error {
			if err := fill(tx); err != nil {
				return err
			}
			panic("boom")
		})
	}()
	view(t, d, func(tx store.Tx) error {
		if _, err := tx.Game("abcdefgh"); !errors.Is(err, store.ErrNotFound) {
			t.Error("something stayed:", err)
		}
		return nil
	})
	update(t, d, fill) // the writer is free again
}

// A part that fails, panics or ends takes back its own, with the parts in it;
// what was before and comes after stays.
func TestPartsAreUndoneAlone(t *testing.T) {
	d, _ := fresh(t)
	boom := errors.New("boom")
	save := func(tx store.Tx, a string) error { return tx.SaveAddress(store.Address{Address: a}) }
	update(t, d, func(tx store.Tx) error {
		if err := save(tx, "before@x"); err != nil {
			return err
		}
		if err := tx.Part(func() error {
			if err := tx.Part(func() error { return save(tx, "within@x") }); err != nil {
				return err
			}
			return errors.Join(save(tx, "failed@x"), boom)
		}); !errors.Is(err, boom) {
			t.Error(err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			tx.Part(func() error {
				if err := save(tx, "panicked@x"); err != nil {
					return err
				}
				panic("boom")
			})
		}()
		return tx.Part(func() error { return save(tx, "after@x") })
	})
	view(t, d, func(tx store.Tx) error {
		for a, stays := range map[string]bool{"before@x": true, "within@x": false, "failed@x": false, "panicked@x": false, "after@x": true} {
			if _, err := tx.Address(a); (err == nil) != stays {
				t.Errorf("%s: %v, stays %v", a, err, stays)
			}
		}
		return nil
	})
}

func TestReadersCannotWrite(t *testing.T) {
	d, _ := fresh(t)
	if err := d.View(context.Background(), fill); err == nil {
		t.Error("View wrote")
	}
}

func TestLogLinesAreNeverOverwritten(t *testing.T) {
	d, _ := fresh(t)
	update(t, d, fill)
	if err := d.Update(context.Background(), func(tx store.Tx) error {
		return tx.AppendLog("abcdefgh", []game.Line{{N: 2, Seat: 1, By: game.ByBot, Order: "pass"}})
	}); err == nil {
		t.Error("line 2 was written twice")
	}
	check(t, d)
}

func TestBackupWhileInUse(t *testing.T) {
	d, _ := fresh(t)
	update(t, d, fill)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 3; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			update(t, d, func(tx store.Tx) error {
				_, err := tx.Bump("busy", "2026-11-21")
				return err
			})
		}
	})
	file := filepath.Join(t.TempDir(), "backup.db")
	if err := d.Backup(context.Background(), file, then); err != nil {
		t.Fatal(err)
	}
	close(stop)
	wg.Wait()
	st, err := os.Stat(file)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatal(st, err)
	}
	check(t, open(t, file))
	if err := d.Backup(context.Background(), file, then); err == nil {
		t.Error("a backup overwrote another file")
	}
}

func TestVersionTellsOfAnotherProcess(t *testing.T) {
	d, path := fresh(t)
	ctx := context.Background()
	one, err := d.Version(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.Version(ctx); err != nil || again != one {
		t.Errorf("%d, then %d with nothing written (%v)", one, again, err)
	}
	update(t, open(t, path), fill)
	if two, err := d.Version(ctx); err != nil || two == one {
		t.Errorf("version stays %d (%v)", two, err)
	}
}

// TestWaitingPassesOver: of the letters due, those to some addresses and domains
// are not listed, whatever case they were written in.
func TestWaitingPassesOver(t *testing.T) {
	d, _ := fresh(t)
	to := []string{"ada@home.test", "Bo@Home.test", "ada@work.test", "cy@home.test", "ada@home.test", "nobody"}
	update(t, d, func(tx store.Tx) error {
		for i, address := range to {
			r := notice.Message{Kind: notice.KindInfo, Version: 1, To: address, Token: fmt.Sprint("token", i), Date: then.Add(time.Duration(i)), MessageID: fmt.Sprintf("out-%d@angelpost.test", i)}
			if err := tx.AddMessage(&r, store.Token{}, store.OutQueued); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct{ addresses, domains, want []string }{
		{nil, nil, to},
		{[]string{"ada@home.test"}, nil, []string{"Bo@Home.test", "ada@work.test", "cy@home.test", "nobody"}},
		{[]string{"bo@home.test", "x"}, []string{"work.test"}, []string{"ada@home.test", "cy@home.test", "ada@home.test", "nobody"}},
		{nil, []string{"home.test", ""}, []string{"ada@work.test", "nobody"}},
		{[]string{"home.test"}, []string{"ada@home.test", "test", "e.test"}, to},
		{[]string{"nobody"}, []string{"home.test", "work.test"}, nil},
	} {
		var got []string
		waiting, _, err := d.Waiting(context.Background(), then.Add(time.Hour), 10, c.addresses, c.domains)
		for _, w := range waiting {
			got = append(got, w.To)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("without %q and %q: %q, want %q; %v", c.addresses, c.domains, got, c.want, err)
		}
	}
}

func TestOutbox(t *testing.T) {
	d, _ := fresh(t)
	update(t, d, fill)
	ctx := context.Background()
	ids := func(now time.Time, max int) (out []int64, next time.Time) {
		t.Helper()
		due, next, err := d.Due(ctx, now, max)
		if err != nil {
			t.Fatal(err)
		}
		waiting, same, err := d.Waiting(ctx, now, max, nil, nil)
		if err != nil || len(waiting) != len(due) || !same.Equal(next) {
			t.Fatalf("%d due, %d waiting; next %v, %v; %v", len(due), len(waiting), next, same, err)
		}
		for i, o := range due {
			out = append(out, o.ID)
			if want := (db.Waiting{ID: o.ID, MessageID: o.MessageID, To: o.To, Tries: o.Tries, Queued: o.Queued, Made: o.Date, Urgent: o.Kind == notice.KindAnswer || o.Kind == notice.KindTurn}); waiting[i] != want {
				t.Errorf("%+v waits, want %+v", waiting[i], want)
			}
		}
		return out, next
	}
	a, next := ids(then, 10)
	if len(a) != 1 || !next.Equal(then.Add(time.Minute)) {
		t.Fatalf("due %v, next %v", a, next)
	}
	both, next := ids(then.Add(time.Hour), 10)
	if len(both) != 2 || !next.IsZero() {
		t.Fatalf("due %v, next %v", both, next)
	}
	if one, _ := ids(then.Add(time.Hour), 1); len(one) != 1 || one[0] != both[0] {
		t.Errorf("the longest due is %v", one)
	}
	if err := d.Retry(ctx, both[0], then.Add(2*time.Hour), "451 later", false); err != nil {
		t.Fatal(err)
	}
	if left, next := ids(then.Add(time.Hour), 10); len(left) != 1 || !next.Equal(then.Add(2*time.Hour)) {
		t.Errorf("after a retry %v, next %v", left, next)
	}
	due, _, err := d.Due(ctx, then.Add(3*time.Hour), 10)
	if err != nil || due[1].Tries != 1 {
		t.Errorf("tries %+v %v", due, err)
	}
	if err := errors.Join(d.Sent(ctx, both[1]), d.Failed(ctx, both[0], "550 no")); err != nil {
		t.Fatal(err)
	}
	if left, next := ids(then.Add(9*time.Hour), 10); len(left) != 0 || !next.IsZero() {
		t.Errorf("left %v, next %v", left, next)
	}
	update(t, d, func(tx store.Tx) error { return tx.Requeue(both[1], then) })
	if again, _ := ids(then, 10); len(again) != 1 || again[0] != both[1] {
		t.Errorf("queued again: %v", again)
	}
}

// A lock file tells an older database from the one that was served, and from
// another one altogether.
func TestOlderDatabaseIsKnown(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.db")
	beat := func(l *db.Lock, d *db.DB) {
		t.Helper()
		update(t, d, func(tx store.Tx) error { return tx.Heartbeat(then) })
		if err := l.Keep(ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	serve := func(want bool) (*db.Lock, *db.DB) {
		t.Helper()
		l, err := db.Take(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		d := open(t, path)
		if older, err := l.Older(ctx, d); err != nil || older != want {
			t.Errorf("older: %v %v, want %v", older, err, want)
		}
		return l, d
	}
	end := func(l *db.Lock, d *db.DB) {
		t.Helper()
		if err := errors.Join(d.Close(), l.Free()); err != nil {
			t.Fatal(err)
		}
	}
	l, d := serve(false)
	beat(l, d)
	end(l, d)
	plain, err := os.ReadFile(path) // a copy of a server that stands still
	if err != nil {
		t.Fatal(err)
	}
	l, d = serve(false)
	beat(l, d)
	copied := filepath.Join(dir, "copy.db")
	if err := d.Backup(ctx, copied, then); err != nil {
		t.Fatal(err)
	}
	view(t, d, func(tx store.Tx) error {
		if at, err := tx.RestoredFrom(); err != nil || !at.IsZero() {
			t.Errorf("the database itself: copied %v, %v", at, err)
		}
		return nil
	})
	c := open(t, copied)
	view(t, c, func(tx store.Tx) error {
		if at, err := tx.RestoredFrom(); err != nil || !at.Equal(then) {
			t.Errorf("the copy: copied %v, %v", at, err)
		}
		return nil
	})
	one, err := d.ID(ctx)
	two, err2 := c.ID(ctx)
	if one != two || len(one) != 32 || err != nil || err2 != nil {
		t.Errorf("ids %q and %q, %v, %v", one, two, err, err2)
	}
	update(t, c, store.Tx.AcknowledgeRestore)
	view(t, c, func(tx store.Tx) error {
		if at, err := tx.RestoredFrom(); err != nil || !at.IsZero() {
			t.Errorf("the copy that is none any more: copied %v, %v", at, err)
		}
		return nil
	})
	end(l, d)
	l, d = serve(false) // nothing was put back
	end(l, d)

	if err := os.WriteFile(path, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	l, d = serve(true)
	end(l, d)
	l, d = serve(true) // nobody has dealt with it yet
	beat(l, d)
	end(l, d)
	l, d = serve(false)
	end(l, d)

	if err := os.Remove(path); err != nil { // another database
		t.Fatal(err)
	}
	l, d = serve(false)
	if other, err := d.ID(ctx); err != nil || other == one {
		t.Errorf("two databases of one name: %q, %v", other, err)
	}
	end(l, d)
}

// A lock is held once, however the database is reached, and says by whom.
func TestLockIsHeldOnce(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	if err := os.Symlink(path, link); err != nil { // to nothing yet
		t.Fatal(err)
	}
	l, err := db.Take(context.Background(), link)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := db.Take(short, path); !errors.Is(err, db.ErrLocked) || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("taken twice: %v", err)
	}
	if err := l.Free(); err != nil {
		t.Fatal(err)
	}
	if l, err = db.Take(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	if err := l.Free(); err != nil {
		t.Fatal(err)
	}
}

// A daemon waits for another's lock for a second, but longer for one that is ending.
// TestLockRemembers: what a daemon has remembered the next one knows, and whether it was
// for this file or for a copy of both files.
func TestLockRemembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	take := func(path string) *db.Lock {
		t.Helper()
		l, err := db.Take(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	expect := func(path, want string, wantHere bool) {
		t.Helper()
		beside, hereBeside, err := db.Remembered(path)
		if err != nil || beside != want || hereBeside != wantHere {
			t.Errorf("beside: %q, %v, %v", beside, hereBeside, err)
		}
		l := take(path)
		defer l.Free()
		if what, here := l.Remembered(); what != want || here != wantHere {
			t.Errorf("%q, %v, want %q, %v", what, here, want, wantHere)
		}
	}
	l := take(path)
	if what, here := l.Remembered(); what != "" || here {
		t.Errorf("a new one: %q, %v", what, here)
	}
	if err := errors.Join(l.Remember("a longer text"), l.Remember("a b"), l.Ending(), l.Free()); err != nil {
		t.Fatal(err)
	}
	expect(path, "a b", true)
	copied := filepath.Join(t.TempDir(), "games.db")
	for _, end := range []string{"", ".lock"} {
		b, err := os.ReadFile(path + end)
		if err == nil {
			err = os.WriteFile(copied+end, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	expect(copied, "a b", false)
	if err := os.WriteFile(path+".lock", []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(path, "", false)
}

func TestLockOfOneThatIsEnding(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	l, err := db.Take(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	long, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	began := time.Now()
	if _, err := db.Take(long, path); !errors.Is(err, db.ErrLocked) || time.Since(began) > 10*time.Second {
		t.Errorf("of one that stays: %v after %v", err, time.Since(began))
	}
	if err := l.Ending(); err != nil {
		t.Fatal(err)
	}
	began = time.Now()
	freed := time.AfterFunc(1500*time.Millisecond, func() { l.Free() })
	defer freed.Stop()
	next, err := db.Take(long, path)
	if err != nil || time.Since(began) < 1500*time.Millisecond {
		t.Fatalf("of one that is ending: %v after %v", err, time.Since(began))
	}
	defer next.Free()
	began = time.Now()
	if _, err := db.Take(long, path); !errors.Is(err, db.ErrLocked) || time.Since(began) > 10*time.Second {
		t.Errorf("the next one is not ending: %v after %v", err, time.Since(began))
	}
}

// A database that is served is not served, nor worked on, by another name of its
// file; commands that use the name it is served by work on.
func TestLockIsTheFilesWhateverItIsCalled(t *testing.T) {
	for name, another := range map[string]func(t *testing.T, path, name string){
		"hard link": func(t *testing.T, path, name string) {
			if err := os.Link(path, name); err != nil {
				t.Fatal(err)
			}
		},
		"mounted elsewhere": func(t *testing.T, path, name string) {
			if os.Getuid() != 0 {
				t.Skip("only root may mount")
			}
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mount(path, name, "", syscall.MS_BIND, ""); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { syscall.Unmount(name, syscall.MNT_DETACH) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, dir := context.Background(), t.TempDir()
			path, other := filepath.Join(dir, "a.db"), filepath.Join(dir, "elsewhere", "b.db")
			if err := os.Mkdir(filepath.Dir(other), 0o700); err != nil {
				t.Fatal(err)
			}
			l, err := db.Take(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			d := open(t, path)
			another(t, path, other)
			short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
			defer cancel()
			if _, err := db.Take(short, other); !errors.Is(err, db.ErrOtherName) || !strings.Contains(err.Error(), other) {
				t.Errorf("taken by another name: %v", err)
			}
			if name == "hard link" {
				if _, err := db.Open(ctx, other); !errors.Is(err, db.ErrOtherName) {
					t.Errorf("opened by another name: %v", err)
				}
			}
			update(t, open(t, path), func(tx store.Tx) error { return tx.Heartbeat(then) }) // a command beside the daemon
			update(t, d, func(tx store.Tx) error { return tx.Heartbeat(then) })
			if err := errors.Join(d.Close(), l.Free()); err != nil {
				t.Fatal(err)
			}
			if l, err = db.Take(ctx, other); err != nil {
				t.Fatalf("taken when the first is gone: %v", err)
			}
			if _, err := db.Open(ctx, path); name == "hard link" && !errors.Is(err, db.ErrOtherName) {
				t.Errorf("opened by the first name: %v", err)
			}
			if err := l.Free(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
