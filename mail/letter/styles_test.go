package letter

import (
	"reflect"
	"slices"
	"testing"

	"angelpost/engine/incoming"
)

// usual are the clients whose replies have to be known in every style of
// quoting; their letters are called CLIENT-STYLE.
var usual = []string{"gmail-web", "gmail-app", "outlook-desktop", "outlook-web", "apple-mail", "ios-mail", "thunderbird", "yahoo", "k9", "mutt"}

// styleOf tells from the notice's first and last line where among lines the
// orders stand, or "" if not all in one place. It knows nothing of marks.
func styleOf(text []line, orders []string) string {
	at := func(s string) int {
		return slices.IndexFunc(text, func(l line) bool { return l.text == s || l.text == "[Anna Berg] "+s })
	}
	begin, end := at("Please write above this line."), at("Anna, you have all the time you need.")
	if begin < 0 || end < begin || len(orders) == 0 {
		return ""
	}
	style := ""
	for _, o := range orders {
		// The notice has the same lines, but after a bar.
		s := "top"
		switch i := at(o); {
		case i < 0:
			return ""
		case i > end:
			s = "bottom"
		case i > begin:
			s = "inline"
		}
		if style != "" && s != style {
			return ""
		}
		style = s
	}
	return style
}

// Ten usual clients, each with its answer above, below and within the quotation; the same
// content in text and HTML is read alike.
func TestStyles(t *testing.T) {
	o := testOptions(t)
	found := map[string]example{}
	for _, e := range clients(t) {
		found[e.name] = e
	}
	for _, client := range usual {
		for _, style := range []string{"top", "bottom", "inline"} {
			name := client + "-" + style
			e, ok := found[name]
			if !ok {
				t.Errorf("%s: no such letter", name)
				continue
			}
			h, body, _ := parseHeader([]byte(e.raw), MaxHeader)
			parse(h, body).leaves(func(p *part) {
				room := fullRoom()
				if got := styleOf(leafText(p, &room).lines, e.orders); got != style {
					t.Errorf("%s, %s: the orders stand %q", name, p.typ, got)
				}
				alone := head(name, "") + "Content-Type: " + p.head.get("content-type") +
					"\nContent-Transfer-Encoding: " + p.head.get("content-transfer-encoding") + "\n\n" + string(p.body)
				if l := Read([]byte(alone), o); l.Kind != incoming.Orders || !reflect.DeepEqual(l.Orders, e.orders) || !reflect.DeepEqual(l.Press, e.press) {
					t.Errorf("%s, %s alone: read %s %q %q, want %q %q", name, p.typ, l.Kind, l.Orders, l.Press, e.orders, e.press)
				}
			})
		}
	}
}
