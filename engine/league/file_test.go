package league

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A file as String writes it is read as the same rules; the sample says what is
// so without it.
func TestFile(t *testing.T) {
	r, err := ParseRules(Sample())
	if err != nil {
		t.Fatal(err)
	}
	short, err := ParseRules("name: The Long Way\nabout: Slow games among friends.\ndirector: ann@example.org\nrules: base\nedition: revised\nclock: 3 days\nearly: yes\ncheck in: 5 days") // which new leagues have
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r, short) {
		t.Errorf("the sample says\n%s\nand without it it is\n%s", r, short)
	}
	for _, k := range keys {
		if !k.often && k.kinds == nil && !strings.Contains(Sample(), k.name+":") && !strings.Contains(Sample(), k.name+" ") {
			t.Errorf("the sample has no %s", k.name)
		}
	}
	for _, file := range []string{
		Sample(),
		"name: a\nkind: solo\nrounds: 3\npoints: 5, 3, 1\nhal: hard",
		"name: a\nkind: swiss\ntable: 3\nleft over: bye\nround: 10 days\nstart: 2027-03-01\nseasons: 2",
		"name: a\nkind: knockout\nbest of: 3\nties: lot\njoin: list\nadmit: A@example.org, b@example.org\nadmit: c@example.org",
		"name: a\nkind: ladder\nround: 3w\ndirector: ann@example.org\nassistant: bob@example.org, cid@example.org",
		"NAME :  a  league # of mine\ndivision: 6; 7 8\nclock 2: 4 days\nclock: none\nGames: 4\nabsences: no\nset: Our Set",
		"name: C#\nabout: from ⅓ to ½",
	} {
		r, err := ParseRules(file)
		if err != nil {
			t.Errorf("%q: %v", file, err)
			continue
		}
		if again, err := ParseRules(r.String()); err != nil || !reflect.DeepEqual(r, again) {
			t.Errorf("%s\nis read as\n%s%v", r, again, err)
		}
	}
}

// Hal's level has the rulebook's word for people and one of its own for data.
func TestFileTakesBothWordsForHalsLevel(t *testing.T) {
	for _, word := range []string{"hard", "difficult", "Difficult"} {
		r, err := ParseRules("name: a\nkind: solo\nrounds: 3\npoints: 5, 3, 1\nhal: " + word)
		if err != nil || r.Option("hal") != "hard" || !strings.Contains(r.String(), "\nhal: difficult\n") {
			t.Errorf("hal: %s: %v\n%s", word, err, r)
		}
	}
	_, err := ParseRules("name: a\nkind: solo\nhal: brutal")
	if bad := (FileErrors)(nil); !errors.As(err, &bad) || !slices.Equal(bad[0].Can, []string{"easy", "standard", "difficult", "extreme"}) {
		t.Errorf("hal: brutal: %v", err)
	}
}

