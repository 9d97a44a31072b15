package match

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// shown is the writer's name as the game's players know it.
func (w *writer) shown() string {
	if w.seat != nil {
		return w.seat.Name
	}
	return w.Player.Name
}

// organises reports whether the writer is the organiser of the letter's game,
// and refuses the word if not.
func (s *unit) organises(c *call) bool {
	switch t := c.w.table; {
	case t == nil:
		c.refuse(notice.ProblemNoGame)
	case t.row.Organiser != c.w.ID:
		c.refuse(notice.ProblemOrganise)
	default:
		return true
	}
	return false
}

// guestNamed finds a place by name, or for the organiser by the address they invited.
func (s *unit) guestNamed(c *call) *store.Seat {
	x, err := s.seatNamed(c.w.table, c.word.Name)
	if p := notice.AsProblem(err); p != nil {
		c.line.Status, c.line.Problem = notice.LineRefused, p
	}
	return x
}

// seatNamed finds a place by name, seat or address.
func (s *unit) seatNamed(t *table, name string) (*store.Seat, error) {
	name = strings.Trim(name, "\"'“”„‘’ ")
	if a := s.Address(name); a != "" {
		row := s.address(a)
		if x := t.of(row.Player); x != nil {
			return x, nil
		}
	}
	x, code := t.named(name)
	if code != "" {
		return nil, notice.Refuse(code, "word", name)
	}
	return x, nil
}

// remind sends a player their notice or invitation again, once a day.
func (s *unit) remind(c *call) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	x := s.guestNamed(c)
	if x == nil {
		return nil
	}
	running := t.running() && !x.Unplayed() && t.play.Waits(engine.Seat(x.Seat))
	if !running && !(t.row.State == store.GameInvited && x.Stage == store.SeatInvited) || x.Player == c.w.ID {
		return notice.Refuse(notice.ProblemNobody, "word", c.word.Name)
	}
	if x.MutedBy(x.Player) {
		return notice.Refuse(notice.ProblemMuted, "word", c.word.Name)
	}
	n := s.bump("remind/"+t.row.ID+"/"+strconv.Itoa(x.Place), s.day())
	if n > 1 {
		return notice.Refuse(notice.ProblemMany, "word", c.word.Name, "n", "1")
	}
	if !running {
		return s.inviteAgain(c, x)
	}
	c.done()
	c.w.answer.say(notice.SayReminded, "name", x.Name)
	d := s.draftFor(x.Player, t, notice.KindTurn)
	d.since, d.again = x.Seen, true
	d.say(notice.TellNudge, "name", c.w.shown())
	return nil
}

// inviteAgain writes an invitation once more.
func (s *unit) inviteAgain(c *call, x *store.Seat) error {
	t := c.w.table
	p := s.player(x.Player)
	if err := s.mayInvite(c.w.Player, p.Address); err != nil {
		if p := notice.AsProblem(err); p != nil {
			p.Args["word"] = c.word.Name // the organiser may know no more than that
		}
		return err
	}
	c.done()
	c.w.answer.say(notice.SayReminded, "name", x.Name)
	s.expiresAnew(t, 0)
	s.invite(t, x.Place, x.Player, t.row.Organiser)
	return nil
}

// expiresAnew gives the invitations of a game, or one to take place over, their
// full time.
func (s *unit) expiresAnew(t *table, place int) {
	s.check(s.tx.ClearDue(store.DueExpire, t.row.ID, place))
	s.check(s.tx.AddDue(&store.Due{At: s.now.Add(s.InviteFor), Kind: store.DueExpire, Game: t.row.ID, Place: place}))
}

// replace gives a seat to a bot or invites another player to it.
func (s *unit) replace(c *call) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	if !t.running() && t.row.State != store.GameInvited {
		return notice.Refuse(notice.ProblemNotNow, "word", c.word.Kind.String())
	}
	x := s.guestNamed(c)
	if x == nil {
		return nil
	}
	if order.IsBot(c.word.Arg) {
		return s.replaceByBot(c, t, x)
	}
	id, err := s.guest(c.w.Player, c.word.Arg)
	if err != nil {
		return err
	}
	if t.of(id) != nil {
		return notice.Refuse(notice.ProblemTwice, "word", c.word.Arg)
	}
	c.done()
	c.w.answer.say(notice.SayInvited, "name", x.Name, "address", c.word.Arg)
	if t.row.State != store.GameInvited {
		s.askHeir(t, x, id, t.row.Organiser)
		return nil
	}
	x.Player, x.Bot, x.Stage, x.Name, x.Entropy, x.Thread = id, "", store.SeatInvited, s.players[id].Name, "", ""
	if x.Name == "" || s.taken(t, x.Name, x.Place) {
		x.Name = store.StandIn(x.Place)
	}
	s.expiresAnew(t, 0)
	s.invite(t, x.Place, id, t.row.Organiser)
	return nil
}

