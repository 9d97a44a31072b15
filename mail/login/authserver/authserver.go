// Package authserver is an authorisation server of OAuth 2.0 for tests, which does as a
// test tells it: codes with PKCE, device codes, refresh tokens that it may replace, access
// tokens that run out, refusals.
package authserver

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"golang.org/x/oauth2"
)

// Server is one. Its exported fields may be changed under Lock.
type Server struct {
	URL string
	sync.Mutex
	User      string // owner of all tokens
	Secret    string // of the client; "" none needed
	Expires   any    // expires_in, as in answers; nil: it is not sent
	Rotates   bool   // a refresh token holds once
	Refuses   string // the error that answers each refresh
	Pending   int    // how often a device's client still gets "wait"
	Denies    bool   // the person does not agree
	Refreshes int    // answered

	access, refresh, codes map[string]string // the last by code: the challenge
	uris                   map[string]string // of codes: to where they went
}

// Client is its one client.
const Client = "angelpost-test"

// Start starts a server on loopback until the test ends.
func Start(t testing.TB, user string) *Server {
	s := &Server{User: user, Expires: 3600, access: map[string]string{}, refresh: map[string]string{}, codes: map[string]string{}, uris: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /authorize", s.authorize)
	mux.HandleFunc("POST /device", s.device)
	mux.HandleFunc("POST /token", s.token)
	mux.HandleFunc("/introspect", s.introspect)
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Endpoint is where the server answers.
func (s *Server) Endpoint() oauth2.Endpoint {
	return oauth2.Endpoint{AuthURL: s.URL + "/authorize", DeviceAuthURL: s.URL + "/device", TokenURL: s.URL + "/token"}
}

// Refresh makes a refresh token, as of an earlier login.
func (s *Server) Refresh() string {
	s.Lock()
	defer s.Unlock()
	return s.newRefresh()
}

func (s *Server) newRefresh() string {
	t := "refresh-" + rand.Text()
	s.refresh[t] = s.User
	return t
}

// Holds reports whether an access token holds for a user, as mail servers ask.
func (s *Server) Holds(user, token string) bool {
	s.Lock()
	defer s.Unlock()
	return token != "" && s.access[token] == user
}

// Expire has all access tokens run out.
func (s *Server) Expire() {
	s.Lock()
	defer s.Unlock()
	clear(s.access)
}

// Known reports whether a refresh token holds.
func (s *Server) Known(refresh string) bool {
	s.Lock()
	defer s.Unlock()
	return s.refresh[refresh] != ""
}

// Revoke takes back what the person has agreed to.
func (s *Server) Revoke() {
	s.Lock()
	defer s.Unlock()
	clear(s.access)
	clear(s.refresh)
}

func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	q := r.URL.Query()
	to, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || to.Hostname() != "127.0.0.1" || q.Get("client_id") != Client || q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" || q.Get("access_type") != "offline" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {q.Get("state")}}
	if s.Denies {
		back.Set("error", "access_denied")
	} else {
		code := "code-" + rand.Text()
		s.codes[code], s.uris[code] = q.Get("code_challenge"), q.Get("redirect_uri")
		back.Set("code", code)
	}
	to.RawQuery = back.Encode()
	http.Redirect(w, r, to.String(), http.StatusFound)
}

func (s *Server) device(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	if r.FormValue("client_id") != Client {
		s.refuse(w, "invalid_client")
		return
	}
	s.answer(w, map[string]any{"device_code": "device", "user_code": "ABCD-EFGH", "verification_uri": s.URL + "/activate", "expires_in": 600, "interval": 1})
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	out := map[string]any{"token_type": "Bearer"}
	if r.FormValue("client_id") != Client || r.FormValue("grant_type") != "urn:ietf:params:oauth:grant-type:device_code" && r.FormValue("client_secret") != s.Secret {
		s.refuse(w, "invalid_client")
		return
	}
	switch r.FormValue("grant_type") {
	case "authorization_code":
		code := r.FormValue("code")
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		challenge, ok := s.codes[code]
		delete(s.codes, code)
		if !ok || challenge != base64.RawURLEncoding.EncodeToString(sum[:]) || s.uris[code] != r.FormValue("redirect_uri") {
			s.refuse(w, "invalid_grant")
			return
		}
		out["refresh_token"] = s.newRefresh()
	case "urn:ietf:params:oauth:grant-type:device_code":
		switch s.Pending--; {
		case s.Denies:
			s.refuse(w, "access_denied")
			return
		case s.Pending >= 0:
			s.refuse(w, "authorization_pending")
			return
		}
		out["refresh_token"] = s.newRefresh()
	case "refresh_token":
		s.Refreshes++
		old := r.FormValue("refresh_token")
		switch {
		case s.Refuses != "":
			s.refuse(w, s.Refuses)
			return
		case s.refresh[old] == "":
			s.refuse(w, "invalid_grant")
			return
		case s.Rotates:
			delete(s.refresh, old)
			out["refresh_token"] = s.newRefresh()
		}
	default:
		s.refuse(w, "unsupported_grant_type")
		return
	}
	access := "access-" + rand.Text()
	s.access[access] = s.User
	out["access_token"] = access
	if s.Expires != nil {
		out["expires_in"] = s.Expires
	}
	s.answer(w, out)
}

// introspect tells a mail server of a token (RFC 7662).
func (s *Server) introspect(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	user := s.access[r.FormValue("token")]
	s.answer(w, map[string]any{"active": user != "", "email": user, "username": user})
}

func (s *Server) refuse(w http.ResponseWriter, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "The server of this test says no."})
}

func (s *Server) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
