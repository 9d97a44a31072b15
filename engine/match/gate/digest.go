package gate

import (
	"encoding/json"
	"errors"
	"slices"

	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// A player may get everything that can wait in one letter a day: news of other players' turns,
// messages, news of leagues. Each such letter is stored as it would have been sent, with its
// own state, and the daily letter combines them. Both happen in one transaction, so that
// nothing is lost or sent twice. Letters that need an action, answers and reminders never wait.

const (
	maxDigest   = 500      // letters that one daily letter tells
	digestBytes = 48 << 10 // of what they say, as JSON; the rest comes in another
	maxStories  = 12       // games whose turns one tells; of more it says who played
)

// calm are the remarks that can wait. All others cannot, which includes new codes.
var calm = map[string]bool{
	notice.TellTurn: true, notice.TellJoined: true, notice.TellDeclined: true, notice.TellResigned: true, notice.TellReplaced: true,
	notice.TellTakenOver: true, notice.TellVisibility: true, notice.TellLateAll: true, notice.TellMissedAll: true, notice.TellAbsentAll: true,
	notice.TellExtendAll: true, notice.TellBack: true, notice.TellExpelledGame: true, notice.TellMutedAll: true, notice.TellBouncedAll: true, notice.TellOrganiser: true,

	notice.TellSeason: true, notice.TellSeasonIn: true, notice.TellNoVacation: true, notice.TellSeasonEnd: true, notice.TellSeasonUp: true,
	notice.TellSeasonDown: true, notice.TellRound: true, notice.TellAnnounced: true, notice.TellClimbs: true, notice.TellFalls: true,
	notice.TellStays: true, notice.TellAside: true, notice.TellBye: true, notice.TellNextRound: true, notice.TellLeft: true,
	notice.TellPlaceTaken: true, notice.TellForfeit: true,
}

// calmSections are the sections that can wait: a league's.
var calmSections = []string{"league", "schedule", "standings", "season-end", "forfeit"}

// Digests reports whether a letter out waits for its reader's daily letter. A letter that
// heads a thread does not: others will refer to it.
func Digests(u *unit.Unit, d *unit.Draft, r *notice.Message) bool {
	p := u.Players[d.Player]
	if p == nil || p.Digest == "" && !d.Together || r.Thread == "" || d.Kind != notice.KindInfo || d.Reply || d.Asked || d.Confirm != 0 {
		return false
	}
	a := &d.Answer
	for _, remark := range a.Remarks {
		if !calm[remark.Code] {
			return false
		}
	}
	for _, s := range a.Sections {
		if !slices.Contains(calmSections, s.Kind) {
			return false
		}
	}
	return len(a.Lines)+len(a.Collected) == 0 && len(a.Remarks)+len(a.Sections)+len(a.Press) > 0
}

// AwaitDigest schedules a player's daily letter, before a letter is stored that waits for it.
func AwaitDigest(u *unit.Unit, player int64) error {
	waiting, err := u.Tx.DigestOf(player, 1)
	if err != nil || len(waiting) > 0 {
		return err
	}
	scheduleDigest(u, u.Player(player))
	return nil
}

// ScheduleDigest moves a player's daily letter to the hour and zone they have now, if
// anything waits for it.
func ScheduleDigest(u *unit.Unit, p *store.Player) error {
	waiting, err := u.Tx.DigestOf(p.ID, 1)
	if err != nil || len(waiting) == 0 {
		return err
	}
	scheduleDigest(u, p)
	return nil
}

func scheduleDigest(u *unit.Unit, p *store.Player) {
	place := int(p.ID) // of the row: it is about no game
	u.Check(u.Tx.ClearDue(store.DueDigest, "", place))
	minute := pace.ParseMinute(p.Digest)
	if minute < 0 {
		return // nothing waits without an hour
	}
	at := pace.NewCalendar(p.Settings).NextAt(u.At, minute)
	u.Check(u.Tx.AddDue(&store.Due{At: at, Kind: store.DueDigest, Place: place}))
}

// DigestDue sends a daily letter.
func DigestDue(u *unit.Unit, row store.Due) error {
	return SendDigest(u, int64(row.Place), notice.SayDigest)
}

// Gather marks the letters about several games that a player gets because another leaves all of
// them: the parts of each that can wait come in one letter.
func Gather(u *unit.Unit) {
	games := map[int64]map[*unit.Game]bool{}
	one := func(d *unit.Draft) bool {
		p := u.Players[d.Player]
		return p != nil && p.Digest == "" && d.Game != nil && d.Kind == notice.KindInfo && !d.Reply && !d.Asked && d.Confirm == 0
	}
	for _, d := range u.Drafts {
		if one(d) {
			if games[d.Player] == nil {
				games[d.Player] = map[*unit.Game]bool{}
			}
			games[d.Player][d.Game] = true
		}
	}
	for _, d := range u.Drafts {
		d.Together = one(d) && len(games[d.Player]) > 1
	}
}

// SendDigest sends a player one letter, which begins with a code, with all that waits for their
// daily letter. If it has news of one game only, it has that game's board and can be answered.
func SendDigest(u *unit.Unit, player int64, code string) error {
	u.Check(u.Tx.ClearDue(store.DueDigest, "", int(player)))
	rows, err := u.Tx.DigestOf(player, maxDigest)
	if err != nil || len(rows) == 0 {
		return err
	}
	if n := fitting(rows); n < len(rows) || n == maxDigest {
		rows = rows[:n]
		u.Check(u.Tx.AddDue(&store.Due{At: u.At, Kind: store.DueDigest, Place: int(player)}))
	}
	var told []notice.Answer
	since := map[string]int{} // by game, for games whose turns the letter has
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
		a, err := stillNews(u, player, &rows[i])
		if err != nil {
			return err
		}
		told = merge(told, a)
		if from, ok := since[a.Game]; slices.ContainsFunc(a.Remarks, tellsTurn) && (!ok || rows[i].Since < from) {
			since[a.Game] = rows[i].Since
		}
	}
	u.Check(u.Tx.SetOutState(ids, store.OutMerged))
	if len(told) == 0 {
		return nil
	}
	d := &unit.Draft{Kind: notice.KindInfo, To: u.Player(player).Address, Player: player, Result: notice.None, Since: unit.NoStory}
	if len(told) == 1 && told[0].Game != "" {
		if err := aboutGame(u, d, since, told[0]); err != nil {
			return err
		}
	} else {
		d.Answer.Collected = told
		if err := addNews(u, player, since, told); err != nil {
			return err
		}
	}
	if code == notice.SayDigest || len(d.Answer.Collected) > 0 {
		d.Answer.Remarks = slices.Insert(d.Answer.Remarks, 0, notice.Remark{Code: code})
	}
	u.Drafts = append(u.Drafts, d)
	return nil
}

