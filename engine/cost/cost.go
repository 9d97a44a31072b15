// Package cost measures what a call costs, for tests and fuzz targets that
// bound it.
package cost

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// The bounds of one letter of permitted size, and of all else that is read
// from outside.
const (
	MaxTime  = time.Second
	MaxBytes = 64 << 20
)

// Of runs f and returns how much of a processor's time it took and how many
// bytes it allocated in all, freed or not: at least what it had in memory at any
// moment. f must not start goroutines; what others allocate meanwhile counts.
func Of(f func()) (time.Duration, uint64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	began := clock()
	f()
	took := clock() - began
	metrics.Read(sample)
	return took, sample[0].Value.Uint64() - before
}

// Within fails the test if f costs more than MaxTime or MaxBytes. Machines and
// builds differ: f is too slow when it was so three times in a row, and outside
// `go test -fuzz` only when it took ten times as long.
func Within(t testing.TB, f func()) {
	t.Helper()
	most := 10 * MaxTime
	if fuzz := flag.Lookup("test.fuzz"); fuzz != nil && fuzz.Value.String() != "" {
		most = MaxTime
	}
	took, bytes := Of(f)
	for range 2 {
		if took <= most {
			break
		}
		again, _ := Of(f)
		took = min(took, again)
	}
	if took > most || bytes > MaxBytes {
		t.Errorf("it took %v and %s, at most %v and %s are allowed", took, mib(bytes), most, mib(MaxBytes))
	}
}

func mib(n uint64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
