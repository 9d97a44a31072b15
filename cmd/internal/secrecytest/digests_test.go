package secrecytest

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/game"
)

// hidden is what viewer may not see after line n, as somebody who knows it, or
// tries all there can be, might write it down: the seed, the log, the others'
// hands, what each pile and die gives next, and piles as they were shuffled.
func (g *recordedGame) hidden(t testing.TB, viewer engine.Seat, n int) (out map[string][]byte) {
	t.Helper()
	out = map[string][]byte{"seed": g.head.Seed[:], "seed in hex": fmt.Appendf(nil, "%x", g.head.Seed), "half the seed": g.head.Seed[:16]}
	list := func(name string, of []int) {
		if len(of) == 0 {
			return
		}
		sorted := slices.Sorted(slices.Values(of))
		for name, of := range map[string][]int{name: of, name + ", sorted": sorted} {
			raw := make([]byte, len(of))
			plain, padded := make([]string, len(of)), make([]string, len(of))
			for i, x := range of {
				raw[i], plain[i], padded[i] = byte(x), strconv.Itoa(x), fmt.Sprintf("%03d", x)
			}
			out[name+" as octets"] = raw
			text, err := json.Marshal(of)
			if err != nil {
				t.Fatal(err)
			}
			out[name+" as JSON"] = text
			for _, sep := range []string{"", " ", ",", ", ", "\n"} {
				out[name+" with "+strconv.Quote(sep)] = []byte(strings.Join(plain, sep))
				out[name+" padded with "+strconv.Quote(sep)] = []byte(strings.Join(padded, sep))
			}
		}
	}
	for seat := engine.Seat(1); int(seat) <= len(g.head.Names); seat++ {
		if seat == viewer {
			continue
		}
		var hand []int
		for _, c := range g.look(t, n).View(seat).Players[seat-1].Cards {
			hand = append(hand, int(c))
			list("a card in a hand", []int{int(c)})
		}
		list(fmt.Sprintf("the hand of %d", seat), hand)
	}
	var next [piles][]int
	var rolls [3][]int
	for _, events := range g.events[n+1:] {
		for _, e := range events {
			if e.Kind == engine.EvRolled {
				rolls[e.Color] = append(rolls[e.Color], int(e.Value))
			}
			if !drawsFrom(e) {
				continue
			}
			for _, x := range named(e) {
				if p := pileOf(g.set, x); p >= 0 {
					next[p] = append(next[p], int(x)%100)
				}
			}
		}
	}
	for p := range piles {
		if len(next[p]) > 0 {
			list(fmt.Sprintf("the top of pile %d", p), next[p][:1])
		}
		list(fmt.Sprintf("what pile %d gives", p), next[p])
		var order []int
		for _, x := range g.shuffled[p][0].order {
			order = append(order, int(x)%100)
		}
		list(fmt.Sprintf("pile %d", p), order)
		slices.Reverse(order)
		list(fmt.Sprintf("pile %d from the top", p), order)
	}
	for c, of := range rolls {
		if len(of) > 0 {
			list(fmt.Sprintf("the next roll of die %d", c), of[:1])
			list(fmt.Sprintf("the next rolls of die %d", c), of)
		}
	}
	var lines, last bytes.Buffer
	for i, l := range g.lines[:n] {
		fmt.Fprintln(&lines, l.Order)
		if i == n-1 {
			fmt.Fprint(&last, l.Order)
		}
	}
	out["the log"], out["its last line"] = lines.Bytes(), last.Bytes()
	out["the log with what was told"] = []byte(game.LogHash(g.lines[:n]))
	return out
}

// digests are the usual ones, short and long.
func digests(keys [][]byte) map[string]func() hash.Hash {
	out := map[string]func() hash.Hash{
		"MD5": md5.New, "SHA-1": sha1.New, "SHA-256": sha256.New, "SHA-224": sha256.New224, "SHA-512": sha512.New, "SHA-384": sha512.New384, "SHA-512/256": sha512.New512_256,
		"FNV-1": func() hash.Hash { return fnv.New64() }, "FNV-1a": func() hash.Hash { return fnv.New64a() }, "FNV-1a, 32": func() hash.Hash { return fnv.New32a() },
		"FNV-1, 32": func() hash.Hash { return fnv.New32() }, "FNV-1a, 128": func() hash.Hash { return fnv.New128a() },
		"CRC-32": func() hash.Hash { return crc32.NewIEEE() }, "CRC-32C": func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) },
		"CRC-64": func() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) }, "Adler-32": func() hash.Hash { return adler32.New() },
		"none": func() hash.Hash { return plainly{new(bytes.Buffer)} },
	}
	for _, key := range keys {
		out[fmt.Sprintf("HMAC with %.40q", key)] = func() hash.Hash { return hmac.New(sha256.New, key) }
	}
	return out
}

// plainly is a digest that hides nothing.
type plainly struct{ *bytes.Buffer }

func (p plainly) Sum(b []byte) []byte { return append(b, p.Bytes()...) }
func (plainly) Size() int             { return 0 }
func (plainly) BlockSize() int        { return 1 }

// spelt are the ways to write a digest down.
func spelt(sum []byte) []string {
	out := []string{hex.EncodeToString(sum), strings.ToLower(base32.StdEncoding.EncodeToString(sum)), base32.HexEncoding.EncodeToString(sum),
		base64.StdEncoding.EncodeToString(sum), base64.URLEncoding.EncodeToString(sum)}
	if len(sum) == 4 || len(sum) == 8 {
		n, err := strconv.ParseUint(out[0], 16, 64)
		if err == nil {
			out = append(out, strconv.FormatUint(n, 10), strconv.FormatUint(n, 36))
		}
	}
	return out
}

