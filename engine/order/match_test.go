package order_test

import (
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// steps reads canonical lines apart by "|".
func steps(t *testing.T, lines string) (out []engine.Step) {
	t.Helper()
	for _, l := range strings.Split(lines, "|") {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		s, err := order.Parse(l)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func prints(ss []engine.Step) string {
	var out []string
	for _, s := range ss {
		out = append(out, order.Print(s))
	}
	return strings.Join(out, " | ")
}

// table is a legal list that no position has: everything a player could mean.
const table = `card 013 at row 2 | card 013 at column 1 | card 027 at row 2 | card 075 at column 1 |
	activate 2.1 resource | activate 2.1 debris | activate 2.3 launch to b4 | activate 2.3 ship c4 to b5 | activate 3.3 robot to gray |
	activate 3.3 robot from gray | activate 3.3 robot from green | activate 1.2 draw gray | activate 1.2 draw green |
	activate 2.2 on 1.2 ship | activate 2.2 on 3.2 ship | activate 1.1 |
	die gray 0 | die gray 0 flip | die gray 2 | die gray 2 from seat 3 | die gray 3 secure | die orange 1 from neutral | die green 1 from seat 2 |
	die green 3 | die green 3 flip |
	discover at 1 | repair at 3 | destroy at 5 | command at 4 | mission 021 |
	take t12 t30 | take t12 | take t30 a4 | inject t12 row 2 | inject t12 column 1 space gray | inject t12 column 1 space green | inject a4 row 3 |
	cube 3 | cube 3 on 2.1 resource | cube gray | cube green | cube gray on 3.3 robot to green | cube 3 on 2.2 on 1.2 ship |
	ship c4 to b5 | launch to b4 | launch to b5 | ship c4 to d4 | place 027 at b4 | locations 2 4 | locations 2 | locations 5 |
	collect | collect with t12 t30 | collect with s2 | collect with 013 | collect with 064 071 | reserve gray 3 | reserve orange 3 | discard 013 | discard 075 | keep 031 | keep 044 | decline | done | B | pass`

func TestForgivingReader(t *testing.T) {
	legal := steps(t, table)
	ctx := order.Context{Names: []string{"Ann", "Bob", "Zoë O'Neil", "Bo Derek"}}
	for _, c := range []struct{ line, want string }{
		// ORDERS.md's own turn
		{"card 013 at row 2: 2.1 resource, 1.1", "card 013 at row 2; activate 2.1 resource; activate 1.1"},
		{"die gray 0 flip: command", "die gray 0 flip; command at 4"},
		{"launch to b4", "launch to b4"},
		{"keep 031", "keep 031"},
		{"destroy 2 4", "destroy at 5; locations 2 4"},
		{"repair 3, 3 on 2.1 resource", "repair at 3; cube 3; cube 3 on 2.1 resource"},
		{"discover t12 t30", "discover at 1; take t12 t30"},
		{"take 12 30", "take t12 t30"},
		{"activate x3", "collect; collect; collect"},
		{"collect x2", "collect; collect"},
		{"B reserve gray 3, orange 3", "B; reserve gray 3"},
		{"B: orange 3 or gray 3", "B; reserve orange 3"},
		// how it looks
		{"  •  Die  Gray 2.", "die gray 2"},
		{"1) die gray 2", "die gray 2"},
		{"2. die gray 2", "die gray 2"},
		{"– die gray 2 –", "die gray 2"},
		{"DIE\u00a0GRAY\u00a02!", "die gray 2"},
		{"“die grey 2”", "die gray 2"},
		{"*die gray 2*", "die gray 2"},
		{"dié gräy 2", "die gray 2"},
		{"ｄｉｅ ｇｒａｙ ２", "die gray 2"},
		{"die gray\u200b 2 # the good one; B", "die gray 2"},
		{"# nothing at all", ""},
		{"die gray 2; command; launch to b4", "die gray 2; command at 4; launch to b4"},
		{"die gray 2. command. launch to b4.", "die gray 2; command at 4; launch to b4"},
		{"Die gray 2, then command at 4 and launch → b4", "die gray 2; command at 4; launch to b4"},
		{"please take the gray 2 and then repair the Black Angel", "die gray 2; repair at 3"},
		// dice
		{"gray die 2 command", "die gray 2; command at 4"},
		{"die 2 gray", "die gray 2"},
		{"die gray star", "die gray 0"},
		{"die gray 0, turned", "die gray 0 flip"},
		{"die gray 0 flip to 2", "die gray 0 flip"},
		{"d gra 2", "die gray 2"},
		{"die gray 2 from Zoe O'Neil", "die gray 2 from seat 3"},
		{"buy gray 2 from zoë", "die gray 2 from seat 3"},
		{"buy Zoë O’Neil's gray 2", "!order-unreadable"},
		{"die gray 2 from seat 3", "die gray 2 from seat 3"},
		{"buy gray 2", "die gray 2 from seat 3"},
		{"buy orange 1", "die orange 1 from neutral"},
		{"die orange 1 from the neutral player, discover", "die orange 1 from neutral; discover at 1"},
		{"buy bob's green 1", "die green 1 from seat 2"},
		{"die green 1 from Bob command", "die green 1 from seat 2; command at 4"},
		{"my gray 2", "die gray 2"},
		{"die my gray 2", "die gray 2"},
		{"die gray 3 from the high-security area", "die gray 3 secure"},
		{"die gray 3 high security", "die gray 3 secure"},
		{"die gray 3", "die gray 3 secure"},
		{"gray 2: command", "die gray 2; command at 4"},
		{"die green 3", "die green 3"},
		{"use die green 3 for mission 21", "die green 3; mission 021"},
		{"die green 3 at 4", "die green 3; command at 4"},
		// cards
		{"play 13 row 2", "card 013 at row 2"},
		{"013 at column 1", "card 013 at column 1"},
		{"play mission 027 at row 2", "card 027 at row 2"},
		{"ravager 075 at column 1", "card 075 at column 1"},
		{"card 13 r2", "card 013 at row 2"},
		{"card 13 c1", "card 013 at column 1"},
		{"card gray at row 2", "card 027 at row 2"},
		{"mission 027", "place 027 at b4"},
		{"place 027", "place 027 at b4"},
		{"place mission 27 at b4", "place 027 at b4"},
		{"mission 021", "mission 021"},
		{"use mission 21 x3", "mission 021; collect; collect; collect"},
		{"mission 021 twice", "mission 021; collect; collect"},
		{"no mission", "done"},
		{"mission none", "done"},
		{"discard 013 and 075", "discard 013; discard 075"},
		{"discard ravager", "discard 075"},
		{"keep the orange card", "!order-not-legal"},
		{"keep green", "keep 044"},
		// tiles and effects
		{"activate 2.1 res", "activate 2.1 resource"},
		{"2.1 resource, 2.3 launch b4", "activate 2.1 resource; activate 2.3 launch to b4"},
		{"2.3 ship c4-b5", "activate 2.3 ship c4 to b5"},
		{"2.3 to b5", "activate 2.3 ship c4 to b5"},
		{"2.3 move ship from c4 to b5", "activate 2.3 ship c4 to b5"},
		{"activate 3.3 robot into gray", "activate 3.3 robot to gray"},
		{"3.3 to gray", "activate 3.3 robot to gray"},
		{"3.3 from green workstation", "activate 3.3 robot from green"},
		{"3.3 green", "activate 3.3 robot from green"},
		{"1.2 draw a gray card", "activate 1.2 draw gray"},
		{"1.2 green", "activate 1.2 draw green"},
		{"2.2 via 1.2", "activate 2.2 on 1.2 ship"},
		{"activate 2.2 activating 3.2 ship", "activate 2.2 on 3.2 ship"},
		// actions and their details
		{"discover technology", "discover at 1"},
		{"discover 12", "discover at 1; take t12"},
		{"discover tile 30 and advanced 4", "discover at 1; take t30 a4"},
		{"take t12, t30", "take t12 t30"},
		{"take a4 t30", "take t30 a4"},
		{"inject t12 r2", "inject t12 row 2"},
		{"inject tile 12 in column 1, space gray", "inject t12 column 1 space gray"},
		{"inject t12 column 1 to green space", "inject t12 column 1 space green"},
		{"inject a4 right", "inject a4 row 3"},
		{"inject t12 row 2, a4 row 3", "inject t12 row 2; inject a4 row 3"},
		{"t12 row 2", "inject t12 row 2"},
		{"cube from 3 onto 2.1: resource", "cube 3 on 2.1 resource"},
		{"remove cube 3", "cube 3"},
		{"cube gray die", "cube gray"},
		{"repair gray, green", "repair at 3; cube gray; cube green"},
		{"cube gray on 3.3 robot to green", "cube gray on 3.3 robot to green"},
		{"cube 3 on 2.2 via 1.2 ship", "cube 3 on 2.2 on 1.2 ship"},
		{"repair at 3", "repair at 3"},
		{"destroy at 5", "destroy at 5"},
		{"destroy 5", "destroy at 5; locations 5"},
		{"destroy ravagers at locations 2 and 4", "destroy at 5; locations 2 4"},
		{"destroy: 2, 4", "destroy at 5; locations 2 4"},
		{"loc 4+2", "locations 2 4"},
		{"command your ships: c4 to b5", "command at 4; ship c4 to b5"},
		{"command launch b4 mission 027", "command at 4; launch to b4; place 027 at b4"},
		{"ship to d4", "ship c4 to d4"},
		{"c4 → d4", "ship c4 to d4"},
		{"move my ship c4 to b5", "ship c4 to b5"},
		{"b4", "launch to b4"},
		{"coll", "collect"},
		{"collect with t30 t12", "collect with t12 t30"},
		{"collect with t12 and t30, with s2", "collect with t12 t30; collect with s2"},
		{"collect with starting tile 2", "collect with s2"},
		{"collect with 013", "collect with 013"},
		{"collect 13", "collect with 013"},
		{"collect paying ravagers 071, 064", "collect with 064 071"},
		{"collect 2 times", "collect; collect"},
		{"3x", "!order-unreadable"},
		{"mission 021 3x", "mission 021; collect; collect; collect"},
		{"mission 021, three times", "mission 021; collect; collect; collect"},
		{"use mission 21 with s2, with 013", "mission 021; collect with s2; collect with 013"},
		{"collect with", "!order-unreadable"},
		{"use gray 2 for the command action at 4", "die gray 2; command at 4"},
		{"use 021", "mission 021"},
		{"use command", "command at 4"},
		{"use 1.1", "activate 1.1"},
		{"use up", "!order-unreadable"},
		{"activate mission 21", "mission 021"},
		{"activate 021 once", "mission 021; collect"},
		{"activate tile 1.1", "activate 1.1"},
		{"activate", "collect"},
		{"2.1 r", "activate 2.1 resource"},
		{"2.1 d", "?activate 2.1 resource | activate 2.1 debris"},
		{"2.3 launch", "activate 2.3 launch to b4"},
		{"2.3 ship", "?activate 2.3 launch to b4 | activate 2.3 ship c4 to b5"},
		{"2.3 b5", "activate 2.3 ship c4 to b5"},
		{"3.3 move a robot from gray workstation to break room", "activate 3.3 robot from gray"},
		{"3.3 robot out of green", "activate 3.3 robot from green"},
		{"ship from c4 to b5", "ship c4 to b5"},
		{"move from c4", "?ship c4 to b5 | ship c4 to d4"},
		{"launch to b 4", "launch to b4"},
		{"inject a4 up", "!order-not-legal"},
		{"inject t12 c1 green", "inject t12 column 1 space green"},
		{"inject advanced technology 4 to row three", "inject a4 row 3"},
		{"inject 12 row2", "inject t12 row 2"},
		{"row 2 013", "!order-unreadable"},
		{"play row 2 013", "card 013 at row 2"},
		{"card no. 13 face down at r2", "card 013 at row 2"},
		{"card gray 013 at row 2", "!order-unreadable"},
		{"card orange 013 at row 2", "card 013 at row 2"},
		{"card13 row2", "card 013 at row 2"},
		{"013 b4", "!order-not-legal"},
		{"027", "place 027 at b4"},
		{"27 at b4", "place 027 at b4"},
		{"launch to b4, 027", "launch to b4; place 027 at b4"},
		{"t12 t30", "take t12 t30"},
		{"t30, a4", "take t30 a4"},
		{"a4", "!order-not-legal"},
		{"2 4", "locations 2 4"},
		{"3", "cube 3"},
		{"3 on 2.1 resource", "cube 3 on 2.1 resource"},
		{"gray cube", "cube gray"},
		{"cube 3 to storage", "cube 3"},
		{"cube g", "?cube gray | cube green"},
		{"die green 3 from the standard area", "die green 3"},
		{"die gray two, bought", "die gray 2 from seat 3"},
		{"die gray 2 from player 3", "die gray 2 from seat 3"},
		{"die gray 2 from me", "die gray 2"},
		{"die gray 2 from Ann", "!order-not-legal"},
		{"seq. b", "B"},
		{"sequence C", "!order-unreadable"},
		{"B, reserve no die", "B; done"},
		{"t99", "!order-tile"},
		{"die gray 2000", "!order-unreadable"},
		{"card 12345 row 1", "!order-unreadable"},
		{"m021", "mission 021"},
		{"Sequence B", "B"},
		{"b", "B"},
		{"reroll; no reservation", "B; done"},
		{"reserve nothing", "done"},
		{"reserve green 1, g 3", "reserve gray 3"},
		{"pass", "pass"},
		{"decl", "decline"},
		{"stop", "done"},
		// never an order
		{"| die gray 2", ""},
		{" > die gray 2", ""},
		{"• | die gray 2", ""},
		{"│ die gray 2", ""},
		{"die gray 2 | flip", "!order-unreadable"},
		// never a guess
		{"die gray", "?die gray 0 | die gray 2 | die gray 2 from seat 3 | die gray 3 secure"},
		{"die g 3", "?die gray 3 secure | die green 3"},
		{"die green 1 from bo", "!name-ambiguous"},
		{"die green 1 from Carol", "!name-unknown"},
		{"card 013", "?card 013 at row 2 | card 013 at column 1"},
		{"card at column 1", "?card 013 at column 1 | card 075 at column 1"},
		{"activate 2.1", "?activate 2.1 resource | activate 2.1 debris"},
		{"activate 3.3 robot gray", "?activate 3.3 robot to gray | activate 3.3 robot from gray"},
		{"ship to b5", "?ship c4 to b5 | launch to b5"},
		{"launch", "?launch to b4 | launch to b5"},
		{"inject t12 column 1", "?inject t12 column 1 space gray | inject t12 column 1 space green"},
		{"reserve 3", "?reserve gray 3 | reserve orange 3"},
		{"co", "?command at 4 | collect | collect with t12 t30 | collect with s2 | collect with 013 | collect with 064 071"},
		{"discard", "?discard 013 | discard 075"},
		{"die gray 2 or gray 3", "!order-unreadable"},
		{"B unless Bob buys", "!order-unreadable"},
		{"die gray 2 gray 3", "!order-unreadable"},
		{"Card: 013 at row 2; die: gray 2; launch: b4", "card 013 at row 2; die gray 2; launch to b4"},
		{"discover: 12, 30", "discover at 1; take t12 t30"},
		{"B?", "!order-unreadable"},
		{"no pass", "!order-unreadable"},
		{"skip B", "!order-unreadable"},
		{"no card, B", "done; B"},
		{"~~B~~", "!order-unreadable"},
		{"I pass.", "pass"},
		{"do not pass", "!order-unreadable"},
		{"don't die gray 2", "!order-unreadable"},
		{"die gray 2 flip flip", "!order-unreadable"},
		{"die gray 0 flip to 3", "!order-unreadable"},
		{"comand", "!order-unreadable"},
		{"die gray 1", "!order-not-legal"},
		{"die gray 2 flip", "!order-not-legal"},
		{"die gray 2 secure", "!order-not-legal"},
		{"take t12 t13", "!order-not-legal"},
		{"take t1 t2 t3 t4", "!order-unreadable"},
		{"locations 2 2", "!order-unreadable"},
		{"card 061 at row 1", "!order-not-legal"},
		{"card 099 at row 1", "!order-card"},
		{"command at 2", "!order-not-legal"},
		{"2.1 launch to b4", "!order-not-legal"},
		{"hello there", "!order-unreadable"},
		{strings.Repeat("die gray 2; ", 100), "!order-too-long"},
	} {
		var got []string
	clauses:
		for _, cl := range order.Expand(c.line) {
			found, p := order.Match(cl, legal, ctx)
			switch {
			case p == nil:
				for _, s := range found {
					got = append(got, order.Print(s))
				}
			case p.Code == order.Ambiguous && strings.HasPrefix(c.want, "?"):
				got = append(got, "?"+prints(p.Choices))
				break clauses
			default:
				got = append(got, "!"+p.Code)
				break clauses
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.line, s, c.want)
		}
	}
}

func TestEveryLegalLineIsItself(t *testing.T) {
	legal := steps(t, table)
	for _, s := range legal {
		for _, line := range []string{order.Print(s), strings.ToUpper(order.Print(s)), "- " + order.Print(s) + "."} {
			cs := order.Expand(line)
			if len(cs) != 1 {
				t.Fatalf("%q is %d clauses", line, len(cs))
			}
			got, p := order.Match(cs[0], legal, order.Context{})
			if p != nil || len(got) != 1 || got[0] != s {
				t.Errorf("%q is matched to %s, %v", line, prints(got), p)
			}
		}
	}
}

// Every canonical line is read as its own step when nothing else is legal, and
// refused as that step when only something else is.
func TestEveryCanonicalLineIsUnderstood(t *testing.T) {
	other := steps(t, "pass")
	n, bad := 0, 0
	every(func(s engine.Step) {
		if n++; n%7 != 0 && s.Kind != engine.TakeDie && s.Kind != engine.PlayCard {
			return
		}
		cs := order.Expand(order.Print(s))
		if len(cs) != 1 {
			t.Errorf("%q is %d clauses", order.Print(s), len(cs))
			bad++
		} else {
			if got, p := order.Match(cs[0], []engine.Step{s}, order.Context{}); p != nil || len(got) != 1 || got[0] != s {
				t.Errorf("%q is matched to %s, %v", order.Print(s), prints(got), p)
				bad++
			}
			if s.Kind != engine.Pass {
				hidden := s.Card.Hidden() || s.Card2.Hidden()
				if _, p := order.Match(cs[0], other, order.Context{}); p == nil || !hidden && p.Step != s {
					t.Errorf("%q is refused as %+v", order.Print(s), p)
					bad++
				}
			}
		}
		if bad > 10 {
			t.FailNow()
		}
	})
}

func TestShorthandGoesOnWhereTheActionIsChosen(t *testing.T) {
	for _, c := range []struct{ line, legal, want string }{
		{"destroy 2 4", "locations 2 | locations 2 4", "locations 2 4"},
		{"discover t12", "take t12 | take t30", "take t12"},
		{"repair 3", "cube 3 | cube 4", "cube 3"},
		{"command launch to b4", "launch to b4", "launch to b4"},
	} {
		var got []string
		for _, cl := range order.Expand(c.line) {
			found, p := order.Match(cl, steps(t, c.legal), order.Context{})
			if p != nil {
				t.Fatal(c.line, p)
			}
			got = append(got, prints(found))
		}
		if s := strings.TrimLeft(strings.Join(got, "; "), "; "); s != c.want {
			t.Errorf("%q is %q, want %q", c.line, s, c.want)
		}
	}
	collect := steps(t, "collect | done")
	use := order.Expand("mission 021 x2")[0]
	for _, v := range []*engine.View{{Using: 21}, {Owed: []engine.Debt{{Ask: engine.AskOwner, Card: 21}}}} {
		if got, p := order.Match(use, collect, order.Context{View: v}); got != nil || p != nil {
			t.Errorf("the Mission in use is %s, %v", prints(got), p)
		}
	}
	for _, v := range []*engine.View{nil, {Using: 22}, {}} {
		if _, p := order.Match(use, collect, order.Context{View: v}); p == nil {
			t.Error("another Mission is passed over")
		}
	}
	if _, p := order.Match(order.Expand("repair; 2 4")[0], steps(t, "locations 2 4"), order.Context{}); p == nil {
		t.Error("another action is passed over")
	}
	if _, p := order.Match(order.Expand("destroy")[0], steps(t, "locations 2"), order.Context{}); p == nil {
		t.Error("the action alone is passed over")
	}
}

// What a tile gives may be named though the canonical line leaves it out.
func TestTheOnlyEffectMayBeNamed(t *testing.T) {
	set := &component.Set{}
	set.Tiles[5] = component.Tile{Color: engine.Gray, Effect: component.Tb}
	set.Tiles[6] = component.Tile{Color: engine.Gray, Effect: component.Ta}
	v := &engine.View{Viewer: 1, Set: set, Players: make([]engine.PlayerView, 2)}
	v.Players[0].Grid[engine.CellAt(2, 3)-1].Tile = 5
	v.Players[0].Grid[engine.CellAt(1, 1)-1].Tile = 6
	ctx := order.Context{View: v}
	legal := steps(t, "activate 2.3 | activate 1.1 | activate 2.2 on 2.3")
	for line, want := range map[string]string{
		"2.3 resource": "activate 2.3", "2.3 take 1 resource": "activate 2.3", "1.1 vp": "activate 1.1", "1.1 1 VP": "activate 1.1",
		"2.2 on 2.3 resource": "activate 2.2 on 2.3", "2.3 debris": "", "2.3 vp": "",
	} {
		got, p := order.Match(order.Expand(line)[0], legal, ctx)
		if prints(got) != want || (p == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", line, prints(got), p, want)
		}
	}
}

func TestReservationListAsAWish(t *testing.T) {
	legal := steps(t, "reserve gray 1 | reserve green 3 | reserve green 2 | done")
	for line, want := range map[string]string{
		"reserve orange 3, green 3, gray 1": "reserve green 3",
		"reserve orange 3":                  "done",
		"reserve none":                      "done",
		"no reservation":                    "done",
		"reserve green":                     "", // which?
		"keep 031":                          "", // not this decision
	} {
		cs := order.Expand(line)
		if len(cs) != 1 || !cs[0].Wish {
			t.Fatalf("%q is no wish: %+v", line, cs)
		}
		got, ok := cs[0].Choose(legal, order.Context{})
		if ok != (want != "") || ok && order.Print(got) != want {
			t.Errorf("%q chooses %q, want %q", line, order.Print(got), want)
		}
	}
}

// What the position settles is filled in before the rules are asked why not.
func TestRefusedStepsAreCompletedFromTheView(t *testing.T) {
	v := &engine.View{Viewer: 1, Ship: engine.HexAt(4, 1)}
	for n, l := range []component.Location{{}, {Action: component.Discover}, {Action: component.Command, Color: engine.Orange},
		{Action: component.Repair, Color: engine.Gray}, {Action: component.Command, Color: engine.Gray}} {
		v.Locs[n].Location = l
	}
	v.Die.Color = engine.Gray
	legal := steps(t, "done")
	for line, want := range map[string]string{"command": "command at 4", "repair": "repair at 3", "place 027": "place 027 at b4"} {
		_, p := order.Match(order.Expand(line)[0], legal, order.Context{View: v})
		if p == nil || p.Code != order.NotLegal || order.Print(p.Step) != want {
			t.Errorf("%q is refused as %+v", line, p)
		}
		if p != nil && !strings.Contains(p.Error(), line) {
			t.Errorf("%v does not name the line", p)
		}
	}
	v.Die.Color = engine.None
	if _, p := order.Match(order.Expand("command")[0], legal, order.Context{View: v}); p == nil || p.Code != order.Incomplete {
		t.Errorf("two Commands, no die: %+v", p)
	}
}

func TestOnesOwnDieMayBeNamedByItsOwner(t *testing.T) {
	legal := steps(t, "die gray 2 | die gray 2 secure | die gray 2 from seat 3")
	ctx := order.Context{Names: []string{"Ann", "Bob", "Zoë"}, View: &engine.View{Viewer: 2}}
	for line, want := range map[string]string{
		"die gray 2 from Bob secure": "die gray 2 secure", "die gray 2 from seat 2": "die gray 2", "buy gray 2 from zoe": "die gray 2 from seat 3",
	} {
		if got, p := order.Match(order.Expand(line)[0], legal, ctx); prints(got) != want {
			t.Errorf("%q is %q, %v; want %q", line, prints(got), p, want)
		}
	}
}

// Lines of the kind that was meant come before lines spelled more alike.
func TestSuggestionsKeepTheKind(t *testing.T) {
	_, p := order.Match(order.Expand("cube 4")[0], steps(t, "command at 4 | cube 3 on 2.1 resource"), order.Context{})
	if p == nil || len(p.Choices) == 0 || order.Print(p.Choices[0]) != "cube 3 on 2.1 resource" {
		t.Errorf("%+v", p)
	}
}

func TestRefusalsOfferSomethingLegal(t *testing.T) {
	legal := steps(t, table)
	for _, c := range []struct{ line, first string }{
		{"comand at 4", "command at 4"},
		{"die gray 1", "die gray 0"},
		{"destory at 5", "destroy at 5"},
		{"launch to c4", "launch to b4"},
	} {
		_, p := order.Match(order.Expand(c.line)[0], legal, order.Context{})
		if p == nil || len(p.Choices) == 0 || order.Print(p.Choices[0]) != c.first {
			t.Errorf("%q offers %v", c.line, p)
		}
	}
}
