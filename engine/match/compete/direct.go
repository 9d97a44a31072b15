package compete

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// What a director does with a whole league, or a part of it: each player concerned gets
// one letter about all of their games.

// maxDirected bounds the directions by letter to a league in a day: each may be a letter to all
// of its players.
const maxDirected = 20

// mayDirect returns why a player cannot give a direction, nil if they can. The whole
// league is the director's, or an assistant's while the director is away.
func mayDirect(u *unit.Unit, c *unit.League, p *store.Player, d *order.Direction) error {
	directs, heads, err := leagues.Heads(u, c, p)
	switch {
	case err != nil:
		return err
	case !directs:
		return Problem(c, notice.ProblemDirector)
	case !heads && !aboutGames(d) && d.Kind != order.DirectTakeOver:
		return Problem(c, notice.ProblemHead)
	case u.Counted("direct/"+c.Row.ID, u.Day()) >= maxDirected:
		return notice.Refuse(notice.ProblemMany, "word", string(d.Kind), "n", strconv.Itoa(maxDirected))
	}
	return (&directing{u: u, c: c, p: p, word: order.Word{Direct: d}}).can()
}

// can returns why a direction that we ask about first makes no sense, nil if it does.
func (x *directing) can() error {
	switch x.word.Direct.Kind {
	case order.DirectStart:
		return x.mayStart()
	case order.DirectExpel:
		return x.mayExpel()
	case order.DirectDelete:
		return x.mayDelete()
	case order.DirectTakeOver:
		if x.p == nil { // the host amends the file
			return Problem(x.c, notice.ProblemDirector)
		}
		if x.word.Direct.No {
			return x.mayHandBack()
		}
		return mayTakeOver(x.u, x.c, x.p)
	}
	return nil
}

// part reports whether a direction is about a part of the league only.
func part(d *order.Direction) bool { return d.Division > 0 || d.Round > 0 || d.Player != "" }

// aboutGames reports whether a direction changes only games; a director rules over each of them
// or not.
func aboutGames(d *order.Direction) bool {
	return d.Kind == order.DirectExtend || part(d) && (d.Kind == order.DirectPause || d.Kind == order.DirectResume)
}

// Lost returns what a word changes that no other word can restore, for the question that we ask
// first; nil if we don't ask. p is its writer, nil the host, who can amend any file.
func Lost(u *unit.Unit, c *unit.League, p *store.Player, w order.Word) (args []string, err error) {
	then, n := "", c.State.Members()
	switch {
	case w.Kind == order.Announce:
		readers, err := readersOf(u, c)
		if err != nil {
			return nil, err
		}
		if then, n = "announce", len(readers); p != nil && slices.Contains(readers, p.ID) {
			n--
		}
	case w.Kind == order.AmendLeague:
		r, err := amendment(u, c, w.Text)
		if err != nil {
			return nil, err
		}
		switch {
		case p != nil && len(r.Directors) > 0 && r.Directors[0] != "" && r.Directors[0] != c.Rules().Directors[0]:
			return []string{"then", "office", "league", c.Rules().Name, "name", r.Directors[0]}, nil
		case r.Visibility == store.Private && c.Rules().Visibility != store.Private && len(c.State.Players) > 0:
			then = "private"
		}
	case w.Direct == nil:
	case w.Direct.Kind == order.DirectExpel, w.Direct.Kind == order.DirectDelete && len(c.State.Seasons) == 0:
		then = string(w.Direct.Kind)
	}
	if then == "" {
		return nil, nil
	}
	args = []string{"then", then, "league", c.Rules().Name, "n", strconv.Itoa(n)}
	if then != string(order.DirectExpel) {
		return args, nil
	}
	x := &directing{u: u, c: c, p: p, word: w}
	if q, err := x.invitation(); err != nil || q != nil {
		return append(args, "name", w.Direct.Player, "games", "0"), err
	}
	id, err := x.member()
	if err != nil {
		return nil, err
	}
	seats, err := x.seatsOf(id)
	return append(args, "name", u.LeagueNames(c)[id], "games", strconv.Itoa(len(seats))), err
}

