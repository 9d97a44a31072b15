package match

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
)

// shown is the writer's name as the game's players know it.
func (w *writer) shown() string {
	if w.seat != nil {
		return w.seat.Name
	}
	return w.PlayerRow.Name
}

// organises tells whether the writer is the organiser of the letter's game,
// and refuses the word if not.
func (s *sitting) organises(c *saying) bool {
	switch t := c.w.table; {
	case t == nil:
		c.refuse(ProblemNoGame)
	case t.row.Organiser != c.w.ID:
		c.refuse(ProblemOrganise)
	default:
		return true
	}
	return false
}

// guestNamed finds a place by name, or for the organiser by the address he
// invited.
func (s *sitting) guestNamed(c *saying) (*SeatRow, error) {
	x, p, err := s.seatNamed(c.w.table, c.word.Name)
	if p != nil {
		c.line.Status, c.line.Problem = LineRefused, p
	}
	return x, err
}

// seatNamed finds a place by name, seat or address.
func (s *sitting) seatNamed(t *table, name string) (*SeatRow, *Problem, error) {
	name = strings.Trim(name, "\"'“”„‘’ ")
	if a := s.Address(name); a != "" {
		row, err := s.address(a)
		if err != nil {
			return nil, nil, err
		}
		if x := t.of(row.Player); x != nil {
			return x, nil, nil
		}
	}
	x, code := t.named(name)
	if code != "" {
		return nil, &Problem{Code: code, Args: map[string]string{"word": name}}, nil
	}
	return x, nil, nil
}

// remind sends a player his notice or invitation again, once a day.
func (s *sitting) remind(c *saying) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	x, err := s.guestNamed(c)
	if x == nil || err != nil {
		return err
	}
	running := t.running() && !x.nobody() && t.play.waits(engine.Seat(x.Seat))
	if !running && !(t.row.State == GameInvited && x.Stage == SeatInvited) || x.Player == c.w.ID {
		c.refuse(ProblemNobody, "word", c.word.Name)
		return nil
	}
	if x.muted(x.Player) {
		c.refuse(ProblemMuted, "word", c.word.Name)
		return nil
	}
	n, err := s.tx.Bump("remind/"+t.row.ID+"/"+strconv.Itoa(x.Place), s.day())
	if err != nil {
		return err
	}
	if n > 1 {
		c.refuse(ProblemMany, "word", c.word.Name, "n", "1")
		return nil
	}
	if !running {
		return s.inviteAgain(c, x)
	}
	c.done()
	c.w.answer.say(SayReminded, "name", x.Name)
	d, err := s.draftFor(x.Player, t, KindTurn)
	if err != nil {
		return err
	}
	d.since, d.again = x.Seen, true
	d.say(TellNudge, "name", c.w.shown())
	return nil
}

// inviteAgain writes an invitation once more.
func (s *sitting) inviteAgain(c *saying, x *SeatRow) error {
	t := c.w.table
	p, err := s.player(x.Player)
	if err != nil {
		return err
	}
	if bad, err := s.mayInvite(c.w.PlayerRow, p.Address); err != nil || bad != nil {
		if bad != nil {
			bad.Args["word"] = c.word.Name // he may know no more than that
			c.line.Status, c.line.Problem = LineRefused, bad
		}
		return err
	}
	c.done()
	c.w.answer.say(SayReminded, "name", x.Name)
	if err := s.expiresAnew(t, 0); err != nil {
		return err
	}
	return s.invite(t, x.Place, x.Player)
}

// expiresAnew gives the invitations of a game, or one to take place over, their
// full time.
func (s *sitting) expiresAnew(t *table, place int) error {
	if err := s.tx.ClearDue(DueExpire, t.row.ID, place); err != nil {
		return err
	}
	return s.tx.AddDue(&DueRow{At: s.now.Add(s.InviteFor), Kind: DueExpire, Game: t.row.ID, Place: place})
}

