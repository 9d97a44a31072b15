//go:build real

package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
	"angelpost/db"
	"angelpost/db/replica/litestream"
)

// TestDoctorTriesReplica: on the machine that serves, doctor restores the replica. It reports
// a replica that is damaged, although Litestream has copied everything, and one that is gone.
// It leaves no files behind.
func TestDoctorTriesReplica(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	dir := t.TempDir()
	file, copies := filepath.Join(dir, "angelpost.toml"), filepath.Join(dir, "copies")
	if out, code := program.Output(t, "init", "-config", file, "-data", dir); code != program.ExitYes {
		t.Fatalf("init: %d %s", code, out)
	}
	c, err := server.LoadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), c.Path(c.Database))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	l := litestream.Start(t, c.Path(c.Database), "file://"+filepath.Join(copies, "0"), "")
	c.Replica = server.ReplicaConfig{Litestream: l.Socket, Away: "wait", URL: "file://" + copies}
	l.Fill(t)
	if p := checkReplica(t.Context(), c); p != nil {
		t.Fatalf("a good one: %v", p.err)
	}
	litestream.Spoil(t, copies)
	told := func(what string) {
		t.Helper()
		p := checkReplica(t.Context(), c)
		if p == nil || p.warn || !strings.Contains(fmt.Sprint(p.err), "litestream restore: ") || !strings.Contains(p.mend, "copies all of it again") {
			t.Errorf("%s: %+v", what, p)
		}
	}
	told("a damaged one")
	if err := os.RemoveAll(copies); err != nil {
		t.Fatal(err)
	}
	told("one that is gone")
	if left, _ := filepath.Glob(filepath.Join(dir, ".angelpost-replica-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	t.Setenv("PATH", "")
	if p := checkReplica(t.Context(), c); p == nil || !p.warn {
		t.Errorf("without Litestream in the PATH: %+v", p)
	}
}
