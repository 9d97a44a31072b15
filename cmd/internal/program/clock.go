package program

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"angelpost/cmd/internal/hook"
)

// ClockVariable names a file that says how far the clock of the test binary that
// runs as the program is set wrong, as in 72h.
const ClockVariable = "ANGELPOST_CLOCK"

// WaitsVariable, if set, lets the test binary that runs as the program wait for other servers
// as long as the program does.
const WaitsVariable = "ANGELPOST_WAITS"

// LookFor is how old a look at the claims on its mailbox may be for the test binary that
// runs as the program; one that replaces another's claim waits twice as long.
const LookFor = time.Second

// setClock does what the environment says.
func setClock() {
	if os.Getenv(WaitsVariable) == "" {
		hook.Look, hook.Wait, hook.Quiet = LookFor, 2*LookFor, 8*LookFor
		hook.Tick = func() time.Duration { return LookFor / 2 } // a server with nothing to do asks for a look, and uses it
	}
	if file := os.Getenv(TimeVariable); file != "" {
		followTime(file)
		return
	}
	file := os.Getenv(ClockVariable)
	if file == "" {
		return
	}
	hook.Tick = func() time.Duration { return 50 * time.Millisecond } // a change is seen soon
	hook.Wall = func() time.Time {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		by, err := time.ParseDuration(string(text))
		if err != nil {
			panic(err)
		}
		return time.Now().Add(by)
	}
}

// TimeVariable names a file through which a test and the programs that it starts share the
// time: it passes only as the test lets it, and as fast as the server can do what falls due
// on the way.
const TimeVariable = "ANGELPOST_TIME"

// stride is how far the time goes between two looks at it. A server looks twice between two
// heartbeats, which must not be fifteen minutes apart.
const stride = 7 * time.Minute

// sharedTime is what that file holds.
type sharedTime struct {
	to    atomic.Int64 // until when time may pass: nanoseconds of Unix time
	at    atomic.Int64 // what the clocks show
	looks atomic.Int64 // how often a server has looked
}

func openTime(file *os.File) (*sharedTime, error) {
	b, err := syscall.Mmap(int(file.Fd()), 0, int(unsafe.Sizeof(sharedTime{})), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return (*sharedTime)(unsafe.Pointer(&b[0])), nil
}

// followTime has this process's clock follow the file. A server has the time pass; other
// commands see what it is.
func followTime(name string) {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	x, err := openTime(file)
	if err != nil {
		panic(err)
	}
	var mu sync.Mutex
	serves := len(os.Args) > 1 && os.Args[1] == "serve"
	hook.Tick = func() time.Duration {
		if x.at.Load() < x.to.Load() {
			return 0
		}
		return 10 * time.Millisecond // while it stands still others need the processors
	}
	hook.Steady = func() time.Duration { return time.Duration(x.at.Load()) }
	hook.Wall = func() time.Time {
		if serves {
			mu.Lock()
			defer mu.Unlock()
			if at, to := x.at.Load(), x.to.Load(); at < to {
				x.at.Store(min(at+int64(stride), to))
			}
			x.looks.Add(1)
		}
		return time.Unix(0, x.at.Load())
	}
}

// A Time is the clock of all programs that a test starts.
type Time struct{ shared *sharedTime }

// NewTime has the programs of a test begin at a time.
func NewTime(t *testing.T, at time.Time) *Time {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "time")
	if err == nil {
		err = file.Truncate(int64(unsafe.Sizeof(sharedTime{})))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x, err := openTime(file)
	if err != nil {
		t.Fatal(err)
	}
	x.to.Store(at.UnixNano())
	x.at.Store(at.UnixNano())
	t.Setenv(TimeVariable, file.Name())
	return &Time{x}
}

// Now is what the clocks show.
func (x *Time) Now() time.Time { return time.Unix(0, x.shared.at.Load()).UTC() }

// Pass lets time pass up to a moment.
func (x *Time) Pass(to time.Time) { x.shared.to.Store(to.UnixNano()) }

// There reports whether it has passed, and a server has looked twice since then, which it
// does before it does what is due. since is what There said before; 0 at first.
func (x *Time) There(since int64) (there bool, looks int64) {
	if x.shared.at.Load() < x.shared.to.Load() {
		return false, 0
	}
	if looks = x.shared.looks.Load(); since == 0 {
		return false, looks
	}
	return looks >= since+4, since
}
