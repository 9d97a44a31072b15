package engine_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
)

var (
	departuresFlag   = flag.Int("departures", 30, "games of each kind in TestDepartures")
	departuresReport = flag.String("departures.report", "", "write the figures of TestDepartures into this `FILE`, a copy of DEPARTURES.md")
)

// What TestDepartures counts, by the numbers of DEPARTURES.md.
const (
	dDiscards = iota
	dDiscardsLate
	dDiscardsNever
	dChoices
	dChoicesLate
	dChoicesNever
	dOwners
	dOwnersLate
	dOwnersGone
	dOwnersLapsed
	dUnasked
	dRefills
	dRefillsOwed
	dNothing
	dGrown
	dGrownTiles
	dGrownRavagers
	dTogether
	dGap
	dReservations
	dHalBack
	dFlips
	dHarmless
	nDepartures
)

var departureNames = [nDepartures]string{
	dDiscards:      "D1: discards down to six",
	dDiscardsLate:  "… made after another player's step",
	dDiscardsNever: "… lapsed at the end",
	dChoices:       "D2: choices between two cards",
	dChoicesLate:   "… made after another player's step",
	dChoicesNever:  "… made by the server at the end",
	dOwners:        "D3: owner's activations with a price, asked",
	dOwnersLate:    "… answered after another player's step",
	dOwnersGone:    "… answered when the card had left Space",
	dOwnersLapsed:  "… lapsed, because their owner could no longer pay",
	dUnasked:       "D4: owner's activations without a price, done by the server",
	dRefills:       "D5: Mission decks refilled",
	dRefillsOwed:   "… while a card of the colour was owed",
	dNothing:       "… draws that found no card, while one was owed",
	dGrown:         "D6: Mission decks that had become empty earlier, and got more discards since",
	dGrownTiles:    "… Technology stacks",
	dGrownRavagers: "… the Ravager deck",
	dTogether:      "D7: an Advanced tile taken together with another",
	dGap:           "D8: injections where a gap holds back tiles behind it",
	dReservations:  "D9: free reservations at the start",
	dHalBack:       "D10: Hal's die of the third colour goes back",
	dFlips:         "D11: turns of the first edition with Debris and dice left after the choice of the die",
	dHarmless:      "D12: a Ravager that damages a die finds none",
}

// departures are counts by what, and by who answers what is put off: promptly, or as late
// as may be.
type departures [nDepartures][2]int

// departureKinds are the kinds of game that are played: all are of the revised edition
// but the last.
var departureKinds = []struct {
	name string
	opt  Options
}{
	{"4 advanced", Options{Players: 4, Advanced: true}}, {"4 base", Options{Players: 4}},
	{"3 advanced", Options{Players: 3, Advanced: true}}, {"3 base", Options{Players: 3}},
	{"2 advanced", Options{Players: 2, Advanced: true}}, {"2 base", Options{Players: 2}},
	{"1 advanced", Options{Players: 1, Advanced: true, Hal: Standard}}, {"1 base", Options{Players: 1, Hal: Standard}},
	{"4 base, first edition", Options{Players: 4, First: true}},
}

