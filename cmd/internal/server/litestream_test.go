package server

import "testing"

// TestReplicaAt: the copies of an epoch have a place of their own, whatever else the URL says.
func TestReplicaAt(t *testing.T) {
	c := Config{Replica: ReplicaConfig{URL: "s3://bucket/a?endpoint=example.org"}}
	if got := c.ReplicaAt(12); got != "s3://bucket/a/12?endpoint=example.org" {
		t.Error(got)
	}
}
