//go:build real

package server

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

var (
	twoLetters = flag.Int("shards.letters", 40, "letters of each server of TestTwoServersAtOnce")
	twoRounds  = flag.Int("shards.rounds", 1, "rounds of TestTwoServersAtOnce, whose medians count")
	twoAims    = flag.Bool("shards.aims", false, "TestTwoServersAtOnce asserts what two servers must do, for which the machine must have nothing else to do")
)

// A cage is a control group that gives its processes so much of one processor, and no more. The
// kernel's weights let them have it even if others wait for the processors, too.
type cage struct{ folder string }

// newCage makes one; cores 0 is no bound.
func newCage(t *testing.T, name string, cores float64) cage {
	t.Helper()
	const period = 20_000 // µs
	root, files := "/sys/fs/cgroup/cpu", map[string]string{"cpu.shares": "20480"}
	if cores > 0 {
		files["cpu.cfs_period_us"], files["cpu.cfs_quota_us"] = strconv.Itoa(period), strconv.Itoa(int(cores*period))
	}
	if _, err := os.Stat(filepath.Join(root, "cpu.shares")); errors.Is(err, os.ErrNotExist) { // version 2
		root, files = "/sys/fs/cgroup", map[string]string{"cpu.weight": "2000"}
		if cores > 0 {
			files["cpu.max"] = fmt.Sprintf("%d %d", int(cores*period), period)
		}
		if err := os.WriteFile(filepath.Join(root, "cgroup.subtree_control"), []byte("+cpu"), 0o644); err != nil {
			t.Fatalf("a control group with a bound needs root: %v", err)
		}
	}
	c := cage{filepath.Join(root, fmt.Sprintf("angelpost-%d-%s", os.Getpid(), name))}
	if err := os.Mkdir(c.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(c.folder) })
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(c.folder, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c cage) put(t *testing.T, pid int) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.folder, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// share is what each server gets of a processor.
const share = 0.4

// used is for how long a process has had a processor, to 10 ms.
func used(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks int // of a hundredth of a second, in user mode and in the kernel
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// TestTwoServersAtOnce has servers that get 0.4 of a processor each work off backlogs, each
// between its own Dovecot and smtp-sink: one alone, two at once, and two of which one is killed
// in the middle of it. Two do 1.8 times the turns of one, and the one that is left takes as long
// as before, to 10 % (-shards.aims), in the median of -shards.rounds. That is held by the clock,
// and by what their share of a processor allows: the time for which each had one, divided by
// the share. Only the clock sees servers that wait for each other, and only the other says
// whether it is they, or what else the machine does.
func TestTwoServersAtOnce(t *testing.T) {
	n := *twoLetters
	// The peers, which are not bounded, must not wait for what else the machine does.
	free := newCage(t, "peers", 0)
	free.put(t, os.Getpid())
	t.Cleanup(func() { cage{filepath.Dir(free.folder)}.put(t, os.Getpid()) })
	cages := []cage{newCage(t, "a", share), newCage(t, "b", share)}
	type daemon struct {
		*program.Process
		p *pipe
	}
	// ready starts a server and stops it with a backlog in its mailbox.
	ready := func(in cage) daemon {
		p := newPipe(t, n, false)
		d := daemon{program.Start(t, "serve", "-config", p.config), p}
		in.put(t, d.Cmd.Process.Pid)
		time.Sleep(500 * time.Millisecond) // its start has used up what it may
		if err := d.Cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		p.fill(t, mailclient.ServerUser, p.backlog)
		return d
	}
	// work lets them go, and returns how long the first ones, so many as wait, took by the clock, and with
	// all of their share; meanwhile runs meanwhile.
	work := func(all []daemon, wait int, meanwhile func()) (clock, shared []time.Duration) {
		begin := time.Now()
		before := make([]time.Duration, wait)
		for i, d := range all[:wait] {
			before[i] = used(t, d.Cmd.Process.Pid)
		}
		for _, d := range all {
			if err := d.Cmd.Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
		}
		clock, shared = make([]time.Duration, wait), make([]time.Duration, wait)
		done := make(chan int)
		for i, d := range all[:wait] {
			go func() {
				clock[i] = drain(t, d.p.config, n).Sub(begin)
				shared[i] = time.Duration(float64(used(t, d.Cmd.Process.Pid)-before[i]) / share)
				done <- i
			}()
		}
		meanwhile()
		for range wait {
			<-done
		}
		return clock, shared
	}
	end := func(all ...daemon) {
		for _, d := range all {
			d.Kill()
			d.p.relay.CutAll()
		}
	}
	rate := func(d time.Duration) float64 { return float64(n) / d.Seconds() }
	ways := []string{"by the clock", "by what they used of their share"}
	times, longer := make([][]float64, len(ways)), make([][]float64, len(ways))
	for range *twoRounds { // what else the machine does changes from one to the next
		alone := ready(cages[0])
		oneClock, oneShared := work([]daemon{alone}, 1, func() {})
		end(alone)
		pair := []daemon{ready(cages[0]), ready(cages[1])}
		twoClock, twoShared := work(pair, 2, func() {})
		end(pair...)
		pair = []daemon{ready(cages[0]), ready(cages[1])}
		leftClock, leftShared := work(pair, 1, func() {
			time.Sleep(oneClock[0] / 3)
			pair[1].Kill()
		})
		end(pair[0])
		for i, by := range []struct{ one, two, left []time.Duration }{{oneClock, twoClock, leftClock}, {oneShared, twoShared, leftShared}} {
			times[i] = append(times[i], (rate(by.two[0])+rate(by.two[1]))/rate(by.one[0]))
			longer[i] = append(longer[i], by.left[0].Seconds()/((by.two[0]+by.two[1]).Seconds()/2)-1)
			t.Logf("turns a second with %v of a processor each, %s: one %.1f; two at once %.1f and %.1f, together %.2f times as many; one whose neighbour was killed after a third %.1f, its time %+.0f %%",
				share, ways[i], rate(by.one[0]), rate(by.two[0]), rate(by.two[1]), times[i][len(times[i])-1], rate(by.left[0]), 100*longer[i][len(longer[i])-1])
		}
	}
	for i, way := range ways {
		slices.Sort(times[i])
		slices.Sort(longer[i])
		times, longer := times[i][*twoRounds/2], longer[i][*twoRounds/2]
		t.Logf("%s, medians of %d rounds: %.2f times, %+.0f %%", way, *twoRounds, times, 100*longer)
		if *twoAims && times < 1.8 {
			t.Errorf("%s, two servers do %.2f times the turns of one, want 1.8", way, times)
		}
		if *twoAims && longer > 0.1 {
			t.Errorf("%s, a server takes %.0f %% longer once another one was killed, want 10 at most", way, 100*longer)
		}
	}
}