// fitting returns how many of the letters fit into one, at least one.
func fitting(rows []notice.Message) (n int) {
	size := 0
	for n = range rows {
		text, err := json.Marshal(rows[n].Answer)
		if size += len(text); err == nil && size > digestBytes && n > 0 {
			return n
		}
	}
	return len(rows)
}

// stillNews returns what a letter that waited still has to tell: nothing about a game or league
// that its reader has muted since, and no turns that another letter has told.
func stillNews(u *unit.Unit, player int64, r *notice.Message) (notice.Answer, error) {
	a := r.Answer
	if r.League != "" && r.Game == "" {
		thread, err := u.Tx.LeagueThread(r.League, player)
		if none, err := unit.Missing(err); none || err != nil {
			return a, err
		}
		if thread.Muted {
			return notice.Answer{}, nil
		}
	}
	if r.Game == "" {
		return a, nil
	}
	a.Game, a.Own = r.Game, &notice.Own{Token: r.Token}
	t, err := u.Game(r.Game)
	if err != nil && !errors.Is(err, replays.ErrUnreadable) {
		return a, err
	}
	x := t.Of(player)
	if x == nil {
		return a, nil
	}
	if x.MutedBy(player) {
		return notice.Answer{}, nil
	}
	said, err := u.Tx.Told(r.Game, x.Place, player, r.Since, r.Step)
	if err != nil || !said {
		return a, err
	}
	a.Remarks = slices.DeleteFunc(slices.Clone(a.Remarks), tellsTurn)
	return a, nil
}

func tellsTurn(m notice.Remark) bool { return m.Code == notice.TellTurn }

// addNews says which turns of each game are in a daily letter about several, and adds the
// reader's page of each.
func addNews(u *unit.Unit, player int64, since map[string]int, told []notice.Answer) error {
	stories := 0
	for i := range told {
		a := &told[i]
		if a.Game == "" {
			continue
		}
		from, ok := since[a.Game]
		t, err := u.Game(a.Game)
		if err != nil && !errors.Is(err, replays.ErrUnreadable) {
			return err
		}
		x := t.Of(player)
		if err != nil || t.Replay == nil || x == nil || x.Player != player || x.Seat == 0 {
			continue
		}
		key, err := u.PageKey(t, x, false)
		if err != nil {
			return err
		}
		a.Own.PageKey = key.Key
		if !ok || stories == maxStories {
			continue
		}
		a.News = &notice.News{Seat: x.Seat, Since: max(from, x.Seen), Step: t.Replay.Step(), PageKey: key.Key}
		stories++
	}
	return nil
}

// merge adds what a letter says to what others about the same game or league say.
func merge(told []notice.Answer, a notice.Answer) []notice.Answer {
	if len(a.Remarks)+len(a.Sections)+len(a.Press) == 0 {
		return told
	}
	for i := range told {
		if x := &told[i]; x.Game == a.Game && x.League == a.League {
			x.Remarks, x.Sections, x.Press = append(x.Remarks, a.Remarks...), append(x.Sections, a.Sections...), append(x.Press, a.Press...)
			x.Own = a.Own // the newest knows most of the turn
			return told
		}
	}
	return append(told, notice.Answer{Game: a.Game, GameName: a.GameName, Names: a.Names, League: a.League, Own: a.Own,
		Remarks: slices.Clone(a.Remarks), Sections: slices.Clone(a.Sections), Press: slices.Clone(a.Press)})
}

// aboutGame makes a daily letter with news of only one game a letter about that game. If the
// news is about turns, it shows what happened in them.
func aboutGame(u *unit.Unit, d *unit.Draft, since map[string]int, a notice.Answer) error {
	t, err := u.Game(a.Game)
	if err != nil && !errors.Is(err, replays.ErrUnreadable) {
		return err
	}
	d.Answer = notice.Answer{Remarks: a.Remarks, Sections: a.Sections, Press: a.Press}
	x := t.Of(d.Player)
	if x == nil || x.Player != d.Player { // another has the seat now
		d.Answer = notice.Answer{Collected: []notice.Answer{a}}
		return nil
	}
	d.Game, d.Place = t, x.Place
	if from, ok := since[a.Game]; ok {
		d.Since, d.Again = max(from, x.Seen), true
	}
	return nil
}
