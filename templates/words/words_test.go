package words

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/draw"
)

var names = []string{"Ada", "Bo", "Cy", "Di"}

func voice(reader engine.Seat) *Voice { return English().For(component.Default(), reader, names) }

// whole fails on a text that names an unknown code or argument.
func whole(t *testing.T, what, s string) {
	t.Helper()
	if s == "" || strings.ContainsAny(s, "[]{}") || strings.Contains(s, "  ") {
		t.Errorf("%s: %q", what, s)
	}
}

func TestEveryEventAndDecisionIsWorded(t *testing.T) {
	for k := engine.EvShuffled; k < engine.EventKinds; k++ {
		for reader := range engine.Seat(3) {
			v := voice(reader)
			for _, e := range []engine.Event{
				{Kind: k, Seat: 2, Other: 1, Card: 13, Tile: 12, Cell: 4, Slot: 5, Loc: 3, Hex: engine.HexAt(4, 1), Hex2: engine.HexAt(4, 2), Good: engine.Ship, N: 2, Value: 3, Flag: true},
				{Kind: k, Seat: 2, Other: 2, Card: 75, Tile: engine.LastTile, Color: engine.Green, Via: 1, Cell: 2, Slot: 1, Hex: 22, Hex2: 22, Good: engine.Robot, N: -1, Value: 1},
				{Kind: k, Seat: 1, Other: engine.Neutral, Card: engine.BackRavager, Tile: engine.FirstStart, Color: engine.Gray, Cause: 1, Cell: 2, Slot: 6, Loc: 6, Good: engine.Debris, N: 1, Value: 8},
			} {
				whole(t, "event "+strconv.Itoa(int(k)), v.Event(e))
			}
		}
	}
	for d := engine.AskReserveFree; d <= engine.AskKeep; d++ {
		v := voice(1)
		for _, ship := range []engine.Hex{0, 22} {
			view := &engine.View{Decision: d, Using: 5, Left: 2, Ship: ship, Die: engine.DieView{Color: engine.Gray, Value: 2},
				ToInject: []engine.Tile{3, 60}, Owed: []engine.Debt{{Ask: d, Card: 6, N: 2}}}
			whole(t, d.String(), v.Decision(view))
		}
		whole(t, d.String(), v.Wanted(d))
		whole(t, d.String(), v.Asked(2, d))
	}
}

// codes are the texts that a regular expression's first group finds in the
// sources of a package.
func codes(t *testing.T, pkg string, want int, re *regexp.Regexp) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, text := range sources(t, pkg) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
	}
	if len(out) < want {
		t.Fatalf("only %d codes found in %s: does the search still fit?", len(out), pkg)
	}
	return out
}

func TestEveryReasonOfTheRulesIsWorded(t *testing.T) {
	v := voice(1)
	step := engine.Step{Kind: engine.PlayCard, Card: 13, Slot: 2, Cell: 3, From: 22, To: 23, Tile: 4}
	for code := range codes(t, "engine", 50, regexp.MustCompile(`"[RQ][0-9]+[.0-9a-z]*", "([a-z-]+)"`)) {
		whole(t, code, v.Illegal(&engine.Illegal{Rule: "R4.1", Code: code, Step: step}))
	}
}

