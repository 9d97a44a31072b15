package setup_test

import (
	"os"
	"path/filepath"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/program"
)

// TestDoctorOnFriends: doctor refuses the domain of a provider among friends, because anyone
// can have an address there. It warns about a domain that has no effect because no one
// verifies the authors of letters.
func TestDoctorOnFriends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "angelpost.toml")
	with := func(friends string) {
		t.Helper()
		if err := os.WriteFile(path, []byte("friends = ["+friends+"]\n"+program.Config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, provider := range []string{"gmail.com", "gmx.de", "outlook.com", "yahoo.com"} {
		with(`"ann@example.org", "` + provider + `"`)
		program.Contains(t, program.Trouble(t, cli.ExitUsage, "doctor", "-config", path), "friends", "anyone can have an address at "+provider, "name your friends' addresses instead")
	}
	with(`"ann@gmail.com", "club.example.org"`)
	out, _ := program.Output(t, "doctor", "-config", path, "-wait", "1s")
	program.Contains(t, out, "senders=warn ", "club.example.org in friends counts for nothing", "authserv_id")
}
