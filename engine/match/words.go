package match

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/order"
)

// tell answers the words that decide nothing.
func (s *sitting) tell(c *saying) error {
	w := c.w
	a := &w.answer.answer
	switch c.word.Kind {
	case order.Help, order.Rules:
		a.Sections = append(a.Sections, Section{Kind: c.word.Kind.String(), Topic: c.word.Text})
	case order.Board, order.History:
		if w.table == nil || w.table.play == nil || w.seat == nil || w.seat.Player != w.ID {
			c.refuse(ProblemNoGame)
			return nil
		}
		from := c.word.N
		if c.word.Kind == order.History && from == 0 {
			from = max(w.seat.Seen, 0) + 1
		}
		a.Sections = append(a.Sections, Section{Kind: c.word.Kind.String(), From: from})
	case order.Status, order.Legal:
		games, err := s.games(w, c.word.Kind == order.Legal && w.words)
		if err != nil {
			return err
		}
		a.Sections = append(a.Sections, Section{Kind: c.word.Kind.String(), Games: games})
	case order.Games:
		tables, err := openTables(s.tx)
		if err != nil {
			return err
		}
		a.Sections = append(a.Sections, Section{Kind: "tables", Games: tables})
	case order.Link:
		return s.link(c)
	}
	return nil
}

