package obey

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A letter that had to wait may no longer be true: its turn is over, its reader has left, a
// deadline has moved. So we check it again before it goes, and merge all waiting letters for
// the same reader and game into one that says what is true now. We never touch a letter that
// the mail server may have taken: its reader may have it.

// passing are the remarks that are true only for a moment, or that a turn notice repeats.
var passing = []string{notice.TellRunsOut, notice.TellLate, notice.TellLateAll, notice.TellReminder, notice.TellNudge, notice.TellClockMoved, notice.TellTurn}

// Why a letter is dropped.
const (
	newerSays    = "a newer letter says what is true of it"
	nothingLeft  = "it is no longer true"
	readerLeft   = "its reader has left"
	questionOver = "its question is no longer open"
)

// `Anew` checks a queued letter that has waited, and reports whether it can go as it is. If not,
// it has dropped or changed it, and another may have taken its place. It leaves alone letters
// that we are handing to the mail server.
func Anew(u *unit.Unit, id int64, given func(id int64) bool) (still bool, err error) {
	if queued, err := u.Tx.Queued(id); !queued || err != nil {
		return false, err
	}
	r, err := u.Tx.Message(id)
	if err != nil {
		return false, err
	}
	if r.Player != 0 && u.Player(r.Player).Address == r.To { // their mail server takes it
		if err := clock.Reached(u, r.Player); err != nil {
			return false, err
		}
	}
	if unsure, err := u.Tx.Unsure(id); unsure || err != nil {
		return true, err
	}
	still, err = stillTrue(u, &r, given)
	if err == nil && still {
		err = u.Tx.Give(id)
	}
	return still, err
}

func stillTrue(u *unit.Unit, r *notice.Message, given func(int64) bool) (bool, error) {
	if over, err := asksNoMore(u, r); over || err != nil {
		u.Check(u.Tx.Drop([]int64{r.ID}, questionOver))
		return false, err
	}
	var t *unit.Game
	if r.Game != "" {
		var err error
		if t, err = u.Game(r.Game); errors.Is(err, replays.ErrUnreadable) {
			return true, nil
		} else if err != nil {
			return false, err
		}
	}
	if !isAnswer(r) && afterLast(u, r.Player, t, &r.Answer) {
		u.Check(u.Tx.Drop([]int64{r.ID}, readerLeft))
		return false, nil
	}
	if t == nil {
		return true, nil
	}
	x := t.Of(r.Player)
	if r.Kind == notice.KindInvitation {
		if x != nil && x.Stage == store.SeatInvited && t.Row.State == store.GameInvited || x != nil && x.Heir == r.Player {
			return true, nil
		}
		u.Check(u.Tx.Drop([]int64{r.ID}, nothingLeft))
		return false, nil
	}
	if t.Replay == nil || x != nil && x.Heir == r.Player {
		return true, nil
	}
	if x == nil || x.Player != r.Player || x.Stage == store.SeatResigned || x.Stage == store.SeatReplaced {
		if r.Kind != notice.KindTurn && r.Kind != notice.KindStart {
			return true, nil
		}
		u.Check(u.Tx.Drop([]int64{r.ID}, readerLeft))
		return false, nil
	}
	if isAnswer(r) {
		return answers(u, t, x, r)
	}
	return together(u, t, x, r, given)
}

// isAnswer reports whether a letter answers letters in.
func isAnswer(r *notice.Message) bool {
	a := &r.Answer
	return r.InReplyTo != "" || r.Kind == notice.KindAnswer || len(a.Lines)+len(a.Collected) > 0 || a.Data != ""
}

// togetherBytes is how much of the waiting letters goes into one letter, as JSON; the rest
// comes in another.
const togetherBytes = 48 << 10

// fitting leaves out of a group what one letter cannot say together with r.
func fitting(group []notice.Message, r *notice.Message) []notice.Message {
	size := func(a notice.Answer) int {
		text, err := json.Marshal(a)
		if err != nil {
			return togetherBytes
		}
		return len(text)
	}
	left := togetherBytes - size(r.Answer)
	return slices.DeleteFunc(group, func(m notice.Message) bool {
		if m.ID == r.ID {
			return false
		}
		left -= size(m.Answer)
		return left < 0
	})
}

// deadlines returns the present deadlines for a letter.
func deadlines(u *unit.Unit, t *unit.Game, player int64) (a notice.Answer) {
	now := notice.Message{}
	clock.SayDeadlines(u, t, &unit.Draft{Player: player}, &now)
	return now.Answer
}

// asksNoMore reports whether a letter's question is closed.
func asksNoMore(u *unit.Unit, r *notice.Message) (bool, error) {
	k, err := u.Tx.Token(r.Token)
	if none, err := unit.Missing(err); none || err != nil {
		return false, err
	}
	if k.Confirm == 0 || r.InReplyTo != "" {
		return false, nil
	}
	c, err := u.Tx.Confirm(k.Confirm)
	return !c.Open, err
}

