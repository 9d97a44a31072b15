package letter

import (
	"strings"
	"testing"
	"time"
)

// TestReceivedBy: only the topmost Received field counts, and only if a host of the settings
// added it.
func TestReceivedBy(t *testing.T) {
	then := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	mx := "Received: from x.example (x.example [192.0.2.1])\r\n\tby mx.play.example (Postfix) with ESMTPS id 1\r\n\tfor <a@play.example>; Fri, 27 Nov 2026 10:00:00 +0100 (CET)\r\n"
	forged := strings.Replace(mx, "10:00", "08:00", 1)
	other := "Received: by other.example; Fri, 27 Nov 2026 08:00:00 +0000\r\n"
	hosts := []string{"mx.play.example"}
	for _, c := range []struct {
		name, head string
		hosts      []string
		ok         bool
	}{
		{"a host of the settings", mx, hosts, true},
		{"in another case, with a dot", mx, []string{"MX.Play.Example."}, true},
		{"below fields of final delivery", "Return-Path: <x@x.example>\r\nDelivered-To: a@play.example\r\n" + mx, hosts, true},
		{"above one that the sender wrote", mx + forged, hosts, true},
		{"no host is named", mx, nil, false},
		{"below another host's", other + mx, hosts, false},
		{"another host that says so in a comment", "Received: from a (by mx.play.example ) by evil.example; Fri, 27 Nov 2026 08:00:00 +0000\r\n", hosts, false},
		{"another host behind whose name it stands", "Received: by evil.example by mx.play.example; Fri, 27 Nov 2026 08:00:00 +0000\r\n", hosts, false},
		{"no Received", "Date: Fri, 27 Nov 2026 08:00:00 +0000\r\n", hosts, false},
		{"no time", "Received: by mx.play.example\r\n", hosts, false},
		{"a time that cannot be read", "Received: by mx.play.example; yesterday\r\n", hosts, false},
		{"nothing behind by", "Received: from x by; Fri, 27 Nov 2026 08:00:00 +0000\r\n", hosts, false},
	} {
		at, ok := ReceivedBy([]byte(c.head+"Date: Thu, 1 Jan 1970 00:00:00 +0000\r\n\r\nB\r\n"), c.hosts)
		if ok != c.ok || ok && !at.Equal(then) {
			t.Errorf("%s: %v, %v", c.name, at, ok)
		}
	}
}
