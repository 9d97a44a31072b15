package shards_test

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/shards"
)

const own = "angelpost+{token}@east.example.org"

var (
	west  = shards.Sibling{Shard: "we", Address: "angelpost+{token}@west.example.org", URL: "https://west.example.org"}
	north = shards.Sibling{Shard: "nord", Address: "north-{token}@example.org", URL: "https://north.example.org/play"}
	list  = shards.List{west, north}
)

func TestOfLetter(t *testing.T) {
	const token = "k7q2m4n6p3r5s7tbucvdwexf"
	for _, c := range []struct {
		to      []string
		subject string
		want    string
		came    []string
	}{
		{[]string{"angelpost@west.example.org"}, "hello", "we", nil},
		{[]string{"Angelpost+" + token + "@West.example.org"}, "Re: Your turn", "we", nil},
		{[]string{"north-" + token + "@example.org", "someone@example.org"}, "", "nord", nil},
		{[]string{"angelpost@west.example.org", "angelpost@east.example.org"}, "Re: Your turn", "", nil}, // to both
		{[]string{"angelpost+" + token + "@east.example.org"}, "Re: Your turn", "", nil},
		{[]string{"angelpost@east.example.org"}, "Re: Game weabcdefghijklmn: your turn", "we", nil},
		{[]string{"angelpost@east.example.org"}, "Re: [WEabcdefghijklmn]", "we", nil},
		{[]string{"angelpost@east.example.org"}, "Re: Game eaabcdefghijklmn: your turn", "", nil},
		{[]string{"angelpost@east.example.org"}, "western northern we nord weabcdefghijklm weabcdefghijklmno", "", nil}, // no ids
		{[]string{"someone@example.org"}, "", "", nil},
		{nil, "", "", nil},
		{[]string{"angelpost+" + token + "@west.example.org"}, "", "we", []string{"angelpost@east.example.org"}}, // its author says more than its way
		{[]string{"friends@example.org"}, "", "we", []string{"angelpost@west.example.org"}},
		{[]string{"friends@example.org"}, "", "", []string{"angelpost@east.example.org", "angelpost@west.example.org"}},
	} {
		if got, ok := list.OfLetter(func(a string) bool { return shards.Own(own, a) }, c.subject, c.to, c.came); got.Shard != c.want || ok != (c.want != "") {
			t.Errorf("%v %q: %q, want %q", c.to, c.subject, got.Shard, c.want)
		}
	}
	if !list.Owns("angelpost@west.example.org") || !list.Owns("north@example.org") || list.Owns("angelpost@east.example.org") || list.Owns("") {
		t.Error("siblings' addresses are not known")
	}
	if s, _ := list.OfGame("nordefghijklmnop"); s.URL != north.URL {
		t.Errorf("%v", s)
	}
	for _, id := range []string{"", "we", "eaabcdefghijklmn", "we../../etc/pass"} {
		if s, ok := list.OfGame(id); ok {
			t.Errorf("%q is a game of %v", id, s)
		}
	}
}

func TestCheck(t *testing.T) {
	if err := shards.Check("ea", own, list); err != nil {
		t.Error(err)
	}
	if err := shards.Check("", own, nil); err != nil {
		t.Error(err)
	}
	with := func(change func(*shards.Sibling)) shards.List {
		s := west
		change(&s)
		return shards.List{north, s}
	}
	for want, c := range map[string]struct {
		shard string
		list  shards.List
	}{
		"shard: \"East\"":                    {"East", nil},
		"shard: name":                        {"", list},
		"sibling: shard: \"\"":               {"ea", with(func(s *shards.Sibling) { s.Shard = "" })},
		"sibling: shard: \"W1\"":             {"ea", with(func(s *shards.Sibling) { s.Shard = "W1" })},
		"sibling: shard: \"ea\" and \"eas\"": {"ea", with(func(s *shards.Sibling) { s.Shard = "eas" })},
		"sibling: shard: \"nord\" and":       {"ea", with(func(s *shards.Sibling) { s.Shard = "no" })},
		"sibling: address: \"a@b\"":          {"ea", with(func(s *shards.Sibling) { s.Address = "a@b" })},
		"sibling: address: a letter":         {"ea", with(func(s *shards.Sibling) { s.Address = own })},
		"sibling: url: \"\"":                 {"ea", with(func(s *shards.Sibling) { s.URL = "" })},
		"sibling: url: \"javascript:":        {"ea", with(func(s *shards.Sibling) { s.URL = "javascript:alert(1)" })},
		"sibling: there are more":            {"ea", make(shards.List, 101)},
	} {
		if err := shards.Check(c.shard, own, c.list); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
