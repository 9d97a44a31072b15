package desk_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/incoming"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/engine/token"
)

// An office is a desk over a real database file, with a clock and a source of
// randomness of its own, and people who keep the letters they get.
type office struct {
	t      testing.TB
	file   string
	db     *db.DB
	desk   *desk.Desk
	now    time.Time
	random *rand.ChaCha8
	box    map[string][]notice.Message // by address, oldest first
	n      int
	conf   unit.Config
	drafts map[string]*notice.Input // by Message-ID, with the events that were new in them
	rules  string                   // of games started; "" base
	gone   map[string]bool          // who has resigned from which game, by address and game
	clock  string                   // theirs; "" none
}

func newOffice(t testing.TB, change ...func(*unit.Config)) *office {
	t.Helper()
	o := closedOffice(t, change...)
	o.open()
	err := o.db.Update(context.Background(), func(tx store.Tx) error { // all offices make the same tokens
		return tx.AddTokenKey(store.TokenKey{Key: token.Key{N: 2, Key: [32]byte{7}}, Since: o.now})
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.db.Close() })
	return o
}

// closedOffice is an office whose database is still to be opened.
func closedOffice(t testing.TB, change ...func(*unit.Config)) *office {
	t.Helper()
	o := &office{
		t: t, now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC), random: rand.NewChaCha8([32]byte{7}),
		box: map[string][]notice.Message{}, file: filepath.Join(t.TempDir(), "angelpost.db"), drafts: map[string]*notice.Input{},
	}
	o.conf = unit.Config{
		Knows:   func(word, topic string) bool { return topic != "999" && topic != "wombats" },
		Sets:    map[string]*component.Set{component.DefaultName: component.Default()},
		Adviser: "planner:2000",
		Now:     func() time.Time { return o.now }, Random: o.random, Host: "angelpost.test",
		Own: func(a string) bool { return strings.HasSuffix(a, "@angelpost.test") },
		Drafting: func(view func() *engine.View) func(notice.Message, func() (*notice.Input, error)) {
			return func(r notice.Message, sheet func() (*notice.Input, error)) {
				s, err := sheet()
				if err != nil || !reflect.DeepEqual(s.Message, r) {
					t.Errorf("letter drafted to %s: %v, %+v, %+v", r.To, err, r, s)
				}
				if view != nil && !reflect.DeepEqual(s.View, view()) {
					t.Errorf("letter drafted to %s: it shows another position than was said before", r.To)
				}
				o.drafts[r.MessageID] = s
			}
		},
	}
	o.conf.HoldNews = -1 // tests see what happens when it does; TestNewsWaits has it otherwise
	for _, f := range change {
		f(&o.conf)
	}
	return o
}

// open opens the database again, as after a restart.
func (o *office) open() {
	o.t.Helper()
	if o.db != nil {
		if err := o.db.Close(); err != nil {
			o.t.Fatal(err)
		}
	}
	var err error
	if o.db, err = db.Open(context.Background(), o.file); err != nil {
		o.t.Fatal(err)
	}
	o.conf.Store = o.db
	if o.desk, err = desk.New(o.conf); err != nil {
		o.t.Fatal(err)
	}
}

// letter is a letter from an address with a token, as the post office reads it.
func (o *office) letter(from, token, text string) unit.Command {
	o.n++
	o.now = o.now.Add(time.Minute)
	id := sha256.Sum256(fmt.Append(nil, o.n))
	c := unit.Command{
		From: from, Token: token, MessageID: fmt.Sprintf("%x@mail.home.test", id[:24]), Date: o.now, // as long as most
		BodyHash: fmt.Sprintf("%x", sha256.Sum256([]byte(text))), Received: o.now, Raw: []byte(text), Subject: "Re: game",
	}
	if strings.TrimSpace(text) == "" {
		c.Class = incoming.Empty
	} else {
		c.Lines = strings.Split(strings.TrimSpace(text), "\n")
	}
	return c
}

// send hands a letter to the desk and delivers what it wrote.
func (o *office) send(c unit.Command) (string, []notice.Message) {
	o.t.Helper()
	outcome, err := o.desk.HandleOne(context.Background(), c)
	if err != nil {
		o.t.Fatalf("letter from %s: %v", c.From, err)
	}
	return outcome, o.deliver()
}

