package desk_test

import (
	"slices"
	"testing"

	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// In a listed game, organisers cannot take the seat of an opponent alone: they say why, and all
// others agree. The player who loses the seat gets a letter that says why, and is rated for the
// turns that they played.
func TestReplacedInAListedGame(t *testing.T) {
	for _, heir := range []string{"bot", "eli@home.test"} {
		o := newOffice(t)
		id := o.listed("ada", "bo", "cy", "di")
		seats := func() (out []store.Seat) { return o.seatsOf(id) }
		was := seats()
		for _, line := range []string{"replace Bo by " + heir, "replace Bo with " + heir + ":"} {
			if o.write("ada", line); o.refused("ada") != notice.ProblemUnsaid || !slices.Equal(seats(), was) {
				t.Fatalf("%q: %s", line, summary(o.last("ada")))
			}
		}
		out := o.write("ada", "replace Bo by "+heir+": no move for two weeks")
		asked := map[string]string{}
		for _, m := range out {
			for _, r := range m.Answer.Remarks {
				if r.Code == notice.AskReplace {
					asked[m.To] = r.Args["who"] + ": " + r.Args["reason"]
				}
			}
		}
		if len(asked) != 2 || asked[at("cy")] != "Bo: no move for two weeks" || asked[at("di")] != asked[at("cy")] {
			t.Fatalf("asked: %v", asked)
		}
		if o.write("cy", "yes"); o.seatsOf(id)[1].Bot != "" || o.seatsOf(id)[1].Heir != 0 {
			t.Fatal("one yes of two takes the seat away")
		}
		out = o.write("di", "yes")
		x := o.seatsOf(id)[1]
		if heir != "bot" {
			if x.Heir != o.playerOf("eli") || x.Bot != "" {
				t.Errorf("all agreed, and eli is not invited: %+v", x)
			}
			continue
		}
		if x.Bot == "" {
			t.Errorf("all agreed, and Bo has the seat: %+v", x)
		}
		i := slices.IndexFunc(out, func(m notice.Message) bool { return m.To == at("bo") })
		if i < 0 || out[i].Kind != notice.KindEnd || !says(out[i].Answer, notice.TellOutVoted) {
			t.Errorf("Bo's letters: %v", out)
		}
		var left string
		if err := o.db.View(t.Context(), func(tx store.Tx) error {
			all, err := tx.Tenures([]string{id})
			for _, n := range all[id] {
				if n.Place == 2 {
					left = n.Why
				}
			}
			return err
		}); err != nil || left != game.TenureReplaced {
			t.Errorf("the tenure begins with %q, %v", left, err)
		}
	}
}

// A no ends it, and the organiser learns it. In a game of two the server asks the opponent. An
// organiser alone decides about bots, about themselves and in games that are not listed.
func TestReplacingIsRefused(t *testing.T) {
	o := newOffice(t)
	id := o.listed("ada", "bo", "cy")
	o.write("ada", "replace Bo by bot: slow")
	old := o.last("cy")
	if o.write("cy", "no"); !says(o.last("ada").Answer, notice.TellReplaceNo) {
		t.Errorf("Ada is told %s", summary(o.last("ada")))
	}
	if o.reply("cy", old, "yes"); o.seatsOf(id)[1].Bot != "" {
		t.Error("a yes after a no takes the seat away")
	}

	o = newOffice(t)
	id = o.listed("ada", "bo")
	o.write("ada", "replace Bo by bot: slow")
	if m := o.last("bo"); !says(m.Answer, notice.AskReplaceYou) || o.seatsOf(id)[1].Bot != "" {
		t.Errorf("Bo is told %s", summary(m))
	}
	if o.write("bo", "yes"); o.seatsOf(id)[1].Bot == "" {
		t.Errorf("Bo agrees: %s", summary(o.last("bo")))
	}
	if o.write("ada", "replace Bo by bot:planner"); o.last("ada").Result != notice.Applied {
		t.Errorf("another bot: %s", summary(o.last("ada")))
	}

	o = newOffice(t)
	id = o.listed("ada", "bo", "cy")
	o.shows(id, store.Unlisted)
	if o.write("ada", "replace Bo by bot"); o.seatsOf(id)[1].Bot == "" {
		t.Errorf("in a game that is not listed: %s", summary(o.last("ada")))
	}
}

func (o *office) seatsOf(id string) []store.Seat {
	o.t.Helper()
	var out []store.Seat
	if err := o.db.View(o.t.Context(), func(tx store.Tx) error {
		all, err := tx.SeatsOf([]string{id})
		out = all[id]
		return err
	}); err != nil {
		o.t.Fatal(err)
	}
	return out
}
