package letters

import (
	"strings"
	"testing"

	"angelpost/engine/order"
	"angelpost/mail/letter"
	"angelpost/templates/words"
)

// Each letter comes back below an order, from a program that marks and introduces nothing, and
// the server does not know which letter it was: what is played is the order.
func TestSentBackUnmarked(t *testing.T) {
	_, kept, posts := everyKind(t)
	o := letter.Options{Marker: words.English().Marker(), Says: order.Says}
	for i, p := range posts {
		for end, body := range map[string]string{
			".txt":  "Content-Type: text/plain; charset=utf-8\n\nboard\n\n" + p.text,
			".html": "Content-Type: text/html; charset=utf-8\n\n<p>board</p>" + p.html,
		} {
			l := letter.Read([]byte("From: bob@example.org\nSubject: x\n"+body), o)
			var said []string
			for _, it := range order.ReadLetter(l.Text, "Bob").Items {
				if it.Doubt == "" {
					said = append(said, l.Text[it.Line-1])
				}
			}
			if got := strings.Join(said, "\n"); got != "board" {
				t.Errorf("%s%s: %q is said", kept[i], end, got)
			}
		}
	}
}
