package words

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
)

// News is what one seat did, in a sentence or two.
type News struct {
	Seat  engine.Seat // 0: a ruling, or the game itself
	Yours []string    // what it did to the reader, sentence by sentence
	Text  []string    // the rest, sentence by sentence
}

// News tells what others did, one entry for each seat in the order of their last turns,
// and leaves out what was undone and what changes nothing for the reader. The history
// has it all.
func (v *Voice) News(told []game.Told) []News {
	var out []News
	for _, d := range v.deeds(told) {
		n := News{Seat: d.seat, Yours: v.done(d), Text: v.did(d)}
		if len(n.Yours)+len(n.Text) == 0 {
			continue
		}
		if at := slices.IndexFunc(out, func(o News) bool { return o.Seat == n.Seat }); at >= 0 && n.Seat != 0 {
			n.Yours, n.Text = append(out[at].Yours, n.Yours...), append(out[at].Text, n.Text...)
			out = slices.Delete(out, at, at+1)
		}
		out = append(out, n)
	}
	return out
}

// deeds are what one seat did in one turn, counted.
type deeds struct {
	seat     engine.Seat
	words    []string // of a ruling, or of an order of the table: undo, resign
	events   []engine.Event
	cubes    int                        // Damage removed
	tiles    []engine.Tile              // taken
	beaten   []string                   // Ravager cards destroyed
	rolled   bool                       // by B
	vp       [engine.MaxPlayers + 1]int // by seat
	goods    [engine.Debris + 1]int     // the reader's, gained
	finished bool
}

// deeds parts what others did into turns. Hal's turn stands among the events of the
// reader's own step, too.
func (v *Voice) deeds(told []game.Told) (out []*deeds) {
	of := func(seat engine.Seat) *deeds {
		if n := len(out); n > 0 && out[n-1].seat == seat && !out[n-1].finished {
			return out[n-1]
		}
		out = append(out, &deeds{seat: seat})
		return out[len(out)-1]
	}
	for i := range told {
		t := &told[i]
		if t.Undone || t.N == 0 {
			continue
		}
		own := v.You(engine.Seat(t.Seat))
		if len(t.Events) == 0 {
			if spoken(t.Order) && !own {
				d := of(engine.Seat(t.Seat))
				d.words = append(d.words, v.Told(t))
			}
			continue
		}
		before := BeforeHal(t)
		if !own {
			v.count(of(engine.Seat(t.Seat)), before)
		}
		if hal := t.Events[len(before):]; len(hal) > 0 {
			d := of(engine.Hal)
			v.count(d, hal)
			d.finished = true
		}
	}
	return out
}

// spoken reports whether a line without events gets words: it changes the players, or the
// position.
func spoken(line string) bool {
	for _, w := range []string{"rollback", "resign", "replace"} {
		if strings.HasPrefix(line, w) {
			return true
		}
	}
	return false
}

func (v *Voice) count(d *deeds, events []engine.Event) {
	for _, e := range events {
		switch e.Kind {
		case engine.EvVP:
			if e.Seat <= engine.MaxPlayers && e.Source != engine.ByAdvanced && e.Source != engine.ByGoods {
				d.vp[e.Seat] += int(e.N)
			}
		case engine.EvGained:
			if v.You(e.Seat) && e.Seat != d.seat && int(e.Good) < len(d.goods) {
				d.goods[e.Good] += int(e.N)
			}
		case engine.EvPaid:
			if v.You(e.Other) {
				d.goods[engine.Resource]++
			}
		case engine.EvCubeRemoved:
			d.cubes++
		case engine.EvTileTaken:
			d.tiles = append(d.tiles, e.Tile)
		case engine.EvDestroyed:
			d.beaten = append(d.beaten, e.Card.String())
		case engine.EvDiceBack:
			d.rolled = d.rolled || e.Seat == d.seat
		case engine.EvTurnEnded:
			d.finished = true
		}
	}
	d.events = append(d.events, events...)
}

// done tells what a turn did to the reader, sentence by sentence.
func (v *Voice) done(d *deeds) (text []string) {
	say := func(key string, args Args) { text = append(text, Sentence(v.SayArgs(key, args))) }
	used := engine.Card(0)
	for _, e := range d.events {
		args := func(name string) (any, bool) { return v.eventArg(&e, name) }
		switch {
		case e.Kind == engine.EvDieTaken && v.You(e.Other):
			say("news.bought-yours", args)
		case e.Kind == engine.EvUsedCard && v.You(e.Other) && e.Seat != e.Other:
			if used != e.Card {
				say("news.used-yours", args)
			}
			used = e.Card
		case !v.You(e.Seat) || e.Seat == d.seat:
		case e.Kind == engine.EvShipLost:
			say("news.ship-lost", args)
		case e.Kind == engine.EvTucked:
			say("news.ejected-yours", args)
		case e.Kind == engine.EvFreed:
			say("news.freed", args)
		}
	}
	var got []string
	for g := engine.Ship; g <= engine.Debris; g++ {
		if d.goods[g] > 0 {
			got = append(got, v.Goods(g, d.goods[g]))
		}
	}
	if v.reader <= engine.MaxPlayers && v.reader != d.seat && d.vp[v.reader] > 0 {
		got = append(got, v.Goods(engine.VP, d.vp[v.reader]))
	}
	if len(got) > 0 {
		say("news.you-got", Pairs("list", v.List(got)))
	}
	if v.reader <= engine.MaxPlayers && v.reader != d.seat && d.vp[v.reader] < 0 {
		say("news.you-lost", Pairs("n", -d.vp[v.reader]))
	}
	return text
}