// shortest is how many characters of a digest count as one: of fewer, one in
// some hundred million, chance would find some.
const shortest = 8

// scrap is what may be a digest, or what is left of one.
var scrap = regexp.MustCompile(`[0-9A-Za-z+/_-]{8,}`)

// guessed names every string in texts that is a digest of something hidden, the
// beginning or the end of one, in lower case, and says of what. salts are what
// the viewer knows and somebody might have mixed in.
func guessed(texts []string, hidden map[string][]byte, salts []string) map[string]string {
	out := map[string]string{}
	begin, end := map[string][]string{}, map[string][]string{}
	seen := map[string]bool{}
	for _, text := range texts {
		for _, w := range scrap.FindAllString(outline.ReplaceAllString(text, " "), -1) {
			for _, w := range append(strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("+/_-", r) }), w) {
				if len(w) >= shortest && !seen[w] && strings.ContainsAny(w, "0123456789") {
					seen[w] = true
					w = strings.ToLower(w)
					begin[w[:shortest]] = append(begin[w[:shortest]], w)
					end[w[len(w)-shortest:]] = append(end[w[len(w)-shortest:]], w)
				}
			}
		}
	}
	keys := [][]byte{hidden["seed"]}
	for _, s := range salts {
		keys = append(keys, []byte(s))
	}
	all := digests(keys)
	tried := map[string]bool{}
	for what, value := range hidden {
		if tried[string(value)] {
			continue
		}
		tried[string(value)] = true
		messages := map[string][]byte{"": value}
		for _, s := range salts {
			for _, sep := range []string{"", ":", "/"} {
				messages[s+sep+"…"] = slices.Concat([]byte(s+sep), value)
				messages["…"+sep+s] = slices.Concat(value, []byte(sep+s))
			}
		}
		for how, new := range all {
			for mixed, m := range messages {
				h := new()
				h.Write(m)
				for _, s := range spelt(h.Sum(nil)) {
					s = strings.ToLower(strings.TrimRight(s, "="))
					if len(s) < shortest {
						continue
					}
					for _, w := range begin[s[:shortest]] {
						if strings.HasPrefix(s, w) || strings.HasPrefix(w, s) {
							out[w] = fmt.Sprintf("%s of %s %s", how, what, mixed)
						}
					}
					for _, w := range end[s[len(s)-shortest:]] {
						if strings.HasSuffix(s, w) || strings.HasSuffix(w, s) {
							out[w] = fmt.Sprintf("the end of %s of %s %s", how, what, mixed)
						}
					}
				}
			}
		}
	}
	return out
}

// TestSecrecyOfDigests tries what a player with a computer would: the usual digests
// of what is truly hidden, plain and with what they know mixed in, against every
// string they get. It finds one, the commitment, which is over a seed that no one can
// try, and each of those planted.
func TestSecrecyOfDigests(t *testing.T) {
	for _, i := range []int{2, 202} {
		g, rnd := recordedGameOf(t, i, 12)
		x, _ := newSecrecyHarness(t, g, g.real(0), 0)
		n := g.playsLast/3 + rnd.IntN(g.playsLast/3)
		viewer := g.look(t, n).View(0).ToAct[0]
		x.put(g.real(n))
		out := x.ask(viewer, [][]string{{"status", "board", "legal", "history 1"}, {"preview", "B"}, {"card 099 at row 1"}})
		x.pages(out, viewer, n, n/2, true)
		x.export(out, viewer)
		var texts []string
		for name, b := range out {
			if raw := b.([]byte); strings.HasPrefix(name, "letter") {
				texts = append(texts, readable(t, raw))
			} else {
				texts = append(texts, string(raw))
			}
		}
		hidden := g.hidden(t, viewer, n)
		salts := []string{x.game, x.keys[viewer], engine.Commitment(g.head.Seed), strconv.Itoa(n)}
		hand, top := hidden["a card in a hand padded with \"\""], hidden["pile 0 from the top with \",\""]
		mac := hmac.New(sha256.New, []byte(x.game))
		mac.Write(hand)
		salted := sha1.Sum(slices.Concat([]byte(x.game+":"), hand))
		want := map[string]bool{ // and whether it was found
			engine.Commitment(g.head.Seed):                                         false,
			fmt.Sprintf("%x", sha256.Sum256(top))[:16]:                             false,
			fmt.Sprintf("%08x", crc32.ChecksumIEEE(hidden["the log"])):             false,
			strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil))[:26]):  false,
			strings.ToLower(base64.RawURLEncoding.EncodeToString(salted[:])):       false,
			fmt.Sprintf("%x", md5.Sum(hidden["the top of pile 1 as octets"]))[20:]: false,
		}
		for planted := range want {
			texts = append(texts, "ETag: \""+planted+"\"")
		}
		for s, how := range guessed(texts, hidden, salts) {
			known := false // a planted one may be found by a piece of it
			for w := range want {
				if strings.Contains(w, s) {
					known, want[w] = true, true
				}
			}
			if !known {
				t.Errorf("game %d, line %d, viewer %d: %q is %s", i, n, viewer, s, how)
			}
		}
		for s, found := range want {
			if !found {
				t.Errorf("%q is not found: the search does not see it", s)
			}
		}
	}
}
