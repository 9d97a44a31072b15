package cli

import (
	"io"
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args  []string
		code  int
		json  bool
		day   int
		words []string
	}{
		{[]string{"-json", "in1", "in2"}, GoOn, true, 1, []string{"in1", "in2"}},
		{[]string{"in1", "in2", "-json"}, GoOn, true, 1, []string{"in1", "in2"}},
		{[]string{"in1", "-day", "7", "in2", "-json"}, GoOn, true, 7, []string{"in1", "in2"}},
		{[]string{"-", "-day=7"}, GoOn, false, 7, []string{"-"}},
		{[]string{"-json", "--", "-day", "in1"}, GoOn, true, 1, []string{"-day", "in1"}},
		{[]string{"in1", "--", "-json"}, GoOn, false, 1, []string{"in1", "-json"}},
		{[]string{"in1", "-3", "-json"}, GoOn, true, 1, []string{"in1", "-3"}},
		{[]string{"in1", "-other"}, ExitUsage, false, 1, nil},
		{[]string{"in1", "-h"}, ExitYes, false, 1, nil},
		{[]string{"in1", "in2", "-json", "in3"}, ExitUsage, true, 1, nil},
	} {
		fs := Flags("test", "", io.Discard)
		json, day := fs.Bool("json", false, ""), fs.Int("day", 1, "")
		if code := Parse(fs, c.args, 2); code != c.code || *json != c.json || *day != c.day || code == GoOn && !slices.Equal(fs.Args(), c.words) {
			t.Errorf("%q: %d, %v, %d, %q", c.args, code, *json, *day, fs.Args())
		}
	}
}
