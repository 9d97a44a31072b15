package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/jcs"
	"angelpost/engine/league"
)

// A league of two that begins as soon as both are there.
const pairFile = `name: Two of a Kind
table: 2
division: 2
least: 2
clock: 3d
season: 8 weeks
`

// TestLeagueAtTheCommandLine: a host makes a league, sees to its players and
// takes it out again, without a mail server.
func TestLeagueAtTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	config := write("angelpost.toml", program.Config)
	run := func(verb string, want int, args ...string) string {
		t.Helper()
		out, code := program.Output(t, append([]string{"league", verb, "-config", config}, args...)...)
		if code != want {
			t.Fatalf("league %s %q: exit %d, want %d: %s", verb, args, code, want, out)
		}
		return out
	}
	sample, code := program.Output(t, "league", "sample")
	if _, err := league.ParseRules(sample); err != nil || code != cli.ExitYes || !strings.Contains(sample, "#") {
		t.Errorf("sample: %d %v", code, err)
	}
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "create", "-config", config, write("bad", "name: X\ntable: 9\nclock: soon\nwhat: ever")), "Line 2", "`table`", "Line 4", "`what`")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "create", "-config", config, write("impossible", "name: X\nclok: 3d\ntable: 4\ndivision: 3\nleast: 1\nup: 1\ndown: 2\nstart: 2020-01-01\nclock: 20 days\nseason: 2 weeks\nset: none")),
		"`clok`", "`division`", "`least`", "`down`", "`start`", "`season`", "set: none")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "create", "-config", config, write("sample", sample)), "still the sample")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "create", "-config", config, write("bad2", "name: X\nset: nowhere")), "set: nowhere")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "create", "-config", config, filepath.Join(dir, "none")), "none")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "burn"), "burn", "create")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "join", "-config", config, "x"), "NAME ADDRESS")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "show", "-config", config, "x"), "no league")
	if out := run("create", cli.ExitYes, write("pair", pairFile)); out != "league=two-of-a-kind\n" {
		t.Fatal(out)
	}
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "create", "-config", config, filepath.Join(dir, "pair")), "Two of a Kind")
	if code, out, warned := program.Outcome(t, "league", "create", "-config", config, write("odd", "name: Odd League\ntable: 2\ndivision: 4\nup: 1\nleast: 2\nseason: 1 week\nclock: 3 days")); code != cli.ExitYes || out != "league=odd-league\n" {
		t.Error(code, out, warned)
	} else {
		program.Contains(t, warned, "`least:` is smaller", "twenty turns")
	}
	program.Contains(t, run("list", cli.ExitYes), "two-of-a-kind", "waiting")
	run("join", cli.ExitYes, "two-of-a-kind", "ann@example.org", "Ann")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "join", "-config", config, "two-of-a-kind", "Ann@example.org"), "Ann@example.org is in the league Two of a Kind already")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "substitute", "-config", config, "two-of-a-kind", "ann@example.org", "no"), "ann@example.org is not a substitute of the league")
	for _, name := range []string{"Two of a Kind", "TWO-OF-A-KIND", " two of a kind "} { // as list prints it, or nearly
		program.Contains(t, run("show", cli.ExitYes, name), "two-of-a-kind")
		run("file", cli.ExitYes, name)
		run("export", cli.ExitYes, name)
		program.Contains(t, run("verify", cli.ExitYes, name), "ok league=two-of-a-kind")
		run("substitute", cli.ExitYes, name, "ann@example.org")
		run("substitute", cli.ExitYes, name, "ann@example.org", "no")
		run("leave", cli.ExitYes, name, "ann@example.org")
		run("join", cli.ExitYes, name, "ann@example.org")
	}
	run("substitute", cli.ExitYes, "two-of-a-kind", "ann@example.org")
	run("substitute", cli.ExitYes, "two-of-a-kind", "ann@example.org", "no")
	run("leave", cli.ExitYes, "two-of-a-kind", "ann@example.org")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "leave", "-config", config, "two-of-a-kind", "ann@example.org"), "ann@example.org is not in the league Two of a Kind")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "leave", "-config", config, "two-of-a-kind", "nobody@example.org"), "nobody@example.org is not in the league Two of a Kind")
	run("join", cli.ExitYes, "two-of-a-kind", "ann@example.org")
	run("join", cli.ExitYes, "two-of-a-kind", "bob@example.org", "Bob")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "announce", "-config", config, "Two of a Kind", "Welcome, both of you."), "2 players of the league Two of a Kind would get this", "-yes")
	run("announce", cli.ExitYes, "-yes", "Two of a Kind", "Welcome, both of you.")
	run("amend", cli.ExitYes, "Two of a Kind", write("next", strings.Replace(pairFile, "8 weeks", "9 weeks", 1)))
	now := run("file", cli.ExitYes, "two-of-a-kind")
	program.Contains(t, now, "season: 9 weeks")
	run("amend", cli.ExitYes, "two-of-a-kind", write("same", now))
	if again := run("file", cli.ExitYes, "two-of-a-kind"); again != now {
		t.Errorf("the file was\n%s\nand is\n%s", now, again)
	}
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "amend", "-config", config, "two-of-a-kind", write("other", "name: Another")), "You can't change a league's")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "amend", "-config", config, "two-of-a-kind", write("worse", "name")), "Line 1")
	run("announce", cli.ExitYes, "-yes", "two-of-a-kind", "Ask dora@example.org why.")
	run("pause", cli.ExitYes, "Two of a Kind", "A storm.")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "pause", "-config", config, "two-of-a-kind", "Again."), "nothing running")
	run("resume", cli.ExitYes, "Two of a Kind", "It is over!")
	run("extend", cli.ExitYes, "two-of-a-kind", "division", "1", "by", "2", "days", "The storm.")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "extend", "-config", config, "two-of-a-kind", "a", "b", "Why."), "can't")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "start", "-config", config, "-yes", "two-of-a-kind", "Now."), "no further round")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "delete", "-config", config, "two-of-a-kind", "No."), "is running")
	run("rename", cli.ExitYes, "two-of-a-kind", "A to Z")
	if out := run("rename", cli.ExitYes, "A to Z", "-json", "Two of a Kind", "A mistake."); !strings.HasPrefix(out, `{"schema":1,"done":"rename","league":"A to Z","now":["The league was called A to Z. Now it is called Two of a Kind.`) || !strings.Contains(out, `"back":"angelpost league rename -config `+config+` 'Two of a Kind' 'A to Z'"}`) {
		t.Errorf("rename -json prints %s", out)
	}
	run("create", cli.ExitYes, write("short", "name: Short Lived\n"))
	if out := run("delete", cli.ExitYes, "-yes", "-json", "Short Lived", "A mistake."); !strings.HasPrefix(out, `{"schema":1,"done":"delete","league":"Short Lived","now":["There was a league Short Lived `) || strings.Contains(out, `"back"`) {
		t.Errorf("delete -json prints %s", out)
	}
	run("move", cli.ExitYes, "two-of-a-kind", "Ann", "1", "She asked for it.")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "move", "-config", config, "two-of-a-kind", "Ann", "9", "Why."), "only 1 division")
	run("add", cli.ExitYes, "two-of-a-kind", "zoe@example.org", "Welcome.")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "league", "expel", "-config", config, "two-of-a-kind", "Bob", "Rude."), "-yes")
	var whole leagueWhole
	if err := json.Unmarshal([]byte(run("show", cli.ExitYes, "-json", "two-of-a-kind")), &whole); err != nil {
		t.Fatal(err)
	}
	if whole.Schema != 1 || whole.State != "running" || len(whole.Divisions) != 1 || len(whole.Divisions[0].Standings) != 2 ||
		len(whole.Divisions[0].Games) != 1 || whole.Divisions[0].Games[0].State != "running" || len(whole.Divisions[0].Games[0].Players) != 2 {
		t.Errorf("%+v", whole)
	}
	game := whole.Divisions[0].Games[0].Game
	if out, code := program.Output(t, "export", "-config", config, game); code != cli.ExitYes || !strings.Contains(out, `"entropy":[]`) {
		t.Errorf("the game's record: %d %s", code, out)
	}
	program.Contains(t, run("show", cli.ExitYes, "two OF"), "Division 1", "Ann", "Bob", game)
	var rec leagueRecord
	if err := json.Unmarshal([]byte(run("export", cli.ExitYes, "two-of-a-kind")), &rec); err != nil {
		t.Fatal(err)
	}
	if rec.Schema != leagueSchema || rec.Secret != "" || len(rec.Secrets) != 0 || len(rec.Commitment) != 64 || rec.File != canonical(t, pairFile+"early: yes\ncheck in: 5 days\n") || len(rec.Log) < 7 {
		t.Errorf("%+v", rec)
	}
	r, err := league.ParseRules(rec.File)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := league.Replay(r, [32]byte{}, rec.Log); err != nil || s.Of(game) == nil { // whatever the secret
		t.Errorf("the export does not replay: %v", err)
	}
	if out := run("verify", cli.ExitYes, "-all"); !strings.HasPrefix(out, "ok league=two-of-a-kind lines=") {
		t.Error(out)
	}
	exported := run("export", cli.ExitYes, "two-of-a-kind")
	if program.Contains(t, exported, "Ask … why."); strings.Contains(exported, "@") {
		t.Errorf("an address is exported: %s", exported)
	}
	if out, code := program.Output(t, "league", "verify", write("pair.json", exported)); code != cli.ExitYes || !strings.HasPrefix(out, "ok league=two-of-a-kind lines=") {
		t.Errorf("exit %d: %s", code, out)
	}
	t.Chdir(dir) // a name alone is a file's, too, where no configuration is named
	write("record", exported)
	if out, code := program.Output(t, "league", "verify", "record"); code != cli.ExitYes || !strings.HasSuffix(out, " seasons=1 games=1 results=0 rulings=0\n") {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, code := program.Output(t, "league", "verify", "-config", config, "two-of-a-kind"); code != cli.ExitYes || !strings.HasPrefix(out, "ok league=two-of-a-kind lines=") {
		t.Errorf("exit %d: %s", code, out)
	}
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "verify", write("long.json", strings.Repeat(" ", maxLeagueRecord+1))), "longer than 64 MiB")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "verify", write("more.json", exported+"{}")), "not a record of a league")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "verify", write("cut.json", exported[:len(exported)/2])), "not a record of a league")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "verify", filepath.Join(dir, "none.json")), "none.json")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "verify", write("empty.json", "{}")), "schema 0")
	draw := rand.New(rand.NewPCG(1, 2)) // verify names each damage that changes the meaning, and never panics
	for range 300 {
		b := []byte(exported)
		for range 1 + draw.IntN(3) {
			b[draw.IntN(len(b))] = "0129,-\"{}[]a:"[draw.IntN(13)]
		}
		if code := RunLeague([]string{"verify", write("damaged.json", string(b))}, io.Discard, io.Discard); code == cli.ExitYes {
			if d, err := jcs.Diff([]byte(exported), b); d != nil || err != nil {
				t.Errorf("accepted: %+v, %v", d, err)
			}
		}
	}
	for _, changed := range [][2]string{{`"Ann"`, `"Eve"`}, {`"league":"`, `"league":"x`}, {`"checksum":"`, `"checksum":"0`}, {`"at":"20`, `"at":"19`}} {
		text := strings.Replace(exported, changed[0], changed[1], 1)
		if out, code := program.Output(t, "league", "verify", write("changed.json", text)); text == exported || code != cli.ExitNo || !strings.HasPrefix(out, "differs league=") {
			t.Errorf("%s: exit %d: %s", changed[1], code, out)
		}
	}
	for _, key := range []string{`"more":1,`, `"schema":2,`, `"secret":"",`} {
		program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "verify", write("key.json", strings.Replace(exported, "{", "{"+key, 1))), "not a record of a league")
	}
	run("verify", cli.ExitNo, "nothing")
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "league", "verify", "-config", config), "-all")

	// Every verb and command that takes a league or a game takes it by id and by name, in any
	// case, in quotation marks or not.
	names := func(of ...string) (out []string) {
		for _, name := range of {
			out = append(out, name, strings.ToUpper(name), "\""+name+"\"", "'"+name+"'")
		}
		return out
	}
	var verbs [][]string
	for _, v := range append(leagueVerbs(), leagueVerb{name: "verify", words: "NAME", least: 1}) {
		if strings.HasPrefix(v.words, "NAME") {
			words := []string{"league", v.name, "-config", config, "NAME"}
			for range v.least - 1 {
				words = append(words, "1")
			}
			verbs = append(verbs, words)
		}
	}
	verbs = append(verbs, []string{"export", "-config", config, "GAME"}, []string{"organiser", "-config", config, "GAME", "zoe@example.org"}, []string{"rule", "-config", config, "-reason", "Why.", "GAME", "void"})
	for _, words := range verbs {
		for _, name := range names("two-of-a-kind", "Two of a Kind") {
			if slices.Contains(words, "GAME") {
				name = strings.Replace(strings.Replace(strings.Replace(name, "Kind", "Kind 1.1.1", 1), "kind", "kind 1.1.1", 1), "KIND", "KIND 1.1.1", 1)
			}
			args := slices.Clone(words)
			args[slices.IndexFunc(args, func(w string) bool { return w == "NAME" || w == "GAME" })] = name
			var stderr strings.Builder
			map[string]func([]string, io.Writer, io.Writer) int{"league": RunLeague, "export": RunExport, "organiser": RunOrganiser, "rule": RunRule}[args[0]](args[1:], io.Discard, &stderr)
			if said := stderr.String(); strings.Contains(said, "there is no") || strings.Contains(said, "no game") || strings.Contains(said, "use: ") {
				t.Errorf("%q: %s", args, said)
			}
		}
	}
	for _, name := range names(game) {
		if out, code := program.Output(t, "export", "-config", config, name); code != cli.ExitYes {
			t.Errorf("export %s: %s", name, out)
		}
	}
}