func TestEveryProblemOfTheOrderLanguageIsWorded(t *testing.T) {
	found := 0
	for name, value := range constants(t, "engine/order") {
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`).MatchString(value) {
			continue
		}
		found++
		s := voice(1).Problem(&notice.Problem{Code: value, Args: map[string]string{"word": "xyzzy", "remark": "wait"}})
		whole(t, name, s)
	}
	if found < 12 {
		t.Errorf("only %d codes found in engine/order", found)
	}
}

func TestEveryWordOfTheDeskIsWorded(t *testing.T) {
	v := voice(1)
	args := map[string]string{}
	for _, a := range strings.Fields("names name old word n days order address waiting game commitment what visibility format notify to mixed entropy date time of left year who from did card reason heir next league season rank seed id line key value can zone subjects points kind by why open url remark") {
		args[a] = "2"
	}
	for _, code := range notice.Problems {
		p := &notice.Problem{Code: code, Args: args}
		if code == notice.ProblemIllegal {
			p.Args, p.Rule, p.Read = map[string]string{"reason": "slot-taken"}, "R4.1", "card 013 at row 2"
		}
		whole(t, code, v.Problem(p))
	}
	for _, code := range notice.Remarks {
		whole(t, code, v.Remark(notice.Remark{Code: code, Args: args, List: []string{"a", "b"}}))
	}
	for _, code := range notice.Commands {
		say := func(name string) (any, bool) { return args[name], args[name] != "" }
		whole(t, code, v.SayArgs("command."+code, say)+v.SayArgs("command."+code+"-line", say))
	}
	for name, value := range constants(t, "engine/notice") {
		if strings.HasPrefix(name, "Line") {
			whole(t, name, v.Status(notice.Status(value)))
		}
	}
	want := "There is already a card at row 2 (R4.1)."
	if got := v.Problem(&notice.Problem{Code: notice.ProblemIllegal, Rule: "R4.1", Read: "card 013 at row 2", Args: map[string]string{"reason": "slot-taken"}}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := v.Problem(nil) + v.Problem(&notice.Problem{}) + v.Remark(notice.Remark{Code: "\r\n"}); strings.ContainsAny(got, "\r\n") {
		t.Errorf("%q", got)
	}
}

// A log tells which bot a seat went to, or that a player took it.
func TestReplacedByWhom(t *testing.T) {
	for order, want := range map[string]string{
		"resign": "Bob resigns; a bot plays on.", "replace seat 2 by bot": "A bot replaces Bob.",
		"replace seat 2 by bot:planner:500": "A bot (planner 500) replaces Bob.", "replace seat 2 by player": "Bob takes over the seat.",
	} {
		v := English().For(nil, 1, []string{"Ann", "Bob"})
		if got := v.Told(&game.Told{Seat: 2, Order: order}); got != want {
			t.Errorf("%s: %q, want %q", order, got, want)
		}
	}
	r := notice.Remark{Code: notice.TellReplaced, Args: map[string]string{"name": "Bob", "bot": ""}}
	if got, want := voice(1).Remark(r), "A bot has replaced Bob."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Args["bot"] = "planner"
	if got, want := voice(1).Remark(r), "A bot (planner) has replaced Bob."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A game that needs no invitations says so instead of an empty list of names.
func TestCreatedNamesTheInvited(t *testing.T) {
	v := voice(1)
	for want, invited := range map[string][]string{"we are inviting a@example.org and b@example.org.": {"a@example.org", "b@example.org"}, "it needs no invitations.": nil} {
		got := v.Remark(notice.Remark{Code: notice.SayCreated, Args: map[string]string{"game": "g", "commitment": "00ff"}, List: invited})
		if !strings.Contains(got, want) || !strings.Contains(got, "is 00ff.") {
			t.Errorf("%q, want %q and the commitment", got, want)
		}
	}
}

// Whatever code names as a message is one: here, in the pages, in the letters
// and where they are wired.
func TestEveryMessageAskedForIsThere(t *testing.T) {
	says := regexp.MustCompile(`(?:Say|SayArgs|Has)\("([a-z.A-Z0-9-]+[a-z0-9])"[,)]`)
	found := 0
	for _, pkg := range []string{"templates/words", "templates", "templates/touch", "templates/leaguepage", "templates/table", "web", "cmd/internal/*"} {
		for _, text := range sources(t, pkg) {
			for _, m := range says.FindAllStringSubmatch(text, -1) {
				if found++; !English().Has(m[1]) {
					t.Errorf("%s asks for %s", pkg, m[1])
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d messages found: does the search still fit?", found)
	}
}

// One is one: whatever counts, no message speaks of 1 games, or says that there are 1.
// What counts is what has a singular somewhere in the catalogue.
func TestOneIsSingular(t *testing.T) {
	var all strings.Builder
	files, err := filepath.Glob("en*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		all.WriteString(read(t, f))
	}
	plurals, counts := map[string]bool{}, map[string]bool{}
	for _, m := range regexp.MustCompile(`\{(\w+), plural, one \{([^}]*)\} other \{([^}]*)\}\}`).FindAllStringSubmatch(all.String(), -1) {
		counts[m[1]] = true
		one, many := strings.Fields(m[2]), strings.Fields(m[3])
		for i, word := range many {
			if i >= len(one) || word != one[i] {
				plurals[word] = true
			}
		}
	}
	if len(plurals) < 20 {
		t.Fatalf("only %d plurals: %v", len(plurals), plurals)
	}
	delete(plurals, "go") // "1 go", of players; its singular is a noun here
	wrong := regexp.MustCompile(`\b[Aa]re 1\b|\b1 (?:(?:[A-Z][a-z]+|finished|standing|more|earlier|whole) )?([a-z]+)\b`)
	for _, key := range English().Keys("") {
		if strings.HasPrefix(key, "rule.") { // nothing is counted in it
			continue
		}
		text := English().SayArgs(key, func(name string) (any, bool) {
			if counts[name] {
				return 1, true
			}
			return "Ada", true
		})
		for _, m := range wrong.FindAllStringSubmatch(text, -1) {
			if m[1] == "" || plurals[m[1]] {
				t.Errorf("%s: %q in %s", key, m[0], text)
			}
		}
	}
}

// A subject is a few words, and variants of what a letter says stand with it.
func TestSubjectsAreShort(t *testing.T) {
	for _, key := range English().Keys("subject.") {
		if text := English().Say(key); len(text) > 70 || strings.Contains(text, ". ") {
			t.Errorf("%s is no subject: %s", key, text)
		}
	}
	for then, want := range map[string]string{"waits": "you wait for the next", "back": "have the place that you left", "soon": "from its next round on", "final": "Its last season"} {
		r := notice.Remark{Code: notice.SayLeagueJoined, Args: map[string]string{"league": "Tin", "name": "Ada", "then": then, "season": "1", "n": "2", "time": "soon"}}
		if got := voice(1).Remark(r); !strings.Contains(got, want) {
			t.Errorf("%s: %s", then, got)
		}
	}
	for _, now := range []string{"up", "down", "stays", "open", "won", "lost"} {
		for _, then := range []string{now, now + "-left"} {
			r := notice.Remark{Code: notice.TellChanged, Args: map[string]string{"league": "Tin", "season": "2", "then": then, "was": "up", "game": "Tin 1.1.2", "reason": "Bo gave way."}}
			left := strings.HasSuffix(then, "-left")
			if got := voice(1).Remark(r); strings.Contains(got, "no longer in the league") != left || strings.Contains(got, "about Tin 1.1.2 ") == left || strings.HasSuffix(got, "The reason: Bo gave way.") == left || !strings.Contains(got, ": ") {
				t.Errorf("%s: %s", then, got)
			}
		}
	}
	for code, all := range map[string][]string{notice.TellBye: {"empty"}, notice.TellBracket: {"you"}, notice.TellLeft: {"annul", "bots"}, notice.TellIdle: {"you"}, notice.TellSeatLeft: {"you", "all"}, notice.TellIdleWon: {"you", "winner"}} {
		r := notice.Remark{Code: code, Args: map[string]string{"league": "Tin", "name": "Ada", "names": "Ada", "who": "Bo", "n": "2"}}
		plain := voice(1).Remark(r)
		for _, then := range all {
			if r.Args["then"] = then; voice(1).Remark(r) == plain {
				t.Errorf("%s, %s: %s", code, then, plain)
			}
		}
	}
	for then, want := range map[string]string{"": "with 2 games to come", "waits": "in which you wait", "rounds": "from the next round on", "waits-rounds": "now, from the next round on", "match": "is still being played", "waits-match": "place now? The match that Ada began is still being played"} {
		r := notice.Remark{Code: notice.AskPlace, Args: map[string]string{"league": "Tin", "name": "Ada", "then": then, "n": "2", "time": "soon"}}
		if got := voice(1).Remark(r); !strings.Contains(got, want) {
			t.Errorf("%s: %s", then, got)
		}
	}
}

// And no message is unused.
func TestNoMessageIsForgotten(t *testing.T) {
	var all strings.Builder
	for _, pkg := range []string{"templates/words", "templates", "templates/touch", "templates/leaguepage", "templates/table", "web", "cmd/internal/*", "engine", "engine/match/*", "engine/notice", "engine/game", "engine/order"} {
		for _, text := range sources(t, pkg) {
			all.WriteString(text)
		}
	}
	for _, file := range []string{"letter.templ", "page.templ", "league.templ", "archive.templ", "plan.templ", "components.templ", "report.templ", "hostpage.templ"} {
		all.WriteString(read(t, filepath.Join("..", file)))
	}
	code := all.String()
	for _, key := range English().Keys("") {
		table, name, _ := strings.Cut(key, ".")
		switch table {
		case "rule", "help-group", "mission", "ravager", "advanced", "tile", "about", "source", "ending", "why", "group", "term", "status-line", "action", "action-does", "status", "decision", "wanted", "asked", "subject", "hal", "options", "host", "sim-word", "sim-way", "sim-group", "sim-thing", "ruling", "head", "tile-short", "tile-word", "last", "chapter", "sign", "thing", "source-short", "command":
			continue // made of a code; the tests above ask for each
		}
		for _, more := range []string{"-more", "-waiting", "-known", "-nobody", "-bot", "-player", "-keeps", "-anew", "-annul", "-lost", "-back", "-soon", "-round", "-rounds", "-match", "-waits", "-final", "-empty", "-you", "-winner", "-bots", "-vacant"} {
			name = strings.TrimSuffix(name, more)
		}
		if strings.HasPrefix(name, "alarm-") {
			name = strings.TrimSuffix(name, notice.AlarmOver)
		}
		if strings.HasPrefix(name, "league-changed-") { // to what: see TestSubjectsAreShort
			name = "league-changed"
		}
		if strings.HasPrefix(name, "league-seat-left-") { // by the player who has it
			name = "league-seat-left"
		}
		if strings.HasPrefix(name, "league-now-") { // by a direction
			name = "league-now"
		}
		for _, code := range []string{"ask-sure", "ask-rule", "ruled-now"} {
			if strings.HasPrefix(name, code+"-") { // the same
				name = code
			}
		}
		if strings.HasPrefix(name, "league-match-") { // how it stands
			name = "league-match"
		}
		asked := strings.Contains(code, `"`+table+"."+name+`"`) || strings.Contains(code, `"`+key+`"`)
		switch table {
		case "short": // below the heading of an order's beginning
			asked = strings.Contains(code, `"step.`+name+`"`)
		case "remark", "problem", "story", "invite", "ahead", "begin":
			asked = asked || strings.Contains(code, `"`+name+`"`) // a code, or a field's word
		case "league": // by a code of match
			first, _, _ := strings.Cut(strings.TrimPrefix(key, table+"."), "-")
			asked = asked || slices.Contains([]string{"game", "guest", "join", "row", "stop", "you"}, first)
		case "leagues": // by a code of league, or a part of its file
			first, _, _ := strings.Cut(strings.TrimPrefix(key, table+"."), "-")
			asked = asked || slices.Contains([]string{"about", "date", "direct", "join", "kind", "moves", "note", "noted", "proof", "rule", "ruling", "state", "tie", "went"}, first)
		case "report": // by what games wait for
			first, _, _ := strings.Cut(name, "-")
			asked = asked || strings.Contains(code, `"report.`+first+`"`)
		case "piece": // by a code of engine
			first, _, _ := strings.Cut(name, "-")
			asked = asked || slices.Contains([]string{"changed", "column", "does", "hex", "row", "trap", "worth"}, first)
		case "desk": // by a decision
			asked = asked || strings.HasPrefix(name, "ask-")
		case "hostpage": // of a fact, or a letter's state
			asked = asked || strings.HasPrefix(name, "state-") || strings.Contains(code, `text("`+name+`", `) || strings.Contains(code, `moment("`+name+`", `)
		case "page":
			asked = asked || strings.HasPrefix(name, "state-")
		}
		if !asked {
			t.Errorf("nobody asks for %s", key)
		}
	}
}

// sources are the texts of a package's files without its tests.
func sources(t *testing.T, pkg string) []string {
	t.Helper()
	var out []string
	for _, f := range files(t, pkg) {
		out = append(out, read(t, f))
	}
	return out
}

func files(t *testing.T, pkg string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*.go"))
	if err != nil || len(all) == 0 {
		t.Fatalf("package %s: %v, %d files", pkg, err, len(all))
	}
	var out []string
	for _, f := range all {
		if !strings.HasSuffix(f, "_test.go") {
			out = append(out, f)
		}
	}
	return out
}

// constants are a package's constants that are texts, by name.
func constants(t *testing.T, pkg string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range files(t, pkg) {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			d, ok := n.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				return true
			}
			for _, s := range d.Specs {
				spec := s.(*ast.ValueSpec)
				for i, value := range spec.Values {
					if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						out[spec.Names[i].Name], _ = strconv.Unquote(lit.Value)
					}
				}
			}
			return true
		})
	}
	return out
}

func TestEveryComponentIsWorded(t *testing.T) {
	v, set := voice(1), component.Default()
	seen := map[string]engine.Card{}
	for c := engine.Card(1); c <= component.LastRaider; c++ {
		whole(t, c.String(), v.Card(set, c))
		whole(t, c.String(), v.CardName(c))
		text := v.CardText(c)
		whole(t, c.String(), text)
		if other, same := seen[text]; same && !c.Ravager() {
			t.Errorf("%v and %v read alike: %s", c, other, text)
		}
		seen[text] = c
	}
	for c := engine.BackOrange; c <= engine.BackRavager; c++ {
		whole(t, c.String(), v.CardName(c))
		if s := v.Card(set, c) + v.CardText(c); s != "" {
			t.Errorf("back %v is explained: %q", c, s)
		}
	}
	for n := engine.Tile(1); n <= engine.LastTile; n++ {
		whole(t, n.String(), v.TileText(n))
		whole(t, n.String(), v.Tile(set, n))
		if want := n < engine.FirstStart; (v.Boost(n) != "") != want {
			t.Errorf("%v: boost %q", n, v.Boost(n))
		}
	}
	for n := 1; n <= 6; n++ {
		whole(t, "location", v.Location(set, n))
	}
	for p := range engine.Piles {
		whole(t, "pile", v.Pile(p))
	}
	for reason := uint8(1); reason < engine.HalReasons; reason++ {
		whole(t, "Hal's reason", v.HalWhy(reason, 2, 4))
	}
	for card := range set.Hal {
		for half := range 2 {
			whole(t, "Hal's card", v.Half(card+1, half))
		}
	}
	for s := range engine.Sources {
		whole(t, s.String(), v.Say("source."+s.String()))
	}
}

// The words of cards are held against section 10 where a slip is easy.
func TestMissionsSayTheirOwnGoods(t *testing.T) {
	v, set := voice(1), component.Default()
	for _, c := range []struct {
		card engine.Card
		want string
	}{
		{1, "take 2 ships"}, {21, "take 2 resources"}, {41, "take 2 robots"},
		{3, "take 1 ship and 1 resource"}, {23, "take 1 resource and 1 ship"}, {43, "take 1 robot and 1 resource"},
		{4, "take 1 ship and 1 robot"}, {24, "take 1 resource and 1 robot"}, {44, "take 1 robot and 1 ship"},
		{7, "pay 1 Technology tile for 2 VP"}, {28, "pay 2 Debris for 3 VP"}, {48, "pay 2 Ravager cards from your hand for 3 VP"},
		{9, "pay 1 resource and 1 Technology tile for 3 VP"}, {30, "pay 1 robot and 1 Debris for 3 VP"}, {51, "pay 1 ship and 1 Ravager card from your hand for 3 VP"},
		{14, "its owner takes 1 resource and 1 robot; each player with a ship on it takes 3 ships"},
		{34, "its owner takes 1 ship and 1 robot; each player with a ship on it takes 3 resources"},
		{54, "its owner takes 1 ship and 1 resource; each player with a ship on it takes 3 robots"},
	} {
		if got := v.Card(set, c.card); got != c.want {
			t.Errorf("%v: %q, want %q", c.card, got, c.want)
		}
	}
	for card, other := range map[engine.Card]string{17: "gray", 18: "green", 37: "orange", 38: "green", 57: "orange", 60: "gray"} {
		if got := v.Card(set, card); !strings.Contains(got, "3 VP per "+other+" Mission") {
			t.Errorf("%v: %q, want %s ones counted", card, got, other)
		}
	}
	if got := v.Card(set, 66); !strings.Contains(got, "location 1") { // after 6 comes 1
		t.Errorf("066: %q", got)
	}
}

func TestYouAndOthers(t *testing.T) {
	e := engine.Event{Kind: engine.EvGained, Seat: 2, Good: engine.Ship, N: 1}
	if got := voice(2).Event(e); got != "you take 1 ship" {
		t.Error(got)
	}
	e.N = 2
	if got := voice(1).Event(e); got != "Bo takes 2 ships" {
		t.Error(got)
	}
	story := []engine.Event{
		{Kind: engine.EvRolled, Seat: 2, Color: engine.Orange, Value: 2},
		{Kind: engine.EvRolled, Seat: 2, Color: engine.Gray},
		{Kind: engine.EvVP, Seat: 2, N: -1, Source: engine.ByLoss},
		{Kind: engine.EvVP, Seat: 2}, // nothing lost: nothing said
		{Kind: engine.EvLastRound},
		e,
	}
	if got, want := voice(2).Events(story), "you roll an orange 2, a gray star, lose 1 VP; the last round begins; you take 2 ships"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A game played at random has a complete story: nothing unknown, no line without words, and no
// one learns more than they may see.
func TestGamesAreToldWhole(t *testing.T) {
	for players := 2; players <= 4; players++ {
		g := playGame(t, players, 1<<20)
		for reader := engine.Seat(0); int(reader) <= players; reader++ {
			v := voice(reader)
			for _, turn := range v.Story(g.Story(reader, -1)) {
				whole(t, "head", turn.Head)
				for _, l := range turn.Lines {
					whole(t, strconv.Itoa(l.N)+" "+l.Order, l.Text)
				}
			}
		}
		view := g.View(1)
		for _, s := range view.Legal(nil) {
			whole(t, order.Print(s), voice(1).Step(s))
		}
	}
}

// The final scoring is separate from the last step, a line a seat.
func TestScoringIsToldApart(t *testing.T) {
	story := voice(0).Story([]game.Told{{N: 9, Seat: 2, Order: "done", Events: []engine.Event{
		{Kind: engine.EvTurnEnded, Seat: 2, N: 12},
		{Kind: engine.EvAdvancedScore, Seat: 1, Value: 5, N: 4}, {Kind: engine.EvVP, Seat: 1, N: 4, Source: engine.ByAdvanced},
		{Kind: engine.EvFinal, Seat: 1, N: 20},
		{Kind: engine.EvGoodsScore, Seat: 2, N: 0}, {Kind: engine.EvFinal, Seat: 2, N: 31}, {Kind: engine.EvGameOver},
	}}})
	var got []string
	for _, turn := range story {
		got = append(got, turn.Head)
		for _, l := range turn.Lines {
			got = append(got, l.Text)
		}
	}
	want := "Bo, round 12/Stop here./Final scoring/Ada scores 4 VP for Advanced tiles (2 VP per Debris), finishes with 20 VP./Bo finishes with 31 VP./The game is over."
	if s := strings.Join(got, "/"); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// Every order met in play is worded, and every decision.
func TestOrdersInPlayAreWorded(t *testing.T) {
	kinds := map[engine.Kind]bool{}
	rnd := rand.New(rand.NewPCG(7, 7))
	g := newGame(t, 3)
	games := 1
	var buf []engine.Step
	for {
		if g.Finished() {
			if games++; games > 3 {
				break
			}
			g = newGame(t, 3)
		}
		view := g.View(0)
		seat := view.ToAct[rnd.IntN(len(view.ToAct))]
		own := g.View(seat)
		v := voice(seat)
		whole(t, "decision", v.Decision(own))
		buf = own.Legal(buf[:0])
		for _, s := range buf {
			whole(t, order.Print(s), v.Step(s))
			whole(t, order.Print(s), v.Group(s))
			kinds[s.Kind] = true
		}
		if _, err := g.Do(seat, game.ByPlayer, buf[rnd.IntN(len(buf))]); err != nil {
			t.Fatal(err)
		}
	}
	if len(kinds) < 15 {
		t.Errorf("only %d kinds of order were met", len(kinds))
	}
}

func TestRulesAndHelp(t *testing.T) {
	v := voice(1)
	answers := func(ask string, out []string) {
		t.Helper()
		if len(out) == 0 {
			t.Errorf("%q: no answer", ask)
		}
		for _, s := range out {
			whole(t, ask, s)
		}
	}
	known := func(ask string) {
		t.Helper()
		out := v.Rules(ask)
		answers(ask, out)
		if strings.HasPrefix(out[0], "There is no rules topic") {
			t.Errorf("rules %q: %s", ask, out[0])
		}
	}
	known("")
	for _, topic := range v.topics {
		for _, name := range append(topic.Also, topic.Name) {
			known(name)
		}
		for _, n := range topic.Rules {
			if !v.Has("rule." + n) {
				t.Errorf("topic %s names %s", topic.Name, n)
			}
		}
	}
	for _, ask := range []string{"013", "13", "090", "t12", "T12", "s2", "a16", "M5", "m20", "V3", "K8", "R5.5", "r5.5", "Q5.5a", "R10", "Q12.1", "5", "R4", "comm",
		"K1", "k8", "B1", "b4", "Ta", "td", "C1", "c9", "D1", "d12", "E1", "e17"} {
		known(ask)
		if !v.Knows("rules", ask) {
			t.Errorf("rules %q is said to be unknown", ask)
		}
	}
	for _, ask := range []string{"999", "C10", "D13", "E18", "K9", "M21", "B5", "te", "wombats"} {
		if v.Knows("rules", ask) || !strings.HasPrefix(v.Rules(ask)[0], "There is no rules topic") {
			t.Errorf("rules %q: %s", ask, v.Rules(ask))
		}
	}
	if !v.Knows("help", "") || !v.Knows("help", "undo") || v.Knows("help", "wombats") {
		t.Error("help knows other words than it tells")
	}
	for _, ask := range []string{"000", "091", "t49", "a17", "M21", "R99.1", "x", "zzz", strings.Repeat("x", 5000), "\r\n|", "R", "Q.", "r99999999999999999999"} {
		answers(ask, v.Rules(ask))
		answers(ask, v.Help(ask))
	}
	answers("", v.Help(""))
	for _, h := range v.helps {
		for _, name := range append(h.Also, h.Name) {
			if out := v.Help(name); len(out) < 2 || !strings.HasPrefix(out[0], "| ") || out[1] == "" {
				t.Errorf("help %s: %q", name, out)
			}
		}
	}
}

// Every word of the order language has its help and its group.
func TestEveryWordHasHelp(t *testing.T) {
	v := voice(0)
	n := 0
	for k := order.NoWord + 1; k.String() != ""; k++ {
		n++
		if called(v.helps, k.String()) == nil {
			t.Errorf("no help on %q", k)
		}
		if k.Group() == order.NoGroup {
			t.Errorf("%q is in no group", k)
		}
	}
	if n < 25 {
		t.Errorf("only %d words", n)
	}
}

// Every entry of help is in one group, and listed in it with its example and its title.
func TestHelpInGroups(t *testing.T) {
	v := voice(0)
	listed := map[string][]string{}
	entries := 0
	for g := order.NoGroup + 1; g.String() != ""; g++ {
		if !v.Knows("help", g.String()) {
			t.Errorf("help %s is said to be unknown", g)
		}
		head := v.Say("help.of-group", "group", g.String(), "about", v.Say("help-group."+g.String()))
		out := v.Help(g.String())
		if !slices.Contains(out, head) {
			t.Fatalf("help %s: %q", g, out)
		}
		for _, p := range out[slices.Index(out, head)+1:] {
			if strings.HasPrefix(p, "- ") {
				listed[p] = append(listed[p], g.String())
				entries++
			}
		}
	}
	for _, h := range v.helps {
		if line := fmt.Sprintf("- `%s`: %s", h.inShort(), h.Title); len(listed[line]) != 1 || listed[line][0] != h.Group {
			t.Errorf("%s of the group %q is listed in %q", h.Name, h.Group, listed[line])
		}
	}
	if entries != len(v.helps) {
		t.Errorf("%d entries are listed, of %d", entries, len(v.helps))
	}
	var all []string
	for _, p := range v.Help("") {
		if _, words, ok := strings.Cut(p, "): "); ok && strings.HasPrefix(p, "- ") {
			all = append(all, strings.Split(words, ", ")...)
		}
	}
	if len(all) != len(v.helps) {
		t.Errorf("help lists %d of %d words", len(all), len(v.helps))
	}
	for _, h := range v.helps {
		all = slices.DeleteFunc(all, func(name string) bool { return name == h.Name })
	}
	if len(all) > 0 || len(v.Help("")) != 8 {
		t.Errorf("help lists %q, too: %q", all, v.Help(""))
	}
	if out := strings.Join(v.Help("play"), "\n"); !strings.Contains(out, "- `boost 2.1 green`: ") || !strings.Contains(out, "- `card 013 at row 2`: ") {
		t.Errorf("help play: %s", out)
	}
	if out := v.Help("league"); out[0] != "| league Winter Cup" || !slices.ContainsFunc(out, func(p string) bool { return strings.HasPrefix(p, "- `join league") }) {
		t.Errorf("league is a word and a group: %q", out)
	}
}

