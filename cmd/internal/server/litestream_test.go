package server

import (
	"fmt"
	"strings"
	"testing"
)

// TestReplicaAt: the copies of an epoch have a place of their own, whatever else the URL says.
func TestReplicaAt(t *testing.T) {
	c := Config{Replica: ReplicaConfig{URL: "s3://bucket/a?endpoint=example.org"}}
	if got := c.ReplicaAt(12); got != "s3://bucket/a/12?endpoint=example.org" {
		t.Error(got)
	}
}

// TestReadCopies: copies make a database if none is missing from the first transaction on, whatever files they
// are in.
func TestReadCopies(t *testing.T) {
	for spans, want := range map[string]Copies{
		"":                  {},
		"1-1":               {1, true},
		"1-3 2-2 3-3 4-4":   {4, true},
		"4-4 3-3 1-2":       {4, true},
		"1-a 1-2 b-14":      {20, true},
		"6-9":               {9, false},
		"1-3 5-5":           {5, false},
		"1-3 1-9 b-c":       {12, false},
		"1-2 2-5 4-4 6-6":   {6, true},
		"2-2 3-3 9-9 1-1":   {9, false},
		"8-8 9-9 1-b b-b":   {11, true},
		"1-1 2-2 3-3 3-100": {256, true},
	} {
		var files []string
		for _, s := range strings.Fields(spans) {
			from, to, _ := strings.Cut(s, "-")
			files = append(files, fmt.Sprintf(`{"level":0,"min_txid":"%016s","max_txid":"%016s","size":1}`, from, to))
		}
		if got, err := readCopies([]byte("[" + strings.Join(files, ",") + "]")); got != want || err != nil {
			t.Errorf("%s: %+v %v, want %+v", spans, got, err, want)
		}
	}
	for _, bad := range []string{"", "no", `[{"min_txid":"x","max_txid":"1"}]`, `[{"min_txid":"1"}]`} {
		if got, err := readCopies([]byte(bad)); err == nil {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}