// TestCommandsAreTakenBack: after each command that changes something the host reads, on stderr, what
// was and is now where that is not what they wrote, and the command that takes it back, which works as
// it is printed. Before what no command takes back, the host reads what will be lost, and adds -yes.
func TestCommandsAreTakenBack(t *testing.T) {
	dir := t.TempDir()
	config, file, next := filepath.Join(dir, "angelpost.toml"), filepath.Join(dir, "league file"), filepath.Join(dir, "next")
	for path, text := range map[string]string{config: program.Config, file: pairFile, next: strings.Replace(pairFile, "8 weeks", "9 weeks", 1)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(dir, "angelpost") // as the host's shell finds it
	if err := os.Symlink(os.Args[0], bin); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (said string) {
		t.Helper()
		all := append(strings.Fields(args[0]), append([]string{"-config", config}, args[1:]...)...)
		code, _, said := program.Outcome(t, all...)
		if code != cli.ExitYes {
			t.Fatalf("%q: exit %d: %s", args, code, said)
		}
		return said
	}
	back := func(now string, args ...string) {
		t.Helper()
		said := run(args...)
		_, line, ok := strings.Cut(said, "To take this back: ")
		if !ok || !strings.Contains(said, now) {
			t.Errorf("%q: %s", args, said)
			return
		}
		sh := exec.Command("sh", "-c", line)
		sh.Env = append(os.Environ(), "ANGELPOST_TEST_RUN=1", "PATH="+dir+":"+os.Getenv("PATH"))
		if out, err := sh.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", line, err, out)
		}
	}
	const name = "Two of a Kind"
	back("", "league create", file)
	run("league create", file)
	printed := func() string {
		out, _ := program.Output(t, "league", "file", "-config", config, name)
		return out
	}
	before := printed()
	run("league join", name, "ann@example.org", "Ann")
	back("", "league leave", name, "ann@example.org")
	back("", "league substitute", name, "ann@example.org")
	back("- season: 8 weeks\n+ season: 9 weeks\n", "league amend", name, next)
	if now := printed(); now != before || !strings.Contains(now, "season: 8 weeks") {
		t.Errorf("the file was\n%s\nand is\n%s", before, now)
	}
	run("league join", name, "bob@example.org", "Bob")
	back("", "block", "example.net")
	for _, c := range [][]string{
		{"Now the whole league is paused.", "pause", name, "A storm."},
		{" → ", "extend", name, "by", "2", "days", "A storm."},
		{"Now no further season begins.", "close", name, "No time."},
		{"Now it is called", "rename", name, "It's ours"},
		{"Now they are invited", "add", name, "zoe@example.org"},
		{"Now it is division 1.", "move", name, "Ann", "1", "Why."},
		{"Now Ann is out, and a bot plays on in one running game.", "expel", "-yes", name, "Ann", "Why."},
	} {
		back(c[0], append([]string{"league " + c[1]}, c[2:]...)...)
	}
	game := "Two of a Kind 1.1.1"
	mover := "Ann"
	if code, _, said := program.Outcome(t, "rule", "-config", config, "-reason", "Ill.", game, "extend", mover, "by", "1", "day"); code == cli.ExitNo && strings.Contains(said, "no clock") {
		mover = "Bob"
	}
	back(mover+" had until", "rule", "-reason", "Ill.", game, "extend", mover, "by", "2", "days")
	back("Now they are paused.", "rule", "-reason", "Ill.", game, "pause")
	// Which of them has the first seat is drawn.
	result := func(ann, bob int) string { return fmt.Sprintf("Ann %d, Bob %d", ann, bob) }
	if strings.Contains(program.Trouble(t, cli.ExitNo, "rule", "-config", config, "-reason", "Why.", game, "adjudicate", "Ann 5, Bob 3"), "Bob 3, Ann 5") {
		result = func(ann, bob int) string { return fmt.Sprintf("Bob %d, Ann %d", bob, ann) }
	}
	for want, args := range map[string][]string{
		"ends the game now, with the result " + result(5, 3): {"adjudicate", "Ann 5, Bob 3"},
		"takes the seat from Bob, who still plays":           {"replace", "Bob", "by", "bot"},
		"nothing can undo": {"void"},
	} {
		program.Contains(t, program.Trouble(t, cli.ExitNo, append([]string{"rule", "-config", config, "-reason", "Why.", game}, args...)...), want, "-yes")
	}
	run("rule", "-yes", "-reason", "Why.", game, "adjudicate", "Ann 5, Bob 3")
	program.Contains(t, program.Trouble(t, cli.ExitNo, "rule", "-config", config, "-reason", "Why.", game, "correct", "Ann 3, Bob 5"), "is "+result(5, 3)+", and this makes it "+result(3, 5), "-yes")
	said := run("rule", "-yes", "-reason", "Why.", game, "correct", "Ann 3, Bob 5")
	program.Contains(t, said, "The result was "+result(5, 3)+". Now it is "+result(3, 5)+".", "rule -config "+config+" -yes -reason 'taken back' '"+game+"' correct "+result(5, 3))
	back("", "player rename", "Ann", "Grace")
	back("", "player address", "Bob", "bob@example.net")
}

