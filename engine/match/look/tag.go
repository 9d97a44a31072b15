package look

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"angelpost/engine"
	"angelpost/engine/game"
)

// A tagKey identifies a game's log at some length, redacted for a viewer.
type tagKey struct {
	game   string
	viewer engine.Seat
	steps  int
	over   bool
}

const maxTags = 4096 // kept

// logTag returns the hash of p's whole log as redacted for viewer, cached until the game
// changes.
func (h *Host) logTag(gameID string, p *game.Replay, viewer engine.Seat) [sha256.Size]byte {
	if h == nil {
		return hashLog(p, viewer)
	}
	key := tagKey{gameID, viewer, p.Step(), p.Over()}
	h.mu.Lock()
	tag, ok := h.tags[key]
	h.mu.Unlock()
	if ok {
		return tag
	}
	tag = hashLog(p, viewer)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tags == nil || len(h.tags) >= maxTags {
		h.tags = map[tagKey][sha256.Size]byte{}
	}
	h.tags[key] = tag
	return tag
}

func hashLog(p *game.Replay, viewer engine.Seat) (tag [sha256.Size]byte) {
	sum := sha256.New()
	var b []byte
	for _, l := range p.Lines {
		if !p.Over() {
			l = p.Redact(l, viewer)
		}
		b = append(game.HashLine(b[:0], l), l.By...)
		sum.Write(append(b, '\n'))
	}
	sum.Sum(tag[:0])
	return tag
}

// Tag returns a hash of the whole log as redacted for the view's viewer, and of all else in a
// GameView. If two tags are equal, so are all pages of the game, except for the address to
// which an answer goes.
func (g *GameView) Tag() string {
	h := sha256.New()
	if g.whole != nil {
		log := g.host.logTag(g.ID, g.whole, g.Viewer)
		h.Write(log[:])
	}
	r := &g.GameInfo
	fmt.Fprintf(h, "%q %d %q %q %q %v %q %q %v %d %d %v %v", r.ID, g.Viewer, r.State, r.Name, r.Visibility, r.Options, r.Seed, g.Names, r.Joined,
		r.Started.Unix(), r.Changed.Unix(), r.Deadlines, r.Paused)
	fmt.Fprintf(h, " %v", g.Rulings) // names in them may have changed
	if r.League != nil {
		fmt.Fprintf(h, " %v", *r.League)
	}
	return hex.EncodeToString(h.Sum(nil))
}
