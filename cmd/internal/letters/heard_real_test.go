//go:build real

package letters

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// Bounds of what a screen reader says of a turn notice, in words.
const (
	maxNews   = 15  // before the news
	maxPlan   = 80  // up to the link to the plan
	maxNeeded = 400 // up to the end of the reader's move, with its example
	maxHeard  = 910 // in all; the prices of V3 to V5 said in full take 8
)

// node runs a script of web/testdata on files and decodes what it prints.
func node(t *testing.T, script string, files []string, out any) {
	t.Helper()
	cmd := exec.Command("node", append([]string{script}, files...)...)
	cmd.Dir = filepath.Join("..", "..", "..", "web", "testdata")
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v (npm ci --prefix web/testdata, as .ci/run does)", script, err)
	}
	if err := json.Unmarshal(b, out); err != nil {
		t.Fatal(err)
	}
}

// inFiles writes HTML parts into files of the test's own.
func inFiles(t *testing.T, posts []post) (files []string) {
	t.Helper()
	dir := t.TempDir()
	for i := range posts {
		name := filepath.Join(dir, fmt.Sprintf("%03d.html", i))
		if err := os.WriteFile(name, []byte(posts[i].html), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	return files
}

// notices are some of the turn notices of the game of four.
func notices(t *testing.T) (out []post) {
	x := fourByLetters(t)
	n := 0
	for _, p := range x.all {
		if p.Kind == notice.KindTurn && p.Since >= 0 {
			if n++; n%4 == 1 {
				out = append(out, p)
			}
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d notices", len(out))
	}
	return out
}

// spoken is what NVDA and VoiceOver say of the phrases of the virtual screen reader: that
// one says where each thing ends, repeats a row before its cells and counts the entries of
// a list one by one.
func spoken(phrases []string) (out []string) {
	for _, p := range phrases {
		switch {
		case strings.HasPrefix(p, "end of "), strings.HasPrefix(p, "row,"), p == "document", p == "paragraph", p == "rowgroup", p == "code":
		case strings.HasPrefix(p, "listitem"):
			out = append(out, "bullet")
		case strings.HasPrefix(p, "cell, "), strings.HasPrefix(p, "columnheader, "), strings.HasPrefix(p, "rowheader, "):
			out = append(out, strings.Fields(p)[0]) // its text is a phrase of its own
			if rest := strings.SplitN(p, ", ", 2)[1]; !strings.Contains(rest, " ") || strings.HasPrefix(p, "columnheader") || strings.HasPrefix(p, "rowheader") {
				out = append(out, strings.Fields(rest)...)
			}
		default:
			out = append(out, strings.Fields(p)...)
		}
	}
	return out
}

// TestHeard counts the words of turn notices as a screen reader says them.
func TestHeard(t *testing.T) {
	posts := notices(t)
	var all [][]string
	node(t, "heard.cjs", inFiles(t, posts), &all)
	most, plan, needed := 0, 0, 0
	for i, phrases := range all {
		words := spoken(phrases)
		text := strings.Join(words, " ")
		at := func(what string) int {
			before, _, ok := strings.Cut(text, what)
			if !ok {
				t.Errorf("notice %d does not say %q:\n%s", i, what, text)
			}
			return len(strings.Fields(before))
		}
		news := at("level 1") + 2
		plan = max(plan, at("Plan your turn")+3)
		needed = max(needed, at("heading, Space"))
		most = max(most, len(words))
		if news > maxNews {
			t.Errorf("notice %d: the news begins after %d words", i, news)
		}
		for _, grid := range []string{"orange", "gray", "green"} {
			if !strings.Contains(text, grid) {
				t.Errorf("notice %d: no tile is %s", i, grid)
			}
		}
		if strings.Contains(text, "image") && strings.Count(alt(posts[i].html), ". ") > 1 {
			t.Errorf("notice %d: the picture's text is %q", i, alt(posts[i].html))
		}
	}
	t.Logf("%d notices: link to the plan within %d words, the move within %d, all in %d at most", len(all), plan, needed, most)
	if plan > maxPlan || needed > maxNeeded || most > maxHeard {
		t.Errorf("want %d, %d, %d", maxPlan, maxNeeded, maxHeard)
	}
}

// alt is the first picture's alternative text.
func alt(html string) string {
	_, rest, _ := strings.Cut(html, ` alt="`)
	rest, _, _ = strings.Cut(rest, `"`)
	return rest
}

// TestPrograms holds that mail/MAIL.md names every feature that letters use and fewer
// than nine of ten mail programs know.
func TestPrograms(t *testing.T) {
	posts := notices(t)[:2]
	x := fourByLetters(t)
	for _, p := range x.all {
		if p.Kind == notice.KindEnd || p.Kind == notice.KindStart {
			posts = append(posts, p)
		}
	}
	var shares map[string]int
	node(t, "caniemail.mjs", inFiles(t, posts), &shares)
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "mail", "MAIL.md"))
	if err != nil {
		t.Fatal(err)
	}
	for feature, share := range shares {
		if share < 90 && !strings.Contains(string(doc), "`"+feature+"`") {
			t.Errorf("%s: %d %% of mail programs know it, and mail/MAIL.md does not say what is left without it", feature, share)
		}
	}
	t.Logf("%v", shares)
}
