package cost

import (
	"syscall"
	"time"
)

// clock is the processor's time that this thread has had: a machine busy with
// something else does not count.
func clock() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var used syscall.Rusage
	if err := syscall.Getrusage(thread, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
