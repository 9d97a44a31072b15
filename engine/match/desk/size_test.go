package desk_test

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// finished plays a four-player game to its end, with the seats' whole turns in
// a letter each or with two of the four sending step by step, and says what
// it took.
func finished(t testing.TB, whole bool) (bytes int64, lines, letters int) {
	o := newOffice(t, manyAnswers)
	names := []string{"ada", "bo", "cy", "di"}
	id := o.started(4, names...)
	empty := o.size()
	if whole {
		for !o.record(id, 0).Finished {
			for _, name := range names {
				if s := o.sheet(o.last(name)); len(s.Example) > 0 {
					letters += len(o.write(name, strings.Join(s.Example, "\n")))
				}
			}
		}
	} else {
		playOn(o, id, names, rand.New(rand.NewPCG(1, 4)), func(notice.Message) { letters++ })
	}
	return o.size() - empty, len(o.record(id, 0).Log), letters
}

var playing = []struct {
	name  string
	whole bool
}{{"whole turns", true}, {"step by step", false}}

// A finished game takes at most 64 KiB of the database besides the raw letters.
func TestFinishedGameIsSmall(t *testing.T) {
	for _, p := range playing {
		t.Run(p.name, func(t *testing.T) {
			if bytes, lines, letters := finished(t, p.whole); bytes > 64<<10 || lines < 200 || letters < 100 {
				t.Errorf("%d KiB for %d lines and %d letters", bytes>>10, lines, letters)
			}
		})
	}
}

func BenchmarkFinishedGame(b *testing.B) {
	for _, p := range playing {
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				bytes, lines, letters := finished(b, p.whole)
				b.ReportMetric(float64(bytes)/1024, "KiB/game")
				b.ReportMetric(float64(lines), "lines/game")
				b.ReportMetric(float64(letters), "letters/game")
			}
		})
	}
}

// size is the database's, raw letters left out.
func (o *office) size() int64 {
	o.t.Helper()
	file := o.file + ".copy"
	if err := o.db.Backup(context.Background(), file, o.now); err != nil {
		o.t.Fatal(err)
	}
	defer os.Remove(file)
	c, err := sql.Open("sqlite3", file)
	if err != nil {
		o.t.Fatal(err)
	}
	defer c.Close()
	for _, q := range []string{"DELETE FROM raw", "VACUUM"} {
		if _, err := c.Exec(q); err != nil {
			o.t.Fatal(err)
		}
	}
	st, err := os.Stat(file)
	if err != nil {
		o.t.Fatal(err)
	}
	return st.Size()
}
