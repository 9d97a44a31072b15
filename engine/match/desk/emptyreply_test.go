package desk_test

import (
	"slices"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/notice"
)

// TestEmptyReplies: an empty letter is answered once, whichever of our letters it answers, even
// one without lines to answer. An empty reply to that answer may come from a machine.
func TestEmptyReplies(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.started(1, "ada", "bo")
	for name, write := range map[string]func(o *office) []notice.Message{
		"too large": func(o *office) []notice.Message {
			l := o.letter(at("bo"), o.token(at("bo")), "")
			l.Class = incoming.TooLarge
			_, out := o.send(l)
			return out
		},
		"a question about another address": func(o *office) []notice.Message {
			_, out := o.send(o.letter(at("stranger"), o.token(at("bo")), "B"))
			return out
		},
		"another player's letter": func(o *office) []notice.Message {
			_, out := o.send(o.letter(at("bo"), o.token(at("ada")), "B"))
			return out
		},
		"status": func(o *office) []notice.Message { return o.write("bo", "status") },
	} {
		s := &stage{o: o, name: "bo", token: o.token(at("bo"))}
		p := s.fork(t)
		m := own(t, write(p), "bo")
		for i, answered := range []bool{true, false} {
			l := p.letter(at("bo"), m.Token, "")
			l.InReplyTo = m.MessageID
			_, out := p.send(l)
			if mine := slices.DeleteFunc(out, func(m notice.Message) bool { return m.To != at("bo") }); (len(mine) == 1) != answered {
				t.Errorf("%s: empty reply %d got %d answers", name, i+1, len(mine))
			} else if answered {
				m = mine[0]
			}
		}
		p.db.Close()
	}
}
