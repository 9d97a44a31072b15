package server

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// before is the part of a letter above what must be decided and the board: what
// it answers and tells.
func before(n received) string {
	for _, title := range []string{"\nWHAT YOU MUST DECIDE", "\nWaiting for ", "\nTHE BOARD", "\nLINKS"} {
		n.text, _, _ = strings.Cut(n.text, title)
	}
	return n.text
}

// answers checks what the upper part of a letter says.
func answers(t *testing.T, n received, result string, what ...string) {
	t.Helper()
	if n.result != result {
		t.Errorf("result %s, want %s", n.result, result)
	}
	says(t, received{text: before(n)}, what...)
}

// pageIn is a player's page as a letter gives it.
func pageIn(t *testing.T, n received) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^\s*(https?://\S+/g/[a-z2-7]+/[a-z2-7]+)\s*$`).FindStringSubmatch(n.text)
	if m == nil {
		t.Fatalf("no page in the letter:\n%s", n.text)
	}
	return m[1]
}

// position is view.json without where it stands in the log.
func position(t *testing.T, page string) map[string]any {
	t.Helper()
	body, status := get(t, page+"/view.json")
	var v map[string]any
	if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 {
		t.Fatalf("view.json: %d %v", status, err)
	}
	delete(v, "step")
	delete(v, "latest")
	return v
}

// TestWordsThatTell says the words that decide nothing, each in a letter of its
// own.
func TestWordsThatTell(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := sitDown(t, p)
	step := latest(t, mover.page)
	for _, c := range []struct {
		word string
		says []string
	}{
		{"status", []string{"YOUR GAMES", "First flight: round 1, you must decide"}},
		{"history", []string{"HISTORY"}},
		{"history 0", []string{"HISTORY"}},
		{"rules", []string{"RULES", "- discover:"}},
		{"rules 013", []string{"Orange Mission 013."}},
		{"rules R5.5", []string{"R5.5. Command"}},
		{"rules t12", []string{"Orange tile t12."}},
		{"rules M5", []string{"M5"}},
		{"rules discover", []string{"R5.3"}},
		{"rules nonsense", []string{"no rules called `nonsense`", "rules 013"}},
		{"help", []string{"HELP", "- rematch:"}},
		{"help say", []string{"say to NAME"}},
		{"help nonsense", []string{"no word `nonsense`", "preview"}},
		{"Status.", []string{"YOUR GAMES"}},
		{"> • STATUS please", nil},
	} {
		t.Run(c.word, func(t *testing.T) {
			mover.t = t
			n := mover.ask(c.word)
			if c.says == nil { // behind a quote mark: nothing at all
				answers(t, n, "refused", "no order in your letter")
				return
			}
			result := "none"
			if strings.HasSuffix(c.word, "nonsense") {
				result = "refused"
			}
			answers(t, n, result, c.says...)
		})
	}
	mover.t = t
	if n := mover.ask("board"); n.result != "none" || !strings.Contains(n.text, "\nTHE BOARD") {
		t.Errorf("board: %s\n%s", n.result, head(n.text, 40))
	}
	if n := mover.ask("legal"); n.result != "none" || !slices.Equal(n.legal, mover.box[0].legal) {
		t.Errorf("legal: %s, %d orders, %d in the notice", n.result, len(n.legal), len(mover.box[0].legal))
	}
	says(t, other.ask("status"), "First flight: round 1, waiting for")
	if now := latest(t, mover.page); now != step {
		t.Errorf("words moved the game from %d to %d", step, now)
	}
	p.stop()
}

// TestPreviewAndUndo tries a turn, which never shows what chance would give,
// then plays the half of it and takes it back.
func TestPreviewAndUndo(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := sitDown(t, p)
	step, was := latest(t, mover.page), position(t, mover.page)
	example := mover.last.example

	n := mover.ask(append([]string{"preview"}, example...)...)
	answers(t, n, "none", "This was a trial: nothing was done", example[0])
	n = mover.ask("preview", "B")
	answers(t, n, "none", "The trial ends at `B`", "depends on chance")
	if told := before(n); regexp.MustCompile(`(?i)\broll an? |advances to`).MatchString(told) {
		t.Errorf("a preview tells what chance would give:\n%s", told)
	}
	n = mover.ask("preview", "die orange 1", "frobnicate 3")
	answers(t, n, "refused", "frobnicate")
	n = mover.ask("preview", "resign")
	answers(t, n, "refused", "resign", "preview")
	if now := latest(t, mover.page); now != step || !reflect.DeepEqual(position(t, mover.page), was) {
		t.Fatalf("a preview moved the game from %d to %d", step, now)
	}

	answers(t, mover.ask("undo"), "refused", "nothing to take back")
	first := mover.last.legal[0]
	answers(t, mover.ask(first), "applied", first, "Your turn goes on")
	if reflect.DeepEqual(position(t, mover.page), was) {
		t.Fatalf("%s changed nothing", first)
	}
	answers(t, mover.ask("undo"), "applied", "Taken back: ")
	if now := position(t, mover.page); !reflect.DeepEqual(now, was) {
		t.Errorf("undo did not bring the position back")
	}
	if now := latest(t, mover.page); now <= step+1 {
		t.Errorf("the history did not keep the line: %d, was %d", now, step)
	}
	// A line that rolls cannot be taken back.
	n = mover.ask("B")
	answers(t, n, "applied", "B", "roll an orange")
	if len(n.legal) > 0 {
		answers(t, mover.ask("undo"), "refused", "something new has become known")
	}
	p.stop()
}

