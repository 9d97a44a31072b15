package lettertest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// position is view.json without where it stands in the log.
func position(t *testing.T, page string) map[string]any {
	t.Helper()
	body, status := mailclient.Get(t, page+"/view.json")
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
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	step := mailclient.Latest(t, mover.Page)
	for _, c := range []struct {
		word string
		says []string
	}{
		{"status", []string{"YOUR GAMES", "First flight: round 1, your move"}},
		{"history", []string{"HISTORY"}},
		{"history 0", []string{"HISTORY"}},
		{"rules", []string{"RULES", "- discover:"}},
		{"rules 013", []string{"Orange Mission 013."}},
		{"rules R5.5", []string{"R5.5. Command"}},
		{"rules t12", []string{"Orange tile t12."}},
		{"rules M5", []string{"Mission 005"}},
		{"rules discover", []string{"R5.3"}},
		{"rules nonsense", []string{"no rules topic `nonsense`", "rules 013"}},
		{"help", []string{"HELP", "- play (your turn): orders,"}},
		{"help say", []string{"  | say: Good luck", "say to NAME"}},
		{"help talk", []string{"- `say: Good luck, everyone!`: write to the other players"}},
		{"help nonsense", []string{"no word `nonsense`", "`help` lists them all"}},
		{"Status.", []string{"YOUR GAMES"}},
		{"> • STATUS please", nil},
	} {
		t.Run(c.word, func(t *testing.T) {
			mover.T = t
			n := mover.Ask(c.word)
			if c.says == nil { // behind a quote mark: nothing at all
				mailclient.Answers(t, n, "refused", "no order in your letter")
				return
			}
			result := "none"
			if strings.HasSuffix(c.word, "nonsense") {
				result = "refused"
			}
			mailclient.Answers(t, n, result, c.says...)
		})
	}
	mover.T = t
	if n := mover.Ask("board"); n.Result != "none" || !strings.Contains(n.Text, "\nALL BOARDS") {
		t.Errorf("board: %s\n%s", n.Result, mailclient.Head(n.Text, 40))
	}
	if n := mover.Ask("legal"); n.Result != "none" || len(n.Legal) < len(mover.Box[0].Legal) {
		t.Errorf("legal: %s, %d orders, %d in the notice", n.Result, len(n.Legal), len(mover.Box[0].Legal))
	}
	mailclient.Says(t, other.Ask("status"), "First flight: round 1, waiting for")
	if now := mailclient.Latest(t, mover.Page); now != step {
		t.Errorf("words moved the game from %d to %d", step, now)
	}
	p.Stop()
}

// TestPreviewAndUndo tries a turn, which never shows what chance would give,
// then plays the half of it and takes it back.
func TestPreviewAndUndo(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := mailclient.SitDown(t, p)
	step, was := mailclient.Latest(t, mover.Page), position(t, mover.Page)
	example := mover.Last.Example

	n := mover.Ask(append([]string{"preview"}, example...)...)
	mailclient.Answers(t, n, "none", "This was only a check: we played, sent and stored nothing", example[0])
	n = mover.Ask("preview", "B")
	mailclient.Answers(t, n, "none", "The check ends at `B`", "depends on dice or cards")
	if told := mailclient.NewsOf(n); regexp.MustCompile(`(?i)\broll an? |advances to`).MatchString(told) {
		t.Errorf("a preview tells what chance would give:\n%s", told)
	}
	n = mover.Ask("preview", "die orange 1", "frobnicate 3")
	mailclient.Answers(t, n, "refused", "frobnicate")
	n = mover.Ask("preview", "resign")
	mailclient.Answers(t, n, "refused", "resign", "preview")
	if now := mailclient.Latest(t, mover.Page); now != step || !reflect.DeepEqual(position(t, mover.Page), was) {
		t.Fatalf("a preview moved the game from %d to %d", step, now)
	}

	mailclient.Answers(t, mover.Ask("undo"), "refused", "nothing to undo")
	first := mover.Last.Legal[0]
	mailclient.Answers(t, mover.Ask(first), "applied", first, "Your turn isn't finished")
	if reflect.DeepEqual(position(t, mover.Page), was) {
		t.Fatalf("%s changed nothing", first)
	}
	mailclient.Answers(t, mover.Ask("undo"), "applied", "Undone: ")
	if now := position(t, mover.Page); !reflect.DeepEqual(now, was) {
		t.Errorf("undo did not bring the position back")
	}
	if now := mailclient.Latest(t, mover.Page); now <= step+1 {
		t.Errorf("the history did not keep the line: %d, was %d", now, step)
	}
	// A line that rolls cannot be taken back.
	n = mover.Ask("B")
	mailclient.Answers(t, n, "applied", "B", "roll an orange")
	if len(n.Legal) > 0 {
		mailclient.Answers(t, mover.Ask("undo"), "refused", "have been revealed since")
	}
	p.Stop()
}