// games says how the writer's games stand. With legal it lists the steps he
// may take, for a letter that bears no token.
func (s *sitting) games(w *writer, legal bool) ([]GameState, error) {
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
	var out []GameState
	for _, row := range rows[:min(len(rows), 20)] {
		t := &table{row: row, seats: seats[row.ID]}
		for _, known := range s.tables {
			if known.row.ID == row.ID {
				t = known
			}
		}
		x := t.of(w.ID)
		g := GameState{Game: t.row.ID, Name: t.row.Name, State: t.row.State, Options: t.row.Options, Muted: x != nil && x.muted(w.ID)}
		if t.row.State == GameInvited {
			g.Waiting = split(t.waitingFor())
			out = append(out, g)
			continue
		}
		if t.play == nil {
			if t.play, err = s.host.play(s.tx, t.row, t.seats); err != nil {
				return nil, err
			}
		}
		v := t.play.state.Project(0)
		g.Round = v.Round
		if all := rulings[row.ID]; len(all) > 0 {
			g.Ruling = &all[len(all)-1]
		}
		g.ToAct = split(t.namesOf(v.ToAct))
		if x != nil && x.Player == w.ID {
			g.You = slices.Contains(v.ToAct, engine.Seat(x.Seat)) && x.Bot == ""
			if legal && g.You {
				g.Legal = LegalOrders(t.play.state.Project(engine.Seat(x.Seat)))
			}
		}
		var first time.Time
		for _, y := range t.seats {
			if !y.Deadline.IsZero() && (first.IsZero() || y.Deadline.Before(first)) {
				first = y.Deadline
			}
		}
		if !first.IsZero() {
			zone, err := s.zoneOf(w.ID)
			if err != nil {
				return nil, err
			}
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
		if x.Stage == SeatInvited || x.Stage == SeatOpen {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// link mails the address of the writer's page anew; the old one dies.
func (s *sitting) link(c *saying) error {
	w := c.w
	if w.table != nil && w.seat != nil && w.seat.Player == w.ID {
		w.answer.fresh = true
		w.answer.say(SayLink)
		c.done()
		return nil
	}
	rows, err := s.tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	sec := Section{Kind: "link"}
	for _, row := range rows[:min(len(rows), 20)] {
		t, err := s.table(row.ID)
		if err != nil {
			return err
		}
		x := t.of(w.ID)
		if x == nil || x.Player != w.ID {
			continue
		}
		key, err := s.pageKey(t, x, true)
		if err != nil {
			return err
		}
		sec.Games = append(sec.Games, GameState{Game: row.ID, Name: row.Name, State: row.State, PageKey: key.Key})
	}
	if len(sec.Games) == 0 {
		c.refuse(ProblemNoGame)
		return nil
	}
	c.done()
	w.answer.say(SayLink)
	w.answer.answer.Sections = append(w.answer.answer.Sections, sec)
	return nil
}

// noticeAgain sends the last notice of the writer's games that wait for him
// once more, at most three times a day: with the answer if it is one game.
func (s *sitting) noticeAgain(w *writer) error {
	if slices.ContainsFunc(w.answer.answer.Remarks, func(r Remark) bool { return r.Code == SayNoToken }) {
		return nil
	}
	w.answer.say(SayNoToken)
	n, err := s.tx.Bump("again/"+w.PlayerRow.Address, s.day())
	if err != nil || n > maxNoticeAgain {
		return err
	}
	rows, err := s.tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	var wait []*table
	for _, row := range rows[:min(len(rows), 10)] {
		if row.State != GameRunning {
			continue
		}
		t, err := s.table(row.ID)
		if err != nil {
			return err
		}
		if x := t.of(w.ID); x != nil && x.Player == w.ID && !x.nobody() && t.play.state.ToAct(engine.Seat(x.Seat)) {
			wait = append(wait, t)
		}
	}
	for _, t := range wait {
		x := t.of(w.ID)
		d := w.answer
		if len(wait) == 1 && (d.table == nil || d.table == t) && d.confirm == 0 {
			d.table, d.place = t, x.Place
		} else if d, err = s.draftFor(w.ID, t, KindTurn); err != nil {
			return err
		}
		d.since, d.again, d.asked = x.Seen, true, true
		d.say(SayAgain)
	}
	return nil
}

// press delivers a message to one, some or all players of the game.
func (s *sitting) press(c *saying) error {
	w, t := c.w, c.w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID {
		c.refuse(ProblemNoGame)
		return nil
	}
	text := clean(c.word.Text, true)
	if text == "" || len(text) > order.MaxText {
		c.refuse(order.LongText)
		return nil
	}
	var to []*SeatRow
	for _, name := range c.word.To {
		x, code := t.named(name)
		if code != "" {
			c.refuse(code, "word", name)
			return nil
		}
		if !slices.Contains(to, x) {
			to = append(to, x)
		}
	}
	n, err := s.tx.Bump("press/"+t.row.ID+"/"+strconv.Itoa(w.seat.Place), s.day())
	if err != nil {
		return err
	}
	if n > maxPress {
		c.refuse(ProblemMany, "word", order.Say.String(), "n", strconv.Itoa(maxPress))
		return nil
	}
	private := len(to) > 0
	if !private {
		for i := range t.seats {
			to = append(to, &t.seats[i])
		}
		if err := s.tx.AddPress(&PressRow{Game: t.row.ID, Place: w.seat.Place, Writer: w.ID, Step: t.step(), Text: text, At: s.now}); err != nil {
			return err
		}
	}
	var names []string
	for _, x := range to {
		if private {
			if err := s.tx.AddPress(&PressRow{Game: t.row.ID, Place: w.seat.Place, Writer: w.ID, To: x.Place, Reader: x.Player, Step: t.step(), Text: text, At: s.now}); err != nil {
				return err
			}
		}
		if x.Player == w.ID || x.Player == 0 || x.Stage == SeatInvited {
			continue
		}
		if x.muted(x.Player) {
			w.answer.say(TellMutedAll, "name", x.Name)
			continue
		}
		names = append(names, x.Name)
		d, err := s.draftFor(x.Player, t, KindInfo)
		if err != nil {
			return err
		}
		p := Press{From: w.seat.Name, Text: text}
		if private {
			p.To = x.Name
		}
		d.answer.Press = append(d.answer.Press, p)
	}
	c.done()
	if len(names) > 0 {
		w.answer.say(SaySaid, "names", strings.Join(names, ", "))
	}
	return nil
}

func (t *table) step() int {
	if t.play == nil {
		return 0
	}
	return t.play.step()
}

// named finds a player of the table by name or seat.
func (t *table) named(name string) (x *SeatRow, code string) {
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

// note keeps a text for its writer alone.
func (s *sitting) note(c *saying) error {
	w, t := c.w, c.w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID {
		c.refuse(ProblemNoGame)
		return nil
	}
	text := clean(c.word.Text, true)
	if text == "" || len(text) > order.MaxText {
		c.refuse(order.LongText)
		return nil
	}
	n, err := s.tx.Bump("note/"+t.row.ID+"/"+strconv.Itoa(w.seat.Place), s.day())
	if err != nil {
		return err
	}
	if n > maxPress {
		c.refuse(ProblemMany, "word", order.Note.String(), "n", strconv.Itoa(maxPress))
		return nil
	}
	c.done()
	w.answer.say(SayNoted)
	return s.tx.AddPress(&PressRow{Game: t.row.ID, Place: w.seat.Place, Writer: w.ID, To: -1, Step: t.step(), Text: text, At: s.now})
}

// setName changes the name the others see, here and in games to come.
func (s *sitting) setName(c *saying) error {
	w := c.w
	name, ok := s.properName(c.word.Text)
	if !ok {
		c.refuse(ProblemBadName, "word", c.word.Text)
		return nil
	}
	if t := w.table; t != nil && w.seat != nil && w.seat.Player == w.ID {
		if t.taken(name, w.seat.Place) {
			c.refuse(ProblemName, "word", name)
			return nil
		}
		w.seat.Name = name
	}
	w.PlayerRow.Name = name
	c.done()
	w.answer.say(SayName, "name", name)
	return nil
}

// taken tells whether another place bears the name, or one that could be
// mistaken for it.
func (t *table) taken(name string, place int) bool {
	for _, x := range t.seats {
		if x.Place != place && order.Key(x.Name) == order.Key(name) {
			return true
		}
	}
	return false
}

// properName is a name as it is shown: normalised, without control or format
// characters, at most 32 runes, no address and no word of the order language.
func (s *sitting) properName(name string) (string, bool) {
	name = unlinked(clean(s.NFC(name), false))
	key := order.Key(name)
	switch {
	case name == "" || key == "" || utf8.RuneCountInString(name) > 32 || len(name) > order.MaxName:
		return "", false
	case strings.ContainsAny(name, "@<>|:;,\"\\#"):
		return "", false
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9':
		return "", false
	}
	first, _, _ := strings.Cut(key, " ")
	if slices.Contains([]string{"seat", "player", "all", "everybody", "everyone", "bot", "neutral", "nobody", "to", "and"}, first) {
		return "", false
	}
	return name, true
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
