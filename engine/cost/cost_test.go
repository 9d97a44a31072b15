package cost

import (
	"testing"
	"time"
)

var sink []byte

func TestOf(t *testing.T) {
	took, bytes := Of(func() {
		for range 10 {
			sink = make([]byte, 1<<20)
		}
		for began := time.Now(); time.Since(began) < 20*time.Millisecond; {
		}
	})
	if took <= 0 || bytes < 10<<20 || bytes > 11<<20 {
		t.Errorf("%v, %d bytes", took, bytes)
	}
}