// replace gives a seat to a bot or invites somebody else to it.
func (s *sitting) replace(c *saying) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	if !t.running() && t.row.State != GameInvited {
		c.refuse(ProblemNotNow, "word", c.word.Kind.String())
		return nil
	}
	x, err := s.guestNamed(c)
	if x == nil || err != nil {
		return err
	}
	if order.IsBot(c.word.Arg) {
		return s.replaceByBot(c, t, x)
	}
	id, p, err := s.guest(c.w.PlayerRow, c.word.Arg)
	if err != nil {
		return err
	}
	if p != nil {
		c.line.Status, c.line.Problem = LineRefused, p
		return nil
	}
	if t.of(id) != nil {
		c.refuse(ProblemTwice, "word", c.word.Arg)
		return nil
	}
	c.done()
	c.w.answer.say(SayInvited, "name", x.Name, "address", c.word.Arg)
	if t.row.State != GameInvited {
		return s.askHeir(t, x, id)
	}
	x.Player, x.Bot, x.Stage, x.Name, x.Entropy, x.Thread = id, "", SeatInvited, s.players[id].Name, "", ""
	if x.Name == "" || t.taken(x.Name, x.Place) {
		x.Name = "Player " + strconv.Itoa(x.Place)
	}
	if err := s.expiresAnew(t, 0); err != nil {
		return err
	}
	return s.invite(t, x.Place, id)
}

// askHeir invites a player to take a seat of a running game over.
func (s *sitting) askHeir(t *table, x *SeatRow, player int64) error {
	x.Heir = player
	if err := s.expiresAnew(t, x.Place); err != nil {
		return err
	}
	return s.invite(t, x.Place, player)
}

func (s *sitting) replaceByBot(c *saying, t *table, x *SeatRow) error {
	name, p := askedBot(c.word.Arg)
	switch {
	case p != nil:
		c.line.Status, c.line.Problem = LineRefused, p
		return nil
	case x.Bot == name:
		c.refuse(ProblemBot, "word", x.Name)
		return nil
	}
	c.done()
	c.w.answer.sayBot(SayReplaced, x.Name, name)
	if t.row.State == GameInvited {
		if x.Bot == "" {
			x.Name = "Bot " + strconv.Itoa(x.Place)
		}
		x.Player, x.Bot, x.Stage, x.Entropy = 0, name, SeatJoined, ""
		x.Name = botName(botNumber(x.Name), name)
		return s.startIfJoined(t)
	}
	was := x.Name
	old, err := s.seatBot(t, x, name, ByOrganiser)
	if err != nil {
		return err
	}
	return s.tellAll(t, c.w.ID, func(y *SeatRow, d *draft) {
		if y.Player == old {
			d.say(TellOut, "bot", asking(name))
		} else {
			d.sayBot(TellReplaced, was, name)
		}
	}, old)
}

// seatBot gives a seat of a running game to a bot; old is who played it, 0 nobody.
func (s *sitting) seatBot(t *table, x *SeatRow, name string, by By) (old int64, err error) {
	if x.Bot == "" {
		old = x.Player
	}
	if x.Player == 0 {
		x.Name = botName(botNumber(x.Name), name)
	} else if x.Stage != SeatResigned {
		x.Stage = SeatReplaced
	}
	x.Bot, x.Heir = name, 0
	if err := s.tx.ClearDue(DueExpire, t.row.ID, x.Place); err != nil {
		return 0, err
	}
	s.nowPlays(t, x, by, StintReplaced)
	return old, nil
}

// sayBot says that somebody is replaced by a bot.
func (d *draft) sayBot(code, name, bot string) {
	r := d.say(code, "name", name)
	if kind := botKind(bot); kind != "" {
		r.Args["bot"] = kind
	}
}

