package templates

import (
	"strconv"
	"strings"
	"sync"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// A tour is one turn of a game that was never played, in pictures: Space before it, after
// the ship has moved, and after it.
type tour struct {
	seat  engine.Seat
	views [3]*engine.View
	told  [3][]game.Told // what came before each view, of the turn
}

// TourPicture is the Content-ID of a tour's picture, from the one of the board.
func TourPicture(id string, i int) string {
	return strings.Replace(id, ".", "-"+strconv.Itoa(i+1)+".", 1)
}

// theTour is the same turn in every letter: the first in games of bots in which a player
// plays a card, flies, places a Mission and meets a Ravager.
var theTour = sync.OnceValue(func() *tour {
	for seed := byte(1); seed < 50; seed++ {
		if t := findTour(seed); t != nil {
			return t
		}
	}
	return nil
})

func findTour(seed byte) *tour {
	g, err := game.New(component.Default(), game.Header{
		Game: "tour", Names: []string{"A", "B"}, Seed: [32]byte{seed},
		Options: game.Options{Players: 2, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName},
	})
	if err != nil {
		return nil
	}
	greedy, err := bot.New(bot.Greedy, "tour")
	if err != nil {
		return nil
	}
	t := &tour{}
	from, moved := 0, 0
	for !g.Finished() && g.Steps() < 200 {
		v := g.View(g.View(0).ToAct[0])
		if v.Decision == engine.AskTurn {
			t.seat, t.views[0], t.views[1] = v.Viewer, v, nil
			from = g.Steps()
		}
		if v.Decision == engine.AskPlace && v.Viewer == t.seat {
			t.views[1], moved = v, g.Steps()
		}
		if _, err := g.Do(v.Viewer, game.ByBot, greedy.Choose(v, v.Legal(nil), v.Turn)); err != nil {
			return nil
		}
		if now := g.View(t.seat); t.views[1] != nil && now.Seat != t.seat {
			t.views[2] = now
			if t.told[1], t.told[2] = g.Story(t.seat, from)[:moved-from], g.Story(t.seat, moved); attacked(t.told[2]) && flown(t.told[1]) && v.Round > 2 {
				return t
			}
			t.views[1] = nil
		}
	}
	return nil
}

func attacked(told []game.Told) bool { return has(told, engine.EvAttack) && has(told, engine.EvPlaced) }

func flown(told []game.Told) bool {
	return has(told, engine.EvCardPlayed) && has(told, engine.EvMoved)
}

func has(told []game.Told, kind engine.EventKind) bool {
	for _, t := range told {
		for _, e := range t.Events {
			if e.Kind == kind {
				return true
			}
		}
	}
	return false
}

// tour shows one turn in three pictures; in the text part, in words.
func (c *content) tour() {
	t := theTour()
	if t == nil {
		return
	}
	c.tours = true
	v := c.For(t.views[0].Set, t.seat, nil)
	s := c.begin(c.Say("tour.title"))
	s.say(c.Say("tour.before"))
	s.add(piece{kind: scene, only: onlyHTML, n: 0, text: c.Say("tour.alt-before")})
	for i := 1; i < len(t.views); i++ {
		for _, told := range t.told[i] {
			s.add(piece{kind: item, text: v.Told(&told)})
		}
		s.add(piece{kind: scene, only: onlyHTML, n: i, text: c.Say("tour.alt-after")})
	}
	s.say(c.Say("tour.after"))
}
