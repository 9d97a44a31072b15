package tool

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A progress tells on stderr how far a long run is: on a terminal every second
// on one line, elsewhere a line every ten seconds.
type progress struct {
	to          io.Writer
	now         func() time.Time
	live        bool // to is a terminal
	begun, told time.Time
	done, all   int
}

func newProgress(to io.Writer, all int) *progress {
	p := &progress{to: to, now: time.Now, all: all}
	if f, ok := to.(*os.File); ok {
		info, err := f.Stat()
		p.live = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	p.begun = p.now()
	p.told = p.begun
	return p
}

// did counts one more.
func (p *progress) did() {
	p.done++
	pause := 10 * time.Second
	if p.live {
		pause = time.Second
	}
	now := p.now()
	if now.Sub(p.told) < pause {
		return
	}
	p.told = now
	took := now.Sub(p.begun)
	rest := time.Duration(float64(took) / float64(p.done) * float64(p.all-p.done))
	line := fmt.Sprintf("%d of %d games, %.1f a second, about %v to go", p.done, p.all, float64(p.done)/took.Seconds(), rest.Round(time.Second))
	if p.live {
		fmt.Fprintf(p.to, "\r\x1b[K%s", line)
	} else {
		fmt.Fprintln(p.to, line)
	}
}

// end takes the line off a terminal.
func (p *progress) end() {
	if p.live && p.told != p.begun {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.told = p.begun
	}
}
