package web

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

// rules explains the game by the numbers of its rules.
func (s Server) rules(w http.ResponseWriter, r *http.Request) {
	s.book(w, r, "book.rules-title", templates.NewRules, templates.RulesPage)
}

// help explains the words of letters.
func (s Server) help(w http.ResponseWriter, r *http.Request) {
	s.book(w, r, "book.help-title", templates.NewHelp, templates.HelpPage)
}

// cards explains the pieces of the built-in component set: of a part, or all.
func (s Server) cards(w http.ResponseWriter, r *http.Request) {
	part := r.PathValue("part")
	if part != "" && !slices.Contains(templates.Parts, part) {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	fill := func(f templates.Frame, search string) *templates.Book { return templates.NewCards(f, part, search) }
	s.book(w, r, templates.PartTitle(part), fill, templates.CardsPage)
}

// book shows a page that explains, or what of it ?q= finds.
func (s Server) book(w http.ResponseWriter, r *http.Request, key string, fill func(templates.Frame, string) *templates.Book, show func(*templates.Book) templ.Component) {
	asked := r.URL.Query()["q"]
	switch {
	case len(asked) > 1:
		s.asks(w, r, &badAsk{name: "q", key: "archive.bad-twice"})
		return
	case len(asked) == 1 && len(asked[0]) > maxQuery:
		s.asks(w, r, &badAsk{name: "q", key: "archive.bad-long"})
		return
	}
	search := ""
	if len(asked) == 1 {
		search = words.Clean(asked[0], maxQuery)
	}
	title := s.Words.Say(key)
	f := s.frame(title + " · " + s.Words.Say("page.site"))
	f.Preview = s.preview(title, r.URL.Path, s.Words.Say("page.tagline"))
	if r.URL.RawQuery == "" {
		f.Index = true
		w.Header().Del("X-Robots-Tag")
	}
	withForms(w)
	s.write(w, r, openCache, show(fill(f, search)))
}
