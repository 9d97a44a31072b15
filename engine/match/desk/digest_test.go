package desk_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/notice"
)

// inGame is the last letter to name about a game for which fits, nil if there is none.
func (o *office) inGame(name, game string, fits func(notice.Message) bool) *notice.Message {
	for _, r := range slices.Backward(o.box[at(name)]) {
		if r.Game == game && fits(r) {
			return &r
		}
	}
	return nil
}

// TestDigestLosesNothing lets people play and talk in two games at random while ada, who reads
// a daily letter, changes its hour, her time zone and her mind, and the server restarts. She
// gets each message once, and each turn of another player, and at most one daily letter a day.
func TestDigestLosesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(sample(1, 6)) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		o := newOffice(t)
		games := []string{o.started(byte(seed), "ada", "bo", "cy"), o.started(byte(seed+40), "bo", "ada", "cy")}
		said := map[string]bool{}
		days := map[string]int{}
		changed := map[string]bool{} // days on which the hour, the zone or her mind did
		ends := map[string]int{}
		write := func(name, game, text string) {
			r := o.inGame(name, game, func(r notice.Message) bool { return r.Token != "" })
			o.send(o.letter(at(name), r.Token, text))
		}
		deliver := func() {
			for i, r := range o.box[at("ada")] {
				if i < ends["read"] || !says(r.Answer, notice.SayDigest) {
					continue
				}
				ends["read"] = i + 1
				day := r.Date.Format(time.DateOnly)
				if days[day]++; days[day] > 1 && !changed[day] {
					t.Errorf("seed %d: %d daily letters on %s", seed, days[day], day)
				}
			}
		}
		write("ada", games[0], "notify digest 18:00")
		for range 150 {
			name, game := []string{"ada", "bo", "cy"}[rnd.IntN(3)], games[rnd.IntN(2)]
			switch rnd.IntN(9) {
			case 0, 1, 2:
				text := fmt.Sprintf("word %d", len(said))
				if name != "ada" {
					said[text] = false
				}
				write(name, game, "say all: "+text)
			case 3, 4, 5:
				if r := o.inGame(name, game, func(r notice.Message) bool { return len(o.sheet(r).Legal) > 0 }); r != nil {
					o.send(o.letter(at(name), r.Token, strings.Join(o.sheet(*r).Example, "\n")))
				}
			case 6:
				for range rnd.IntN(20) {
					o.due(time.Hour)
				}
			case 7:
				o.open()
			case 8:
				if rnd.IntN(3) == 0 {
					changed[o.now.Format(time.DateOnly)] = true
					write("ada", game, []string{"notify digest 8", "notify digest 18:00", "zone Asia/Tokyo", "zone UTC", "notify every\nnotify digest"}[rnd.IntN(5)])
				}
			}
			deliver()
		}
		write("ada", games[0], "notify every")
		told := map[string]int{} // of each game, turns that had a letter or an entry
		for _, r := range o.box[at("ada")] {
			count := func(game string, a notice.Answer) {
				for _, p := range a.Press {
					if twice, known := said[p.Text]; !known || twice {
						t.Errorf("seed %d: message %q is unknown, or came before", seed, p.Text)
					}
					said[p.Text] = true
				}
				for _, m := range a.Remarks {
					if m.Code == notice.TellTurn {
						told[game] += 1 + strings.Count(m.Args["names"], ", ")
					}
				}
			}
			count(r.Game, r.Answer)
			for _, a := range r.Answer.Collected {
				count(a.Game, a)
			}
		}
		for text, came := range said {
			if !came {
				t.Errorf("seed %d: message %q never came", seed, text)
			}
		}
		for _, game := range games {
			g := o.replay(game)
			me, turns := engine.Seat(o.inGame("ada", game, func(r notice.Message) bool { return r.Seat > 0 }).Seat), 0
			var missed []int
			for n, events := range g.Events {
				for _, e := range events {
					if e.Kind != engine.EvTurnEnded || e.Seat == me {
						continue
					}
					turns++
					if o.inGame("ada", game, func(r notice.Message) bool { return r.Since < n && n <= r.Step }) == nil {
						missed = append(missed, n)
					}
				}
			}
			if told[game] > turns {
				t.Errorf("seed %d: %d turns of others were told as %d", seed, turns, told[game])
			}
			if len(missed) > told[game] {
				t.Errorf("seed %d: turns that ended with lines %v are in no letter, and %d were told by name", seed, missed, told[game])
			}
			ends["turns"] += turns
		}
		if ends["turns"] == 0 || len(said) < 10 {
			t.Errorf("seed %d: %d turns, %d messages", seed, ends["turns"], len(said))
		}
	}
}

// replay is a game from its stored log.
func (o *office) replay(id string) *game.Replay {
	o.t.Helper()
	row := o.row(id)
	head, err := replays.Header(row, o.seats(id))
	if err != nil {
		o.t.Fatal(err)
	}
	p, err := game.NewReplay(component.Default(), row.Options, head.Chance)
	if err != nil {
		o.t.Fatal(err)
	}
	log := o.log(id)
	if err := p.ReplayAll(log, len(log)); err != nil {
		o.t.Fatal(err)
	}
	return p
}

// says reports whether an answer has a remark.
func says(a notice.Answer, code string) bool {
	return slices.ContainsFunc(a.Remarks, func(r notice.Remark) bool { return r.Code == code })
}