// needsReason reports whether the director must give a reason, which players read.
func needsReason(d *order.Direction) bool {
	return !d.No && d.Kind != order.DirectAdd && d.Kind != order.DirectRename && d.Kind != order.DirectTakeOver
}

// Direct carries out a direction; p is its director, nil the host, and d the answer to the
// director's letter, if there is one.
func Direct(u *unit.Unit, c *unit.League, w order.Word, p *store.Player, d *unit.Draft) error {
	if p != nil {
		u.Bump("direct/"+c.Row.ID, u.Day())
	}
	w.Text = naming.Unlinked(naming.Clean(u.NFC(w.Text), false))
	switch {
	case w.Text == "" && needsReason(w.Direct):
		return notice.Refuse(order.NoReason, "word", string(w.Direct.Kind)+" league")
	case len(w.Text) > order.MaxReason:
		return notice.Refuse(order.LongText)
	}
	x := &directing{u: u, c: c, p: p, word: w, of: map[int64][]told{}}
	if err := x.can(); err != nil {
		return err
	}
	do := map[order.DirectionKind]func() error{
		order.DirectExtend: x.games, order.DirectPause: x.games, order.DirectResume: x.games, order.DirectClose: x.close, order.DirectStart: x.start,
		order.DirectRename: x.rename, order.DirectDelete: x.delete, order.DirectAdd: x.add, order.DirectExpel: x.expel, order.DirectMove: x.move,
		order.DirectTakeOver: x.takeOver,
	}[w.Direct.Kind]
	if err := do(); err != nil || d == nil {
		return err
	}
	if !x.gone {
		d.About(c)
	}
	code := notice.SayDirected
	switch {
	case !x.asked.IsZero():
		u.SayTime(d, notice.SayOfficeAsked, x.asked, "league", c.Rules().Name)
		x.sayChange(d)
		return nil
	case w.Direct.Kind == order.DirectTakeOver && !x.withdrawn: // the news are in the answer
		code = ""
	case x.invited:
		code = notice.SayLeagueInvited
	}
	if code != "" {
		d.Say(code, "league", c.Rules().Name, "n", strconv.Itoa(x.letters), "name", w.Direct.Player)
	}
	x.sayChange(d)
	if len(x.skipped) > 0 {
		d.Say(notice.SaySkipped).List = unit.Bounded(x.skipped)
	}
	return nil
}

// directing is a direction while it is carried out.
type directing struct {
	u    *unit.Unit
	c    *unit.League
	p    *store.Player // nil: the host
	word order.Word

	of      map[int64][]told // what it comes to, by player
	skipped []string         // games over which the director cannot rule
	letters int
	gone    bool      // there is no such league any more
	invited bool      // the player has an open invitation
	asked   time.Time // deadline for the director to refuse that another takes over

	changed   []string // arguments of notice.SayChanged; none: it has nothing to tell
	list      []string // of it
	back      string   // the line that takes it all back; "" there is none
	withdrawn bool     // the question whether another takes over
}

// changes records, for the director, the state before and after, and the line that takes it
// back.
func (x *directing) changes(then, back string, args ...string) {
	x.changed, x.back = append([]string{"then", then, "league", x.c.Rules().Name}, args...), back
}

// sayChange tells the director the state before and after, and what takes it back.
func (x *directing) sayChange(d *unit.Draft) {
	if x.changed == nil {
		return
	}
	d.Say(notice.SayChanged, x.changed...).List = unit.Bounded(x.list)
	if x.back != "" {
		line, why := strings.CutSuffix(x.back, ": ")
		d.Offer(notice.CommandBack, "line", line, "why", strconv.FormatBool(why))
	}
}

// undoing formats a direction about the league as the line that takes another back. It ends
// with ": " if the director must add a reason.
func (x *directing) undoing(d order.Direction) string {
	s := d.String(x.c.Rules().Name)
	if needsReason(&d) {
		s += ": "
	}
	return s
}

// when is a moment as the director reads it, "none" for none.
func (x *directing) when(at time.Time) string {
	if at.IsZero() {
		return "none"
	}
	zone := time.UTC
	if x.p != nil {
		zone = x.u.ZoneOf(x.p.ID)
	}
	return unit.When(at, zone)
}

