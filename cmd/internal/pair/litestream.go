package pair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
)

// Litestream as a standby runs it.

// A child is a process that ends when ctx ends, and with this one, however that dies.
func child(ctx context.Context, stderr io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = stderr, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	cmd.SysProcAttr = dieWithParent()
	// The kernel takes the thread that started it for its parent.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil
	}
	if err == nil {
		err = errors.New("it ended")
	}
	return fmt.Errorf("%s: %w", name, err)
}

// keepRunning runs a child again and again until ctx ends.
func keepRunning(ctx context.Context, log func(error), run func(context.Context) error) {
	for ctx.Err() == nil {
		if err := run(ctx); err != nil && ctx.Err() == nil {
			log(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// replicate has Litestream copy the database to the place of an epoch until ctx ends. What
// Litestream remembers of a place is in a folder for each.
func replicate(ctx context.Context, c *server.Config, epoch int64, log func(error), stderr io.Writer) error {
	path, err := filepath.Abs(c.Path(c.Database))
	if err != nil {
		return err
	}
	memory := fmt.Sprintf("%s-litestream-%d", path, epoch)
	old, err := filepath.Glob(path + "-litestream-*")
	for _, name := range old {
		if name != memory && strings.TrimLeft(strings.TrimPrefix(name, path+"-litestream-"), "0123456789") == "" {
			err = errors.Join(err, os.RemoveAll(name))
		}
	}
	if err != nil {
		return cli.BadEnvironment(err)
	}
	config, err := c.WriteLitestream(path+"-litestream.yml", map[string]any{"path": path, "meta-path": memory}, epoch,
		map[string]any{"socket": map[string]any{"enabled": true, "path": c.Path(c.Replica.Litestream)}})
	if err != nil {
		return cli.BadEnvironment(err)
	}
	keepRunning(ctx, log, func(ctx context.Context) error {
		return child(ctx, stderr, server.Litestream, "replicate", "-config", config, "-no-expand-env")
	})
	return nil
}

// A follower keeps a copy of the database of a server elsewhere.
type follower struct {
	c      *server.Config
	file   string // the copy, in a folder of its own that no one else may enter
	log    func(error)
	stderr io.Writer
	round  *round // of pages
}

// follow keeps the copy as the place of an epoch has it, until ctx ends.
func (f follower) follow(ctx context.Context, epoch int64) {
	keepRunning(ctx, f.log, func(ctx context.Context) error {
		if err := f.begin(epoch); err != nil {
			return err
		}
		config, err := f.c.WriteLitestream(f.file+".yml", map[string]any{"path": f.file}, epoch, nil)
		if err != nil {
			return err
		}
		began := time.Now()
		err = child(ctx, f.stderr, server.Litestream, "restore", "-f", "-follow-interval", "500ms", "-config", config, "-no-expand-env", "-o", f.file, f.file)
		if err == nil || time.Since(began) >= 5*time.Second {
			return err
		}
		if copies, e := f.c.Copies(ctx, epoch); e != nil || !copies.Whole {
			server.SleepFor(ctx, standbyTell)
			return errors.Join(err, e) // there may be no other copy any more
		}
		return errors.Join(err, f.forget()) // it cannot go on with what there is
	})
}

// begin makes room for the copy, unless the one there is of this epoch: Litestream goes on
// with that.
func (f follower) begin(epoch int64) error {
	of := f.file + "-epoch"
	text, err := os.ReadFile(of)
	if err == nil && string(text) == fmt.Sprint(epoch) {
		return nil
	}
	if err := errors.Join(f.forget(), os.MkdirAll(filepath.Dir(f.file), 0o700)); err != nil {
		return err
	}
	return os.WriteFile(of, fmt.Append(nil, epoch), 0o600)
}

// forget removes the copy.
func (f follower) forget() (err error) {
	for _, suffix := range []string{"", "-txid", "-wal", "-shm", "-epoch", "-journal"} {
		if e := os.Remove(f.file + suffix); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// has is up to which transaction, by Litestream's count, the copy has come; 0: there is none.
func (f follower) has() uint64 {
	text, err := os.ReadFile(f.file + "-txid")
	if err != nil {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 16, 64)
	if err != nil {
		return 0
	}
	return n
}

// of is the epoch of the copy; 0: there is none.
func (f follower) of() int64 {
	text, err := os.ReadFile(f.file + "-epoch")
	if err != nil || f.has() == 0 {
		return 0
	}
	epoch, _ := strconv.ParseInt(string(text), 10, 64)
	return epoch
}

// Why a machine cannot follow.
var (
	errNoCopies = errors.New("the replica has no copies")
	errGone     = errors.New("the replica has lost the copies that this machine followed")
)

// find returns the place to follow, which is the last one up to the epoch of a claim that has copies. An
// epoch has none if its server died, or was stopped, before it acknowledged anything. But if the one that
// this machine followed has none any more, the one before is older than what was acknowledged.
func (f follower) find(ctx context.Context, epoch int64) (int64, server.Copies, error) {
	had := f.of()
	for e := epoch; e > 0 && e > epoch-maxEmpty; e-- {
		copies, err := f.c.Copies(ctx, e)
		if err != nil || copies.Last > 0 {
			return e, copies, err
		}
		if e == had {
			return e, copies, errGone
		}
	}
	return 0, server.Copies{}, fmt.Errorf("%w for claim %d, nor for those before it", errNoCopies, epoch)
}

// maxEmpty is how many epochs in a row may have no copies.
const maxEmpty = 20
