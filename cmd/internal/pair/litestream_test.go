package pair

import (
	"testing"

	"angelpost/cmd/internal/server"
)

// TestPlace: the copies of an epoch have a place of their own, whatever else the URL says.
func TestPlace(t *testing.T) {
	c := server.Config{Replica: server.ReplicaConfig{URL: "s3://bucket/a?endpoint=example.org"}}
	if got := place(&c, 12); got != "s3://bucket/a/12?endpoint=example.org" {
		t.Error(got)
	}
}
