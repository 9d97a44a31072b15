package desk_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// final is a knock-out of two, Ann and Bob, whose final has begun.
func final(t *testing.T, substitutes ...string) (w *waiting, id, game string) {
	w = &waiting{office: newOffice(t)}
	w.started(9, "dora", "bot")
	id = w.made("name: Tin League\ndirector: dora@home.test\nkind: knockout\nstart: 2026-12-01\nclock: 3d\n")
	w.joins("Tin League", "ann", "bob")
	for _, name := range substitutes {
		w.ready(name)
	}
	w.until("2026-12-02")
	return w, id, w.running(id)[0].Game
}

// heard are the letters with a remark that have come so far, by reader.
func (w *waiting) heard(code string) map[string]notice.Message {
	w.t.Helper()
	found := map[string]notice.Message{}
	for name, box := range w.box {
		for _, r := range box {
			if slices.Contains(remarks(r), code) {
				found[strings.TrimSuffix(name, "@home.test")] = r
			}
		}
	}
	return found
}

// A substitute who finishes the final of a knock-out is its winner, if they win: in the
// letters, on the page and in the log that is exported.
func TestSubstituteFinishesAFinal(t *testing.T) {
	w, id, game := final(t, "zoe")
	first, gone := w.onTurn(game)
	w.plays(first)
	ask := mail(w.resigns(gone), notice.AskSeat)["zoe"]
	w.send(w.letter(at("zoe"), ask.Token, "yes"))
	for w.row(game).State == store.GameRunning {
		w.plays("zoe")
		if w.row(game).State == store.GameRunning {
			w.plays(first)
		}
	}
	s := w.league(id).State
	f := s.Of(game)
	out := s.Outcomes(f)
	seat := slices.IndexFunc(out, func(o league.Outcome) bool { return o.Player == w.playerOf(gone) })
	if !out[seat].Counts || out[seat].By != w.playerOf("zoe") {
		t.Fatalf("%+v", out[seat])
	}
	winner := first
	if out[seat].Won() {
		winner = "zoe"
	}
	if !slices.Equal(s.Winners(1), []int64{w.playerOf(winner)}) {
		t.Errorf("%v has won, %s should have", s.Winners(1), winner)
	}
	// The page has the same winner, and so do file and log, as they are exported.
	l, err := w.desk.Host().LookLeague(context.Background(), id, func(*league.State) []string { return nil })
	if err != nil || !slices.Equal(l.State.Winners(1), s.Winners(1)) || !strings.EqualFold(l.Names[w.playerOf(winner)], winner) {
		t.Errorf("the page has %v, %q, %v", l.State.Winners(1), l.Names[w.playerOf(winner)], err)
	}
	lines, err := w.desk.Host().LeagueLines(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := league.ParseRules(w.league(id).Row.File)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := league.Replay(rules, [32]byte{}, lines); err != nil || !slices.Equal(again.Winners(1), s.Winners(1)) {
		t.Errorf("the log exported has another winner: %v", err)
	}
	rows := s.Standings(1, 1)
	if rows[0].Player != w.playerOf(winner) || !rows[2].Left || rows[2].Player != w.playerOf(gone) {
		t.Errorf("%+v", rows)
	}
	told := w.heard(notice.TellBracket)
	if len(told) < 2 || told["zoe"].To == "" || told[first].To == "" {
		t.Errorf("%d hear who has the place", len(told))
	}
	// The season's end comes to the substitute as to the others.
	if ended := w.heard(notice.TellSeasonEnd); ended["zoe"].To == "" || ended[first].To == "" || ended[gone].To != "" {
		t.Errorf("of the end hear %d", len(ended))
	}
	for _, name := range []string{"zoe", first} {
		want := "is over. " + l.Names[w.playerOf(winner)] + " has won it."
		if name == winner {
			want = "is over. You have won it."
		}
		w.has(w.heard(notice.TellSeasonEnd)[name], []string{want})
	}
	// And it is one of her leagues.
	in, err := w.desk.Host().LeaguesOf(context.Background(), w.playerOf("zoe"))
	if err != nil || len(in) != 1 {
		t.Errorf("%d leagues, %v", len(in), err)
	}
}

// Letters about a match that is tied in points say what decided it.
func TestTiedMatchSaysWhy(t *testing.T) {
	for want, scores := range map[string][][2]int{
		"": {{90, 10}, {20, 80}, {60, 50}}, // it is not tied
		"The match was tied in points, so the total VP of its games decided it.":              {{90, 10}, {20, 80}, {50, 50}},
		"The match was tied in points and in VP, so the higher place in the draw decided it.": {{90, 10}, {10, 90}, {50, 50}},
	} {
		w := &waiting{office: newOffice(t)}
		id := w.made("name: Tin League\ndirector: dora@home.test\nkind: knockout\nstart: 2026-12-01\nclock: 3d\nleast: 3\nbest of: 3\n")
		w.joins("Tin League", "ann", "bob", "cyd")
		w.until("2026-12-02")
		legs := w.running(id)
		for n, vp := range scores {
			f := legs[0]
			for _, x := range w.running(id) {
				if n > 0 && x.Leg > f.Leg {
					f = x
				}
			}
			r := order.Ruling{Kind: order.RuleAdjudicate, Game: f.Game, Reason: "a test"}
			for _, p := range f.Players {
				at := slices.Index(legs[0].Players, p)
				r.Scores = append(r.Scores, order.Scored{Name: w.league(id).Names[p], VP: vp[at]})
			}
			if _, _, err := w.desk.Rule(t.Context(), r, true); err != nil {
				t.Fatal(err)
			}
			w.deliver()
		}
		told := w.heard(notice.TellMatch)
		if len(told) != 2 {
			t.Fatalf("%d hear of the match", len(told))
		}
		for _, r := range told {
			if want == "" {
				w.has(r, nil, "The match was tied")
			} else {
				w.has(r, []string{want})
			}
		}
		s := w.league(id).State
		if b, _ := s.Bout(s.Of(legs[0].Game)); !b.Decided || len(b.On) != 1 {
			t.Errorf("%+v", b)
		}
	}
}

// A seat that bots played does not win a final; the letters about the game say so.
func TestBotsWinNoFinal(t *testing.T) {
	w, id, game := final(t)
	w.playOut(game) // both resign at once
	s := w.league(id).State
	for _, o := range s.Outcomes(s.Of(game)) {
		if o.Counts || o.Won() {
			t.Errorf("%+v", o)
		}
	}
	if s.Season().Running() || len(s.Winners(1)) != 0 {
		t.Errorf("%v has won", s.Winners(1))
	}
	for _, row := range s.Standings(1, 1) {
		if !row.Unplayed || row.Played != 0 {
			t.Errorf("%+v", row)
		}
	}

	w, id, game = final(t)
	first, gone := w.onTurn(game)
	w.resigns(gone)
	for w.row(game).State == store.GameRunning {
		w.plays(first)
	}
	if s := w.league(id).State; !slices.Equal(s.Winners(1), []int64{w.playerOf(first)}) {
		t.Errorf("%v has won", s.Winners(1))
	}
	told := w.heard(notice.TellIdleWon)
	if r := told[first]; r.To == "" || !slices.ContainsFunc(r.Answer.Remarks, func(x notice.Remark) bool {
		return x.Code == notice.TellIdleWon && strings.EqualFold(x.Args["names"], gone) && strings.EqualFold(x.Args["who"], first)
	}) {
		t.Errorf("%s hears %s", first, summary(r))
	}
}

// A seat that its player left after half of its turns counts, but wins nothing: letters say so,
// and who goes on.
func TestBotWinsForALeaver(t *testing.T) {
	w, id, game := final(t)
	first, gone := w.onTurn(game)
	for range 6 {
		w.plays(first)
		w.plays(gone)
	}
	w.resigns(gone)
	w.wins(game, w.playerOf(gone))
	s := w.league(id).State
	for _, o := range s.Outcomes(s.Of(game)) {
		if !o.Counts || o.Won() || o.Left != (o.Player == w.playerOf(gone)) {
			t.Errorf("%+v", o)
		}
	}
	if !slices.Equal(s.Winners(1), []int64{w.playerOf(first)}) {
		t.Errorf("%v has won", s.Winners(1))
	}
	names := w.league(id).Names
	told := w.heard(notice.TellSeatLeft)
	w.has(told[first], []string{"A bot finished this game for " + names[w.playerOf(gone)] + ", so for the league Tin League this seat is behind", "You have won the final"})
	w.has(told[gone], []string{"A bot finished this game for you, so for the league Tin League your seat is behind"})
}

// Two players of one name have one name each, the same in the league, at the table, on
// the page and in what they write.
func TestTwoOfOneName(t *testing.T) {
	w := &waiting{office: newOffice(t)}
	w.started(9, "dora", "bot")
	id := w.made("name: Tin League\ndirector: dora@home.test\ntable: 3\ndivision: 3\nstart: 2026-12-01\nleast: 3\n")
	for _, name := range []string{"ann", "anne2", "bob"} {
		w.started(9, name, "bot")
	}
	w.write("ann", "name Ann")
	w.write("anne2", "name Ann")
	w.write("bob", "name Bob")
	for _, name := range []string{"ann", "anne2", "bob"} {
		w.write(name, "join league Tin League")
	}
	w.until("2026-12-02")
	names := w.league(id).Names
	second := names[w.playerOf("anne2")]
	if names[w.playerOf("ann")] != "Ann" || second == "Ann" || !strings.HasPrefix(second, "Ann ") {
		t.Fatalf("%v", names)
	}
	game := w.running(id)[0].Game
	var seats []store.Seat
	view(t, w.office, func(tx store.Tx) (err error) { seats, err = tx.Seats(game); return err })
	for _, x := range seats {
		if x.Name != names[x.Player] {
			t.Errorf("the league says %s, the table %s", names[x.Player], x.Name)
		}
	}
	l, err := w.desk.Host().LookLeague(context.Background(), id, func(*league.State) []string { return nil })
	if err != nil || l.Names[w.playerOf("anne2")] != second {
		t.Errorf("the page says %s: %v", l.Names[w.playerOf("anne2")], err)
	}
	// It can be written: by a player to the other, by the director in a ruling.
	w.from(game, "bob", "say to "+second+": hello")
	heard := false
	for _, r := range w.box[at("anne2")] {
		for _, p := range r.Answer.Press {
			heard = heard || p.Text == "hello" && p.From == "Bob"
		}
	}
	if !heard || slices.ContainsFunc(w.last("ann").Answer.Press, func(p incoming.Press) bool { return p.Text == "hello" }) {
		t.Errorf("hello to %s goes to someone else: %s", second, summary(w.last("bob")))
	}
	w.write("dora", "replace "+game+" "+second+" by bot: she asked")
	if code := w.refused("dora"); code == notice.ProblemSeat {
		t.Errorf("replace %s: %s", second, code)
	}
	// A director who joins has their name in what they announce and direct, too.
	w.write("dora", "name Ann")
	w.write("dora", "join league Tin League")
	third := w.league(id).Names[w.playerOf("dora")]
	if third == "Ann" || third == second || !strings.HasPrefix(third, "Ann ") {
		t.Fatalf("the director is called %q", third)
	}
	w.has(mail(w.sure("dora", "announce Tin League: a party"), notice.TellAnnounced)["bob"], []string{strings.ToUpper(third) + ", TIN LEAGUE SAYS"})
	w.has(mail(w.write("dora", "pause league Tin League: a party"), notice.TellLeaguePaused)["bob"], []string{third + " has paused the league"})

	// Names that are merely alike are refused.
	w.started(9, "carl", "bot")
	w.write("carl", "join league Tin League, "+strings.ToUpper(second))
	if code := w.refused("carl"); code != notice.ProblemName {
		t.Errorf("a name that looks like %s: %s", second, summary(w.last("carl")))
	}
}

// A ruling after a season changes who goes up; the players concerned learn it.
func TestRulingAfterTheEnd(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.Replace(tin, "break: 1 week", "break: 8 weeks", 1))
	o.joins("tin", "ada", "bo", "cy", "di", "ed", "fay")
	o.until("2026-12-02")
	var letters []notice.Message
	rule := func(kind order.RulingKind, f *league.Fixture, vp func(int64) int) {
		t.Helper()
		names := o.league(id).Names
		r := order.Ruling{Kind: kind, Game: f.Game, Reason: "a test"}
		for _, p := range f.Players {
			r.Scores = append(r.Scores, order.Scored{Name: names[p], VP: vp(p)})
		}
		if _, _, err := o.desk.Rule(context.Background(), r, true); err != nil {
			t.Fatal(err)
		}
		letters = append(letters, o.deliver()...)
	}
	for n := 0; len(o.running(id)) > 0 && n < 20; n++ {
		rule(order.RuleAdjudicate, o.running(id)[0], func(p int64) int { return 90 - int(p) })
	}
	s := o.league(id).State
	rows := s.Standings(1, 2)
	if s.Season().Running() || rows[0].Move != league.Up {
		t.Fatalf("%+v", rows)
	}
	first := rows[0].Player // who loses all games by rulings
	for _, f := range s.Seasons[0].Divisions[1].Fixtures {
		if slices.Contains(f.Players, first) {
			rule(order.RuleCorrect, f, func(p int64) int { return map[bool]int{true: 10, false: 80 - int(p)}[p == first] })
		}
	}
	changes := func() (heard []string) {
		for _, r := range letters {
			for _, x := range r.Answer.Remarks {
				if x.Code == notice.TellChanged {
					heard = append(heard, x.Args["then"])
					if x.Args["reason"] != "a test" || !strings.HasPrefix(x.Args["game"], "Tin League 1.") {
						t.Errorf("without why: %v", x.Args)
					}
				}
			}
		}
		slices.Sort(heard)
		return heard
	}
	heard := changes()
	if now := o.league(id).State.Standings(1, 2); now[0].Player == first || !slices.Equal(heard, []string{"stays", "up"}) {
		t.Errorf("player %d is first, %v", now[0].Player, heard)
	}

	// So do the players who have won the season, and who had.
	letters = nil
	winner := o.league(id).State.Winners(1)
	for _, f := range s.Seasons[0].Divisions[0].Fixtures {
		if slices.Contains(f.Players, winner[0]) {
			rule(order.RuleCorrect, f, func(p int64) int { return map[bool]int{true: 10, false: 80 - int(p)}[p == winner[0]] })
		}
	}
	heard = changes()
	if now := o.league(id).State.Winners(1); len(now) != 1 || now[0] == winner[0] || !slices.Contains(heard, "won") || !slices.Contains(heard, "lost") {
		t.Errorf("%v have won, %v had, %v", now, winner, heard)
	}
}