// told is the effect of a direction on a player in one game.
type told struct {
	game  string
	until time.Time // the player's deadline, zero: none
}

// line is the direction as a line of the league's log.
func (x *directing) line(kind string) league.Line {
	l := league.Line{Kind: kind, Text: x.word.Text}
	if x.p != nil {
		l.By = x.p.ID
	}
	return l
}

// games carries out a direction about games: more time, or clocks that stop or go on.
func (x *directing) games() error {
	d := x.word.Direct
	line := x.line(string(d.Kind))
	line.Division, line.Round = d.Division, d.Round
	args := []string{}
	switch { // which part
	case d.Division > 0:
		args = append(args, "of", "division", "n", strconv.Itoa(d.Division))
	case d.Round > 0:
		args = append(args, "of", "round", "n", strconv.Itoa(d.Round))
	case d.Player != "":
		if line.Player = x.u.MemberNamed(x.c, d.Player); line.Player == 0 {
			return notice.Refuse(order.NoName, "word", d.Player)
		}
		args = append(args, "of", "player", "name", x.u.LeagueNames(x.c)[line.Player])
	}
	back := *d
	if d.Time != "" {
		line.Args = []string{"by", d.Time}
		time, less := strings.CutPrefix(strings.Replace(d.Time, "−", "-", 1), "-")
		args = append(args, "time", time, "less", strconv.FormatBool(less))
		back.Time = clock.Reversed(d.Time)
	}
	st := x.c.State
	stop, closed := st.Stop(d.Division), st.Closed && !slices.ContainsFunc(st.Stops, func(l league.Line) bool { return l.Kind == league.Pause })
	archived := st.Archived()
	done, err := x.each(line)
	if err != nil {
		return err
	}
	stops := !part(d) && (d.Kind == order.DirectPause || d.Kind == order.DirectResume && (!st.Paused.IsZero() || st.Closed))
	if line.Later, err = x.later(); err != nil {
		return err
	}
	stops = stops || d.Division > 0 && (d.Kind == order.DirectPause) == (st.Stop(d.Division) == nil) && x.divides(d)
	if done == 0 && !stops && line.Later == 0 {
		if len(x.skipped) > 0 {
			return notice.Refuse(notice.ProblemOwnGame, "word", x.skipped[0])
		}
		return Problem(x.c, notice.ProblemNoGames)
	}
	if done == 0 && x.p != nil { // what is left is the league's calendar, which is the head's
		if _, heads, err := leagues.Heads(x.u, x.c, x.p); err != nil {
			return err
		} else if !heads {
			return Problem(x.c, notice.ProblemHead)
		}
	}
	wasClosed := st.Closed
	if err := x.u.Enter(x.c, line); err != nil {
		if errors.Is(err, league.ErrSeason) {
			return Problem(x.c, notice.ProblemNoGames)
		}
		return err
	}
	var concerned []int64
	switch {
	case stops && d.Division > 0:
		concerned = x.c.State.Season().Divisions[d.Division-1].In()
	case line.Later > 0:
		concerned = x.c.State.Season().Divisions[0].In()
	case stops: // all wait for what begins next
		if concerned, err = readersOf(x.u, x.c); err != nil {
			return err
		}
	}
	x.concern(concerned)
	switch {
	case stops && d.Division > 0:
		args = append(args, "then", "begins")
	case stops && wasClosed:
		x.reopen()
		args = append(args, "then", "open")
	case stops:
		x.reopen()
		args = append(args, "then", "all")
	case line.Later > 0:
		args = append(args, "then", "later")
	}
	since := "none"
	switch d.Kind {
	case order.DirectPause:
		back.Kind = order.DirectResume
	case order.DirectResume:
		if back.Kind = order.DirectPause; stop != nil {
			since = x.when(stop.At)
		}
		switch {
		case closed && archived:
			back.Kind = order.DirectDelete
		case closed:
			back.Kind = order.DirectClose
		}
	}
	what := "part"
	switch {
	case archived:
		what = "archived"
	case closed:
		what = "closed"
	case stops && !part(d):
		what = "all"
	}
	x.changes(string(d.Kind), x.undoing(back), "n", strconv.Itoa(done), "what", what, "since", since, "later", strconv.FormatBool(line.Later != 0), "time", d.Time)
	x.tell(map[order.DirectionKind]string{
		order.DirectExtend: notice.TellLeagueExtended, order.DirectPause: notice.TellLeaguePaused, order.DirectResume: notice.TellLeagueResumed,
	}[d.Kind], args...)
	return nil
}