// TestPress says things to one and to all, and keeps a note.
func TestPress(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human,human", "-seed", strings.Repeat("5a", 32))...)
	all := seated(t, p)
	alpha, beta, gamma := all[0], all[1], all[2]
	step := latest(t, alpha.page)

	answers(t, alpha.ask("say to beta: only for you", "and a second line", "", "status"), "applied", "Your message goes to Beta", "First flight: round")
	answers(t, beta.wait(1, "info"), "none", "ALPHA SAYS TO YOU", "only for you", "and a second line")
	answers(t, gamma.ask("say: hello all of you \u202e\x1b[31m"), "applied", "Your message goes to Alpha, Beta")
	alpha.until("the message", func(n received) bool { return n.kind == "info" && strings.Contains(n.text, "hello all of you") })
	n := beta.until("the message", func(n received) bool { return n.kind == "info" && strings.Contains(n.text, "hello all of you") })
	answers(t, n, "none", "GAMMA SAYS")
	if strings.ContainsAny(n.text, "\u202e\x1b") {
		t.Error("a message brings control characters")
	}
	answers(t, alpha.ask("say to nobody: psst"), "refused", "nobody here is called nobody")
	answers(t, alpha.ask("say to beta psst"), "refused", "needs its colon", "nothing was said")
	answers(t, alpha.ask("note: my secret plan"), "applied", "note is kept")
	beta.settled()
	gamma.settled()
	for _, x := range []*person{beta, gamma} {
		for _, n := range x.box {
			if strings.Contains(n.text, "psst") || strings.Contains(n.text, "secret plan") || x == gamma && strings.Contains(n.text, "only for you") {
				t.Errorf("%s reads what was not for him:\n%s", x.address, before(n))
			}
		}
	}
	for _, page := range []string{p.values["http"] + "/g/" + p.values["game"], beta.page, gamma.page} {
		if body, _ := get(t, page); strings.Contains(body, "secret plan") || strings.Contains(body, "only for you") && page != beta.page {
			t.Errorf("%s shows what is private", page)
		}
	}
	if now := latest(t, alpha.page); now != step {
		t.Errorf("press moved the game from %d to %d", step, now)
	}
	for _, x := range all {
		checkThreads(t, x)
	}
	p.stop()
}

// firstTurn plays what comes before the first turn and tells whose that is.
func firstTurn(t *testing.T, all []*person) int {
	t.Helper()
	for range 10 {
		turn := position(t, all[0].page)["turn"] == 1.0
		for i, x := range all {
			switch x.read(); {
			case len(x.last.legal) == 0:
			case turn:
				return i
			default:
				x.ask(x.last.legal[0])
			}
		}
	}
	t.Fatal("the first turn does not come")
	return 0
}

// TestHabits changes name, format, how often one is written to, and one's page.
func TestHabits(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human,human", "-seed", strings.Repeat("5a", 32))...)
	all := seated(t, p)
	i := firstTurn(t, all)
	mover, other, third := all[i], all[(i+1)%3], all[(i+2)%3]

	answers(t, other.ask("name Zoë"), "applied", "You are now called Zoë")
	answers(t, mover.ask("name Zoe"), "refused", "Another player is called Zoe")
	answers(t, mover.ask("name <script>alert(1)</script>"), "refused", "cannot be a name")
	answers(t, mover.ask("say to zoe: hello"), "applied", "goes to Zoë")

	n := other.ask("format text")
	answers(t, n, "applied", "Letters come as text")
	if kind := n.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
		t.Errorf("after format text a letter is %s", kind)
	}
	n = other.ask("format html")
	if kind := n.header.Get("Content-Type"); !strings.HasPrefix(kind, "multipart/alternative") {
		t.Errorf("after format html a letter is %s", kind)
	}
	answers(t, other.ask("format klingon"), "refused", "format klingon")

	// The third player hears of every turn, not only of their own.
	answers(t, third.ask("notify every"), "applied")
	seen := len(third.box)
	for n := mover.last; len(n.legal) > 0; {
		orders := n.example
		if len(orders) == 0 {
			orders = n.legal[:1]
		}
		n = mover.ask(orders...)
	}
	answers(t, third.wait(seen, "info"), "none", "played", "WHAT HAPPENED")
	answers(t, third.ask("notify mine"), "applied")

	old := mover.page
	if _, status := get(t, old); status != 200 {
		t.Fatalf("the page: %d", status)
	}
	n = mover.ask("link")
	answers(t, n, "applied", "Your page has a new address")
	if _, status := get(t, old); status != 404 {
		t.Errorf("the old page: status %d, want 404", status)
	}
	if _, status := get(t, old+"/view.json"); status != 404 {
		t.Errorf("the old view.json: status %d, want 404", status)
	}
	if fresh := pageIn(t, n); fresh == old {
		t.Error("the page has its old address")
	} else if _, status := get(t, fresh); status != 200 {
		t.Errorf("the new page: status %d", status)
	}
	for _, x := range all {
		checkThreads(t, x)
	}
	p.stop()
}

