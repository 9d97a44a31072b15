package voice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const root = "../../.."

// A said is one thing that a person reads, and where it is.
type said struct{ where, text string }

// TestVoice holds that nothing a person reads is worded as habits forbids.
func TestVoice(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct {
		name    string
		least   int
		comment bool
		texts   func(*testing.T) []said
	}{
		{"catalogue", 2000, false, catalogue},
		{"documents", 300, false, documents},
		{"samples", 20, false, samples},
		{"literals", 700, false, literals},
		{"comments", 5000, true, comments},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			texts := kind.texts(t)
			for _, s := range texts {
				for _, f := range faults(s.text, kind.comment) {
					t.Errorf("%s: %v", s.where, f)
				}
			}
			if len(texts) < kind.least {
				t.Errorf("found only %d texts", len(texts))
			}
		})
	}
}

// TestReadingEase holds that letters and help can be read without effort.
func TestReadingEase(t *testing.T) {
	t.Parallel()
	least := map[string]float64{
		"en.toml": 60, "en-letters.toml": 60, "en-why.toml": 60, "en-league.toml": 60, "en-rules.toml": 60,
	}
	texts := map[string][]string{}
	for _, s := range slices.Concat(catalogue(t), documents(t)) {
		file, _, _ := strings.Cut(s.where, ":")
		texts[file] = append(texts[file], strings.ReplaceAll(s.text, name, ""))
	}
	for file, said := range texts {
		ease, words := Ease(said)
		t.Logf("%5.1f %6d words  %s", ease, words, file)
		if ease < least[file] {
			t.Errorf("the reading ease of %s is %.1f, below %.0f", file, ease, least[file])
		}
		delete(least, file)
	}
	if len(least) > 0 {
		t.Errorf("not measured: %v", least)
	}
}

// TestSyllables counts some words by hand.
func TestSyllables(t *testing.T) {
	t.Parallel()
	for w, want := range map[string]int{
		"die": 1, "dice": 1, "game": 1, "games": 1, "letter": 2, "orders": 2, "played": 1, "ended": 2, "table": 2,
		"mission": 2, "ravager": 3, "technology": 4, "whole": 1, "the": 1, "places": 2, "commitment": 3, "you": 1,
	} {
		if got := count(w); got != want {
			t.Errorf("%s has %d syllables, not %d", w, want, got)
		}
	}
}

// TestVoiceBites holds that sentences which a review found stilted are refused, and
// better ones are not.
func TestVoiceBites(t *testing.T) {
	t.Parallel()
	for _, was := range []string{
		"Answer with lines like these, one order a line, as many of your turn as you like. Leave out the bar.",
		"You need not write all of a turn: what you send is done, and the rest is asked.",
		"Whoever has nobody to play with writes `open game`.",
		"It shows the form and would work; it is no advice.",
		"In a game with a clock it also says by when whom the game waits for must move.",
		"35 orders are possible now; all of them stand at the end of this letter.",
		"Where words stand between slashes, write one of them.",
		"Whoever has most VP at the end wins.",
		"Your turn goes on; what is asked next stands below.",
		"You can write your next turn now already, to be played when it comes.",
		"When somebody's time is over, and a while after, a bot plays that turn for him.",
		"The word is mixed into the game's chance, so nobody, not even this server, can have chosen it.",
		"answer with a line `join`, followed by the name the others shall see",
		"Seen by: everybody.",
		"The same letter again would get no answer, lest two machines write to each other for ever; other words will.",
		"not looked at any more",
		"scores 10 VP for what they hold, Spes being reached",
		"Nothing is done or kept: the plan is in this page's address, and your letter decides.",
		"In all: nothing gained or lost",
		"`inject t9 row 1` rolls or draws, and nobody knows what.",
		"Send what there is. You need not finish: what you send is done, and the rest is asked.",
		"The page for everybody",
		"What was said / Words that were said",
		"The youngest first. Only who plays in this game reads it, and notes only who wrote them.",
		"Losses lie under the line.",
		"Games that all their players want to be found, the youngest first.",
		"Games anybody may watch",
		"How strong players are believed to be, from who came before whom in finished games.",
		"who comes before stronger players than he is rises most",
		"who is replaced by somebody else's will loses what his seat loses",
		"A league's game that its league counts no more still counts here.",
		"Any two of a division meet in 1 game, as nearly as can be.",
		"bar: lines behind a bar",
		"What is new shows up here by itself, within seconds.",
		"Who resigns, plays no more.",
		"the number behind ± says how sure that is",
		"give back your dice and roll anew",
	} {
		if len(Faults(was)) == 0 {
			t.Errorf("nothing is wrong with %q", was)
		}
	}
	for _, is := range []string{
		"Reply with orders, one per line. You can send the whole turn or just its start.",
		"No opponents? Send `open game`.",
		"A legal turn, to show the format - not a recommendation.",
		"Hal takes the highest die, his own if it is a tie.",
		"Who wins",
		"Your clocks stand still every week on: Sunday.",
		"Whose move is it? Send `status`.",
		"Write `whoever` as code.",
	} {
		for _, f := range Faults(is) {
			t.Errorf("%q: %v", is, f)
		}
	}
	if n := len(faults("It stands below. Nobody is told.", true)); n != 1 {
		t.Errorf("a comment has %d faults", n)
	}
	hard, _ := Ease([]string{"Authentication of correspondence necessitates administrative configuration of cryptographic infrastructure."})
	easy, _ := Ease([]string{"Your turn. Play a card if you like, then use one die."})
	if hard > 0 || easy < 90 {
		t.Errorf("reading ease %.0f and %.0f", hard, easy)
	}
}

