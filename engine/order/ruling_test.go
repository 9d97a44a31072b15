package order_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"angelpost/engine/order"
)

const aGame = "abcdefghijklmn27"

var rulings = []struct {
	line string
	want order.Ruling
}{
	{"extend GAME Ada 2 days: the mail was down", order.Ruling{Kind: order.RuleExtend, Name: "Ada", Time: "2 days", Reason: "the mail was down"}},
	{"Extend game GAME Bo 2 by 36h:  x", order.Ruling{Kind: order.RuleExtend, Name: "Bo 2", Time: "36h", Reason: "x"}},
	{"extend GAME Bo 2 2 days 3 hours: x", order.Ruling{Kind: order.RuleExtend, Name: "Bo 2", Time: "2 days 3 hours", Reason: "x"}},
	{"- pause GAME: Easter", order.Ruling{Kind: order.RulePause, Reason: "Easter"}},
	{"RESUME GAME : on we go", order.Ruling{Kind: order.RuleResume, Reason: "on we go"}},
	{"replace GAME Ada by bot:planner: gone", order.Ruling{Kind: order.RuleReplace, Name: "Ada", Heir: "bot:planner", Reason: "gone"}},
	{"replace GAME Ada by Bot (planner): gone", order.Ruling{Kind: order.RuleReplace, Name: "Ada", Heir: "bot:planner", Reason: "gone"}},
	{"replace GAME Ada with cy@home.test <mailto:cy@home.test>: gone: since May", order.Ruling{Kind: order.RuleReplace, Name: "Ada", Heir: "cy@home.test", Reason: "gone: since May"}},
	{"adjudicate GAME Ada 88, Zoë O'Neil 70 and Bo=-3: they agreed", order.Ruling{Kind: order.RuleAdjudicate,
		Scores: []order.Scored{{"Ada", 88}, {"Zoë O'Neil", 70}, {"Bo", -3}}, Reason: "they agreed"}},
	{"void GAME:because; of this", order.Ruling{Kind: order.RuleVoid, Reason: "because; of this"}},
	{"replay game GAME：Ada war weg", order.Ruling{Kind: order.RuleReplay, Reason: "Ada war weg"}},
	{"rollback GAME to 120: a misread letter", order.Ruling{Kind: order.RuleRollback, To: 120, Reason: "a misread letter"}},
	{"roll back GAME to step 0: all anew", order.Ruling{Kind: order.RuleRollback, Reason: "all anew"}},
	{"correct GAME Ada 88, Bo 90: miscounted", order.Ruling{Kind: order.RuleCorrect, Scores: []order.Scored{{"Ada", 88}, {"Bo", 90}}, Reason: "miscounted"}},
}

func TestRulings(t *testing.T) {
	for _, x := range rulings {
		line := strings.ReplaceAll(x.line, "GAME", aGame)
		x.want.Game = aGame
		got, p, ok := order.ReadRuling(line)
		if !ok || p != nil || !reflect.DeepEqual(got, x.want) {
			t.Errorf("%q is read as %+v, %+v, %v", line, got, p, ok)
			continue
		}
		again, p, ok := order.ReadRuling(got.String())
		if !ok || p != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%q, printed, is read as %+v, %+v, %v", got.String(), again, p, ok)
		}
	}
	for line, want := range map[string]string{
		"void GAME": order.NoReason, "void GAME:": order.NoReason, "void: he is gone": order.NoGameID, "rollback to 7: x": order.NoGameID,
		"adjudicate GAME: x": order.BadWord, "adjudicate GAME Ada: x": order.BadWord, "adjudicate GAME Ada 88, Bo: x": order.BadWord,
		"correct GAME Ada 10000: x": order.BadWord, "correct GAME Ada 99999999999999999999: x": order.BadWord, "void GAME now: x": order.BadWord,
		"rollback GAME: x": order.BadWord, "rollback GAME to -1: x": order.BadWord, "rollback GAME to 7 8: x": order.BadWord,
		"rollback GAME to 9999999: x": order.BadWord, "extend GAME Ada: x": order.BadWord, "extend GAME by 2 days: x": order.BadWord,
		"replace GAME Ada: x": order.BadWord, "replace GAME Ada by nobody: x": order.BadWord, "replace GAME Ada by anyone: x": order.BadWord,
		"void GAME: " + strings.Repeat("x", order.MaxReason+1): order.LongText,
	} {
		line = strings.ReplaceAll(line, "GAME", aGame)
		if _, p, ok := order.ReadRuling(line); !ok || p == nil || p.Code != want {
			t.Errorf("%q: %+v, %v, want %s", line, p, ok, want)
		}
	}
	for _, line := range []string{"extend Ada by 2 days", "pause", "resume", "replace Ada by bot", "replace Ada by cy@home.test", "", ":", "die gray 2", "pause: x"} {
		if r, _, ok := order.ReadRuling(line); ok {
			t.Errorf("%q is the ruling %+v", line, r)
		}
	}
}

// The reason of a ruling goes on below it, as mail programs wrap lines, and ends
// where something else is said.
func TestLetterOfRulings(t *testing.T) {
	l := order.ReadLetter([]string{
		"void " + aGame + ": Bo has not been heard of since May,", "and the others would rather not go on.", "replay " + aGame + ": with a", "substitute", "status", "",
		"pause " + aGame + ": Easter; back on Tuesday", "Thanks", "Zoe",
	})
	var got []string
	for _, it := range l.Items {
		if it.Problem != nil {
			t.Fatalf("%q: %+v", it.Text, it.Problem)
		}
		if it.Word.Kind == order.Rule {
			got = append(got, it.Word.Rule.String())
		} else {
			got = append(got, it.Word.Kind.String())
		}
	}
	want := []string{"void " + aGame + ": Bo has not been heard of since May, and the others would rather not go on.",
		"replay " + aGame + ": with a substitute", "status", "pause " + aGame + ": Easter; back on Tuesday"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %q", got)
	}
}

func FuzzReadRuling(f *testing.F) {
	for _, x := range rulings {
		f.Add(strings.ReplaceAll(x.line, "GAME", aGame))
	}
	f.Add("adjudicate " + aGame + " İ 1 and and 2,, = 3: :")
	f.Add("replace " + aGame + " a by b by c@d with bot: by: x")
	f.Add("extend " + aGame + " 1 1 1d 1 d by: by 2 : x")
	f.Fuzz(func(t *testing.T, line string) {
		r, p, ok := order.ReadRuling(line)
		if !ok || p != nil {
			return
		}
		if len(r.Reason) > order.MaxReason || !utf8.ValidString(r.String()) || strings.ContainsAny(r.String(), "\r\n\x00") {
			t.Fatalf("%q is read as %+v", line, r)
		}
		again, p, ok := order.ReadRuling(r.String())
		if !ok || p != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%q is printed as %q, which is read as %+v, %+v, %v", line, r, again, p, ok)
		}
	})
}