// What help shows as an example can be sent as it is, and means the word.
func TestExamplesOfHelpAreUnderstood(t *testing.T) {
	v := voice(0)
	kinds := map[string]order.WordKind{}
	for k := order.NoWord + 1; k.String() != ""; k++ {
		kinds[k.String()] = k
	}
	for _, h := range v.helps {
		l := order.ReadLetter(strings.Split(h.Example, "\n"))
		said := false
		for _, it := range l.Items {
			if it.Problem != nil || it.Doubt != "" || it.Clause != nil && !it.Clause.Readable() || it.Word.Ahead != nil && it.Word.Ahead.Problem() >= 0 || it.Word.Game.Bad {
				t.Errorf("help %s: %q is not understood: %+v", h.Name, it.Text, it)
			}
			k, word := kinds[h.Name]
			said = said || !word || it.Word.Kind == k
		}
		if len(l.Passed)+len(l.Barred) > 0 || !said {
			t.Errorf("help %s: of %q, %v is passed over; said %v", h.Name, h.Example, l.Passed, said)
		}
		for line := range strings.Lines(h.Example) { // as a letter shows it
			if utf8.RuneCountInString("  | "+line) > 72 {
				t.Errorf("help %s: %q is too long", h.Name, line)
			}
		}
	}
}

