package obey

import (
	"errors"
	"fmt"
	"slices"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Keep caches the games of a unit that was committed.
func Keep(u *unit.Unit) {
	for _, t := range u.Games {
		if t.Replay != nil {
			u.Replays.Keep(t.Row.ID, t.Replay)
		}
	}
	for _, c := range u.Leagues {
		u.Replays.KeepLeague(c.Row, c.State)
	}
	u.KeepNames()
}

// turnedAway records why the letter in gets no answer.
func turnedAway(u *unit.Unit, why string) {
	if u.Letter != nil && u.Letter.State == store.LetterNew { // a held one stays held
		u.Mute(why)
	}
}

// Close plays the games as far as they go without letters, and writes everything back: log,
// rows, letters out.
func Close(u *unit.Unit) error {
	if err := goOn(u); err != nil {
		return err
	}
	for _, t := range u.Games {
		clock.Revise(u, t)
	}
	if err := closeDrafts(u, u.Drafts); err != nil { // first, so that they are rendered while the rest is written
		return err
	}
	if err := sendGathered(u); err != nil {
		return err
	}
	for _, t := range u.Games {
		if err := closeTable(u, t); err != nil {
			return fmt.Errorf("game %s: %w", t.Row.ID, err)
		}
	}
	for _, t := range u.Games { // Seen and Thread changed with the letters
		for i, x := range t.Seats {
			if i < len(t.Stored) && t.Stored[i] == x {
				continue
			}
			u.Check(u.Tx.SaveSeat(x))
		}
	}
	for id, p := range u.Players {
		if u.Loaded[id] == *p {
			continue
		}
		u.Check(u.Tx.SavePlayer(*p))
	}
	return nil
}

func closeDrafts(u *unit.Unit, drafts []*unit.Draft) error {
	for _, d := range drafts {
		if err := closeDraft(u, d); err != nil {
			return fmt.Errorf("letter to player %d: %w", d.Player, err)
		}
	}
	return nil
}

// sendGathered writes what gate.Gather has put together.
func sendGathered(u *unit.Unit) error {
	n := len(u.Drafts)
	sent := map[int64]bool{}
	for _, d := range u.Drafts[:n] {
		if !d.Together || sent[d.Player] {
			continue
		}
		sent[d.Player] = true
		if err := gate.SendDigest(u, d.Player, notice.SayTogether); err != nil {
			return err
		}
	}
	return closeDrafts(u, u.Drafts[n:])
}

// goOn plays games and leagues as far as they go without letters. It repeats that, because a
// game that ends may begin others of its league.
func goOn(u *unit.Unit) error {
	for tables, more := 0, true; more; {
		for ; tables < len(u.Games); tables++ {
			t := u.Games[tables]
			if err := advance(u, t); err != nil {
				return fmt.Errorf("game %s: %w", t.Row.ID, err)
			}
			if t.Row.League == "" {
				continue
			}
			var err error
			switch {
			case t.Ended:
				err = compete.Result(u, t)
			case t.Ruled:
				err = compete.Ruled(u, t)
			}
			if err != nil {
				return fmt.Errorf("game %s: %w", t.Row.ID, err)
			}
		}
		for _, c := range u.Leagues {
			if c.Moved {
				if err := compete.Advance(u, c); err != nil {
					return err
				}
			}
		}
		more = u.Err == nil && (tables < len(u.Games) || slices.ContainsFunc(u.Leagues, func(c *unit.League) bool { return c.Moved }))
	}
	for _, t := range u.Games {
		if err := seekOthers(u, t); err != nil {
			return fmt.Errorf("game %s: %w", t.Row.ID, err)
		}
	}
	if u.Leaves {
		if err := inOneLetter(u); err != nil {
			return err
		}
		gate.Gather(u)
	}
	return u.CloseLeagues()
}

// inOneLetter merges the news of a league into a letter about one of its games, if a reader
// gets both because a player leaves.
func inOneLetter(u *unit.Unit) error {
	var failed error
	u.Drafts = slices.DeleteFunc(u.Drafts, func(d *unit.Draft) bool {
		if d.Game != nil || d.League == nil || d.Player == 0 || d.Reply || d.Confirm != 0 {
			return false
		}
		i := slices.IndexFunc(u.Drafts, func(e *unit.Draft) bool {
			if e.Player != d.Player || e.Game == nil || e.Game.Row.League != d.League.Row.ID || e.Reply || e.Confirm != 0 {
				return false
			}
			x := e.Game.Of(d.Player)
			return e.Asked || x != nil && !x.MutedBy(d.Player)
		})
		if i < 0 {
			return false
		}
		muted, err := leagues.Muted(u, d)
		if failed = errors.Join(failed, err); muted || err != nil {
			return false
		}
		e := u.Drafts[i]
		e.Answer.Remarks = append(e.Answer.Remarks, d.Answer.Remarks...)
		e.Answer.Sections = append(e.Answer.Sections, d.Answer.Sections...)
		e.Answer.Commands = append(e.Answer.Commands, d.Answer.Commands...)
		e.Asked = e.Asked || d.Asked
		return true
	})
	return failed
}

func closeTable(u *unit.Unit, t *unit.Game) error {
	if err := turns.SaveStanding(u, t); err != nil {
		return err
	}
	if t.Replay != nil && t.Replay.Step() > t.From {
		t.Row.Changed = u.At
		u.Check(u.Tx.AppendLog(t.Row.ID, t.Replay.Lines[t.From:]))
		compete.NotePlayed(u, t, t.Replay.Lines[t.From:])
		t.Row.Steps = t.Replay.Step()
	}
	if err := turns.SavePlans(u, t); err != nil {
		return err
	}
	u.Check(u.Tx.AddTenures(t.Row.ID, t.Tenures))
	u.Check(u.Tx.SaveGame(t.Row))
	return nil
}

func closeDraft(u *unit.Unit, d *unit.Draft) error {
	if u.Own(d.To) || d.To == "" || !d.Reply && afterLast(u, d.Player, d.Game, &d.Answer) {
		return nil
	}
	if t := d.Game; t != nil && !d.Reply && !d.Asked {
		if x := t.Place(d.Place); x != nil && x.MutedBy(d.Player) {
			return nil
		}
	}
	if muted, err := leagues.Muted(u, d); muted || err != nil {
		return err
	}
	if held, err := gate.Hold(u, d); held || err != nil {
		return err
	}
	p, err := gate.Admit(u, d)
	if err != nil {
		return err
	}
	if p.State == "" {
		turnedAway(u, p.Why)
		return nil
	}
	if p.State == store.OutQueued {
		if err := gate.Join(u, d); err != nil {
			return err
		}
	}
	r := notice.Message{
		Kind: d.Kind, Version: notice.RendererVersion, To: d.To, Player: d.Player, Result: d.Result, Answer: d.Answer, Date: u.At,
	}
	r.Answer.Brief = r.Answer.Brief || p.Brief
	if d.Reply {
		r.InReplyTo = u.Command.MessageID
	}
	r.Subjects = notice.SubjectsSteady
	if p := u.Players[d.Player]; p != nil {
		if p.Text {
			r.Format = "text"
		}
		if p.Subjects != "" {
			r.Subjects = p.Subjects
		}
		r.Unlisted = p.ListID == order.Off
	}
	drafted := drafting(u, d, &r)
	random := u.RandomText(16)
	id := u.RandomText(10)
	r.MessageID = id + "@" + u.Config.Host
	row := store.Token{Confirm: d.Confirm}
	if t := d.Game; t != nil {
		r.Game = t.Row.ID
		r.Answer.GameName, r.Answer.Names, r.Answer.Visibility = t.Row.Name, t.Names(), t.Row.Visibility
		row.Place = d.Place
		clock.SayEvent(t, d, &r)
		if t.Replay != nil {
			r.Step = t.Replay.Step()
		}
		if x := t.Place(d.Place); x != nil && (x.Player == d.Player || x.Heir == d.Player) {
			if err := seatLetter(u, d, t, x, &r, &row); err != nil {
				return err
			}
		}
		if d.Since == unit.NoStory {
			r.Since = r.Step
		} else {
			r.Since = d.Since
		}
	} else if d.League != nil && d.Player != 0 {
		if err := leagues.Letter(u, d.League, d.Player, &r); err != nil {
			return err
		}
	}
	if err := u.SealToken(&r, row, d.Game, random); err != nil {
		return err
	}
	if d.Stranger {
		if ok, err := gate.AdmitStranger(u, d, &r); err != nil {
			return err
		} else if !ok {
			turnedAway(u, "the shortest answer would be too long for so short a letter")
			return nil
		}
	}
	if p.State == store.OutQueued && gate.Digests(u, d, &r) {
		p.State = store.OutDigest
		if !d.Together {
			if err := gate.AwaitDigest(u, d.Player); err != nil {
				return err
			}
		}
	}
	if p.State == store.OutCollected {
		u.Later = true
		r.Answer.Subject = u.Command.Subject
		if same, err := gate.Alike(u, &r); err != nil {
			return err
		} else if same != nil {
			u.Letter.Answer = same.ID
			return nil
		}
	}
	copied := r // without the number of its row
	if err := u.Tx.AddMessage(&r, row, p.State); err != nil {
		return err
	}
	if p.State == store.OutQueued {
		if err := answerThere(u, d, copied, row); err != nil {
			return err
		}
	}
	if p.State == store.OutQueued {
		if err := gate.Count(u, d); err != nil {
			return err
		}
	}
	if drafted != nil && p.State == store.OutQueued {
		drafted(r, sheet(u, r, d.Game))
	}
	if d.Reply && u.Letter != nil {
		u.Letter.Answer = r.ID
	}
	return nil
}

// answerThere sends an answer also to the address that wrote, if it is not the player's usual
// one. That copy has its own token.
func answerThere(u *unit.Unit, d *unit.Draft, r notice.Message, row store.Token) error {
	from := u.AddressOf(u.Command.From)
	if !d.Reply || d.Alone || d.Player == 0 || from.Player != d.Player || !from.Bounced.IsZero() || from.Never || r.Answer.Data != "" || unit.Mailbox(from.Address) == unit.Mailbox(r.To) {
		return nil
	}
	random := u.RandomText(16)
	r.To, r.MessageID = from.Address, u.RandomText(10)+"@"+u.Config.Host
	if err := u.SealToken(&r, row, d.Game, random); err != nil {
		return err
	}
	drafted := drafting(u, d, &r)
	if err := u.Tx.AddMessage(&r, row, store.OutQueued); err != nil {
		return err
	}
	if drafted != nil {
		drafted(r, sheet(u, r, d.Game))
	}
	return nil
}

// drafting returns the function that renders a letter before it is committed, nil if there is
// none.
func drafting(u *unit.Unit, d *unit.Draft, r *notice.Message) func(notice.Message, func() (*notice.Input, error)) {
	if u.Drafting == nil {
		return nil
	}
	var view func() *engine.View
	if r.Format != "text" && r.ShowsBoard() {
		view = d.View()
	}
	return u.Drafting(view)
}

// sheet returns a function that makes the letter's input from the present state of a game (nil:
// none).
func sheet(u *unit.Unit, r notice.Message, t *unit.Game) func() (*notice.Input, error) {
	if t == nil {
		games := map[string]*unit.Game{} // that a daily letter tells of
		for i := range r.Answer.Collected {
			if a := &r.Answer.Collected[i]; a.News != nil {
				games[a.Game], _ = u.Game(a.Game) // an unreadable one has no replay
			}
		}
		return func() (*notice.Input, error) {
			sheet := &notice.Input{Message: r}
			return sheet, u.Replays.Collect(sheet, func(id string, _ int) (store.Game, *game.Replay, error) {
				return games[id].Row, games[id].Replay, nil
			})
		}
	}
	row, play := t.Row, t.Replay
	return func() (*notice.Input, error) { return u.Replays.Input(r, row, play) }
}

// seatLetter fills in the seat, turn and story of a letter to a player at the table.
func seatLetter(u *unit.Unit, d *unit.Draft, t *unit.Game, x *store.Seat, r *notice.Message, row *store.Token) error {
	r.Seat = x.Seat
	if x.Player != d.Player { // invited to take the seat over: cannot see the game yet
		r.Seat, r.Step = 0, 0
		return nil
	}
	if t.Replay != nil && x.Seat > 0 {
		row.Turn = t.Replay.Turns[x.Seat]
	}
	if d.Since != unit.NoStory && !d.Again {
		x.Seen = r.Step
	}
	if x.Thread == "" {
		x.Thread = r.MessageID
	} else {
		r.Thread = x.Thread
	}
	clock.SayDeadlines(u, t, d, r)
	if err := turns.SayStanding(u, t, x, r); err != nil {
		return err
	}
	key, err := u.PageKey(t, x, d.Fresh)
	if err != nil {
		return err
	}
	r.PageKey, r.MuteKey = key.Key, key.Mute
	return nil
}
