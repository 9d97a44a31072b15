package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// replaced is a league of two, Ann and Bob, with substitutes in that order, whose
// one game has begun; Dora directs it.
func replaced(t *testing.T, substitutes ...string) (w *waiting, id, game string) {
	w = &waiting{office: newOffice(t)}
	w.started(9, "dora", "bot")
	id = w.made(strings.NewReplacer("division: 3", "division: 2", "missed: 3", "").Replace(tin) + "missed: 2\n")
	w.joins("Tin League", "ann", "bob")
	for _, name := range substitutes {
		w.ready(name)
	}
	w.until("2026-12-02")
	games := w.running(id)
	if len(games) != 1 {
		t.Fatalf("%d games run", len(games))
	}
	return w, id, games[0].Game
}

// ready puts a player on the list of substitutes.
func (w *waiting) ready(name string) {
	w.t.Helper()
	w.started(9, name, "bot") // a good token
	w.write(name, "name "+strings.ToUpper(name[:1])+name[1:])
	w.write(name, "substitute Tin League")
	if !slices.Contains(remarks(w.last(name)), notice.SaySubstitute) {
		w.t.Fatalf("%s is no substitute: %s", name, summary(w.last(name)))
	}
}

// onTurn returns the player on turn in a game, and the other.
func (w *waiting) onTurn(game string) (first, other string) {
	w.t.Helper()
	names := []string{strings.ToLower(w.seat(game, 1).Name), strings.ToLower(w.seat(game, 2).Name)}
	if w.seat(game, 1).Deadline.IsZero() {
		slices.Reverse(names)
	}
	return names[0], names[1]
}

// next does what falls due next and tells when that was.
func (w *waiting) next() []notice.Message {
	w.t.Helper()
	at, err := w.desk.NextDue(context.Background())
	if err != nil || at.IsZero() {
		w.t.Fatalf("nothing is due: %v", err)
	}
	return w.due(max(at.Sub(w.now), 0))
}

// sees lets things fall due until a player gets a remark with the code.
func (w *waiting) sees(code string) (string, []notice.Message) {
	w.t.Helper()
	for range 60 {
		out := w.next()
		for name := range mail(out, code) {
			return name, out
		}
	}
	w.t.Fatalf("nobody is told %s", code)
	return "", nil
}

