package season

import (
	"html"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// unread are the problems of a line that was not understood. Others are answers to one
// that was: not now, not you, only as an answer to a letter.
var unread = []string{
	notice.ProblemLeague, notice.ProblemTopic, notice.ProblemTable, notice.ProblemNoBot,
	order.Unreadable, order.NoOrder, order.BadWord, order.NoName, order.NoText, order.LostLine, order.NoColon, order.NoAddressee, order.LongText, order.NoGameID, order.NoReason,
}

// parts are what help shows of commands.
var parts = []string{"division 2", "round 3", "player ANN", "least"}

// Every command that letters, pages and help print over two seasons of each format is
// understood when its reader sends it, as an answer and as a letter of its own.
func TestPrintedCommandsWork(t *testing.T) {
	sent := map[string]bool{} // what one format prints as another does is sent once
	for _, kind := range []string{"divisions", "swiss", "knockout", "ladder", "solo"} {
		t.Run(kind, func(t *testing.T) {
			w := openClub(t, formats[kind])
			w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
			w.run(func() bool { return w.league().State.Season() != nil })
			if kind != "solo" { // which has no substitutes: he would stay a stranger, with few answers a day
				w.write(addressOf("Gil"), nil, "substitute Iron League")
				w.write(addressOf("Gil"), w.last(addressOf("Gil")), "yes")
			}
			w.write(addressOf("Ann"), w.last(addressOf("Ann")), "status", "settings", "games", "leagues", "league Iron League", "standings Iron League", "standing")
			w.write(addressOf("Bob"), w.leagueLetter(addressOf("Bob")), "mute")
			w.turns()
			w.checkPrinted(sent)
			w.write(addressOf("Eve"), w.last(addressOf("Eve")), "leave league Iron League")
			w.joins("Hob")
			w.run(w.over(1), addressOf("Fay"))
			w.checkPrinted(sent)
			w.run(w.over(2))
			w.checkPrinted(sent)
		})
	}
	if len(sent) < 100 {
		t.Errorf("only %d commands were found", len(sent))
	}
}

// maxPages is how many pages are read at a time.
const maxPages = 300

var (
	inHref = regexp.MustCompile(`href="(?:http://play\.example\.org)?(/[^"#?]*)`)
	noPage = regexp.MustCompile(`\.[a-z]+$|/plan/|/what-if/|/pictures/|^/help|^/cards`) // parts of orders: the letters of help are tried
)

// page is a page of the server.
func (w *club) page(path string) string {
	w.t.Helper()
	r := httptest.NewRecorder()
	w.Pages().ServeHTTP(r, httptest.NewRequest("GET", "http://play.example.org"+path, nil))
	if r.Code != http.StatusOK {
		w.t.Errorf("%s: %d", path, r.Code)
	}
	return r.Body.String()
}

// pages are those to which letters link, with their readers, and those to which one comes
// from the first page.
func (w *club) pages() map[string]string {
	w.t.Helper()
	out := map[string]string{"/": addressOf("Ann"), "/l/" + w.id: addressOf("Ann")}
	links := func(document string) (out []string) {
		for _, m := range inHref.FindAllStringSubmatch(document, -1) {
			if path := html.UnescapeString(m[1]); !noPage.MatchString(path) {
				out = append(out, path)
			}
		}
		return out
	}
	for to, box := range w.box {
		kinds := map[string]bool{} // one page of each kind, and of the newest letter
		for i := len(box) - 1; i >= 0; i-- {
			for _, path := range links(box[i].html) {
				if kind := strings.Join(strings.SplitN(path, "/", 5)[1:2], "") + path[strings.LastIndex(path, "/"):][:2]; !kinds[kind] && out[path] == "" {
					kinds[kind], out[path] = true, to
				}
			}
		}
	}
	for next := []string{"/", "/l/" + w.id}; len(next) > 0 && len(out) < maxPages; next = next[1:] {
		for _, path := range links(w.page(next[0])) {
			if out[path] == "" {
				out[path] = addressOf("Ann")
				next = append(next, path)
			}
		}
	}
	return out
}

// leagueLetter is the newest letter to an address about the league itself.
func (w *club) leagueLetter(to string) *clubLetter {
	w.t.Helper()
	for i := len(w.box[to]) - 1; i >= 0; i-- {
		if l := &w.box[to][i]; l.League == w.id && l.Game == "" {
			return l
		}
	}
	w.t.Fatalf("%s has no letter about the league", to)
	return nil
}

// checkPrinted sends the commands printed so far, but those sent, to a copy of the server,
// as an answer and as a fresh letter.
func (w *club) checkPrinted(sent map[string]bool) {
	w.t.Helper()
	var all []printed
	example := false
	from := "letters" // or a page
	add := func(to string, on *clubLetter, text, document string) {
		for _, line := range commandsIn(text, document) {
			key := line
			if on != nil && len(on.Answer.Remarks) > 0 {
				key += " on " + on.Answer.Remarks[0].Code
			}
			if !sent[key] && worthSending(line) && !(example && slices.Contains(parts, line)) {
				sent[key] = true
				all = append(all, printed{to, line, on, from, example})
			}
		}
	}
	for to, box := range w.box {
		for i := range box {
			add(to, &box[i], box[i].Text, box[i].html)
		}
	}
	for path, to := range w.pages() {
		from = path
		add(to, nil, "", w.page(path))
	}
	from = "help"
	x := w.copy()
	ann := addressOf("Ann")
	for _, topic := range append(strings.Fields("play talk time game league host direct"), "") {
		if a := x.write(ann, nil, "help "+topic); a != nil {
			example = true
			add(ann, a, a.Text, "")
			for _, text := range examples(a.Text) {
				add(ann, a, "`"+text+"`", "")
			}
			example = false
		}
	}
	slices.SortStableFunc(all, func(a, b printed) int { return strings.Compare(last(a.line), last(b.line)) })
	marked := map[string]bool{}
	did := map[string]bool{} // by sender and text
	for _, p := range all {
		on := p.on
		if on == nil {
			on = w.last(p.to)
		}
		line := w.filled(p)
		never := strings.HasPrefix(line, "never write")
		for _, how := range []string{"answered", "answered in its marks", "sent afresh"} {
			to, text := on, line
			switch {
			case how == "sent afresh":
				to = nil
			case how != "answered" && (marked[p.line] || strings.Contains(line, "\n")):
				continue
			case how != "answered":
				text = "`" + line + "`"
			}
			if did[p.to+text] || how != "answered" && strings.Contains("yes no", line) { // machines that repeat themselves meet silence
				continue
			}
			a := x.write(p.to, to, strings.Split(text, "\n")...)
			marked[p.line] = marked[p.line] || text != line
			did[p.to+text] = how == "sent afresh"
			switch {
			case a == nil && never: // it is obeyed in silence where no one is known
			case a == nil:
				w.t.Errorf("%s, %q of %s %s: silence", p.to, line, p.from, how)
			case slices.ContainsFunc(a.Answer.Lines, func(l notice.LineResult) bool {
				return l.Problem != nil && slices.Contains(unread, l.Problem.Code) && !(l.Problem.Code == order.NoName && (p.example || line != p.line))
			}),
				len(a.Answer.Lines)+len(a.Answer.Sections)+len(a.Answer.Remarks) == 0:
				w.t.Errorf("%s, %q of %s %s, is not understood:\n%s", p.to, line, p.from, how, a.Text)
			}
		}
	}
}

// last moves to the end what ends all letters to its writer.
func last(line string) string {
	if strings.HasPrefix(line, "never write") {
		return "~" + line
	}
	return line
}

// digest is a SHA-256, or part of one.
var digest = regexp.MustCompile(`^[0-9a-f]{16,}…?$`)

// worthSending reports whether a text is a command. Orders of a turn are not sent: other
// tests play what letters list.
func worthSending(line string) bool {
	if line == "" || strings.HasPrefix(line, "angelpost") || strings.HasSuffix(line, ":") || digest.MatchString(line) {
		return false
	}
	items := order.ReadLetter(strings.Split(line, "\n")).Items
	return !slices.ContainsFunc(items, func(it order.Item) bool { return it.Clause != nil && it.Clause.Readable() })
}

// filled puts something in the place of what a command leaves to its reader.
func (w *club) filled(p printed) string {
	game, who := "", ""
	l := w.league()
	for _, f := range l.State.Fixtures {
		if f.Game != "" && !f.Over() || game == "" {
			game, who = f.Game, l.Names[f.Players[0]]
		}
	}
	return strings.NewReplacer("GAME", game, "league NAME", "league Iron League", "standings NAME", "standings Iron League",
		"NAME", who, "ADDRESS", addressOf("Zoe"), ": WHY", ": He is ill.", "TEXT", "Hello.", "help GROUP", "help league", "help WORD", "help join", "abcdefghijklmn27", game, "Winter Cup", "Iron League").Replace(p.line)
}

// examples are those of a help text, which bars mark.
func examples(text string) (out []string) {
	in := false
	for line := range strings.SplitSeq(text, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "| ")
		switch {
		case ok && in:
			out[len(out)-1] += "\n" + rest
		case ok:
			out = append(out, rest)
		}
		in = ok
	}
	return out
}

// copy is the club as it is now, on a database of its own.
func (w *club) copy() *club {
	w.t.Helper()
	file := filepath.Join(w.t.TempDir(), "copy.db")
	if err := w.DB.Backup(w.t.Context(), file, w.at); err != nil {
		w.t.Fatal(err)
	}
	x := &club{t: w.t, at: w.at, id: w.id, n: w.n + 1e6, box: map[string][]clubLetter{}, todo: map[string]map[string]clubLetter{}, figures: map[string]int{}, matches: map[string]int{}}
	x.Server = inprocess.Open(w.t, func(c *server.Config) {
		c.Start, c.Directors, c.HTTP.BaseURL, c.Database = w.Conf.Start, w.Conf.Directors, w.Conf.HTTP.BaseURL, file
	})
	if err := x.Rebuild(func(c *unit.Config) { c.Now = func() time.Time { return x.at } }); err != nil {
		w.t.Fatal(err)
	}
	return x
}
