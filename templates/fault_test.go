package templates

import (
	"strings"
	"testing"

	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// An order with a card that the player does not have is answered with the hand.
func TestUnknownCardsShowTheHand(t *testing.T) {
	g := playGame(t, 3, 30, nil)
	seat := g.View(0).ToAct[0]
	for _, c := range []struct {
		problem notice.Problem
		shown   bool
	}{
		{notice.Problem{Code: order.NoCard, Args: map[string]string{"word": "999"}}, true},
		{notice.Problem{Code: notice.ProblemIllegal, Rule: "R4.1", Read: "card 015 at row 1", Args: map[string]string{"reason": "not-in-hand"}}, true},
		{notice.Problem{Code: notice.ProblemIllegal, Rule: "R4.4", Args: map[string]string{"reason": "no-such-die"}}, false},
	} {
		s := sheetOf(g, seat, notice.KindAnswer, g.Steps())
		s.Message.Result = notice.Refused
		s.Message.Answer.Lines = []notice.LineResult{{N: 1, Text: "card 999", Status: notice.LineRefused, Problem: &c.problem}}
		text := flat(render(t, s, site).Text)
		_, hand, found := strings.Cut(text, "Your cards: ")
		if found != c.shown {
			t.Errorf("%s %s: the hand is listed: %t", c.problem.Code, c.problem.Args["reason"], found)
		}
		hand, _, _ = strings.Cut(hand, ".")
		for _, card := range own(g.View(seat)).Cards {
			if found && !strings.Contains(hand, card.String()) {
				t.Errorf("%q lacks %v", hand, card)
			}
		}
	}
}
