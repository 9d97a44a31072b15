package words

import (
	"strconv"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// Ruling describes a ruling about a game, its author and the reason. all are the game's
// rulings, with the one that an appeal and its answer are about.
func (v *Voice) Ruling(r notice.Ruling, all []notice.Ruling) string {
	key := "ruling." + string(r.Kind)
	switch {
	case r.Code != "":
		key = "ruling." + r.Code
	case r.Kind == order.RuleReplace && r.Bot == "":
		key += "-asked"
	case r.Kind == order.RuleReplay && r.Game == "":
		key += "-later"
	}
	against, day := "", ""
	for _, x := range all {
		if x.N == r.Of {
			against, day = string(x.Kind), v.Date(x.At)
		}
	}
	name := Clean(r.Name, 64)
	list := make([]string, len(r.Scores))
	for i, vp := range r.Scores {
		list[i] = v.Name(engine.Seat(i+1)) + " " + strconv.Itoa(vp)
	}
	what := v.Say(key, "name", name, "time", v.When(r.Until), "list", v.List(list), "game", r.Game, "n", r.To, "against", against, "day", day)
	frame := "ruling.by"
	switch {
	case r.Code != "":
		frame = "ruling.rule"
	case r.Who == "":
		frame = "ruling.host"
	}
	return Sentence(v.Say(frame, "date", v.Date(r.At), "who", Clean(r.Who, 64), "what", what, "reason", Clean(r.Reason, order.MaxReason)))
}
