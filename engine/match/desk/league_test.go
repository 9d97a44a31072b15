package desk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/look"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A small league: tables of two, divisions of three, each pair meets once.
const tin = `name: Tin League
director: dora@home.test
table: 2
division: 3
at once: 1
start: 2026-12-01
season: 4 weeks
break: 1 week
up: 1
down: 1
clock: 3d
`

// league returns the state of a league.
func (o *office) league(id string) *look.League {
	o.t.Helper()
	l, err := o.desk.Host().League(context.Background(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return l
}

// made makes a league of a file, as the host; without check-in, unless the file has it, as
// players of these tests let bots play.
func (o *office) made(file string) string {
	o.t.Helper()
	if !strings.Contains(file, "check in:") {
		file = strings.TrimRight(file, "\n") + "\ncheck in: 0 days\n"
	}
	id, err := o.desk.NewLeague(context.Background(), file)
	if err != nil {
		o.t.Fatal(err)
	}
	return id
}

// joins lets players join a league by letter; new players say yes.
func (o *office) joins(league string, names ...string) {
	o.t.Helper()
	for _, name := range names {
		o.send(o.letter(at(name), o.token(at(name)), "join league "+league+", "+strings.ToUpper(name[:1])+name[1:]))
		if slices.Contains(remarks(o.last(name)), notice.AskLeague) {
			o.write(name, "yes")
		}
		if !slices.ContainsFunc(o.box[at(name)], func(r notice.Message) bool { return slices.Contains(remarks(r), notice.SayLeagueJoined) }) {
			o.t.Fatalf("%s has not joined: %s", name, summary(o.last(name)))
		}
	}
}

// until lets time pass up to a day, and does what falls due on the way.
func (o *office) until(day string) (out []notice.Message) {
	o.t.Helper()
	end, err := time.Parse(time.DateOnly, day)
	if err != nil {
		o.t.Fatal(err)
	}
	for range 10_000 {
		next, err := o.desk.NextDue(context.Background())
		if err != nil {
			o.t.Fatal(err)
		}
		if next.IsZero() || next.After(end) {
			o.now = end
			return out
		}
		if next.After(o.now) {
			o.now = next
		}
		out = append(out, o.due(0)...)
	}
	o.t.Fatal("it never ends")
	return nil
}

// playOut ends a game of a league at once: all players resign and bots play.
func (o *office) playOut(id string) {
	o.t.Helper()
	for {
		var token, to string
		for _, box := range o.box {
			for _, r := range box {
				if r.Game == id && r.Seat > 0 && r.Token != "" && !o.gone[r.To+id] {
					token, to = r.Token, r.To
				}
			}
		}
		if to == "" {
			return
		}
		if o.gone == nil {
			o.gone = map[string]bool{}
		}
		o.gone[to+id] = true
		_, asked := o.send(o.letter(to, token, "resign"))
		if slices.Contains(remarks(asked[0]), notice.AskResign) { // no bot has their seat yet
			o.confirmed(to, asked)
		}
	}
}

// running are the games of a league that are being played.
func (o *office) running(id string) (out []*league.Fixture) {
	o.t.Helper()
	for _, f := range o.league(id).State.Fixtures {
		if f.Game != "" && !f.Over() {
			out = append(out, f)
		}
	}
	return out
}

// mail are the letters with a remark, by reader's name.
func mail(letters []notice.Message, code string) map[string]notice.Message {
	out := map[string]notice.Message{}
	for _, r := range letters {
		if slices.Contains(remarks(r), code) {
			name, _, _ := strings.Cut(r.To, "@")
			out[name] = r
		}
	}
	return out
}

func section(t *testing.T, r notice.Message, kind string) notice.Section {
	t.Helper()
	for _, s := range r.Answer.Sections {
		if s.Kind == kind {
			return s
		}
	}
	t.Fatalf("no section %s: %s", kind, summary(r))
	return notice.Section{}
}

// TestLeague: a league is made, players join it by letter, its season begins on its day, its
// games begin as their players have room, and give its results. It ends with the last of them,
// and the next season opens automatically, with players moved up and down.
func TestLeague(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	if id != "tin-league" {
		t.Fatal(id)
	}
	names := []string{"ada", "bo", "cy", "di", "ed", "flo"}
	o.joins("tin", names...)
	if out := o.until("2026-11-30"); len(out) != 0 {
		t.Fatalf("letters before the season: %+v", out)
	}
	out := o.until("2026-12-02")
	begun := mail(out, notice.TellSeasonIn)
	if len(begun) != len(names) {
		t.Fatalf("%d of %d were told of the season", len(begun), len(names))
	}
	for i, name := range names {
		tale := section(t, begun[name], "schedule").League
		if tale.Division != i/3+1 || len(tale.Games) != 2 || tale.Season != 1 {
			t.Errorf("%s: %+v", name, tale)
		}
		for _, g := range tale.Games {
			if g.Names[g.Seat-1] != strings.ToUpper(name[:1])+name[1:] || len(g.Names) != 2 {
				t.Errorf("%s: %+v", name, g)
			}
		}
	}
	for _, name := range names { // one letter for the season, and one for a game
		n := 0
		for _, r := range out {
			if r.To == at(name) {
				n++
			}
		}
		if n < 1 || n > 2 {
			t.Errorf("%d letters to %s", n, name)
		}
	}
	// One game at a time: of three players two play.
	if games := o.running(id); len(games) != 2 {
		t.Fatalf("%d games run", len(games))
	}
	seats := map[string]bool{}
	for n := 0; len(o.running(id)) > 0; n++ {
		if n > 20 {
			t.Fatal("the season does not end")
		}
		f := o.running(id)[0]
		var row store.Game
		var places []store.Seat
		view(t, o, func(tx store.Tx) (err error) {
			if row, err = tx.Game(f.Game); err != nil {
				return err
			}
			places, err = tx.Seats(f.Game)
			return err
		})
		if row.League != id || row.Mixed || row.Options.Clock != "3d grace 1d" || row.Visibility != store.Listed {
			t.Errorf("game %+v", row)
		}
		for i, x := range places {
			if x.Seat != i+1 || x.Player != f.Players[i] {
				t.Errorf("seat %d of %v: %+v", i+1, f.Players, x)
			}
		}
		seats[fmt.Sprint(f.Players)] = true
		o.playOut(f.Game)
		record := o.record(f.Game, 0)
		if d, err := game.Verify(record, component.Default()); d != nil || err != nil {
			t.Errorf("record: %v %v", d, err)
		}
		f = o.league(id).State.Of(f.Game)
		if f.Result == nil {
			t.Fatalf("no result of %s", f.Game)
		}
		for i, x := range f.Result.Seats {
			if score := *record.Result.Scores[i].Final; x.Score != score || (x.Place == 1) != slices.Contains(record.Result.Winners, i+1) {
				t.Errorf("seat %d of %s: %+v, want %d", i+1, f.Game, x, score)
			}
		}
	}
	if len(seats) != 6 {
		t.Errorf("%d different games", len(seats))
	}
	l := o.league(id)
	if l.State.Season().Running() || l.State.Season().N != 1 {
		t.Fatalf("season %+v", l.State.Season())
	}
	ended := 0
	for _, name := range names {
		for _, r := range o.box[at(name)] {
			for _, code := range []string{notice.TellSeasonEnd, notice.TellSeasonUp, notice.TellSeasonDown} {
				if slices.Contains(remarks(r), code) {
					ended++
					if table := section(t, r, "season-end").League.Table; len(table) != 3 {
						t.Errorf("%s: %+v", name, table)
					}
				}
			}
		}
	}
	if ended != len(names) {
		t.Errorf("%d were told of the end", ended)
	}
	// The next season opens automatically. Bots played all games, so no one goes up or down.
	first, second := l.State.Standings(1, 1), l.State.Standings(1, 2)
	o.open() // as after a restart: all is replayed
	out = o.until("2027-01-10")
	if begun := mail(out, notice.TellSeasonIn); len(begun) != len(names) {
		t.Fatalf("%d were told of the second season", len(begun))
	}
	x := o.league(id).State.Season()
	if x.N != 2 || !slices.Contains(x.Divisions[0].Players, first[2].Player) || !slices.Contains(x.Divisions[1].Players, second[0].Player) || !second[0].Unplayed {
		t.Errorf("season %d: %v; first %v, second %v", x.N, x.Divisions, first, second)
	}
	lines, others, differs, err := o.desk.Host().VerifyLeague(context.Background(), id)
	if lines == 0 || len(others)+len(differs) > 0 || err != nil {
		t.Errorf("verify: %d lines, %v, %v, %v", lines, others, differs, err)
	}
}

func view(t *testing.T, o *office, f func(store.Tx) error) {
	t.Helper()
	if err := o.db.View(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

// TestLeagueWords tries all words about leagues, and checks the answers to those that fail.
func TestLeagueWords(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Directors = []string{"dora@home.test"} })
	o.started(1, "ada", "bo")
	// Not everyone may make one, and the server refuses a bad file by its lines.
	if got := problemOf(o.write("ada", "new league\nname: Ada's own")[0]); got != notice.ProblemDirectors {
		t.Errorf("anybody makes leagues: %q", got)
	}
	if _, out := o.send(o.letter(at("eve"), "", "new league\nname: Eve's own")); len(out) != 0 {
		t.Errorf("a stranger asks for a league: %+v", out)
	}
	_, out := o.send(o.letter(at("dora"), "", "new league\nname: Tin\ntable: 7"))
	if p := out[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemFileValue || p.Args["line"] != "2" || p.Args["key"] != "table" {
		t.Fatalf("a bad file: %s", summary(out[0]))
	}
	_, out = o.send(o.letter(at("dora"), "", "new league\n"+league.Sample()))
	if p := out[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemFileSample {
		t.Fatalf("the sample: %s", summary(out[0]))
	}
	o.now = o.now.Add(24 * time.Hour)
	_, out = o.send(o.letter(at("dora"), "", "new league\n"+strings.Replace(tin, "director: dora@home.test\n", "", 1)+"\nCheers,\nDora"))
	if said := out[0].Answer.Remarks[0]; said.Code != notice.AskLeague || len(said.List) != 1 || said.List[0] != "new league: Tin League" {
		t.Fatalf("%s", summary(out[0]))
	}
	if out = o.write("dora", "yes"); !slices.Contains(remarks(out[0]), notice.SayLeagueMade) {
		t.Fatalf("%s", summary(out[0]))
	}
	l := o.league("tin-league")
	if r := l.State.Rules; !slices.Equal(r.Directors, []string{"dora@home.test"}) || r.Table != 2 {
		t.Errorf("%+v", r)
	}
	if got := problemOf(o.write("dora", "new league\nname: Tín  League")[0]); got != notice.ProblemLeagueName {
		t.Errorf("two leagues of one name: %q", got)
	}
	o.made("name: Tin Whistle\nvisibility: private\njoin: list\nadmit: bo@home.test")
	o.made("name: Tombola\nsubstitutes: no\njoin: known")
	for _, c := range []struct{ who, text, want string }{
		{"ada", "league nothing", notice.ProblemLeague},
		{"ada", "league tin", ""}, // she knows of one only
		{"bo", "standings tin", notice.ProblemLeague},
		{"bo", "standings tin l", ""},
		{"ada", "join league tin whistle", notice.ProblemLeague}, // of which she may not know
		{"ada", "join league tin-league, Seat 1", notice.ProblemBadName},
		{"ada", "preview\njoin league tin", notice.ProblemPreview},
		{"ada", "join league tin", ""},
		{"ada", "join league Tin League", notice.ProblemMember},
		{"ada", "leave tombola", notice.ProblemNoMember},
		{"ada", "substitute tombola", notice.ProblemNoSubstitute},
		{"ada", "substitute tin no", notice.ProblemNotReady},
		{"ada", "substitute tin", ""},
		{"ada", "announce tin: I am great", notice.ProblemDirector},
		{"bo", "join league whistle", ""},
		{"dora", "announce tin league: The season is near.\nSharpen your pencils.", ""},
		{"ada", "leave league tin", ""},
		{"ada", "leave league tin", notice.ProblemNoMember},
		{"ada", "leagues", ""},
	} {
		out := o.write(c.who, c.text)
		if slices.Contains(remarks(o.last(c.who)), notice.AskSure) {
			out = o.write(c.who, "yes")
		}
		i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at(c.who) })
		if i < 0 {
			t.Fatalf("%s: %s: no answer", c.who, c.text)
		}
		if got := problemOf(out[i]); got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.who, c.text, got, c.want)
		}
		if strings.HasPrefix(c.text, "announce tin league") {
			told := mail(out, notice.TellAnnounced)
			if r, ok := told["ada"]; !ok || len(told) != 1 || r.Answer.Press[0].Text != "The season is near.\nSharpen your pencils." {
				t.Errorf("%+v", out)
			}
		}
	}
	// A stranger reads which there are, and must confirm having written.
	_, out = o.send(o.letter(at("eve"), "", "leagues"))
	if s := section(t, out[0], "leagues"); len(s.Leagues) != 2 {
		t.Errorf("%+v", s)
	}
	o.now = o.now.Add(24 * time.Hour)
	_, out = o.send(o.letter(at("eve"), "", "join league tombola"))
	if got := problemOf(out[0]); got != notice.ProblemKnown {
		t.Errorf("%s", summary(out[0]))
	}
	// Strangers can stand ready as they can join, and hear what to do where they cannot.
	for i, c := range []struct{ text, want, says string }{
		{"substitute tombola", notice.ProblemNoSubstitute, ""},
		{"substitute nothing", notice.ProblemLeague, ""},
		{"substitute whistle", notice.ProblemLeague, ""}, // which the player may not know of
		{"substitute tin no", notice.ProblemNotReady, ""},
		{"substitute tin", "", "substitute Tin League"},
	} {
		_, out = o.send(o.letter(at([]string{"fay", "gil", "hank", "ida", "jo"}[i]), "", c.text))
		if len(out) != 1 || problemOf(out[0]) != c.want {
			t.Fatalf("a stranger's %q: %v", c.text, summaries(out))
		}
		if said, ok := told(out[0], notice.AskLeague); ok != (c.want == "") || ok && !slices.Equal(said.List, []string{c.says}) {
			t.Errorf("a stranger's %q: %s", c.text, summary(out[0]))
		}
	}
	if _, out = o.send(o.letter(at("jo"), "", "substitute tin")); len(out) != 1 { // the question takes the place of the first
		t.Errorf("%v", summaries(out))
	}
	if out = o.write("jo", "yes"); !slices.Contains(remarks(out[0]), notice.SaySubstitute) || !slices.Contains(o.league("tin-league").State.Substitutes(), o.playerOf("jo")) {
		t.Errorf("%v", summaries(out))
	}
	// Without a token a player gets a question, too.
	_, out = o.send(o.letter(at("bo"), "", "leave league whistle"))
	if !slices.Contains(remarks(out[0]), notice.AskLeague) || o.league("tin-whistle").State.Players[0].Left != (time.Time{}) {
		t.Fatalf("%s", summary(out[0]))
	}
	if out = o.write("bo", "yes"); !slices.Contains(remarks(out[0]), notice.SayLeagueLeft) {
		t.Errorf("%s", summary(out[0]))
	}
	// The host may ignore the file's rules on joining.
	if err := o.desk.JoinLeague(context.Background(), "tin-whistle", "gus@home.test", "Gus"); err != nil {
		t.Fatal(err)
	}
	if o.deliver(); !slices.Contains(remarks(o.last("gus")), notice.SayLeagueJoined) || !slices.Contains(remarks(o.last("gus")), notice.TellNever) {
		t.Errorf("%s", summary(o.last("gus")))
	}
	var p desk.LeagueProblem
	if err := o.desk.JoinLeague(context.Background(), "tin-whistle", "gus@home.test", ""); !errors.As(err, &p) || p.Code != notice.ProblemMember {
		t.Errorf("%v", err)
	}
}