// TestDepartures counts how often what DEPARTURES.md lists happens in games of greedy bots,
// who answer what is put off (Q3.3) promptly in half of them, as late as they may in the others.
//
//	make departures    (10,000 games of each kind; writes the table of DEPARTURES.md anew)
func TestDepartures(t *testing.T) {
	counts := make([]departures, len(departureKinds))
	t.Run("kinds", func(t *testing.T) {
		for k, kind := range departureKinds {
			t.Run(kind.name, func(t *testing.T) {
				t.Parallel()
				for game := range *departuresFlag {
					for late := range 2 {
						if kind.opt.Players == 1 && late == 1 {
							continue // nothing is put off (Q3.3c)
						}
						if err := counts[k].play(kind.opt, game, late); err != nil {
							t.Fatalf("game %d: %v", game, err)
						}
					}
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	all := departures{}
	for k := range counts {
		for what := range counts[k] {
			for late := range 2 {
				all[what][late] += counts[k][what][late]
			}
		}
	}
	for _, what := range []int{dDiscardsLate, dChoicesLate, dRefillsOwed, dNothing} {
		if all[what][0] > 0 {
			t.Errorf("%s, though all answer promptly: %d", departureNames[what], all[what][0])
		}
	}
	for what, n := range all {
		if n[0]+n[1] == 0 && what != dNothing && what != dOwnersLapsed && what != dOwnersGone && what != dGrownTiles && what != dGrownRavagers && what != dHalBack && what != dHarmless {
			t.Errorf("%s: never in any game", departureNames[what])
		}
	}
	table := departureTable(counts)
	t.Log("\n" + table)
	if *departuresReport == "" {
		return
	}
	const begins, ends = "<!-- figures -->\n", "<!-- end of figures -->\n"
	text := readText(t, *departuresReport)
	before, rest, ok := strings.Cut(text, begins)
	_, after, ended := strings.Cut(rest, ends)
	if !ok || !ended {
		t.Fatalf("%s has no place for the figures", *departuresReport)
	}
	if err := os.WriteFile(*departuresReport, []byte(before+begins+table+ends+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// departureTable is the counts of 10,000 games of each kind.
func departureTable(counts []departures) string {
	var b strings.Builder
	fmt.Fprintf(&b, "In 10,000 games of each kind and manner; we played %d:\n\n| |", *departuresFlag)
	for _, k := range departureKinds {
		b.WriteString(" " + k.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(departureKinds)) + "\n")
	per := func(n int) string { return strconv.Itoa((n*10_000 + *departuresFlag/2) / *departuresFlag) }
	for what, name := range departureNames {
		b.WriteString("| " + name + " |")
		for k := range counts {
			n := counts[k][what]
			switch {
			case n == [2]int{}:
				b.WriteString(" 0 |")
			case departureKinds[k].opt.Players == 1:
				b.WriteString(" " + per(n[0]) + " |")
			default:
				b.WriteString(" " + per(n[0]) + " / " + per(n[1]) + " |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// play plays a game and counts.
func (d *departures) play(opt Options, game, late int) error {
	key := fmt.Sprintf("departures %d/%v/%v/%d", opt.Players, opt.Advanced, opt.First, game)
	src := NewChance(sha256.Sum256([]byte(key)), "")
	s, err := New(component.Default(), opt, src, nil)
	if err != nil {
		return err
	}
	var bots []bot.Bot
	for range opt.Players {
		b, err := bot.New(bot.Greedy, key)
		if err != nil {
			return err
		}
		bots = append(bots, b)
	}
	count := func(what int) { d[what][late]++ }
	var empty [PileHal]int // discards of a pile when it became empty, and 1
	var others [MaxPlayers + 1]bool
	legal := make([]Step, 0, 256)
	var told Tale
	for n := 0; !s.Finished(); n++ {
		seat := puttingOff(&s, opt.Players, late == 1)
		if seat == 0 || n > maxSteps {
			return fmt.Errorf("step %d: it does not end", n)
		}
		legal = s.Legal(seat, legal[:0])
		st := legal[0]
		if len(legal) > 1 {
			st = bots[seat-1].Choose(s.Project(seat), legal, n)
		}
		asked, onTurn, was := s.Asked(seat), s.OnTurn(), s
		switch {
		case asked == AskDiscard && others[seat]:
			count(dDiscardsLate)
		case asked == AskKeep && others[seat]:
			count(dChoicesLate)
		case asked == AskOwner:
			if others[seat] {
				count(dOwnersLate)
			}
			if !s.InSpace(s.Owed(seat)[0].Card) {
				count(dOwnersGone)
			}
		case asked == AskReserveFree:
			count(dReservations)
		case st.Kind == Inject && s.Gapped(seat, st.Slot):
			count(dGap)
		case st.Kind == TakeTiles && st.Tiles[1] != 0 && (st.Tiles[0].Advanced() || st.Tiles[1].Advanced()):
			count(dTogether)
		}
		told.Events = told.Events[:0]
		s.Do(seat, st, src, &told)
		if st.Kind == TakeDie && opt.First && s.MayFlipLater(seat) {
			count(dFlips)
		}
		d.hear(seat, &was, &s, told.Events, late, &empty)
		for q := Seat(1); int(q) <= opt.Players; q++ {
			before, after := len(was.Owed(q)), len(s.Owed(q))
			if after > before || after == 0 {
				others[q] = false
			} else if after > 0 && q != seat && onTurn == seat {
				others[q] = true
			}
			for _, debt := range s.Owed(q)[min(before, after):] {
				switch debt.Ask {
				case AskDiscard:
					count(dDiscards)
				case AskKeep:
					count(dChoices)
				}
			}
			if was.OnTurn() != 0 && s.OnTurn() == 0 { // the last turn has ended
				for _, debt := range was.Owed(q) {
					if debt.Ask == AskDiscard && q != seat {
						count(dDiscardsNever)
					}
				}
			}
		}
	}
	return nil
}

// hear counts what the events of a step of seat tell.
func (d *departures) hear(seat Seat, was, is *State, events []Event, late int, empty *[PileHal]int) {
	count := func(what int) { d[what][late]++ }
	left, discarded := was.Piles()
	shuffled := [PileHal]bool{}
	for i, e := range events {
		switch e.Kind {
		case EvNoDamage:
			if i > 0 && events[i-1].Kind == EvRavagerEffect {
				count(dHarmless)
			}
		case EvOwes:
			count(dOwners)
		case EvLapsed:
			count(dOwnersLapsed)
		case EvHalBack:
			count(dHalBack)
		case EvNothingToDraw:
			if was.OwesPile(e.Color, seat) {
				count(dNothing)
			}
		case EvKept:
			if is.OnTurn() == 0 && was.OnTurn() != 0 {
				count(dChoicesNever)
			}
		case EvCollected:
			if e.Seat != was.OnTurn() && was.OnTurn() != 0 && was.Asked(e.Seat) != AskOwner {
				count(dUnasked)
			}
		case EvShuffled:
			if e.Pile >= PileHal {
				continue
			}
			shuffled[e.Pile] = true
			grown := dGrown
			switch {
			case e.Pile == PileRavager:
				grown = dGrownRavagers
			case e.Pile > PileRavager:
				grown = dGrownTiles
			default:
				count(dRefills)
				if was.OwesPile(Color(e.Pile), seat) {
					count(dRefillsOwed)
				}
			}
			if left[e.Pile] == 0 && discarded[e.Pile] > empty[e.Pile]-1 {
				count(grown)
			}
		}
	}
	left, discarded = is.Piles()
	for pile := range empty {
		switch {
		case left[pile] > 0:
			empty[pile] = 0
		case empty[pile] == 0 || shuffled[pile]:
			empty[pile] = discarded[pile] + 1
		}
	}
}

// puttingOff is who decides next: those who owe what is not waited for, at once, or as late as they may.
func puttingOff(s *State, players int, late bool) Seat {
	turn := s.OnTurn()
	if late && turn != 0 && int(turn) <= players && s.ToAct(turn) {
		return turn
	}
	for seat := Seat(1); int(seat) <= players; seat++ {
		if s.ToAct(seat) && seat != turn {
			return seat
		}
	}
	if turn != 0 && int(turn) <= players && s.ToAct(turn) {
		return turn
	}
	return 0
}
