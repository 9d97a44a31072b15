package secrecytest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/cmd/internal/commands"
	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/sim"
)

// send writes a letter from a seat's address to the server; without a token
// it goes to the server's plain address. It has passed DMARC, so that it is answered
// in full however many there are. The desk has done what it says when send returns.
func (x *secrecyHarness) send(from engine.Seat, token string, lines ...string) {
	x.t.Helper()
	x.sent++
	to := x.s.Conf.Plain()
	if token != "" {
		to = x.s.ReplyTo(token)
	}
	raw := fmt.Sprintf("Authentication-Results: mx.play.example; dmarc=pass header.from=players.example\r\nFrom: %s\r\nTo: %s\r\nSubject: Re: Friday\r\nMessage-ID: <%d@players.example>\r\nDate: %s\r\n\r\n%s\r\n",
		x.address(from), to, x.sent, stageTime.Add(time.Duration(x.sent)*time.Second).Format(time.RFC1123Z), strings.Join(lines, "\r\n"))
	done := x.s.Handle(context.Background(), []server.Arrival{{Raw: []byte(raw), Received: stageTime}})
	if done[0].Outcome == desk.Thinking {
		done[0].Outcome = x.think()
	}
	if done[0].Err != nil || done[0].Outcome != desk.Answered {
		x.t.Fatalf("%q: %s, %v", lines, done[0].Outcome, done[0].Err)
	}
}

// think lets the bots think about the letter that waits for them.
func (x *secrecyHarness) think() (outcome string) {
	x.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- x.s.Desk.Think(ctx) }()
	outcome = <-x.thought
	stop()
	if err := <-ended; err != nil {
		x.t.Fatal(err)
	}
	return outcome
}

// A harnessLetter is a letter that was to be sent: whole bytes if it is for the
// viewer, and the token it bears.
type harnessLetter struct {
	to    engine.Seat
	kind  notice.Kind
	token string
	raw   []byte
}

// read takes the letters that are due, and makes the bytes of the viewer's.
func (x *secrecyHarness) read(viewer engine.Seat) (out []harnessLetter) {
	x.t.Helper()
	ctx := context.Background()
	for {
		due, _, err := x.s.DB.Due(ctx, stageTime.Add(time.Hour), 100)
		if err != nil {
			x.t.Fatal(err)
		}
		if len(due) == 0 {
			return out
		}
		for _, d := range due {
			l := harnessLetter{kind: d.Kind, token: d.Token}
			for seat := engine.Seat(1); int(seat) <= len(x.saga.head.Names); seat++ {
				if d.To == x.address(seat) {
					l.to = seat
				}
			}
			if l.to == viewer && viewer > 0 {
				if l.raw, err = x.s.Queued(ctx, d.ID); err != nil {
					x.t.Fatal(err)
				}
				l.raw = x.spoilt(viewer, "letter", l.raw)
			}
			if err := x.s.DB.Sent(ctx, d.ID); err != nil {
				x.t.Fatal(err)
			}
			out = append(out, l)
		}
	}
}

// letters adds what the viewer got by mail.
func (x *secrecyHarness) letters(out outputs, viewer engine.Seat, asked string) (token string) {
	x.t.Helper()
	for _, l := range x.read(viewer) {
		if l.to != viewer {
			continue
		}
		out[fmt.Sprintf("letter %03d %s, to %q", len(out), l.kind, asked)] = l.raw
		token = l.token
	}
	return token
}

// ask lets the viewer write letters, each with lines of its own, and adds all
// that they get.
func (x *secrecyHarness) ask(viewer engine.Seat, letters [][]string) outputs {
	x.t.Helper()
	out := outputs{}
	x.send(viewer, "", "legal", "status")
	token := x.letters(out, viewer, "without a token")
	for _, lines := range letters {
		x.send(viewer, token, lines...)
		if next := x.letters(out, viewer, strings.Join(lines, " / ")); next != "" {
			token = next
		}
	}
	return out
}

