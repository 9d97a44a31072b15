package compete

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/league"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// LeagueID is the id of a league of that name.
func LeagueID(name string) string { return leagues.ID(name) }

// LeagueRow is leagues.Row, for code that reads.
func LeagueRow(tx store.Tx, name string) (store.League, error) { return leagues.Row(tx, name) }

// LeagueMeant is leagues.Meant, for code that reads.
func LeagueMeant(tx store.Tx, name string) (store.League, error) { return leagues.Meant(tx, name) }

// GameNamed is leagues.GameNamed, for code that reads.
func GameNamed(tx store.Tx, name string, open func(id string) (*league.State, error)) (string, error) {
	return leagues.GameNamed(tx, name, open)
}

// shows reports whether a player may see a league without giving its whole name: they are in
// it, direct it, or are on its list.
func shows(u *unit.Unit, c *unit.League, p *store.Player) (bool, error) {
	if u.ByHost || c.Row.Visibility == store.Listed || c.State.Player(p.ID) != nil {
		return true, nil
	}
	if yes, err := leagues.Directs(u, c, p); yes || err != nil {
		return yes, err
	}
	return leagues.Among(u, c.Rules().Admitted, p)
}

// leagueNamed returns the league that a player's word names, by its whole name or by a part
// that fits no other. If none fits, the problem has the word about the league with the most
// similar name.
func leagueNamed(u *unit.Unit, w order.Word, p *store.Player) (*unit.League, error) {
	unknown := notice.Refuse(notice.ProblemLeague, "word", w.Name)
	id := LeagueID(w.Name)
	if id == "" {
		return nil, unknown
	}
	c, err := u.League(id)
	if none, err := unit.Missing(err); err != nil {
		return nil, err
	} else if !none && c.Row.Visibility != store.Private {
		return c, nil
	}
	rows, err := u.Tx.Leagues("", MaxLeagues)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(rows, func(l store.League) bool { return leagues.Called(l, id) && l.Visibility != store.Private }); i >= 0 {
		return u.League(rows[i].ID)
	}
	var found, like []*unit.League
	near := max(1, len(id)/4) // letters that may be wrong
	for _, row := range rows {
		part, far := false, len(id)
		for _, own := range []string{row.ID, LeagueID(row.Name)} {
			part = part || leagues.HasPart(own, id)
			far = min(far, order.Distance(own, id))
		}
		if !part && far > near {
			continue
		}
		c, err := u.League(row.ID)
		if u.Replays.Without(row.ID, err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		yes, err := shows(u, c, p)
		if err != nil {
			return nil, err
		}
		switch {
		case !yes:
		case leagues.Called(row, id):
			return c, nil
		case part:
			found = append(found, c)
		case far < near:
			near, like = far, []*unit.League{c}
		default:
			like = append(like, c)
		}
	}
	switch len(found) {
	case 0:
		found = like
	case 1:
		return found[0], nil
	}
	for _, c := range found[:min(len(found), 10)] {
		unknown.Candidates = append(unknown.Candidates, again(w, c.Rules().Name))
	}
	return nil, unknown
}

// again returns the line of a word about a league, with that league's name.
func again(w order.Word, league string) string {
	if w.Direct == nil {
		return w.Kind.String() + " " + league
	}
	return strings.TrimSuffix(w.Direct.String(league)+": "+w.Text, ": ")
}

// Told answers the words about leagues that change nothing, such as `standings`.
func Told(u *unit.Unit, c *unit.Call) error {
	if c.Word.Kind == order.Leagues {
		tales, err := Tales(u, c.Sender.Player)
		c.Sender.Answer.Answer.Sections = append(c.Sender.Answer.Answer.Sections, notice.Section{Kind: "leagues", Leagues: tales})
		return err
	}
	l, err := leagueNamed(u, c.Word, c.Sender.Player)
	if err != nil {
		return err
	}
	t := tale(u, l, c.Sender.ID)
	c.Sender.Answer.About(l)
	kind := "standings"
	if c.Word.Kind == order.League {
		kind = "league"
		t.Unanswered = unanswered(u, l)
		gamesInto(u, l, t, c.Sender.ID)
	}
	standings(u, l, t, c.Sender.ID)
	a := &c.Sender.Answer.Answer
	if slices.ContainsFunc(a.Sections, func(s notice.Section) bool { return s.Kind == "league" && s.League.ID == t.ID }) {
		return nil // which has the standings
	}
	a.Sections = slices.DeleteFunc(a.Sections, func(s notice.Section) bool { return s.Kind == "standings" && s.League.ID == t.ID })
	a.Sections = append(a.Sections, notice.Section{Kind: kind, League: t})
	return nil
}

// maxTold bounds a list of leagues.
const maxTold = 50

// Tales returns the leagues that a player may see, their own first.
func Tales(u *unit.Unit, p *store.Player) ([]notice.League, error) {
	rows, err := u.Tx.Leagues("", MaxLeagues)
	if err != nil {
		return nil, err
	}
	var own, others []notice.League
	all, err := Readable(u, rows)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		yes, err := shows(u, c, p)
		if err != nil {
			return nil, err
		}
		if !yes || c.State.Archived() || c.Row.Over && c.State.Player(p.ID) == nil {
			continue
		}
		t := tale(u, c, p.ID)
		if t.You != "" {
			own = append(own, *t)
		} else {
			others = append(others, *t)
		}
	}
	own = append(own, others...)
	return own[:min(len(own), maxTold)], nil
}

