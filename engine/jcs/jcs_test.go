package jcs

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"angelpost/engine/cost"
)

func TestTransform(t *testing.T) {
	for doc, want := range map[string]string{
		` { "b" : [ 1 , -2,true,false ] ,"a":{ } } `:                 `{"a":{},"b":[1,-2,true,false]}`,
		`{"B":1,"a":2,"":3,"aa":4,"\u20ac":5,"1":6}`:                 `{"":3,"1":6,"B":1,"a":2,"aa":4,"€":5}`,
		`{"\ud83d\ude00":1,"\ufb33":2}`:                              "{\"😀\":1,\"\ufb33\":2}", // by UTF-16, not by code point
		`"\u0041\/\"\\\b\f\n\r\t\u001f\u007f\u003c<é\u00e9\u2028 😀"`: "\"A/\\\"\\\\\\b\\f\\n\\r\\t\\u001f\u007f<<éé\u2028 😀\"",
		`[null, true]`:       `[null,true]`,
		`9007199254740991`:   `9007199254740991`,
		`-9007199254740991`:  `-9007199254740991`,
		`"\\ud800 \ufffd"`:   "\"\\\\ud800 \uFFFD\"",
		`"\ud83d\ude00"`:     `"😀"`,
		`[[],[[]],{"a":[]}]`: `[[],[[]],{"a":[]}]`,
	} {
		got, err := Transform([]byte(doc))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", doc, got, err, want)
		}
		if again, err := Transform(got); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: again %s, %v", doc, again, err)
		}
	}
	for _, doc := range []string{
		``, ` `, `{`, `[1,]`, `{"a":1,}`, `{"a"}`, `01`, `+1`, `1.0`, `1e2`, `-0`, `9007199254740992`, `-9007199254740992`, `99999999999999999999`,
		`{"a":1,"a":1}`, `{"a":1,"\u0061":2}`, `{"x":{"a":1,"b":2,"a":3}}`, `"\ud800"`, `"\ude00\ud83d"`, `"\ud83dx"`, `"\ud83d\\ude00"`, `"\ud83d\n"`, "\"\xff\"", "\"\x00\"", `1 2`, `{} {}`, `nul`, `"`,
		strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2), strings.Repeat("[", 100_000),
	} {
		if got, err := Transform([]byte(doc)); err == nil {
			t.Errorf("%.60s is taken: %s", doc, got)
		}
	}
}

type thing struct {
	Name string         `json:"name"`
	Kind string         `json:"kind,omitempty"`
	List []int          `json:"list"`
	By   map[string]int `json:"by,omitempty"`
	Part *thing         `json:"part,omitempty"`
}

func TestUnmarshalRefusesWhatItWouldNotSay(t *testing.T) {
	for doc, want := range map[string]string{
		`{"name":"a","list":[]}`: "", `{"list":[1],"part":{"list":[2],"name":"b"},"name":"\u0061","by":{"x":1}}`: "",
		`{"name":"a"}`:                      "list is missing",
		`{"list":[]}`:                       "name is missing",
		`{"name":"a","list":null}`:          "",
		`{"name":null,"list":[]}`:           "name cannot be null",
		`{"name":"a","list":[],"more":1}`:   "more is unknown",
		`{"Name":"a","list":[]}`:            "Name is unknown",
		`{"name":"a","Name":"a","list":[]}`: "Name is unknown",
		`{"name":"a","list":[],"kind":""}`:  "kind is unknown, or empty",
		`{"name":"a","list":["1"]}`:         "list cannot be of the kind string",
		`{"name":"a","list":{}}`:            "list cannot be of the kind object",
		`{"name":"a","list":[],"name":"a"}`: `key "name" is there twice`,
		`{"name":"a","list":[],"part":{"list":[1],"name":"b","x\n":[]}}`: `part."x\n" is unknown`,
	} {
		err := Unmarshal([]byte(doc), new(thing))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", doc, err, want)
		}
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ a, b, path, want, got string }{
		{`{"a":[1,{"b":"x"}]}`, `{"a":[1,{"b":"y"}]}`, "a[1].b", `"x"`, `"y"`},
		{`{"a":[1,2]}`, `{"a":[1]}`, "a[1]", "2", ""},
		{`{"a":[1]}`, `{"a":[1,[2]]}`, "a[1]", "", "a list"},
		{`{"a":{}}`, `{"a":1}`, "a", "an object", "1"},
		{`{"a":true,"z":1}`, `{"b":true,"z":2}`, "a", "true", ""},
		{`{"a":1}`, `{"a":"1"}`, "a", "1", `"1"`},
		{`{"a":1}`, `{"b":1,"a":1}`, "b", "", "1"},
		{`{"b":{"x":"\"}"},"c":[]}`, `{"a":{"x":"\"}"},"c":[]}`, "a", "", "an object"},
		{`[{"b":{"x":"\"}"},"c":[[]]}]`, `[{"c":[[]]}]`, "[0].b", "an object", ""},
		{`{}`, `[]`, "", "an object", "a list"},
		{`[[1,2],[3]]`, `[[1,2,4],[3]]`, "[0][2]", "", "4"},
		{`{"a":{"b":1,"c":2}}`, `{"a":{"b":1,"c":3}}`, "a.c", "2", "3"},
	} {
		if d, err := Diff([]byte(c.a), []byte(c.b)); err != nil || d == nil || *d != (Difference{c.path, c.want, c.got}) {
			t.Errorf("%s %s: %+v", c.a, c.b, d)
		}
	}
	if d, err := Diff([]byte(`{"b":2,"a":[1]}`), []byte(`{"a":[1],"b":2}`)); d != nil || err != nil {
		t.Errorf("%+v", d)
	}
}

// Whatever a document is, it ends within bounds, and its canonical form says the
// same and is its own.
func FuzzTransform(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\u0041\ud83d\ude00"],"b":{"c":true}}`, `[[[{"a":{}}]]]`, `"\ud800"`, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		cost.Within(t, func() {
			form, err := Transform(doc)
			if err != nil {
				return
			}
			again, err := Transform(form)
			if err != nil || !bytes.Equal(form, again) {
				t.Errorf("%q: %q, then %q, %v", doc, form, again, err)
			}
			if d, err := Diff(doc, form); d != nil || err != nil || !json.Valid(form) {
				t.Errorf("%q: %q, %+v", doc, form, d)
			}
			if other := bytes.Replace(form, []byte("1"), []byte("2"), 1); !bytes.Equal(other, form) {
				if other, err := Transform(other); err == nil && !bytes.Equal(other, form) && diff(form, other) == nil {
					t.Errorf("%q is taken for %q", other, form)
				}
			}
		})
	})
}
