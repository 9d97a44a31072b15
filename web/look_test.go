package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/game"
	"angelpost/engine/match/look"
)

// upload posts a file as a browser's form does.
func upload(t *testing.T, h http.Handler, file []byte) *httptest.ResponseRecorder {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("record", "game.json")
	if err == nil {
		_, err = part.Write(file)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/look", &b)
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func recordOf(t *testing.T, g *game.Game) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := g.Record(0).Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A record is shown whole on one page, checked, and leads to no address; one
// that was changed says so.
func TestLookAtARecord(t *testing.T) {
	s, g := finished(t, 3)
	h := handler(s)
	if f := page(t, h, "/look").Find("form[method=post] input[type=file]"); f.Length() != 1 {
		t.Fatal("no form takes a file")
	}
	file := recordOf(t, g)
	look := func(file []byte) *goquery.Document {
		t.Helper()
		w := upload(t, h, file)
		if w.Code != 200 || !strings.Contains(w.Header().Get("Cache-Control"), "no-store") {
			t.Fatalf("%d, %v", w.Code, w.Header())
		}
		d, err := goquery.NewDocumentFromReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := look(file)
	if !strings.Contains(d.Find(".check").Text(), "✓") || d.Find(".space, .opp").Length() != 4 || d.Find(".history .n").Length() < g.Steps() || d.Find("#course table").Length() != 3 {
		t.Errorf("the page lacks something: %q", d.Find(".check").Text())
	}
	if d.Find(`a[href*="at="]`).Length() > 0 || d.Find(".history a").Length() > 0 {
		t.Error("the page leads to steps that have no address")
	}
	var rec map[string]any
	if err := json.Unmarshal(file, &rec); err != nil {
		t.Fatal(err)
	}
	rec["result"].(map[string]any)["log_sha256"] = strings.Repeat("0", 64)
	changed, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if text := look(changed).Find(".check").Text(); !strings.Contains(text, "✗") || !strings.Contains(text, "result") {
		t.Errorf("a changed result passes: %q", text)
	}
}

// An upload that is not a record, too large, cut or illegal is refused in words, and none of
// its text comes back.
func TestHostileRecords(t *testing.T) {
	s, g := finished(t, 2)
	h := handler(s)
	whole := recordOf(t, g)
	running := playGame(t, 2, 30)
	evil := "<script>alert(1)</script>"
	rec := g.Record(0)
	rec.Options.RulesVersion = 99
	rec.Seal()
	var b bytes.Buffer
	if err := rec.Write(&b); err != nil {
		t.Fatal(err)
	}
	later := b.Bytes()
	long := bytes.Replace(whole, []byte(`"log":[`), []byte(`"log":[`+strings.Repeat(`{"n":1,"seat":1,"by":"player","order":"B","told":[],"sum":"x"},`, maxLines)), 1)
	for what, c := range map[string]struct {
		file []byte
		code int
	}{
		"nothing": {nil, 400},
		"no JSON": {[]byte(evil), 400},
		"a list":  {[]byte("[]"), 400},
		"empty":   {[]byte("{}"), 400},
		"cut":     {recordOf(t, running), 400},
		"illegal": {bytes.Replace(whole, []byte(`"order":"reserve`), []byte(`"order":"reserve reserve`), 1), 400},
		"evil":    {bytes.Replace(whole, []byte(`"order":"`), []byte(`"order":"`+evil), 1), 400},
		"large":   {bytes.Repeat([]byte(" "), maxUpload+1), 413},
		"long":    {long, 413},
		"deep":    {bytes.Repeat([]byte("["), maxUpload/2), 400},
		"version": {later, 400},
		"set":     {bytes.Replace(whole, []byte(`"set":"`), []byte(`"set":"x`), -1), 400},
	} {
		w := upload(t, h, c.file)
		body := w.Body.String()
		if w.Code != c.code || !strings.Contains(body, `role="alert"`) || strings.Contains(body, "<script>") {
			t.Errorf("%s: %d, want %d", what, w.Code, c.code)
		}
		if what == "version" && !strings.Contains(body, "version 99 of the rules") {
			t.Errorf("of rules that the server does not know it says %s", body)
		}
	}
	names := bytes.Replace(whole, []byte(`"Ada"`), []byte(`"\u003cimg src=x onerror=alert(1)\u003e"`), -1)
	if w := upload(t, h, names); w.Code != 200 || strings.Contains(w.Body.String(), "<img") {
		t.Errorf("%d: a name comes through as markup", w.Code)
	}
	for kind, body := range map[string]string{"": "", "text/plain": string(whole), "multipart/form-data": "x", "multipart/form-data; boundary=x": "--x", "application/x-www-form-urlencoded": "record=x"} {
		r := httptest.NewRequest("POST", "/look", strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != 400 {
			t.Errorf("%q: %d", kind, w.Code)
		}
	}
}

// The same comes as data on request, and so do errors.
func TestLookForData(t *testing.T) {
	s, g := finished(t, 2)
	h := handler(s)
	ask := func(file []byte) (status int, out lookJSON) {
		t.Helper()
		r := httptest.NewRequest("POST", "/look.json", bytes.NewReader(file))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Header().Get("Content-Type") != jsonKind || !strings.Contains(w.Header().Get("Cache-Control"), "no-store") {
			t.Errorf("%d, %v", w.Code, w.Header())
		}
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		return w.Code, out
	}
	file := recordOf(t, g)
	status, data := ask(file)
	if status != 200 || !data.Right || data.Differs != nil || !data.Position.Finished || data.Position.Step != g.Steps() || len(data.Course) < 10 {
		t.Errorf("%d, %+v", status, data)
	}
	if status, data := ask(bytes.Replace(file, []byte(`"ending":"`), []byte(`"ending":"x`), 1)); status != 200 || data.Right || data.Differs == nil || data.Differs.Field != game.FieldResult {
		t.Errorf("a changed one: %d, %+v", status, data)
	}
	if status, _ := ask([]byte("{")); status != http.StatusBadRequest {
		t.Errorf("none: %d", status)
	}
}

// A slowLooker views records until the test stops it.
type slowLooker struct {
	*shelf
	stop chan struct{}
}

func (s slowLooker) Upload(*game.Record) (*look.Upload, error) {
	<-s.stop
	return nil, errors.New("stopped")
}

// A record that others look at, or that arrives slowly, holds back its own client only: another's
// waits for its turn, and is played once it is there.
func TestFewLookAtOnce(t *testing.T) {
	s, g := finished(t, 2)
	file := recordOf(t, g)
	synctest.Test(t, func(t *testing.T) {
		slow := slowLooker{s, make(chan struct{})}
		h := slow.serve(Server{Games: slow})
		post := func(client string, body io.Reader) int {
			r := httptest.NewRequest("POST", "/look.json", body)
			r.RemoteAddr = client + ":1000"
			r.Header.Set("Content-Type", jsonKind)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		codes := make(chan int)
		go func() { codes <- post("192.0.2.1", bytes.NewReader(file)) }()
		synctest.Wait()
		for _, client := range []string{"192.0.2.1", "192.0.2.2"} {
			if code := post(client, bytes.NewReader(file)); code != http.StatusServiceUnavailable {
				t.Errorf("%s: a second record is unpacked: %d", client, code)
			}
		}
		close(slow.stop)
		if code := <-codes; code != http.StatusBadRequest {
			t.Errorf("looked at: %d", code)
		}

		const crowd = 50
		var ends []*io.PipeWriter
		for i := range crowd {
			body, end := io.Pipe()
			ends = append(ends, end)
			go func() { codes <- post(fmt.Sprintf("198.51.100.%d", i), body) }()
			go end.Write([]byte("[1,"))
		}
		synctest.Wait()
		if code := post("198.51.100.1", strings.NewReader("{")); code != http.StatusServiceUnavailable {
			t.Errorf("a client brings a second record: %d", code)
		}
		if code := post("192.0.2.3", strings.NewReader("{")); code != http.StatusBadRequest {
			t.Errorf("slow clients hold back another: %d", code)
		}
		for _, end := range ends {
			end.Close()
			if code := <-codes; code != http.StatusBadRequest {
				t.Errorf("a slow record: %d", code)
			}
		}
		if code := post("198.51.100.1", strings.NewReader("{")); code != http.StatusBadRequest {
			t.Errorf("nobody is looking: %d", code)
		}
	})
}

// Records on their way take a bounded room: one for which there is none is refused after a while.
func TestRoomForRecords(t *testing.T) {
	s, _ := finished(t, 2)
	synctest.Test(t, func(t *testing.T) {
		h := s.serve(Server{Games: s})
		post := func(i int, body io.Reader) int {
			r := httptest.NewRequest("POST", "/look.json", body)
			r.RemoteAddr = fmt.Sprintf("198.51.100.%d:1000", i)
			r.Header.Set("Content-Type", jsonKind)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		codes := make(chan int)
		var ends []*io.PipeWriter
		large := []byte("[" + strings.Repeat(`"`+strings.Repeat("x", 997)+`",`, maxUpload/1000-100))
		for i := range maxArriving/maxUpload + 1 {
			body, end := io.Pipe()
			ends = append(ends, end)
			go func() { codes <- post(i, body) }()
			go end.Write(large)
			synctest.Wait() // all at once, each could have a part of the room and none enough
		}
		time.Sleep(lookWait + time.Second)
		for _, end := range ends {
			end.Close()
		}
		refused := 0
		for range ends {
			switch code := <-codes; code {
			case http.StatusServiceUnavailable:
				refused++
			case http.StatusBadRequest:
			default:
				t.Errorf("one of too many: %d", code)
			}
		}
		if refused == 0 || refused > 2 {
			t.Errorf("%d of %d refused", refused, len(ends))
		}
	})
}

// A lockedLog is a log that requests write at the same time.
type lockedLog struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A cut upload logs no error.
func TestCutUploadIsNoError(t *testing.T) {
	s, _ := finished(t, 2)
	var log lockedLog
	served := httptest.NewServer(s.serve(Server{Games: s, Log: slog.New(slog.NewTextHandler(&log, nil))}))
	conn, err := net.Dial("tcp", served.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(conn, "POST /look HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n[1,")
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !strings.Contains(log.String(), "/look") && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	served.Close()
	if got := log.String(); !strings.Contains(got, "/look") || strings.Contains(got, "ERROR") {
		t.Errorf("the log says %q", got)
	}
}