// Rung by rung: a reminder that says what comes, the grace, a turn by a bot, the
// seat kept; then the substitutes, one after the other, until one takes it with
// all its history.
func TestLadder(t *testing.T) {
	w, id, gameID := replaced(t, "sue", "sid", "sam")
	first, gone := w.onTurn(gameID)
	w.plays(first)
	w.plays(gone) // gone was there
	w.plays(first)
	told := func(out []notice.Message, name, code string) notice.Remark {
		t.Helper()
		r, ok := mail(out, code)[name]
		if !ok {
			t.Fatalf("%s is not told %s: %v", name, code, summaries(out))
		}
		return r.Answer.Remarks[slices.IndexFunc(r.Answer.Remarks, func(m notice.Remark) bool { return m.Code == code })]
	}
	until := w.seatNamed(gameID, gone).Deadline
	name, out := w.sees(notice.TellRunsOut)
	if m := told(out, gone, notice.TellRunsOut); name != gone || m.Args["next"] != until.Add(day).Format("2006-01-02 15:04 MST") {
		t.Errorf("%s is reminded: %v", name, m)
	}
	_, out = w.sees(notice.TellLate)
	if m := told(out, first, notice.TellLateAll); m.Args["then"] != "" {
		t.Errorf("%v", m)
	}
	_, out = w.sees(notice.TellMissed)
	if m := told(out, first, notice.TellMissedAll); m.Args["n"] != "1" || m.Args["of"] != "2" {
		t.Errorf("%v", m)
	}
	if x := w.seatNamed(gameID, gone); x.Bot != "" {
		t.Error("the seat is kept after one turn")
	}
	w.plays(first)
	_, out = w.sees(notice.TellRunsOut)
	if m := told(out, gone, notice.TellRunsOut); m.Args["then"] != "keeps" {
		t.Errorf("before the last turn %s is reminded: %v", gone, m)
	}
	_, out = w.sees(notice.TellLate)
	for name, code := range map[string]string{gone: notice.TellLate, first: notice.TellLateAll} {
		if m := told(out, name, code); m.Args["then"] != "keeps" {
			t.Errorf("before the last turn %s is told %v", name, m)
		}
	}
	_, out = w.sees(notice.TellAbsent)
	told(out, first, notice.TellAbsentAll)
	told(out, first, notice.TellSeatOpen)
	ask := mail(out, notice.AskSeat)["sue"]
	if ask.Seat != 0 || ask.Step != 0 || ask.PageKey != "" || len(mail(out, notice.AskSeat)) != 1 {
		t.Fatalf("the first substitute gets %+v of %v", ask, summaries(out))
	}
	if s := w.sheet(ask); s.View != nil || s.Legal != nil || s.Story != nil {
		t.Error("who is asked sees the game")
	}
	if left := w.seatDue(gameID).Sub(w.now); left < 36*time.Hour || left > 37*time.Hour {
		t.Errorf("she has %v to answer", left)
	}

	_, out = w.sees(notice.AskSeat)
	sid := mail(out, notice.AskSeat)["sid"]
	if sid.To == "" {
		t.Fatalf("the second is not asked: %v", summaries(out))
	}
	_, out = w.send(w.letter(at("sue"), ask.Token, "yes")) // too late
	if problemOf(out[0]) != notice.ProblemSeatNext || w.seatNamed(gameID, gone).Bot == "" {
		t.Errorf("Sue's yes: %v", summaries(out))
	}
	if _, out = w.send(w.letter(at("eve"), sid.Token, "yes")); w.seatNamed(gameID, gone).Bot == "" {
		t.Errorf("Eve's yes: %v", summaries(out))
	}
	_, out = w.send(w.letter(at("sid"), sid.Token, "no"))
	if mail(out, notice.AskSeat)["sam"].To == "" {
		t.Fatalf("the third is not asked at once: %v", summaries(out))
	}
	out = w.write("sam", "yes")
	told(out, first, notice.TellTakenOver)
	told(out, gone, notice.TellOut)
	sam := mail(out, notice.SayJoined)["sam"]
	if x := w.seatNamed(gameID, "sam"); x.Bot != "" || x.Player != w.playerOf("sam") || sam.Since != -1 || len(w.sheet(sam).Story) < 10 {
		t.Errorf("%+v, %d lines are told", x, len(w.sheet(sam).Story))
	}
	if rows := w.dues(gameID, store.DueSeat); len(rows) != 0 {
		t.Errorf("%+v is still due", rows)
	}
	if !slices.ContainsFunc(w.log(gameID), func(l game.Line) bool { return strings.HasSuffix(l.Order, " by player") && l.By == game.ByDirector }) {
		t.Error("the log does not say that the league let him in")
	}
	w.plays("sam")
	parts := strings.Join(w.parts(gameID), "; ")
	if !strings.Contains(parts, "Sam 1/") && !strings.Contains(parts, "Sam 0/") {
		t.Errorf("parts are %s", parts)
	}
	if f := w.league(id).State.Of(gameID); f.Over() || f.Game != gameID {
		t.Errorf("%+v", f)
	}
	w.verified()
}

// seatNamed is the seat of a game whose player is called so.
func (w *waiting) seatNamed(game, name string) store.Seat {
	w.t.Helper()
	for place := 1; place <= w.row(game).Options.Players; place++ {
		if x := w.seat(game, place); strings.EqualFold(x.Name, name) {
			return x
		}
	}
	w.t.Fatalf("nobody is called %s", name)
	return store.Seat{}
}