// divides reports whether the running season has the division of a direction.
func (x *directing) divides(d *order.Direction) bool {
	s := x.c.State.Season()
	return s != nil && s.Running() && d.Division <= len(s.Divisions)
}

// later returns by how many seconds the end of the league's present round moves; 0 if the
// direction is not about it, or if rounds end only with their games.
func (x *directing) later() (int, error) {
	d, s := x.word.Direct, x.c.State.Season()
	if d.Kind != order.DirectExtend || d.Round == 0 || s == nil || !s.Running() || !s.Timed() || d.Round != s.Round {
		return 0, nil
	}
	by, err := clock.TimeChanged(d.Time)
	return int(by / time.Second), err
}

// concern adds players who get a letter, whether one of their games is concerned or not.
func (x *directing) concern(players []int64) {
	for _, id := range players {
		if _, ok := x.of[id]; !ok {
			x.of[id] = nil
		}
	}
}

// reopen updates the row of a league that may go on after it was closed.
func (x *directing) reopen() {
	_, more := x.c.State.Opens()
	if s := x.c.State.Season(); more || s != nil && s.Running() {
		x.c.Row.Over = false
	}
	x.c.Row.Visibility = visibility(x.c)
}

// visibility is who may find a league: lists do not show one that is archived.
func visibility(c *unit.League) string {
	if c.State.Archived() && c.Rules().Visibility == store.Listed {
		return store.Unlisted
	}
	return c.Rules().Visibility
}

// each applies the direction to each game that it is about, and returns their number.
func (x *directing) each(line league.Line) (done int, err error) {
	s := x.c.State.Season()
	if s == nil || !s.Running() {
		return 0, nil
	}
	for _, division := range s.Divisions {
		if line.Division > 0 && line.Division != division.N {
			continue
		}
		for _, f := range division.Fixtures {
			if f.Game == "" || f.Over() || line.Round > 0 && line.Round != f.Round {
				continue
			}
			t, err := x.u.Game(f.Game)
			if err != nil {
				return done, err
			}
			if !t.Running() || t.Pace().Turn == 0 || line.Player != 0 && t.Of(line.Player) == nil {
				continue
			}
			did, err := x.game(t, line, x.c.Rules().Name+" "+leagues.Number(x.c.State, f))
			if err != nil {
				return done, err
			}
			if did {
				done++
			}
		}
	}
	return done, nil
}

