package oracle

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// soundReadings are a small world in which all is well.
func soundReadings() ([]Written, Readings) {
	const a, b = "a@real.localhost", "b@real.localhost"
	sent := []Written{
		{ID: "1.order@x", What: "order", Fate: FateApplied, From: a, Copies: 2, Game: "g", Seat: 1, Order: "die gray 0"},
		{ID: "2.order@x", What: "order", Fate: FateApplied, From: a, Copies: 1, Game: "g", Seat: 1, Order: "B"},
		{ID: "3.say@x", What: "say", Fate: FateApplied, From: a, Copies: 1, Text: "three words here", Readers: []string{b}},
		{ID: "4.status@x", What: "status", Fate: FateUnchanged, From: b, Copies: 1},
		{ID: "5.nonsense@x", What: "nonsense", Fate: FateRefused, From: b, Copies: 1},
		{ID: "6.alias@x", What: "alias", Fate: FateHeld, From: "c@else.test", Copies: 1},
		{ID: "7.list@x", What: "list", Fate: FateSilent, From: "l@else.test", Copies: 1, Why: "list"},
	}
	r := Readings{
		Boxes: map[string][]Delivered{
			a: {
				{ID: "o1", Kind: "turn", Result: "none", Game: "g", Seat: 1, Step: 0, Legal: 3, Bytes: "o1"},
				{ID: "o2", InReplyTo: "1.order@x", Kind: "answer", Result: "applied", Game: "g", Seat: 1, Step: 2, Legal: 3, Forced: 1, Bytes: "o2"},
				{ID: "o2", InReplyTo: "1.order@x", Kind: "answer", Result: "applied", Game: "g", Seat: 1, Step: 2, Legal: 3, Forced: 1, Bytes: "o2"},
				{ID: "o3", InReplyTo: "2.order@x", Kind: "answer", Result: "applied", Game: "g", Seat: 1, Step: 3, Bytes: "o3"},
				{ID: "o4", InReplyTo: "3.say@x", Kind: "answer", Result: "applied", Game: "g", Seat: 1, Step: 3, Bytes: "o4"},
			},
			b: {
				{ID: "o5", Kind: "turn", Result: "none", Game: "g", Seat: 2, Step: 3, Legal: 9, Bytes: "o5", Text: "three words here"},
				{ID: "o6", InReplyTo: "4.status@x", Kind: "answer", Result: "none", Bytes: "o6"},
				{ID: "o6", InReplyTo: "4.status@x", Kind: "answer", Result: "none", Bytes: "o6"},
				{ID: "o7", InReplyTo: "5.nonsense@x", Kind: "answer", Result: "refused", Bytes: "o7"},
			},
		},
		Filed: map[string]int{}, Posted: map[string][]int{}, Handed: map[string]int{},
		Log: map[string][]RowLog{"g": {
			{1, 1, "player", "die gray 0"}, {2, 1, "player", "collect"}, {3, 1, "player", "B"},
		}},
		Words: map[string]int{"three words here": 1}, Asked: map[string]int{"6.alias@x": 1},
		ToAct: map[string][]int{"g": {2}}, Players: map[string]map[int]string{"g": {1: a, 2: b}},
		Deaths: []Death{{Point: "dot", Queued: map[string]bool{"o6": true}}, {Point: "store", Queued: map[string]bool{"o7": true}}},
	}
	for _, w := range sent {
		state := map[Fate]string{FateHeld: "held", FateSilent: "mute"}[w.Fate]
		l := RowIn{ID: w.ID, State: cmp.Or(state, "done"), Why: w.Why}
		if w.Copies > 1 {
			l.Repeats = 1
		}
		r.In = append(r.In, l)
		r.Filed[w.ID], r.Handed[w.ID], r.Posted[w.ID] = w.Copies, w.Copies, make([]int, w.Copies)
	}
	for address, box := range r.Boxes {
		for _, d := range box {
			life := len(r.Posted[d.ID]) // the second in the second life
			if life == 0 {
				r.Out = append(r.Out, RowOut{d.ID, address, "sent"})
			}
			r.Posted[d.ID] = append(r.Posted[d.ID], life)
			r.Handed[d.ID]++
		}
	}
	return sent, r
}