// notTold are the numbers of RULES.md that no topic of `rules` tells, and why.
var notTold = map[string]string{
	"Q2.1": "in which order the server draws the set-up; engine/RULINGS.md lists it for those who check chance",
	"Q9.1": "told with R9.1",
}

// Every rule and ruling of RULES.md that a player can meet is in the answer to
// some topic of `rules`, and `rules` and its number lead there, too.
func TestEveryRuleIsInATopic(t *testing.T) {
	v := voice(1)
	topic := map[string]string{} // of a number
	said := map[string]string{}  // by number
	number := regexp.MustCompile(`^([RQCE][0-9.]*[0-9][a-h]?)\. `)
	for _, x := range v.topics {
		for _, p := range v.Rules(x.Name) {
			if m := number.FindStringSubmatch(p); m != nil {
				topic[m[1]], said[m[1]] = x.Name, p
			}
		}
	}
	rules := read(t, "../../engine/RULES.md")
	found := map[string]bool{}
	for _, n := range regexp.MustCompile(`\b[RQ]\d+\.\d+[a-h]?\b|\b[CE]\d+\b`).FindAllString(rules, -1) {
		found[n] = true
		if why, out := notTold[n]; out {
			if topic[n] != "" || why == "" {
				t.Errorf("%s is told by %q, and is said not to be", n, topic[n])
			}
			continue
		}
		if topic[n] == "" {
			t.Errorf("no topic tells %s", n)
		} else if out := v.Rules(n); out[0] != said[n] {
			t.Errorf("rules %s: %q, want %q", n, out[0], said[n])
		}
	}
	for n := range notTold {
		if !found[n] {
			t.Errorf("%s is not in RULES.md", n)
		}
	}
	for n := range said {
		if !found[n] && !slices.Contains([]string{"R10", "R11", "R12"}, n) { // sections told as one
			t.Errorf("%s is not in RULES.md", n)
		}
	}
	if len(found) < 130 {
		t.Errorf("only %d numbers found: does the search still fit?", len(found))
	}
	// Things that tables of RULES.md number appear with the rule of their section.
	for n, kinds := range map[string][]string{"R8.6": {"K", "8"}, "R11": {"V", "5"}, "R14.2": {"B", "4"}} {
		last, _ := strconv.Atoi(kinds[1])
		for k := 1; k <= last; k++ {
			if !strings.Contains(said[n], kinds[0]+strconv.Itoa(k)) {
				t.Errorf("%s does not tell %s%d", n, kinds[0], k)
			}
		}
	}
	for _, kind := range []string{"Ta", "Tb", "Tc", "Td"} {
		if !strings.Contains(said["R12"], kind+":") {
			t.Errorf("R12 does not tell %s", kind)
		}
	}
	for k := 1; k <= 20; k++ { // one by one: there are too many for a topic, which says how
		if out := v.Rules("M" + strconv.Itoa(k)); len(out) != 3 || !strings.Contains(said["R10"], "`rules M1` to `rules M20`") {
			t.Errorf("rules M%d: %q", k, out)
		}
	}
}