// catalogue is every message, with words in place of its arguments.
func catalogue(t *testing.T) (out []said) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "templates/words/en*.toml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		var tables map[string]any
		if _, err := toml.DecodeFile(file, &tables); err != nil {
			t.Fatal(err)
		}
		for table, v := range tables {
			out = append(out, messages(filepath.Base(file)+": "+table, v)...)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") { // what translators read
			if strings.HasPrefix(line, "#") {
				out = append(out, said{filepath.Base(file) + ": line " + strconv.Itoa(i+1), line})
			}
		}
	}
	return out
}

// messages are the strings of a value of a catalogue.
func messages(where string, v any) (out []said) {
	switch v := v.(type) {
	case string:
		if about := strings.ToLower(where); strings.Contains(about, "hal") || strings.Contains(about, "15.") {
			v = strings.TrimSpace(v) + " (Hal)."
		}
		for _, form := range []int{0, -1} {
			if text := chosen(v, form); len(out) == 0 || text != out[0].text {
				out = append(out, said{where, text})
			}
		}
	case map[string]any:
		key, _ := v["name"].(string)
		for k, x := range v {
			switch k {
			case "name", "also", "rules": // what a person types
			default:
				out = append(out, messages(strings.TrimSuffix(where+"."+key, ".")+"."+k, x)...)
			}
		}
	case []map[string]any:
		for _, x := range v {
			out = append(out, messages(where, x)...)
		}
	}
	return out
}

var (
	choice   = regexp.MustCompile(`\{\w+, (?:plural|select),((?: *[=\w]+ \{[^{}]*\})+)\}`)
	option   = regexp.MustCompile(`[=\w]+ \{([^{}]*)\}`)
	argument = regexp.MustCompile(`\{\w+\}`)
)

// name stands for each argument of a message.
const name = "Ann"

// chosen is a message with the first or the last form of each choice, and a name for
// each argument.
func chosen(message string, form int) string {
	message = argument.ReplaceAllString(message, name)
	for choice.MatchString(message) {
		message = choice.ReplaceAllStringFunc(message, func(s string) string {
			options := option.FindAllStringSubmatch(choice.FindStringSubmatch(s)[1], -1)
			if form < 0 {
				return options[len(options)-1][1]
			}
			return options[form][1]
		})
	}
	return message
}

// own are documents that quote others, or copy what another project wrote.
var own = []string{"engine/RULES.md", "mail/letter/testdata", "node_modules"}

// documents are the paragraphs of every document.
func documents(t *testing.T) (out []said) {
	t.Helper()
	walk(t, ".md", func(name, text string) {
		if slices.ContainsFunc(own, func(o string) bool { return strings.Contains(name, o) }) {
			return
		}
		for i, p := range paragraphs(text) {
			out = append(out, said{name + ": paragraph " + strconv.Itoa(i+1), p})
		}
	})
	return out
}

var (
	fence = regexp.MustCompile("(?s)```.*?```")
	link  = regexp.MustCompile(`\]\([^)]*\)`)
	// gap divides paragraphs, items of a list and rows of a table.
	gap = regexp.MustCompile(`\n\s*\n|\n\s*[-*] |\n\||\n#+ `)
)

func paragraphs(text string) []string {
	text = link.ReplaceAllString(fence.ReplaceAllString(text, ""), "]")
	return gap.Split(text, -1)
}

// samples are the files that a host copies: the configuration's comments are literals.
func samples(t *testing.T) (out []said) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "engine/league/sample.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\n#", "\n"), "\n") {
		out = append(out, said{"sample.txt:" + strconv.Itoa(i+1), line})
	}
	return out
}

// vocabularies are files whose strings people write to us.
var vocabularies = []string{"engine/order/courtesy.go", "engine/order/ways.go", "mail/letter/client.go"}

// literals are the strings of the program that have words: errors, usage, configuration.
func literals(t *testing.T) (out []said) {
	t.Helper()
	sources(t, func(name string, fset *token.FileSet, file *ast.File) {
		if slices.Contains(vocabularies, name) {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil || strings.Count(s, " ") < 3 || query.MatchString(s) {
				return true
			}
			where := name + ":" + strconv.Itoa(fset.Position(lit.Pos()).Line)
			for _, p := range gap.Split(strings.ReplaceAll(s, "\n# ", "\n"), -1) {
				out = append(out, said{where, p})
			}
			return true
		})
	})
	return out
}

// query is how statements of a database begin.
var query = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|PRAGMA)\b`)

// comments are the paragraphs of every comment of the program.
func comments(t *testing.T) (out []said) {
	t.Helper()
	sources(t, func(name string, fset *token.FileSet, file *ast.File) {
		for _, c := range file.Comments {
			where := name + ":" + strconv.Itoa(fset.Position(c.Pos()).Line)
			for _, p := range strings.Split(c.Text(), "\n\n") {
				if strings.Contains(filepath.Base(name), "hal") {
					p += " (Hal)"
				}
				out = append(out, said{where, p})
			}
		}
	})
	return out
}

// sources visits the files of the module, except generated ones, tests and this package.
func sources(t *testing.T, visit func(name string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	walk(t, ".go", func(name, text string) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cmd/internal/voice/") {
			return
		}
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if !ast.IsGenerated(file) || strings.HasSuffix(name, "_templ.go") {
			visit(name, fset, file)
		}
	})
}

// walk visits the files of the module whose names end so.
func walk(t *testing.T, end string, visit func(name, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, end):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(name), string(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