// questions are letters that viewer may write after line n and that tell
// them nothing new: words, previews, what is refused for one reason or
// another, half a turn and its undo.
func (g *recordedGame) questions(t testing.TB, viewer engine.Seat, n int, w *alternative, rnd *rand.Rand) (out [][]string) {
	say := func(lines ...string) { out = append(out, lines) }
	say("status", "board", "legal", "history 1", "rules", "help", "rules card 013", "help undo")
	say("hint")
	m := g.open(t, n)
	var path []string
	quiet := 0 // steps that make nothing known, nor does what is forced after them
	var forced []bool
	for len(path) < 8 && m.View(viewer).Decision != engine.NoDecision {
		legal := m.View(viewer).Legal(nil)
		st := legal[rnd.IntN(len(legal))]
		events, err := m.Do(viewer, game.ByPlayer, st)
		if err != nil {
			t.Fatal(err)
		}
		path, forced = append(path, order.Print(st)), append(forced, len(legal) == 1)
		if slices.ContainsFunc(events, engine.Event.New) {
			for quiet >= 0 && forced[quiet] {
				quiet--
			}
			break
		}
		if quiet++; slices.ContainsFunc(events, func(e engine.Event) bool { return e.Kind == engine.EvTurnEnded }) {
			break
		}
	}
	if quiet < 0 { // any letter plays the step that is forced
		return nil
	}
	say(append([]string{"preview"}, path...)...) // up to the step that rolls or draws
	// What chance would give shows in what may follow it.
	for c, v := range rnd.Perm(4)[:3] {
		say("preview", "B", fmt.Sprintf("reserve %v %d", component.Colors[c], v))
	}
	say(append(append([]string{"preview"}, path...), fmt.Sprintf("reserve %v %d", component.Colors[rnd.IntN(3)], rnd.IntN(4)), fmt.Sprintf("card %03d at row 1", 1+rnd.IntN(60)))...)
	for _, st := range some(g.open(t, n).View(viewer).Legal(nil), 3, rnd) {
		say("preview", order.Print(st))
	}
	// Cards and tiles guessed by their numbers, some that lie elsewhere in the
	// other world: in a hand, in a deck, in no box.
	var guess []int
	for x, y := range w.swap {
		if x != y && x <= 90 {
			guess = append(guess, int(x))
		}
	}
	slices.Sort(guess)
	guess = append(some(guess, 6, rnd), 99)
	say(fmt.Sprintf("always discard %03d, %03d", guess[0], guess[len(guess)/2]), fmt.Sprintf("always activate with %03d", guess[0]),
		"never keep neutralization", "always forced", "standing", "standing none")
	forms := []string{"card %03d at row 1", "card %03d at column 3", "mission %03d", "discard %03d", "keep %03d", "collect with %03d", "place %03d at b4", "preview\ncard %03d at row 2"}
	for i, c := range guess {
		say(strings.Split(fmt.Sprintf(forms[(i+n)%len(forms)], c), "\n")...)
	}
	// A turn to come, planned with what may lie elsewhere; and what is said of one
	// that is kept, and never played.
	plan := []string{"preview", "plan"}
	for i, c := range guess[:min(len(guess), 3)] {
		plan = append(plan, fmt.Sprintf(forms[(i+n+1)%len(forms)], c), "else")
	}
	for _, st := range some(g.open(t, n).View(viewer).Legal(nil), 2, rnd) {
		plan = append(plan, order.Print(st), "else")
	}
	say(strings.Split(strings.Join(append(plan, "B", fmt.Sprintf("reserve %v %d", component.Colors[rnd.IntN(3)], rnd.IntN(4))), "\n"), "\n")...)
	say("plan", "if round at least 999", order.Print(engine.Step{Kind: engine.Reroll}), "else", "if vp of seat 1 at least 999", "B")
	say("plan")
	say("plan none")
	say(fmt.Sprintf("collect with %03d %03d", 61+rnd.IntN(30), 61+rnd.IntN(30)))
	say(fmt.Sprintf("take t%02d a%d", 1+rnd.IntN(component.Tiles), 1+rnd.IntN(16)))
	// What another seat could do, what is ambiguous, unreadable, out of turn.
	for seat := engine.Seat(1); int(seat) <= len(g.head.Names); seat++ {
		if seat != viewer {
			for _, st := range some(g.open(t, n).View(seat).Legal(nil), 2, rnd) {
				say(order.Print(st))
			}
		}
	}
	say("activate")
	say("die orange")
	say("reserve gray 3", "xyzzy")
	say("pass")
	say("undo")
	say("say: hello", "", "note: to myself")
	// Half a turn, one line too many, and back.
	if quiet > 0 {
		say(append(slices.Clone(path[:quiet]), "card 099 at row 1")...)
		if quiet > 1 {
			say(path[:quiet-1]...)
			say("preview", path[quiet-1])
			say("undo")
		}
	}
	return out
}