// did tells what a turn did otherwise: what its player did in one sentence, what came of
// it in others.
func (v *Voice) did(d *deeds) (text []string) {
	var acts, after []string
	act := func(key string, args Args) { acts = append(acts, v.SayArgs(key, args)) }
	then := func(key string, args Args) { after = append(after, Sentence(v.SayArgs(key, args))) }
	used := engine.Card(0)
	cubes, tiles, beaten, rolled := d.cubes > 0, len(d.tiles) > 0, len(d.beaten) > 0, d.rolled
	var attacks []string
	var flown struct{ from, to engine.Hex } // by the last act, if it was a move
	for _, e := range d.events {
		if e.Kind != engine.EvMoved && loud(e.Kind) {
			flown.to = 0
		}
		args := func(name string) (any, bool) { return v.eventArg(&e, name) }
		switch e.Kind {
		case engine.EvDieTaken:
			if e.Other != 0 && !v.You(e.Other) && e.Seat == d.seat {
				act("news.bought", args)
			}
		case engine.EvCubeRemoved:
			if cubes {
				act("news.repaired", Pairs("n", d.cubes))
			}
			cubes = false
		case engine.EvTileTaken:
			if tiles {
				act("news.took", Pairs("tiles", tileList(v, d.tiles)))
			}
			tiles = false
		case engine.EvDestroyed:
			if beaten {
				act("news.destroyed", Pairs("n", len(d.beaten), "cards", v.List(d.beaten)))
			}
			beaten = false
		case engine.EvDiceBack:
			if rolled {
				act("news.rolled", args)
			}
			rolled = false
		case engine.EvLaunched:
			act("news.launched", args)
		case engine.EvMoved:
			if e.Hex == e.Hex2 { // it stays, which the first edition allows
				continue
			}
			if flown.to != 0 && flown.to == e.Hex2 { // the same ship goes on
				acts = acts[:len(acts)-1]
				e.Hex2 = flown.from
			}
			flown.from, flown.to = e.Hex2, e.Hex
			if e.Hex == e.Hex2 { // and is back
				flown.to = 0
				continue
			}
			act("news.moved", args)
		case engine.EvPlaced:
			act("news.placed", args)
		case engine.EvUsedCard:
			if used != e.Card && !v.You(e.Other) {
				key := "news.used"
				if e.Other != 0 && e.Other != e.Seat {
					key = "news.used-of"
				}
				act(key, args)
			}
			used = e.Card
		case engine.EvPassed:
			act("news.passed", args)
		case engine.EvAttack:
			attacks = append(attacks, v.SayArgs("news.attack", args))
		case engine.EvAdvanced:
			then("news.advanced", args)
		case engine.EvSpesInSight:
			then("event.spes-in-sight", args)
		}
	}
	if d.seat <= engine.MaxPlayers {
		switch n := d.vp[d.seat]; {
		case n > 0:
			act("news.gained", Pairs("n", n))
		case n < 0:
			act("news.lost", Pairs("n", -n))
		}
	}
	if len(attacks) > 0 {
		after = slices.Insert(after, 0, Sentence(v.Say("news.attacks", "n", len(attacks), "list", v.List(attacks))))
	}
	text = d.words
	if len(acts) > 0 && d.seat != 0 {
		text = append(text, Sentence(v.Say("news.turn", "who", v.Who(d.seat), "deeds", v.List(acts))))
	}
	return append(text, after...)
}

// loud reports whether did may tell an event of a kind among what its player did.
func loud(k engine.EventKind) bool {
	switch k {
	case engine.EvDieTaken, engine.EvCubeRemoved, engine.EvTileTaken, engine.EvDestroyed, engine.EvDiceBack, engine.EvLaunched, engine.EvPlaced, engine.EvUsedCard, engine.EvPassed:
		return true
	}
	return false
}

// Headline is the news in one sentence, what concerns the reader first; "" there is
// none.
func (v *Voice) Headline(news []News) string {
	for i := len(news) - 1; i >= 0; i-- {
		if n := &news[i]; len(n.Yours) > 0 {
			return n.Yours[0]
		}
	}
	if n := len(news); n > 0 {
		return news[n-1].Text[0]
	}
	return ""
}

// Hexes are hexes as prose: "b3, b4 and d3".
func (v *Voice) Hexes(hexes []engine.Hex) string {
	out := make([]string, len(hexes))
	for i, h := range hexes {
		out[i] = h.String()
	}
	return v.List(out)
}