// TestLeaverChangesTheTable: players who leave, or are expelled, with the only games played in
// their division: no one comes up from it yet, and the player above who was to go down hears that.
func TestLeaverChangesTheTable(t *testing.T) {
	for _, c := range []struct {
		how  string
		size int // of a division
		out  int // who leave
		wait bool
	}{
		{"leave", 4, 2, false}, // the only ones who have played in their division
		{"expel", 4, 2, false},
		{"expel", 3, 2, true}, // a substitute may take their places
	} {
		o := newOffice(t)
		id := o.made(strings.Replace(tin, "division: 3", "division: "+strconv.Itoa(c.size), 1))
		o.joins("tin", []string{"ada", "bo", "cy", "di", "ed", "fay", "gus", "ivy"}[:2*c.size]...)
		if c.wait {
			o.write("zoe", "substitute tin")
			o.write("zoe", "yes")
		}
		o.until("2026-12-02")
		o.write("dora", "settings")
		in := func(n int) *league.Fixture {
			for _, f := range o.running(id) {
				if f.Division == n {
					return f
				}
			}
			return nil
		}
		names, low := o.league(id).Names, in(2)
		for f := low; f != nil; f = in(1) {
			r := order.Ruling{Kind: order.RuleAdjudicate, Game: f.Game, Reason: "a test"}
			for _, p := range f.Players {
				r.Scores = append(r.Scores, order.Scored{Name: names[p], VP: 90 - int(p)})
			}
			if _, _, err := o.desk.Rule(context.Background(), r, true); err != nil {
				t.Fatal(err)
			}
			o.deliver()
		}
		last := func() league.Standing { return o.league(id).State.Standings(1, 1)[c.size-1] }
		down := last()
		if down.Move != league.Down {
			t.Fatalf("%+v: the last is not to go down: %+v", c, down)
		}
		var out []notice.Message
		for _, p := range low.Players[:c.out] {
			if name := strings.ToLower(names[p]); c.how == "leave" {
				out = append(out, o.write(name, "leave league tin")...)
			} else {
				out = append(out, o.sure("dora", "expel "+name+" from league tin: rude")...)
			}
		}
		if now := last(); now.Player != down.Player || now.Move != league.Stays {
			t.Fatalf("%+v: nothing changes: %+v", c, now)
		}
		told := mail(out, notice.TellChanged)
		who := strings.ToLower(names[down.Player])
		if len(told) != 1 || told[who].To == "" {
			t.Errorf("%+v: %d hear of it, not %s: %v", c, len(told), who, summaries(out))
			continue
		}
		o.has(told[who], []string{"A player is no longer in the league Tin League, which changes the table of season 1: it is not certain any more that you go down."})
	}
}

