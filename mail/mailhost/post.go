package mailhost

import (
	"bufio"
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// PostRoot is the path beneath which the post room must be mounted.
const PostRoot = "/post/"

// ComposeAddress is where an account's post room has a mailto: link filled in.
func ComposeAddress(account, mailto string) string {
	return composeAddress(url.Values{"box": {account}, "mailto": {mailto}})
}

func composeAddress(query url.Values) string { return PostRoot + "compose?" + query.Encode() }

const (
	sentBox    = "Sent"
	maxListed  = 100 // newest letters on a list
	maxRequest = 512 << 10
)

//go:embed post.css
var postCSS []byte

//go:embed post.js
var postScript []byte

// postRoom shows mailboxes of a Host in a browser.
type postRoom struct {
	host  *Host
	boxes []string
}

// PostRoom is a mail client in the browser for the named accounts, to be
// mounted at PostRoot: it lists their letters, shows them as HTML and text, and
// sends answers by SMTP. It works without JavaScript, with which new letters show
// up by themselves. It shows a letter's HTML in a frame that may run nothing, load
// nothing and submit nothing. It refuses a POST from another site, and any request
// for another host's name, which a site could have given this machine's address.
// There is no login: anyone who reaches the address may read and write, which is
// what a demo on your own machine is for.
func (h *Host) PostRoom(accounts ...string) http.Handler {
	p := &postRoom{host: h}
	for _, name := range accounts {
		if h.accounts[name] != nil {
			p.boxes = append(p.boxes, name)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /post/{$}", p.start)
	mux.HandleFunc("GET /post/style.css", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Write(postCSS)
	})
	mux.HandleFunc("GET /post/post.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Write(postScript)
	})
	mux.HandleFunc("GET /post/compose", p.compose)
	mux.HandleFunc("POST /post/send", p.send)
	mux.HandleFunc("GET /post/{box}", p.inbox)
	mux.HandleFunc("GET /post/{box}/sent", p.sent)
	mux.HandleFunc("GET /post/{box}/news", p.news)
	mux.HandleFunc("GET /post/{box}/{id}", p.letter)
	mux.HandleFunc("GET /post/{box}/{id}/html", p.html)
	mux.HandleFunc("GET /post/{box}/{id}/source", p.source)
	return ownHost(http.NewCrossOriginProtection().Handler(secure(mux)))
}

// ownHost answers only requests for an IP address or this machine's own name.
// Another site's name may be made to lead here (DNS rebinding), and its pages
// could read and write everything then; a browser counts them to the same origin.
func ownHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.TrimSuffix(strings.ToLower(host), ".")
		_, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err != nil && host != "localhost" && !strings.HasSuffix(host, ".localhost") {
			http.Error(w, "The post room is open only at localhost and at IP addresses, for example at http://localhost and its port.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

const (
	pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
	// Nothing is loaded and nothing runs; a click may open a new tab or, for
	// mailto links, the compose page in place of the letter.
	letterPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox " + letterSandbox
	// letterSandbox is in the frame, and in the policy, which also applies when a reader opens
	// the letter's address outside the frame.
	letterSandbox = "allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
)

func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

func (p *postRoom) start(w http.ResponseWriter, r *http.Request) {
	if len(p.boxes) == 0 {
		http.Error(w, "This post room has no mailbox.", http.StatusNotFound)
		return
	}
	http.Redirect(w, r, PostRoot+p.boxes[0], http.StatusSeeOther)
}

// account finds the mailbox a request is about, or answers 404.
func (p *postRoom) account(w http.ResponseWriter, name string) *account {
	if !slices.Contains(p.boxes, name) {
		http.Error(w, "There is no such mailbox in this post room.", http.StatusNotFound)
		return nil
	}
	return p.host.accounts[name]
}

// row is one letter of a list.
type row struct {
	headline
	Seq  int64
	Seen bool
}

// rows lists a folder, the newest first, and counts it.
func (a *account) rows(folder string) (rows []row, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	files := a.list(folder)
	for _, f := range slices.Backward(files[max(0, len(files)-maxListed):]) {
		if f.head == nil {
			f.head = readHead(f)
		}
		rows = append(rows, row{headline: *f.head, Seq: f.seq, Seen: f.seen})
	}
	return rows, len(files)
}

func readHead(f *letterFile) *headline {
	head := headline{Subject: "(unreadable)", Date: f.date}
	file, err := os.Open(f.path)
	if err != nil {
		return &head
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxShown))
	if err != nil {
		return &head
	}
	if h, err := textproto.ReadHeader(bufio.NewReader(bytes.NewReader(raw))); err == nil {
		head = readHeadline(message.Header{Header: h})
		head.Date = f.date
		l := readLetter(raw)
		head.Preview = previewOf(&l)
	}
	return &head
}

func (p *postRoom) inbox(w http.ResponseWriter, r *http.Request) {
	a := p.account(w, r.PathValue("box"))
	if a == nil {
		return
	}
	rows, total := a.rows(inbox)
	p.page(w, r, listPage(p.boxes, a.name, p.host.Address(a.name), "inbox", rows, total, r.URL.Query().Get("sent") != ""))
}

func (p *postRoom) sent(w http.ResponseWriter, r *http.Request) {
	a := p.account(w, r.PathValue("box"))
	if a == nil {
		return
	}
	rows, total := a.rows(sentBox)
	p.page(w, r, listPage(p.boxes, a.name, p.host.Address(a.name), "sent", rows, total, false))
}

// news tells the page of a letter of those that came after it, so that the page
// itself, and what is being written on it, stays.
func (p *postRoom) news(w http.ResponseWriter, r *http.Request) {
	a := p.account(w, r.PathValue("box"))
	if a == nil {
		return
	}
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	rows, _ := a.rows(inbox)
	fresh := slices.DeleteFunc(rows, func(l row) bool { return l.Seq <= after })
	p.page(w, r, newsPage(p.boxes, a.name, p.host.Address(a.name), fresh))
}

// find returns a letter of the account's inbox or sent letters, and how many
// the newest of the inbox has, or answers 404.
func (p *postRoom) find(w http.ResponseWriter, r *http.Request) (a *account, folder string, f letterFile, newest int64, raw []byte) {
	a = p.account(w, r.PathValue("box"))
	if a == nil {
		return nil, "", f, 0, nil
	}
	seq, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err == nil {
		a.mu.Lock()
		for _, name := range []string{inbox, sentBox} {
			for _, letter := range a.list(name) {
				if name == inbox {
					newest = letter.seq
				}
				if letter.seq == seq {
					letter.seen = true
					folder, f = name, *letter
				}
			}
		}
		a.mu.Unlock()
	}
	if folder != "" {
		raw, err = os.ReadFile(f.path)
	}
	if folder == "" || err != nil {
		http.Error(w, "There is no such letter here.", http.StatusNotFound)
		return nil, "", f, 0, nil
	}
	return a, folder, f, newest, raw
}

func (p *postRoom) letter(w http.ResponseWriter, r *http.Request) {
	a, folder, f, newest, raw := p.find(w, r)
	if a == nil {
		return
	}
	l := readLetter(raw)
	view := r.URL.Query().Get("view")
	if l.HTML == "" {
		view = "text"
	}
	var answer *draft
	if folder == inbox && l.ReplyTo != "" {
		answer = &draft{Box: a.name, To: l.ReplyTo, Subject: replySubject(l.Subject)}
	}
	p.page(w, r, letterPage(p.boxes, a.name, p.host.Address(a.name), folder, f.seq, newest, l, view, answer))
}

func (p *postRoom) html(w http.ResponseWriter, r *http.Request) {
	a, _, f, _, raw := p.find(w, r)
	if a == nil {
		return
	}
	l := readLetter(raw)
	page, err := l.framed(func(mailto string) string {
		return composeAddress(url.Values{"box": {a.name}, "answers": {strconv.FormatInt(f.seq, 10)}, "mailto": {mailto}})
	})
	if err != nil {
		http.Error(w, "We can't read the HTML of this letter.", http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Security-Policy", letterPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte(page))
}

func (p *postRoom) source(w http.ResponseWriter, r *http.Request) {
	a, _, _, _, raw := p.find(w, r)
	if a == nil {
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write(raw)
}

func (p *postRoom) compose(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	box := cmp.Or(query.Get("box"), append(p.boxes, "")[0])
	a := p.account(w, box)
	if a == nil {
		return
	}
	var d draft
	if link := query.Get("mailto"); link != "" {
		var err error
		if d, err = fromMailto(link); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	d.Box = a.name
	p.page(w, r, composePage(p.boxes, a.name, p.host.Address(a.name), d, query.Get("answers"), ""))
}

func (p *postRoom) send(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "We could not read that form: "+err.Error(), http.StatusBadRequest)
		return
	}
	a := p.account(w, r.PostForm.Get("box"))
	if a == nil {
		return
	}
	d := draft{Box: a.name, To: r.PostForm.Get("to"), Subject: r.PostForm.Get("subject"), Body: r.PostForm.Get("body")}
	answers := r.PostForm.Get("answers")
	written := d
	if original, ok := a.original(answers); ok {
		d.InReplyTo = original.MessageID
		d.References = strings.TrimSpace(original.References + " " + original.MessageID)
		if r.PostForm.Get("quote") != "" {
			d.Body = strings.TrimRight(d.Body, "\r\n") + quoted(original)
		}
	}
	from := p.host.Address(a.name)
	now := time.Now()
	raw, to, err := d.letter(from, now)
	if err == nil {
		err = p.host.send(r.Context(), from, to, raw)
	}
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		p.page(w, r, composePage(p.boxes, a.name, from, written, answers, fmt.Sprintf("Not sent: %v", err)))
		return
	}
	if err := a.keepSent(raw, now); err != nil {
		p.host.config.Log.Error("mailhost: a sent letter has no copy", "err", err)
	}
	http.Redirect(w, r, PostRoot+a.name+"?sent=1", http.StatusSeeOther)
}

// original reads the letter that is answered, if there is one.
func (a *account) original(id string) (openLetter, bool) {
	seq, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return openLetter{}, false
	}
	a.mu.Lock()
	path := ""
	for _, f := range a.list(inbox) {
		if f.seq == seq {
			path = f.path
		}
	}
	a.mu.Unlock()
	raw, err := os.ReadFile(path)
	if err != nil {
		return openLetter{}, false
	}
	return readLetter(raw), true
}

// keepSent puts a copy into the folder of sent letters.
func (a *account) keepSent(raw []byte, now time.Time) error {
	a.mu.Lock()
	var err error
	if a.boxes[sentBox] == nil {
		err = a.openBox(sentBox)
	}
	a.mu.Unlock()
	if err != nil {
		return err
	}
	_, err = a.append(sentBox, raw, now)
	return err
}

// page renders whole before anything is sent. A status written before stays.
func (p *postRoom) page(w http.ResponseWriter, r *http.Request, c templ.Component) {
	var out bytes.Buffer
	if err := c.Render(r.Context(), &out); err != nil {
		http.Error(w, "We could not show this page.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(out.Bytes())
}
