package seating

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Organises reports whether the writer is the organiser of the letter's game,
// and refuses the word if not.
func Organises(u *unit.Unit, c *unit.Call) bool {
	switch t := c.Sender.Game; {
	case t == nil:
		c.Refuse(notice.ProblemNoGame)
	case t.Row.Organiser != c.Sender.ID:
		c.Refuse(notice.ProblemOrganise)
	default:
		return true
	}
	return false
}

// GuestNamed finds a place by name, or for the organiser by the address they invited.
func GuestNamed(u *unit.Unit, c *unit.Call) *store.Seat {
	x, err := SeatNamed(u, c.Sender.Game, c.Sender.Names, c.Word.Name)
	if p := notice.AsProblem(err); p != nil {
		c.Line.Status, c.Line.Problem = notice.LineRefused, p
	}
	return x
}

// SeatNamed finds a place by name, seat or address; names are as in unit.Game.Reading.
func SeatNamed(u *unit.Unit, t *unit.Game, names []string, name string) (*store.Seat, error) {
	name = strings.Trim(name, "\"'“”„‘’ ")
	if a := u.Address(name); a != "" {
		row := u.AddressOf(a)
		if x := t.Of(row.Player); x != nil {
			return x, nil
		}
	}
	x, code := t.Named(name, names)
	if code != "" {
		return nil, notice.Refuse(code, "word", name)
	}
	return x, nil
}

// Remind sends a player their notice or invitation again, once a day.
func Remind(u *unit.Unit, c *unit.Call) error {
	if !Organises(u, c) {
		return nil
	}
	t := c.Sender.Game
	x := GuestNamed(u, c)
	if x == nil {
		return nil
	}
	running := t.Running() && !x.Unplayed() && t.Replay.Waits(engine.Seat(x.Seat))
	if !running && !(t.Row.State == store.GameInvited && x.Stage == store.SeatInvited) || x.Player == c.Sender.ID {
		return notice.Refuse(notice.ProblemNobody, "word", c.Word.Name)
	}
	if x.MutedBy(x.Player) {
		return notice.Refuse(notice.ProblemMuted, "word", c.Word.Name)
	}
	n := u.Bump("remind/"+t.Row.ID+"/"+strconv.Itoa(x.Place), u.Day())
	if n > 1 {
		return notice.Refuse(notice.ProblemMany, "word", c.Word.Name, "n", "1")
	}
	if !running {
		return inviteAgain(u, c, x)
	}
	c.Done()
	c.Sender.Answer.Say(notice.SayReminded, "name", x.Name)
	d := u.DraftFor(x.Player, t, notice.KindTurn)
	d.Since, d.Again = x.Seen, true
	d.Say(notice.TellNudge, "name", c.Sender.Shown())
	return nil
}

// inviteAgain writes an invitation once more.
func inviteAgain(u *unit.Unit, c *unit.Call, x *store.Seat) error {
	t := c.Sender.Game
	p := u.Player(x.Player)
	if err := u.MayInvite(c.Sender.Player, p.Address); err != nil {
		if p := notice.AsProblem(err); p != nil {
			p.Args["word"] = c.Word.Name // the organiser may know no more than that
		}
		return err
	}
	c.Done()
	c.Sender.Answer.Say(notice.SayReminded, "name", x.Name)
	expiresAnew(u, t, 0)
	Invite(u, t, x.Place, x.Player, t.Row.Organiser)
	return nil
}

// expiresAnew restarts the full time of a game's invitations, or of the invitation to take
// place over.
func expiresAnew(u *unit.Unit, t *unit.Game, place int) {
	u.Check(u.Tx.ClearDue(store.DueExpire, t.Row.ID, place))
	u.Check(u.Tx.AddDue(&store.Due{At: u.At.Add(u.InviteFor), Kind: store.DueExpire, Game: t.Row.ID, Place: place}))
}