// write answers the last letter that name got.
func (o *office) write(name, text string) []notice.Message {
	o.t.Helper()
	address := at(name)
	_, out := o.send(o.letter(address, o.token(address), text))
	return out
}

// resigns leaves the game of the last letter that name got, and returns what the yes brings.
func (o *office) resigns(name string) []notice.Message {
	o.t.Helper()
	return o.confirmed(at(name), o.write(name, "resign"))
}

// resignsFrom is resigns of a game.
func (o *office) resignsFrom(game, name string) []notice.Message {
	o.t.Helper()
	return o.confirmed(at(name), o.from(game, name, "resign"))
}

// confirmed says yes to the question among letters.
func (o *office) confirmed(address string, asked []notice.Message) []notice.Message {
	o.t.Helper()
	i := slices.IndexFunc(asked, func(r notice.Message) bool {
		return r.To == address && slices.ContainsFunc(r.Answer.Remarks, func(m notice.Remark) bool { return m.Code == notice.AskResign })
	})
	if i < 0 {
		o.t.Fatalf("%s was not asked: %v", address, summaries(asked))
	}
	_, out := o.send(o.letter(address, asked[i].Token, "yes"))
	return out
}

func at(name string) string {
	if strings.Contains(name, "@") {
		return name
	}
	return name + "@home.test"
}

func (o *office) token(address string) string {
	if box := o.box[address]; len(box) > 0 {
		return box[len(box)-1].Token
	}
	return ""
}

func (o *office) last(name string) notice.Message {
	o.t.Helper()
	box := o.box[at(name)]
	if len(box) == 0 {
		o.t.Fatalf("%s has no letter", name)
	}
	return box[len(box)-1]
}

// deliver takes the queued letters out, checks each and puts it into its box. A letter that
// goes again must say the same as before, and have the same input.
func (o *office) deliver() []notice.Message {
	o.t.Helper()
	ctx := context.Background()
	due, _, err := o.db.Due(ctx, o.now.Add(time.Hour), 1000)
	if err != nil {
		o.t.Fatal(err)
	}
	var out []notice.Message
	for _, l := range due {
		sheet, err := o.desk.Host().Input(ctx, l.Message)
		if err != nil {
			o.t.Fatalf("letter to %s cannot be rendered: %v", l.To, err)
		}
		if draft := o.drafts[l.MessageID]; !reflect.DeepEqual(draft, sheet) {
			o.t.Errorf("letter %d to %s: it was drafted with another sheet:\n%+v\nthan is stored:\n%+v", l.ID, l.To, draft, sheet)
		}
		o.whole(l.Message, sheet)
		if err := o.db.SentAt(ctx, o.now, l.ID); err != nil {
			o.t.Fatal(err)
		}
		o.box[l.To] = append(o.box[l.To], l.Message)
		out = append(out, l.Message)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].To < out[j].To })
	return out
}

// due lets time pass and does what fell due.
func (o *office) due(d time.Duration) []notice.Message {
	o.t.Helper()
	o.now = o.now.Add(d)
	if _, err := o.desk.Due(context.Background()); err != nil {
		o.t.Fatal(err)
	}
	return o.deliver()
}

// started makes a game that begins at once, with a fixed seed.
func (o *office) started(seed byte, names ...string) string {
	o.t.Helper()
	n := seating.NewGameOrder{Started: true, Seed: &[32]byte{seed}, Rules: o.rules, Clock: o.clock}
	for _, name := range names {
		if strings.HasPrefix(name, "bot") {
			n.Players = append(n.Players, seating.NewPlayer{Address: name})
			continue
		}
		p := seating.NewPlayer{Address: at(name)}
		if p.Address != name { // which would be no name
			p.Name = strings.ToUpper(name[:1]) + name[1:]
		}
		n.Players = append(n.Players, p)
	}
	n.Organiser = at(names[0])
	id, err := o.desk.NewGame(context.Background(), n)
	if err != nil {
		o.t.Fatal(err)
	}
	o.deliver()
	return id
}

// plays lets a player send the example from their last letter, up to the end of
// their turn.
func (o *office) plays(name string) {
	o.t.Helper()
	for range 20 {
		r := o.last(name)
		sheet := o.sheet(r)
		if len(sheet.Legal) == 0 {
			return
		}
		line := strings.Join(sheet.Example, "\n")
		if line == "" {
			line = sheet.Legal[0]
		}
		o.write(name, line)
		if slices.ContainsFunc(o.last(name).Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayDone }) {
			return
		}
	}
	o.t.Fatalf("%s's turn does not end", name)
}

