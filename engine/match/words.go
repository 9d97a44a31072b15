package match

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// tell answers the words that decide nothing.
func (s *unit) tell(c *call) error {
	w := c.w
	a := &w.answer.answer
	switch c.word.Kind {
	case order.Help, order.Rules:
		if word := c.word.Kind.String(); !s.Knows(word, c.word.Text) {
			return notice.Refuse(notice.ProblemTopic, "word", word, "topic", c.word.Text)
		}
		a.Sections = append(a.Sections, notice.Section{Kind: c.word.Kind.String(), Topic: c.word.Text})
	case order.Board, order.History:
		if w.table == nil || w.table.play == nil || w.seat == nil || w.seat.Player != w.ID {
			return notice.Refuse(notice.ProblemNoGame)
		}
		from := c.word.N
		if c.word.Kind == order.History && from == 0 {
			from = max(w.seat.Seen, 0) + 1
		}
		a.Sections = append(a.Sections, notice.Section{Kind: c.word.Kind.String(), From: from})
	case order.Status, order.Legal:
		games, err := s.games(w, c.word.Kind == order.Legal && w.words)
		if err != nil {
			return err
		}
		a.Sections = append(a.Sections, notice.Section{Kind: c.word.Kind.String(), Games: games})
	case order.Games:
		tables, err := openTables(s.tx)
		if err != nil {
			return err
		}
		a.Sections = append(a.Sections, notice.Section{Kind: "tables", Games: tables})
	case order.Link:
		return s.link(c)
	}
	return nil
}

