package web

import (
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// How often the server answers one client's wrong keys with "not found": this burst,
// then one every so often; in between with "too many requests". A right key opens its
// page all the same: others at the same address may have guessed, and no one finds
// 128 bits by asking.
const (
	keyBurst = 30
	keyEvery = 10 * time.Second
)

// keyLimited marks addresses that hold a secret, so that refuse limits how often a
// client asks for wrong ones.
func (s Server) keyLimited(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if rec, ok := w.(*recorder); ok {
			rec.keyLimited = true
		}
		next(w, r)
	}
}

// thisMachine is what is trusted to be a proxy unless others are named.
var thisMachine = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// clientOf returns the origin of a request: its address, or for IPv6 the network of 64 bits
// that one subscriber has. Each proxy adds to X-Forwarded-For the address that it got the
// request from. So clientOf reads that field from its end, as long as it trusts the proxy that
// added the entry; it ignores what a client has written there itself.
func (s Server) clientOf(r *http.Request) netip.Prefix {
	at := addressIn(r.RemoteAddr)
	told := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for told != "" && s.trusts(at) {
		i := strings.LastIndexByte(told, ',')
		before := addressIn(strings.TrimSpace(told[i+1:]))
		if !before.IsValid() {
			break
		}
		at, told = before, told[:max(i, 0)]
	}
	bits := 64
	if at.Is4() || at.IsLoopback() {
		bits = at.BitLen()
	}
	p, err := at.Prefix(bits)
	if err != nil { // no address: all such are one
		return netip.Prefix{}
	}
	return p
}

// trusts reports whether we believe a proxy at an address.
func (s Server) trusts(at netip.Addr) bool {
	for _, network := range s.TrustedProxies {
		if network.Contains(at) {
			return true
		}
	}
	return false
}

// addressIn reads an IP address with or without a port.
func addressIn(s string) netip.Addr {
	at, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		with, err := netip.ParseAddrPort(s)
		if err != nil {
			return netip.Addr{}
		}
		at = with.Addr()
	}
	return at.Unmap().WithZone("")
}