// MayReplace returns why the seat of x cannot go to the player or bot that a replace names, nil
// if it can.
func MayReplace(u *unit.Unit, c *unit.Call, x *store.Seat) error {
	if order.IsBot(c.Word.Arg) {
		name, err := turns.AskedBot(c.Word.Arg)
		if err == nil && x.Bot == name {
			return notice.Refuse(notice.ProblemBot, "word", x.Name)
		}
		return err
	}
	id, err := u.Guest(c.Sender.Player, c.Word.Arg)
	if err == nil && c.Sender.Game.Of(id) != nil {
		return notice.Refuse(notice.ProblemTwice, "word", c.Word.Arg)
	}
	return err
}

// Replace gives a seat to a bot or invites another player to it.
func Replace(u *unit.Unit, c *unit.Call) error {
	if !Organises(u, c) {
		return nil
	}
	t := c.Sender.Game
	if !t.Running() && t.Row.State != store.GameInvited {
		return notice.Refuse(notice.ProblemNotNow, "word", c.Word.Kind.String())
	}
	x := GuestNamed(u, c)
	if x == nil {
		return nil
	}
	if err := MayReplace(u, c, x); err != nil {
		return err
	}
	if order.IsBot(c.Word.Arg) {
		return replaceByBot(u, c, t, x)
	}
	id, err := u.Guest(c.Sender.Player, c.Word.Arg)
	if err != nil {
		return err
	}
	c.Done()
	c.Sender.Answer.Say(notice.SayInvited, "name", x.Name, "address", c.Word.Arg)
	if t.Row.State != store.GameInvited {
		AskHeir(u, t, x, id, t.Row.Organiser)
		return nil
	}
	x.Player, x.Bot, x.Stage, x.Name, x.Entropy, x.Thread = id, "", store.SeatInvited, u.Players[id].Name, "", ""
	if x.Name == "" || u.Taken(t, x.Name, x.Place) {
		x.Name = store.StandIn(id)
	}
	expiresAnew(u, t, 0)
	Invite(u, t, x.Place, id, t.Row.Organiser)
	return nil
}

// AskHeir invites a player to take over a seat of a running game; by is the player who wants
// that, 0 the host.
func AskHeir(u *unit.Unit, t *unit.Game, x *store.Seat, player, by int64) {
	x.Heir = player
	expiresAnew(u, t, x.Place)
	inv := Invite(u, t, x.Place, player, by)
	inv.Seat = x.Name
	if t.Replay != nil {
		inv.Round = t.Replay.State.Project(0).Round
	}
	if by != 0 {
		inv.Organiser = cmp.Or(u.Player(by).Name, inv.Organiser, t.Row.Name)
	}
}

func replaceByBot(u *unit.Unit, c *unit.Call, t *unit.Game, x *store.Seat) error {
	name, err := turns.AskedBot(c.Word.Arg)
	if err != nil {
		return err
	}
	c.Done()
	SayBot(c.Sender.Answer, notice.SayReplaced, x.Name, name)
	if t.Row.State == store.GameInvited {
		if x.Bot == "" {
			x.Name = "Bot " + strconv.Itoa(x.Place)
		}
		x.Player, x.Bot, x.Stage, x.Entropy = 0, name, store.SeatJoined, ""
		x.Name = turns.BotName(turns.BotNumber(x.Name), name)
		return StartIfJoined(u, t)
	}
	was := x.Name
	why := game.TenureReplaced
	if x.Player == c.Sender.ID { // voluntarily
		why = game.TenureResigned
	}
	old, err := SeatBot(u, t, x, name, game.ByOrganiser, why)
	if err != nil {
		return err
	}
	u.TellAll(t, c.Sender.ID, func(y *store.Seat, d *unit.Draft) {
		if y.Player == old {
			d.Say(notice.TellOut, "bot", turns.Asking(name))
		} else {
			SayBot(d, notice.TellReplaced, was, name)
		}
	}, old)
	return nil
}

// SeatBot gives a seat of a running game to a bot; old is the player who had it, 0:
// none.
func SeatBot(u *unit.Unit, t *unit.Game, x *store.Seat, name string, by game.By, why string) (old int64, err error) {
	if x.Bot == "" {
		old = x.Player
	}
	if x.Player == 0 {
		x.Name = turns.BotName(turns.BotNumber(x.Name), name)
	} else if x.Stage != store.SeatResigned {
		x.Stage = store.SeatReplaced
	}
	x.Bot, x.Heir = name, 0
	u.Check(u.Tx.ClearDue(store.DueExpire, t.Row.ID, x.Place))
	turns.NowPlays(u, t, x, by, why)
	return old, nil
}