// What has been missing from the topics.
func TestTopicsTellWhatBinds(t *testing.T) {
	for _, c := range []struct{ topic, want string }{
		{"command", "A new ship starts on the Black Angel's hex"},
		{"command", "except on the Black Angel's hex"},
		{"space", "Ships on an asteroid hex that she leaves are destroyed"},
		{"command", "the third goes onto an undamaged die of that colour"},
		{"ravagers", "only if you cannot do what V3, V4 or V5 wants"},
		{"command", "a fourth is discarded, and you draw the next card instead"},
		{"icons", "covers the icon beneath it"},
		{"command", "A robot from the break room goes onto its reward"},
		{"command", "A tile pushed off the end is discarded"},
		{"b", "Ships on strip 1 without a card go to the supply too"},
		{"missions", "The ejected cards themselves count for these effects neither"},
		{"draw", "neither card is in your hand or in the discards"},
		{"turn", "of two drawn cards you keep the one with the lower number"},
		{"tsoths", "Tsoth ships"}, {"Tsoth", "Tsoth ships"}, {"tsoth ships", "Tsoth ships"}, {"green", "Tsoth ships"},
		{"Meluriens", "Melurien planet"}, {"melurien", "Melurien planet"}, {"xhavits", "Xhavit station"}, {"xhavit station", "Xhavit station"},
		{"hal", "difficult"},
	} {
		if text := strings.Join(voice(1).Rules(c.topic), "\n"); !strings.Contains(text, c.want) {
			t.Errorf("rules %s does not say %q:\n%s", c.topic, c.want, text)
		}
	}
	for n := 3; n <= 5; n++ { // paying VP is not a choice (R4.7)
		card := engine.Card(component.FirstRaider + (n-1)*6)
		for _, text := range []string{voice(1).CardShort(card), voice(1).CardWord(card)} {
			if !strings.Contains(text, "(1 VP only if you have none") || strings.Contains(text, " or ") {
				t.Errorf("V%d in short: %s", n, text)
			}
		}
		for _, text := range voice(1).Rules("V" + strconv.Itoa(n)) {
			if !strings.Contains(text, "only players who have none") || strings.Contains(text, "or 1 VP") {
				t.Errorf("V%d: %s", n, text)
			}
		}
	}
}