// TestOracle spoils a sound world in every way the oracle must notice.
func TestOracle(t *testing.T) {
	const a, b = "a@real.localhost", "b@real.localhost"
	sent, r := soundReadings()
	got, wrong := Check(sent, r)
	if len(wrong) > 0 {
		t.Fatalf("the sound world: %q", wrong)
	}
	if got.letters[FateApplied] != 3 || got.copies[FateApplied] != 4 || got.owed != 7 || got.delivered != 7 || got.twice != 2 || got.lost != 1 || got.asked != 1 {
		t.Errorf("%+v", got)
	}
	row := func(rows []RowIn, id string) *RowIn {
		return &rows[slices.IndexFunc(rows, func(l RowIn) bool { return l.ID == id })]
	}
	out := func(rows []RowOut, id string) *RowOut {
		return &rows[slices.IndexFunc(rows, func(o RowOut) bool { return o.ID == id })]
	}
	gone := func(box []Delivered, id string) []Delivered {
		return slices.DeleteFunc(box, func(d Delivered) bool { return d.ID == id })
	}
	for name, c := range map[string]struct {
		spoil func(r *Readings)
		says  string
	}{
		"a letter was never read":          {func(r *Readings) { r.In = r.In[1:] }, "letter 1.order@x (order): 0 rows"},
		"a letter was taken for two":       {func(r *Readings) { r.In = append(r.In, r.In[0]) }, "letter 1.order@x (order): 2 rows"},
		"a letter no one sent":             {func(r *Readings) { r.In = append(r.In, RowIn{ID: "9@x"}) }, "letter 9@x is in the table"},
		"a letter was set aside":           {func(r *Readings) { row(r.In, "2.order@x").State = "aside" }, "letter 2.order@x (order): should be applied once, is aside"},
		"a held letter was done":           {func(r *Readings) { row(r.In, "6.alias@x").State = "done" }, "letter 6.alias@x (alias): should be held, is done"},
		"a held letter's owner not asked":  {func(r *Readings) { r.Asked = nil }, "letter 6.alias@x (alias): held, with 0 questions to its owner"},
		"an answer repeated twice":         {func(r *Readings) { row(r.In, "1.order@x").Repeats = 2 }, "letter 1.order@x (order): sent 2 times, its answer was repeated 2"},
		"an answer repeated for no copy":   {func(r *Readings) { row(r.In, "2.order@x").Repeats = 1 }, "letter 2.order@x (order): sent 1 times"},
		"no answer":                        {func(r *Readings) { r.Boxes[b] = gone(r.Boxes[b], "o7") }, "letter 5.nonsense@x (nonsense): 0 answers"},
		"two answers":                      {func(r *Readings) { r.Boxes[b][0].InReplyTo = "5.nonsense@x" }, "letter 5.nonsense@x (nonsense): 2 answers"},
		"another answer":                   {func(r *Readings) { r.Boxes[b][3].Result = "applied" }, "letter 5.nonsense@x (nonsense): should be refused with a reason, was answered as applied"},
		"a list was answered":              {func(r *Readings) { r.Boxes[b][3].InReplyTo = "7.list@x" }, "letter 7.list@x (list): should be rightly silent, was answered"},
		"silent for another reason":        {func(r *Readings) { row(r.In, "7.list@x").Why = "auto" }, `letter 7.list@x (list): silent because of "auto"`},
		"press stored twice":               {func(r *Readings) { r.Words["three words here"] = 2 }, "letter 3.say@x (say): its words are stored 2 times"},
		"press that did not arrive":        {func(r *Readings) { r.Boxes[b][0].Text = "" }, "letter 3.say@x (say): its words did not reach b@"},
		"the post lost a letter":           {func(r *Readings) { r.Handed["4.status@x"] = 0 }, "letter 4.status@x (status): sent 1 times, Postfix took 1 and delivered 0"},
		"filed away twice":                 {func(r *Readings) { r.Filed["4.status@x"] = 2 }, "letter 4.status@x (status): sent 1 times, filed away 2 times"},
		"left in the inbox":                {func(r *Readings) { r.Unfiled = []string{"4.status@x"} }, "letter 4.status@x is still in the inbox"},
		"an order lost":                    {func(r *Readings) { r.Log["g"] = r.Log["g"][:2] }, `letter 2.order@x: its order "B" is not in the log`},
		"an order applied twice":           {func(r *Readings) { r.Log["g"] = append(r.Log["g"], RowLog{4, 1, "player", "B"}) }, "game g, seat 1: the log has 4 lines; 2 orders were sent and 1 steps"},
		"orders in another order":          {func(r *Readings) { l := r.Log["g"]; l[0].Order, l[2].Order = l[2].Order, l[0].Order }, "letter 2.order@x: its order"},
		"a line nobody ordered":            {func(r *Readings) { r.Log["g"] = append(r.Log["g"], RowLog{4, 2, "player", "B"}) }, "game g, seat 2: the log has 1 lines"},
		"a line by the clock":              {func(r *Readings) { r.Log["g"][1].By = "clock" }, "line 2, \"collect\", came from clock"},
		"a line missing in the middle":     {func(r *Readings) { r.Log["g"][2].N = 4 }, "line 4 of the log is at 3"},
		"a game without a log":             {func(r *Readings) { r.Log = nil }, "game g has no log"},
		"a letter out still queued":        {func(r *Readings) { out(r.Out, "o5").State = "queued" }, "letter out o5 to b@real.localhost is queued"},
		"a letter out that never arrived":  {func(r *Readings) { r.Boxes[b] = gone(r.Boxes[b], "o5"); r.Posted["o5"], r.Handed["o5"] = nil, 0 }, "letter out o5 to b@real.localhost never arrived"},
		"lost between Postfix and mailbox": {func(r *Readings) { r.Boxes[b] = gone(r.Boxes[b], "o5") }, "letter out o5 to b@real.localhost: Postfix took it 1 times and delivered it 1 times, 0 are"},
		"a letter no one owed":             {func(r *Readings) { r.Out = slices.DeleteFunc(r.Out, func(o RowOut) bool { return o.ID == "o5" }) }, "a letter arrived that no one owed: o5"},
		"a repeat without a lost answer":   {func(r *Readings) { r.Deaths[0].Queued = nil }, "letter out o6 to b@real.localhost went out 2 times; its acknowledgment was lost 0"},
		"a repeat within one life":         {func(r *Readings) { r.Posted["o6"] = []int{1, 1} }, "letter out o6 to b@real.localhost went out 2 times; its acknowledgment was lost 0"},
		"a repeat with other bytes":        {func(r *Readings) { r.Boxes[b][2].Bytes = "o6!" }, "letter out o6 to b@real.localhost arrived with other bytes"},
		"a player not told":                {func(r *Readings) { r.Boxes[b][0].Legal = 0 }, "game g waits for seats [2]"},
		"a player told too early":          {func(r *Readings) { r.ToAct["g"] = []int{1} }, "game g waits for seats [1]"},
	} {
		t.Run(name, func(t *testing.T) {
			sent, r := soundReadings()
			c.spoil(&r)
			_, wrong := Check(sent, r)
			if !slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, c.says) }) {
				t.Errorf("not noticed: %q, want one with %q", wrong, c.says)
			}
		})
	}
}
