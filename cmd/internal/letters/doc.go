// Package letters looks at the letters of whole games as their readers do.
//
// # What it proves
//
// TestSizes plays a game of four by letters and bounds what each letter takes: lines and
// columns of the text, bytes of the HTML and of the picture. TestTwenty compares twenty
// letters, one of each kind, with the ones in testdata, which people have read. With the
// tag real, TestHeard has a screen reader read the notices and counts words, TestPrograms
// asks caniemail which features mail programs do not know (mail/MAIL.md has the list and
// what remains without them), and TestLetterPictures makes the pictures of make pictures.
//
// # How it can fail
//
// A letter grows, its parts change places, or a sentence in it changes. Read what changed;
// if it is meant:
//
//	go test ./cmd/internal/letters -letters.update
//
// To read the letters of the whole game:
//
//	go test ./cmd/internal/letters -run TestSizes -letters.dump DIR
package letters