// TestResignAndRematch leaves the game to bots, which play it to its end, and
// starts another with the same players.
func TestResignAndRematch(t *testing.T) {
	data := t.TempDir()
	p := start(t, demoArgs(data, "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := sitDown(t, p)
	answers(t, other.ask("rematch"), "refused", "rematch")

	answers(t, other.ask("resign"), "applied", "You have resigned. A bot plays on for you")
	says(t, mover.wait(1, "info"), "has resigned; a bot plays on")
	answers(t, other.ask(mover.box[0].legal[0]), "refused", "somebody else plays this seat now")
	n := mover.last
	for step := latest(t, mover.page); len(n.legal) > 0 && latest(t, mover.page) < step+40; {
		n = mover.ask(n.legal[0]) // the bot answers at once: it is always the mover's turn
		if n.result == "refused" {
			t.Fatalf("not done:\n%s", head(n.text, 30))
		}
	}
	mover.ask("resign")
	for _, x := range []*person{mover, other} {
		n := x.until("the end", func(n received) bool { return n.kind == "end" })
		says(t, n, "The secret number was", "rematch")
		x.last = n
	}
	body, _ := get(t, mover.page+"/view.json")
	if !strings.Contains(body, `"finished":true`) {
		t.Error("the game is not over")
	}

	seen := len(other.box)
	n = mover.ask("rematch")
	answers(t, n, "applied", "A new game with the same players is set up")
	inv := other.wait(seen, "invitation")
	if game := inv.header.Get("X-Angelpost-Game"); game == "" || game == p.values["game"] || game != n.header.Get("X-Angelpost-Game") {
		t.Errorf("the rematch is game %q, the answer %q, the old one %q", game, n.header.Get("X-Angelpost-Game"), p.values["game"])
	}
	other.last = inv
	answers(t, other.ask("join"), "applied", "The game begins")
	mover.until("the rematch", func(n received) bool {
		return n.header.Get("X-Angelpost-Game") == inv.header.Get("X-Angelpost-Game") && (n.kind == "turn" || n.kind == "start")
	})
	p.stop()
}

// TestNewGameByMail starts a game by letters: confirmation, invitations, a
// refusal, a bot in its place, a word mixed in, the start, and its cancelling.
func TestNewGameByMail(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := sitDown(t, p)
	gamma, delta := stranger(t, p, "gamma"), stranger(t, p, "delta")
	server := p.values["server"]

	// Without a token the organiser is asked first; bad options are told.
	bad := mover.answerTo(mover.write(post{to: server, body: "new game\r\nplayers: gamma@demo.localhost\r\nrules: klingon\r\n"}))
	says(t, bad, "klingon")
	id := mover.write(post{to: server, body: strings.Join([]string{"new game", "players: " + gamma.address + ", " + delta.address, "name: Evening <b>", "visibility: private"}, "\r\n") + "\r\n"})
	question := mover.answerTo(id)
	says(t, question, "asks for a new game", gamma.address, "yes")
	gamma.read()
	if len(gamma.box) > 0 {
		t.Fatal("invited before the organiser said yes")
	}
	mover.last = question
	created := mover.ask("yes")
	answers(t, created, "applied", "is set up", gamma.address, delta.address)
	game := created.header.Get("X-Angelpost-Game")
	mover.last = created

	// Each gets an invitation with the commitment and without anyone's address.
	commitment := regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	inv := gamma.wait(0, "invitation")
	promised := commitment.FindString(inv.text)
	says(t, inv, "join", "decline", "never write to me again", "the players alone")
	if inv.header.Get("X-Angelpost-Game") != game || promised == "" {
		t.Errorf("game %q, want %q; commitment %q", inv.header.Get("X-Angelpost-Game"), game, promised)
	}
	for _, a := range []string{mover.address, delta.address} {
		if strings.Contains(inv.text, a) {
			t.Errorf("the invitation tells %s", a)
		}
	}
	delta.wait(0, "invitation")
	if _, status := get(t, p.values["http"]+"/g/"+game); status != 404 {
		t.Errorf("a private game's page for everybody: status %d, want 404", status)
	}

	// One writes nonsense, then declines; a bot takes the seat.
	answers(t, delta.ask("frobnicate"), "refused", "frobnicate")
	seen := len(mover.box)
	answers(t, delta.ask("decline"), "applied", "You have declined")
	says(t, mover.wait(seen, "info"), "has declined")
	answers(t, other.ask("replace Gamma by bot"), "refused", "replace")
	answers(t, mover.answerTo(mover.write(post{to: address(t, created), body: "replace " + delta.address + " by bot\r\n"})), "applied", "is replaced by a bot")

	// The other joins with a word: the game begins with the chance promised.
	answers(t, gamma.ask("join "+strings.Repeat("x", 100)+", word"), "refused", "join")
	n := gamma.ask("join Gamma, kingfisher")
	answers(t, n, "applied", "You have joined as Gamma", "The game begins")
	if got := commitment.FindString(n.text); got != promised {
		t.Errorf("the game begins with commitment %s, promised was %s", got, promised)
	}
	begun := mover.until("the beginning", func(n received) bool {
		return n.header.Get("X-Angelpost-Game") == game && (n.kind == "start" || n.kind == "turn")
	})
	if _, status := get(t, pageIn(t, n)); status != 200 {
		t.Errorf("the new player's page: status %d", status)
	}
	answers(t, gamma.ask("cancel"), "refused", "only the organiser")
	answers(t, gamma.ask("join Gammon"), "applied", "You are now called Gammon")
	answers(t, gamma.ask("join"), "refused", "you play in this game already")

	// Before the first turn the organiser may call it off.
	seen = len(gamma.box)
	mover.last = begun
	if body, _ := get(t, pageIn(t, begun)+"/view.json"); strings.Contains(body, `"turn":1,`) || strings.Contains(body, `"turn":0,`) {
		answers(t, mover.ask("cancel"), "applied", "The game is called off")
		says(t, gamma.wait(seen, "info"), "called off")
	} else { // the bot has moved already
		answers(t, mover.ask("cancel"), "refused", "cancel")
	}

	// The first game knows nothing of all this.
	mover.last = mover.box[0]
	says(t, mover.ask("status"), "First flight: round 1, you must decide")
	for _, x := range []*person{mover, other, gamma, delta} {
		checkThreads(t, x)
	}
	filed(t, p, mover.n+other.n+gamma.n+delta.n)
	p.stop()
}

// TestOrganiser replaces a silent player by a bot, reminds, and meets its bounds.
func TestOrganiser(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := seated(t, p)
	organiser, guest := all[0], all[1] // the demo's first human organises
	for range 20 {                     // until it is the guest's turn
		if len(organiser.last.legal) == 0 {
			break
		}
		orders := organiser.last.example
		if len(orders) == 0 {
			orders = organiser.last.legal[:1]
		}
		organiser.ask(orders...)
	}
	answers(t, guest.ask("replace Alpha by bot"), "refused", "only the organiser")
	guest.until("his turn", func(n received) bool { return len(n.legal) > 0 })
	seen := len(guest.box)
	answers(t, organiser.ask("remind Beta"), "applied", "Beta has been sent a reminder")
	says(t, guest.wait(seen, "turn"), "asks me to remind you")
	answers(t, organiser.ask("remind Beta"), "refused", "too often")
	answers(t, organiser.ask("replace Delta by bot"), "refused", "nobody here is called Delta")
	seen = len(guest.box)
	n := organiser.ask("replace Beta by bot")
	answers(t, n, "applied", "Beta is replaced by a bot")
	if len(n.legal) == 0 {
		t.Errorf("the bot has not played:\n%s", head(n.text, 30))
	}
	says(t, guest.wait(seen, "info"), "has your seat now")
	answers(t, organiser.ask("replace Beta by bot"), "refused", "is played by that bot already")
	answers(t, organiser.ask("cancel"), "refused", "cancel")
	p.stop()
}

// TestAbandon ends a game without a result, when all say yes.
func TestAbandon(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := sitDown(t, p)
	order := mover.last.legal[0]
	seen := len(other.box)
	answers(t, mover.ask("abandon"), "applied", "Still to agree: ")
	question := other.wait(seen, "info")
	says(t, question, "end the game without a result", "yes")
	other.last = question
	n := other.ask("yes")
	says(t, n, "All have agreed")
	says(t, mover.until("the end", func(n received) bool { return n.kind == "end" }), "All have agreed")
	answers(t, mover.ask(order), "refused", fmt.Sprintf("“%s”", order), "called off")
	p.stop()
}