// Whatever is wrong is told with its line and what would do.
func TestFileErrors(t *testing.T) {
	for _, c := range []struct {
		file string
		want FileError // Can is not compared, but is there
	}{
		{"name: a\ntable: 5", FileError{Line: 2, Code: BadValue, Key: "table", Value: "5"}},
		{"name: a\n\n# x\ntables: 4", FileError{Line: 4, Code: NoKey, Key: "tables"}},
		{"name: a\nhello", FileError{Line: 2, Code: NoKey, Key: "hello"}},
		{"name: a\nname: b", FileError{Line: 2, Code: Twice, Key: "name"}},
		{"table: 4", FileError{Code: Missing, Key: "name"}},
		{"name: a\ndivision: 41", FileError{Line: 2, Code: BadValue, Key: "division", Value: "41"}},
		{"name: a\nmeetings: 40\ndivision: 20", FileError{Line: 2, Code: BadValue, Key: "meetings", Value: "40"}},
		{"name: a\nmeetings: 1\nkind: swiss", FileError{Line: 2, Code: Unfit, Key: "meetings"}},
		{"name: a\nmeetings: 1\ngames: 4", FileError{Line: 3, Code: NotBoth, Key: "games"}},
		{"name: a\nstart: 2027-02-30", FileError{Line: 2, Code: BadValue, Key: "start", Value: "2027-02-30"}},
		{"name: a\nseason: soon", FileError{Line: 2, Code: BadValue, Key: "season", Value: "soon"}},
		{"name: a\nbest of: 2\nkind: knockout", FileError{Line: 2, Code: BadValue, Key: "best of", Value: "2"}},
		{"name: a\nkind: knockout\ngo on: 2", FileError{Line: 3, Code: BadValue, Key: "go on", Value: "2"}},
		{"name: a\npoints: 1, 2", FileError{Line: 2, Code: BadValue, Key: "points", Value: "1, 2"}},
		{"name: a\ntable: 3\npoints 4: 3, 2, 1", FileError{Line: 3, Code: BadValue, Key: "points 4", Value: "3, 2, 1"}},
		{"name: a\ntable: 2\npoints: 3, 2, 1", FileError{Line: 3, Code: BadValue, Key: "points", Value: "3, 2, 1"}},
		{"name: a\nkind: swiss\nclock 2: 3 days", FileError{Line: 3, Code: Unfit, Key: "clock 2"}},
		{"name: a\nkind: solo\nties: berger", FileError{Line: 3, Code: BadValue, Key: "ties", Value: "berger"}},
		{"name: a\nassistant: bob@example.org", FileError{Code: Missing, Key: "director"}},
		{"name: a\nadmit: bob@example.org", FileError{Line: 2, Code: Missing, Key: "join"}},
		{"name: a\ndirector: bob", FileError{Line: 2, Code: BadValue, Key: "director", Value: "bob"}},
		{"name: a\nrules: mild", FileError{Line: 2, Code: BadValue, Key: "rules", Value: "mild"}},
		{"name: a\nkind: ladder\nround: 0 days", FileError{Line: 3, Code: BadValue, Key: "round", Value: "0 days"}},
		{"name: " + strings.Repeat("x", 61), FileError{Line: 1, Code: BadValue, Key: "name", Value: strings.Repeat("x", 60) + "…"}},
		{strings.Repeat("#", MaxFile+1), FileError{Code: TooLong}},
	} {
		_, err := ParseRules(c.file)
		var bad FileErrors
		if !errors.As(err, &bad) || len(bad) == 0 {
			t.Errorf("%.60q: %v", c.file, err)
			continue
		}
		got := bad[0]
		for _, x := range bad {
			if x.Line == c.want.Line && x.Code == c.want.Code {
				got = x
			}
		}
		can := got.Can
		got.Can = nil
		if !reflect.DeepEqual(got, c.want) || can == nil && c.want.Code != Twice {
			t.Errorf("%.60q: %+v, can be %q", c.file, got, can)
		}
	}
	// All of it is told at once, in the order of lines.
	_, err := ParseRules("table: 9\nup: x\nfoo: 1\nname: a")
	var bad FileErrors
	if errors.As(err, &bad); len(bad) != 3 || bad[0].Line != 1 || bad[2].Line != 3 {
		t.Error(err)
	}
}

// FuzzRules: whatever is in a file, it is read or refused, and what is read is
// read again as String writes it and can be begun.
func FuzzRules(f *testing.F) {
	f.Add(Sample())
	for _, kind := range []string{"swiss\ntable: 2\nround: 1w", "knockout\nbest of: 3\ntable: 4\ngo on: 2", "ladder\ntable: 3", "solo\nrounds: 60", "divisions\ndivision: 40, 2\nmeetings: 4"} {
		f.Add("name: x\nkind: " + kind)
	}
	f.Add("\ufeffname : x\r\nPOINTS 3 : 1000 1000 1000\r\nclock 40: x\nties: lot,wins # all\nadmit: a@b\njoin: list")
	f.Fuzz(func(t *testing.T, file string) {
		r, err := ParseRules(file)
		if err != nil {
			var bad FileErrors
			if !errors.As(err, &bad) || len(bad) == 0 || err.Error() == "" {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		again, err := ParseRules(r.String())
		if err != nil || !reflect.DeepEqual(r, again) {
			t.Fatalf("%v\n%q\nis read as\n%q", err, r.String(), again.String())
		}
		s, err := Replay(r, [32]byte{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		now := then.AddDate(200, 0, 0)
		for n := range min(max(r.Least, 9), 30) {
			if err := s.Add(Line{N: n + 1, At: then, Kind: Join, Player: int64(n + 1)}); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 { // the season, its first round, its games
			acts, _ := s.Due(now)
			for i, a := range acts {
				a.Line.N = s.Lines + 1
				if a.Line.Kind == Begun {
					a.Line.Game = string(rune(i + 1))
				}
				if err := s.Add(a.Line); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range s.Seasons {
			for _, d := range s.Seasons[i].Divisions {
				s.Standings(i+1, d.N)
			}
		}
	})
}