// Word carries out a word that changes something in a league. It asks first if the letter had
// no token, or the token of a turn that is over.
func Word(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	lost, err := lostBy(u, c)
	if err != nil {
		return err
	}
	if !w.Words && turns.Open(w) && lost == nil {
		err := Do(u, w.Player, c.Word, u.Command.Name, w.Answer)
		if err == nil {
			c.Done()
		}
		return err
	}
	if err := leagueMay(u, w.Player, c.Word); err != nil {
		return err
	}
	if !seating.MayAsk(u, c) {
		return nil
	}
	q, err := leagueQuestion(u, w.ID, w.Player.Address, c.Word)
	if err != nil {
		return err
	}
	if c.Word.Kind != order.NewLeague {
		l, err := leagueNamed(u, c.Word, w.Player)
		if err != nil {
			return err
		}
		w.Answer.About(l)
	}
	w.Answer.Confirm = q.ID
	c.Line.Status = notice.LineAsked
	text := c.Line.Text
	if r, _ := leagueRules(u, c.Word.Text, nil); c.Word.Kind == order.NewLeague && r != nil {
		text += ": " + r.Name
	}
	code := notice.AskLeague
	if lost != nil {
		code = notice.AskSure
	}
	w.Answer.Say(code, lost...).List = unit.Bounded([]string{text})
	return nil
}

// lostBy returns Lost of a word, if its writer may send it: then we ask first even if they
// answer a letter that we sent.
func lostBy(u *unit.Unit, c *unit.Call) ([]string, error) {
	if k := c.Word.Kind; k != order.Direct && k != order.Announce && k != order.AmendLeague {
		return nil, nil
	}
	if err := leagueMay(u, c.Sender.Player, c.Word); err != nil {
		return nil, err
	}
	l, err := leagueNamed(u, c.Word, c.Sender.Player)
	if err != nil {
		return nil, err
	}
	return Lost(u, l, c.Sender.Player, c.Word)
}

// askedLeague is the stored form of a word about a league that waits for a yes.
type askedLeague struct {
	Word    order.Word
	Called  string
	Invited bool  `json:",omitempty"` // a director asks them to join,
	By      int64 `json:",omitempty"` // this one; 0 the host
}

func leagueQuestion(u *unit.Unit, player int64, address string, w order.Word) (*store.Confirm, error) {
	lines, err := json.Marshal(askedLeague{Word: w, Called: u.Command.Name})
	if err != nil {
		return nil, err
	}
	open, err := u.Tx.OpenConfirms(store.ConfirmLeague, address)
	if err != nil {
		return nil, err
	}
	for _, c := range open { // a word said again, or a corrected file, takes the place of one still open
		var asked askedLeague
		if json.Unmarshal([]byte(c.Lines), &asked) == nil && asked.Word.Kind == w.Kind && asked.Word.Name == w.Name && asked.Word.Direct.String("") == w.Direct.String("") {
			c.Open = false
			u.Check(u.Tx.SaveConfirm(c))
		}
	}
	q := &store.Confirm{Kind: store.ConfirmLeague, Player: player, Address: address, Lines: string(lines)}
	u.Question(q)
	return q, nil
}