// TestPress says things to one and to all, and keeps a note.
func TestPress(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human,human", "-seed", strings.Repeat("5a", 32))...)
	all := mailclient.Seated(t, p)
	alpha, beta, gamma := all[0], all[1], all[2]
	step := mailclient.Latest(t, alpha.Page)

	mailclient.Answers(t, alpha.Ask("say to beta: only for you", "and a second line", "", "status"), "applied", "Your message goes to Beta", "First flight: round")
	mailclient.Answers(t, beta.Wait(1, "info"), "none", "ALPHA SAYS TO YOU", "only for you", "and a second line")
	mailclient.Answers(t, gamma.Ask("say: hello all of you \u202e\x1b[31m"), "applied", "Your message goes to Alpha, Beta")
	alpha.Until("the message", func(n mailclient.Received) bool {
		return n.Kind == "info" && strings.Contains(n.Text, "hello all of you")
	})
	n := beta.Until("the message", func(n mailclient.Received) bool {
		return n.Kind == "info" && strings.Contains(n.Text, "hello all of you")
	})
	mailclient.Answers(t, n, "none", "GAMMA SAYS")
	if strings.ContainsAny(n.Text, "\u202e\x1b") {
		t.Error("a message brings control characters")
	}
	mailclient.Answers(t, alpha.Ask("say to nobody: psst"), "refused", "no one here is called nobody")
	mailclient.Answers(t, alpha.Ask("say to beta psst"), "refused", "to write to everyone", "nothing was sent")
	mailclient.Answers(t, alpha.Ask("note: my secret plan"), "applied", "saved your note")
	beta.Settled()
	gamma.Settled()
	for _, x := range []*mailclient.Person{beta, gamma} {
		for _, n := range x.Box {
			if strings.Contains(n.Text, "psst") || strings.Contains(n.Text, "secret plan") || x == gamma && strings.Contains(n.Text, "only for you") {
				t.Errorf("%s reads what was not for him:\n%s", x.Address, mailclient.NewsOf(n))
			}
		}
	}
	for _, page := range []string{p.Values["http"] + "/g/" + p.Values["game"], beta.Page, gamma.Page} {
		if body, _ := mailclient.Get(t, page); strings.Contains(body, "secret plan") || strings.Contains(body, "only for you") && page != beta.Page {
			t.Errorf("%s shows what is private", page)
		}
	}
	if now := mailclient.Latest(t, alpha.Page); now != step {
		t.Errorf("press moved the game from %d to %d", step, now)
	}
	for _, x := range all {
		mailclient.CheckThreads(t, x)
	}
	p.Stop()
}

// firstTurn plays what comes before the first turn and tells whose that is.
func firstTurn(t *testing.T, all []*mailclient.Person) int {
	t.Helper()
	for range 10 {
		turn := position(t, all[0].Page)["turn"] == 1.0
		for i, x := range all {
			switch x.Read(); {
			case len(x.Last.Legal) == 0:
			case turn:
				return i
			default:
				x.Ask(x.Last.Legal[0])
			}
		}
	}
	t.Fatal("the first turn does not come")
	return 0
}