// askHeir invites a player to take a seat of a running game over; by is who wants
// that, 0 the host.
func (s *unit) askHeir(t *table, x *store.Seat, player, by int64) {
	x.Heir = player
	s.expiresAnew(t, x.Place)
	s.invite(t, x.Place, player, by)
}

func (s *unit) replaceByBot(c *call, t *table, x *store.Seat) error {
	name, err := askedBot(c.word.Arg)
	switch {
	case err != nil:
		return err
	case x.Bot == name:
		return notice.Refuse(notice.ProblemBot, "word", x.Name)
	}
	c.done()
	c.w.answer.sayBot(notice.SayReplaced, x.Name, name)
	if t.row.State == store.GameInvited {
		if x.Bot == "" {
			x.Name = "Bot " + strconv.Itoa(x.Place)
		}
		x.Player, x.Bot, x.Stage, x.Entropy = 0, name, store.SeatJoined, ""
		x.Name = botName(botNumber(x.Name), name)
		return s.startIfJoined(t)
	}
	was := x.Name
	why := game.TenureReplaced
	if x.Player == c.w.ID { // voluntarily
		why = game.TenureResigned
	}
	old, err := s.seatBot(t, x, name, game.ByOrganiser, why)
	if err != nil {
		return err
	}
	s.tellAll(t, c.w.ID, func(y *store.Seat, d *draft) {
		if y.Player == old {
			d.say(notice.TellOut, "bot", asking(name))
		} else {
			d.sayBot(notice.TellReplaced, was, name)
		}
	}, old)
	return nil
}

// seatBot gives a seat of a running game to a bot; old is the player who had it, 0:
// none.
func (s *unit) seatBot(t *table, x *store.Seat, name string, by game.By, why string) (old int64, err error) {
	if x.Bot == "" {
		old = x.Player
	}
	if x.Player == 0 {
		x.Name = botName(botNumber(x.Name), name)
	} else if x.Stage != store.SeatResigned {
		x.Stage = store.SeatReplaced
	}
	x.Bot, x.Heir = name, 0
	s.check(s.tx.ClearDue(store.DueExpire, t.row.ID, x.Place))
	s.nowPlays(t, x, by, why)
	return old, nil
}

// sayBot says that a bot replaces a player.
func (d *draft) sayBot(code, name, bot string) {
	r := d.say(code, "name", name)
	if kind := botKind(bot); kind != "" {
		r.Args["bot"] = kind
	}
}

// tellHelper tells a game's organiser about a player, or in another code all the
// others, with the name alone, if the organiser cannot help: there is none, it is about
// them, or their letters come back.
func (s *unit) tellHelper(t *table, about int64, code, toAll, name, value string, more ...string) error {
	if o := t.row.Organiser; o != 0 && o != about {
		p := s.player(o)
		a := s.address(p.Address)
		if a.Bounced.IsZero() {
			s.tellOrganiser(t, about, code, append([]string{name, value}, more...)...)
			return nil
		}
	}
	if code == notice.TellBounced {
		told, err := s.tellRulers(t, notice.TellBouncedRuler, name, value, "game", t.row.ID)
		if err != nil {
			return err
		}
		if told {
			toAll = notice.TellBouncedLeague
		}
	}
	s.tellAll(t, about, func(_ *store.Seat, d *draft) { d.say(toAll, name, value) })
	return nil
}

// Organise gives a game that is not over to another organiser, who plays in it or has
// an address we know, and tells all its players. With it the host mends a game whose
// own organiser cannot be reached.
func (d *Desk) Organise(ctx context.Context, id, address string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(s *unit) error {
		t, err := s.table(id)
		if err != nil {
			return err
		}
		row := s.address(s.Address(address))
		switch {
		case row.Player == 0 || !s.registered(row.Player):
			return fmt.Errorf("%s has never written to this server", address)
		case t.row.State != store.GameInvited && t.row.State != store.GameRunning:
			return fmt.Errorf("game %s is over", id)
		}
		p := s.player(row.Player)
		t.row.Organiser = p.ID
		name := p.Name
		if x := t.of(p.ID); x != nil {
			name = x.Name
		}
		own := s.draftFor(p.ID, t, notice.KindInfo)
		own.say(notice.TellOrganise)
		if name == "" {
			return s.close()
		}
		s.tellAll(t, p.ID, func(_ *store.Seat, d *draft) { d.say(notice.TellOrganiser, "name", name) })
		return s.close()
	})
}

