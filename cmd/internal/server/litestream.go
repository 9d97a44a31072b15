package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/db"
)

// Litestream is the command's name.
const Litestream = "litestream"

// ReplicaAt is where the copies of the server with the claim of an epoch go: a place of its own under
// replica.url. So a server that was replaced, and does not know it yet, cannot spoil what its
// successor copies.
func (c *Config) ReplicaAt(epoch int64) string {
	u, err := url.Parse(c.Replica.URL)
	if err != nil {
		return "" // check refuses it
	}
	return u.JoinPath(strconv.FormatInt(epoch, 10)).String()
}

// WriteLitestream writes a configuration of Litestream's for a database and the place of an
// epoch. It is a file that no one else may read: the URL may hold a password, which does
// not belong on a command line.
func (c *Config) WriteLitestream(file string, database map[string]any, epoch int64, more map[string]any) (string, error) {
	all := map[string]any{"dbs": []any{database}}
	database["replica"] = map[string]any{"url": c.ReplicaAt(epoch)}
	maps.Copy(all, more)
	text, err := json.Marshal(all) // which is YAML, too
	if err != nil {
		return "", err
	}
	// Others may be reading the one before.
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)) // its mode is 0600
	if err != nil {
		return "", err
	}
	_, err = part.Write(text)
	return file, errors.Join(err, part.Close(), os.Rename(part.Name(), file))
}

// Copies is what the place of an epoch has, by Litestream's count of transactions.
type Copies struct {
	Last  uint64 // up to which one it has copies; 0: it has none
	Whole bool   // it has them from the first one on, so that they make a database
}

// Copies looks what the place of an epoch has. It asks for a list alone: whether the files can be read
// RestoreReplica tells.
func (c *Config) Copies(ctx context.Context, epoch int64) (Copies, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	const name = "database"
	folder, err := os.MkdirTemp("", "angelpost-") // others may write where it is
	if err != nil {
		return Copies{}, err
	}
	defer os.RemoveAll(folder)
	config, err := c.WriteLitestream(filepath.Join(folder, "litestream.yml"), map[string]any{"path": name}, epoch, nil)
	if err != nil {
		return Copies{}, err
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, Litestream, "ltx", "-json", "-level", "all", "-config", config, "-no-expand-env", name)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return Copies{}, fmt.Errorf("litestream ltx: %w: %.300s", err, strings.TrimSpace(errs.String()))
	}
	copies, err := readCopies(out.Bytes())
	if err != nil {
		return Copies{}, fmt.Errorf("litestream ltx: %w", err)
	}
	return copies, nil
}

// readCopies reads Litestream's list of files, each of which has the transactions from one to another.
func readCopies(list []byte) (c Copies, err error) {
	var files []struct {
		From string `json:"min_txid"`
		To   string `json:"max_txid"`
	}
	if err := json.Unmarshal(list, &files); err != nil {
		return c, err
	}
	type span struct{ from, to uint64 }
	spans := make([]span, len(files))
	for i, f := range files {
		var e error
		spans[i].from, err = strconv.ParseUint(f.From, 16, 64)
		spans[i].to, e = strconv.ParseUint(f.To, 16, 64)
		if err := errors.Join(err, e); err != nil {
			return c, err
		}
		c.Last = max(c.Last, spans[i].to)
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	reach := uint64(0)
	for _, s := range spans {
		if s.from <= reach+1 {
			reach = max(reach, s.to)
		}
	}
	c.Whole = c.Last > 0 && reach == c.Last
	return c, nil
}

// ErrNoRoom is returned where restoring the replica could fill the database's disk.
var ErrNoRoom = errors.New("its disk has too little room for a copy of the database")

// RestoreReplica makes a database of the replica, next to the one there is, and deletes it again. Its
// error says why that does not work, or what is wrong with it: the replica is damaged, or another
// database's. Without replica.url Litestream's own configuration must say where the replica is.
func (c *Config) RestoreReplica(ctx context.Context) (err error) {
	path, err := filepath.Abs(c.Path(c.Database))
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if free, _, err := room(filepath.Dir(path)); err != nil || free < 2*uint64(info.Size())+minRoom {
		return errors.Join(ErrNoRoom, err)
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".angelpost-replica-") // its mode is 0700
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	restored := filepath.Join(folder, "restored.db")
	args := []string{"restore", "-o", restored}
	if c.Replica.URL != "" {
		what, _, err := db.Remembered(path)
		if err != nil {
			return err
		}
		config, err := c.WriteLitestream(filepath.Join(folder, "litestream.yml"), map[string]any{"path": path}, ReadTerm(what).Epoch, nil)
		if err != nil {
			return err
		}
		args = append(args, "-config", config, "-no-expand-env")
	}
	out, err := exec.CommandContext(ctx, Litestream, append(args, path)...).CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		said := strings.TrimSpace(string(out))
		return fmt.Errorf("litestream restore: %w: %.300s", err, said[strings.LastIndexByte(said, '\n')+1:])
	}
	own, err := identity(ctx, path, false)
	if err != nil {
		return err
	}
	its, err := identity(ctx, restored, true)
	if err == nil && its != own {
		err = errors.New("the replica is another database's")
	}
	return err
}

// identity is the id of the database at path, in which SQLite finds no damage if it is to check.
func identity(ctx context.Context, path string, check bool) (id string, err error) {
	d, err := db.OpenAsIs(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if check {
		if err := d.Check(ctx); err != nil {
			return "", err
		}
	}
	return d.ID(ctx)
}
