// Package words is the catalogue of everything a person reads: in letters, on
// pages and in answers. Everything else speaks codes and arguments.
//
// A Catalogue is one language, read from an embedded file. A Voice is a
// Catalogue that speaks to one reader of one game: it knows who they are and what
// the players are called. Neither ever fails or panics: an unknown code comes
// out as itself, so that a letter is sent rather than lost; the tests hold that
// no code in use is unknown. Both are immutable and safe for concurrent use.
//
// What players bring (names, texts) is returned as plain text without control
// characters; callers who write HTML or headers escape it there.
package words

import (
	_ "embed"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"angelpost/templates/draw"
)

//go:embed en.toml
var english string

//go:embed en-why.toml
var englishWhy string

//go:embed en-letters.toml
var englishLetters string

//go:embed en-rules.toml
var englishRules string

//go:embed en-components.toml
var englishComponents string

//go:embed en-plan.toml
var englishPlan string

//go:embed en-archive.toml
var englishArchive string

//go:embed en-table.toml
var englishTable string

//go:embed en-board.toml
var englishBoard string

//go:embed en-sim.toml
var englishSim string

//go:embed en-league.toml
var englishLeague string

//go:embed en-league-pages.toml
var englishLeaguePages string

//go:embed en-settings.toml
var englishSettings string

//go:embed en-around.toml
var englishAround string

//go:embed en-host.toml
var englishHost string

//go:embed en-director.toml
var englishDirector string

//go:embed en-privacy.toml
var englishPrivacy string

// A Catalogue is the words of one language.
type Catalogue struct {
	grammar  grammar
	messages map[string]message
	more     map[string]message // what "key-more" says, by key
	topics   []topic            // of rules, in the order they are listed
	helps    []topic
	terms    []string // of draw, by number; empty: RULES.md's own
	abouts   [draw.Abouts]string
}

// English is the catalogue every game has.
var English = sync.OnceValue(func() *Catalogue {
	c, err := Load(english, englishWhy, englishLetters, englishRules, englishComponents, englishPlan, englishArchive, englishTable, englishBoard, englishSim, englishLeague, englishLeaguePages, englishSettings, englishAround, englishHost, englishDirector, englishPrivacy)
	if err != nil {
		panic("words: " + err.Error()) // embedded, held by the tests
	}
	return c
})

// Load reads a catalogue from TOML files: the first names the
// language; tables of texts become messages "table.key"; arrays of tables
// "topic" and "word" are what rules and help tell.
func Load(files ...string) (*Catalogue, error) {
	c := &Catalogue{messages: map[string]message{}, more: map[string]message{}}
	for i, text := range files {
		var file struct {
			Language string
			Topic    []topic
			Word     []topic
		}
		var all map[string]any
		if _, err := toml.Decode(text, &file); err != nil {
			return nil, fmt.Errorf("file %d: %w", i+1, err)
		}
		if _, err := toml.Decode(text, &all); err != nil {
			return nil, fmt.Errorf("file %d: %w", i+1, err)
		}
		if i == 0 {
			var err error
			if c.grammar, err = newGrammar(file.Language); err != nil {
				return nil, err
			}
		}
		c.topics = append(c.topics, file.Topic...)
		c.helps = append(c.helps, file.Word...)
		for table, v := range all {
			if keys, ok := v.(map[string]any); ok {
				if err := c.add(table, keys); err != nil {
					return nil, fmt.Errorf("file %d: %w", i+1, err)
				}
			}
		}
	}
	grouped(c.helps)
	c.drawTerms()
	for a := range c.abouts {
		if key := "about." + draw.About(a).Key(); c.Has(key) {
			c.abouts[a] = c.Say(key)
		} else {
			c.abouts[a] = draw.About(a).String()
		}
	}
	return c, nil
}

func (c *Catalogue) add(table string, keys map[string]any) error {
	for k, v := range keys {
		key := table + "." + k
		s, ok := v.(string)
		if !ok {
			return fmt.Errorf("%s: want a text", key)
		}
		if _, twice := c.messages[key]; twice {
			return fmt.Errorf("%s is there twice", key)
		}
		m, err := compile(s)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		c.messages[key] = m
		if first, ok := strings.CutSuffix(key, "-more"); ok {
			c.more[first] = m
		}
	}
	return nil
}

// Lang is the language's tag (BCP 47), "en".
func (c *Catalogue) Lang() string { return c.grammar.tag.String() }

// Has reports whether there is a message of that key.
func (c *Catalogue) Has(key string) bool { return c.messages[key] != nil }

// Keys are the keys of all messages that begin with prefix, sorted.
func (c *Catalogue) Keys(prefix string) []string {
	var out []string
	for k := range c.messages {
		if strings.HasPrefix(k, prefix) {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

// Say returns the message of key with its arguments as pairs of name and value. An unknown key
// is returned in brackets.
func (c *Catalogue) Say(key string, kv ...any) string { return c.SayArgs(key, Pairs(kv...)) }

// SayArgs is Say with Args.
func (c *Catalogue) SayArgs(key string, args Args) string {
	m, ok := c.messages[key]
	if !ok {
		return "[" + Clean(key, maxText) + "]"
	}
	if len(m) == 1 && m[0].arg == "" {
		return m[0].text
	}
	var room [160]byte
	return string(m.append(room[:0], &c.grammar, args))
}

// Marker is the line that heads every letter which can be answered: what
// clients keep below it is our own letter again.
func (c *Catalogue) Marker() string { return c.Say("letter.marker") }

// List joins things as prose does: "a, b and c".
func (c *Catalogue) List(things []string) string { return c.join(things, "term.and") }

// Either joins alternatives: "a, b or c".
func (c *Catalogue) Either(things []string) string { return c.join(things, "term.or") }

func (c *Catalogue) join(things []string, last string) string {
	switch n := len(things); n {
	case 0:
		return ""
	case 1:
		return things[0]
	default:
		return c.Say(last, "a", strings.Join(things[:n-1], ", "), "b", things[n-1])
	}
}