// answers updates the deadlines of an answer. The rest of it reports the result of the letter
// in, and stays.
func answers(u *unit.Unit, t *unit.Game, x *store.Seat, r *notice.Message) (bool, error) {
	late, err := clock.Waited(u, t, x, r)
	if err != nil {
		return false, err
	}
	clock.GiveBack(u, x, late)
	now := deadlines(u, t, r.Player)
	if len(r.Answer.Deadlines) == 0 || r.Thread == "" || sameDeadlines(r.Answer.Deadlines, now.Deadlines) {
		return true, nil
	}
	r.Answer.Deadlines, r.Answer.Paused = now.Deadlines, now.Paused
	clock.Revise(u, t)
	clock.SayEvent(t, &unit.Draft{Player: r.Player}, r)
	return false, u.Tx.SayAnew(r.ID, r.Answer)
}

// sameDeadlines compares the deadlines of two letters, ignoring the time left.
func sameDeadlines(a, b []notice.Deadline) bool {
	return slices.EqualFunc(a, b, func(x, y notice.Deadline) bool { return x.Seat == y.Seat && x.Time == y.Time && x.Late == y.Late })
}

// together merges all letters that wait for a reader about a game into one.
func together(u *unit.Unit, t *unit.Game, x *store.Seat, r *notice.Message, given func(int64) bool) (bool, error) {
	waiting, err := u.Tx.Waiting(r.Game, r.Player, r.ID)
	if err != nil {
		return false, err
	}
	group := waiting[:0]
	for _, m := range waiting {
		k, err := u.Tx.Token(m.Token)
		if err != nil {
			return false, err
		}
		if k.Confirm == 0 && (m.ID == r.ID || !given(m.ID)) && !isAnswer(&m) && m.Kind != notice.KindInvitation {
			group = append(group, m)
		}
	}
	if !slices.ContainsFunc(group, func(m notice.Message) bool { return m.ID == r.ID }) { // it asks something
		return true, nil
	}
	group = fitting(group, r)
	var late time.Duration
	for i := range group {
		by, err := clock.Waited(u, t, x, &group[i])
		if err != nil {
			return false, err
		}
		late = max(late, by)
	}
	clock.GiveBack(u, x, late)
	now := deadlines(u, t, r.Player)
	waits := t.Running() && !x.Unplayed() && t.Replay.Waits(engine.Seat(x.Seat))
	if len(group) == 1 && r.Step == t.Replay.Step() && sameDeadlines(r.Answer.Deadlines, now.Deadlines) && (r.Kind != notice.KindTurn || waits) {
		return true, nil
	}
	d := &unit.Draft{Kind: notice.KindInfo, To: u.Player(x.Player).Address, Player: x.Player, Game: t, Place: x.Place, Result: notice.None, Since: unit.NoStory}
	var ids []int64
	turn, moved := false, false
	for i := range group {
		m := &group[i]
		ids = append(ids, m.ID)
		if m.Since < m.Step && (d.Since == unit.NoStory || m.Since < d.Since) {
			d.Since = m.Since
		}
		kind := m.Kind
		turn = turn || kind == notice.KindTurn
		if kind == notice.KindTurn && !waits {
			kind = notice.KindInfo
		}
		if unit.Rank(kind) > unit.Rank(d.Kind) {
			d.Kind = kind
		}
		if m.MessageID == x.Thread {
			x.Thread = "" // the new one heads it
		}
		gather(&d.Answer, &m.Answer)
		moved = moved || slices.ContainsFunc(m.Answer.Remarks, func(s notice.Remark) bool { return s.Code == notice.TellClockMoved })
	}
	u.Check(u.Tx.Drop(ids, newerSays))
	switch {
	case waits && u.Past(x.Deadline) && t.Pace().Grace > 0:
		if err := clock.SayLate(u, t, x, d); err != nil {
			return false, err
		}
	case moved && !turn && !x.Deadline.IsZero():
		u.SayTime(d, notice.TellClockMoved, x.Deadline)
	}
	if turn && waits {
		d.Kind = notice.KindTurn
	}
	a := &d.Answer
	if d.Kind == notice.KindInfo && len(a.Remarks)+len(a.Sections)+len(a.Press)+len(a.Commands) == 0 {
		if d.Since != unit.NoStory {
			x.Seen = min(x.Seen, d.Since) // the next letter tells it
		}
		return false, nil
	}
	d.Asked = len(a.Remarks) > 0
	u.Drafts = append(u.Drafts, d)
	return false, nil
}

// gather adds to a letter what another says that stays true, each thing once.
func gather(to, a *notice.Answer) {
	for _, r := range a.Remarks {
		if slices.Contains(passing, r.Code) || slices.ContainsFunc(to.Remarks, func(x notice.Remark) bool {
			return x.Code == r.Code && maps.Equal(x.Args, r.Args) && slices.Equal(x.List, r.List)
		}) {
			continue
		}
		to.Remarks = append(to.Remarks, r)
	}
	to.Sections = append(to.Sections, a.Sections...)
	to.Press = append(to.Press, a.Press...)
	for _, c := range a.Commands {
		if !slices.ContainsFunc(to.Commands, func(x notice.Remark) bool { return x.Code == c.Code && maps.Equal(x.Args, c.Args) }) {
			to.Commands = append(to.Commands, c)
		}
	}
	to.First = to.First || a.First
	if a.Event != nil {
		to.Event = a.Event
	}
	if a.Home != "" {
		to.Home = a.Home
	}
}
