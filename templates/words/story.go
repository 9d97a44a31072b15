package words

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

// A Turn is what one seat did in a row, told.
type Turn struct {
	Head  string // who, and the round if the turn ended
	Seat  engine.Seat
	Round int // 0 unless the turn ended
	Setup bool
	Lines []TurnLine
}

// A TurnLine is one line of the log, told.
type TurnLine struct {
	N      int    // of the log; 0: the set-up, Hal's turn, or the end's scoring
	Order  string // canonical, "" for the setup
	Text   string // what it meant and what followed, a sentence
	Undone bool   // taken back later
}

// Story tells log lines, already cut to the reader, turn by turn.
func (v *Voice) Story(told []game.Told) []Turn {
	var out []Turn
	for i := range told {
		t := &told[i]
		before := BeforeScoring(t.Events)
		scoring := t.Events[len(before):] // told apart from the last step
		if len(scoring) > 0 {
			cut := *t
			cut.Events = before
			t = &cut
		}
		var hal []engine.Event
		if at := halBegins(t); at >= 0 {
			cut := *t
			cut.Events, hal = t.Events[:at], t.Events[at:]
			t = &cut
		}
		line := TurnLine{N: t.N, Order: t.Order, Text: v.Told(t), Undone: t.Undone}
		if t.N == 0 {
			out = append(out, v.bySeat("story.setup", t.Events))
			continue
		}
		seat := engine.Seat(t.Seat)
		if n := len(out); n == 0 || out[n-1].Setup || out[n-1].Seat != seat {
			head := v.Say("story.ruling")
			if seat != 0 {
				head = v.Head(seat, 0)
			}
			out = append(out, Turn{Seat: seat, Head: head})
		}
		last := &out[len(out)-1]
		last.Lines = append(last.Lines, line)
		for _, e := range t.Events {
			if e.Kind == engine.EvTurnEnded && e.Seat == seat {
				last.Round = int(e.N)
				last.Head = v.Head(seat, last.Round)
			}
		}
		if hal != nil {
			out = append(out, v.halTurn(t, hal))
		}
		if len(scoring) > 0 {
			out = append(out, v.bySeat("story.scoring", scoring))
		}
	}
	return out
}

// scores tells the events of the end's scoring (R8.5).
func scores(e engine.Event) bool {
	return e.Kind == engine.EvAdvancedScore || e.Kind == engine.EvGoodsScore || e.Kind == engine.EvFinal
}

// BeforeScoring returns events without those of the end's scoring, if that follows.
func BeforeScoring(events []engine.Event) []engine.Event {
	if at := slices.IndexFunc(events, scores); at >= 0 {
		return events[:at]
	}
	return events
}

// Head is the heading over a seat's turn; round 0: it is not known.
func (v *Voice) Head(seat engine.Seat, round int) string {
	s := v.Who(seat)
	if round > 0 {
		s = v.Say("story.turn", "who", s, "round", round)
	}
	if v.You(seat) {
		s = strings.TrimSuffix(Sentence(s), ".")
	}
	return s
}

// bySeat tells what belongs to no turn, one line per seat.
func (v *Voice) bySeat(head string, events []engine.Event) Turn {
	out := Turn{Head: v.Say(head), Setup: head == "story.setup"}
	for s := engine.Seat(0); s <= engine.Neutral; s++ {
		var own []engine.Event
		for _, e := range events {
			if e.Seat == s {
				own = append(own, e)
			}
		}
		if text := v.Events(own); text != "" {
			out.Lines = append(out.Lines, TurnLine{Text: Sentence(text)})
		}
	}
	if !out.Setup && len(out.Lines) > 1 && events[len(events)-1].Seat == 0 { // "the game is over" comes last
		out.Lines = append(out.Lines[1:], out.Lines[0])
	}
	return out
}

// Told tells one log line: what happened, or what was ordered where nothing
// visible followed.
func (v *Voice) Told(t *game.Told) string {
	if s := v.Events(t.Events); s != "" {
		return Sentence(s)
	}
	word, arg, _ := strings.Cut(t.Order, " ")
	if word == "rollback" {
		return Sentence(v.Say("story.rollback", "n", arg))
	}
	if key := "story." + word; word == "undo" || word == "resign" || word == "replace" {
		_, by, _ := strings.Cut(t.Order, " by ")
		kind, which := strings.CutPrefix(by, "bot:")
		switch {
		case by == "player":
			key += "-player"
		case which:
			key += "-bot"
		}
		return Sentence(v.Say(key, "who", v.Who(engine.Seat(t.Seat)), "you", v.You(engine.Seat(t.Seat)), "bot", Clean(strings.ReplaceAll(kind, ":", " "), maxText)))
	}
	return Sentence(v.Order(t.Order))
}

// Order says what a canonical order means; what is none comes out as it is.
func (v *Voice) Order(line string) string {
	s, err := order.Parse(line)
	if err != nil {
		return Clean(line, maxText)
	}
	return v.Step(s)
}
