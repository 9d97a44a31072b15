package desk_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// TestAnswerGoesWhereTheyWrote: an answer goes to the address that wrote as well, if it is the
// player's, and to no one else's; `settings` lists their addresses.
func TestAnswerGoesWhereTheyWrote(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	o.write("ada", "address add second@home.test")
	o.write("ada", "yes")
	o.write("second", "yes")
	to := func(out []notice.Message) (all []string) {
		for _, r := range out {
			all = append(all, r.To)
		}
		return slices.Sorted(slices.Values(all))
	}
	_, out := o.send(o.letter(at("second"), o.token(at("ada")), "settings"))
	if got := to(out); !slices.Equal(got, []string{at("ada"), at("second")}) {
		t.Fatalf("the answer went to %q", got)
	}
	if out[0].Token == out[1].Token || out[0].MessageID == out[1].MessageID || summary(out[0]) == "" || out[0].InReplyTo != out[1].InReplyTo {
		t.Errorf("two letters: %+v, %+v", out[0], out[1])
	}
	o.has(out[0], []string{"Addresses: ada@home.test and second@home.test. We write to ada@home.test"})
	if got := to(o.write("ada", "settings")); !slices.Equal(got, []string{at("ada")}) {
		t.Errorf("the answer to the address that we write to went to %q", got)
	}
	_, out = o.send(o.letter(at("second"), o.token(at("second")), "say: hello"))
	if got := to(out); !slices.Equal(got, []string{at("ada"), at("bo"), at("second")}) {
		t.Errorf("the answer to the answer, and the message, went to %q", got)
	}
	_, out = o.send(o.letter(at("bo"), o.token(at("bo")), "settings"))
	if got := to(out); !slices.Equal(got, []string{at("bo")}) || strings.Contains(summary(out[0]), at("ada")) {
		t.Errorf("an opponent's answer went to %q: %s", got, summary(out[0]))
	}
	_, out = o.send(o.letter(at("second"), o.token(at("ada")), "address remove second@home.test"))
	if got := to(out); !slices.Equal(got, []string{at("ada")}) {
		t.Errorf("the question whether to remove an address went to %q", got)
	}
}