// TestHabits changes name, format, how often one is written to, and one's page.
func TestHabits(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human,human", "-seed", strings.Repeat("5a", 32))...)
	all := mailclient.Seated(t, p)
	i := firstTurn(t, all)
	mover, other, third := all[i], all[(i+1)%3], all[(i+2)%3]

	mailclient.Answers(t, other.Ask("name Zoë"), "applied", "You are now called Zoë")
	mailclient.Answers(t, mover.Ask("name Zoe"), "refused", "Another player is called Zoe")
	mailclient.Answers(t, mover.Ask("name <script>alert(1)</script>"), "refused", "can't be a name")
	mailclient.Answers(t, mover.Ask("say to zoe: hello"), "applied", "goes to Zoë")

	n := other.Ask("format text")
	mailclient.Answers(t, n, "applied", "We'll send letters as text")
	if kind := n.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
		t.Errorf("after format text a letter is %s", kind)
	}
	n = other.Ask("format html")
	if kind := n.Header.Get("Content-Type"); !strings.HasPrefix(kind, "multipart/alternative") {
		t.Errorf("after format html a letter is %s", kind)
	}
	mailclient.Answers(t, other.Ask("format klingon"), "refused", "format klingon")

	// The third player hears of every turn, not only of their own.
	mailclient.Answers(t, third.Ask("notify every"), "applied")
	seen := len(third.Box)
	for n := mover.Last; len(n.Legal) > 0; {
		orders := n.Example
		if len(orders) == 0 {
			orders = n.Legal[:1]
		}
		n = mover.Ask(orders...)
	}
	mailclient.Answers(t, third.Wait(seen, "info"), "none", "played", "WHAT HAPPENED")
	mailclient.Answers(t, third.Ask("notify mine"), "applied")

	old := mover.Page
	if _, status := mailclient.Get(t, old); status != 200 {
		t.Fatalf("the page: %d", status)
	}
	n = mover.Ask("link")
	mailclient.Answers(t, n, "applied", "Your page has a new link")
	if _, status := mailclient.Get(t, old); status != 404 {
		t.Errorf("the old page: status %d, want 404", status)
	}
	if _, status := mailclient.Get(t, old+"/view.json"); status != 404 {
		t.Errorf("the old view.json: status %d, want 404", status)
	}
	if fresh := mailclient.PageIn(t, n); fresh == old {
		t.Error("the page has its old address")
	} else if _, status := mailclient.Get(t, fresh); status != 200 {
		t.Errorf("the new page: status %d", status)
	}
	for _, x := range all {
		mailclient.CheckThreads(t, x)
	}
	p.Stop()
}

// TestResignAndRematch leaves the game to bots, which play it to its end, and
// starts another with the same players.
func TestResignAndRematch(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	mailclient.Answers(t, other.Ask("rematch"), "refused", "rematch")

	mailclient.Answers(t, other.Ask("resign"), "none", "Do you want to leave this game?", "Reply `yes`")
	mailclient.Answers(t, other.Ask("yes"), "applied", "You have resigned. A bot plays on for you", "`back`")
	mailclient.Says(t, mover.Wait(1, "info"), "has resigned; a bot plays on")
	mailclient.Answers(t, other.Ask(mover.Box[0].Legal[0]), "refused", "a bot plays your seat now", "`back`")
	n := mover.Last
	for step := mailclient.Latest(t, mover.Page); len(n.Legal) > 0 && mailclient.Latest(t, mover.Page) < step+40; {
		n = mover.Ask(n.Legal[0]) // the bot answers at once: it is always the mover's turn
		if n.Result == "refused" {
			t.Fatalf("not done:\n%s", mailclient.Head(n.Text, 30))
		}
	}
	mover.Ask("resign")
	mover.Ask("yes")
	for _, x := range []*mailclient.Person{mover, other} {
		n := x.Until("the end", func(n mailclient.Received) bool { return n.Kind == "end" })
		mailclient.Says(t, n, "The secret number was", "rematch")
		x.Last = n
	}
	body, _ := mailclient.Get(t, mover.Page+"/view.json")
	if !strings.Contains(body, `"finished":true`) {
		t.Error("the game is not over")
	}

	seen := len(other.Box)
	n = mover.Ask("rematch")
	mailclient.Answers(t, n, "applied", "A new game with the same players is set up")
	inv := other.Wait(seen, "invitation")
	if game := inv.Header.Get("X-Angelpost-Game"); game == "" || game == p.Values["game"] || game != n.Header.Get("X-Angelpost-Game") {
		t.Errorf("the rematch is game %q, the answer %q, the old one %q", game, n.Header.Get("X-Angelpost-Game"), p.Values["game"])
	}
	other.Last = inv
	mailclient.Answers(t, other.Ask("join"), "applied", "The game has begun")
	mover.Until("the rematch", func(n mailclient.Received) bool {
		return n.Header.Get("X-Angelpost-Game") == inv.Header.Get("X-Angelpost-Game") && (n.Kind == "turn" || n.Kind == "start")
	})
	p.Stop()
}

