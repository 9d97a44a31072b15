package server

import (
	"slices"
	"strings"
	"testing"
)

func TestFriends(t *testing.T) {
	for friend, wrong := range map[string]string{
		"ann@gmail.com": "", "club.example.org": "", "@Club.Example.ORG": "", "bücher.example": "",
		"gmail.com": "anyone", "@GMX.de": "anyone", "hotmail.co.uk": "anyone", "co.uk": "domain that ends", "com": "domain that ends",
		"ann": "domain that ends", "": "neither", "a b.org": "neither", "ann@": "neither", "angelpost@play.example": "neither",
	} {
		c := &Config{Address: "angelpost+{token}@play.example", Friends: []string{friend}}
		err := c.checkFriends()
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", friend, err, wrong)
		}
	}
	c := &Config{Friends: []string{"ann@gmail.com", "@Club.Example.ORG"}}
	if got := c.friends(); !slices.Equal(got, []string{"ann@gmail.com", "club.example.org"}) {
		t.Errorf("compared with %q", got)
	}
	if got := c.DomainsUnchecked(); !slices.Equal(got, []string{"club.example.org"}) {
		t.Errorf("domains that do not count: %q", got)
	}
	if c.CheckSenders = true; len(c.DomainsUnchecked()) != 0 {
		t.Error("a domain does not count though letters are checked")
	}
}
