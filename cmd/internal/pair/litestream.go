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

// How a standby runs Litestream.

// child runs a process that ends when ctx ends. It also ends when this process dies, however
// that happens.
func child(ctx context.Context, stderr io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = stderr, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	cmd.SysProcAttr = dieWithParent()
	// The kernel counts the thread that starts the child as its parent, so that thread must
	// live as long as the child.
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

// keepRunning calls run again and again until ctx ends, with a pause of a second.
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

// replicate has Litestream copy the database to the epoch's place in the replica until ctx
// ends. What Litestream remembers about each epoch is in a folder of its own; replicate
// removes the folders of other epochs.
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

// A follower keeps a copy of another server's database up to date.
type follower struct {
	c      *server.Config
	file   string // the copy, in its own folder, which no other user may enter
	log    func(error)
	stderr io.Writer
	round  *round // progress of pages; nil for a standby
}

// follow keeps the copy like the epoch's place in the replica, until ctx ends.
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
			return errors.Join(err, e) // keep the copy: it may be the only one left
		}
		return errors.Join(err, f.forget()) // Litestream cannot continue with this copy: start again
	})
}

// begin removes a copy of another epoch. It keeps a copy of this one, because Litestream
// continues with it.
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

// forget removes the copy and all that belongs to it.
func (f follower) forget() (err error) {
	for _, suffix := range []string{"", "-txid", "-wal", "-shm", "-epoch", "-journal"} {
		if e := os.Remove(f.file + suffix); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// has returns the last transaction in the copy, by Litestream's count; 0 if there is no copy.
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

// of returns the epoch of the copy; 0 if there is no copy.
func (f follower) of() int64 {
	text, err := os.ReadFile(f.file + "-epoch")
	if err != nil || f.has() == 0 {
		return 0
	}
	epoch, _ := strconv.ParseInt(string(text), 10, 64)
	return epoch
}

// The reasons why a machine cannot follow.
var (
	errNoCopies = errors.New("the replica has no copies")
	errGone     = errors.New("the replica has lost the copies that this machine followed")
)

// find returns the epoch to follow, the last one up to a claim's epoch that has copies in the
// replica, and those copies. An epoch has no copies if its server died or was stopped before
// it acknowledged anything. But if the epoch that this machine followed has lost its copies,
// find returns errGone: the epoch before is older than what its server has acknowledged.
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