// some are at most n of a list, at random.
func some[T any](list []T, n int, rnd *rand.Rand) []T {
	list = slices.Clone(list)
	rnd.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list[:min(n, len(list))]
}

// TestSecrecyOfAnswers swaps hidden things at steps of whole games and lets
// each seat write all it can think of: every letter that answers is the same
// to the last byte, headers and picture included, and so are the pages after.
// At the other steps of a game of one or two, and of those asked for, somebody
// writes some of it.
func TestSecrecyOfAnswers(t *testing.T) {
	var letters, hints, steps atomic.Int64
	eachSaga(t, func(t *testing.T, i int) {
		g, rnd := recordedGameOf(t, i, 12)
		players := len(g.head.Names)
		x, _ := newSecrecyHarness(t, g, g.real(0), 0)
		y, _ := newSecrecyHarness(t, g, g.real(0), 0)
		next := rnd.IntN(8)
		for n := 0; n <= g.playsLast; n++ {
			var viewers []engine.Seat
			whole := n == next
			switch {
			case whole:
				next += (16 + rnd.IntN(48)) * ((*secretEvery + 1) / 2)
				viewers = []engine.Seat{engine.Seat(1 + rnd.IntN(players))}
				if toAct := g.look(t, n).View(0).ToAct; rnd.IntN(4) > 0 { // rather one who has something to decide
					viewers[0] = toAct[rnd.IntN(len(toAct))]
				}
			case *secretGames > 0:
				for seat := engine.Seat(1); int(seat) <= players; seat++ {
					viewers = append(viewers, seat)
				}
			case players <= 2 && n%*secretEvery == 0:
				viewers = []engine.Seat{engine.Seat(1 + n / *secretEvery % players)}
			default:
				continue
			}
			steps.Add(1)
			for _, viewer := range viewers {
				w, _ := y.other(viewer, n, rnd)
				x.put(g.real(n))
				q := g.questions(t, viewer, n, w, rnd)
				if !whole && len(q) > 0 {
					at := rnd.IntN(len(q))
					q = q[at:min(at+2, len(q))]
				}
				if len(q) > 0 {
					letters.Add(x.compare(y, viewer, q, n, whole, &hints))
				}
			}
		}
	})
	t.Logf("%d letters compared at %d steps, %d with a hint", letters.Load(), steps.Load(), hints.Load())
	if letters.Load() < 500/int64(*secretEvery) || hints.Load() < 10/int64(*secretEvery) {
		t.Error("too few")
	}
}

// commands adds what the command line says of the viewer's export: that a
// running game can neither be shown nor verified.
func (x *secrecyHarness) commands(out outputs, file string) {
	x.t.Helper()
	if err := os.WriteFile(file, out["export"].([]byte), 0o600); err != nil {
		x.t.Fatal(err)
	}
	for _, args := range [][]string{{"show", "-json", file}, {"show", "-json", "-at", "1", "-seat", "1", file}, {"verify", file}} {
		var stdout, stderr bytes.Buffer
		code := commands.Run(args, &stdout, &stderr)
		if code != program.ExitUsage {
			x.t.Errorf("%s of a running game: exit code %d", args[0], code)
		}
		out[strings.Join(args[:len(args)-1], " ")] = fmt.Appendf(nil, "%d\n%s\n%s", code, &stdout, &stderr)
	}
}

