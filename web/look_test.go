package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

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

// What is no record, too large, cut or illegal is refused in words, and what
// stands in it does not come back.
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

// The same comes as data to who asks for that, and so does what is wrong.
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

// A slowLooker looks at records until it is told to stop.
type slowLooker struct {
	*shelf
	stop chan struct{}
}

func (s slowLooker) Upload(*game.Record) (*look.Upload, error) {
	<-s.stop
	return nil, errors.New("stopped")
}

// However many bring a record, few are in memory, and one is unpacked.
func TestFewLookAtOnce(t *testing.T) {
	s, g := finished(t, 2)
	file := recordOf(t, g)
	synctest.Test(t, func(t *testing.T) {
		slow := slowLooker{s, make(chan struct{})}
		h := slow.serve(Server{Games: slow})
		post := func(body io.Reader) int {
			r := httptest.NewRequest("POST", "/look.json", body)
			r.Header.Set("Content-Type", jsonKind)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		codes := make(chan int)
		go func() { codes <- post(bytes.NewReader(file)) }()
		synctest.Wait()
		if code := post(bytes.NewReader(file)); code != http.StatusServiceUnavailable {
			t.Errorf("a second record is unpacked: %d", code)
		}
		if code := post(strings.NewReader("[1,")); code != http.StatusServiceUnavailable {
			t.Errorf("a second record is unpacked: %d", code)
		}
		close(slow.stop)
		if code := <-codes; code != http.StatusBadRequest {
			t.Errorf("looked at: %d", code)
		}
		body, end := io.Pipe()
		for range maxArriving {
			go func() { codes <- post(body) }()
		}
		synctest.Wait()
		if code := post(strings.NewReader("{")); code != http.StatusServiceUnavailable {
			t.Errorf("a record too many is taken: %d", code)
		}
		end.Close()
		for range maxArriving {
			<-codes
		}
		if code := post(strings.NewReader("{")); code != http.StatusBadRequest {
			t.Errorf("nobody is looking: %d", code)
		}
	})
}
