//go:build real

package litestream

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// s3Version is the version of gofakes3, a server that speaks S3, with conditional writes. Like
// Litestream it comes from the Go module proxy, and Angelpost does not include it.
const s3Version = "v1.2.0"

// Bucket is the one that StartS3's server has.
const Bucket = "angelpost"

// StartS3 starts a server that speaks S3, and returns its address. It takes any keys.
func StartS3(t testing.TB) (addr string) {
	t.Helper()
	program, err := installed("gofakes3", "github.com/johannesboyne/gofakes3/cmd/gofakes3", s3Version)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = l.Addr().String()
	l.Close()
	log, err := os.Create(filepath.Join(t.TempDir(), "gofakes3.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, "-backend", "memory", "-autobucket", "-initialbucket", Bucket, "-host", addr)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for over := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return addr
		}
		if time.Now().After(over) {
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("gofakes3 did not come up:\n%s", text)
		}
	}
}