// TestLeagueCalendar: neither a time without the server nor a clock that is set
// begins a season at once, and afterwards its days are what they were.
func TestLeagueCalendar(t *testing.T) {
	season := func(o *office) int { return len(o.league("tin-league").State.Seasons) }
	begin := func() *office {
		o := newOffice(t)
		o.made(tin)
		o.joins("tin", "ada", "bo", "cy")
		if _, err := o.desk.Beat(context.Background()); err != nil {
			t.Fatal(err)
		}
		return o
	}
	beat := func(o *office) {
		t.Helper()
		if _, err := o.desk.Beat(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	// Away for a week before the day: the day stays what it was.
	o := begin()
	o.now = o.now.Add(7 * 24 * time.Hour)
	beat(o)
	if o.until("2026-11-30"); season(o) != 0 {
		t.Fatal("it begins early")
	}
	if o.until("2026-12-02"); season(o) != 1 {
		t.Error("a week without the server has put the season off")
	}
	// Away over the day: a day after the server is back.
	o = begin()
	o.now = time.Date(2026, 12, 5, 12, 0, 0, 0, time.UTC)
	beat(o)
	if o.due(time.Hour); season(o) != 0 {
		t.Error("it begins at once")
	}
	o.joins("tin", "di") // nor because of something else
	if season(o) != 0 {
		t.Error("it begins by a letter")
	}
	if o.until("2026-12-07"); season(o) != 1 {
		t.Error("it never begins")
	}
	if x := o.league("tin-league").State.Season(); x.Ends.Sub(x.Began) != 28*24*time.Hour {
		t.Errorf("its end is not put off: %v, %v", x.Began, x.Ends)
	}
	// A clock set wrong, and right again within a day: nothing has happened.
	o = begin()
	skip := func(by time.Duration) {
		t.Helper()
		if err := o.desk.Skip(context.Background(), by, func() { o.now = o.now.Add(by) }); err != nil {
			t.Fatal(err)
		}
	}
	skip(365 * 24 * time.Hour)
	if o.due(time.Hour); season(o) != 0 {
		t.Error("a wrong clock begins a season")
	}
	skip(-365 * 24 * time.Hour)
	if o.until("2026-11-30"); season(o) != 0 {
		t.Error("it begins early")
	}
	if o.until("2026-12-02"); season(o) != 1 {
		t.Error("a clock that was wrong for an hour has put the season off")
	}
}

// TestSoloLeague: all players of a round have the same seed; no one learns it, or
// what others did with it, before all have played.
func TestSoloLeague(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t)
	id := o.made("name: Hal's Weeks\nkind: solo\nrounds: 2\nround: 1 week\nstart: 2026-12-01\nseasons: 1\nleast: 2")
	o.joins("hal", "ada", "bo")
	o.until("2026-12-02")
	rows := func() (out []store.Game) {
		view(t, o, func(tx store.Tx) (err error) {
			out, err = tx.LeagueGames(id, "", 10)
			return err
		})
		return out
	}
	games := rows()
	if len(games) != 2 || games[0].Seed != games[1].Seed || !games[0].Sealed || games[0].Visibility != store.Private || games[0].Options.Players != 1 || games[0].Options.Hints {
		t.Fatalf("%+v", games)
	}
	seed := games[0].Seed
	told := func(what any) {
		t.Helper()
		if strings.Contains(fmt.Sprintf("%+v", what), seed) {
			t.Errorf("the seed is told: %+v", what)
		}
	}
	o.playOut(games[0].ID)
	if f := o.league(id).State.Of(games[0].ID); f.Result == nil || f.Result.Seats[0].Hal == 0 || f.Result.Seats[0].Place != 1 {
		t.Fatalf("%+v", f.Result)
	}
	end := o.last("ada")
	if end.Kind != notice.KindEnd {
		t.Fatalf("%s", summary(end))
	}
	// Her result is hidden from all who may still play it, but not from her.
	shown := func() (open, lines bool) {
		t.Helper()
		look, err := o.desk.Host().LookLeague(ctx, id, func(*league.State) []string { return nil })
		if err != nil {
			t.Fatal(err)
		}
		f := look.State.Of(games[0].ID)
		if !f.Over() || f.Hidden == (f.Result != nil) {
			t.Errorf("%+v", f)
		}
		for _, row := range look.Standings(1, 1) {
			if played := row.Unplayed || row.Played > 0; f.Hidden && (played || row.Points.Value.Sign() != 0) {
				t.Errorf("the standings tell it: %+v", row)
			}
		}
		log, more, err := o.desk.Host().LeagueLog(ctx, id, 0, 1000)
		if err != nil || more || len(log) == 0 {
			t.Fatalf("%v %v", more, err)
		}
		return !f.Hidden, slices.ContainsFunc(log, func(l league.Line) bool { return l.Game == games[0].ID && l.Seats != nil })
	}
	reads := func(name string) (played int) {
		t.Helper()
		o.send(o.letter(at(name), o.token(at(name)), "standings hal"))
		for _, row := range section(t, o.last(name), "standings").League.Table {
			if played += row.Played; row.Unplayed { // by bots
				played++
			}
		}
		return played
	}
	if open, log := shown(); open || log || reads("bo") != 0 || reads("ada") != 1 {
		t.Errorf("page %v, log %v, he reads %d and she %d", open, log, reads("bo"), reads("ada"))
	}
	o.send(o.letter(at("ada"), o.token(at("ada")), "league hal"))
	if games := section(t, o.last("ada"), "league").League.Games; games[0].State != "over" || !games[0].Private {
		t.Errorf("a letter links to a page that no one may see: %+v", games)
	}
	told(*o.sheet(end))
	told(*o.record(games[0].ID, 0))
	if _, err := o.desk.Host().Open(ctx, games[0].ID, "", -1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("anybody may look at it: %v", err)
	}
	g, err := o.desk.Host().Open(ctx, games[0].ID, end.PageKey, -1)
	if err != nil {
		t.Fatal(err)
	}
	told(g.GameInfo)
	// The second round begins though one still plays the first: that stays sealed.
	o.until("2026-12-09")
	if games = rows(); len(games) < 3 || !games[0].Sealed || games[2].Seed == seed {
		t.Fatalf("%+v", games)
	}
	o.playOut(games[1].ID)
	if games = rows(); games[0].Sealed || games[1].Sealed || !games[2].Sealed || games[0].Visibility != store.Listed {
		t.Errorf("when all have played it the round is told, and no other: %+v", games)
	}
	if open, log := shown(); !open || !log || reads("bo") != 2 {
		t.Errorf("then page %v, log %v, he reads %d", open, log, reads("bo"))
	}
	for range 4 {
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
		o.until(o.now.AddDate(0, 0, 8).Format(time.DateOnly))
	}
	l := o.league(id)
	if x := l.State.Season(); x.Running() || !l.Row.Over {
		t.Fatalf("%+v", x)
	}
	for _, g := range rows() {
		if g.Sealed || g.Visibility != store.Listed || g.State != store.GameFinished {
			t.Errorf("%+v", g)
		}
	}
	if rec := o.record(games[0].ID, 0); rec.Seed != seed {
		t.Error("the seed is told to nobody")
	} else if d, err := game.Verify(rec, component.Default()); d != nil || err != nil {
		t.Errorf("%v %v", d, err)
	}
	rounds := 0
	for _, r := range o.box[at("bo")] {
		for _, said := range r.Answer.Remarks {
			if said.Code == notice.TellRound {
				if rounds++; said.Args["n"] == "1" && said.Args["seed"] != seed {
					t.Errorf("%+v", said)
				}
			}
		}
	}
	if rounds != 2 {
		t.Errorf("%d rounds were told", rounds)
	}
	if again := o.sheet(end); again.Seed != "" { // the same recipe, the same letter
		t.Error("the letter of the end is another now")
	}
}

// TestLeagueForbidsVacation: players only in a league without absences cannot book
// vacation; with another game the days are booked, the answer says that the league's
// clock keeps running, and there the deadline stays.
func TestLeagueForbidsVacation(t *testing.T) {
	w := &waiting{office: newOffice(t)}
	id := w.made(strings.Replace(tin, "start: 2026-12-01", "absences: no\nleast: 2", 1))
	w.joins("tin", "ada", "bo", "cy")
	if len(mail(w.box[at("ada")], notice.TellNoVacation)) != 1 {
		t.Error("nobody is told that vacations do not count")
	}
	f := w.running(id)
	if len(f) != 1 {
		t.Fatalf("%d games", len(f))
	}
	var before, after []store.Seat
	view(t, w.office, func(tx store.Tx) (err error) {
		before, err = tx.Seats(f[0].Game)
		return err
	})
	who := ""
	for i, x := range before {
		if !x.Deadline.IsZero() {
			who = strings.ToLower(x.Name)
			before[0] = before[i]
			break
		}
	}
	if who == "" {
		t.Fatal("no clock runs")
	}
	day := w.now.AddDate(0, 0, 1).Format(time.DateOnly)
	refused := func(what string) {
		t.Helper()
		out := w.write(who, "vacation "+day+" "+day)
		if p := out[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemNoHoliday || p.Args["league"] != "Tin League" {
			t.Errorf("%s: %s", what, summary(out[0]))
		}
		w.write(who, "vacation")
		if !slices.ContainsFunc(w.last(who).Answer.Remarks, func(m notice.Remark) bool { return m.Code == notice.SayDaysLeft && m.Args["n"] == "30" }) {
			t.Errorf("%s: days were taken: %s", what, summary(w.last(who)))
		}
	}
	refused("alone")
	other := w.started(9, who, "bot")
	w.resignsFrom(other, who)
	refused("with another game resigned")
	w.started(9, who, "bot")
	out := w.write(who, "vacation "+day+" "+day)
	if i := slices.IndexFunc(out[0].Answer.Remarks, func(m notice.Remark) bool { return m.Code == notice.SayPresent }); i < 0 || !slices.Equal(out[0].Answer.Remarks[i].List, []string{"Tin League"}) {
		t.Errorf("%s", summary(out[0]))
	}
	view(t, w.office, func(tx store.Tx) (err error) {
		after, err = tx.Seats(f[0].Game)
		return err
	})
	if !after[before[0].Place-1].Deadline.Equal(before[0].Deadline) {
		t.Errorf("the deadline was %v and is %v", before[0].Deadline, after[before[0].Place-1].Deadline)
	}
}

// TestLeagueVacationAhead: the same before the league's first game, and a league that
// allows absences counts as another game.
func TestLeagueVacationAhead(t *testing.T) {
	o := newOffice(t)
	o.made(tin + "absences: no\n")
	o.joins("tin", "ada")
	if out := o.write("ada", "vacation 2026-12-24"); out[0].Answer.Lines[0].Problem == nil || out[0].Answer.Lines[0].Problem.Code != notice.ProblemNoHoliday {
		t.Errorf("%s", summary(out[0]))
	}
	o.made(strings.Replace(tin, "Tin", "Fun", 1))
	o.joins("fun", "ada")
	if out := o.write("ada", "vacation 2026-12-24"); !slices.Contains(remarks(out[0]), notice.SayVacation) || !slices.Contains(remarks(out[0]), notice.SayPresent) {
		t.Errorf("%s", summary(out[0]))
	}
}

// TestLeaguePlace: the league offers a leaver's place to the substitutes, one after
// the other, and if no one takes it the games it had to play are lost.
func TestLeaguePlace(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	for _, name := range []string{"sue", "sam"} {
		if err := o.desk.JoinLeague(context.Background(), id, at(name), ""); err != nil {
			t.Fatal(err)
		}
		o.deliver()
		o.write(name, "leave tin\nsubstitute tin")
		if !slices.Contains(remarks(o.last(name)), notice.SaySubstitute) {
			t.Fatalf("%s", summary(o.last(name)))
		}
	}
	o.until("2026-12-02")
	running := o.running(id)[0]
	var out string // a player who waits
	for _, name := range []string{"ada", "bo", "cy"} {
		if x := o.playerOf(name); !slices.Contains(running.Players, x) {
			out = name
		}
	}
	letters := o.write(out, "leave league tin")
	if told := mail(letters, notice.TellLeft); len(told) != 2 { // the others; the director hears weekly

		t.Errorf("%d were told", len(told))
	}
	if asked := mail(letters, notice.AskPlace); len(asked) != 1 || asked["sue"].Answer.Remarks[0].Args["n"] != "2" {
		t.Fatalf("%+v", asked)
	}
	letters = o.write("sue", "no")
	asked := mail(letters, notice.AskPlace)
	if len(asked) != 1 || asked["sam"].Token == "" {
		t.Fatalf("%+v", letters)
	}
	o.playOut(running.Game) // the others' game goes on, and no other begins meanwhile
	if games := o.running(id); len(games) != 0 {
		t.Errorf("%+v", games)
	}
	_, letters = o.send(o.letter(at("sam"), asked["sam"].Token, "yes"))
	if s := section(t, mail(letters, notice.SayPlaceTaken)["sam"], "schedule"); len(s.League.Games) != 2 {
		t.Errorf("%+v", s.League)
	}
	if told := mail(letters, notice.TellPlaceTaken); len(told) != 2 {
		t.Errorf("%d were told", len(told))
	}
	if games := o.running(id); len(games) != 1 || !slices.Contains(games[0].Players, o.playerOf("sam")) {
		t.Fatalf("%+v", games)
	}
	// Sam leaves, too; only Sue is left, who does not answer.
	o.write("sam", "leave league tin")
	games := o.running(id)
	for day := o.now; o.now.Before(day.AddDate(0, 0, 9)); {
		letters = append(letters, o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly))...)
	}
	if told := mail(letters, notice.TellForfeit); len(told) != 2 {
		t.Errorf("%d were told of what is lost", len(told))
	}
	o.playOut(games[0].Game)
	if o.league(id).State.Season().Running() {
		t.Errorf("the season does not end: %+v", o.running(id))
	}
}

