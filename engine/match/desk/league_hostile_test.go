package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/desk"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestSubstituteOfTwoPlaces: two players have left, and the same substitute has an offer of
// both places. Once they take one, the other goes to the next at once.
func TestSubstituteOfTwoPlaces(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.Replace(tin, "division: 3", "division: 5", 1))
	o.joins("tin", "ada", "bo", "cy", "di", "ed")
	for _, name := range []string{"sue", "sam"} {
		if err := o.desk.JoinLeague(context.Background(), id, at(name), ""); err != nil {
			t.Fatal(err)
		}
		o.deliver()
		o.write(name, "leave tin\nsubstitute tin")
	}
	o.until("2026-12-02")
	ask := func(letters []notice.Message, who, left string) notice.Message {
		t.Helper()
		r, ok := mail(letters, notice.AskPlace)[who]
		if !ok {
			t.Fatalf("%s is not asked for %s's place: %v", who, left, summaries(letters))
		}
		return r
	}
	first := ask(o.write("ada", "leave league tin"), "sue", "Ada")
	second := ask(o.write("bo", "leave league tin"), "sue", "Bo")
	if _, out := o.send(o.letter(at("sue"), first.Token, "yes")); !slices.Contains(remarks(o.last("sue")), notice.SayPlaceTaken) {
		t.Fatalf("%v", summaries(out))
	}
	_, out := o.send(o.letter(at("sue"), second.Token, "yes"))
	if o.refused("sue") != notice.ProblemPlaceBusy {
		t.Errorf("%s", summary(o.last("sue")))
	}
	third := ask(out, "sam", "Bo")
	if _, out = o.send(o.letter(at("sam"), third.Token, "yes")); len(mail(out, notice.SayPlaceTaken)) != 1 {
		t.Errorf("%v", summaries(out))
	}
}

// TestReplayBehindAnotherWord: a director's letter says something else about the
// league before it wants a game replayed whose player has left and lost their place.
// The game does not begin with a player who is no longer in it.
func TestReplayBehindAnotherWord(t *testing.T) {
	for _, letter := range []string{"replay %: A mistake.", "extend league tin by 1 day: Sorry.\n\nreplay %: A mistake."} {
		o := newOffice(t)
		o.started(9, "dora", "bot")
		id := o.made(strings.Replace(tin, "table: 2\ndivision: 3", "table: 3\ndivision: 4\nsubstitutes: no", 1))
		o.joins("tin", "ada", "bo", "cy", "di")
		o.until("2026-12-02")
		f := o.running(id)[0]
		var gone string
		for _, name := range []string{"ada", "bo", "cy", "di"} {
			if slices.Contains(f.Players, o.playerOf(name)) {
				gone = name
			}
		}
		o.write(gone, "leave league tin")
		if o.due(time.Minute); !o.league(id).State.Season().Divisions[0].Left[0].Settled {
			t.Fatal("his place is not lost yet")
		}
		o.decides("dora", strings.ReplaceAll(letter, "%", f.Game))
		now := o.league(id).State.Fixture(f.ID)
		if slices.Contains(now.Players, o.playerOf(gone)) {
			t.Fatalf("%q: he still plays: %+v", letter, now)
		}
		if now.Game == "" {
			continue
		}
		for _, x := range o.seats(now.Game) {
			if x.Player == o.playerOf(gone) {
				t.Errorf("%q: who has lost his place has a seat of %s: %+v", letter, now.Game, x)
			}
		}
	}
}

func (o *office) seats(game string) (seats []store.Seat) {
	o.t.Helper()
	if err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		seats, err = tx.Seats(game)
		return err
	}); err != nil {
		o.t.Fatal(err)
	}
	return seats
}

// TestAmendedWhileItRuns: another file is for the next season. Games of the one
// that runs go on to begin as the others did.
func TestAmendedWhileItRuns(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	first := o.running(id)[0]
	was := o.row(first.Game).Options
	if _, err := o.desk.AmendLeague(context.Background(), id, strings.Replace(tin, "clock: 3d", "clock: 9d\nrules: advanced\nabsences: no", 1), true); err != nil {
		t.Fatal(err)
	}
	o.playOut(first.Game)
	var next *league.Fixture
	for _, f := range o.running(id) {
		next = f
	}
	if next == nil || next.Game == first.Game {
		t.Fatalf("%+v", next)
	}
	if is := o.row(next.Game).Options; is != was {
		t.Errorf("a game of the season is played by\n%+v, the others by\n%+v", is, was)
	}
}