// TestLeagueRecordVerify: anyone can compute a league again from its published record, and
// detects a change to it.
func TestLeagueRecordVerify(t *testing.T) {
	r, err := league.ParseRules(strings.Replace(pairFile, "least: 2", "least: 4\nseasons: 2", 1))
	if err != nil {
		t.Fatal(err)
	}
	seed := [32]byte{7}
	s, err := league.Replay(r, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(seed[:])
	rec := leagueRecord{Schema: leagueSchema, League: "x", File: r.String(), Commitment: hex.EncodeToString(sum[:]), Secrets: map[int]string{}}
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	add := func(l league.Line) {
		t.Helper()
		if l.N, l.At = s.Lines+1, now; l.Kind == league.Begun {
			l.Game = fmt.Sprintf("game%d", l.Fixture)
		}
		if err := s.Add(l); err != nil {
			t.Fatal(err)
		}
		rec.Log = append(rec.Log, l)
		if l.Kind == league.Begun {
			p := s.Fixture(l.Fixture).Players
			rec.Log = append(rec.Log, league.Line{N: s.Lines + 1, At: now, Kind: league.Played, Game: l.Game, Seats: []league.Seat{{Player: p[0], Place: 1, Score: 80}, {Player: p[1], Place: 2, Score: 60}}})
			if err := s.Add(rec.Log[s.Lines]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for p := range int64(4) {
		add(league.Line{Kind: league.Join, Player: p + 1})
	}
	for len(s.Seasons) < 2 || s.Season().Running() {
		acts, next := s.Due(now)
		for _, a := range acts {
			add(a.Line)
		}
		if len(acts) == 0 {
			now = next
		}
	}
	for n := range 2 {
		rec.Secrets[n+1] = s.Secret(n + 1)
	}
	verified := func(want string) {
		t.Helper()
		sum, err := rec.checksum()
		if err != nil {
			t.Fatal(err)
		}
		rec.Checksum = sum
		b, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, code := program.Output(t, "league", "verify", path); !strings.HasPrefix(out, want) || (code == cli.ExitYes) != strings.HasPrefix(want, "ok") {
			t.Errorf("exit %d: %s, want %s", code, out, want)
		}
	}
	all := fmt.Sprintf("ok league=x lines=%d seasons=2 games=%d results=%[2]d rulings=0", s.Lines, len(s.Fixtures))
	verified(all + "\n")
	rec.Secret = hex.EncodeToString(seed[:])
	verified(all + "\n")
	begin := slices.IndexFunc(rec.Log, func(l league.Line) bool { return l.Kind == league.Begin })
	seats := rec.Log[begin].Divisions[0].Tables[0].Players
	slices.Reverse(seats)
	verified(all + fmt.Sprintf(" otherwise=%d\n", begin+1))
	slices.Reverse(seats)
	rec.Commitment = rec.Secrets[1]
	verified("differs league=x the commitment")
	rec.Secret, rec.Secrets[1] = "", rec.Secrets[2] // another's: its draw would be another
	verified(all + fmt.Sprintf(" otherwise=%d\n", begin+1))
	delete(rec.Secrets, 1)
	verified("differs league=x season 1")
	rec.Log = slices.Delete(rec.Log, 4, 5)
	verified("differs league=x line 6")
}

// FuzzLeagueRecord: the check of any file as a league's record returns a verdict. It neither
// panics nor runs forever.
func FuzzLeagueRecord(f *testing.F) {
	line := func(n int, more string) string {
		return fmt.Sprintf(`{"n":%d,"at":"2027-01-0%dT00:00:00Z",%s}`, n, n, more)
	}
	for _, kind := range []string{"divisions", "swiss", "knockout", "ladder", "solo"} {
		file, err := json.Marshal("name: X\nkind: " + kind + "\nleast: 2\ntable: 2\n")
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(`{"schema":1,"league":"x","file":` + string(file) + `,"secrets":{"1":"` + strings.Repeat("0a", 32) + `"},"log":[` + strings.Join([]string{
			line(1, `"kind":"join","player":1`), line(2, `"kind":"join","player":2`),
			line(3, `"kind":"season","divisions":[{"players":[1,2],"tables":[{"round":1,"players":[1,2]}]}]`), line(4, `"kind":"round","tables":[{"round":1,"players":[1,2]}]`),
			line(5, `"kind":"game","fixture":1,"game":"g"`), line(6, `"kind":"result","game":"g","seats":[{"player":1,"place":1,"score":9},{"player":2,"place":2,"score":8}]`),
			line(7, `"kind":"ruling","ruling":"void","game":"g","text":"why"`), line(8, `"kind":"end"`)}, ",") + `]}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var rec leagueRecord
		if len(text) > 1<<16 || json.Unmarshal(text, &rec) != nil {
			return
		}
		if was, err := rec.verify(); err == nil && was.lines != len(rec.Log) {
			t.Errorf("%d lines are right of %d", was.lines, len(rec.Log))
		}
	})
}

// TestLeagueByMail: while the server runs, two new players join a league by mail. They get its
// schedule and their game.
func TestLeagueByMail(t *testing.T) {
	t.Parallel()
	config := ""
	p := program.ServeOn(t, `directors = ["gamma@`+program.Domain+`"]`, func(path string) { config = path })
	server := program.Account + "@" + program.Domain
	gamma, alpha, beta := mailclient.Stranger(t, p, "gamma"), mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	// The director makes it, and says yes.
	about := func(who *mailclient.Person, what string) mailclient.Received {
		t.Helper()
		return who.Until(what, func(n mailclient.Received) bool { return strings.Contains(mailclient.Flatten(n.Text), what) })
	}
	gamma.Write(mailclient.Post{To: server, Subject: "a league", Body: "new league\r\n" + strings.ReplaceAll(pairFile, "\n", "\r\n")})
	gamma.Reply(about(gamma, "Reply `yes`"), "yes\r\n")
	mailclient.Says(t, about(gamma, "is set up"), "The league Two of a Kind is set up", "starts with 2", "http://127.0.0.1:1/l/two-of-a-kind")
	for _, who := range []*mailclient.Person{alpha, beta} {
		name := strings.ToUpper(who.User[:1]) + who.User[1:]
		who.Write(mailclient.Post{To: server, Subject: "hello", Body: "join league two of a kind, " + name + "\r\n"})
		who.Reply(about(who, "Reply `yes`"), "yes\r\n")
		mailclient.Says(t, about(who, "You are in the league"), "as "+name)
	}
	n := about(alpha, "Season 1 of the league Two of a Kind begins")
	mailclient.Says(t, n, "Your games", "against Beta", "should end on")
	if got := n.Header.Get("Subject"); !strings.Contains(got, "Two of a Kind") {
		t.Errorf("subject %q", got)
	}
	for _, who := range []*mailclient.Person{alpha, beta} {
		start := who.Until("the start of the game", func(n mailclient.Received) bool { return n.Header.Get("X-Angelpost-Game") != "" })
		mailclient.Says(t, start, "The game has begun", who.Address[:4]) // called as they joined
		if got := start.Header.Get("Subject"); !strings.Contains(got, "Two of a Kind 1.1.1") {
			t.Errorf("subject %q", got)
		}
	}
	// The director writes to both; a player cannot, nor end the game.
	gamma.Reply(about(gamma, "is set up"), "announce two: Good luck.\r\n")
	gamma.Reply(about(gamma, "2 players would get it"), "yes\r\n")
	for _, who := range []*mailclient.Person{alpha, beta} {
		mailclient.Says(t, about(who, "A message to all players of the league"), "Good luck.")
	}
	// The letters to alpha about the league are a thread of their own, without letters of games.
	var thread []mailclient.Received
	for _, n := range alpha.Box {
		said, about := strings.CutPrefix(n.Header.Get("Subject"), "Two of a Kind: ")
		if about && (len(thread) > 0 || said == "you are in") {
			thread = append(thread, n)
		}
	}
	root := thread[0].Header.Get("Message-Id")
	if len(thread) < 3 || len(root) < 20 {
		t.Errorf("%d letters behind %s", len(thread), root)
	}
	for _, n := range alpha.Box {
		refers := strings.HasPrefix(n.Header.Get("References"), root)
		if follows := slices.ContainsFunc(thread[1:], func(m mailclient.Received) bool { return &m.Raw[0] == &n.Raw[0] }); refers != follows {
			t.Errorf("%q refers to %q, the thread is that of %s", n.Header.Get("Subject"), n.Header.Get("References"), root)
		}
	}
	// They are a list, which a click or a letter mutes (RFC 2369, 2919, 8058).
	for _, n := range thread {
		if id := n.Header.Get("List-Id"); id != "<two-of-a-kind.league."+program.Domain+">" {
			t.Errorf("List-Id %q", id)
		}
		if !strings.HasPrefix(mailclient.OneClick(t, n), "http://127.0.0.1:1/l/two-of-a-kind/") {
			t.Errorf("the button leads to %s", mailclient.OneClick(t, n))
		}
	}
	alpha.Last = thread[0]
	mailclient.Answers(t, alpha.AnswerTo(alpha.Write(mailclient.Post{Subject: "mute", Body: "\r\n"})), "applied", "You have muted the league Two of a Kind", "You are still in")
	gamma.Reply(about(gamma, "is set up"), "announce two: Hear me.\r\n")
	gamma.Reply(about(gamma, "Hear me"), "yes\r\n")
	mailclient.Says(t, about(beta, "Hear me."), "A message to all players of the league")
	alpha.Last = alpha.Box[slices.IndexFunc(alpha.Box, func(n mailclient.Received) bool { return n.Header.Get("X-Angelpost-Game") != "" })]
	mailclient.Answers(t, alpha.Ask("announce two: Good luck to me."), "refused", "only the director")
	mailclient.Answers(t, alpha.Ask("abandon"), "refused", "ask the league's director")
	mailclient.Says(t, alpha.Ask("standings two"), "Standings", "Alpha (you)", "Beta")
	mailclient.Says(t, alpha.Ask("leagues"), "You play in it")
	// The director changes the league's file, and the letter lists the changed lines.
	other := strings.ReplaceAll(strings.Replace(pairFile, "clock: 3d", "clock: 5d", 1), "\n", "\r\n")
	mailclient.Answers(t, alpha.Ask("amend two\r\n"+other), "refused", "only the director")
	gamma.Reply(about(gamma, "is set up"), "amend two\r\n"+other)
	mailclient.Says(t, about(gamma, "We have changed the rules of"), "- clock: 3d", "+ clock: 5d", "from its next season on")
	record := leagueShown(t, config, "two-of-a-kind")
	program.Contains(t, record, "clock: 5d", "Good luck.")
	if strings.Contains(record, "@") { // it is public
		t.Errorf("the record has an address: %s", record)
	}
	// Players who finish listed games have a rating, which anyone may ask for.
	mailclient.Says(t, alpha.Ask("rating"), "Your ratings", "You have no rating yet")
	mailclient.Answers(t, alpha.Ask("rating Beta"), "refused", "no rated player is called")
	for _, who := range []*mailclient.Person{alpha, beta} {
		who.Last = who.Box[slices.IndexFunc(who.Box, func(n mailclient.Received) bool { return n.Header.Get("X-Angelpost-Game") != "" })]
		who.Ask("resign")
		who.Write(mailclient.Post{Body: "yes\r\n"})
	}
	alpha.Until("the end", func(n mailclient.Received) bool { return n.Header.Get("X-Angelpost-Kind") == "end" })
	if out, code := program.Output(t, "ratings", "-config", config); code != cli.ExitYes {
		t.Fatalf("exit %d: %s", code, out)
	}
	mailclient.Says(t, alpha.Ask("rating"), "Your ratings", "2 players · Base game: ", "after 1 game;", "of 2 on the list", "Still provisional", "http://127.0.0.1:1/players/")
	mailclient.Says(t, alpha.Ask("ratings of beta"), "Beta's ratings", "±")
	for _, n := range alpha.Box {
		if strings.Contains(n.Text, "Hear me.") {
			t.Error("alpha hears what he muted")
		}
	}
	p.Stop()
}

// canonical is a league's file as it is printed.
func canonical(t *testing.T, file string) string {
	t.Helper()
	r, err := league.ParseRules(file)
	if err != nil {
		t.Fatal(err)
	}
	return r.String()
}

// leagueShown is what is exported of a league.
func leagueShown(t *testing.T, config, id string) string {
	t.Helper()
	out, code := program.Output(t, "league", "export", "-config", config, id)
	if code != cli.ExitYes {
		t.Fatalf("exit %d: %s", code, out)
	}
	return out
}