// compare asks two stages the same and holds that the answers are; if whole,
// what pages, exports and commands say then, too.
func (x *secrecyHarness) compare(y *secrecyHarness, viewer engine.Seat, letters [][]string, n int, whole bool, hints *atomic.Int64) int64 {
	x.t.Helper()
	a, b := x.ask(viewer, letters), y.ask(viewer, letters)
	count := int64(len(a))
	for _, b := range a {
		if raw, ok := b.([]byte); ok && bytes.Contains(raw, []byte("A SUGGESTION FOR YOUR TURN")) {
			hints.Add(1)
		}
	}
	record := filepath.Join(x.dir, "record.json")
	for _, s := range []struct {
		*secrecyHarness
		outputs
	}{{x, a}, {y, b}} {
		if !whole {
			break
		}
		s.pages(s.outputs, viewer, n, n/2, true)
		s.export(s.outputs, viewer)
		s.commands(s.outputs, record)
	}
	if d := differ(a, b); len(d) > 0 {
		x.t.Fatalf("line %d, viewer %d:\n%s", n, viewer, strings.Join(d, "\n"))
	}
	return count
}

// play lets everybody write the world's lines by mail and calls each with what
// the viewer got after each letter.
func (x *secrecyHarness) play(g *recordedGame, w *alternative, viewer engine.Seat, tokens []string, each func(n int, out outputs)) {
	x.t.Helper()
	for n := 0; n < len(w.lines); {
		l := w.lines[n]
		seat := engine.Seat(l.Seat)
		out := outputs{}
		for try := 0; ; try++ {
			if try == 2 {
				x.t.Fatalf("line %d, %q: no token of seat %d is good", n+1, l.Order, seat)
			}
			x.send(seat, tokens[seat], l.Order)
			now := x.collect(out, viewer, tokens)
			if now > len(w.lines) { // a forced step was the last: all is open
				return
			}
			if now > n {
				n = now
				break
			}
			x.send(seat, "", "legal") // what is owed is asked again, with a fresh token
			x.collect(out, viewer, tokens)
		}
		x.pages(out, viewer, n, n/2, n%8 == 0)
		x.export(out, viewer)
		each(n, out)
	}
}

// collect takes the letters that are due: the viewer's into out, and every
// seat's youngest token. It gives the length of the log.
func (x *secrecyHarness) collect(out outputs, viewer engine.Seat, tokens []string) (lines int) {
	x.t.Helper()
	for _, l := range x.read(viewer) {
		if l.to == viewer {
			out[fmt.Sprintf("letter %03d %s", len(out), l.kind)] = l.raw
		}
		if l.to > 0 {
			tokens[l.to] = l.token
		}
	}
	rec, err := x.s.Desk.Host().Export(context.Background(), x.game, 0)
	if err != nil {
		x.t.Fatal(err)
	}
	return len(rec.Log)
}