// TestInAndOut: a player who leaves a league and joins it again, all day long, fills
// neither its log nor the others' mailboxes.
func TestInAndOut(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	told := len(o.box[at("bo")])
	for range 30 {
		o.write("ada", "leave league tin\njoin league tin")
	}
	if n := o.league(id).State.Lines; n > 20 {
		t.Errorf("the league's log has %d lines", n)
	}
	if n := len(o.box[at("bo")]) - told; n > 5 {
		t.Errorf("Bo has %d letters more", n)
	}
	o.now = o.now.Add(24 * time.Hour)
	if o.write("ada", "leave league tin"); !slices.ContainsFunc(o.box[at("ada")], func(r notice.Message) bool { return slices.Contains(remarks(r), notice.SayLeagueLeft) }) {
		t.Errorf("%s", summary(o.last("ada")))
	}
}

// TestOneBrokenLeague: a league whose log cannot be replayed holds up only
// itself: not the server's start, not the list of leagues, not other leagues, and
// its games go on to their ends.
func TestOneBrokenLeague(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t)
	bad, good := o.made(tin), o.made(strings.Replace(tin, "Tin", "Copper", 1))
	o.joins("tin", "ada", "bo", "cy")
	o.joins("copper", "ada", "bo", "cy")
	o.until("2026-12-02")
	theirs, others := o.running(bad)[0].Game, o.running(good)[0].Game
	if err := o.db.Update(ctx, func(tx store.Tx) error {
		row, err := tx.League(bad)
		if err != nil {
			return err
		}
		return tx.AppendLeague(bad, []store.LeagueLine{{N: row.Lines + 1, At: o.now, Kind: "nonsense", Args: "{}"}})
	}); err != nil {
		t.Fatal(err)
	}
	o.open() // as it is after a start
	if _, err := o.desk.Beat(ctx); err != nil {
		t.Fatalf("the server does not start: %v", err)
	}
	o.now = o.now.Add(26 * time.Hour)
	if _, err := o.desk.Beat(ctx); err != nil {
		t.Fatalf("the server does not start after a day: %v", err)
	}
	o.deliver() // deadlines were put off
	if out := o.write("ada", "leagues"); len(section(t, out[0], "leagues").Leagues) != 1 {
		t.Errorf("%v", summaries(out))
	}
	if out := o.write("ada", "standings copper"); len(out) == 0 || out[0].Result == notice.Refused {
		t.Errorf("%v", summaries(out))
	}
	if all, err := o.desk.Host().Leagues(ctx); err != nil || len(all) != 1 {
		t.Errorf("%d leagues, %v", len(all), err)
	}
	if all, _, err := o.desk.Host().ListedLeagues(ctx, false, "", 10); err != nil || len(all) != 1 {
		t.Errorf("%d listed leagues, %v", len(all), err)
	}
	if _, err := o.desk.Host().Open(ctx, theirs, "", -1); err != nil {
		t.Errorf("a game of it cannot be seen: %v", err)
	}
	o.playOut(theirs)
	o.playOut(others)
	for _, game := range []string{theirs, others} {
		if row := o.row(game); row.State != store.GameFinished {
			t.Errorf("%s of league %s is %s", game, row.League, row.State)
		}
	}
	if f := o.league(good).State.Of(others); f.Result == nil {
		t.Error("the other league has no result")
	}
}

