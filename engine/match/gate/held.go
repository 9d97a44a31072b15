package gate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A season of a league brings a player at most seasonLetters letters besides those about games.
// Three of them must come: that it begins, that it ends, and the check-in for the next one. The
// others are news that has waited for a week, and questions that can be left out: to a
// substitute whether they take a place, and to a player who was silent in a round whether they
// are there.
//
// News asks nothing of its reader. It waits for the next letter to them that is about the
// league or one of its games. If none comes for a week, news goes out in its own letter, as
// long as that leaves room for one such question. Answers to the player, and what a director
// does or announces, never wait and don't count. For players with a daily letter, news is in
// that.

const (
	seasonLetters = 6
	newsBytes     = 32 << 10 // of what waits, as JSON; more goes out at once
)

// seasonal are the remarks of the letters that count.
var seasonal = []string{
	notice.TellSeason, notice.TellSeasonIn, notice.TellSeasonEnd, notice.TellSeasonUp, notice.TellSeasonDown,
	notice.TellTakenOff, notice.AskHere, notice.AskPlace,
}

// news are the remarks that wait.
var news = map[string]bool{
	notice.TellRound: true, notice.TellAside: true, notice.TellBye: true, notice.TellNextRound: true, notice.TellLeft: true,
	notice.TellPlaceTaken: true, notice.TellForfeit: true, notice.TellChanged: true,
	notice.TellMatch: true, notice.TellMatchTied: true,
}

// latest are the remarks and sections of which only the newest stays true.
var latest = []string{notice.TellAside, notice.TellBye, notice.TellNextRound, notice.TellMatch, notice.TellMatchTied, "standings"}

// Hold keeps a letter about a league for the next one, and reports whether it did.
func Hold(u *unit.Unit, d *unit.Draft) (bool, error) {
	a := &d.Answer
	if d.League == nil || d.Game != nil || d.Player == 0 || d.Kind != notice.KindInfo || d.Reply || d.Waited || d.Asked && !ownGames(a) || d.Confirm != 0 || u.HoldNews < 0 ||
		len(a.Lines)+len(a.Press)+len(a.Collected)+len(a.Commands) > 0 || len(a.Remarks) == 0 || u.Player(d.Player).Digest != "" ||
		slices.ContainsFunc(a.Remarks, func(r notice.Remark) bool { return !news[r.Code] }) {
		return false, nil
	}
	id := d.League.Row.ID
	thread, err := u.Tx.LeagueThread(id, d.Player)
	if none, err := unit.Missing(err); none || err != nil { // the letter heads their thread
		return false, err
	}
	told, err := waits(thread)
	if err != nil {
		return false, err
	}
	add(&told, *a)
	text, err := json.Marshal(told)
	if err != nil {
		return false, fmt.Errorf("news of league %s: %w", id, err)
	}
	if len(text) > newsBytes {
		return false, nil // with what waits: Join
	}
	first := thread.News == ""
	thread.News = string(text)
	u.Check(u.Tx.SetLeagueThread(id, thread))
	if first {
		newsWaits(u, id, d.Player)
	}
	return true, nil
}

// newsWaits has news go out in its own letter in a week.
func newsWaits(u *unit.Unit, league string, player int64) {
	u.Check(u.Tx.AddDue(&store.Due{At: u.At.Add(u.HoldNews), Kind: store.DueNews, Game: league, Place: int(player)}))
}

// Room reports whether a season's limit leaves room for an optional question to a player.
func Room(u *unit.Unit, c *unit.League, player int64) bool {
	t, err := u.Tx.LeagueThread(c.Row.ID, player)
	none, err := unit.Missing(err)
	u.Check(err)
	return none || room(c, &t) > 0
}

// room returns how many letters of a season a player may still get besides those that must
// come.
func room(c *unit.League, t *store.LeagueThread) int {
	x := c.State.Season()
	switch {
	case x == nil:
		return seasonLetters - 1 - t.Letters
	case t.Season < x.N:
		return seasonLetters - 2
	case x.Running():
		return seasonLetters - 2 - t.Letters
	default:
		return seasonLetters - 1 - t.Letters
	}
}

// Count counts a letter that goes out, if it is one of its season's.
func Count(u *unit.Unit, d *unit.Draft) error {
	if d.League == nil || d.Game != nil || d.Player == 0 || d.Reply ||
		!slices.ContainsFunc(d.Answer.Remarks, func(r notice.Remark) bool { return news[r.Code] || slices.Contains(seasonal, r.Code) }) {
		return nil
	}
	t, err := u.Tx.LeagueThread(d.League.Row.ID, d.Player)
	if err != nil {
		return err
	}
	t.Letters++
	u.Check(u.Tx.SetLeagueThread(d.League.Row.ID, t))
	return nil
}

// ownGames reports whether news is about its reader's games, so that they get it even if they
// have muted the league.
func ownGames(a *notice.Answer) bool {
	return slices.ContainsFunc(a.Sections, func(s notice.Section) bool { return s.Kind == "forfeit" })
}

// waits returns the news that waits in a thread.
func waits(t store.LeagueThread) (a notice.Answer, err error) {
	if t.News == "" {
		return a, nil
	}
	if err := json.Unmarshal([]byte(t.News), &a); err != nil {
		return a, fmt.Errorf("news that waits: %w", err)
	}
	return a, nil
}