// sheet is what the renderer of a letter gets.
func (o *office) sheet(r notice.Message) *notice.Input {
	o.t.Helper()
	s, err := o.desk.Host().Input(context.Background(), r)
	if err != nil {
		o.t.Fatal(err)
	}
	return s
}

// summary is a letter in a few words: who, what, and which codes.
func summary(r notice.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", strings.TrimSuffix(r.To, "@home.test"), r.Kind, r.Result)
	if r.Game != "" {
		fmt.Fprintf(&b, " seat %d lines %d..%d", r.Seat, r.Since, r.Step)
	}
	if r.Subjects != notice.SubjectsSteady {
		fmt.Fprintf(&b, " subjects %s", r.Subjects)
	}
	if r.Unlisted {
		b.WriteString(" unlisted")
	}
	b.WriteString("\n")
	answer(&b, r.Answer, "  ")
	return b.String()
}

func answer(b *strings.Builder, a notice.Answer, in string) {
	for _, l := range a.Lines {
		fmt.Fprintf(b, "%s%d %q %s", in, l.N, l.Text, l.Status)
		if len(l.As) > 0 {
			fmt.Fprintf(b, " as %s", strings.Join(l.As, "; "))
		}
		if p := l.Problem; p != nil {
			fmt.Fprintf(b, " because %s%s", p.Code, args(p.Args))
			if p.Rule != "" {
				fmt.Fprintf(b, " %s", p.Rule)
			}
			if p.Read != "" {
				fmt.Fprintf(b, " read %q", p.Read)
			}
			if len(p.Candidates) > 0 {
				fmt.Fprintf(b, " candidates %s", strings.Join(p.Candidates, "; "))
			}
			if n := len(p.Suggestions); n > 0 {
				fmt.Fprintf(b, " suggestions %s", strings.Join(p.Suggestions[:min(n, 3)], "; "))
			}
		}
		b.WriteString("\n")
	}
	for _, r := range a.Remarks {
		fmt.Fprintf(b, "%s%s%s", in, r.Code, args(r.Args))
		if len(r.List) > 0 {
			fmt.Fprintf(b, " [%s]", strings.Join(r.List, "; "))
		}
		b.WriteString("\n")
	}
	for _, s := range a.Sections {
		fmt.Fprintf(b, "%ssection %s from %d topic %q\n", in, s.Kind, s.From, s.Topic)
		if h := s.Hint; h != nil {
			fmt.Fprintf(b, "%s  VP %d, orders %v\n", in, h.VP, len(h.Orders) > 0) // which depends on the planner's weights
		}
		if c := s.Settings; c != nil {
			fmt.Fprintf(b, "%s  %+v\n", in, *c)
		}
		for _, o := range s.Standing {
			fmt.Fprintf(b, "%s  %d %s%s\n", in, o.N, o.Line, map[bool]string{true: " off: " + o.Off}[o.Off != ""])
		}
		for _, g := range s.Games {
			fmt.Fprintf(b, "%s  %s round %d to act %v waiting %v you %v legal %d", in, g.State, g.Round, g.ToAct, g.Waiting, g.You, len(g.Legal))
			if g.Muted {
				b.WriteString(" muted")
			}
			b.WriteString("\n")
		}
	}
	for _, p := range a.Press {
		fmt.Fprintf(b, "%spress from %s to %q: %q\n", in, p.From, p.To, p.Text)
	}
	if len(a.Preview) > 0 {
		fmt.Fprintf(b, "%spreview %s\n", in, strings.Join(a.Preview, "; "))
	}
	if a.Invite != nil {
		fmt.Fprintf(b, "%sinvite by %s players %d names %q until %s %s\n", in, a.Invite.Organiser, a.Invite.Players, a.Invite.Names, a.Invite.Expires, a.Invite.Visibility)
	}
	for _, c := range a.Collected {
		fmt.Fprintf(b, "%scollected\n", in)
		answer(b, c, in+"  ")
	}
}

func args(m map[string]string) string {
	var out []string
	for k, v := range m {
		if k == "game" || k == "commitment" {
			v = "…"
		}
		out = append(out, k+"="+v)
	}
	if len(out) == 0 {
		return ""
	}
	slices.Sort(out)
	return "(" + strings.Join(out, ", ") + ")"
}