// SayBot says that a bot replaces a player.
func SayBot(d *unit.Draft, code, name, bot string) {
	r := d.Say(code, "name", name)
	if kind := turns.BotKind(bot); kind != "" {
		r.Args["bot"] = kind
	}
}

// TellHelper tells a game's organiser about a player. If the organiser cannot help, because
// there is none, it is about them, they were erased, or their letters come back, it tells all
// others with code toAll, and only the name.
func TellHelper(u *unit.Unit, t *unit.Game, about int64, code, toAll, name, value string, more ...string) error {
	if o := t.Row.Organiser; o != 0 && o != about {
		p := u.Player(o)
		a := u.AddressOf(p.Address)
		if p.Address != "" && !u.ToErase(o) && a.Bounced.IsZero() {
			u.TellOrganiser(t, about, code, append([]string{name, value}, more...)...)
			return nil
		}
	}
	if code == notice.TellBounced {
		told, err := leagues.TellRulers(u, t, notice.TellBouncedRuler, name, value, "game", t.Row.ID)
		if err != nil {
			return err
		}
		if told {
			toAll = notice.TellBouncedLeague
		}
	}
	u.TellAll(t, about, func(_ *store.Seat, d *unit.Draft) { d.Say(toAll, name, value) })
	return nil
}

// MayResign returns why the writer cannot resign from the letter's game, nil if they can.
func MayResign(w *unit.Sender) error {
	switch t := w.Game; {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "" || !t.Running():
		return notice.Refuse(notice.ProblemNotNow, "word", order.Resign.String())
	}
	return nil
}

// Resign leaves the seat to a bot. The writer has already confirmed it.
func Resign(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if err := MayResign(w); err != nil {
		return err
	}
	c.Done()
	w.Answer.Say(notice.SayResigned)
	Vacate(u, t, w.Seat, game.ByPlayer, notice.TellResigned, "name", w.Seat.Name)
	return nil
}

// Vacate leaves a seat to a bot and tells the others so. If the game goes on without its
// player, the end of the transaction asks substitutes.
func Vacate(u *unit.Unit, t *unit.Game, x *store.Seat, by game.By, code string, args ...string) {
	x.Bot, x.Stage = store.ResignBot, store.SeatResigned
	turns.NowPlays(u, t, x, by, game.TenureResigned)
	u.TellAll(t, x.Player, func(_ *store.Seat, d *unit.Draft) { d.Say(code, args...) })
	t.Vacated = append(t.Vacated, x.Place)
}

// LeaveGame removes a player from a running game: a bot plays their seat. It declines an open
// invitation, and cancels a game that has not begun if the player organises it.
func LeaveGame(u *unit.Unit, t *unit.Game, player int64) {
	x := t.Of(player)
	invited := t.Row.State == store.GameInvited
	switch {
	case x != nil && x.Heir == player && x.Player != player:
		x.Heir = 0
		u.Check(u.Tx.ClearDue(store.DueExpire, t.Row.ID, x.Place))
	case invited && t.Row.Organiser == player:
		name := ""
		if x != nil {
			name = x.Name
		}
		u.TellAll(t, player, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellCancelled, "name", name) })
		u.Over(t, store.GameCancelled)
	case x != nil && invited && t.Row.Options.Open:
		name := x.Name
		x.Leave()
		tellDeclined(u, t, player, name, name)
	case x != nil && invited && x.Stage != store.SeatDeclined:
		x.Stage = store.SeatDeclined
		tellDeclined(u, t, player, x.Name, x.Name)
	case x != nil && t.Running() && x.Bot == "":
		Vacate(u, t, x, game.ByPlayer, notice.TellResigned, "name", x.Name)
	}
}