// TestNewGameByMail starts a game by letters: confirmation, invitations, a
// refusal, a bot in its place, a word mixed in, the start, and its cancelling.
func TestNewGameByMail(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	gamma, delta := mailclient.Stranger(t, p, "gamma"), mailclient.Stranger(t, p, "delta")
	server := p.Values["server"]

	// Without a token the server asks the organiser first; the answer names bad options.
	bad := mover.AnswerTo(mover.Write(mailclient.Post{To: server, Body: "new game\r\nplayers: gamma@demo.localhost\r\nrules: klingon\r\n"}))
	mailclient.Says(t, bad, "klingon")
	id := mover.Write(mailclient.Post{To: server, Body: strings.Join([]string{"new game", "players: " + gamma.Address + ", " + delta.Address, "name: Evening <b>", "visibility: private"}, "\r\n") + "\r\n"})
	question := mover.AnswerTo(id)
	mailclient.Says(t, question, "asks for a new game", gamma.Address, "yes")
	gamma.Read()
	if len(gamma.Box) > 0 {
		t.Fatal("invited before the organiser said yes")
	}
	mover.Last = question
	created := mover.Ask("yes")
	mailclient.Answers(t, created, "applied", "is set up", gamma.Address, delta.Address)
	game := created.Header.Get("X-Angelpost-Game")
	mover.Last = created

	// Each gets an invitation with the commitment and without anyone's address.
	commitment := regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	inv := gamma.Wait(0, "invitation")
	promised := commitment.FindString(inv.Text)
	mailclient.Says(t, inv, "join", "decline", "never write to me again", "players only")
	if inv.Header.Get("X-Angelpost-Game") != game || promised == "" {
		t.Errorf("game %q, want %q; commitment %q", inv.Header.Get("X-Angelpost-Game"), game, promised)
	}
	for _, a := range []string{mover.Address, delta.Address} {
		if strings.Contains(inv.Text, a) {
			t.Errorf("the invitation tells %s", a)
		}
	}
	delta.Wait(0, "invitation")
	if _, status := mailclient.Get(t, p.Values["http"]+"/g/"+game); status != 404 {
		t.Errorf("a private game's page for everybody: status %d, want 404", status)
	}

	// One writes nonsense, then declines; a bot takes the seat.
	mailclient.Answers(t, delta.Ask("frobnicate"), "refused", "frobnicate")
	seen := len(mover.Box)
	mailclient.Answers(t, delta.Ask("decline"), "applied", "You have declined")
	mailclient.Says(t, mover.Wait(seen, "info"), "has declined")
	mailclient.Answers(t, other.Ask("replace Gamma by bot"), "refused", "replace")
	mailclient.Answers(t, mover.AnswerTo(mover.Write(mailclient.Post{To: mailclient.AddressIn(t, created), Body: "replace " + delta.Address + " by bot\r\n"})), "applied", "A bot has replaced")

	// The other joins with a word: the game begins with the chance promised.
	mailclient.Answers(t, gamma.Ask("join "+strings.Repeat("x", 100)+", word"), "refused", "join")
	n := gamma.Ask("join Gamma, kingfisher")
	mailclient.Answers(t, n, "applied", "You have joined as Gamma", "The game has begun")
	if got := commitment.FindString(n.Text); got != promised {
		t.Errorf("the game begins with commitment %s, promised was %s", got, promised)
	}
	begun := mover.Until("the beginning", func(n mailclient.Received) bool {
		return n.Header.Get("X-Angelpost-Game") == game && (n.Kind == "start" || n.Kind == "turn")
	})
	if _, status := mailclient.Get(t, mailclient.PageIn(t, n)); status != 200 {
		t.Errorf("the new player's page: status %d", status)
	}
	mailclient.Answers(t, gamma.Ask("cancel"), "refused", "only the organiser")
	mailclient.Answers(t, gamma.Ask("join Gammon"), "applied", "You are now called Gammon")
	mailclient.Answers(t, gamma.Ask("join"), "refused", "you play in this game already")

	// Before the first turn the organiser may call it off.
	seen = len(gamma.Box)
	mover.Last = begun
	if body, _ := mailclient.Get(t, mailclient.PageIn(t, begun)+"/view.json"); strings.Contains(body, `"turn":1,`) || strings.Contains(body, `"turn":0,`) {
		mailclient.Answers(t, mover.Ask("cancel"), "applied", "The game is cancelled")
		mailclient.Says(t, gamma.Wait(seen, "info"), "cancelled")
	} else { // the bot has moved already
		mailclient.Answers(t, mover.Ask("cancel"), "refused", "cancel")
	}

	// The first game knows nothing of all this.
	mover.Last = mover.Box[0]
	mailclient.Says(t, mover.Ask("status"), "First flight: round 1, your move")
	for _, x := range []*mailclient.Person{mover, other, gamma, delta} {
		mailclient.CheckThreads(t, x)
	}
	mailclient.Filed(t, p, mover.N+other.N+gamma.N+delta.N)
	p.Stop()
}

