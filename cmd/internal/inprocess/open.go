// Package inprocess opens servers in the test's own process. Such a server has a real
// database and no network: a test hands letters to Handle, where a mailbox would hand
// them, and reads those it writes from the queue (DB.Due, Queued or Render). Rebuild puts
// a clock, randomness or another store in the place of the real ones.
//
// Open starts one. A House is one with four players, two games under way and one that
// waits for a player; it reads back every letter that the server writes, by a second
// parser (readback.go).
package inprocess

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"angelpost/cmd/internal/commands"
	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
	"angelpost/engine/store"
	"angelpost/engine/token"
)

// The server's mail domain, its address, and its name in Authentication-Results.
const (
	Domain   = "play.example.org"
	Address  = "angelpost@" + Domain
	Authserv = "mx.play.example.org"
)

// Open returns a server over a database of the test's own, with the
// configuration that `init` writes, less its limit on answers, and what settings
// changes of that. It is closed when the test ends.
func Open(t testing.TB, settings func(*server.Config)) *server.Server {
	t.Helper()
	path := filepath.Join(t.TempDir(), "angelpost.toml")
	if code := commands.Run([]string{"init", "-config", path}, io.Discard, io.Discard); code != program.ExitYes {
		t.Fatalf("init: exit %d", code)
	}
	c, err := server.LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Address, c.AuthservID, c.AnswersPerDay = "angelpost+{token}@"+Domain, Authserv, 1<<30
	if settings != nil {
		settings(c)
	}
	s, err := server.Open(context.Background(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	SetTokenKey(t, s)
	return s
}

// TokenKey makes the tokens of servers that SetTokenKey was called with.
var TokenKey = token.Key{N: 2, Key: [32]byte{1}}

// SetTokenKey has a server make the same tokens as others in the same case. A copy of such a
// server's database has the key already.
func SetTokenKey(t testing.TB, s *server.Server) {
	t.Helper()
	err := s.DB.Update(context.Background(), func(tx store.Tx) error {
		keys, err := tx.TokenKeys()
		if err != nil || slices.ContainsFunc(keys, func(k store.TokenKey) bool { return k.Key.N == TokenKey.N }) {
			return err
		}
		return tx.AddTokenKey(store.TokenKey{Key: TokenKey, Since: time.Now()})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TokenAddress returns the server's address with a token.
func TokenAddress(token string) string { return "angelpost+" + token + "@" + Domain }