func TestNamesCannotBreakOut(t *testing.T) {
	hostile := "  a\r\nBcc: x@y |\u202e\u0000\tb" + strings.Repeat("x", 99)
	v := English().For(component.Default(), 0, []string{hostile, "", "\n"})
	got := v.Name(1)
	if strings.ContainsAny(got, "\r\n|\x00\t\u202e") || len([]rune(got)) > maxName || !strings.HasPrefix(got, "a Bcc") {
		t.Errorf("%q", got)
	}
	if v.Name(2) != "seat 2" || v.Name(3) != "seat 3" || v.Name(4) != "seat 4" || v.Name(9) == "" {
		t.Errorf("%q %q %q", v.Name(2), v.Name(3), v.Name(4))
	}
	if got := v.Remark(notice.Remark{Code: notice.SayDeclined + "x", Args: map[string]string{"name": hostile}}); strings.Contains(got, "Bcc") {
		t.Errorf("%q", got)
	}
	if got := v.Remark(notice.Remark{Code: notice.TellJoined, Args: map[string]string{"name": hostile}}); strings.ContainsAny(got, "\r\n|\x00\u202e") {
		t.Errorf("%q", got)
	}
}

func TestCatalogueRefusesWhatItCannotSay(t *testing.T) {
	head := "language = \"en\"\n"
	for _, text := range []string{
		"language = \"?\"", head + "plurals", head + "[a]\nb = 1",
		head + "[a]\nb = \"{\"", head + "[a]\nb = \"}\"", head + "[a]\nb = \"{}\"", head + "[a]\nb = \"{n\"", head + "[a]\nb = \"{n, plural}\"",
		head + "[a]\nb = \"{n, plural, one {x}}\"", head + "[a]\nb = \"{n, plural, one {x} other {y}\"", head + "[a]\nb = \"{n, plural, some {x} other {y}}\"",
		head + "[a]\nb = \"{n, plural, one {x} one {z} other {y}}\"", head + "[a]\nb = \"{n, number}\"", head + "[a]\nb = \"{n, select, other x}\"",
		head + "[a]\nb = \"" + strings.Repeat("{n, select, other {", 6) + strings.Repeat("}}", 6) + "\"",
	} {
		if _, err := Load(text); err == nil {
			t.Errorf("%q was loaded", text)
		}
	}
	if _, err := Load(head+"[a]\nb = \"\"", "[a]\nb = \"x\""); err == nil {
		t.Error("a message that is there twice was loaded")
	}
}