// tellAll writes to every person of a game but one; also to those given.
func (s *unit) tellAll(t *table, but int64, say func(*store.Seat, *draft), also ...int64) {
	for i := range t.seats {
		x := &t.seats[i]
		if x.Player == 0 || x.Player == but || x.Bot != "" && !slices.Contains(also, x.Player) ||
			x.Stage == store.SeatDeclined || x.Stage == store.SeatBounced || x.Stage == store.SeatExpired {
			continue
		}
		if x.Stage == store.SeatInvited && !s.registered(x.Player) { // they never wrote: the invitation is enough
			continue
		}
		d := s.draftFor(x.Player, t, notice.KindInfo)
		say(x, d)
	}
}

// resign leaves the seat to a bot.
func (s *unit) resign(c *call) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Bot != "" || !t.running():
		return notice.Refuse(notice.ProblemNotNow, "word", c.word.Kind.String())
	}
	w.seat.Bot, w.seat.Stage = store.ResignBot, store.SeatResigned
	s.nowPlays(t, w.seat, game.ByPlayer, game.TenureResigned)
	c.done()
	w.answer.say(notice.SayResigned)
	s.tellAll(t, w.ID, func(_ *store.Seat, d *draft) { d.say(notice.TellResigned, "name", w.seat.Name) })
	return s.subs.vacated(s, t, w.seat)
}

// cancel ends a game before its first turn.
func (s *unit) cancel(c *call) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	if t.row.State != store.GameInvited && !(t.running() && !t.play.Begun) {
		return notice.Refuse(notice.ProblemNotNow, "word", c.word.Kind.String())
	}
	c.done()
	c.w.answer.say(notice.SayCancelled)
	name := c.w.shown()
	s.tellAll(t, c.w.ID, func(_ *store.Seat, d *draft) { d.say(notice.TellCancelled, "name", name) })
	s.over(t, store.GameCancelled)
	return nil
}

// over closes a game that did not reach its end.
func (s *unit) over(t *table, state string) {
	t.row.State, t.row.Ended = state, s.now
	s.check(s.tx.ClearDue(store.DueExpire, t.row.ID, 0))
}

// rematch invites the players of a game that is over to another.
func (s *unit) rematch(c *call) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil || w.seat == nil || w.seat.Player != w.ID:
		return notice.Refuse(notice.ProblemNoGame)
	case t.running() || t.row.State == store.GameInvited:
		return notice.Refuse(notice.ProblemNotNow, "word", c.word.Kind.String())
	case !s.mayStart(w.Player.Address, true):
		return notice.Refuse(notice.ProblemStart)
	}
	o := order.Options{Rules: t.row.Options.Rules, Edition: t.row.Options.Edition, Set: t.row.Options.Set, Visibility: t.row.Visibility, Name: t.row.Name, Hal: t.row.Options.Hal}
	o.Hints, o.Clock = "no", t.row.Options.Clock
	if t.row.Options.Hints {
		o.Hints = "yes"
	}
	names := map[string]string{} // by address: no one may read those
	for _, x := range t.seats {
		if x.Player == 0 {
			o.Players = append(o.Players, asking(x.Bot))
			continue
		}
		p := s.player(x.Player)
		o.Players, names[p.Address] = append(o.Players, p.Address), x.Name
	}
	next, err := s.create(w.Player, o, w.answer)
	if err != nil {
		if p := notice.AsProblem(err); p != nil && names[p.Args["word"]] != "" {
			p.Args["word"] = names[p.Args["word"]]
		}
		return err
	}
	for _, d := range s.drafts {
		for _, r := range d.answer.Remarks {
			if r.Code == notice.SayCreated && r.Args["game"] == next.row.ID {
				for i, a := range r.List {
					r.List[i] = names[a]
				}
			}
		}
	}
	c.done()
	w.answer.say(notice.SayRematch, "game", next.row.ID)
	return nil
}
