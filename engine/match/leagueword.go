package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// maxLeagueID bounds a league's id.
const maxLeagueID = 40

// leagueID is the id of a league of that name: its letters and digits without
// their accents as far as order.Key takes them off, "" if nothing is left.
func leagueID(name string) string {
	var b strings.Builder
	for _, r := range order.Key(name) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxLeagueID {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// directs reports whether an address of a player's is one of a league's directors.
func (s *unit) directs(c *leagueUnit, p *store.Player) (bool, error) {
	return s.among(c.rules().Directors, p)
}

// among reports whether one of a player's addresses is in a list.
func (s *unit) among(list []string, p *store.Player) (bool, error) {
	if p.ID == 0 || len(list) == 0 {
		return slices.ContainsFunc(list, func(a string) bool { return s.Address(a) == p.Address }), nil
	}
	rows, err := s.tx.Addresses(p.ID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list, func(a string) bool {
		a = s.Address(a)
		return slices.ContainsFunc(rows, func(r store.Address) bool { return r.Address == a })
	}), nil
}

// shows reports whether a player may know of a league without saying its whole name:
// they are in it, direct it, or are on its list.
func (s *unit) shows(c *leagueUnit, p *store.Player) (bool, error) {
	if s.byHost || c.row.Visibility == store.Listed || c.state.Player(p.ID) != nil {
		return true, nil
	}
	if yes, err := s.directs(c, p); yes || err != nil {
		return yes, err
	}
	return s.among(c.rules().Admitted, p)
}

// leagueNamed is the league that a player means, by its whole name or a part of
// it that is no other's.
func (s *unit) leagueNamed(name string, p *store.Player) (*leagueUnit, error) {
	unknown := notice.Refuse(notice.ProblemLeague, "word", name)
	id := leagueID(name)
	if id == "" {
		return nil, unknown
	}
	c, err := s.league(id)
	if none, err := missing(err); err != nil {
		return nil, err
	} else if !none && c.row.Visibility != store.Private {
		return c, nil
	}
	rows, err := s.tx.Leagues("", maxLeagues)
	if err != nil {
		return nil, err
	}
	var found []*leagueUnit
	for _, row := range rows {
		if !strings.HasPrefix(row.ID, id) && !strings.Contains("-"+row.ID+"-", "-"+id+"-") {
			continue
		}
		c, err := s.league(row.ID)
		if s.cache.without(row.ID, err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		yes, err := s.shows(c, p)
		if err != nil {
			return nil, err
		}
		if yes && row.ID == id {
			return c, nil
		}
		if yes {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return nil, unknown
	case 1:
		return found[0], nil
	}
	for _, c := range found[:min(len(found), 10)] {
		unknown.Candidates = append(unknown.Candidates, "league "+c.rules().Name)
	}
	return nil, unknown
}

// leagueTold answers the words about leagues that change nothing.
func (s *unit) leagueTold(c *call) error {
	if c.word.Kind == order.Leagues {
		tales, err := s.leagueTales(c.w.Player)
		c.w.answer.answer.Sections = append(c.w.answer.answer.Sections, notice.Section{Kind: "leagues", Leagues: tales})
		return err
	}
	l, err := s.leagueNamed(c.word.Name, c.w.Player)
	if err != nil {
		return err
	}
	t := s.tale(l, c.w.ID)
	c.w.answer.about(l)
	kind := "standings"
	if c.word.Kind == order.League {
		kind = "league"
		s.gamesInto(l, t, c.w.ID)
	}
	s.standings(l, t, c.w.ID)
	c.w.answer.answer.Sections = append(c.w.answer.answer.Sections, notice.Section{Kind: kind, League: t})
	return nil
}

// maxTold bounds a list of leagues.
const maxTold = 50

// leagueTales returns the leagues that a player may know of, their own first.
func (s *unit) leagueTales(p *store.Player) ([]notice.League, error) {
	rows, err := s.tx.Leagues("", maxLeagues)
	if err != nil {
		return nil, err
	}
	var own, others []notice.League
	for _, row := range rows {
		c, err := s.league(row.ID)
		if s.cache.without(row.ID, err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		yes, err := s.shows(c, p)
		if err != nil {
			return nil, err
		}
		if !yes || row.Over && c.state.Player(p.ID) == nil {
			continue
		}
		t := s.tale(c, p.ID)
		if t.You != "" {
			own = append(own, *t)
		} else {
			others = append(others, *t)
		}
	}
	own = append(own, others...)
	return own[:min(len(own), maxTold)], nil
}

// leagueWord does a word that changes something in a league, or asks first where
// the letter bore no token, or that of a turn that is over.
func (s *unit) leagueWord(c *call) error {
	w := c.w
	if !w.words && w.open() {
		err := s.leagueDo(w.Player, c.word, s.cmd.Name, w.answer)
		if err == nil {
			c.done()
		}
		return err
	}
	if err := s.leagueMay(w.Player, c.word); err != nil {
		return err
	}
	if !s.mayAsk(c) {
		return nil
	}
	q, err := s.leagueQuestion(w.ID, w.Player.Address, c.word)
	if err != nil {
		return err
	}
	if c.word.Kind != order.NewLeague {
		l, err := s.leagueNamed(c.word.Name, w.Player)
		if err != nil {
			return err
		}
		w.answer.about(l)
	}
	w.answer.confirm = q.ID
	c.line.Status = notice.LineAsked
	text := c.line.Text
	if r, _ := s.leagueRules(c.word.Text); c.word.Kind == order.NewLeague && r != nil {
		text += ": " + r.Name
	}
	w.answer.say(notice.AskLeague).List = bounded([]string{text})
	return nil
}

// askedLeague is what a confirmation of a word about a league keeps.
type askedLeague struct {
	Word   order.Word
	Called string
}

func (s *unit) leagueQuestion(player int64, address string, w order.Word) (*store.Confirm, error) {
	lines, err := json.Marshal(askedLeague{w, s.cmd.Name})
	if err != nil {
		return nil, err
	}
	q := &store.Confirm{Kind: store.ConfirmLeague, Player: player, Address: address, Lines: string(lines)}
	s.question(q)
	return q, nil
}

// askLeague asks a stranger to confirm a league word. It repeats nothing of their
// letter but the league's own name.
func (s *unit) askLeague(w order.Word) error {
	d := s.answerStranger(notice.None)
	text := w.Kind.String()
	if w.Name != "" {
		l, err := s.leagueNamed(w.Name, &store.Player{Address: s.cmd.From})
		if p := notice.AsProblem(err); p != nil {
			d.result = notice.Refused
			d.answer.Lines = []notice.LineResult{{N: 1, Text: text, Status: notice.LineRefused, Problem: notice.Refuse(p.Code)}}
			return nil
		}
		if err != nil {
			return err
		}
		text += " " + l.rules().Name
		d.about(l)
	}
	if w.Kind == order.Substitute && w.Arg != "" {
		text += " " + w.Arg
	}
	err := s.leagueMay(&store.Player{Address: s.cmd.From}, w)
	if p := notice.AsProblem(err); p != nil {
		d.result = notice.Refused
		d.answer.Lines = []notice.LineResult{{N: 1, Text: text, Status: notice.LineRefused, Problem: p}}
		return nil
	}
	if err != nil {
		return err
	}
	q, err := s.leagueQuestion(0, s.cmd.From, w)
	if err != nil {
		return err
	}
	d.confirm = q.ID
	d.say(notice.AskLeague).List = []string{text}
	if w.Text == "" {
		s.asksStranger(d)
	}
	d.say(notice.TellNever)
	return nil
}

// leagueYes does the word that was asked about.
func (s *unit) leagueYes(w *writer, c store.Confirm) error {
	var asked askedLeague
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("word about a league: %w", err)
	}
	p, d, err := s.confirmer(w, c, asked.Called)
	if err != nil {
		return err
	}
	err = s.leagueDo(p, asked.Word, asked.Called, d)
	d.settle(w, asked.Word.Kind, err)
	return err
}

// leagueMay returns why a player cannot do that, nil if they can, as far as that is
// known before they have said yes.
func (s *unit) leagueMay(p *store.Player, w order.Word) error {
	if w.Kind == order.NewLeague {
		return s.mayMake(p, w.Text)
	}
	c, err := s.leagueNamed(w.Name, p)
	if err != nil {
		return err
	}
	if comesOrGoes(w.Kind) && !s.byHost {
		if n := s.counted(c.comesAndGoes(p), s.day()); n >= maxComeAndGo {
			return notice.Refuse(notice.ProblemMany, "word", w.Kind.String(), "n", strconv.Itoa(maxComeAndGo))
		}
	}
	in := c.state.Player(p.ID)
	switch w.Kind {
	case order.AmendLeague:
		return s.mayAmend(c, p, w.Text)
	case order.JoinLeague:
		return s.mayJoin(c, p)
	case order.LeaveLeague:
		if in == nil || !in.In() {
			return c.problem(notice.ProblemNoMember)
		}
	case order.Substitute:
		switch {
		case w.Arg == "no" && (in == nil || !in.Substitute):
			return c.problem(notice.ProblemNotReady)
		case w.Arg == "" && !c.rules().Substitutes:
			return c.problem(notice.ProblemNoSubstitute)
		case w.Arg == "" && in == nil: // a stranger to the league comes as if joining
			return s.mayCome(c, p)
		}
	case order.Announce:
		yes, err := s.directs(c, p)
		if err != nil {
			return err
		}
		if !yes {
			return c.problem(notice.ProblemDirector)
		}
	}
	return nil
}

// comesOrGoes reports whether a word is one with which a player joins a league,
// leaves it, or is its substitute.
func comesOrGoes(k order.WordKind) bool { return k != order.Announce && k != order.AmendLeague }

// comesAndGoes is what a player's joining and leaving a league is counted by.
func (c *leagueUnit) comesAndGoes(p *store.Player) string {
	return "come/" + c.row.ID + "/" + strconv.FormatInt(p.ID, 10)
}

// problem is one that names the league.
func (c *leagueUnit) problem(code string) *notice.Problem {
	return notice.Refuse(code, "league", c.rules().Name)
}

// leagueDo does a word that changes something in a league; d is the answer to
// its writer.
func (s *unit) leagueDo(p *store.Player, w order.Word, called string, d *draft) error {
	if err := s.leagueMay(p, w); err != nil {
		return err
	}
	if w.Kind == order.NewLeague {
		c, err := s.makeLeague(w.Text, p)
		if err != nil {
			return err
		}
		s.sayLeague(c, p, d, notice.SayLeagueMade, "id", c.row.ID)
		return nil
	}
	c, err := s.leagueNamed(w.Name, p)
	if err != nil {
		return err
	}
	if comesOrGoes(w.Kind) { // others hear of it
		s.bump(c.comesAndGoes(p), s.day())
	}
	switch w.Kind {
	case order.JoinLeague:
		return s.joinLeague(c, p, w.Text, called, d)
	case order.LeaveLeague:
		division := c.state.Division(p.ID)
		if err := s.enter(c, league.Line{Kind: league.Leave, By: p.ID, Player: p.ID}); err != nil {
			return err
		}
		if division != nil { // as it is now
			division = divisionOf(c.state.Season(), p.ID)
		}
		if err := s.leftLeague(c, p.ID, division); err != nil {
			return err
		}
		s.sayLeague(c, p, d, notice.SayLeagueLeft, c.whenLost(division, p.ID)...)
		return nil
	case order.Substitute:
		if err := s.enter(c, league.Line{Kind: league.Substitute, By: p.ID, Player: p.ID, No: w.Arg == "no"}); err != nil {
			if errors.Is(err, league.ErrFull) {
				return c.problem(notice.ProblemFull)
			}
			return err
		}
		s.check(s.tx.AddMember(c.row.ID, p.ID))
		if w.Arg == "no" {
			s.sayLeague(c, p, d, notice.SayNoSubstitute)
			return nil
		}
		s.sayLeague(c, p, d, notice.SaySubstitute)
		return nil
	case order.Announce:
		return s.announce(c, p, w.Text, d)
	case order.AmendLeague:
		changed, err := s.amendLeague(c, w.Text, p)
		if err != nil {
			return err
		}
		if len(changed) == 0 {
			s.sayLeague(c, p, d, notice.SayAmendedNot)
			return nil
		}
		d.answer.Sections = append(d.answer.Sections, notice.Section{Kind: "amended", Changes: changed[:min(len(changed), maxChanges)]})
		s.sayLeague(c, p, d, notice.SayAmended)
		return nil
	}
	return notice.Refuse(notice.ProblemNotNow, "word", w.Kind.String())
}

// sayLeague answers a word with how the league stands.
func (s *unit) sayLeague(c *leagueUnit, p *store.Player, d *draft, code string, args ...string) {
	d.about(c)
	d.say(code, append([]string{"league", c.rules().Name}, args...)...)
	t := s.tale(c, p.ID)
	d.answer.Sections = append(d.answer.Sections, notice.Section{Kind: "league", League: t})
}

// mayJoin returns why a player cannot join a league, nil if they can.
func (s *unit) mayJoin(c *leagueUnit, p *store.Player) error {
	if in := c.state.Player(p.ID); in != nil && in.In() {
		return c.problem(notice.ProblemMember)
	}
	err := s.mayCome(c, p)
	if err != nil {
		return err
	}
	_, next := c.state.Opens()
	if takes, _ := c.state.Takes(p.ID); !next && !takes { // they would wait for ever
		return c.problem(notice.ProblemLastSeason)
	}
	return nil
}

// mayCome returns why a player who is not in a league cannot be its substitute, or join
// it if there is room; nil if they can.
func (s *unit) mayCome(c *leagueUnit, p *store.Player) error {
	r := c.rules()
	if _, ok := c.state.Opens(); !ok && (c.state.Season() == nil || !c.state.Season().Running()) || c.row.Over {
		return c.problem(notice.ProblemClosed)
	}
	switch {
	case r.Join == "known" && !p.Registered:
		return c.problem(notice.ProblemKnown)
	case r.Join == "list":
		yes, err := s.among(r.Admitted, p)
		if err != nil {
			return err
		}
		if !yes {
			return c.problem(notice.ProblemAdmitted)
		}
	}
	return nil
}

// joinLeague takes a player into a league, under the name they give, their own, or what
// their letter calls them.
func (s *unit) joinLeague(c *leagueUnit, p *store.Player, name, called string, d *draft) error {
	if name != "" {
		taken := func(name string) bool { return s.takenIn(c, name, p.ID) }
		proper, ok := s.properName(name)
		switch {
		case !ok:
			return s.badName(name, taken)
		case taken(proper):
			return s.nameTaken(proper, taken)
		}
		p.Name = proper
	} else if proper, ok := s.properName(called); ok && p.Name == "" {
		p.Name = proper
	}
	_, back := c.state.Takes(p.ID)
	if err := s.enter(c, league.Line{Kind: league.Join, By: p.ID, Player: p.ID}); err != nil {
		if errors.Is(err, league.ErrFull) {
			return c.problem(notice.ProblemFull)
		}
		return err
	}
	s.check(s.tx.AddMember(c.row.ID, p.ID))
	if err := s.setLeagueMuted(c.row.ID, p.ID, false); err != nil { // who comes wants to hear of it
		return err
	}
	names := s.leagueNames(c)
	args := s.whenPlays(c, p, back)
	s.sayLeague(c, p, d, notice.SayLeagueJoined, append(args, "name", names[p.ID])...)
	if p.Name == "" {
		d.say(notice.AskName, "name", names[p.ID])
	}
	return s.offerPlaces(c, p.ID)
}

// whenPlays says for letters when a player who has just joined a league begins to play,
// where a season runs; back: they have their place again.
func (s *unit) whenPlays(c *leagueUnit, p *store.Player, back bool) []string {
	x := c.state.Season()
	switch {
	case x == nil || !x.Running():
		return nil
	case back:
		return []string{"then", "back"}
	case c.state.Division(p.ID) != nil:
		return []string{"then", "soon"}
	}
	at, next := c.state.Opens()
	if !next { // the host has let them in
		return []string{"then", "final"}
	}
	zone := s.zoneOf(p.ID)
	n := slices.Index(c.state.Waiting(), p.ID) + 1
	return []string{"then", "waits", "season", strconv.Itoa(x.N), "n", strconv.Itoa(n), "time", when(at, zone)}
}