// tellHelper tells a game's organiser about a player, or in another code all
// the others, with the name alone, if the organiser cannot help: there is none,
// it is about him, or his letters come back.
func (s *sitting) tellHelper(t *table, about int64, code, toAll, name, value string, more ...string) error {
	if o := t.row.Organiser; o != 0 && o != about {
		p, err := s.player(o)
		if err != nil {
			return err
		}
		a, err := s.address(p.Address)
		if err != nil {
			return err
		}
		if a.Bounced.IsZero() {
			return s.tellOrganiser(t, about, code, append([]string{name, value}, more...)...)
		}
	}
	if code == TellBounced {
		p, err := s.rulerOf(t)
		if err != nil {
			return err
		}
		if p != nil {
			toAll = TellBouncedLeague
			if err := s.tellRuler(t, TellBouncedRuler, name, value, "game", t.row.ID); err != nil {
				return err
			}
		}
	}
	return s.tellAll(t, about, func(_ *SeatRow, d *draft) { d.say(toAll, name, value) })
}

// Organise gives a game that is not over to another organiser, somebody who
// plays in it or has an address we know, and tells all its players. It is the
// host's way to mend a game whose own organiser cannot be reached.
func (d *Desk) Organise(ctx context.Context, id, address string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(s *sitting) error {
		t, err := s.table(id)
		if err != nil {
			return err
		}
		row, err := s.address(s.Address(address))
		if err != nil {
			return err
		}
		switch {
		case row.Player == 0 || !s.registered(row.Player):
			return fmt.Errorf("%s has never written to this server", address)
		case t.row.State != GameInvited && t.row.State != GameRunning:
			return fmt.Errorf("game %s is over", id)
		}
		p, err := s.player(row.Player)
		if err != nil {
			return err
		}
		t.row.Organiser = p.ID
		name := p.Name
		if x := t.of(p.ID); x != nil {
			name = x.Name
		}
		own, err := s.draftFor(p.ID, t, KindInfo)
		if err != nil {
			return err
		}
		own.say(TellOrganise)
		if name == "" {
			return s.close()
		}
		if err := s.tellAll(t, p.ID, func(_ *SeatRow, d *draft) { d.say(TellOrganiser, "name", name) }); err != nil {
			return err
		}
		return s.close()
	})
}

// tellAll writes to every person of a game but one; also to those given.
func (s *sitting) tellAll(t *table, but int64, say func(*SeatRow, *draft), also ...int64) error {
	for i := range t.seats {
		x := &t.seats[i]
		if x.Player == 0 || x.Player == but || x.Bot != "" && !slices.Contains(also, x.Player) ||
			x.Stage == SeatDeclined || x.Stage == SeatBounced || x.Stage == SeatExpired {
			continue
		}
		if x.Stage == SeatInvited && !s.registered(x.Player) { // he never wrote: the invitation is enough
			continue
		}
		d, err := s.draftFor(x.Player, t, KindInfo)
		if err != nil {
			return err
		}
		say(x, d)
	}
	return nil
}

// resign leaves the seat to a bot.
func (s *sitting) resign(c *saying) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil:
		c.refuse(ProblemNoGame)
		return nil
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Bot != "" || !t.running():
		c.refuse(ProblemNotNow, "word", c.word.Kind.String())
		return nil
	}
	w.seat.Bot, w.seat.Stage = ResignBot, SeatResigned
	s.nowPlays(t, w.seat, ByPlayer, StintResigned)
	c.done()
	w.answer.say(SayResigned)
	if err := s.tellAll(t, w.ID, func(_ *SeatRow, d *draft) { d.say(TellResigned, "name", w.seat.Name) }); err != nil {
		return err
	}
	return s.vacate(t, w.seat)
}

// cancel ends a game before its first turn.
func (s *sitting) cancel(c *saying) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	if t.row.State != GameInvited && !(t.running() && !t.play.begun) {
		c.refuse(ProblemNotNow, "word", c.word.Kind.String())
		return nil
	}
	c.done()
	c.w.answer.say(SayCancelled)
	name := c.w.shown()
	if err := s.tellAll(t, c.w.ID, func(_ *SeatRow, d *draft) { d.say(TellCancelled, "name", name) }); err != nil {
		return err
	}
	return s.over(t, GameCancelled)
}

