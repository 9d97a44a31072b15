package secrecytest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// What one player says to several is one message to the sender, and to each of the
// others one said to them alone; words find it, and a note only its writer's.
func TestTalkOfATable(t *testing.T) {
	g, _ := recordedGameOf(t, 202, 0) // three players
	x, first := newSecrecyHarness(t, g, g.real(0), 1)
	for _, l := range first {
		if l.to == 1 {
			x.send(1, l.token, "say to Bo and Cy: both of you", "", "note: remember", "", "say to ,: nobody", "", "say to all: all of you")
		}
	}
	heard := func(seat int, more string) (out []string) {
		t.Helper()
		_, body, _ := bytes.Cut(x.get(x.s.Pages(), "/g/"+x.game+"/"+x.keys[seat]+"/talk.json"+more), []byte("\r\n\r\n"))
		var data struct {
			Messages []struct {
				From, Text string
				To         []string
				Note       bool
			}
		}
		if err := json.Unmarshal(body, &data); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for _, m := range data.Messages {
			out = append(out, m.From+" to "+strings.Join(m.To, "+")+": "+m.Text)
		}
		slices.Sort(out)
		return out
	}
	for _, c := range []struct {
		seat int
		more string
		want []string
	}{
		{1, "", []string{"Ada to : all of you", "Ada to : remember", "Ada to Bo+Cy: both of you"}},
		{2, "", []string{"Ada to : all of you", "Ada to Bo: both of you"}},
		{3, "", []string{"Ada to : all of you", "Ada to Cy: both of you"}},
		{3, "?q=BOTH", []string{"Ada to Cy: both of you"}},
		{1, "?q=remem", []string{"Ada to : remember"}},
		{2, "?q=remem", nil},
	} {
		if got := heard(c.seat, c.more); !slices.Equal(got, c.want) {
			t.Errorf("seat %d%s: %q, want %q", c.seat, c.more, got, c.want)
		}
	}
}
