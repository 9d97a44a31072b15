package order_test

import (
	"strings"
	"testing"

	"angelpost/engine/order"
)

// Thanks and praise alone are a reaction, in words or pictures; with anything else they are not.
func TestThanks(t *testing.T) {
	for letter, want := range map[string]string{
		"Thanks!": "Thanks!", "👍": "👍", "GG": "GG", "gg wp": "gg wp", "GG everyone! 🎉": "GG everyone! 🎉", "Thanks, Bob!": "Thanks, Bob!", ":-)": ":-)", "❤\uFE0F": "❤\uFE0F", "👍🏽👍🏽": "👍🏽👍🏽",
		"Hi all,\n\nThank you so much!\n\nBest,\nAda\n>": "Thank you so much!", "Vielen Dank!": "Vielen Dank!", "merci": "merci", "Спасибо!": "Спасибо!", "ありがとうございます": "ありがとうございます", "Thanks!\n\nGG": "Thanks! GG", "well played :)": "well played :)", "Thanks,\nA": "Thanks,",
	} {
		if got, ok := order.Thanks(strings.Split(letter, "\n"), "Ada"); !ok || got != want {
			t.Errorf("%q: %q, %v", letter, got, ok)
		}
	}
	for _, letter := range []string{
		"A\nGG", "Nice move\nA", "", ">", "Thanks! B", "Thanks\nB", "thanks, I resign", "ok", "yes", "👍 yes", "Thanks for nothing", "Thanks?", "no thanks", "Thanks but wait", "card 013", "🅱", "1\uFE0F\u20E3", "Best regards", "thanks tomorrow maybe",
		"thank you\n?> resign", "Thanks!\n| B", "Thanks, undo", "status\nthanks", strings.Repeat("👍", 100), "B", "Thanks B", "nice die orange 1", "Ada", "say: thanks",
	} {
		if got, ok := order.Thanks(strings.Split(letter, "\n"), "Ada"); ok {
			t.Errorf("%q: %q", letter, got)
		}
	}
}