// add adds news to what waits already, and removes what is no longer true. If a season's table
// changes again, it drops the earlier change, which no one has read.
func add(told *notice.Answer, a notice.Answer) {
	told.Remarks = slices.DeleteFunc(told.Remarks, func(r notice.Remark) bool {
		return slices.ContainsFunc(a.Remarks, func(x notice.Remark) bool {
			return x.Code == r.Code && (slices.Contains(latest, r.Code) || r.Code == notice.TellChanged && x.Args["season"] == r.Args["season"])
		})
	})
	told.Sections = slices.DeleteFunc(told.Sections, func(s notice.Section) bool {
		return slices.Contains(latest, s.Kind) && slices.ContainsFunc(a.Sections, func(x notice.Section) bool { return x.Kind == s.Kind })
	})
	told.Remarks, told.Sections = append(told.Remarks, a.Remarks...), append(told.Sections, a.Sections...)
}

// Join adds to a letter about a league, or one of its games, the news that waits for its
// reader. Answers get none: they only answer.
func Join(u *unit.Unit, d *unit.Draft) error {
	id := ""
	switch {
	case d.Reply || d.Player == 0 || d.Kind == notice.KindInvitation:
	case d.Game != nil:
		id = d.Game.Row.League
	case d.League != nil:
		id = d.League.Row.ID
	}
	if id == "" {
		return nil
	}
	if x := d.Game; x != nil {
		if y := x.Place(d.Place); y == nil || y.Player != d.Player {
			return nil
		}
	}
	thread, err := u.Tx.LeagueThread(id, d.Player)
	if none, err := unit.Missing(err); none || err != nil || thread.News == "" {
		return err
	}
	c, err := u.League(id)
	if u.Replays.Without(id, err) { // it waits on
		return nil
	}
	if err != nil {
		return err
	}
	told, err := taken(u, id, &thread)
	if err != nil || thread.Muted && !ownGames(&told) {
		return err
	}
	if d.Game != nil {
		told.League = c.Rules().Name
		d.Answer.Collected = append(d.Answer.Collected, told)
		return nil
	}
	own := d.Answer
	if slices.ContainsFunc(own.Sections, func(s notice.Section) bool { return s.Kind == "season-end" || s.Kind == "schedule" }) { // which says it all
		told.Remarks = slices.DeleteFunc(told.Remarks, func(r notice.Remark) bool { return slices.Contains(latest, r.Code) })
		told.Sections = slices.DeleteFunc(told.Sections, func(s notice.Section) bool { return slices.Contains(latest, s.Kind) })
	}
	told.Remarks = slices.DeleteFunc(told.Remarks, func(r notice.Remark) bool { return r.Code == notice.TellChanged && !agrees(&own, r) })
	add(&told, own)
	d.Answer.Remarks = append(slices.Clone(own.Remarks), told.Remarks[:len(told.Remarks)-len(own.Remarks)]...)
	d.Answer.Sections = append(slices.Clone(own.Sections), told.Sections[:len(told.Sections)-len(own.Sections)]...)
	return nil
}

// agrees reports whether a waiting change of a season's table is still right in the letter
// about the season's end, or about the next one; there it gives the reason. In other letters it
// stays.
func agrees(own *notice.Answer, changed notice.Remark) bool {
	then := strings.TrimSuffix(changed.Args["then"], "-left")
	for _, r := range own.Remarks {
		move, ends := moves[r.Code]
		switch {
		case r.Code == notice.TellSeason || r.Code == notice.TellSeasonIn:
			return then != "open"
		case !ends || r.Args["season"] != changed.Args["season"]:
		case then == "won" || then == "lost":
			return (then == "won") == (r.Args["won"] == "you")
		default:
			return then == move
		}
	}
	return true
}

// moves maps the remark about a player's place after the season to the word that a change uses
// for it.
var moves = map[string]string{notice.TellSeasonEnd: "stays", notice.TellSeasonUp: "up", notice.TellSeasonDown: "down"}

// taken removes the news from a thread and returns it.
func taken(u *unit.Unit, league string, t *store.LeagueThread) (notice.Answer, error) {
	told, err := waits(*t)
	if err != nil {
		return told, err
	}
	t.News = ""
	u.Check(u.Tx.SetLeagueThread(league, *t))
	u.Check(u.Tx.ClearDue(store.DueNews, league, int(t.Player)))
	return told, nil
}

// NewsDue sends news of a league that has waited long enough, to players who are still in
// it and have room for it.
func NewsDue(u *unit.Unit, row store.Due) error {
	player := int64(row.Place)
	thread, err := u.Tx.LeagueThread(row.Game, player)
	if none, err := unit.Missing(err); none || err != nil || thread.News == "" {
		return err
	}
	c, err := u.League(row.Game)
	if err != nil {
		return err
	}
	kept := 0
	if x := c.State.Season(); x != nil && x.Running() {
		kept = 1 // for a question
	}
	if room(c, &thread) <= kept {
		newsWaits(u, row.Game, player)
		return nil
	}
	told, err := taken(u, row.Game, &thread)
	p := c.State.Player(player)
	if err != nil || thread.Muted && !ownGames(&told) || p == nil || !p.In() && !p.Substitute {
		return err
	}
	d := u.DraftOf(player, nil, c, notice.KindInfo)
	d.About(c)
	d.Asked, d.Waited = true, true
	d.Answer.Remarks, d.Answer.Sections = told.Remarks, told.Sections
	return nil
}
