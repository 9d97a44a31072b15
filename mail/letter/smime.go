package letter

import (
	"bytes"
	"strings"
)

// An opaque S/MIME letter (RFC 8551, 3.5.2) is one part whose signed content has the text: CMS
// SignedData (RFC 5652), in DER or, from programs that stream, in BER with indefinite lengths
// and strings in pieces. We need only the content: we check no certificate, and judge the
// author as in any other letter. Libraries read certificates first and give up at the first odd
// one. This code only walks once over the octets, without recursion.

// signedContent returns the MIME entity in an opaque S/MIME part, nil if there is none: it is
// encrypted, or its content is elsewhere.
func (p *part) signedContent() []byte {
	switch p.typ {
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
	case "application/octet-stream", "application/pkcs7-signature", "application/x-pkcs7-signature":
		if !strings.Contains(strings.ToLower(p.head.get("content-type")+p.head.get("content-disposition")), ".p7m") {
			return nil
		}
	default:
		return nil
	}
	b := p.decoded()
	if len(b) > 0 && b[0] != berSequence {
		b = unbase64(b) // its program does not say so
	}
	look(len(b))
	return cmsContent(b)
}

// The tags that the way to the content has (X.690, 8.1.2).
const (
	berOctets   = 0x04
	berOID      = 0x06
	berPieces   = 0x24 // an OCTET STRING in pieces
	berSequence = 0x30
	berContext0 = 0xA0
)

var oidSignedData = []byte{0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02}

// cmsContent returns the content of SignedData, nil if there is none.
func cmsContent(b []byte) []byte {
	r := berReader{b}
	if !r.enter(berSequence) {
		return nil
	}
	if tag, oid, _ := r.element(); tag != berOID || !bytes.Equal(oid, oidSignedData) {
		return nil
	}
	if !r.enter(berContext0) || !r.enter(berSequence) || !r.skip() || !r.skip() || // version, digestAlgorithms
		!r.enter(berSequence) || !r.skip() || !r.enter(berContext0) { // encapContentInfo: eContentType, eContent
		return nil
	}
	return r.octets()
}

// A berReader reads elements one after the other.
type berReader struct{ b []byte }

// head reads an element's tag and length; n is -1 for a length that is not known before. Tags of
// several octets are none of CMS.
func (r *berReader) head() (tag byte, n int, ok bool) {
	if len(r.b) < 2 || r.b[0]&0x1F == 0x1F {
		return 0, 0, false
	}
	tag, n = r.b[0], int(r.b[1])
	r.b = r.b[2:]
	switch {
	case n == 0x80:
		return tag, -1, tag&0x20 != 0
	case n < 0x80:
	case n > 0x84 || len(r.b) < n-0x80:
		return 0, 0, false
	default:
		long := r.b[:n-0x80]
		r.b, n = r.b[n-0x80:], 0
		for _, c := range long {
			n = n<<8 | int(c)
		}
	}
	return tag, n, n >= 0 && n <= len(r.b) // an int may have 32 bits
}

// enter goes into an element of a tag. Where its end is does not matter: what is looked for
// comes first in all of them.
func (r *berReader) enter(want byte) bool {
	tag, n, ok := r.head()
	if ok = ok && tag == want; ok && n >= 0 {
		r.b = r.b[:n]
	}
	return ok
}

// element reads an element whose length is known.
func (r *berReader) element() (tag byte, body []byte, ok bool) {
	tag, n, ok := r.head()
	if !ok || n < 0 {
		return 0, nil, false
	}
	body, r.b = r.b[:n], r.b[n:]
	return tag, body, true
}

// skip passes an element over.
func (r *berReader) skip() bool {
	for open := 0; ; {
		tag, n, ok := r.head()
		switch {
		case !ok:
			return false
		case n < 0:
			open++
			continue
		case tag == 0 && n == 0 && open > 0:
			open--
		default:
			r.b = r.b[n:]
		}
		if open == 0 {
			return true
		}
	}
}

// octets reads an OCTET STRING, whole or in pieces; nil if it was cut off.
func (r *berReader) octets() (out []byte) {
	tag, n, ok := r.head()
	switch {
	case !ok || tag != berOctets && tag != berPieces:
		return nil
	case tag == berOctets:
		return r.b[:n]
	case n >= 0:
		r.b = r.b[:n]
	}
	ends := n < 0 // with an element of its own, not with its octets
	for open := 1; open > 0 && (ends || len(r.b) > 0); {
		tag, n, ok := r.head()
		switch {
		case ok && tag == berOctets:
			out, r.b = append(out, r.b[:n]...), r.b[n:]
		case ok && tag == berPieces && n < 0:
			open++
		case ok && tag == berPieces: // its pieces come next
		case ok && tag == 0 && n == 0:
			open--
		default:
			return nil
		}
	}
	return out
}