func (w *waiting) dues(game, kind string) (rows []store.Due) {
	w.t.Helper()
	err := w.db.View(context.Background(), func(tx store.Tx) (err error) {
		rows, err = tx.DuesOf(kind, game)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return rows
}

// seatDue is until when a substitute may answer.
func (w *waiting) seatDue(game string) time.Time {
	w.t.Helper()
	rows := w.dues(game, store.DueSeat)
	if len(rows) != 1 {
		w.t.Fatalf("%+v is due", rows)
	}
	return rows[0].At
}

// The owner comes back while no one has taken their seat: the substitute with the offer learns
// that, and gets no more requests. If there is no one left to ask, the director learns it, and
// the server asks a player who comes on the list later.
func TestBackBeforeASubstitute(t *testing.T) {
	w, _, game := replaced(t, "sue")
	first, gone := w.onTurn(game)
	w.plays(first)
	out := w.resigns(gone)
	ask := mail(out, notice.AskSeat)["sue"]
	if ask.To == "" || mail(out, notice.TellSeatOpen)[first].To == "" {
		t.Fatalf("a seat resigned: %v", summaries(out))
	}
	out = w.write("sue", "decline")
	if rows := w.dues(game, store.DueSeat); len(rows) != 1 || w.seatNamed(game, gone).Heir != 0 {
		t.Errorf("after her no %+v is due; %v", rows, summaries(out))
	}
	if mail(out, notice.TellSeatNobody)[first].To == "" || mail(out, notice.TellSeatRuler)["dora"].To == "" {
		t.Errorf("after the last one's no: %v", summaries(out))
	}
	if out = w.next(); len(mail(out, notice.TellSeatNobody))+len(mail(out, notice.TellSeatRuler)) != 0 {
		t.Errorf("said again when nobody was asked: %v", summaries(out))
	}
	w.ready("sid")
	w.sees(notice.AskSeat)
	if w.seatNamed(game, gone).Heir != w.playerOf("sid") {
		t.Error("who is ready later is not asked")
	}

	w, _, game = replaced(t, "sue")
	first, gone = w.onTurn(game)
	w.plays(first)
	w.plays(gone)
	w.plays(first)
	w.sees(notice.TellMissed)
	w.plays(first)
	_, out = w.sees(notice.TellAbsent)
	ask = mail(out, notice.AskSeat)["sue"]
	out = w.write(gone, "back")
	if mail(out, notice.TellBack)["sue"].To == "" || w.seatNamed(game, gone).Bot != "" || len(w.dues(game, store.DueSeat)) != 0 {
		t.Errorf("he is back: %v", summaries(out))
	}
	if _, out = w.send(w.letter(at("sue"), ask.Token, "yes")); problemOf(out[0]) != notice.ProblemSeatTaken || len(remarks(out[0])) != 0 {
		t.Errorf("Sue's yes: %v", summaries(out))
	}

	w, _, game = replaced(t)
	first, gone = w.onTurn(game)
	w.plays(first)
	out = w.resigns(gone)
	if mail(out, notice.TellSeatNobody)[first].To == "" || mail(out, notice.TellSeatRuler)["dora"].To == "" {
		t.Errorf("there is no substitute: %v", summaries(out))
	}
	w.write("dora", "replace "+game+" "+gone+" by eve@home.test: a friend of mine")
	if out = w.write("eve", "decline"); mail(out, notice.TellHeirDeclined)["dora"].To == "" {
		t.Errorf("whom the director asked says no: %v", summaries(out))
	}
	w.write("dora", "replace "+game+" "+gone+" by cy@home.test: another friend of mine")
	w.write("cy", "join Cy")
	if x := w.seatNamed(game, "Cy"); x.Bot != "" || len(w.dues(game, store.DueSeat)) != 0 {
		t.Errorf("%+v", x)
	}
	w.verified()
}

// A player who misses their very first turn was never there: the game is void and starts again
// with a substitute in their seat, and with the next if that one does not come either; then the
// usual substitution goes on.
func TestNoShow(t *testing.T) {
	w, id, game := replaced(t, "sue", "sid")
	gone, other := w.onTurn(game)
	old := game
	for _, heir := range []string{"sue", "sid"} {
		_, out := w.sees(notice.TellLate)
		for name, code := range map[string]string{gone: notice.TellLate, other: notice.TellLateAll} {
			said := func(m notice.Remark) bool { return m.Code == code && m.Args["then"] == "anew" }
			if r := mail(out, code)[name]; !slices.ContainsFunc(r.Answer.Remarks, said) {
				t.Errorf("%s is told what comes: %v", name, r.Answer.Remarks)
			}
		}
		_, out = w.sees(notice.TellNoShow)
		f := w.league(id).State.Of(old)
		game = f.Game
		if w.row(old).State != store.GameVoid || f.Earlier[len(f.Earlier)-1] != old || f.Over() {
			t.Fatalf("%s, %+v", w.row(old).State, f)
		}
		if r := mail(out, notice.TellNoShow)[gone]; r.Kind != notice.KindEnd || r.Game != old {
			t.Errorf("%s is told %s of %s", gone, r.Kind, r.Game)
		}
		if r := mail(out, notice.TellNoShowAll)[other]; r.Game != old {
			t.Errorf("%s is not told: %v", other, summaries(out))
		}
		if r := mail(out, notice.TellStepIn)[heir]; r.Game != game || r.Kind != notice.KindTurn || len(w.sheet(r).Legal) == 0 {
			t.Errorf("%s gets %s of %s", heir, r.Kind, r.Game)
		}
		if a, b := w.row(old), w.row(game); a.Seed == b.Seed || b.State != store.GameRunning || b.League != id {
			t.Errorf("the new game is %+v", b)
		}
		if first, second := w.onTurn(game); first != heir || second != other {
			t.Errorf("%s and %s play", first, second)
		}
		g, err := w.desk.Host().Open(context.Background(), old, "", -1) // a listed league's
		if err != nil {
			t.Fatal(err)
		}
		if all := g.Rulings; len(all) != 1 || all[0].Code != notice.RulingNoShow || all[0].Game != game {
			t.Errorf("rulings %+v", all)
		}
		gone, old = heir, game
	}
	_, out := w.sees(notice.TellMissed) // no one is left
	if mail(out, notice.TellMissed)["sid"].To == "" || w.row(game).State != store.GameRunning {
		t.Errorf("%v", summaries(out))
	}
	if n := len(w.league(id).State.Rulings); n != 2 {
		t.Errorf("%d rulings in the league's log", n)
	}
	if lines, others, differs, err := w.desk.Host().VerifyLeague(context.Background(), id); err != nil || len(others)+len(differs) > 0 {
		t.Errorf("%d lines, %v, %v, %v", lines, others, differs, err)
	}
	for w.row(game).State == store.GameRunning { // its result is the fixture's, split among those who played
		if w.playOut(game); w.row(game).State == store.GameRunning {
			w.next()
		}
	}
	if f := w.league(id).State.Of(game); f.Result == nil || !slices.ContainsFunc(f.Result.Seats, func(x league.Seat) bool {
		return slices.ContainsFunc(x.Parts, func(p league.Part) bool { return p.Player == 0 })
	}) {
		t.Errorf("%+v", f.Result)
	}
	w.verified()
}

// A game without a league has no substitutes: the server asks its organiser, as always.
func TestNoLadderWithoutALeague(t *testing.T) {
	w, id := clocked(t, "3d grace 1d")
	_, out := w.sees(notice.TellMissed)
	if w.row(id).State != store.GameRunning || len(w.dues(id, store.DueSeat)) != 0 {
		t.Errorf("%v", summaries(out))
	}
}

// If letters to a player of a league's game come back, its director learns that, and how to fix
// it; status has the last ruling.
func TestRulerIsTold(t *testing.T) {
	w, _, game := replaced(t)
	first, other := w.onTurn(game)
	r := w.last(first)
	l := w.letter("mailer-daemon@home.test", "", "")
	l.Class, l.Bounced = incoming.Bounced, []incoming.Bounce{{Address: at(first), MessageID: r.MessageID, Permanent: true, Status: "5.1.1"}}
	w.bounced(first) // the first one only marks the address
	_, out := w.send(l)
	dora := mail(out, notice.TellBouncedRuler)["dora"]
	if dora.To == "" || mail(out, notice.TellBouncedLeague)[other].To == "" {
		t.Fatalf("%v", summaries(out))
	}
	w.write("dora", w.printed("dora", notice.CommandBot))
	if x := w.seatNamed(game, first); x.Bot == "" || x.Stage != store.SeatReplaced {
		t.Errorf("%+v", x)
	}
	w.write(other, "status")
	games := section(t, w.last(other), "status").Games
	i := slices.IndexFunc(games, func(g notice.GameState) bool { return g.Game == game })
	if i < 0 || games[i].Ruling == nil || games[i].Ruling.Reason != "no one else could play on" {
		t.Errorf("%+v", games)
	}
}

// TestAssistantsRule: where no letter reaches the director, they want none, or send
// none for a week, their assistants rule over any game of the league, and hear what
// the director would have heard.
func TestAssistantsRule(t *testing.T) {
	for how, mute := range map[string]func(o *office){
		"never": func(o *office) { o.write("dora", "never write to me again") },
		"dead": func(o *office) {
			l := o.letter("mailer-daemon@home.test", "", "")
			l.Class, l.Bounced = incoming.Bounced, []incoming.Bounce{{Address: at("dora"), MessageID: o.last("dora").MessageID, Permanent: true, Status: "5.1.1"}}
			o.send(l)
		},
		"unknown": nil,
		"silent":  func(o *office) { o.now = o.now.AddDate(0, 0, 8) }, // letters reach her, but none comes from her
	} {
		o := newOffice(t)
		o.started(9, "al", "bot")
		if mute != nil {
			o.started(9, "dora", "bot")
		} else { // before there is a league
			if err := o.db.Update(context.Background(), func(tx store.Tx) error { return tx.SaveAddress(store.Address{Address: at("dora"), Never: true}) }); err != nil {
				t.Fatal(err)
			}
		}
		id := o.made(strings.Replace(tin, "director: dora@home.test", "director: dora@home.test\nassistant: al@home.test", 1))
		o.joins("tin", "ada", "bo", "cy")
		o.until("2026-12-02")
		f := o.running(id)[0]
		if mute != nil {
			o.write("dora", "status")
			if o.write("al", "pause "+f.Game+": x"); o.refused("al") != notice.ProblemAssistant {
				t.Errorf("%s: while she rules: %s", how, summary(o.last("al")))
			}
			mute(o)
		}
		if o.write("al", "pause "+f.Game+": a storm"); o.row(f.Game).Paused.IsZero() {
			t.Errorf("%s: he cannot rule: %s", how, summary(o.last("al")))
		}
		o.write("al", "resume "+f.Game+": it is over")
		letters := o.resignsFrom(f.Game, o.pairOf(f, "ada", "bo", "cy")[0])
		silent := how == "silent" // then she may still rule
		if to := mail(letters, notice.TellSeatRuler); len(to) != 1 && !silent || to["al"].To == "" || (to["dora"].To != "") != silent {
			t.Errorf("%s: of an open seat: %v", how, summaries(letters))
		}
		o.write("cy", "leave league tin")
		if to := mail(o.until(o.now.AddDate(0, 0, 8).Format(time.DateOnly)), notice.TellWeek); !silent && (to["al"].To == "" || to["dora"].To != "") {
			t.Errorf("%s: of who leaves: %v", how, to)
		}
		if !silent {
			continue
		}
		o.write("dora", "status") // she is there again
		if o.write("al", "pause "+f.Game+": x"); o.refused("al") != notice.ProblemAssistant {
			t.Errorf("%s: when she is back: %s", how, summary(o.last("al")))
		}
	}
}

// A late yes takes the seat if no one plays it and it is not on offer to someone else; the
// server answers a second yes, or a late back, with the name of the player there.
func TestLateYesAndBack(t *testing.T) {
	w, id, game := replaced(t, "sue")
	first, gone := w.onTurn(game)
	said := func(name, text, want string) {
		t.Helper()
		var out []notice.Message
		if out = w.from(game, name, text); len(out) == 0 {
			t.Fatalf("%s: %q is not answered", name, text)
		}
		if got := w.refused(name); got != want || want != "" && slices.ContainsFunc(remarks(w.last(name)), func(code string) bool { return code != notice.SayWords }) {
			t.Errorf("%s: %q is answered %s", name, text, summary(w.last(name)))
		}
	}
	said(first, "back", notice.ProblemSeatYours)
	w.plays(first)
	ask := mail(w.resigns(gone), notice.AskSeat)["sue"]
	_, out := w.sees(notice.TellSeatNobody) // her time is over, and there is no one else
	if mail(out, notice.AskSeat)["sue"].To != "" {
		t.Fatalf("%v", summaries(out))
	}
	_, out = w.send(w.letter(at("sue"), ask.Token, "yes"))
	if x := w.seatNamed(game, "sue"); x.Bot != "" || x.Player != w.playerOf("sue") || mail(out, notice.SayJoined)["sue"].To == "" {
		t.Fatalf("a late yes: %v", summaries(out))
	}
	if _, out = w.send(w.letter(at("sue"), ask.Token, "yes")); problemOf(out[0]) != notice.ProblemSeatYours || len(remarks(out[0])) != 0 {
		t.Errorf("a second yes: %v", summaries(out))
	}
	said(gone, "back", notice.ProblemSeatTaken)
	if p := w.last(gone).Answer.Lines[0].Problem; p.Args["name"] != "Sue" {
		t.Errorf("%+v", p)
	}
	w.plays("sue")

	// Letters show what the substitute has from the game, next to the table.
	for w.row(game).State == store.GameRunning {
		w.plays(first)
		if w.row(game).State == store.GameRunning {
			w.plays("sue")
		}
	}
	said(first, "back", notice.ProblemOver)
	guests := w.league(id).State.Guests(1, 1)
	if len(guests) != 1 || guests[0].Player != w.playerOf("sue") || guests[0].Points.Value.Exact(3) {
		t.Fatalf("%+v", guests)
	}
	for _, name := range []string{"sue", first} {
		w.write(name, "standings tin")
		tale := section(t, w.last(name), "standings").League
		want := notice.LeagueRank{Name: "Sue", Points: guests[0].Points.Value.Decimal(3), Played: 1, Games: 1, You: name == "sue"}
		if len(tale.Guests) != 1 || tale.Guests[0] != want {
			t.Errorf("%s reads of substitutes: %+v, want %+v", name, tale.Guests, want)
		}
		for _, r := range append(tale.Guests, tale.Table...) {
			if strings.Contains(r.Points, "/") {
				t.Errorf("%s has %s points", r.Name, r.Points)
			}
		}
	}
}

// A substitute who got a place in the division meanwhile cannot take over a seat in it; the
// server asks the next at once.
func TestSubstituteWhoBecameARival(t *testing.T) {
	w := &waiting{office: newOffice(t)}
	w.started(9, "dora", "bot")
	id := w.made(tin)
	w.joins("tin", "ada", "bo", "cy")
	w.ready("sue")
	w.ready("sam")
	w.until("2026-12-02")
	f := w.running(id)[0]
	pair := w.pairOf(f, "ada", "bo", "cy")
	var idle string
	for _, name := range []string{"ada", "bo", "cy"} {
		if !slices.Contains(pair, name) {
			idle = name
		}
	}
	first, other := w.onTurn(f.Game)
	w.plays(first)
	seat := mail(w.resignsFrom(f.Game, other), notice.AskSeat)["sue"]
	place := mail(w.write(idle, "leave league tin"), notice.AskPlace)["sue"]
	if seat.To == "" || place.To == "" {
		t.Fatal("she is not asked for both")
	}
	if _, out := w.send(w.letter(at("sue"), place.Token, "yes")); len(mail(out, notice.SayPlaceTaken)) != 1 {
		t.Fatalf("%v", summaries(out))
	}
	_, out := w.send(w.letter(at("sue"), seat.Token, "yes"))
	if w.refused("sue") != notice.ProblemSeatRival || w.sitsIn(f.Game, "sue") {
		t.Errorf("%v", summaries(out))
	}
	if mail(out, notice.AskSeat)["sam"].To == "" {
		t.Errorf("the next is not asked: %v", summaries(out))
	}
	w.send(w.letter(at("sue"), place.Token, "yes"))
	if w.refused("sue") != notice.ProblemPlaceYour {
		t.Errorf("a second yes for the place: %s", summary(w.last("sue")))
	}
}

// A place with nothing to play any more is offered to no one; with rounds to come
// the offer speaks of them, not of 0 games.
func TestPlaceWithNothingToCome(t *testing.T) {
	w, _, game := replaced(t, "sue")
	first, other := w.onTurn(game)
	w.plays(first)
	if asked := mail(w.write(other, "leave league tin"), notice.AskPlace); len(asked) != 0 {
		t.Errorf("asked: %+v", asked["sue"].Answer.Remarks)
	}

	w = &waiting{office: newOffice(t)}
	w.started(9, "dora", "bot")
	id := w.made("name: Tin League\ndirector: dora@home.test\nkind: swiss\ntable: 2\nrounds: 3\nstart: 2026-12-01\nclock: 3d\n")
	w.joins("tin", "ada", "bo", "cy", "di")
	w.ready("sue")
	w.until("2026-12-02")
	w.started(9, "sid", "bot")
	ask := mail(w.write("ada", "leave league tin"), notice.AskPlace)["sue"]
	if m, _ := told(ask, notice.AskPlace); m.Args["n"] != "0" || m.Args["then"] != "rounds" {
		t.Errorf("%+v", m)
	}
	day := w.now.AddDate(0, 0, 9).Format(time.DateOnly)
	w.until(day) // no one has said anything
	if _, out := w.send(w.letter(at("sue"), ask.Token, "yes")); w.refused("sue") != notice.ProblemPlaceGone && w.refused("sue") != notice.ProblemPlaceOver {
		t.Errorf("%v, %s", summaries(out), w.league(id).State.Season().Ended)
	}
}