// Cancel ends a game before its first turn.
func Cancel(u *unit.Unit, c *unit.Call) error {
	if !Organises(u, c) {
		return nil
	}
	t := c.Sender.Game
	if t.Row.State != store.GameInvited && !(t.Running() && !t.Replay.Begun) {
		return notice.Refuse(notice.ProblemNotNow, "word", c.Word.Kind.String())
	}
	c.Done()
	c.Sender.Answer.Say(notice.SayCancelled)
	name := c.Sender.Shown()
	u.TellAll(t, c.Sender.ID, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellCancelled, "name", name) })
	u.Over(t, store.GameCancelled)
	return nil
}

// Rematch invites the players of a finished game to another. If one of them has already done
// that, the writer joins that rematch.
func Rematch(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	switch {
	case t == nil || w.Seat == nil || w.Seat.Player != w.ID:
		return notice.Refuse(notice.ProblemNoGame)
	case t.Running() || t.Row.State == store.GameInvited:
		return notice.Refuse(notice.ProblemNotNow, "word", c.Word.Kind.String())
	case !MayStart(u, w.Player.Address, true):
		return notice.Refuse(notice.ProblemStart)
	}
	if asked, err := rematchOf(u, t); asked != nil || err != nil {
		if err != nil {
			return err
		}
		return joinRematch(u, c, asked)
	}
	o := order.Options{Rules: t.Row.Options.Rules, Edition: t.Row.Options.Edition, Set: t.Row.Options.Set, Visibility: t.Row.Visibility, Name: t.Row.GivenName(), Hal: t.Row.Options.Hal}
	o.Hints, o.Clock = "no", t.Row.Options.Clock
	if t.Row.Options.Hints {
		o.Hints = "yes"
	}
	names := map[string]string{} // by address: no one may read those
	for _, x := range t.Seats {
		if x.Player == 0 {
			o.Players = append(o.Players, turns.Asking(x.Bot))
			continue
		}
		p := u.Player(x.Player)
		o.Players, names[p.Address] = append(o.Players, p.Address), x.Name
	}
	next, err := create(u, w.Player, o, t.Row.ID, w.Answer)
	if err != nil {
		if p := notice.AsProblem(err); p != nil && names[p.Args["word"]] != "" {
			p.Args["word"] = names[p.Args["word"]]
		}
		return err
	}
	for _, d := range u.Drafts {
		for _, r := range d.Answer.Remarks {
			if r.Code == notice.SayCreated && d.Game == next {
				for i, a := range r.List {
					r.List[i] = names[a]
				}
			}
		}
	}
	c.Done()
	w.Answer.Say(notice.SayRematch, "game", next.Row.Name)
	return nil
}

// rematchOf returns the rematch of a game that is being set up or played, nil if there is none.
// A rematch that a player has declined does not count.
func rematchOf(u *unit.Unit, t *unit.Game) (*unit.Game, error) {
	row, err := u.Tx.RematchOf(t.Row.ID)
	if none, err := unit.Missing(err); none || err != nil {
		return nil, err
	}
	next, err := u.Game(row.ID)
	if errors.Is(err, replays.ErrUnreadable) {
		return nil, nil
	}
	if err != nil || next.Running() {
		return next, err
	}
	if next.Row.State != store.GameInvited || slices.ContainsFunc(next.Seats, func(x store.Seat) bool { return x.Stage == store.SeatDeclined || x.Stage == store.SeatBounced }) {
		return nil, nil
	}
	return next, nil
}

// joinRematch makes the writer, who asked for a rematch, join the one to which they have an
// invitation.
func joinRematch(u *unit.Unit, c *unit.Call, t *unit.Game) error {
	w, x := c.Sender, t.Of(c.Sender.ID)
	if x == nil || x.Stage != store.SeatInvited {
		return notice.Refuse(notice.ProblemRematch, "game", t.Row.Name, "begun", strconv.FormatBool(t.Running()), "names", t.WaitingFor())
	}
	name, entropy, err := ComesAs(u, t, x, w.Player, c.Word, u.Command.Name)
	if err != nil {
		return err
	}
	c.Done()
	d := answerAbout(u, w.Answer, t, x)
	if by := t.Of(t.Row.Organiser); by != nil {
		d.Say(notice.SayRematchBy, "name", by.Name)
	}
	return joins(u, t, x, name, entropy, d)
}
