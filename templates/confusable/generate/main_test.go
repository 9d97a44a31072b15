package main

import (
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	var b strings.Builder
	err := write(&b, []byte("\ufeff# confusables.txt\n# Version: 15.0.0\n\n05AD ;\t0596 ;\tMA\t# ( x → y ) A → B\t# \n\n0022 ;\t0027 0027 ;\tMA\t# *\n# Total: 2\n"))
	_, table, _ := strings.Cut(b.String(), "\n")
	if err != nil || !strings.Contains(b.String(), "Unicode 15.0.0 (SHA-256 ") || table != "0022 0027 0027\n05AD 0596\n" {
		t.Errorf("%v\n%s", err, b.String())
	}
	for _, bad := range []string{"", "0022 ; 0027 ; MA", "# Version: 1\n0022 ; 0027", "# Version: 1\n0022 ; 0027 ; SL", "# Version: 1\n0022 ; zz ; MA"} {
		if err := write(&b, []byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
