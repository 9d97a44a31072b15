package setup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
)

// RunInit is the main function of init.
func RunInit(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("init", "", stderr)
	path := fs.String("config", cli.ConfigHere, "the file to write")
	data := fs.String("data", "", "the folder for the database and its backups; the configuration's own if empty")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	text := fmt.Sprintf(server.ConfigTemplate, *path)
	if *data != "" {
		for key, file := range map[string]string{"database": "angelpost.db", "folder": "backups", "token_file": "oauth", "key_file": "dkim.pem"} {
			text = strings.Replace(text, fmt.Sprintf("\n%s = %q\n", key, file), fmt.Sprintf("\n%s = %q\n", key, filepath.Join(*data, file)), 1)
		}
	}
	f, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return cli.Exit(stderr, "init", cli.BadEnvironment(err))
	}
	_, err = io.WriteString(f, text)
	if err = errors.Join(err, f.Close()); err != nil {
		return cli.Exit(stderr, "init", cli.BadEnvironment(err))
	}
	fmt.Fprintf(stderr, "Written: %s. Fill it in, then run: angelpost doctor -config %s\n", *path, *path)
	fmt.Fprintln(stdout, *path)
	return cli.ExitYes
}
