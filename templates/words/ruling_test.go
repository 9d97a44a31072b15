package words

import (
	"testing"
	"time"

	"angelpost/engine/match/rulings"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

func TestEveryRulingIsWorded(t *testing.T) {
	v := voice(1)
	seen := map[string]bool{}
	for _, k := range order.RulingKinds {
		for _, args := range []notice.RulingArgs{
			{Seat: 2, Name: "Bo", Until: time.Unix(1e9, 0), To: 7, Scores: []int{3, 4}, Of: 1},
			{Seat: 2, Name: "Bo", Bot: "bot", Game: "abcdefghijklmnop", To: 7, Scores: []int{3, 4}},
			{Seat: 2, Name: "Bo", Game: "abcdefghijklmnop", Code: notice.RulingNoShow},
			{Seat: 2, Name: "Bo", Scores: []int{1, 0}, Code: rulings.Forfeit},
		} {
			for _, who := range []string{"", "Dora"} {
				text := v.Ruling(notice.Ruling{Kind: k, At: time.Unix(1e9, 0), Who: who, Reason: "so be it\x00", RulingArgs: args}, []notice.Ruling{{N: args.Of, Kind: order.RuleVoid, At: time.Unix(1e9, 0)}})
				whole(t, string(k), text)
				seen[text] = true
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d texts: %v", len(seen), seen)
	}
	got := v.Ruling(notice.Ruling{Kind: order.RuleCorrect, At: time.Unix(1e9, 0), Reason: "a slip", RulingArgs: notice.RulingArgs{Scores: []int{90, 70}}}, nil)
	if want := "9 Sep 2001, by the host of this server: the result was changed to Ada 90 and Bo 70. Reason: a slip."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	all := []notice.Ruling{{N: 1, Kind: order.RulePause, At: time.Unix(1e9, 0)}, {N: 2, Kind: order.RuleResume, At: time.Unix(1e9+2e5, 0)}}
	got = v.Ruling(notice.Ruling{N: 3, Kind: order.RuleAppeal, At: time.Unix(1e9+4e5, 0), Who: "Cy", Reason: "why", RulingArgs: notice.RulingArgs{Of: 1}}, all)
	if want := "13 Sep 2001, by Cy: an appeal against the ruling \"pause\" of 9 Sep 2001. Reason: why."; got != want {
		t.Errorf("others followed: %q, want %q", got, want)
	}
	got = v.Ruling(notice.Ruling{Kind: order.RuleReplace, At: time.Unix(1e9, 0), Reason: "gone", RulingArgs: notice.RulingArgs{Seat: 2, Name: "Cy", Bot: "bot"}}, nil)
	if want := "9 Sep 2001, by the host of this server: a bot took the seat of Cy. Reason: gone."; got != want {
		t.Errorf("whose seat is Bo's now: %q, want %q", got, want)
	}
	got = v.Ruling(notice.Ruling{Kind: order.RuleExtend, At: time.Unix(1e9, 0), Reason: "ill", RulingArgs: notice.RulingArgs{Seat: 2, Name: "Bo", Until: time.Unix(1e9+2e5, 0)}}, nil)
	if want := "9 Sep 2001, by the host of this server: Bo got more time, until 11 Sep 2001, 09:20 UTC. Reason: ill."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