// Another language chooses its plurals by its own rules.
func TestAnotherLanguage(t *testing.T) {
	c, err := Load("language = \"pl\"\n[good]\nship = \"{n, plural, one {# statek} few {# statki} other {# statków}}\"\n")
	if err != nil {
		t.Fatal(err)
	}
	v := c.For(nil, 0, nil)
	for n, want := range map[int]string{1: "1 statek", 2: "2 statki", 5: "5 statków", 12: "12 statków", 22: "22 statki"} {
		if got := v.Goods(engine.Ship, n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := v.Say("no.such"); got != "[no.such]" {
		t.Errorf("%q", got)
	}
	c, err = Load("language = \"en\"\n[draw]\n0 = \"red\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if v := c.For(nil, 0, nil); v.Term(draw.TermOrange) != "red" || v.Term(draw.TermGray) != "" {
		t.Error("the labels of the boards are not the catalogue's")
	}
}

// What of ICU MessageFormat the catalogue may use.
func TestMessageFormat(t *testing.T) {
	g, err := newGrammar("en")
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"{who} takes {n, plural, =0 {nothing} one {a ship} other {# ships}}": "Ada takes 3 ships",
		"{none, plural, =0 {nothing} one {a ship} other {# ships}}":          "nothing",
		"{one, plural, one {# ship, {n} dice} other {x}}":                    "1 ship, 3 dice",
		"{you, select, true {you take} other {{who} takes}}":                 "you take",
		"{who, select, Ada {her} other {them}}":                              "her",
		"{who, select, Bo {him} other {them}}":                               "them",
		"it's {who}'s, '{'so'}' it''s # {lost}":                              "it's Ada's, {so} it's # {lost}",
		"{n, plural, other {'#' is #, don't}}":                               "# is 3, don't",
		"":                                                                   "",
	} {
		m, err := compile(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		if got := string(m.append(nil, &g, Pairs("who", "Ada", "n", 3, "none", 0, "one", 1, "you", true))); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

// FuzzPattern: any text is a pattern or is refused, and a pattern says something that is
// bounded by it.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"{a, plural, one {#} other {{b}}}", "'{'{a}", "{a, select, x {y} other {z}}"} {
		f.Add(s)
	}
	g, err := newGrammar("en")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := compile(s)
		if err != nil {
			return
		}
		if out := m.append(nil, &g, Pairs("a", 1, "b", "x")); len(out) > 2*len(s)+2 {
			t.Errorf("%q says %q", s, out)
		}
	})
}

func FuzzHostile(f *testing.F) {
	f.Add("a\nb", uint8(3), uint8(200), "R5.5")
	f.Fuzz(func(t *testing.T, name string, kind, n uint8, ask string) {
		v := English().For(component.Default(), engine.Seat(n), []string{name, name})
		v.Event(engine.Event{Kind: engine.EventKind(kind), Seat: engine.Seat(n), Other: engine.Seat(n), Card: engine.Card(n), Tile: engine.Tile(n),
			Color: engine.Color(n), Value: n, Cell: engine.Cell(n), Via: engine.Cell(n), Slot: engine.Slot(n), Loc: n, Hex: engine.Hex(n),
			Good: engine.Good(n % 6), Pile: engine.Pile(n), N: int16(n)})
		v.Step(engine.Step{Kind: engine.Kind(kind), Card: engine.Card(n), Tile: engine.Tile(n), Use: engine.Use(n), Good: engine.Good(n % 6), Color: engine.Color(n), Space: n, Loc: n})
		v.Rules(ask)
		v.Help(ask)
		if s := Clean(name, 20); strings.ContainsAny(s, "\r\n|") || len([]rune(s)) > 20 {
			t.Errorf("%q", s)
		}
	})
}

