package engine

import (
	"math/rand/v2"
	"testing"

	"angelpost/engine/component"
)

// What we tell a player about the Ravagers that will attack is true whatever the deck holds,
// and as exact as it can be (Q5.5f). It gives away nothing of what the deck does hold.
func TestAttacksThatAreCertain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	none, fewer, sure, ends, goesOn := 0, 0, 0, 0, 0
	for range 3000 {
		s, err := New(component.Default(), Options{Players: 2}, NewChance([32]byte{1}, ""), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.rav, s.nrav, s.nrdeck, s.rdisc = [6][3]Card{}, [6]uint8{}, 0, 0
		s.p[0].ravs, s.p[1].ravs = 0, 0
		lying, deck := rnd.IntN(19), rnd.IntN(8)
		var unseen, room [6]int
		for _, i := range rnd.Perm(30) {
			card := component.FirstRaider + Card(i)
			l := s.set.Ravagers[card].Location - 1
			switch {
			case lying > 0 && s.nrav[l] < 3:
				s.rav[l][s.nrav[l]] = card
				s.nrav[l]++
				lying--
				continue
			case deck > 0 && rnd.IntN(4) == 0:
				s.rdisc |= ravBit(card)
				deck--
			case deck > 0:
				s.rdeck[s.nrdeck] = card
				s.nrdeck++
				deck--
			case rnd.IntN(2) == 0:
				s.p[0].ravs |= ravBit(card)
				continue
			default:
				s.p[1].ravs |= ravBit(card)
			}
			unseen[l]++
		}
		for l := range room {
			room[l] = 3 - int(s.nrav[l])
		}
		n := 1 + rnd.IntN(4)
		view := s.Project(1)
		known := view.Known()
		least, most := known.attacks(n)
		few, many := n, 0
		eachDeck(unseen, room, view.Decks[PileRavager].Left+view.Decks[PileRavager].Discarded, 0, func(fit int) {
			few, many = min(few, fit), max(many, min(fit, n))
		})
		if least != few || most != many {
			t.Fatalf("of %d at least %d and at most %d attack, not %d and %d: unseen %v, room for %v", n, few, many, least, most, unseen, room)
		}
		if s.nrdeck > 0 { // the deck is certain to end if one card fewer is never enough (Q8.1b)
			enough := false
			eachDeck(unseen, room, int(s.nrdeck)-1, 0, func(fit int) { enough = enough || fit >= n })
			if known.foreseeRavagers(n, nil); (known.ending == ByRavagers) == enough {
				t.Fatalf("%d attack, %d in the deck: ending %q: unseen %v, room for %v", n, s.nrdeck, known.ending, unseen, room)
			}
			if enough {
				goesOn++
			} else {
				ends++
			}
		}
		var told Tale
		if s.drawRavagers(n, NewChance([32]byte{2}, ""), &told); len(told.Events) == 0 && least > 0 {
			t.Fatal("none attacks")
		}
		switch {
		case most == 0:
			none++
		case least < n:
			fewer++
		default:
			sure++
		}
	}
	t.Logf("in %d positions none could attack, in %d perhaps fewer, in %d all; %d decks ended, %d did not", none, fewer, sure, ends, goesOn)
	if none < 20 || fewer < 100 || sure < 100 || ends < 100 || goesOn < 100 {
		t.Error("too little is tried")
	}
}

// eachDeck tells how many cards could be placed, for every way in which so many cards may
// be those of the locations.
func eachDeck(unseen, room [6]int, cards, l int, tell func(fit int)) {
	if l == len(unseen) {
		if cards == 0 {
			tell(0)
		}
		return
	}
	for n := range min(cards, unseen[l]) + 1 {
		eachDeck(unseen, room, cards-n, l+1, func(fit int) { tell(fit + min(n, room[l])) })
	}
}