// over closes a game that did not reach its end.
func (s *sitting) over(t *table, state string) error {
	t.row.State, t.row.Ended = state, s.now
	return s.tx.ClearDue(DueExpire, t.row.ID, 0)
}

// agreed tells whether the seat has said yes to what, and agree adds it.
func (x *SeatRow) agreed(what string) bool {
	return slices.Contains(strings.Fields(x.Agreed), what)
}

// abandon ends a running game once every person in it has said so.
func (s *sitting) abandon(c *saying) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil:
		c.refuse(ProblemNoGame)
		return nil
	case t.row.League != "":
		c.refuse(ProblemLeagueGame, "word", c.word.Kind.String())
		return nil
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Bot != "" || !t.running():
		c.refuse(ProblemNotNow, "word", c.word.Kind.String())
		return nil
	case w.seat.agreed(ConfirmAbandon):
		c.refuse(ProblemSpent, "names", t.unagreed(ConfirmAbandon))
		return nil
	}
	c.done()
	first := !slices.ContainsFunc(t.seats, func(x SeatRow) bool { return x.agreed(ConfirmAbandon) })
	if err := s.agree(w, ConfirmAbandon); err != nil || !first || !t.running() {
		return err
	}
	return s.askOthers(w, ConfirmAbandon, AskAbandon, "name", w.seat.Name)
}

// askOthers asks every other person of the game for a yes.
func (s *sitting) askOthers(w *writer, kind, code string, args ...string) error {
	for i := range w.table.seats {
		x := &w.table.seats[i]
		if x.nobody() || x.Player == w.ID || x.Stage != SeatJoined {
			continue
		}
		p, err := s.player(x.Player)
		if err != nil {
			return err
		}
		c := &ConfirmRow{Kind: kind, Player: x.Player, Address: p.Address, Game: w.table.row.ID}
		if _, err := s.ask(p.Address, x.Player, w.table, c, code, args...); err != nil {
			return err
		}
	}
	return nil
}