// Ask asks a stranger to confirm a league word. It repeats nothing of their
// letter but the league's own name.
func Ask(u *unit.Unit, w order.Word) error {
	d := gate.AnswerStranger(u, notice.None)
	text := w.Kind.String()
	if w.Name != "" {
		l, err := leagueNamed(u, w, &store.Player{Address: u.Command.From})
		if p := notice.AsProblem(err); p != nil {
			d.Result = notice.Refused
			d.Answer.Lines = []notice.LineResult{{N: 1, Text: text, Status: notice.LineRefused, Problem: &notice.Problem{Code: p.Code, Candidates: p.Candidates}}}
			return nil
		}
		if err != nil {
			return err
		}
		text += " " + l.Rules().Name
		d.About(l)
	}
	if w.Kind == order.Substitute && w.Arg != "" {
		text += " " + w.Arg
	}
	err := leagueMay(u, &store.Player{Address: u.Command.From}, w)
	if p := notice.AsProblem(err); p != nil {
		d.Result = notice.Refused
		d.Answer.Lines = []notice.LineResult{{N: 1, Text: text, Status: notice.LineRefused, Problem: p}}
		return nil
	}
	if err != nil {
		return err
	}
	q, err := leagueQuestion(u, 0, u.Command.From, w)
	if err != nil {
		return err
	}
	d.Confirm = q.ID
	d.Say(notice.AskLeague).List = []string{text}
	if w.Text == "" {
		u.AsksStranger(d)
	}
	d.Say(notice.TellNever)
	return nil
}

// Yes carries out the word that a yes confirms.
func Yes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	var asked askedLeague
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("word about a league: %w", err)
	}
	p, d, err := seating.Confirmer(u, w, c, asked.Called)
	if err != nil {
		return err
	}
	if asked.Invited {
		err = enlisted(u, p, asked, u.Command.Name, d)
	} else {
		err = Do(u, p, asked.Word, asked.Called, d)
	}
	seating.Settle(d, w, asked.Word.Kind, err)
	return err
}

// leagueMay returns why a player cannot use a word, nil if they can, as far as we know before
// they say yes.
func leagueMay(u *unit.Unit, p *store.Player, w order.Word) error {
	if w.Kind == order.NewLeague {
		return mayMake(u, p, w.Text)
	}
	c, err := leagueNamed(u, w, p)
	if err != nil {
		return err
	}
	if comesOrGoes(w.Kind) && !u.ByHost {
		if n := u.Counted(comesAndGoes(c, p), u.Day()); n >= maxComeAndGo {
			return notice.Refuse(notice.ProblemMany, "word", w.Kind.String(), "n", strconv.Itoa(maxComeAndGo))
		}
	}
	in := c.State.Player(p.ID)
	switch w.Kind {
	case order.AmendLeague:
		return mayAmend(u, c, p, w.Text)
	case order.JoinLeague:
		return mayJoin(u, c, p)
	case order.LeaveLeague:
		if in == nil || !in.In() {
			return Problem(c, notice.ProblemNoMember)
		}
	case order.Substitute:
		switch {
		case w.Arg == "no" && (in == nil || !in.Substitute):
			return Problem(c, notice.ProblemNotReady)
		case w.Arg == "" && !c.Rules().TakesSubstitutes():
			return Problem(c, notice.ProblemNoSubstitute)
		case w.Arg == "" && (in == nil || in.Expelled): // a stranger to the league comes as if joining
			return mayCome(u, c, p)
		}
	case order.Direct:
		return mayDirect(u, c, p, w.Direct)
	case order.Announce:
		yes, err := leagues.Directs(u, c, p)
		if err != nil {
			return err
		}
		if !yes {
			return Problem(c, notice.ProblemDirector)
		}
		if u.Counted("announce/"+c.Row.ID, u.Day()) >= maxAnnounced {
			return notice.Refuse(notice.ProblemMany, "word", order.Announce.String(), "n", strconv.Itoa(maxAnnounced))
		}
	}
	return nil
}

// comesOrGoes reports whether a word is one with which a player joins a league,
// leaves it, or is its substitute.
func comesOrGoes(k order.WordKind) bool {
	return k == order.JoinLeague || k == order.LeaveLeague || k == order.Substitute
}

// comesAndGoes is the key of the counter for a player's joining and leaving a league.
func comesAndGoes(c *unit.League, p *store.Player) string {
	return "come/" + c.Row.ID + "/" + strconv.FormatInt(p.ID, 10)
}

// Problem returns a problem that names the league.
func Problem(c *unit.League, code string) *notice.Problem {
	return notice.Refuse(code, "league", c.Rules().Name)
}

// leave takes a player out of a league, and returns their division, nil if they had none.
func leave(u *unit.Unit, c *unit.League, player int64) (*league.Division, error) {
	u.Leaves = true
	division := c.State.Division(player)
	if err := u.Enter(c, league.Line{Kind: league.Leave, By: player, Player: player}); err != nil {
		return nil, err
	}
	if division != nil { // as it is now
		division = divisionOf(c.State.Season(), player)
	}
	return division, leftLeague(u, c, player, division)
}

