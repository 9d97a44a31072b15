package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// maxText bounds what is echoed of a player's own text, in runes.
const maxText = 120

// Illegal says which rule forbids a step, with its number.
func (v *Voice) Illegal(e *engine.Illegal) string {
	return v.Say("letter.refused-rule", "reason", v.Why(e.Code, e.Step), "rule", e.Rule)
}

// Why is the reason of an Illegal's code, told about its step.
func (v *Voice) Why(code string, s engine.Step) string {
	return v.SayArgs("why."+code, func(name string) (any, bool) { return v.stepArg(&s, name) })
}

// Problem says why a line was refused, as a sentence with the rule's number if
// there is one.
func (v *Voice) Problem(p *notice.Problem) string {
	if p == nil {
		return ""
	}
	var s string
	switch {
	case p.Code == notice.ProblemIllegal:
		step, _ := order.Parse(p.Read)
		s = v.Why(Clean(p.Args["reason"], maxText), step)
	case p.Code == notice.ProblemTopic && p.Args["word"] == "rules":
		s = v.Say("rules.unknown", "topic", Clean(p.Args["topic"], maxTopic), "list", v.List(topicNames(v.topics)))
	case p.Code == notice.ProblemTopic && v.Topic(Clean(p.Args["topic"], maxTopic)) != "":
		s = v.Say("help.rules", "word", Clean(p.Args["topic"], maxTopic))
	case p.Code == notice.ProblemTopic:
		s = v.Say("help.unknown", "word", Clean(p.Args["topic"], maxTopic))
	case v.Has("problem." + p.Code):
		s = v.SayArgs("problem."+p.Code, v.cleaned(p.Args))
	default:
		s = v.Say("problem." + Clean(p.Code, maxText))
	}
	if p.Rule != "" {
		s = v.Say("letter.refused-rule", "reason", s, "rule", Clean(p.Rule, maxText))
	}
	return Sentence(s)
}

// ProblemOf is Problem for a host, who reads what was refused about a player.
func (v *Voice) ProblemOf(p *notice.Problem, whom string) string {
	key := "host." + p.Code
	if whom == "" || !v.Has(key) {
		return v.Problem(p)
	}
	args := v.cleaned(p.Args)
	return v.SayArgs(key, func(name string) (any, bool) {
		if name == "whom" {
			return Clean(whom, maxText), true
		}
		return args(name)
	})
}

// Remark says one thing of an answer.
func (v *Voice) Remark(r notice.Remark) string {
	args := v.cleaned(r.Args)
	if r.Code == notice.AskNew {
		args = v.newGame(r)
	}
	key := "remark." + Clean(r.Code, maxText)
	switch { // said otherwise where there is more to say
	case r.Args["waiting"] != "" && v.Has(key+"-waiting"):
		key += "-waiting"
	case r.Args["address"] != "" && v.Has(key+"-known"):
		key += "-known"
	case r.Args["bot"] != "" && v.Has(key+"-bot"):
		key += "-bot"
	case r.Args["then"] != "" && v.Has(key+"-"+r.Args["then"]):
		key += "-" + r.Args["then"]
	case len(r.List) == 0 && v.Has(key+"-nobody"):
		key += "-nobody"
	}
	return v.SayArgs(key, func(name string) (any, bool) {
		if (name == "list" || name == "quoted") && r.Code != notice.AskNew {
			out := make([]string, len(r.List))
			if r.Code == notice.SayWords {
				for i, s := range r.List {
					out[i] = v.explained(Clean(s, maxText))
				}
				return v.List(out), true
			}
			for i, s := range r.List {
				if out[i] = v.Moment(Clean(v.Spell(s), maxText)); name == "quoted" {
					out[i] = v.Say("term.quoted", "text", out[i])
				}
			}
			return v.List(out), true
		}
		switch name {
		case "count":
			return len(r.List), true
		case "order", "did":
			return Clean(v.Spell(r.Args[name]), maxText), true
		case "reason":
			return Stopped(Clean(r.Args[name], maxText)), true
		case "why":
			if r.Code == notice.TellAppeal {
				return Stopped(Clean(r.Args[name], maxText)), true
			}
		}
		return args(name)
	})
}

// Stopped is what a person wrote as a sentence: text may follow it.
func Stopped(s string) string {
	if s == "" || strings.HasSuffix(s, "…") {
		return s
	}
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(")]\"'”’»%", last) {
		return s + "."
	}
	return s
}

// explained is a word of letters with what it does, as the list of `help` says it; an order alone.
func (v *Voice) explained(line string) string {
	for name := line; ; {
		if t := called(v.helps, name); t != nil && t.Title != "" {
			return v.Say("term.explained", "word", line, "about", t.Title)
		}
		i := strings.LastIndexByte(name, ' ')
		if i < 0 {
			return v.Say("term.order", "order", v.Spell(line))
		}
		name = name[:i]
	}
}

// newGame returns the arguments of the question whether to begin a game.
func (v *Voice) newGame(r notice.Remark) Args {
	number := func(name string) int {
		n, _ := strconv.Atoi(r.Args[name])
		return n
	}
	var others []string
	for _, s := range r.List {
		switch kind, which := strings.CutPrefix(s, "bot:"); {
		case which:
			others = append(others, v.Say("term.bot-kind", "bot", Clean(strings.ReplaceAll(kind, ":", " "), maxText)))
		case s == "bot":
			others = append(others, v.Say("term.a-bot"))
		default:
			others = append(others, Clean(s, maxText))
		}
	}
	free := number("free")
	if free > 0 {
		others = append(others, v.Say("term.free-seats", "n", free))
	}
	options := v.Options(game.Options{Players: number("players"), Rules: r.Args["rules"], Edition: r.Args["edition"], Set: r.Args["set"], Hal: r.Args["hal"], Clock: r.Args["clock"]})
	name := Clean(r.Args["name"], maxName)
	return Pairs("list", v.List(others), "n", len(others), "options", options, "name", name, "named", strconv.FormatBool(name != ""),
		"visibility", Clean(r.Args["visibility"], maxName), "hints", Clean(r.Args["hints"], maxName))
}

// cleaned are arguments that players may have brought, moments as people say them.
func (v *Voice) cleaned(m map[string]string) Args {
	args := Map(m)
	return func(name string) (any, bool) {
		x, ok := args(name)
		if s, text := x.(string); text {
			return v.Moment(Clean(s, maxText)), ok
		}
		return x, ok
	}
}

// Status is what became of a line, in a word or two.
func (v *Voice) Status(s notice.Status) string { return v.Say("status." + string(s)) }