// Hal's turn is separate from the step that set it off, point by point, so that a reader can
// check it by hand: card, half, die, what he took, what it was worth and why.
func TestHalsTurnIsTold(t *testing.T) {
	v := English().For(component.Default(), 1, []string{"Ada"})
	told := []game.Told{{N: 7, Seat: 1, Order: "done", Events: []engine.Event{
		{Kind: engine.EvDrewMission, Seat: 1, Card: 13},
		{Kind: engine.EvTurnEnded, Seat: 1, N: 3},
		{Kind: engine.EvHalCard, Seat: engine.Hal, N: 1},
		{Kind: engine.EvHalNoDie, Seat: engine.Hal, Color: engine.Orange},
		{Kind: engine.EvHalChose, Seat: engine.Hal, N: 1, Cause: 2},
		{Kind: engine.EvDieTaken, Seat: engine.Hal, Color: engine.Gray, Value: 3, Other: 1},
		{Kind: engine.EvPaid, Seat: engine.Hal, Other: 1},
		{Kind: engine.EvActed, Seat: engine.Hal, Loc: 4, N: 3},
		{Kind: engine.EvHalDrew, Seat: engine.Hal, Card: 22},
		{Kind: engine.EvPlaced, Seat: engine.Hal, Card: 22, Hex: engine.HexAt(5, 2)},
		{Kind: engine.EvVP, Seat: engine.Hal, N: 3, Source: engine.ByReward, Cause: engine.HalComet},
		{Kind: engine.EvVP, Seat: engine.Hal, N: 2, Source: engine.ByReward, Cause: engine.HalShip, Value: 2},
		{Kind: engine.EvDieBack, Seat: engine.Hal, Color: engine.Gray},
		{Kind: engine.EvTurnEnded, Seat: engine.Hal, N: 3},
	}}, {N: 8, Seat: 1, Order: "done", Events: []engine.Event{
		{Kind: engine.EvTurnEnded, Seat: 1, N: 4},
		{Kind: engine.EvHalCard, Seat: engine.Hal, N: 1},
		{Kind: engine.EvHalChose, Seat: engine.Hal, N: 1, Cause: 1},
		{Kind: engine.EvDieTaken, Seat: engine.Hal, Color: engine.Orange, Value: 3},
		{Kind: engine.EvActed, Seat: engine.Hal, Loc: 1, N: 3},
		{Kind: engine.EvTileTaken, Seat: engine.Hal, Tile: 37, N: 1},
		{Kind: engine.EvTileTaken, Seat: engine.Hal, Tile: 13, N: 2},
		{Kind: engine.EvVP, Seat: engine.Hal, N: 2, Source: engine.ByTile, Cause: engine.HalTile, Value: 2},
		{Kind: engine.EvTurnEnded, Seat: engine.Hal, N: 4},
	}}, {N: 9, Seat: 1, Order: "done", Events: []engine.Event{
		{Kind: engine.EvTurnEnded, Seat: 1, N: 5},
		{Kind: engine.EvHalCard, Seat: engine.Hal, N: 12},
		{Kind: engine.EvHalChose, Seat: engine.Hal, N: 12, Cause: 1},
		{Kind: engine.EvDieTaken, Seat: engine.Hal, Color: engine.Green, Value: 3},
		{Kind: engine.EvActed, Seat: engine.Hal, Loc: 5, N: 3},
		{Kind: engine.EvDestroyed, Seat: engine.Hal, Card: 69, Loc: 3},
		{Kind: engine.EvDestroyed, Seat: engine.Hal, Card: 62, Loc: 2},
		{Kind: engine.EvVP, Seat: engine.Hal, N: 2, Source: engine.ByTile, Cause: engine.HalRavager, Value: 2},
		{Kind: engine.EvTurnEnded, Seat: engine.Hal, N: 5},
	}}}
	var got []string
	for _, turn := range v.Story(told) {
		got = append(got, "# "+turn.Head)
		for _, l := range turn.Lines {
			got = append(got, l.Text)
		}
	}
	want := `# You, round 3
You draw orange Mission 013.
# Hal, round 3
Hal reveals card 1 (upper half: orange discover, an Advanced tile first; lower half: gray command) and, after an A, looks at the upper half first; no orange die is available; Hal does the lower half: gray command.
Hal buys the highest gray die, your gray 3 (you get 1 resource), uses it at location 4 (command), whatever it shows.
Hal draws gray Mission 022, places gray Mission 022 at c5 (take 1 resource and 1 VP): an activation goes to the furthest strip with a free gray hex, gains 3 VP for the comet.
Hal gains 2 VP for 2 ships, each worth 1 VP: the card's reward.
# You, round 4
Stop here.
# Hal, round 4
Hal reveals card 1 (upper half: orange discover, an Advanced tile first; lower half: gray command) and, after an A, looks at the upper half first, does the upper half: orange discover, an Advanced tile first.
Hal takes the highest orange die, his own orange 3, uses it at location 1 (discover), value 3: a 1 buys a tile that costs 1, a 2 an Advanced tile, a 3 both.
Hal takes green tile t37 (take 1 robot) at cost 1, orange tile t13 (activate the tile above or below) at cost 2, gains 2 VP for 2 Technology tiles, each worth 1 VP.
# You, round 5
Stop here.
# Hal, round 5
Hal reveals card 12 (upper half: green destroy, from location 6 to 1; lower half: gray command) and, after an A, looks at the upper half first, does the upper half: green destroy, from location 6 to 1.
Hal takes the highest green die, his own green 3, uses it at location 5 (destroy), value 3: as many as Hal can take from whole locations, preferring those that come first from 6 to 1.
Hal takes Ravager 069 from location 3, Ravager 062 from location 2, gains 2 VP for 2 Ravager cards, each worth 1 VP.`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

// A die that a boost changed is named as it now counts: a boost that makes it
// any colour does not say which.
func TestBoostedDieIsNamed(t *testing.T) {
	v := voice(1)
	for tile, print := range v.set.Tiles {
		if print.Boost == 0 {
			continue
		}
		got := v.Event(engine.Event{Kind: engine.EvBoosted, Seat: 1, Tile: engine.Tile(tile), Cell: 4, Color: engine.Orange, Value: 2})
		if changed := print.Boost == 2 || print.Boost == 3; changed != strings.HasSuffix(got, "): the die is now an orange 2") {
			t.Errorf("B%d: %s", print.Boost, got)
		}
	}
}

// Everything on the table has an explanation, with a rule that exists.
func TestEveryKindOfThingIsExplained(t *testing.T) {
	rules := read(t, "../../engine/RULES.md")
	v, keys := voice(1), map[string]bool{}
	for a := range draw.Abouts {
		about := draw.About(a)
		text := v.About(about)
		keys["about."+about.Key()] = true
		cited := regexp.MustCompile(`[RQ]\d+\.\d+[a-h]?`).FindAllString(text, -1)
		if len(cited) == 0 || len(text) < 30 || len(text) > 200 {
			t.Errorf("%s: %q", about.Key(), text)
		}
		for _, n := range append(cited, strings.Split(about.String(), ", ")...) {
			if !strings.Contains(rules, n+" ") {
				t.Errorf("%s: no rule %s", about.Key(), n)
			}
		}
	}
	for _, k := range English().Keys("about.") {
		if !keys[k] {
			t.Errorf("%s explains nothing", k)
		}
	}
}