// games says how the writer's games stand. With legal it lists the steps they may take,
// for a letter that bears no token.
func (s *unit) games(w *writer, legal bool) ([]notice.GameState, error) {
	rows, err := s.tx.GamesOf(w.ID, true)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	seats, err := s.tx.SeatsOf(ids)
	if err != nil {
		return nil, err
	}
	rulings, err := s.tx.RulingsOf(ids)
	if err != nil {
		return nil, err
	}
	var out []notice.GameState
	for _, row := range rows[:min(len(rows), 20)] {
		t := &table{row: row, seats: seats[row.ID]}
		for _, known := range s.tables {
			if known.row.ID == row.ID {
				t = known
			}
		}
		x := t.of(w.ID)
		g := notice.GameState{Game: t.row.ID, Name: t.row.Name, State: t.row.State, Options: t.row.Options, Muted: x != nil && x.MutedBy(w.ID)}
		if t.row.State == store.GameInvited {
			g.Waiting = split(t.waitingFor())
			out = append(out, g)
			continue
		}
		if t.play == nil {
			if t.play, err = s.cache.play(s.tx, t.row, t.seats); errors.Is(err, ErrUnreadable) {
				w.answer.say(notice.SayUnreadable, "game", row.ID)
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		v := t.play.State.Project(0)
		g.Round = v.Round
		if all := rulings[row.ID]; len(all) > 0 {
			g.Ruling = &all[len(all)-1]
		}
		g.ToAct = split(t.namesOf(v.ToAct))
		if x != nil && x.Player == w.ID {
			g.You = slices.Contains(v.ToAct, engine.Seat(x.Seat)) && x.Bot == ""
			if legal && g.You {
				g.Legal = game.LegalOrders(t.play.State.Project(engine.Seat(x.Seat)))
			}
		}
		var first time.Time
		for _, y := range t.seats {
			if !y.Deadline.IsZero() && (first.IsZero() || y.Deadline.Before(first)) {
				first = y.Deadline
			}
		}
		if !first.IsZero() {
			zone := s.zoneOf(w.ID)
			g.Until = when(first, zone)
		}
		if !t.row.Changed.IsZero() {
			g.Days = max(0, int(s.now.Sub(t.row.Changed)/(24*time.Hour))) // the clock may have been set back
		}
		out = append(out, g)
	}
	return out, nil
}

func split(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, ", ")
}

// waitingFor names who has yet to join.
func (t *table) waitingFor() string {
	var out []string
	for _, x := range t.seats {
		if x.Stage == store.SeatInvited || x.Stage == store.SeatOpen {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// link mails the address of the writer's page anew; the old one dies, unless the
// answer must wait.
func (s *unit) link(c *call) error {
	w := c.w
	if w.table != nil && w.seat != nil && w.seat.Player == w.ID {
		w.answer.fresh = true
		w.answer.say(notice.SayLink)
		c.done()
		return nil
	}
	rows, err := s.tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	sec, fresh := notice.Section{Kind: "link"}, !w.late
	for _, row := range rows[:min(len(rows), 20)] {
		t, err := s.table(row.ID)
		if err != nil && !errors.Is(err, ErrUnreadable) {
			return err
		}
		x := t.of(w.ID)
		if x == nil || x.Player != w.ID {
			continue
		}
		key, err := s.pageKey(t, x, fresh)
		if err != nil {
			return err
		}
		sec.Games = append(sec.Games, notice.GameState{Game: row.ID, Name: row.Name, State: row.State, PageKey: key.Key})
	}
	if len(sec.Games) == 0 {
		return notice.Refuse(notice.ProblemNoGame)
	}
	c.done()
	if fresh {
		w.answer.say(notice.SayLink)
	}
	w.answer.answer.Sections = append(w.answer.answer.Sections, sec)
	return nil
}

// noticeAgain sends the last notice of each game that waits for the writer once more, a
// few times a day: with the answer if it is one game.
func (s *unit) noticeAgain(w *writer) error {
	if slices.ContainsFunc(w.answer.answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayNoToken }) {
		return nil
	}
	w.answer.say(notice.SayNoToken)
	rows, err := s.tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	var wait []*table
	for _, row := range rows[:min(len(rows), 10)] {
		if row.State != store.GameRunning {
			continue
		}
		t, err := s.table(row.ID)
		if err != nil && !errors.Is(err, ErrUnreadable) {
			return err
		}
		if x := t.of(w.ID); x != nil && x.Player == w.ID && !x.Unplayed() && t.play.State.ToAct(engine.Seat(x.Seat)) {
			wait = append(wait, t)
		}
	}
	if len(wait) == 0 {
		return nil
	}
	ok := s.spend(s.key("again/"+w.Player.Address), againRate)
	if !ok {
		return nil
	}
	w.answer.counted = true
	for _, t := range wait {
		x := t.of(w.ID)
		d := w.answer
		if len(wait) == 1 && (d.table == nil || d.table == t) && d.confirm == 0 {
			d.table, d.place = t, x.Place
		} else {
			d = s.draftFor(w.ID, t, notice.KindTurn)
		}
		d.since, d.again, d.asked, d.full = x.Seen, true, true, true
		d.say(notice.SayAgain)
	}
	return nil
}

func (t *table) step() int {
	if t.play == nil {
		return 0
	}
	return t.play.Step()
}

// named finds a player of the table by name or seat.
func (t *table) named(name string) (x *store.Seat, code string) {
	names := t.names()
	seat, p := order.Context{Names: names}.Seat(name)
	if p != nil {
		return nil, p.Code
	}
	for i := range t.seats {
		x := &t.seats[i]
		if x.Seat == int(seat) || x.Seat == 0 && i == int(seat)-1 {
			return x, ""
		}
	}
	return nil, order.NoName
}

// setName changes the name the others see: in the letter's game, in those where they
// see a stand-in, and in games to come.
func (s *unit) setName(c *call, text string) error {
	w := c.w
	t := w.table
	if w.seat == nil || w.seat.Player != w.ID {
		t = nil
	}
	var err error
	taken := func(name string) bool {
		if t != nil && s.taken(t, name, w.seat.Place) {
			return true
		}
		in, failed := s.takenInLeagues(name, w.ID)
		err = cmp.Or(err, failed)
		return in
	}
	name, ok := s.properName(text)
	var no error
	if !ok {
		no = s.badName(text, taken)
	} else if taken(name) {
		no = s.nameTaken(name, taken)
	}
	if err := cmp.Or(err, no); err != nil {
		return err
	}
	if t != nil {
		t.rename(w.seat, name, s.drafts)
	}
	w.Player.Name = name
	c.done()
	w.answer.unsay(notice.AskName)
	w.answer.say(notice.SayName, "name", name)
	not, err := s.nameEverywhere(w.ID, name)
	if len(not) > 0 {
		w.answer.say(notice.SayNameNot).List = not
	}
	return err
}

// nameEverywhere gives a player a name in the games in which they have none; taken are
// those in which another bears it.
func (s *unit) nameEverywhere(player int64, name string) (taken []string, err error) {
	rows, err := s.tx.GamesOf(player, true)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	seats, err := s.tx.SeatsOf(ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(seats[id], func(x store.Seat) bool { return x.Player == player && x.Nameless() }) {
			continue
		}
		if _, err := s.table(id); err != nil && !errors.Is(err, ErrUnreadable) {
			return nil, err
		}
	}
	for _, t := range s.tables { // a game of this letter's among them
		switch x := t.of(player); {
		case x == nil || x.Player != player || !x.Nameless() || !t.running() && t.row.State != store.GameInvited:
		case s.taken(t, name, x.Place):
			taken = append(taken, cmp.Or(t.row.Name, t.row.ID))
		default:
			t.rename(x, name, s.drafts)
		}
	}
	return taken, nil
}

// rename changes what the player of a seat is called, in invitations that are under
// way, too.
func (t *table) rename(x *store.Seat, name string, drafts []*draft) {
	x.Name = name
	for _, d := range drafts {
		if inv := d.answer.Invite; inv != nil && d.table == t {
			inv.Names = t.names()
			if x.Player == t.row.Organiser {
				inv.Organiser = name
			}
		}
	}
}

// wantsName asks the reader of a letter for a name, if the others see a stand-in.
func (d *draft) wantsName(x *store.Seat) {
	if x.Nameless() {
		d.unsay(notice.AskName)
		d.say(notice.AskName, "name", x.Name)
	}
}

// unsay takes a remark back.
func (d *draft) unsay(code string) {
	d.answer.Remarks = slices.DeleteFunc(d.answer.Remarks, func(r notice.Remark) bool { return r.Code == code })
}

// asksStranger asks a stranger for a name, in a question, if their letter gives none;
// it comes with the yes.
func (s *unit) asksStranger(d *draft) {
	if _, ok := s.properName(s.cmd.Name); !ok {
		d.say(notice.AskNameToo)
	}
}

// clean takes out what no letter or page of ours may repeat: control and format
// characters, and blanks around. Lines stay lines only in a text.
func clean(text string, lines bool) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && lines:
			return r
		case r == '\t' || r == '\n' || r == '\u00a0':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029':
			return -1
		}
		return r
	}, text)
	if !lines {
		text = strings.Join(strings.Fields(text), " ")
	}
	return strings.TrimSpace(text)
}
