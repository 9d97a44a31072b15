package templates

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// MaxHTML bounds the HTML part, in bytes: Gmail cuts at 102 KB.
const MaxHTML = 90_000

// A Letter is a letter's body and subject.
type Letter struct {
	Subject string // one line
	Event   string // what the reader's deadline is called in their calendar; one line
	// EventText and EventPage are the event's description, and the reader's page of the game;
	// "": there are no pages.
	EventText, EventPage string
	Text                 string         // lines end in "\n"
	HTML                 string         // "" if the reader wants none
	Picture              bool           // the HTML shows Site.Picture
	Tour                 []*engine.View // the HTML shows these too, as TourPicture names them
}

// EventOf returns the title and the description of a game's deadline in a calendar.
func EventOf(c *words.Catalogue, game string) (title, text string) {
	return c.Say("time.event", "game", game), c.Say("time.event-about", "game", game)
}

// rooms are for letters being written.
var rooms = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render writes a letter. Alt, and the picture itself, are draw's.
func Render(cat *words.Catalogue, sheet *notice.Input, site Site) (Letter, error) {
	c := newContent(cat, sheet, site)
	l := Letter{Subject: c.subject, Text: c.text()}
	if sheet.Options.Clock != "" {
		l.Event, l.EventText = EventOf(c.Catalogue, c.game())
		if key := sheet.Message.PageKey; key != "" {
			l.EventPage = site.Page(sheet.Message.Game, key)
		}
	}
	if sheet.Message.Format == "text" {
		return l, nil
	}
	b := rooms.Get().(*bytes.Buffer)
	defer rooms.Put(b)
	for keep := c.stories(); ; keep /= 2 { // a long tale is cut until it fits
		b.Reset()
		if err := letterHTML(c, keep).Render(context.Background(), b); err != nil {
			return Letter{}, fmt.Errorf("render letter: %w", err)
		}
		if b.Len() < MaxHTML || keep == 0 {
			l.HTML = b.String()
			break
		}
	}
	if len(l.HTML) >= MaxHTML { // better a letter that is only text than a cut one
		l.HTML = ""
	}
	l.Picture = l.HTML != "" && strings.Contains(l.HTML, `src="cid:`+site.Picture+`"`)
	if t := theTour(); c.tours && l.HTML != "" && t != nil && site.Picture != "" {
		l.Tour = t.views[:]
		if sheet.Message.Kind == notice.KindInvitation {
			l.Tour = t.views[:1]
		}
	}
	return l, nil
}

// stories is the number of pieces of the longest section.
func (c *content) stories() int {
	n := 0
	for _, s := range c.sections {
		n = max(n, len(s.pieces))
	}
	return n
}

// runs are pieces one by one but for entries of a list, which stay together; what only
// the text part has is left out.
func runs(pieces []piece) (out [][]piece) {
	for i, p := range pieces {
		switch {
		case p.only == onlyText, p.kind == program, p.kind == prose && p.text+p.strong == "":
		case p.kind == item && i > 0 && pieces[i-1].kind == item && len(out) > 0:
			out[len(out)-1] = append(out[len(out)-1], p)
		default:
			out = append(out, []piece{p})
		}
	}
	return out
}

// cut leaves the last keep pieces of a section's tale, and says how many are
// left out.
func (c *content) cut(s section, keep int) []piece {
	items := 0
	for _, p := range s.pieces {
		if cuttable(p) {
			items++
		}
	}
	if items <= keep {
		return s.pieces
	}
	out := []piece{{kind: prose, text: c.Say("story.more", "n", items-keep), small: true}}
	for _, p := range s.pieces {
		if cuttable(p) {
			if items--; items >= keep {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// cuttable tells the pieces that may be cut.
func cuttable(p piece) bool { return (p.kind == item || p.kind == head) && p.only == both }