// Readable returns the leagues of some rows, except those whose log can't be read.
func Readable(u *unit.Unit, rows []store.League) (out []*unit.League, err error) {
	for _, row := range rows {
		c, err := u.League(row.ID)
		if u.Replays.Without(row.ID, err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// Joined lists the leagues that go on in which a player takes part.
func Joined(u *unit.Unit, player int64) (out []*unit.League, err error) {
	rows, err := u.Tx.LeaguesOf(player)
	if err != nil {
		return nil, err
	}
	all, err := Readable(u, rows)
	for _, c := range all {
		if x := c.State.Player(player); !c.Row.Over && x != nil && x.In() {
			out = append(out, c)
		}
	}
	return out, err
}

// LeaveAll takes a player out of every league that goes on, and of its substitutes.
func LeaveAll(u *unit.Unit, player int64) error {
	rows, err := u.Tx.LeaguesOf(player)
	if err != nil {
		return err
	}
	all, err := Readable(u, rows)
	if err != nil {
		return err
	}
	for _, c := range all {
		x := c.State.Player(player)
		if x == nil || c.Row.Over {
			continue
		}
		if x.Substitute {
			if err := u.Enter(c, league.Line{Kind: league.Substitute, By: player, Player: player, No: true}); err != nil {
				return err
			}
		}
		if c.State.Player(player).In() {
			if _, err := leave(u, c, player); err != nil {
				return err
			}
		}
	}
	return nil
}

// Do carries out a word that changes something in a league; d is the answer to its writer.
func Do(u *unit.Unit, p *store.Player, w order.Word, called string, d *unit.Draft) error {
	if err := leagueMay(u, p, w); err != nil {
		return err
	}
	if w.Kind == order.NewLeague {
		c, err := Make(u, w.Text, p)
		if err != nil {
			return err
		}
		sayLeague(u, c, p, d, notice.SayLeagueMade, "id", c.Row.ID)
		for _, code := range Odd(c.Rules()) {
			d.Say(code)
		}
		return nil
	}
	c, err := leagueNamed(u, w, p)
	if err != nil {
		return err
	}
	if comesOrGoes(w.Kind) { // others learn of it by letter
		u.Bump(comesAndGoes(c, p), u.Day())
	}
	switch w.Kind {
	case order.JoinLeague:
		return Join(u, c, p, w.Text, called, d)
	case order.LeaveLeague:
		division, err := leave(u, c, p.ID)
		if err != nil {
			return err
		}
		sayLeague(u, c, p, d, notice.SayLeagueLeft, whenLost(c, division, p.ID)...)
		return nil
	case order.Substitute:
		if err := u.Enter(c, league.Line{Kind: league.Substitute, By: p.ID, Player: p.ID, No: w.Arg == "no"}); err != nil {
			if errors.Is(err, league.ErrFull) {
				return Problem(c, notice.ProblemFull)
			}
			return err
		}
		if w.Arg == "no" {
			sayLeague(u, c, p, d, notice.SayNoSubstitute)
			return nil
		}
		sayLeague(u, c, p, d, notice.SaySubstitute)
		return nil
	case order.Direct:
		return Direct(u, c, w, p, d)
	case order.Announce:
		return Announce(u, c, p, w.Text, d)
	case order.AmendLeague:
		back := Unamended(u, c, p, w)
		changed, err := Amend(u, c, w.Text, p)
		if err != nil {
			return err
		}
		if len(changed) == 0 {
			sayLeague(u, c, p, d, notice.SayAmendedNot)
			return nil
		}
		d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "amended", Changes: changed[:min(len(changed), maxChanges)]})
		sayLeague(u, c, p, d, notice.SayAmended)
		if back != "" {
			d.Offer(notice.CommandBack, "line", "amend "+c.Rules().Name, "why", "false").List = strings.Split(strings.TrimSpace(back), "\n")
		}
		for _, code := range Odd(c.Rules()) {
			d.Say(code)
		}
		return nil
	}
	return notice.Refuse(notice.ProblemNotNow, "word", w.Kind.String())
}

// sayLeague answers a word and adds the league's state.
func sayLeague(u *unit.Unit, c *unit.League, p *store.Player, d *unit.Draft, code string, args ...string) {
	d.About(c)
	d.Say(code, append([]string{"league", c.Rules().Name}, args...)...)
	t := tale(u, c, p.ID)
	d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "league", League: t})
}

// mayJoin returns why a player cannot join a league, nil if they can.
func mayJoin(u *unit.Unit, c *unit.League, p *store.Player) error {
	if in := c.State.Player(p.ID); in != nil && in.In() {
		if in.Silent() { // that they are there
			return nil
		}
		return Problem(c, notice.ProblemMember)
	}
	err := mayCome(u, c, p)
	if err != nil {
		return err
	}
	_, next := c.State.Opens()
	takes, back := c.State.Takes(p.ID)
	switch {
	case !next && !takes: // they would wait forever
		return Problem(c, notice.ProblemLastSeason)
	case c.State.Full() && !back:
		return Problem(c, notice.ProblemFull)
	}
	return nil
}