// TestNoRivalTakesASeat: no one plays for a rival in their own division, where losing
// that seat's games would help them.
func TestNoRivalTakesASeat(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	f := o.running(id)[0]
	var gone, rival string
	for _, name := range []string{"ada", "bo", "cy"} {
		if slices.Contains(f.Players, o.playerOf(name)) {
			gone = name
		} else {
			rival = name
		}
	}
	if o.write(rival, "substitute tin"); !slices.Contains(remarks(o.last(rival)), notice.SaySubstitute) {
		t.Fatalf("%s", summary(o.last(rival)))
	}
	out := o.resigns(gone)
	out = append(out, o.due(49*time.Hour)...)
	if asked := mail(out, notice.AskSeat); len(asked) != 0 {
		t.Errorf("asked: %v", asked)
	}
}

// TestNoDirectorTakesASeat: a director who rules over a game cannot take a seat in it
// to look into a hand.
func TestNoDirectorTakesASeat(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	game := o.running(id)[0].Game
	out := o.write("dora", "replace "+game+" "+o.seats(game)[0].Name+" by dora@home.test: nobody else can")
	if got := problemOf(out[0]); got != notice.ProblemOwnGame || o.seats(game)[0].Heir != 0 {
		t.Errorf("%q, %v", got, summaries(out))
	}
}

// TestNobodyTakesBackHisLoss: a listed game counts for the ratings, so once it has
// begun its organiser alone cannot change that, not even in a game with bots only.
func TestNobodyTakesBackHisLoss(t *testing.T) {
	for _, names := range [][]string{{"ada", "bo"}, {"ada", "bot"}} {
		o := newOffice(t)
		id := o.started(9, names...)
		if err := o.db.Update(context.Background(), func(tx store.Tx) error {
			row, err := tx.Game(id)
			if err != nil {
				return err
			}
			row.Visibility, row.Organiser = store.Listed, o.playerOf("ada")
			return tx.SaveGame(row)
		}); err != nil {
			t.Fatal(err)
		}
		o.write("ada", "visibility: private")
		if got := o.row(id).Visibility; got != store.Listed {
			t.Errorf("%v: it is %s", names, got)
		}
		if names[1] == "bot" { // TestNobodyTakesBackALossAgainstBots
			continue
		}
		if !slices.Contains(remarks(o.last("bo")), notice.AskRaise) {
			t.Fatalf("%s", summary(o.last("bo")))
		}
		if o.write("bo", "yes"); o.row(id).Visibility != store.Private {
			t.Errorf("all have said yes, and it is %s", o.row(id).Visibility)
		}
	}
}

// TestTwoDesks: the daemon and a command line run at the same time, both with their own leagues
// in memory. Together they begin a season once, its games once, and enter results once.
func TestTwoDesks(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t)
	id := o.made(strings.Replace(tin, "at once: 1", "at once: 3", 1))
	o.joins("tin", "ada", "bo", "cy")
	second, err := desk.New(o.conf)
	if err != nil {
		t.Fatal(err)
	}
	desks := []*desk.Desk{o.desk, second}
	league := func(d *desk.Desk) *league.State {
		t.Helper()
		l, err := d.Host().League(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return l.State
	}
	same := func(lines int) {
		t.Helper()
		for i, d := range desks {
			if got := league(d).Lines; got != lines {
				t.Fatalf("desk %d knows %d lines, not %d", i, got, lines)
			}
		}
		if n, others, differs, err := second.Host().VerifyLeague(ctx, id); err != nil || n != lines || len(others)+len(differs) > 0 {
			t.Fatalf("%d lines, %v, %v, %v", n, others, differs, err)
		}
	}
	due := func() {
		t.Helper()
		for range 3 {
			for _, d := range desks {
				if _, err := d.Due(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	o.now = time.Date(2026, 12, 1, 0, 0, 1, 0, time.UTC)
	due()
	if n := len(o.running(id)); n != 3 {
		t.Fatalf("%d games run", n)
	}
	same(3 + 1 + 3)
	for i, name := range []string{"gus", "hal"} {
		if err := desks[i].JoinLeague(ctx, id, at(name), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.desk.LeaveLeague(ctx, id, at("hal")); err != nil {
		t.Fatal(err)
	}
	same(3 + 1 + 3 + 3)
	o.deliver()
	for _, f := range o.running(id) {
		o.playOut(f.Game)
		due()
	}
	same(3 + 1 + 3 + 3 + 3 + 1) // the results, and the season's end
}
