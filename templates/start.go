package templates

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// A Home is the first page.
type Home struct {
	Frame
	Picture HomePicture
	Tables  []OpenTable
	Games   []Listing
	Begin   []Beginning
	Sample  *Sample // nil: none is shown
}

// A HomePicture is the picture on the first page: of a game that runs, or of a table as a
// game begins.
type HomePicture struct {
	Src, Alt      string
	Width, Height int
	Name          string // of the game
	Href          string // its address; "" if the picture is of no game
	About         string
}

// An OpenTable is a game with free seats, and a mailto: link that takes one.
type OpenTable struct {
	Name          string
	Seated        []string // names
	Free, Players int
	Pace          string // "" without a clock
	Played        string
	Join          string
}

// A Beginning is a way to start a game: a mailto: link and its messages.
type Beginning struct {
	Link
	name, text string
}

// watchable is how many games the first page offers to watch.
const watchable = 6

// watched are the games to watch: those that run come first.
func (h *Home) watched() []Listing {
	games := slices.Clone(h.Games)
	slices.SortStableFunc(games, func(a, b Listing) int {
		return cmp.Compare(watchOrder(a), watchOrder(b))
	})
	return games[:min(len(games), watchable)]
}

// watchOrder is a game's place among others on the first page.
func watchOrder(g Listing) int {
	switch g.State {
	case store.GameRunning:
		return 0
	case store.GameFinished, store.GameAdjudicated:
		return 1
	}
	return 2 // without a result
}

// Beginnings are the ways to start a game by a letter to an address.
func Beginnings(c *words.Catalogue, to string) (out []Beginning) {
	for _, b := range []struct {
		name, text string
		lines      []string
	}{
		{"start.begin-open", "start.begin-open-text", []string{"open game", "seats: 3", "clock: 3d bank 10d"}},
		{"start.begin-friends", "start.begin-friends-text", []string{"new game", "players: ", "clock: 3d bank 10d"}},
		{"start.begin-solo", "start.begin-solo-text", []string{"new game", "hal: standard"}},
	} {
		if href := mailFirst(to, c.Say("start.begin"), b.lines); href != "" {
			out = append(out, Beginning{Link{Text: c.Say(b.name), Href: href}, b.name, b.text})
		}
	}
	return out
}

// mailFirst is a mailto: link with a letter that answers none.
func mailFirst(to, subject string, lines []string) string {
	return strings.Replace(MailTo(to, subject, lines), "?subject=Re%3A%20", "?subject=", 1)
}

// A Sample is a letter that shows what letters are: a turn notice from a game of bots that
// was played for it, and the orders that answer it.
type Sample struct {
	Subject string
	Text    string // its first lines
	Reply   string
	Letter  Letter
	View    *engine.View // which its picture shows
}

// sampleLines is how many lines of the letter the first page shows.
const sampleLines = 26

// SampleOf returns the sample in a catalogue's language. Its picture is at the address
// picture.
func SampleOf(c *words.Catalogue, picture string) *Sample {
	p := samplePlayed()
	if p == nil {
		return nil
	}
	l, err := Render(c, &p.sheet, Site{Picture: "board.png"})
	if err != nil {
		return nil
	}
	l.HTML = strings.ReplaceAll(l.HTML, "cid:board.png", picture)
	lines := strings.Split(l.Text, "\n")
	if i := slices.Index(lines, c.Marker()); i >= 0 { // which is for replies
		lines = lines[i+1:]
	}
	lines = lines[:min(len(lines), sampleLines)]
	reply := c.For(p.sheet.View.Set, p.sheet.View.Viewer, p.sheet.Message.Answer.Names).SpellAll(p.sheet.Example)
	return &Sample{Subject: l.Subject, Text: strings.TrimSpace(strings.Join(lines, "\n")), Reply: strings.Join(reply, "\n"), Letter: l, View: p.sheet.View}
}

type playedSample struct{ sheet notice.Input }

// samplePlayed plays games of bots until a turn comes that shows much: from round 4 on, with a card
// and a die in it, after news of two others.
var samplePlayed = sync.OnceValue(func() *playedSample {
	for seed := byte(1); seed < 50; seed++ {
		if p := findSample(seed); p != nil {
			return p
		}
	}
	return nil
})

func findSample(seed byte) *playedSample {
	names := []string{"Ada", "Bruno", "Celeste"}
	options := game.Options{Players: len(names), Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}
	g, err := game.New(component.Default(), game.Header{Game: "sample", Names: names, Seed: [32]byte{seed}, Options: options})
	if err != nil {
		return nil
	}
	greedy, err := bot.New(bot.Greedy, "sample")
	if err != nil {
		return nil
	}
	var p *playedSample
	last := 0 // the line after which the reader's turn before was over
	for !g.Finished() && g.Steps() < 300 {
		v := g.View(g.View(0).ToAct[0])
		switch {
		case v.Decision == engine.AskTurn && v.Viewer == 1 && v.Round > 3:
			p = &playedSample{notice.Input{
				Message: notice.Message{Kind: notice.KindTurn, Version: notice.RendererVersion, Game: "sample", Seat: 1, Since: last, Step: g.Steps(), Result: notice.None,
					Answer: notice.Answer{GameName: "The Long Haul", Names: names}},
				Options: options, View: v, Legal: game.LegalOrders(v), Story: g.Story(1, last),
			}}
		case v.Viewer != 1 && p != nil:
			if p.short(g.Log()) {
				return p
			}
			p = nil
		}
		if _, err := g.Do(v.Viewer, game.ByBot, greedy.Choose(v, v.Legal(nil), v.Turn)); err != nil {
			return nil
		}
		if v.Viewer == 1 {
			last = g.Steps()
		}
	}
	return nil
}

// short takes the orders of the reader's turn from the log, and reports whether they are
// few and begin with a card.
func (p *playedSample) short(log []game.Line) bool {
	for _, l := range log[p.sheet.Message.Step:] {
		if l.Seat == 1 {
			p.sheet.Example = append(p.sheet.Example, l.Order)
		}
	}
	n := len(p.sheet.Example)
	return n > 3 && n < 8 && strings.HasPrefix(p.sheet.Example[0], "card")
}
