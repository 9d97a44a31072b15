// Package voice holds how Angelpost speaks: plain, modern English.
//
// # What it proves
//
// No message of the catalogue, no document, no text of the command line and no comment
// has a construction of the tables below. The letters, messages and notes of letters and
// help are easy to read: their Flesch reading ease is 60 or more.
//
// # How it can fail
//
// TestVoice names the sentence and says what to write instead. TestReadingEase prints
// each figure with -v; short sentences and short words raise it.
//
// # How to run it longer
//
// It reads everything there is. TestUnchanged also holds the letters and pages of
// its games to Faults.
package voice

import (
	"fmt"
	"regexp"
	"strings"
)

// A habit is a construction that we do not write.
type habit struct {
	bad    string // a regular expression, letter case aside unless cased
	unless string // a match that has this is fine; "" means none
	better string
	bare   bool // it applies to comments, too
	cased  bool
}

// habits are what a review found again and again, by the rules of the project's style.
var habits = []habit{
	// Speak to the reader; players are "they" or their names.
	{bad: `\bwho(so)?m?ever\b`, better: `"players who ...", "if you ..." or "anyone who ..."`, bare: true},
	{bad: `\bsomebody\b`, better: `"someone", or who it is`, bare: true},
	{bad: `\bnobody\b`, better: `"no one"`, bare: true},
	{bad: `\beverybody\b`, better: `"everyone"`, bare: true},
	{bad: `\banybody\b`, better: `"anyone"`, bare: true},
	{bad: `\bof (theirs|hers)\b`, better: `"their ..."`, bare: true},
	{bad: `\bof ours\b`, better: `"our ..."`},
	{bad: `(\w+ )?\bone's\b`, unless: `^(no|this|that|each|every|which|next|new|old|first) `, better: `"your" or "their"`, bare: true},
	{bad: `\bwhom\b`, better: `the name, or a sentence of its own`},
	{bad: `\b(of|to|for|from|by|at) who\b`, better: `"of players who ..."`, bare: true, cased: true},
	{bad: `(^|[.;:!] )Who [a-z][^.?\n]*[.,]`, better: `"Players who ..." or "If you ..."`, cased: true},
	{bad: `\bwho plays\b`, better: `"the players"`},
	{bad: `\bshall\b`, better: `"will" or "must"`},

	// Name the actor, in the active voice.
	{bad: `\b(is|are|was|were|be|been|being) (not )?(asked|told|said|written to)\b`, better: `who asks, tells, says or writes`},
	{bad: `\b(is|are|was|were) done\b`, better: `who does it`},
	{bad: `\b(is|are|was|were) to be\b`, better: `"must" or "will"`},
	{bad: `\bto be (found|had|seen|done|asked|told|written|played|expected)\b`, better: `who finds, has, does it`},
	{bad: `\bwhat (is|was) (asked|told|said|done)\b`, better: `who asks, tells, says or does what`},
	{bad: `\bhears? (of|why|with)\b|\bheard of\b`, better: `"we tell ..." or "learns"`},
	{bad: `\blooked at\b`, unless: `have looked`, better: `"skipped", "checked" or who looks`},
	{bad: `\bbelieved to\b`, better: `"estimated"`},

	// Name the place, without a figure of speech for it.
	{bad: `\bbehind (the|a|an) (bar|word|line|colon|name|number)\b|\bleave out the bar\b`, better: `"after the |"`},
	{bad: `\bst(ands?|ood) (below|above|there|here|in|on|at|between|beside|behind|before|around|alone|next|for|open)\b`, better: `"is", "is listed below", "is next to"`},
	{bad: `\b(where|what)( \w+)? (stands?|stood)\b|\b(stands?|stood)\.`, better: `"is"`},
	{bad: `\blies\b|\b(lie|lay) (in|on|at|below|under|beside|between|behind|next)\b`, better: `"is", "is on", "is next to"`},
	{bad: `\bbeside\b`, better: `"next to" or "besides"`},
	{bad: `\b(bears?|bore)\b`, better: `"has"`},

	// Words and forms that nobody uses today, or only another language.
	{bad: `\blest\b`, better: `"so that ... not"`, bare: true},
	{bad: `\bfor ever\b`, better: `"forever"`, bare: true},
	{bad: `\banew\b`, better: `"again" or "new"`},
	{bad: `\b(thereof|therein|whereof|whereby|wherein|hitherto|henceforth|upon|thus|ought)\b`, better: `a word of today`},
	{bad: `\byoungest\b`, unless: `player`, better: `"newest"`},
	{bad: `\breckon`, better: `"compute"`},
	{bad: `\bmend(s|ed|ing)?\b`, better: `"fix"`},
	{bad: `\bneed not\b|\bneeds? do\b|\bneed be\b`, better: `"don't have to"`},
	{bad: `\b(counts?|is|are|was|plays?|exists?|advances?|looks?|joins?) no more\b`, better: `"no longer"`},
	{bad: `(\S+ )?\b(is|was|are) no [a-z]+`, unless: `^there |no (longer|one|more|other|better|less|later|obstacle|different)`, better: `"is not a ..."`},
	{bad: `\botherwise (than|played)\b|\b(begins?|made|played) otherwise\b`, better: `"differently"`},
	{bad: `\bthe very [a-z]+`, unless: `very (first|last|same|end|start)`, better: `"the"`},
	{bad: `\bby itself\b`, better: `"automatically" or "on its own"`},
	{bad: `\b(set|servers?|address|database|file|name|pages?|game|kind|package|house|time) of (its|their|your|our) own\b`, better: `"its own ..."`},
	{bad: `\b(give|gives|gave|giving) (back|anew)\b|\bgiven back\b`, better: `"return"`},
	{bad: `(^|[.;:] )Where [a-z][^.?\n]*,`, better: `"If ..."`, cased: true},
	{bad: `, for (that is|that was|it|they|he|she|we|you|there|bots must)\b`, better: `"because"`},
	{bad: `\b(nothing|much|all) of (it|that|them|this)\b`, unless: `all of (them|it|this|that)`, better: `"none of it"`},
	{bad: `, being\b|\bSpes being\b`, better: `"because" or "once"`},
	{bad: `\bas (many|much) of [a-z ]+ as you like\b`, better: `"all or part of"`},
	{bad: `\bin all:`, better: `"total:"`},
	{bad: `\bnow already\b|\balready now\b`, better: `"now"`},
	{bad: `\bcan be had\b`, better: `"you can get"`},
	{bad: `\bis no advice\b|\bis no use\b`, better: `"not a recommendation"`},
	{bad: `\bas nearly as\b`, better: `"as far as"`},
	{bad: `\bhow sure\b`, better: `"margin"`},
	{bad: `\bplay(s|ed)? for (him|her)\b`, better: `"for them"`},
}