// TestSecrecyByMail plays whole games by mail, line by line, in two worlds that
// are the same to one seat to the end: every letter it ever gets is.
func TestSecrecyByMail(t *testing.T) {
	var mu sync.Mutex
	kinds := map[notice.Kind]int{}
	count := func(kind notice.Kind) {
		mu.Lock()
		defer mu.Unlock()
		kinds[kind]++
	}
	eachSaga(t, func(t *testing.T, i int) {
		g, rnd := recordedGameOf(t, i, 0)
		for viewer := engine.Seat(1); int(viewer) <= len(g.head.Names); viewer++ {
			if *secretGames == 0 && (viewer != 2 || len(g.head.Names) < 3) {
				continue
			}
			probe, _ := newSecrecyHarness(t, g, g.real(0), 0)
			w, _ := probe.other(viewer, g.playsLast, rnd)
			worlds := []*alternative{g.real(g.playsLast), w}
			var got [2][]outputs
			for k, w := range worlds {
				x, first := newSecrecyHarness(t, g, w, viewer)
				tokens := make([]string, len(g.head.Names)+1)
				out := outputs{}
				for _, l := range first {
					tokens[l.to] = l.token
					if l.to == viewer {
						out["first letter"] = l.raw
						count(l.kind)
					}
				}
				x.send(viewer, tokens[viewer], "notify every")
				x.collect(out, viewer, tokens)
				got[k] = append(got[k], out)
				x.play(g, w, viewer, tokens, func(n int, out outputs) {
					for name := range out {
						for _, kind := range []notice.Kind{notice.KindTurn, notice.KindAnswer, notice.KindInfo} {
							if strings.HasSuffix(name, " "+string(kind)) {
								count(kind)
							}
						}
					}
					got[k] = append(got[k], out)
				})
			}
			if len(got[0]) != len(got[1]) {
				t.Fatalf("game %d, viewer %d: %d and %d letters were needed", i, viewer, len(got[0]), len(got[1]))
			}
			for n := range got[0] {
				if d := differ(got[0][n], got[1][n]); len(d) > 0 {
					t.Fatalf("game %d, viewer %d, letter %d:\n%s", i, viewer, n, strings.Join(d, "\n"))
				}
			}
		}
	})
	t.Logf("letters compared, by kind: %v", kinds)
	for _, kind := range []notice.Kind{notice.KindStart, notice.KindTurn, notice.KindAnswer, notice.KindInfo} {
		if kinds[kind] == 0 {
			t.Errorf("no letter of kind %s was compared", kind)
		}
	}
}

// TestSecrecyOfInvitations begins a game by invitation in two worlds that are
// the same to one seat: invitations, answers to them, and the letters that begin
// the game are.
func TestSecrecyOfInvitations(t *testing.T) {
	names, entropy := []string{"Ada", "Bo", "Cy"}, []string{"heads", "", "tails"}
	seed := sim.Seed("secrecy by invitation", 1)
	head := game.Header{
		Options: game.Options{Players: 3, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName},
		Seed:    seed, Entropy: entropy, Names: make([]string, 3),
	}
	for seat, place := range engine.DrawSeats(engine.NewChance(seed, strings.Join(entropy, "\n")), 3) {
		head.Names[seat] = names[place]
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	g := newRecordedGame(t, head, habits[0], 0, rnd)
	kinds := map[notice.Kind]int{}
	for viewer := engine.Seat(1); viewer <= 3; viewer++ {
		var got [2]outputs
		for k, w := range []*alternative{g.real(0), g.swapped(t, viewer, 0, true, rnd)} {
			x := newServer(t, g, w)
			x.newGame(false, names)
			out, tokens := outputs{}, make([]string, 4)
			take := func() {
				for _, l := range x.read(viewer) {
					tokens[l.to] = l.token
					if l.to == viewer {
						out[fmt.Sprintf("letter %03d %s", len(out), l.kind)] = l.raw
						kinds[l.kind]++
					}
				}
			}
			take()
			for i, name := range names {
				seat := engine.Seat(1 + slices.Index(head.Names, name))
				h := x.s.Pages()
				out["GET before "+name] = x.get(h, "/g/"+x.game)
				out["view.json before "+name] = x.get(h, "/g/"+x.game+"/view.json")
				x.send(seat, tokens[seat], strings.TrimSuffix("join "+name+", "+entropy[i], ", "))
				take()
				x.send(seat, tokens[seat], "status")
				take()
			}
			x.findKeys()
			x.pages(out, viewer, 0, 0, true)
			x.export(out, viewer)
			if rec, err := game.ReadRecord(bytes.NewReader(out["export"].([]byte))); err != nil || !slices.Equal(rec.Names, head.Names) || !slices.Equal(rec.Entropy, entropy) {
				t.Fatalf("another game was begun: %v, %+v", err, rec)
			}
			got[k] = out
		}
		if d := differ(got[0], got[1]); len(d) > 0 {
			t.Fatalf("viewer %d:\n%s", viewer, strings.Join(d, "\n"))
		}
	}
	for _, kind := range []notice.Kind{notice.KindInvitation, notice.KindInfo, notice.KindStart, notice.KindAnswer} {
		if kinds[kind] == 0 {
			t.Errorf("no letter of kind %s: %v", kind, kinds)
		}
	}
}
