//go:build real

package main

import (
	"os"
	"runtime/pprof"
	"time"
)

func init() {
	path := os.Getenv("ANGELPOST_PROFILE")
	if path == "" || os.Getenv("ANGELPOST_TEST_RUN") == "" {
		return
	}
	f, _ := os.Create(path)
	pprof.StartCPUProfile(f)
	secs, _ := time.ParseDuration(os.Getenv("ANGELPOST_PROFILE_FOR"))
	time.AfterFunc(secs, func() { pprof.StopCPUProfile(); f.Close() })
}
