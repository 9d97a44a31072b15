package desk_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/look"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// in runs a statement in the file of an office.
func (o *office) in(query string, args ...any) {
	o.t.Helper()
	c, err := sql.Open("sqlite3", o.file+"?_busy_timeout=5000")
	if err != nil {
		o.t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Exec(query, args...); err != nil {
		o.t.Fatal(err)
	}
}

// TestUnreadableGame spoils one of two games in the file. It is paused, its letters are kept
// and answered, the host gets a letter once a day, and the other game goes on, in letters,
// deadlines, lists and restores. When the file is right again, the first goes on, too, and the
// server applies the letters about it that came meanwhile.
func TestUnreadableGame(t *testing.T) {
	const game = "(SELECT number FROM games WHERE id = ?1)"
	for name, x := range map[string]struct{ spoil, mend string }{
		"line":    {"UPDATE log SET line = 'B ' || line WHERE n = 1 AND game = " + game, "UPDATE log SET line = substr(line, 3) WHERE n = 1 AND game = " + game},
		"lost":    {"UPDATE log SET n = n + 1000 WHERE n = 1 AND game = " + game, "UPDATE log SET n = 1 WHERE n = 1001 AND game = " + game},
		"cut":     {"UPDATE games SET steps = steps + 1 WHERE id = ?", "UPDATE games SET steps = steps - 1 WHERE id = ?"},
		"seats":   {"UPDATE seats SET seat = seat + 7 WHERE game = " + game, "UPDATE seats SET seat = seat - 7 WHERE game = " + game},
		"version": {`UPDATE games SET options = replace(options, '"rules_version":2', '"rules_version":99') WHERE id = ?`, `UPDATE games SET options = replace(options, '"rules_version":99', '"rules_version":2') WHERE id = ?`},
		"options": {"UPDATE games SET options = '[' || options || ']' WHERE id = ?", "UPDATE games SET options = substr(options, 2, length(options) - 2) WHERE id = ?"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			o := newOffice(t, func(c *unit.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			errs := func() int { return strings.Count(log.String(), "level=ERROR") }
			ctx := context.Background()
			o.clock = "3 days"
			id, other := o.started(1, "ada", "bo"), o.started(2, "cy", "ada")
			order := func(name, game string) (r notice.Message, line string) {
				t.Helper()
				for _, r := range slices.Backward(o.box[at(name)]) {
					if r.Game != game {
						continue
					}
					if legal := o.sheet(r).Legal; len(legal) > 0 {
						return r, legal[0]
					}
				}
				return r, ""
			}
			// next returns the player to move in a game, their letter and an order.
			next := func(game string, names ...string) (name string, r notice.Message, line string) {
				t.Helper()
				for _, name := range names {
					if r, line := order(name, game); line != "" {
						return name, r, line
					}
				}
				t.Fatal("the game asks nobody")
				return
			}
			mover, letter, line := next(id, "ada", "bo")
			o.send(o.letter(at(mover), letter.Token, line))
			mover, letter, line = next(id, "ada", "bo")
			deadline := func(id string) (d time.Time) {
				var seats []store.Seat
				if err := o.db.View(ctx, func(tx store.Tx) (err error) {
					seats, err = tx.Seats(id)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				for _, x := range seats {
					if !x.Deadline.IsZero() {
						return x.Deadline
					}
				}
				t.Fatal("no deadline")
				return d
			}
			left := deadline(id).Sub(o.now)
			o.in(x.spoil, id)
			o.open()

			// Letters.
			wrote := o.letter(at(mover), letter.Token, line)
			outcome, out := o.send(wrote)
			if outcome != desk.SetAside || len(out) != 1 || out[0].To != at(mover) {
				t.Fatalf("%s, %v", outcome, summaries(out))
			}
			if said, ok := told(out[0], notice.SayUnreadable); !ok || said.Args["game"] != id || out[0].Result != notice.Refused {
				t.Errorf("%s", summary(out[0]))
			}
			if _, out := o.send(o.letter(at("ada"), "", "status")); len(out) != 1 || len(out[0].Answer.Sections) != 1 {
				t.Errorf("status of both: %v", summaries(out))
			} else if said, ok := told(out[0], notice.SayUnreadable); name != "options" && name != "seats" && (!ok || said.Args["game"] != id) {
				t.Errorf("status says nothing of the game: %s", summary(out[0]))
			}
			if _, out := o.send(o.letter(at("ada"), "", "link")); len(out) == 0 {
				t.Error("link is not answered")
			}
			who, r, line := next(other, "cy", "ada")
			if _, out := o.send(o.letter(at(who), r.Token, line)); len(out) == 0 || out[0].Result != notice.Applied {
				t.Errorf("the other game does not go on: %v", summaries(out))
			}

			// The host, and pages.
			if name == "version" && !strings.Contains(log.String(), "version 99 of the rules") {
				t.Errorf("the host does not hear of which version:\n%s", log.String())
			}
			if n := errs(); n != 1 || !strings.Contains(log.String(), id) {
				t.Errorf("the host hears %d times:\n%s", n, log.String())
			}
			if _, err := o.desk.Host().Open(ctx, id, "", -1); !errors.Is(err, replays.ErrUnreadable) || errors.Is(err, store.ErrNotFound) {
				t.Errorf("its page: %v", err)
			}
			o.in("UPDATE games SET visibility = 'listed'")
			if l, err := o.desk.Host().Listed(ctx); err != nil || len(l) != 1 || l[0].ID != other {
				t.Errorf("listed: %v, %v", l, err)
			}
			if _, _, err := o.desk.Host().Archive(ctx, store.Search{Limit: 10}); err != nil {
				t.Errorf("archive: %v", err)
			}
			var unread []string
			if err := o.desk.Host().VerifyAll(ctx, func(c look.Check) error {
				if c.Err != nil || c.Difference != nil {
					unread = append(unread, c.Game)
				}
				return nil
			}); err != nil || name != "cut" && !slices.Equal(unread, []string{id}) {
				t.Errorf("verify finds %v, %v", unread, err)
			}

			// What falls due.
			reminded := 0
			for range 24 * 4 {
				for _, r := range o.due(time.Hour) {
					if r.Game == id {
						t.Errorf("about the game that is paused: %s", summary(r))
					}
					reminded++
				}
			}
			if reminded == 0 {
				t.Error("in the other game nothing falls due")
			}
			if now := deadline(id).Sub(o.now); now < left || now > left+2*time.Hour {
				t.Errorf("%v were left, now %v", left, now)
			}
			if n := errs(); n < 4 || n > 5 {
				t.Errorf("in four days the host hears %d times", n)
			}
			if _, err := o.desk.Beat(ctx); err != nil {
				t.Error(err)
			}
			o.now = o.now.Add(48 * time.Hour)
			if gap, err := o.desk.Beat(ctx); err != nil || gap != 48*time.Hour {
				t.Errorf("after a gap: %v, %v", gap, err)
			}
			o.in("UPDATE meta SET value = ? WHERE key = 'copied'", o.now.UnixMilli())
			if _, err := o.desk.PutBack(ctx, false); err != nil {
				t.Errorf("put back: %v", err)
			}
			o.deliver()

			// A start does not make it better, nor tell anyone again.
			if err := o.desk.TakeUp(ctx); err != nil {
				t.Fatal(err)
			}
			if pending, err := o.desk.Pending(ctx); err != nil || len(pending) != 1 {
				t.Fatalf("pending: %v, %v", pending, err)
			}
			if outcome, out := o.send(wrote); outcome != desk.SetAside || len(out) != 0 {
				t.Errorf("after a start: %s, %v", outcome, summaries(out))
			}

			o.in(x.mend, id)
			o.due(time.Hour + time.Minute)
			back, err := o.desk.Regained(ctx)
			if err != nil || len(back) != 1 || back[0].MessageID != wrote.MessageID || !bytes.Equal(back[0].Raw, wrote.Raw) {
				t.Fatalf("regained: %v, %v", back, err)
			}
			before := len(o.record(id, 0).Log)
			if outcome, out := o.send(wrote); outcome != desk.Answered || len(out) == 0 || len(o.record(id, 0).Log) <= before {
				t.Errorf("what was written meanwhile: %s, %v", outcome, summaries(out))
			}
			if back, err := o.desk.Regained(ctx); err != nil || len(back) != 0 {
				t.Errorf("regained twice: %v, %v", back, err)
			}
		})
	}
}

// TestUnknownVersionAtTheStart: a game of a later version of the rules cannot begin. The player
// whose answer would begin it learns that it cannot be read; when it can, it begins.
func TestUnknownVersionAtTheStart(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	o.write("ada", "new game\nplayers: bo@home.test")
	id := ""
	for _, row := range o.games() {
		if row.State == store.GameInvited {
			id = row.ID
		}
	}
	o.in(`UPDATE games SET options = replace(options, '"rules_version":2', '"rules_version":99') WHERE id = ?`, id)
	o.open()
	join := o.letter(at("bo"), o.token(at("bo")), "join Bo")
	outcome, out := o.send(join)
	if outcome != desk.SetAside || len(out) != 1 {
		t.Fatalf("%s, %v", outcome, summaries(out))
	}
	if said, ok := told(out[0], notice.SayUnreadable); !ok || said.Args["game"] != id {
		t.Errorf("%s", summary(out[0]))
	}
	if row := o.row(id); row.State != store.GameInvited || !row.Started.IsZero() {
		t.Errorf("the game is %s", row.State)
	}
	o.in(`UPDATE games SET options = replace(options, '"rules_version":99', '"rules_version":2') WHERE id = ?`, id)
	o.due(time.Hour + time.Minute)
	if back, err := o.desk.Regained(context.Background()); err != nil || len(back) != 1 {
		t.Fatalf("regained: %v, %v", back, err)
	}
	o.send(join)
	if row := o.row(id); row.State != store.GameRunning {
		t.Errorf("once it can be read the game is %s", row.State)
	}
}

// games are all stored games.
func (o *office) games() (rows []store.Game) {
	o.t.Helper()
	if err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		rows, err = tx.AllGames("", "", 100)
		return err
	}); err != nil {
		o.t.Fatal(err)
	}
	return rows
}
