package letter

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reactions: the letters that mail programs write for someone who taps an emoji below ours.
// Gmail's have a part for programs, others nothing but a sentence.

const (
	like        = "👍"
	maxReaction = 10 // characters of one
)

// reactionPart is the emoji of a reaction in a part for programs, Gmail's or RFC 9078's; "" if
// there is none.
func reactionPart(top *part) (emoji string) {
	top.leaves(func(p *part) {
		if emoji != "" {
			return
		}
		disposition, _, _ := strings.Cut(p.head.get("content-disposition"), ";")
		switch disposition = strings.ToLower(strings.TrimSpace(disposition)); {
		case p.typ == "text/vnd.google.email-reaction+json" && disposition != "attachment":
			var r struct {
				Emoji string `json:"emoji"`
			}
			b := p.decoded()
			if json.Unmarshal(b[:min(len(b), 4096)], &r) == nil {
				emoji = picture(r.Emoji)
			}
		case p.typ == "text/plain" && disposition == "reaction":
			b := p.decoded()
			emoji = picture(utf8Text(b[:min(len(b), 4096)], p.params["charset"]))
		}
	})
	return emoji
}

// picture is a text that is one picture, or a few; "" if it is not.
func picture(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || utf8.RuneCountInString(s) > maxReaction || strings.ContainsFunc(s, func(r rune) bool {
		return r < utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsSpace(r) || r == utf8.RuneError
	}) {
		return ""
	}
	return s
}

// reacted are the sentences of reactions. Outlook's is above the letter's header fields, with
// the name of its picture before it; Gmail's below the emoji; Apple's quotes the letter, in the
// languages for which we know it.
var (
	outlookReacted = compile(`^(?:\[([^\[\]]{1,20})\] *)?\S.{0,100} reacted to your message[:.]?$`)
	gmailReacted   = compile(`(?:reacted via Gmail|已通过 ?Gmail ?做出回应|님이 Gmail ?을 통해 반응함)\.?(?: ?<https?://\S{1,300}>)?$`)
	appleReacted   = compile(`^(?:(` + strings.Join([]string{
		`loved|pokochał|очень понравилось|milovaný|szívecske erre:`,
		`liked|polubił|понравилось|líbilo se|kedveli:`,
		`disliked|znielubił|не понравилось|nelíbí se|nem kedveli:`,
		`laughed at|zaśmiał się z|посмеялись над|smál se|nevetett rajta:`,
		`emphasi[sz]ed|podkreślił|отмечено|zdůrazněno|kiemelte:`,
		`questioned|zakwestionował|поставлен вопрос на|otázka|kérdezte:`,
	}, ")|(") + `)) [“"„«].*[”"“»]$`)
	appleReactedWith = compile(`^(?:reacted|a réagi avec|zareagował|reagoval) (\S{1,20}) (?:to|à|na) [“"„«].*[”"“»]$`)
)

// appleEmoji and outlookEmoji are the pictures of sentences that name or mean them.
var (
	appleEmoji   = []string{"❤", like, "👎", "😂", "‼", "❓"}
	outlookEmoji = map[string]string{"like": like, "thumbs up": like, "heart": "❤", "love": "❤", "celebrate": "🎉", "laugh": "😆", "surprised": "😮", "surprise": "😮", "sad": "😢"}
)

// reactionText is the emoji of a reaction of which a letter's first lines tell; "" if they do
// not.
func reactionText(lines []line) string {
	emoji, tried := "", 0
	for _, l := range lines {
		if l.text == "" {
			continue
		}
		if tried++; tried > 3 || l.depth > 0 {
			return ""
		}
		if p := picture(l.text); p != "" && emoji == "" {
			emoji = p
			continue
		}
		return reactionLine(l.text, emoji)
	}
	return ""
}

// reactionLine is the emoji of a line that tells of a reaction, below the emoji above; "" if
// it does not.
func reactionLine(s, above string) string {
	if len(s) > maxField {
		return ""
	}
	low := strings.ToLower(s)
	if m := outlookReacted.find(s); m != nil {
		return cmp.Or(above, outlookEmoji[strings.ToLower(m[1])], like)
	}
	if gmailReacted.in(s) {
		return cmp.Or(above, like)
	}
	if m := appleReactedWith.find(low); m != nil {
		return cmp.Or(picture(m[1]), like)
	}
	if m := appleReacted.find(low); m != nil {
		for i, e := range appleEmoji {
			if m[i+1] != "" {
				return e
			}
		}
	}
	return ""
}

// onlyReacts reports whether an author's text tells of a reaction and has nothing else but
// what may be quotation.
func onlyReacts(text []string) bool {
	for _, s := range text {
		if s != Gap && !strings.HasPrefix(s, Perhaps) && !wordless(s) && reactionLine(s, "") == "" {
			return false
		}
	}
	return true
}
