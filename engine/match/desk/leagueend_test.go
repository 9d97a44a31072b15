package desk_test

import (
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// TestSeasonEndCounts: the letter about a season's end tells its director how many games it
// had, however long they took; byes and games that do not count are none of them.
func TestSeasonEndCounts(t *testing.T) {
	for kind, c := range map[string]struct {
		file string
		want int
	}{
		"divisions":  {tin, 6},
		"one void":   {tin, 5},
		"knock-out":  {strings.NewReplacer("division: 3\n", "kind: knockout\n", "up: 1\ndown: 1\n", "").Replace(tin), 3}, // and four byes, as no one plays
		"with weeks": {strings.Replace(tin, "season: 4 weeks", "season: 30 weeks", 1), 6},
	} {
		o := newOffice(t)
		o.started(9, "dora", "bot")
		id := o.made(c.file)
		o.joins("tin", "ada", "bo", "cy", "di", "eve", "flo")
		o.until("2026-12-02")
		switch kind {
		case "one void":
			o.decides("dora", "void "+o.running(id)[0].Game+": a test")
		case "with weeks": // the weekly letter counts from the last one
			o.write("dora", "pause league tin: a rest")
			o.until("2026-12-20")
			o.write("dora", "resume league tin: on we go")
		}
		o.playSeason(id)
		told := mail(o.box[at("dora")], notice.TellDirectEnd)["dora"]
		if r := section(t, told, "report").Report; r.Ended != c.want {
			t.Errorf("%s: %d games were played, not %d", kind, r.Ended, c.want)
		}
		if text, _ := o.shown(told); !strings.Contains(text, "Season 1: ") {
			t.Errorf("%s: %s", kind, text)
		}
	}
}
