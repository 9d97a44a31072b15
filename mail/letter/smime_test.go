package letter

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/cost"
	"angelpost/engine/incoming"
)

// An element of BER with a length of so many octets, or one that is not known before.
func ber(tag byte, body ...[]byte) []byte {
	b := bytes.Join(body, nil)
	return append([]byte{tag, 0x84, byte(len(b) >> 24), byte(len(b) >> 16), byte(len(b) >> 8), byte(len(b))}, b...)
}

func berOpen(tag byte, body ...[]byte) []byte {
	return slices.Concat([]byte{tag, 0x80}, bytes.Join(body, nil), []byte{0, 0})
}

// cms is SignedData with a content; wrap makes its elements.
func cms(wrap func(byte, ...[]byte) []byte, content []byte) []byte {
	algorithm := wrap(0x30, ber(0x06, []byte{0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1}), ber(0x05))
	return wrap(0x30, ber(0x06, oidSignedData), wrap(0xA0, wrap(0x30, ber(0x02, []byte{1}), wrap(0x31, algorithm),
		wrap(0x30, ber(0x06, []byte{0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1}), wrap(0xA0, content)),
		wrap(0x31))))
}

func smime(fields string, b []byte) string {
	return head("smime", "") + fields + "Content-Transfer-Encoding: base64\n\n" + wrap76(base64.StdEncoding.EncodeToString(b)) + "\n"
}

func wrap76(s string) (out string) {
	for ; len(s) > 76; s = s[76:] {
		out += s[:76] + "\n"
	}
	return out + s
}