// male are words for players that say more than we know; a text about Hal may have them.
var male = habit{bad: `\b(he|him|his|himself)\b`, better: `"they" or the name; only Hal is "he"`}

var (
	compiled = compile()
	males    = regexp.MustCompile(`(?i)` + male.bad)
	hal      = regexp.MustCompile(`\bHal\b`)
)

type pattern struct {
	habit
	bad    *regexp.Regexp
	unless *regexp.Regexp
}

func compile() []pattern {
	out := make([]pattern, len(habits))
	for i, h := range habits {
		flags := "(?im)"
		if h.cased {
			flags = "(?m)"
		}
		out[i] = pattern{habit: h, bad: regexp.MustCompile("(?:" + flags + h.bad + ")")}
		if h.unless != "" {
			out[i].unless = regexp.MustCompile(`(?i)` + h.unless)
		}
	}
	return out
}

// A Fault is a construction in a text that we do not write.
type Fault struct{ Found, Better string }

func (f Fault) String() string { return fmt.Sprintf("%q: write %s", f.Found, f.Better) }

// Faults returns what a text has that we do not write. A text is about Hal if it says so.
func Faults(text string) []Fault { return faults(text, false) }

// faults are those of a text, or of a comment, for which only bare habits count.
func faults(text string, comment bool) (out []Fault) {
	text = plain(text)
	for _, p := range compiled {
		if comment && !p.bare {
			continue
		}
		for _, at := range p.bad.FindAllStringIndex(text, -1) {
			if p.unless == nil || !p.unless.MatchString(text[at[0]:at[1]]) {
				out = append(out, Fault{Found: around(text, at), Better: p.better})
			}
		}
	}
	if !hal.MatchString(text) {
		for _, at := range males.FindAllStringIndex(text, -1) {
			out = append(out, Fault{Found: around(text, at), Better: male.better})
		}
	}
	return out
}

var (
	code   = regexp.MustCompile("`[^`\n]*`")
	blanks = regexp.MustCompile(`\s+`)
)

// plain is a text on one line, without code.
func plain(text string) string {
	return strings.TrimSpace(blanks.ReplaceAllString(code.ReplaceAllString(text, "`x`"), " "))
}

// around is a place in a text with some words before and after it.
func around(text string, at []int) string {
	from, to := max(0, at[0]-40), min(len(text), at[1]+40)
	for from > 0 && text[from] != ' ' {
		from--
	}
	for to < len(text) && text[to] != ' ' {
		to++
	}
	return strings.TrimSpace(text[from:to])
}

var (
	sentences = regexp.MustCompile(`[.?!](\s|$)`)
	word      = regexp.MustCompile(`[A-Za-z]+(['’][a-z]+)?`)
	vowels    = regexp.MustCompile(`[aeiouy]+`)
)

// Ease returns the Flesch reading ease of texts and how many words they have: 60 is plain
// English, 30 a scientific paper. Code does not count, nor do labels, which end without a
// full stop.
func Ease(texts []string) (ease float64, words int) {
	syllables, ends := 0, 0
	for _, text := range texts {
		text = strings.TrimSpace(code.ReplaceAllString(text, ""))
		if !strings.ContainsAny(text[max(0, len(text)-2):], ".?!") {
			continue
		}
		for _, s := range sentences.Split(text, -1) {
			found := word.FindAllString(s, -1)
			if len(found) < 2 {
				continue
			}
			ends++
			words += len(found)
			for _, w := range found {
				syllables += count(strings.ToLower(w))
			}
		}
	}
	if words == 0 {
		return 100, 0
	}
	return 206.835 - 1.015*float64(words)/float64(ends) - 84.6*float64(syllables)/float64(words), words
}

// count is how many syllables a word has, by its vowels.
func count(w string) int {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	n := len(vowels.FindAllString(w, -1))
	switch {
	case strings.HasSuffix(w, "le") && len(w) > 2 && !strings.ContainsAny(w[len(w)-3:len(w)-2], "aeiouy"):
	case strings.HasSuffix(w, "es") && len(w) > 3 && !strings.ContainsAny(w[len(w)-3:len(w)-2], "aeiouyscxzgh"),
		strings.HasSuffix(w, "ed") && len(w) > 3 && !strings.ContainsAny(w[len(w)-3:len(w)-2], "aeiouytd"),
		strings.HasSuffix(w, "e") && len(w) > 2 && !strings.ContainsAny(w[len(w)-2:len(w)-1], "aeiouy"):
		n--
	}
	return max(n, 1)
}