// game applies the direction to a game, if its director rules over it and there is anything to
// change.
func (x *directing) game(t *unit.Game, line league.Line, name string) (bool, error) {
	u, kind := x.u, x.word.Direct.Kind
	var seats []*store.Seat // that get more time
	switch kind {
	case order.DirectExtend:
		for i := range t.Seats {
			if s := &t.Seats[i]; !s.Deadline.IsZero() && (line.Player == 0 || s.Player == line.Player) {
				seats = append(seats, s)
			}
		}
		if len(seats) == 0 {
			return false, nil
		}
	case order.DirectPause:
		if !t.Row.Paused.IsZero() {
			return false, nil
		}
	case order.DirectResume: // not what its players have agreed to
		if !slices.ContainsFunc(x.c.State.Pauses, func(at time.Time) bool { return at.UnixMilli() == t.Row.Paused.UnixMilli() }) {
			return false, nil
		}
	}
	by := leagues.Ruler{}
	if x.p != nil {
		var err error
		if _, by, err = leagues.RuledBy(u, x.p, t.Row.ID); notice.AsProblem(err) != nil {
			x.skipped = append(x.skipped, name)
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	ruling := notice.Ruling{At: u.At, By: by.Player, Who: by.Name, Kind: order.RulingKind(kind), Reason: x.word.Text, Step: t.Step()}
	if kind != order.DirectExtend {
		if err := clock.StopClocks(u, t, kind == order.DirectPause); err != nil {
			return false, err
		}
		if err := x.note(t, ruling); err != nil {
			return false, err
		}
	}
	for _, s := range seats {
		by, err := clock.TimeChanged(line.Args[1])
		if err != nil {
			return false, err
		}
		was := s.Deadline
		if err := clock.GiveTime(u, t, s, by); err != nil {
			return false, err
		}
		x.list = append(x.list, name+", "+s.Name+": "+x.when(was)+" → "+x.when(s.Deadline))
		ruling.Seat, ruling.Name, ruling.Until = s.Seat, s.Name, s.Deadline
		if err := x.note(t, ruling); err != nil {
			return false, err
		}
	}
	for i := range t.Seats {
		if s := &t.Seats[i]; s.Player != 0 && (s.Bot == "" || s.Stage == store.SeatAbsent) && (kind != order.DirectExtend || slices.Contains(seats, s)) {
			x.of[s.Player] = append(x.of[s.Player], told{name, s.Deadline})
		}
	}
	return true, nil
}

// note stores a ruling with the game's other rulings, unless players have appealed against the
// last one: then it would look like the answer to the appeal.
func (x *directing) note(t *unit.Game, r notice.Ruling) error {
	all, err := x.u.Tx.Rulings(t.Row.ID)
	if err != nil {
		return err
	}
	if appealed, _ := leagues.Appealed(all); appealed == nil {
		x.u.Check(x.u.Tx.AddRuling(t.Row.ID, &r))
	}
	t.Row.Changed = x.u.At
	return nil
}

// said returns the director's name and the reason, as arguments for letters.
func (x *directing) said() (args []string) {
	if x.p == nil {
		args = append(args, "by", "host")
	} else {
		args = append(args, "who", cmp.Or(x.u.NameIn(x.c, x.p), x.c.Rules().Name))
	}
	if x.word.Text != "" {
		args = append(args, "has", "reason", "reason", x.word.Text)
	}
	return args
}

// tell tells each player concerned, once, what the director did, why, and what it means for
// their games.
func (x *directing) tell(code string, args ...string) {
	args = append(args, x.said()...)
	ids := make([]int64, 0, len(x.of))
	for id := range x.of {
		if x.p == nil || id != x.p.ID || len(x.of[id]) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	x.u.LoadPlayers(ids)
	for _, id := range ids {
		d := x.letter(id, code, args...)
		own := x.word.Direct.Kind == order.DirectExpel || x.word.Direct.Kind == order.DirectAdd
		d.Asked = d.Asked || own || len(x.of[id]) > 0 // muted or not: it is about them, or their game
		games := x.of[id]
		for _, g := range games[:min(len(games), maxGamesTold)] {
			if g.until.IsZero() {
				d.Say(notice.TellLeagueGame, "game", g.game)
			} else {
				x.u.SayTime(d, notice.TellLeagueUntil, g.until, "game", g.game)
			}
		}
		x.letters++
	}
}

// letter begins a letter to a player about the direction.
func (x *directing) letter(id int64, code string, args ...string) *unit.Draft {
	if !x.gone {
		return tellLeague(x.u, x.c, id, code, args...)
	}
	d := x.u.DraftFor(id, nil, notice.KindInfo)
	d.Say(code, append([]string{"league", x.c.Rules().Name}, args...)...)
	return d
}

// maxGamesTold bounds the games that one letter lists.
const maxGamesTold = 20

// close ends the league with the season that runs, or at once where none does. Its pages
// stay.
func (x *directing) close() error {
	c := x.c
	if _, ok := c.State.Opens(); !ok {
		return Problem(c, notice.ProblemClosed)
	}
	readers, err := readersOf(x.u, c)
	if err != nil {
		return err
	}
	opens, _ := c.State.Opens()
	x.changes("close", x.undoing(order.Direction{Kind: order.DirectResume}), "opens", x.when(opens))
	if err := x.u.Enter(c, x.line(league.Close)); err != nil {
		return err
	}
	x.concern(readers)
	if s := c.State.Season(); s != nil && s.Running() {
		x.tell(notice.TellClosing, "then", "season")
	} else {
		c.Row.Over = true
		x.tell(notice.TellClosing)
	}
	return nil
}