// An opaque S/MIME letter is read like one that is signed in the clear, in any encoding that
// its program chose; an encrypted one is recognised, and answered.
func TestOpaqueSMIME(t *testing.T) {
	const pkcs7 = "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Disposition: attachment; filename=smime.p7m\n"
	plain := []byte("Content-Type: text/plain\r\n\r\n" + strings.ReplaceAll(lines(half...), "\n", "\r\n"))
	related := []byte(alternative(part1(utf8Plain, "", lines(half...)), part1(utf8HTML, "", divs(half...))))
	for name, raw := range map[string]string{
		"openssl":               head("s", "") + readFile(t, "testdata/smime/signed.txt"),
		"openssl, streamed":     head("s", "") + readFile(t, "testdata/smime/streamed.txt"),
		"lengths known":         smime(pkcs7, cms(ber, ber(0x04, plain))),
		"lengths not known":     smime(pkcs7, cms(berOpen, berOpen(0x24, ber(0x04, plain[:9]), ber(0x04, plain[9:])))),
		"pieces":                smime(pkcs7, cms(ber, ber(0x24, ber(0x04, plain[:9]), ber(0x04), ber(0x04, plain[9:])))),
		"pieces within pieces":  smime(pkcs7, cms(berOpen, berOpen(0x24, ber(0x24, ber(0x04, plain[:9])), berOpen(0x24, ber(0x04, plain[9:]))))),
		"alternatives":          smime(pkcs7, cms(ber, ber(0x04, related))),
		"signed twice":          smime(pkcs7, cms(ber, ber(0x04, []byte(pkcs7+"Content-Transfer-Encoding: base64\n\n"+base64.StdEncoding.EncodeToString(cms(ber, ber(0x04, plain))))))),
		"old type":              smime(strings.Replace(pkcs7, "pkcs7", "x-pkcs7", 1), cms(ber, ber(0x04, plain))),
		"by name alone":         smime("Content-Type: application/octet-stream; name=smime.p7m\n", cms(ber, ber(0x04, plain))),
		"base64 not named":      strings.Replace(smime(pkcs7, cms(ber, ber(0x04, plain))), "Content-Transfer-Encoding: base64\n", "", 1),
		"text without a header": smime(pkcs7, cms(ber, ber(0x04, []byte("\n"+lines(half...))))),
		"in a list's multipart": head("s", "") + "Content-Type: multipart/mixed; boundary=mm\n\n--mm\n" + strings.TrimPrefix(smime(pkcs7, cms(ber, ber(0x04, plain))), head("smime", "")) + "\n--mm\nContent-Type: text/plain\n\n-- \nThe list\n--mm--\n",
		"signed, in the clear":  head("s", "") + "Content-Type: multipart/signed; protocol=\"application/pkcs7-signature\"; boundary=mm\n\n--mm\n" + string(plain) + "\n--mm\nContent-Type: application/pkcs7-signature; name=smime.p7s\nContent-Transfer-Encoding: base64\n\nMIIB\n--mm--\n",
	} {
		if l := Read([]byte(raw), Options{}); !slices.Equal(l.Orders, half) || l.Kind != incoming.Orders {
			t.Errorf("%s: %s %s, orders %q", name, l.Kind, l.Reason, l.Orders)
		}
	}
	for name, raw := range map[string]string{
		"openssl":                head("s", "") + readFile(t, "testdata/smime/encrypted.txt"),
		"PGP":                    head("s", "") + "Content-Type: multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=mm\n\n--mm\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--mm\nContent-Type: application/octet-stream; name=encrypted.asc\n\n-----BEGIN PGP MESSAGE-----\n\nhQ==\n-----END PGP MESSAGE-----\n--mm--\n",
		"PGP in text":            head("s", "") + "Content-Type: text/plain\n\n-----BEGIN PGP MESSAGE-----\n\nhQ==\n=ab12\n-----END PGP MESSAGE-----\n",
		"not CMS":                smime(pkcs7, []byte("0 rubbish")),
		"cut off":                smime(pkcs7, cms(ber, ber(0x04, plain))[:100]),
		"cut off, streamed":      smime(pkcs7, cms(berOpen, berOpen(0x24, ber(0x04, plain[:9]), ber(0x04, plain[9:])))[:100]),
		"empty":                  smime(pkcs7, nil),
		"no content":             smime(pkcs7, cms(ber, nil)),
		"signed, then encrypted": smime(pkcs7, cms(ber, ber(0x04, []byte(strings.TrimSpace(readFile(t, "testdata/smime/encrypted.txt")))))),
	} {
		if l := Read([]byte(raw), Options{}); l.Kind != incoming.Broken || !l.Sealed || !l.Answer {
			t.Errorf("%s: %s %s, sealed %v", name, l.Kind, l.Reason, l.Sealed)
		}
	}
}

// However deep its elements are, a part is read in one walk.
func TestDeepCMS(t *testing.T) {
	for _, b := range [][]byte{
		bytes.Repeat([]byte{0x30, 0x80}, 100_000),
		bytes.Repeat([]byte{0xA0, 0x80}, 100_000),
		append(cms(berOpen, nil)[:60], bytes.Repeat([]byte{0x24, 0x80}, 100_000)...),
		cms(berOpen, bytes.Repeat([]byte{0x24, 0x80}, 100_000)),
		cms(berOpen, append([]byte{0x24, 0x80}, bytes.Repeat([]byte{0x04, 0x00}, 100_000)...)),
	} {
		cost.Within(t, func() { cmsContent(b) })
	}
}

func FuzzCMS(f *testing.F) {
	plain := []byte("Content-Type: text/plain\n\ncard 013 at row 2\n")
	f.Add(cms(ber, ber(0x04, plain)))
	f.Add(cms(berOpen, berOpen(0x24, ber(0x04, plain[:9]), ber(0x24, ber(0x04, plain[9:])))))
	f.Add([]byte{0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF})
	f.Fuzz(func(t *testing.T, b []byte) {
		cost.Within(t, func() {
			if got := cmsContent(b); len(got) > len(b) {
				t.Fatalf("%d octets of %d", len(got), len(b))
			}
			Read([]byte(smime("Content-Type: application/pkcs7-mime\n", b)), Options{})
		})
	})
}
