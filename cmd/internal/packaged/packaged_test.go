//go:build real

package packaged

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"angelpost/mail/peers"
)

const packaging = "../../angelpost/packaging"

// inCopy is a shell script that runs on a copy of this machine's files, of which nothing
// stays. DIR is a folder of the test's.
const inCopy = `set -eu
mount -t tmpfs none "$DIR"
mkdir "$DIR/changed" "$DIR/work" "$DIR/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$DIR/changed,workdir=$DIR/work" "$DIR/root"
mount -t proc proc "$DIR/root/proc"
cp "$DEBS"/*.deb "$DIR/root/tmp/"
exec chroot "$DIR/root" sh -euxc "$SCRIPT"
`

// onCopy runs a script with the packages in a folder at /tmp, as root on a copy of this machine.
func onCopy(t *testing.T, debs, script string) string {
	t.Helper()
	cmd := exec.Command("unshare", "--mount", "--pid", "--fork", "sh", "-c", inCopy)
	cmd.Env = append(os.Environ(), "DIR="+t.TempDir(), "DEBS="+debs, "SCRIPT="+script, "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// built is the program, linked so that it needs no file beside it.
func built(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "angelpost")
	said, err := exec.Command("go", "build", "-tags", "netgo,osusergo", "-ldflags", "-linkmode external -extldflags -static", "-o", file, "angelpost/cmd/angelpost").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return file
}

// twoServers sets two servers up on one machine, as a host would: users, folders and ports of
// their own. Neither can read the other's files.
const twoServers = `
		by() { user=$1; shift; setpriv --reuid "$user" --regid "$user" --clear-groups "$@"; }
		set_up() { # name, port of its pages, sibling
			useradd --system --home-dir "/var/lib/$1" --create-home "$1"
			mkdir "/etc/$1"
			chown "$1" "/etc/$1"
			chmod 700 "/etc/$1" "/var/lib/$1"
			by "$1" angelpost init -config "/etc/$1/angelpost.toml" -data "/var/lib/$1"
			sed -i -e "1i shard = \"$1\"" -e "s/^address = .*/address = \"angelpost+{token}@$1.example.org\"/" \
				-e "s/127.0.0.1:8080/127.0.0.1:$2/" -e "s|^base_url = [^ ]*|base_url = \"https://$1.example.org\"|" "/etc/$1/angelpost.toml"
			printf '[[sibling]]\nshard = "%s"\naddress = "angelpost+{token}@%s.example.org"\nurl = "https://%s.example.org"\n' "$3" "$3" "$3" >>"/etc/$1/angelpost.toml"
			by "$1" angelpost new -config "/etc/$1/angelpost.toml" -started -player ann@example.org -player bob@example.org | grep "^game=$1"
			by "$1" angelpost games -config "/etc/$1/angelpost.toml" | grep "^$1"
		}
		set_up east 8080 west
		set_up west 8081 east
		if by east angelpost games -config /etc/west/angelpost.toml; then exit 1; fi
		userdel --remove east
		userdel --remove west
		rm -r /etc/east /etc/west
`

// TestDebianPackage installs a package, sets the server up as HOSTING.md says, upgrades to the
// next version, removes it and purges it: what the host wrote and what was played stays until
// the purge, which leaves nothing.
func TestDebianPackage(t *testing.T) {
	debs, program := t.TempDir(), built(t)
	for _, version := range []string{"1.0.0", "1.0.1"} {
		if said, err := exec.Command("sh", filepath.Join(packaging, "deb.sh"), program, runtimeArch(t), version, debs).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	said := onCopy(t, debs, `
		named() { find /etc /opt /run /srv /usr /var -xdev -name '*angelpost*' | sort; }
		named >/before
		dpkg -i /tmp/angelpost_1.0.0_*.deb
		test "$(stat -c '%U %G %a' /etc/angelpost/angelpost.toml /etc/angelpost /var/lib/angelpost | tr '\n' ,)" = "root angelpost 640,root angelpost 750,angelpost angelpost 700,"
		systemd-analyze verify /usr/lib/systemd/system/angelpost.service
		mkdir /etc/systemd/system/angelpost.service.d
		for conf in standby pages; do
			cp "/usr/share/doc/angelpost/samples/$conf.conf" /etc/systemd/system/angelpost.service.d/
			systemd-analyze verify /usr/lib/systemd/system/angelpost.service
			rm /etc/systemd/system/angelpost.service.d/*
		done
		rmdir /etc/systemd/system/angelpost.service.d
		`+twoServers+`
		cd /
		as() { setpriv --reuid angelpost --regid angelpost --clear-groups "$@"; }
		as angelpost new -started -player ann@example.org -player bob@example.org
		as test -e /var/lib/angelpost/angelpost.db
		if angelpost games; then exit 1; fi # root would leave files that angelpost cannot open
		sed -i 's/remind_days = 4/remind_days = 5/' /etc/angelpost/angelpost.toml
		dpkg -i /tmp/angelpost_1.0.1_*.deb
		grep 'remind_days = 5' /etc/angelpost/angelpost.toml
		as angelpost games -json | grep '"state": *"running"'
		dpkg -r angelpost
		test ! -e /usr/bin/angelpost
		test -e /etc/angelpost/angelpost.toml -a -e /var/lib/angelpost/angelpost.db
		dpkg -i /tmp/angelpost_1.0.1_*.deb
		as angelpost games -json | grep '"state": *"running"'
		dpkg -P angelpost
		named | diff /before -
		if getent passwd angelpost || getent group angelpost; then exit 1; fi
		echo it is gone
	`)
	if !strings.HasSuffix(said, "it is gone\n") {
		t.Errorf("%s", said)
	}
	if !strings.Contains(said, "sudo -u angelpost") {
		t.Errorf("root is not told how to work on the database:\n%s", said)
	}
}

// runtimeArch is what Debian calls this machine.
func runtimeArch(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("dpkg", "--print-architecture").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestUnitIsClosed has systemd judge what the unit may do.
func TestUnitIsClosed(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", filepath.Join(packaging, "angelpost.service")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !regexp.MustCompile(`Overall exposure level for angelpost.service: [01]\.\d`).Match(out) {
		t.Errorf("%s", out)
	}
}

// TestContainer makes the root that the Containerfile describes, and plays in it.
func TestContainer(t *testing.T) {
	from := t.TempDir()
	root := t.TempDir()
	give := map[string]string{"angelpost": built(t), "ca-certificates.crt": "/etc/ssl/certs/ca-certificates.crt"}
	for name, file := range give {
		if err := os.Symlink(file, filepath.Join(from, name)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(packaging, "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	var entry, dir string
	for line := range strings.Lines(string(text)) {
		switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word {
		case "COPY":
			name, to, _ := strings.Cut(rest, " ")
			to = filepath.Join(root, to)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if said, err := exec.Command("cp", "-L", filepath.Join(from, name), to).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, said)
			}
		case "ENTRYPOINT":
			entry = strings.Trim(rest, `[]"`)
		case "WORKDIR":
			dir = rest
		}
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(root, dir)
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(data, 10001, 10001); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"init", "new -started -player ann@example.org -player bob@example.org", "verify -all"} {
		cmd := exec.Command("chroot", append([]string{"--userspec=10001:10001", root, entry}, strings.Fields(args+" -config "+dir+"/angelpost.toml")...)...)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args, err, said)
		}
	}
}

// TestNixModule has Nix parse the module. Nothing here can build it.
func TestNixModule(t *testing.T) {
	if out, err := exec.Command("nix-instantiate", "--parse", filepath.Join(packaging, "nixos.nix")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// sample is a sample with other values.
func sample(t *testing.T, name string, change ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(packaging, "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(change); i += 2 {
		if !strings.Contains(string(text), change[i]) {
			t.Fatalf("%s has no %q", name, change[i])
		}
	}
	return strings.NewReplacer(change...).Replace(string(text))
}

// TestProxies puts Caddy and nginx, as the samples have them, before pages: who asks, the
// tag and the compression come through, and nothing that a proxy writes names a secret address.
func TestProxies(t *testing.T) {
	pages := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `W/"tag"`)
		if r.Header.Get("If-None-Match") == `W/"tag"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprintf(w, "for %s, host %s, takes %s", r.Header.Get("X-Forwarded-For"), r.Host, r.Header.Get("Accept-Encoding"))
	})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go pages.Serve(l)
	defer pages.Close()
	for _, proxy := range []struct {
		name  string
		start func(t *testing.T, dir, addr string) *exec.Cmd
	}{
		{"Caddy", func(t *testing.T, dir, addr string) *exec.Cmd {
			config := sample(t, "Caddyfile", "play.example.org {", "http://"+addr+" {", "127.0.0.1:8080", l.Addr().String())
			write(t, dir, "Caddyfile", "{\n\tadmin off\n}\n"+config)
			cmd := exec.Command("caddy", "run", "--config", filepath.Join(dir, "Caddyfile"))
			cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
			return cmd
		}},
		{"nginx", func(t *testing.T, dir, addr string) *exec.Cmd {
			cert := exec.Command("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=play.example.org", "-keyout", dir+"/privkey.pem", "-out", dir+"/fullchain.pem")
			if said, err := cert.CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, said)
			}
			config := sample(t, "nginx.conf", "listen 443 ssl;", "listen "+addr+";", "/etc/letsencrypt/live/play.example.org", dir, "127.0.0.1:8080", l.Addr().String())
			write(t, dir, "nginx.conf", fmt.Sprintf("daemon off;\nuser root;\npid %[1]s/pid;\nerror_log %[1]s/error.log notice;\nevents {}\nhttp {\naccess_log %[1]s/access.log;\n%[2]s\n}\n", dir, config))
			return exec.Command("nginx", "-p", dir, "-e", dir+"/error.log", "-c", filepath.Join(dir, "nginx.conf"))
		}},
	} {
		t.Run(proxy.name, func(t *testing.T) {
			dir, addr := t.TempDir(), peers.Addr(t)
			cmd := proxy.start(t, dir, addr)
			var said strings.Builder
			cmd.Stdout, cmd.Stderr = &said, &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				cmd.Process.Signal(os.Interrupt)
				cmd.Wait()
				logs := said.String()
				files, _ := filepath.Glob(dir + "/*.log")
				for _, f := range files {
					text, _ := os.ReadFile(f)
					logs += string(text)
				}
				if strings.Contains(logs, "secretsecret") {
					t.Errorf("a secret address is in a log:\n%s", logs)
				}
			}()
			ask := func(head ...string) (*http.Response, string) {
				r, err := http.NewRequest("GET", "http://"+addr+"/g/abc/secretsecret", nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Host = "play.example.org"
				if proxy.name == "Caddy" {
					r.Host = addr
				}
				r.Header.Set("Accept-Encoding", "gzip")
				for i := 0; i < len(head); i += 2 {
					r.Header.Set(head[i], head[i+1])
				}
				for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
					w, err := http.DefaultClient.Do(r)
					if err == nil {
						body, _ := io.ReadAll(w.Body)
						w.Body.Close()
						return w, string(body)
					}
					if time.Since(begin) > time.Minute {
						t.Fatalf("%v\n%s", err, said.String())
					}
				}
			}
			w, body := ask()
			if w.StatusCode != 200 || !strings.HasPrefix(body, "for 127.0.0.1, host ") || !strings.HasSuffix(body, ", takes gzip") || w.Header.Get("ETag") != `W/"tag"` {
				t.Errorf("%d %q %v", w.StatusCode, body, w.Header)
			}
			if w, _ := ask("If-None-Match", `W/"tag"`); w.StatusCode != http.StatusNotModified {
				t.Errorf("%d where the client has the page", w.StatusCode)
			}
		})
	}
}

// TestDovecotSample delivers into the mailbox of the sample, and looks into it.
func TestDovecotSample(t *testing.T) {
	users := filepath.Join(t.TempDir(), "users")
	d := peers.StartDovecotWith(t, "/", sample(t, "dovecot.conf", "/etc/dovecot/angelpost.users", users), "ann")
	home := filepath.Join(filepath.Dir(d.Maildir("ann")), "..", "angelpost")
	write(t, filepath.Dir(users), "users", fmt.Sprintf("angelpost:{PLAIN}%s:mail:mail::%s::\n", peers.Password, home))
	for _, dir := range []string{filepath.Dir(users), filepath.Dir(filepath.Dir(users))} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Deliver("angelpost+token", "Subject: hello\r\n\r\nB\r\n"); err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", d.IMAPAddr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "a login angelpost %s\r\nb status inbox (messages)\r\nc logout\r\n", peers.Password)
	if said, _ := io.ReadAll(c); !strings.Contains(string(said), "MESSAGES 1") {
		t.Errorf("%s", said)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
