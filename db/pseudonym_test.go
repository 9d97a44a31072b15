package db

import "testing"

// A name gives way where it is a word of its own, and not where it is part of another player's.
func TestPseudonym(t *testing.T) {
	p := pseudonymOf("Former player 3", []string{"Ann", "Ann-Kathrin", "Jürgen", "Al"}, []string{"Ann Lee", "Bo", "Ann"})
	for text, want := range map[string]string{
		"Ann is ill":                       "Former player 3 is ill",
		"ann's letters bounce":             "Former player 3's letters bounce",
		"I asked Ann.":                     "I asked Former player 3.",
		"Anna and Joann stay, so does Bo":  "Anna and Joann stay, so does Bo",
		"Ann Lee asked for it, not Ann":    "Ann Lee asked for it, not Former player 3",
		"ANN-KATHRIN has left":             "Former player 3 has left",
		"for jürgen":                       "for Former player 3",
		"Al plays al fresco":               "Former player 3 plays al fresco",
		"nothing to do with them":          "nothing to do with them",
		"":                                 "",
		"Ann":                              "Former player 3",
		"Former player 3 takes Ann's seat": "Former player 3 takes Former player 3's seat",
	} {
		if got := p.in(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	text := `{"args":["Ann","by","bot"],"for":1099511627777,"kind":"Ann","text":"Ann is ill"}`
	want := `{"args":["Former player 3","by","bot"],"for":1099511627777,"kind":"Ann","text":"Former player 3 is ill"}`
	if got, err := p.inJSON(text, "args", "text"); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := p.inJSON(`{"text": "Bo"}`, "text"); err != nil || got != `{"text": "Bo"}` {
		t.Errorf("what stays is written anew: %s, %v", got, err)
	}
}
