package pair

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"angelpost/cmd/internal/server"
)

// TestFind: a machine follows the last epoch that has copies in the replica, and never one
// older than its own copy.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	program := "#!/bin/sh\nurl=$(grep -o 'file://[^\"]*' \"$6\")\ncat \"${url#file://}/list\" 2>/dev/null || echo '[]'\n"
	if err := os.WriteFile(filepath.Join(dir, "litestream"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for name, x := range map[string]struct {
		had    int64 // the epoch of the machine's own copy
		places map[int64]int
		claim  int64
		want   int64
		err    error
	}{
		"the first one":                      {0, map[int64]int{1: 5}, 1, 1, nil},
		"its server has copied nothing yet":  {3, map[int64]int{2: 9, 3: 5}, 4, 3, nil},
		"a new one":                          {3, map[int64]int{2: 9, 3: 5, 4: 1}, 4, 4, nil},
		"none":                               {0, nil, 2, 0, errNoCopies},
		"the one it followed is gone":        {3, map[int64]int{2: 9}, 3, 3, errGone},
		"and its server was replaced":        {3, map[int64]int{2: 9}, 5, 3, errGone},
		"gone, and its successor has copies": {3, map[int64]int{2: 9, 4: 6}, 4, 4, nil},
		"numbers that have begun anew":       {7, map[int64]int{1: 3}, 1, 1, nil},
		"a number that no server has":        {3, map[int64]int{3: 5}, 1 << 53, 0, errNoCopies},
		"no claim":                           {3, map[int64]int{3: 5}, 0, 0, errNoCopies},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := follower{c: &server.Config{Replica: server.ReplicaConfig{URL: "file://" + dir}}, file: filepath.Join(dir, "games.db")}
			files := map[string]string{}
			for e, last := range x.places {
				files[fmt.Sprint(e, "/list")] = fmt.Sprintf(`[{"min_txid":"1","max_txid":"%x"}]`, last)
			}
			if x.had > 0 {
				files["games.db-txid"], files["games.db-epoch"] = "0000000000000004\n", fmt.Sprint(x.had)
			}
			for path, text := range files {
				path = filepath.Join(dir, path)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			got, copies, err := f.find(t.Context(), x.claim)
			if got != x.want || !errors.Is(err, x.err) || x.err == nil && err != nil || err == nil && int(copies.Last) != x.places[got] {
				t.Errorf("%d, %+v, %v", got, copies, err)
			}
		})
	}
}

// TestUnusable: a machine takes over only if it has all that the replica has, and the replica
// has no less than the machine's own copy.
func TestUnusable(t *testing.T) {
	for _, x := range []struct {
		copies server.Copies
		has    uint64
		still  bool
		fails  bool
		gone   bool
	}{
		{server.Copies{Last: 5, Whole: true}, 5, true, false, false},
		{server.Copies{Last: 5}, 5, true, false, false}, // the machine's own copy is whole
		{server.Copies{Last: 6, Whole: true}, 5, false, false, false},
		{server.Copies{Last: 6, Whole: true}, 5, true, true, false},
		{server.Copies{Last: 4, Whole: true}, 5, false, true, true},
		{server.Copies{}, 5, false, true, true},
		{server.Copies{Last: 6}, 0, false, true, false},
		{server.Copies{Last: 6, Whole: true}, 0, false, false, false},
	} {
		err := unusable(x.copies, x.has, x.still)
		if (err != nil) != x.fails || errors.Is(err, errGone) != x.gone {
			t.Errorf("%+v: %v", x, err)
		}
	}
}