// TestOrganiser replaces a silent player by a bot, reminds, and meets its bounds.
func TestOrganiser(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := mailclient.Seated(t, p)
	organiser, guest := all[0], all[1] // the demo's first human organises
	for range 20 {                     // until it is the guest's turn
		if len(organiser.Last.Legal) == 0 {
			break
		}
		orders := organiser.Last.Example
		if len(orders) == 0 {
			orders = organiser.Last.Legal[:1]
		}
		organiser.Ask(orders...)
	}
	mailclient.Answers(t, guest.Ask("replace Alpha by bot"), "refused", "only the organiser")
	guest.Until("his turn", func(n mailclient.Received) bool { return len(n.Legal) > 0 })
	seen := len(guest.Box)
	mailclient.Answers(t, organiser.Ask("remind Beta"), "applied", "We have sent Beta a reminder")
	mailclient.Says(t, guest.Wait(seen, "turn"), "asks us to remind you")
	mailclient.Answers(t, organiser.Ask("remind Beta"), "refused", "too often")
	mailclient.Answers(t, organiser.Ask("replace Delta by bot"), "refused", "no one here is called Delta")
	seen = len(guest.Box)
	n := organiser.Ask("replace Beta by bot")
	mailclient.Answers(t, n, "applied", "A bot has replaced Beta")
	if len(n.Legal) == 0 {
		t.Errorf("the bot has not played:\n%s", mailclient.Head(n.Text, 30))
	}
	mailclient.Says(t, guest.Wait(seen, "info"), "has your seat now")
	mailclient.Answers(t, organiser.Ask("replace Beta by bot"), "refused", "that bot already plays the seat of")
	mailclient.Answers(t, organiser.Ask("cancel"), "refused", "cancel")
	p.Stop()
}

// TestAbandon ends a game without a result, when all say yes.
func TestAbandon(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	order := mover.Last.Legal[0]
	seen := len(other.Box)
	mailclient.Answers(t, mover.Ask("abandon"), "applied", "Still to agree: ")
	question := other.Wait(seen, "info")
	mailclient.Says(t, question, "end the game without a result", "yes")
	other.Last = question
	n := other.Ask("yes")
	mailclient.Says(t, n, "All players have agreed")
	mailclient.Says(t, mover.Until("the end", func(n mailclient.Received) bool { return n.Kind == "end" }), "All players have agreed")
	mailclient.Answers(t, mover.Ask(order), "refused", fmt.Sprintf("“%s”", order), "The game is over")
	p.Stop()
}
