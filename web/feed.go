package web

import (
	"cmp"
	"encoding/xml"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

const atomKind = "application/atom+xml; charset=utf-8"

// Atom (RFC 4287), as far as it is needed.
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Author  atomAuthor  `xml:"author"`
		Link    []atomLink  `xml:"link"`
		Entry   []atomEntry `xml:"entry"`
	}
	atomAuthor struct {
		Name string `xml:"name"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		ID      string    `xml:"id"`
		Title   string    `xml:"title"`
		Updated string    `xml:"updated"`
		Link    *atomLink `xml:"link,omitempty"`
		Content atomText  `xml:"content"`
	}
	atomText struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

// sendFeed completes a feed: updated is its newest entry's, or begun.
func (s Server) sendFeed(w http.ResponseWriter, r *http.Request, cache string, f atomFeed, self string, begun time.Time) {
	f.Author = atomAuthor{s.Words.Say("page.site")}
	f.Updated = begun.UTC().Format(time.RFC3339)
	for _, e := range f.Entry {
		f.Updated = max(f.Updated, e.Updated)
	}
	if self != "" {
		f.Link = append(f.Link, atomLink{Rel: "self", Href: s.BaseURL + self})
	}
	s.sendXML(w, r, atomKind, cache, f)
}

// tag is an id on this server that stays whatever the address of its pages becomes
// (RFC 4151); it holds no key.
func (s Server) tag(parts ...string) string {
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return "tag:" + s.Host + ",2026:" + strings.Join(parts, ":")
}

// gameFeed has the newest news of a game, as far as the viewer may see them: one entry for what
// happened since the turn before last, and the players to move, and one for each of the last
// rulings.
func (s Server) gameFeed(w http.ResponseWriter, r *http.Request) {
	g, err := s.look(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	p := s.about(g, r.PathValue("key"))
	f := atomFeed{ID: s.tag("game", g.ID, strconv.Itoa(int(p.Viewer()))), Title: p.Game}
	self := ""
	if r.PathValue("key") == "" {
		self = templates.GameHref(g.ID) + "/feed.atom"
		f.Link = []atomLink{{Href: s.BaseURL + templates.GameHref(g.ID)}}
	}
	if g.View != nil {
		course := g.Course()
		last := course[len(course)-1]
		since := -1
		if n := len(course) - 2; n >= 0 {
			since = course[n].N
		}
		e := atomEntry{ID: s.tag("game", g.ID, strconv.Itoa(int(p.Viewer())), strconv.Itoa(last.N)), Title: p.Status(), Updated: g.Changed.UTC().Format(time.RFC3339)}
		if self != "" {
			e.Link = &atomLink{Href: s.BaseURL + templates.GameHref(g.ID)}
		}
		e.Content = atomText{"html", taleHTML(p.Story(g.Story(since)))}
		f.Entry = append(f.Entry, e)
	}
	rulings := ruled(g)
	for _, u := range slices.Backward(rulings[max(0, len(rulings)-feedGames):]) {
		e := atomEntry{ID: s.tag("game", g.ID, strconv.Itoa(int(p.Viewer())), "ruling", strconv.Itoa(u.N)), Title: s.Words.Say("ruling.news", "game", p.Game),
			Updated: u.At.UTC().Format(time.RFC3339), Content: atomText{"text", p.Voice.Ruling(u, rulings)}}
		if self != "" {
			e.Link = &atomLink{Href: s.BaseURL + templates.GameHref(g.ID) + "#rulings"}
		}
		f.Entry = append(f.Entry, e)
	}
	s.sendFeed(w, r, cacheOf(r), f, self, g.Created)
}

func taleHTML(turns []words.Turn) string {
	var b strings.Builder
	for _, t := range turns {
		b.WriteString("<h3>" + html.EscapeString(t.Head) + "</h3><ul>")
		for _, l := range t.Lines {
			if !l.Undone {
				b.WriteString("<li>" + html.EscapeString(l.Text) + "</li>")
			}
		}
		b.WriteString("</ul>")
	}
	return b.String()
}

// serverFeed tells which games began and ended, of those anyone may find.
func (s Server) serverFeed(w http.ResponseWriter, r *http.Request) {
	s.newsFeed(w, r, store.Search{}, atomFeed{ID: s.tag("server"), Title: s.Words.Say("archive.feed")}, "/feed.atom", "/games")
}

// playerFeed does so for one player.
func (s Server) playerFeed(w http.ResponseWriter, r *http.Request) {
	id := playerOf(r.PathValue("player"))
	career, err := s.Archive.Career(r.Context(), id)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	f := atomFeed{ID: s.tag("player", strconv.FormatInt(id, 10)), Title: s.Words.Say("archive.feed-of", "name", words.Clean(career.Name, 40))}
	s.newsFeed(w, r, store.Search{Player: id}, f, templates.PlayerHref(id)+"/feed.atom", templates.PlayerHref(id))
}

func (s Server) newsFeed(w http.ResponseWriter, r *http.Request, q store.Search, f atomFeed, self, page string) {
	q.Limit = feedGames
	young, _, err := s.Archive.Archive(r.Context(), q)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	f.Link = []atomLink{{Href: s.BaseURL + page}}
	for i, l := range s.listings(young) {
		e := young[i]
		add := func(what, key string, at time.Time) {
			link := atomLink{Href: s.BaseURL + l.Href}
			f.Entry = append(f.Entry, atomEntry{ID: s.tag("game", e.ID, what), Updated: at.UTC().Format(time.RFC3339), Link: &link,
				Title: s.Words.Say(key, "name", l.Name), Content: atomText{"text", templates.About(s.Words, l)}})
		}
		add("begun", "archive.news-begun", e.Started)
		if !e.Ended.IsZero() {
			add("over", "archive.news-over", e.Ended)
		}
	}
	slices.SortStableFunc(f.Entry, func(a, b atomEntry) int { return cmp.Compare(b.Updated, a.Updated) })
	s.sendFeed(w, r, openCache, f, self, time.Unix(0, 0))
}
