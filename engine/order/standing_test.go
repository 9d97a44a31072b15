package order_test

import (
	"reflect"
	"testing"

	"angelpost/engine/order"
)

func TestStandingOrders(t *testing.T) {
	for line, want := range map[string]string{
		"always activate":                                    "always activate",
		"Always collect mission 9":                           "always activate 009",
		"always activate 009 with t12, t3 leaving 1":         "always activate 009 with t3 t12 leaving 1",
		"always activate mission 032 paying ravager":         "always activate 032 with ravager",
		"always activate 048 with ravager, ravager":          "always activate 048 with ravager ravager",
		"always activate 048 with 075 064":                   "always activate 048 with 064 075",
		"always activate 012 with gray":                      "always activate 012 with gray",
		"always decline":                                     "never activate",
		"never activate 009!":                                "never activate 009",
		"always reserve grey 3 or orange 3, green":           "always reserve gray 3, orange 3, green",
		"always reserve 3, 2 leaving at least 2":             "always reserve 3, 2 leaving 2",
		"always reserve gray 3 with the boost of 2.1":        "always reserve gray 3 boost 2.1",
		"never reserve a die":                                "never reserve",
		"always keep 31, gray neutralization or activations": "",
		"always keep 31, gray neutralization or activation":  "always keep 031, gray neutralization, activation",
		"never keep 17":                                      "never keep 017",
		"always discard 013, green, neutral":                 "always discard 013, green, neutralization",
		"always discard ravager 075, ravagers":               "always discard 075, ravager",
		"always play forced turns # please":                  "always forced",
		"never forced":                                       "never forced",

		"always":                               "",
		"never":                                "",
		"always reserve":                       "",
		"always keep":                          "",
		"never discard":                        "",
		"always keep ravager":                  "",
		"never reserve gray 3":                 "",
		"never activate 009 with t12":          "",
		"never activate leaving 1":             "",
		"always reserve 3 boost 2.1 leaving 1": "",
		"always activate 075":                  "",
		"always activate 009 with a4":          "",
		"always activate 009 leaving 0":        "",
		"always activate 009 with":             "",
		"always flip gray 0":                   "",
		"always reserve gray 3 and then":       "always reserve gray 3",
		"always forced me to":                  "",
		"never write to me again":              "",
	} {
		s, ok := order.ParseStanding(line)
		if ok != (want != "") || ok && s.String() != want {
			t.Errorf("%q is read as %q, %v", line, s, ok)
		}
		again, ok := order.ParseStanding(s.String())
		if want != "" && (!ok || !reflect.DeepEqual(again, s)) {
			t.Errorf("%q is read again as %+v, %v", s, again, ok)
		}
	}
}

func FuzzStanding(f *testing.F) {
	for _, l := range []string{
		"always activate 009 with t12, t3 leaving 1", "never activate", "always reserve gray 3, orange, 2 leaving 1", "always reserve 3 boost 2.1",
		"always keep 031, gray neutralization", "always discard 013, green, ravager", "always forced", "never keep activation", "always activate 048 with 064 075",
	} {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s, ok := order.ParseStanding(line)
		if !ok {
			return
		}
		text := s.String()
		if again, ok := order.ParseStanding(text); !ok || !reflect.DeepEqual(again, s) || again.String() != text || len(text) > order.MaxLine {
			t.Fatalf("%q is %q, read again as %+v, %v", line, text, again, ok)
		}
		if len(s.Dice) > order.MaxWish || len(s.Cards) > order.MaxWish {
			t.Fatalf("%q is too long", text)
		}
	})
}