// TestGamesToCome: a game that bots played for a player is over, and none of those to come.
func TestGamesToCome(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	f := o.running(id)[0]
	o.playOut(f.Game) // both resign
	for _, name := range o.pairOf(f, "ada", "bo", "cy") {
		heard := false
		for _, r := range o.box[at(name)] {
			if m, ok := told(r, notice.TellRanked); ok {
				heard = true
				if m.Args["mine"] != "1" || m.Args["open"] != "2" {
					t.Errorf("%s has one game of three to come, and reads %v", name, m.Args)
				}
			}
		}
		if !heard {
			t.Errorf("%s does not hear where the game puts them", name)
		}
	}
}

// The last letter about a game that bots finish as a player's seat is kept offers no way back.
func TestLastLetterOffersNoWayBack(t *testing.T) {
	w, _, game := final(t)
	w.until("2027-03-01")
	if w.row(game).State != store.GameFinished {
		t.Fatalf("the game is %s", w.row(game).State)
	}
	ended := 0
	for _, name := range []string{"ann", "bob"} {
		for _, r := range w.box[at(name)] {
			if r.Game != game || r.Kind != notice.KindEnd {
				continue
			}
			for _, code := range remarks(r) {
				switch code {
				case notice.TellAbsent, notice.TellAbsentAll, notice.TellSeatOpen, notice.TellSeatNobody:
					t.Errorf("%s reads %s", name, summary(r))
				case notice.TellAbsentEnd:
					ended++
					w.has(r, []string{"so a bot got your seat."}, "`back`")
				}
			}
		}
	}
	if ended != 1 {
		t.Errorf("%d letters say that a bot finished the game", ended)
	}
}