// mayCome returns why a player who is not in a league cannot be its substitute, or join
// it if there is room; nil if they can.
func mayCome(u *unit.Unit, c *unit.League, p *store.Player) error {
	r := c.Rules()
	if in := c.State.Player(p.ID); in != nil && in.Expelled {
		return Problem(c, notice.ProblemExpelled)
	}
	if _, ok := c.State.Opens(); !ok && (c.State.Season() == nil || !c.State.Season().Running()) || c.Row.Over {
		return Problem(c, notice.ProblemClosed)
	}
	switch {
	case r.Join == "known" && !p.Registered:
		return Problem(c, notice.ProblemKnown)
	case r.Join == "list":
		yes, err := leagues.Among(u, r.Admitted, p)
		if err != nil {
			return err
		}
		if !yes {
			return Problem(c, notice.ProblemAdmitted)
		}
	}
	return secondSeat(u, c, p)
}

// secondSeat refuses a player whose mailbox, in another spelling, has a seat in the league
// or is its substitute: one person, one seat.
func secondSeat(u *unit.Unit, c *unit.League, p *store.Player) error {
	boxes := map[string]bool{unit.Mailbox(p.Address): true}
	same := func(id int64) (bool, error) {
		rows, err := u.Tx.Addresses(id)
		return slices.ContainsFunc(rows, func(a store.Address) bool { return boxes[unit.Mailbox(a.Address)] }), err
	}
	if p.ID != 0 {
		own, err := u.Tx.Addresses(p.ID)
		if err != nil {
			return err
		}
		for _, a := range own {
			boxes[unit.Mailbox(a.Address)] = true
		}
	}
	for _, x := range c.State.Players {
		if x.ID == p.ID || !x.In() && !x.Substitute {
			continue
		}
		yes, err := same(x.ID)
		if err != nil {
			return err
		}
		if yes {
			return notice.Refuse(notice.ProblemSecondSeat, "league", c.Rules().Name, "name", u.LeagueNames(c)[x.ID])
		}
	}
	return nil
}

// Join adds a player to a league, under the name that they give, their own, or the one in their
// letter.
func Join(u *unit.Unit, c *unit.League, p *store.Player, name, called string, d *unit.Draft) error {
	if name != "" {
		taken := func(name string) bool { return u.TakenIn(c, name, p.ID) }
		proper, ok := u.ProperName(name)
		switch {
		case !ok:
			return u.BadName(name, taken)
		case taken(proper):
			return u.NameTaken(proper, taken)
		}
		p.Name = proper
	} else if proper, ok := u.ProperName(called); ok && p.Name == "" {
		p.Name = proper
	}
	if in := c.State.Player(p.ID); in != nil && in.In() {
		return here(u, c, p, d)
	}
	_, back := c.State.Takes(p.ID)
	by := p.ID
	if u.ByHost { // who lets in even those who were expelled
		by = 0
	}
	if err := u.Enter(c, league.Line{Kind: league.Join, By: by, Player: p.ID}); err != nil {
		return full(c, err)
	}
	if err := leagues.SetMuted(u, c.Row.ID, p.ID, false); err != nil { // players who join want its letters
		return err
	}
	names := u.LeagueNames(c)
	args := whenPlays(u, c, p, back)
	sayLeague(u, c, p, d, notice.SayLeagueJoined, append(args, "name", names[p.ID])...)
	if p.Name == "" {
		d.Say(notice.AskName, "name", names[p.ID])
	}
	return offerPlaces(u, c, p.ID)
}

// whenPlays returns, as arguments for letters, when a player who has just joined a league
// begins to play, if a season runs. back: they have their place again.
func whenPlays(u *unit.Unit, c *unit.League, p *store.Player, back bool) []string {
	x := c.State.Season()
	switch {
	case x == nil || !x.Running():
		return nil
	case back:
		return []string{"then", "back"}
	case c.State.Division(p.ID) != nil:
		return []string{"then", "soon"}
	}
	at, next := c.State.Opens()
	if !next { // the host has let them in
		return []string{"then", "final"}
	}
	zone := u.ZoneOf(p.ID)
	n := slices.Index(c.State.Waiting(), p.ID) + 1
	return []string{"then", "waits", "season", strconv.Itoa(x.N), "n", strconv.Itoa(n), "time", unit.When(at, zone)}
}