// unagreed names the persons who have not said yes to what.
func (t *table) unagreed(what string) string {
	var out []string
	for _, x := range t.seats {
		if !x.nobody() && !x.agreed(what) {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// asks tells whether what all must agree to is still to be decided.
func (t *table) asks(kind string) bool {
	switch kind {
	case ConfirmVisibility:
		return t.row.Raise != ""
	case ConfirmPause:
		return t.running() && t.row.Paused.IsZero()
	case ConfirmResume:
		return t.running() && !t.row.Paused.IsZero()
	}
	return t.running()
}

// agree notes the writer's yes, and does what was asked once it is everybody's.
func (s *sitting) agree(w *writer, kind string) error {
	t := w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID || !t.asks(kind) {
		if w.answer != nil {
			w.answer.say(SayLapsed)
		}
		return nil
	}
	what := kind
	if kind == ConfirmVisibility {
		what = t.row.Raise
	}
	if !w.seat.agreed(what) {
		w.seat.Agreed = strings.TrimSpace(w.seat.Agreed + " " + what)
	}
	left := t.unagreed(what)
	if left != "" {
		w.answer.say(SayAgreed, "what", what, "names", left)
		return nil
	}
	if kind == ConfirmVisibility {
		t.row.Visibility, t.row.Raise = what, ""
		return s.tellAll(t, 0, func(_ *SeatRow, d *draft) { d.say(TellVisibility, "visibility", what) })
	}
	if kind == ConfirmPause || kind == ConfirmResume {
		return s.setPaused(t, kind == ConfirmPause, "")
	}
	if err := s.over(t, GameAbandoned); err != nil {
		return err
	}
	return s.tellAll(t, 0, func(_ *SeatRow, d *draft) {
		if rank(KindEnd) > rank(d.kind) {
			d.kind = KindEnd
		}
		d.say(TellAbandoned)
	})
}

// setVisibility lowers a game's visibility at once, and raises it, or lowers that of
// a listed one that has begun, when every player says yes.
func (s *sitting) setVisibility(c *saying, value string) error {
	order := []string{Private, Unlisted, Listed}
	if !slices.Contains(order, value) {
		c.refuse(ProblemOption, "word", "visibility: "+clean(value, false))
		return nil
	}
	if c.w.words {
		c.refuse(ProblemToken)
		return s.noticeAgain(c.w)
	}
	if !s.organises(c) {
		return nil
	}
	t, w := c.w.table, c.w
	if value == Private && t.row.State == GameInvited && t.row.Options.Open { // whoever has its id may join
		c.refuse(ProblemOption, "word", "visibility: "+value)
		return nil
	}
	raise := slices.Index(order, value) > slices.Index(order, t.row.Visibility)
	if raise && t.row.State == GameInvited { // the invitations have said otherwise
		c.refuse(ProblemNotNow, "word", "visibility")
		return nil
	}
	c.done()
	// A listed game counts for ratings: who organises it does not take his loss back.
	counts := value != t.row.Visibility && t.row.Visibility == Listed && !t.row.Started.IsZero()
	if !raise && !counts {
		t.row.Visibility, t.row.Raise = value, ""
		w.answer.say(SayVisibility, "visibility", value)
		return nil
	}
	t.row.Raise = value
	for i := range t.seats { // a new question: old answers are to another one
		x := &t.seats[i]
		x.Agreed = strings.Join(slices.DeleteFunc(strings.Fields(x.Agreed), func(a string) bool { return a == value }), " ")
	}
	if w.seat == nil { // organises, but does not play
		w.answer.say(SayAgreed, "what", value, "names", t.unagreed(value))
	} else if err := s.agree(w, ConfirmVisibility); err != nil || t.row.Raise == "" {
		return err
	}
	return s.askOthers(w, ConfirmVisibility, AskRaise, "visibility", value, "name", w.shown())
}

// rematch invites the players of a game that is over to another.
func (s *sitting) rematch(c *saying) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil || w.seat == nil:
		c.refuse(ProblemNoGame)
		return nil
	case t.running() || t.row.State == GameInvited:
		c.refuse(ProblemNotNow, "word", c.word.Kind.String())
		return nil
	case !s.mayStart(w.PlayerRow.Address, true):
		c.refuse(ProblemStart)
		return nil
	}
	o := order.Options{Rules: t.row.Options.Rules, Edition: t.row.Options.Edition, Set: t.row.Options.Set, Visibility: t.row.Visibility, Name: t.row.Name, Hal: t.row.Options.Hal}
	o.Hints, o.Clock = "no", t.row.Options.Clock
	if t.row.Options.Hints {
		o.Hints = "yes"
	}
	for _, x := range t.seats {
		if x.Player == 0 {
			o.Players = append(o.Players, asking(x.Bot))
			continue
		}
		p, err := s.player(x.Player)
		if err != nil {
			return err
		}
		o.Players = append(o.Players, p.Address)
	}
	next, p, err := s.create(w.PlayerRow, o, w.answer)
	if err != nil || p != nil {
		c.line.Status, c.line.Problem = LineRefused, p
		return err
	}
	c.done()
	w.answer.say(SayRematch, "game", next.row.ID)
	return nil
}

// changeAddress adds or removes an address of the writer's. Adding is confirmed
// at both; removing at one that stays, for the other may be dead.
func (s *sitting) changeAddress(c *saying) error {
	w := c.w
	address := s.Address(c.word.Text)
	if address == "" || s.Own(address) {
		c.refuse(ProblemAddress, "word", c.word.Text)
		return nil
	}
	row, err := s.address(address)
	if err != nil {
		return err
	}
	n, err := s.tx.Bump("address/"+w.PlayerRow.Address, s.day())
	if err != nil {
		return err
	}
	switch {
	case n > maxNoticeAgain || w.answer.confirm != 0:
		c.refuse(ProblemMany, "word", c.word.Text, "n", strconv.Itoa(maxNoticeAgain))
	case c.word.Arg == "add" && row.Player != 0:
		c.refuse(ProblemForeign, "word", c.word.Text)
	case c.word.Arg == "add":
		if p, err := s.mayInvite(w.PlayerRow, address); p != nil || err != nil {
			c.line.Status, c.line.Problem = LineRefused, p
			return err
		}
		if err := s.invited(w.ID, address); err != nil {
			return err
		}
		theirs := &ConfirmRow{Kind: ConfirmAddress, Player: w.ID, Address: address}
		d, err := s.ask(address, 0, nil, theirs, AskAdd, "address", address, "name", w.PlayerRow.Name)
		if err != nil {
			return err
		}
		d.say(TellNever)
		own := &ConfirmRow{Kind: ConfirmAddress, Player: w.ID, Address: address, Twin: theirs.ID}
		if err := s.question(own); err != nil {
			return err
		}
		theirs.Twin = own.ID
		if err := s.tx.SaveConfirm(*theirs); err != nil {
			return err
		}
		c.done()
		w.answer.confirm = own.ID
		w.answer.say(SayConfirm, "address", address)
		w.answer.say(AskAdd, "address", address, "name", w.PlayerRow.Name)
	default:
		return s.removeAddress(c, row)
	}
	return nil
}

func (s *sitting) removeAddress(c *saying, row AddressRow) error {
	w := c.w
	all, err := s.tx.Addresses(w.ID)
	if err != nil {
		return err
	}
	stay := ""
	for _, a := range all {
		if a.Address != row.Address && (stay == "" || a.Address == w.PlayerRow.Address) {
			stay = a.Address
		}
	}
	if row.Player != w.ID || stay == "" {
		c.refuse(ProblemLast, "word", c.word.Text)
		return nil
	}
	q := &ConfirmRow{Kind: ConfirmRemove, Player: w.ID, Address: row.Address, Lines: stay}
	if err := s.question(q); err != nil {
		return err
	}
	c.done()
	w.answer.to, w.answer.confirm = stay, q.ID
	w.answer.say(AskRemove, "address", row.Address)
	return nil
}

// addressYes is one of the two confirmations of a new address.
func (s *sitting) addressYes(w *writer, c *ConfirmRow) error {
	c.Said = true
	if err := s.tx.SaveConfirm(*c); err != nil {
		return err
	}
	twin, err := s.tx.Confirm(c.Twin)
	if err != nil {
		return err
	}
	if !twin.Said {
		return nil
	}
	row, err := s.address(c.Address)
	if err != nil {
		return err
	}
	if row.Player != 0 && row.Player != c.Player {
		w.answer.say(SayLapsed)
		return nil
	}
	row.Player = c.Player
	w.answer.say(SayAdded, "address", c.Address)
	if err := s.tx.SaveAddress(row); err != nil || w.ID == c.Player {
		return err
	}
	d, err := s.draftFor(c.Player, nil, KindInfo)
	if err != nil {
		return err
	}
	d.say(SayAdded, "address", c.Address)
	return nil
}

// removeYes drops an address; another becomes the one that is written to.
func (s *sitting) removeYes(w *writer, c ConfirmRow) error {
	row, err := s.address(c.Address)
	if err != nil {
		return err
	}
	if row.Player != w.ID || c.Lines == c.Address {
		w.answer.say(SayLapsed)
		return nil
	}
	if w.PlayerRow.Address == c.Address {
		w.PlayerRow.Address = c.Lines
		w.answer.to = c.Lines
	}
	row.Player = 0
	w.answer.say(SayRemoved, "address", c.Address)
	return s.tx.SaveAddress(row)
}