// TestLeagueBounds: what is too long, too much or not a name is refused, and none of it is
// kept.
func TestLeagueBounds(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t, func(c *unit.Config) { c.Directors = []string{"dora@home.test"} })
	id := o.made(tin)
	o.joins("tin", "dora", "ada")
	long := strings.Repeat("x", 5000)
	for _, c := range []struct{ who, text, want string }{
		{"dora", "new league\n" + strings.Repeat("# nothing at all, and that at length, again and again\n", 390) + "name: X\ntable: 9", notice.ProblemFileLong},
		{"dora", "new league\nname: \u202e\u200b\ntable: 2", notice.ProblemFileValue},
		{"dora", "new league\nname: !!!", notice.ProblemLeagueName},
		{"dora", "new league\nname: Cup: North", notice.ProblemLeagueWords},
		{"dora", "new league\nname: X\ndirector: dora@home.test\nadmit: nobody\njoin: list", notice.ProblemFileValue},
		{"dora", "new league\nname: X\nset: nowhere", notice.ProblemOption},
		{"dora", "new league\nname: X\nclock: 3 weeks bank 9 years", notice.ProblemClock},
		{"dora", "new league\nname: X\nclock: 3d\nclock 2: soon", notice.ProblemClock},
		{"dora", "new league\nname: X\ndirector: us@angelpost.test", notice.ProblemOurs},
		{"dora", "announce tin:", "text-empty"},
		{"dora", "announce tin: " + long, "text-too-long"},
		{"dora", "announce tin: One.", ""},
		{"dora", "announce tin: Two.", ""},
		{"dora", "announce tin: Three.", ""},
		{"dora", "announce tin: Four.", notice.ProblemMany},
		{"ada", "league " + long, "text-too-long"},
		{"ada", "join league " + long, "text-too-long"},
		{"ada", "league ../../etc/passwd", notice.ProblemLeague},
		{"ada", "league ' OR 1=1 --", notice.ProblemLeague},
		{"ada", "leave league tin, please\x00", notice.ProblemLeague},
	} {
		out := o.write(c.who, c.text)
		if slices.Contains(remarks(o.last(c.who)), notice.AskSure) {
			out = o.write(c.who, "yes")
		}
		i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at(c.who) })
		if i < 0 || problemOf(out[i]) != c.want {
			t.Errorf("%.60q: %v, want %q", c.text, out, c.want)
		}
	}
	all, err := o.desk.Host().Leagues(ctx)
	if err != nil || len(all) != 1 || len(all[0].State.Said) != 3 {
		t.Fatalf("%d leagues, %v", len(all), err)
	}
	// A server has so many leagues, and a director makes so many a day.
	for i := range 3 {
		o.write("dora", fmt.Sprint("new league\nname: Number ", i))
	}
	if got := problemOf(o.write("dora", "new league\nname: One more")[0]); got != notice.ProblemMany {
		t.Errorf("%q", got)
	}
	if err := o.db.Update(ctx, func(tx store.Tx) error {
		for i := range 500 {
			if err := tx.AddLeague(store.League{ID: fmt.Sprint("l", i), File: "name: l", Secret: strings.Repeat("00", 32), Visibility: store.Private, Created: o.now}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var p desk.LeagueProblem
	if _, err := o.desk.NewLeague(ctx, "name: Still one"); !errors.As(err, &p) || p.Code != notice.ProblemManyLeagues {
		t.Errorf("%v", err)
	}
	// Players who want no letters get no announcements.
	o.now = o.now.Add(24 * time.Hour)
	o.write("ada", "never write to me again")
	if _, err := o.desk.AnnounceLeague(ctx, id, "Hello.", true); err != nil {
		t.Fatal(err)
	}
	if told := mail(o.deliver(), notice.TellAnnounced); len(told) != 1 {
		t.Errorf("%+v", told)
	}
}

// A league is found by its name in whatever case, with or without quotes, in every
// word that names one.
func TestLeagueInAnyCase(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	o.made(strings.Replace(tin, "Tin League", "Fans League", 1))
	o.started(9, "ada", "bot")
	for _, c := range []struct{ who, text, want string }{
		{"ada", `league join "Fans League"`, notice.SayLeagueJoined},
		{"ada", "league leave FANS LEAGUE", notice.SayLeagueLeft},
		{"ada", `join league “fans LEAGUE”, Ada`, notice.SayLeagueJoined},
		{"ada", `leave league "FANS LEAGUE"`, notice.SayLeagueLeft},
		{"ada", `substitute "Fans League"`, notice.SaySubstitute},
		{"ada", `substitute FANS-LEAGUE no`, notice.SayNoSubstitute},
		{"dora", `announce "FANS League": hello`, notice.SayAnnounced},
	} {
		o.write(c.who, c.text)
		if slices.Contains(remarks(o.last(c.who)), notice.AskSure) {
			o.write(c.who, "yes")
		}
		if !slices.Contains(remarks(o.last(c.who)), c.want) {
			t.Errorf("%s: %s", c.text, summary(o.last(c.who)))
		}
	}
	for _, text := range []string{`league "Fans League"`, "league FANS LEAGUE", "standings fAnS"} {
		if o.write("ada", text); len(o.last("ada").Answer.Sections) != 1 || o.last("ada").Answer.Sections[0].League.ID != "fans-league" {
			t.Errorf("%s: %s", text, summary(o.last("ada")))
		}
	}
}
