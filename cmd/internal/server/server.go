// Package server is the daemon that serve and demo run, and its configuration. It wires
// together engine, db, mail, web and templates, which know as little as possible of one
// another.
//
// Letters out bear X-Angelpost-Kind (notice.Kind) and X-Angelpost-Result
// (notice.Result), and those about a game X-Angelpost-Game, X-Angelpost-Seat (0:
// none) and X-Angelpost-Step (the length of its log). In their text what is legal
// stands between "| legal" and "| end", an example turn between "| example" and
// "| end", each line behind "| ".
package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/health"
	"angelpost/cmd/internal/hook"
	"angelpost/cmd/internal/shards"
	"angelpost/db"
	"angelpost/db/replica"
	"angelpost/engine"
	"angelpost/engine/incoming"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/engine/token"
	"angelpost/mail/dkim"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
	"angelpost/mail/lmtp"
	"angelpost/mail/outbox"
	"angelpost/templates"
	"angelpost/templates/confusable"
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// A Server is the wired program: database, desk, post office and pages. serve,
// demo and the commands that work beside them all make one.
type Server struct {
	Conf  *Config
	DB    *db.DB
	Desk  *desk.Desk
	Words *words.Catalogue
	log   *slog.Logger
	time  *clock
	wake  chan struct{} // letters may have been queued
	moved chan struct{} // something may fall due earlier than was known

	health  *health.Health
	flow    *flow // of mail
	given   given
	replica *replica.Replica // nil: none to wait for
	settles bool             // Close waits for it

	notices     *lru.Cache[string, *letter.Notice] // by token; they do not change
	pictures    *draw.Pictures
	renderSlots chan struct{} // of the processors: so many letters' pictures are drawn at a time

	// Of the daemon only.
	ahead    *ahead
	backups  *backups
	restores restorable
	alarms   *alarms
	logins   chan logins // reloaded; has room for one
	lock     *db.Lock
	Box      imapbox.Config
	box      boxState
	tenure   *imapbox.Tenure // nil: the mailbox is its alone
	beaten   time.Time       // the last heartbeat
	checker  *dkim.Checker   // of letters in; nil: they are not checked
	proving  proving
	told     atomic.Pointer[privacyConfig] // reloaded; nil: not yet
	known    atomic.Pointer[shards.List]   // siblings, the same
}

// Open opens the database of a configuration and everything above it.
func Open(ctx context.Context, c *Config, log *slog.Logger) (*Server, error) {
	return OpenWith(ctx, c, log, db.Open)
}

// OpenWith is Open, with the database opened by the function given.
func OpenWith(ctx context.Context, c *Config, log *slog.Logger, database func(context.Context, string) (*db.DB, error)) (*Server, error) {
	sets, standard, err := c.OpenSets()
	if err != nil {
		return nil, err
	}
	store, err := database(ctx, c.Path(c.Database))
	if err != nil {
		return nil, cli.BadEnvironment(err)
	}
	s := &Server{
		Conf: c, DB: store, Words: words.English(), log: log, time: newClock(), Box: c.Mailbox(log), backups: c.Backups(), alarms: newAlarms(c),
		wake: make(chan struct{}, 1), moved: make(chan struct{}, 1), logins: make(chan logins, 1),
		pictures: draw.NewPictures(picturesRoom), renderSlots: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	s.notices, _ = lru.New[string, *letter.Notice](keptNotices) // its only error is a bound below 1
	s.health = health.New(health.Config{Figures: store.Figures, Kinds: alarmCodes(), Version: version, Commit: commit(), Now: s.time.now, Log: log})
	round := func(error) {}
	if c.Replica.Litestream != "" {
		round = func(err error) { s.health.Round(health.Replica, err) }
	}
	if s.replica, err = c.NewReplica(store, replica.Config{Round: round, Log: log}); err != nil {
		return nil, errors.Join(cli.BadEnvironment(err), store.Close())
	}
	s.Box.At = hook.Passing
	s.given.ids = map[int64]bool{}
	s.flow = newFlow(s.time.now, s.moved)
	s.Box.Round = func(err error) {
		s.health.Round(health.Mailbox, err)
		s.flow.hear(mailIn, time.Time{}, err)
	}
	s.Box.IdleLate, s.Box.Quota = s.idleLate, s.mailboxUsed
	if junk := s.Box.Junk; junk != nil {
		junk.Ours, junk.Judge, junk.Left = s.mayBeOurs, s.judgeJunk, s.junkLeft
	}
	s.Box.Looking, s.Box.Ask = s.flow.look, s.flow.ask
	s.Box.Certificate = s.alarms.certificate(c.IMAP.Addr)
	s.checker = c.checking(s.time.now)
	s.Desk, err = desk.New(unit.Config{
		Store: hook.Storing(store), Sets: sets, Set: standard, Now: s.time.now, Random: rand.Reader,
		Host: c.Host(), Shard: c.Shard, TokenRoom: c.tokenRoom(), NFC: norm.NFC.String, Knows: s.Words.For(sets[standard], 0, nil).Knows, Skeleton: confusable.Skeleton, Address: NormalizeAddress, Own: s.ours, Provider: provider, StorageDown: db.StorageDown,
		Domain: Registrable, Weigh: s.weigh, Policy: c.policy(), Thought: s.thought, Condense: s.condense, Drafting: s.drafting, Flowed: s.flow.flowed, Awaits: s.proving.waits, Log: log,
	})
	if err != nil {
		return nil, errors.Join(cli.BadEnvironment(err), store.Close())
	}
	return s, nil
}

// Close closes the database.
func (s *Server) Close() error {
	if s.settles {
		s.settle()
	}
	s.replica.Close()
	return s.DB.Close()
}

// Now is the server's time.
func (s *Server) Now() time.Time { return s.time.now() }

// Host is the domain of the server's own address.
func (c *Config) Host() string { return domain(c.Address) }

// NamedBy is the domain of the first address that the server had: feeds, events and lists that
// programs know by their ids are named by it, so that they stay the same when the server moves.
func (c *Config) NamedBy() string { return domain(c.patterns()[0]) }

// patterns are all addresses that the server has had, the oldest first.
func (c *Config) patterns() []string { return append(slices.Clone(c.Former), c.Address) }

func domain(pattern string) string {
	_, host, _ := strings.Cut(pattern, "@")
	return strings.Replace(host, "{token}", "", 1)
}

// tokenRoom is how many characters of a token the address has room for.
func (c *Config) tokenRoom() int {
	local, _, _ := strings.Cut(c.Address, "@")
	if !strings.Contains(local, "{token}") {
		return maxLocalPart - 1 // a part of a domain (RFC 1035 section 2.3.4)
	}
	return maxLocalPart - len(local) + len("{token}")
}

// WholeTokens reports whether the address has room for tokens that name game, turn and letter. By
// these, the server recognises answers to letters that a restored database no longer has.
func (c *Config) WholeTokens() bool { return c.tokenRoom() >= token.Size }

// Own tells the server's own addresses, former ones too, with any token.
func (c *Config) Own(address string) bool {
	return slices.ContainsFunc(c.patterns(), func(pattern string) bool { return shards.Own(pattern, address) })
}

// Plain is the server's address without a token: where strangers write, and
// what letters come from.
func (c *Config) Plain() string { return shards.Plain(c.Address) }

// FormerPlain are the server's former addresses without a token.
func (c *Config) FormerPlain() (all []string) {
	for _, former := range c.Former {
		all = append(all, shards.Plain(former))
	}
	return all
}

// NormalizeAddress returns the form in which addresses are compared, "" for one to
// which no letter could be written: its owner would wait for an answer in vain.
func NormalizeAddress(address string) string {
	a := letter.NormalAddress(address)
	if outbox.ValidAddr(a) != nil {
		return ""
	}
	return a
}

// Registrable is the domain under a public suffix that a host belongs to.
func Registrable(host string) string {
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

// weigh tells how many octets a letter has as it is sent.
func (s *Server) weigh(sheet *notice.Input) (int, error) {
	raw, err := s.write(sheet, nil)
	return len(raw), err
}

// notify wakes the receiver of c, unless it was woken already.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// readOptions say how letters to this server are read.
func (s *Server) readOptions() letter.Options {
	return letter.Options{Address: s.Conf.Address, Former: s.Conf.Former, AuthservID: s.Conf.AuthservID, Marker: s.Words.Marker(), Says: order.Says}
}

// An Arrival is a letter as it reached the server.
type Arrival struct {
	Raw        []byte
	HeaderOnly bool // all that was taken of a letter too large
	Received   time.Time
	Unfiled    bool // it did not come by the mailbox
}

// fetched takes letters from the mailbox to the desk.
func (s *Server) fetched(ctx context.Context, letters []imapbox.Fetched) []imapbox.Verdict {
	s.health.Busy(health.Mailbox)
	in := make([]Arrival, len(letters))
	for i, f := range letters {
		in[i] = Arrival{Raw: f.Raw, HeaderOnly: f.HeaderOnly, Received: f.InternalDate}
	}
	out := make([]imapbox.Verdict, len(letters))
	for i, h := range s.Handle(ctx, in) {
		switch {
		case h.Err != nil && db.StorageDown(h.Err):
			out[i].Err = fmt.Errorf("%w: %w", imapbox.ErrNotNow, h.Err)
		case h.Err != nil:
			out[i].Err = h.Err
		case h.Outcome == desk.SetAside:
			out[i].To = imapbox.Failed
		case h.kind == incoming.TooLarge:
			out[i].To = imapbox.TooLarge
		}
	}
	if err := s.replica.Wait(ctx); err != nil {
		notYet(out, err)
	}
	return out
}

// delivered takes letters from the host's mail server to the desk.
func (s *Server) delivered(ctx context.Context, letters []lmtp.Letter) []error {
	in := make([]Arrival, len(letters))
	for i, l := range letters {
		in[i] = Arrival{l.Raw, l.HeaderOnly, l.Received, true}
	}
	out := make([]error, len(letters))
	if err := s.hold(ctx); err != nil {
		for i := range out {
			out[i] = err
		}
		return out
	}
	handled := s.Handle(ctx, in)
	away := s.replica.Wait(ctx)
	for i, h := range handled {
		if out[i] = h.Err; h.Err == nil {
			out[i] = away
		}
	}
	// That may have taken long. What another server has to handle now is not acknowledged.
	if err := s.hold(ctx); err != nil {
		for i := range out {
			out[i] = errors.Join(out[i], err)
		}
	}
	return out
}

// drafting has a letter rendered that the desk has queued and not committed yet,
// and its picture, which takes longest, drawn as soon as the position is known.
func (s *Server) drafting(view func() *engine.View) func(notice.Message, func() (*notice.Input, error)) {
	if s.ahead == nil {
		return nil
	}
	var picture func() []byte
	if view != nil && s.ahead.room() {
		picture = s.picture(view)
	}
	return func(r notice.Message, sheet func() (*notice.Input, error)) {
		s.ahead.begin(r.MessageID, picture, sheet)
	}
}

// Handled is what became of an incoming letter.
type Handled struct {
	Outcome string
	kind    incoming.Class
	Err     error // it is to be handled again
}

// Handle takes letters to the desk, in their order, but for those that wait until DNS has said who
// wrote them: these are stored, and their Outcome is desk.Proving.
func (s *Server) Handle(ctx context.Context, letters []Arrival) []Handled {
	return s.handle(ctx, letters, true)
}

// handle takes letters to the desk; mayWait: but for those that wait.
func (s *Server) handle(ctx context.Context, letters []Arrival, mayWait bool) []Handled {
	out := make([]Handled, len(letters))
	read := make([]*letter.Letter, len(letters))
	for i, in := range letters {
		read[i], out[i].Err = s.read(ctx, in)
		out[i].kind = read[i].Kind
	}
	wait := make([]*unproven, len(letters)) // nil: the letter does not wait
	if mayWait && s.checker != nil {
		wait = s.unproven(ctx, letters, read, out)
	}
	all := make([]unit.Command, len(letters))
	for i, in := range letters {
		s.judge(read[i], in)
		c := toCommand(read[i], in.Raw, s.Conf.came(in))
		c.Unfiled, c.Elsewhere, c.Others = in.Unfiled, s.elsewhere(in.Raw, read[i].Subject), s.others()
		all[i] = c
	}
	s.keep(ctx, all, wait)
	var commands []unit.Command
	var of []int // by command: its letter
	for i, c := range all {
		switch {
		case wait[i] != nil:
			out[i].Outcome = desk.Proving
			s.log.Info("letter in", "letter", store.InID(wait[i].id), "message_id", c.MessageID, "kind", c.Class, "outcome", desk.Proving)
		case out[i].Err == nil:
			commands, of = append(commands, c), append(of, i)
		}
	}
	s.Desk.Handle(ctx, commands, func(n int, outcome string, err error) {
		i := of[n]
		l := read[i]
		out[i].Outcome, out[i].Err = outcome, err
		if err != nil && db.StorageDown(err) {
			return // nothing happened to it; its owner tries again, and says so
		}
		notify(s.wake)
		if outcome != desk.Thinking { // it is counted when its bots have thought
			s.health.LetterIn(cmp.Or(outcome, desk.StillFail))
		}
		s.log.Info("letter in", "letter", store.InID(commands[n].Stored), "message_id", l.MessageID, "kind", l.Kind, "reason", l.Reason, "orders", len(l.Orders), "outcome", outcome, "err", err)
	})
	for i, w := range wait {
		if w != nil {
			s.proving.enter(writer(read[i]), *w, s.prove)
		}
	}
	notify(s.moved)
	return out
}

// thought hears of a letter that waited for bots and is done.
func (s *Server) thought(c unit.Command, outcome string) {
	s.health.LetterIn(outcome)
	s.log.Info("letter thought about", "letter", store.InID(c.Stored), "message_id", c.MessageID, "outcome", outcome)
	notify(s.wake)
	notify(s.moved)
}

// read reads a letter: its token names the notice it answers, which tells the
// player's own lines from quoted ones.
func (s *Server) read(ctx context.Context, in Arrival) (l *letter.Letter, err error) {
	defer func() {
		if p := recover(); p != nil {
			l, err = s.unreadable(in.Raw), nil
			s.log.Error("a letter cannot be read", "message_id", l.MessageID, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	open := letter.Open
	if in.HeaderOnly {
		open = letter.OpenHeader
	}
	l = open(in.Raw, s.readOptions())
	var notice *letter.Notice
	if l.Token != "" && l.NeedsNotice(isOrder) {
		switch notice, err = s.noticeOf(ctx, l.Token); {
		case err != nil && (db.StorageDown(err) || ctx.Err() != nil):
			return l, err
		case errors.Is(err, replays.ErrUnreadable): // the host knows
		case err != nil: // it is read as well as it can be without
			s.log.Error("could not render again the notice that a letter answers", "message_id", l.MessageID, "err", err)
		}
	}
	return l.Answering(notice), nil
}

// unreadable returns a letter that our reader cannot cope with: the server keeps it,
// and tells its writer if its header names them.
func (s *Server) unreadable(raw []byte) (l *letter.Letter) {
	defer func() {
		if recover() != nil {
			l = new(letter.Letter)
		}
		l.Kind = incoming.Broken
	}()
	return letter.OpenHeader(raw, s.readOptions())
}

// isOrder tells a line that says one step as lists of orders do, but without
// their bar.
func isOrder(line string) bool {
	_, err := order.Parse(line)
	return err == nil
}

// came is when a letter came for us: when it was in the mailbox, or its recipient was taken by
// LMTP, or before that when a host of the settings got it.
func (c *Config) came(in Arrival) time.Time {
	if at, ok := letter.ReceivedBy(in.Raw, c.ReceivedBy); ok && at.Before(in.Received) {
		return at
	}
	return in.Received
}

// toCommand is what the desk wants to know of a letter.
func toCommand(l *letter.Letter, raw []byte, received time.Time) unit.Command {
	c := unit.Command{
		From: l.From, Foreign: l.Foreign, Name: l.FromName, Token: l.Token, Also: l.Also, Class: l.Kind,
		MessageID: l.MessageID, InReplyTo: l.InReplyTo, Date: l.Date, BodyHash: l.BodyHash, Subject: l.Subject, Program: l.Program,
		Lines: l.Text, AuthFailed: l.Auth == letter.Failed, AuthPassed: l.Auth == letter.Passed && l.AuthReason == "dmarc=pass", Authentic: l.Auth == letter.Passed, Received: received, Raw: raw,
	}
	if l.Auth == letter.Illegible {
		c.AuthIllegible = l.AuthReason
	}
	if l.BarredOnly {
		for _, d := range l.Dropped {
			if d.Why == letter.Bar {
				c.Barred++
			}
		}
	}
	c.Quoted, c.Sealed, c.Struck, c.Reaction = len(l.QuotedChoices), l.Sealed, l.Struck, l.Reaction
	c.Bounced, c.Complaint = l.Bounces, l.Complaint
	c.Aside, c.Linked, c.Files = !l.Addressed, l.Linked, l.Files
	return c
}

// keptNotices is how many letters out stay prepared: the one that a letter answers is needed
// as it is read and, soon after, as it is condensed.
const keptNotices = 16

// noticeOf is the letter that bears a token, as it was sent; nil if there is none.
func (s *Server) noticeOf(ctx context.Context, token string) (n *letter.Notice, err error) {
	if n, ok := s.notices.Get(token); ok {
		return n, nil
	}
	defer func() {
		if p := recover(); p != nil {
			n, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	r, err := s.DB.MessageByToken(ctx, token)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sheet, err := s.Desk.Host().Input(ctx, r)
	if err != nil {
		return nil, err
	}
	body, err := s.Body(sheet)
	if err != nil {
		return nil, err
	}
	texts := []string{body.Text}
	if body.HTML != "" {
		texts = append(texts, letter.HTMLText(body.HTML), letter.ShownText(body.HTML))
	}
	n = letter.NewNotice(texts...)
	n.MessageID = r.MessageID
	s.notices.Add(token, n)
	return n, nil
}

const (
	pictureID    = "board"
	picturesRoom = 16 << 20 // bytes; of some 800 positions, if each follows on one of them
)

// Body renders a letter's subject, text and HTML.
func (s *Server) Body(sheet *notice.Input) (templates.Letter, error) {
	r := &sheet.Message
	site := templates.Site{BaseURL: strings.TrimRight(s.Conf.HTTP.BaseURL, "/"), ReplyTo: s.ReplyTo(r.Token), Reply: s.ReplyTo}
	if sheet.View != nil && r.ShowsBoard() || r.Kind == notice.KindInvitation {
		site.Picture = pictureID + "." + r.MessageID
	}
	body, err := templates.Render(s.Words, sheet, site)
	if err != nil {
		return templates.Letter{}, fmt.Errorf("letter %d: %w", r.ID, err)
	}
	return body, nil
}

// picture begins to draw a letter's picture; what it returns waits for it, and
// is nil if that failed. It is to be called once.
func (s *Server) picture(view func() *engine.View) func() []byte {
	drawn := make(chan []byte, 1)
	go func() {
		defer close(drawn)
		s.renderSlots <- struct{}{}
		defer func() {
			<-s.renderSlots
			_ = recover() // where it is drawn again, that is seen to
		}()
		drawn <- s.pictures.PNG(view())
	}()
	return func() []byte { return <-drawn }
}

// ReplyTo is the address that bears a token.
func (s *Server) ReplyTo(token string) string {
	if token == "" {
		return ""
	}
	return strings.Replace(s.Conf.Address, "{token}", token, 1)
}

// Render makes the bytes of a queued letter.
func (s *Server) Render(ctx context.Context, r notice.Message) ([]byte, error) {
	sheet, err := s.Desk.Host().Input(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("letter %d: %w", r.ID, err)
	}
	return s.write(sheet, nil)
}

// write makes the bytes of a letter. Its picture may have been begun; nil: it was
// not.
func (s *Server) write(sheet *notice.Input, picture func() []byte) ([]byte, error) {
	r := &sheet.Message
	if picture == nil && sheet.View != nil && r.Format != "text" && r.ShowsBoard() {
		picture = s.picture(func() *engine.View { return sheet.View })
	}
	body, err := s.Body(sheet)
	if err != nil {
		return nil, err
	}
	cal, err := s.calendar(sheet, &body)
	if err != nil {
		return nil, err
	}
	m := outbox.Message{
		From:    outbox.Address{Name: "Angelpost", Addr: s.Conf.Plain()},
		ReplyTo: s.ReplyTo(r.Token), To: outbox.Address{Addr: r.To},
		Subject: body.Subject, Date: r.Date, MessageID: r.MessageID, InReplyTo: r.InReplyTo, References: r.References,
		Headers: map[string]string{"X-Angelpost-Kind": string(r.Kind), "X-Angelpost-Result": string(r.Result)},
		Text:    body.Text, HTML: body.HTML, Calendar: cal,
	}
	if r.Answer.Data != "" {
		m.Data = &outbox.Data{Name: "angelpost-data.json", Text: r.Answer.Data}
	}
	if r.Game != "" {
		m.ListID = r.Game + "." + s.Conf.NamedBy()
		m.Unsubscribe = s.unsubscribe(*r)
		m.Headers["X-Angelpost-Game"] = r.Game
		m.Headers["X-Angelpost-Seat"] = fmt.Sprint(r.Seat)
		m.Headers["X-Angelpost-Step"] = fmt.Sprint(r.Step)
	}
	if r.League != "" {
		m.ListID = r.League + ".league." + s.Conf.NamedBy()
		m.Unsubscribe = s.unsubscribe(*r)
	}
	if r.Unlisted {
		m.ListID = ""
	}
	if body.Picture {
		png := picture()
		if png == nil {
			png = s.pictures.PNG(sheet.View)
		}
		m.Pictures = append(m.Pictures, outbox.Picture{ID: pictureID + "." + r.MessageID, Name: "board.png", Data: png})
	}
	for i, v := range body.Tour {
		m.Pictures = append(m.Pictures, outbox.Picture{ID: templates.TourPicture(pictureID+"."+r.MessageID, i), Name: fmt.Sprintf("turn-%d.png", i+1), Data: s.pictures.Space(v)})
	}
	return outbox.Compose(m)
}

// unsubscribe returns the addresses at which the reader of a letter about a game or a
// league mutes it: one that takes a click, if the pages can be reached safely and they
// have one, and one that takes a letter.
func (s *Server) unsubscribe(r notice.Message) (at []string) {
	base := strings.TrimRight(s.Conf.HTTP.BaseURL, "/")
	if r.MuteKey != "" && r.Game+r.League != "" && safeURL(base) { // a league may have been deleted since
		page := templates.Site{BaseURL: base}.Page(r.Game, r.MuteKey)
		if r.League != "" {
			page = base + "/l/" + r.League + "/" + r.MuteKey
		}
		at = append(at, page+"/mute")
	}
	if to := s.ReplyTo(r.Token); to != "" {
		at = append(at, "mailto:"+templates.AddressInURL(to)+"?subject=mute")
	}
	return at
}

// safeURL reports whether an address can be clicked without others listening.
func safeURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// queue is the database as the outbox sees it.
type queue struct{ *Server }

func (q queue) Due(ctx context.Context, now time.Time, limit int, busy outbox.Busy) ([]outbox.Letter, time.Time, error) {
	read := q.DB.Waiting
	if q.Conf.limits() != "" {
		read = q.DB.WaitingUrgentFirst
	}
	rows, next, err := read(ctx, now, limit, busy.Recipients, busy.Domains)
	if err == nil {
		rows, err = q.unlessAway(ctx, rows)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	out := make([]outbox.Letter, len(rows))
	for i, r := range rows {
		out[i] = outbox.Letter{ID: r.ID, MessageID: r.MessageID, From: q.Conf.Plain(), To: r.To, Made: r.Made, Queued: r.Queued, Attempts: r.Tries, Urgent: r.Urgent}
	}
	return out, next, nil
}

// render makes the bytes of a letter that Due has handed out.
func (q queue) render(ctx context.Context, l outbox.Letter) ([]byte, error) {
	if q.ahead != nil {
		if raw := q.ahead.take(l.MessageID); raw != nil {
			return raw, nil
		}
	}
	var r notice.Message
	err := q.DB.View(ctx, func(tx store.Tx) (err error) {
		r, err = tx.Message(l.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	return q.Server.Render(ctx, r)
}

// oldLetter is how long ago a letter was made that is looked at again before it goes, as are all
// that were put off.
const oldLetter = 15 * time.Minute

// given are the letters that the mail server is being given. None of them is dropped meanwhile,
// and none that was dropped is given.
type given struct {
	mu  sync.Mutex
	ids map[int64]bool
}

// over forgets letters of which it is recorded what came of them.
func (g *given) over(ids ...int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range ids {
		delete(g.ids, id)
	}
}

// before reports whether a letter that the mail server is about to be given still says what is
// true. If the server took none for long, the deadlines that the letter tells of are moved first.
func (q queue) before(ctx context.Context, l outbox.Letter) (still bool, err error) {
	g := &q.given
	g.mu.Lock()
	defer g.mu.Unlock()
	defer func() {
		if still {
			g.ids[l.ID] = true
		}
	}()
	waits, plain, err := q.DB.Plain(ctx, l.ID)
	if err != nil || !waits || plain && l.Attempts == 0 && q.time.now().Sub(l.Made) < oldLetter {
		return waits, err
	}
	if worked, failed := q.flow.outWorked(); worked.IsZero() || !failed.IsZero() {
		if err := q.Desk.MailCatchesUp(ctx); err != nil {
			return false, err
		}
	}
	still, err = q.Desk.Anew(ctx, l.ID, func(id int64) bool { return g.ids[id] })
	if err == nil && !still {
		q.log.Info("a letter that waited is no longer true", "letter", store.OutID(l.ID))
		if q.ahead != nil {
			q.ahead.take(l.MessageID) // what was rendered of it
		}
		notify(q.wake)
	}
	return still, err
}

func (q queue) Sent(ctx context.Context, letters []outbox.Accepted) error {
	ids := make([]int64, len(letters))
	for i, a := range letters {
		ids[i] = a.ID
	}
	err := q.DB.SentAt(ctx, q.time.now(), ids...)
	if err == nil {
		q.given.over(ids...)
		q.health.LettersOut(health.Sent, len(ids))
	}
	return err
}

func (q queue) Retry(ctx context.Context, id int64, next time.Time, why outbox.Delay) error {
	q.health.LettersOut(health.PutOff, 1)
	q.log.Warn("letter put off", "letter", store.OutID(id), "until", next, "cause", why.Cause)
	err := q.DB.Retry(ctx, id, next, why.Cause, why.Unsure)
	if err != nil {
		return err
	}
	q.given.over(id)
	if why.Refused {
		if err := q.Desk.Refused(ctx, id, why.Cause); err != nil {
			q.log.Error("that a letter was refused for now is not noted", "letter", store.OutID(id), "err", err)
		}
	}
	return nil
}

// Failed gives a letter up; the desk tells the game's organiser. The desk learns it
// first: if killed in between, we give the letter up again and they still know.
func (q queue) Failed(ctx context.Context, id int64, _ time.Time, cause string) error {
	q.health.LettersOut(health.GivenUp, 1)
	q.log.Warn("letter given up", "letter", store.OutID(id), "cause", cause)
	defer notify(q.wake)
	q.raise(ctx, notice.AlarmRefused, cause)
	if err := q.Desk.Undeliverable(ctx, id); err != nil {
		if db.StorageDown(err) || ctx.Err() != nil {
			return err
		}
		q.log.Error("could not report a letter that was given up", "letter", store.OutID(id), "err", err)
	}
	err := q.DB.Failed(ctx, id, cause)
	if err == nil {
		q.given.over(id)
	}
	return err
}

// clock lets the desk do what has fallen due, and notices what another process
// wrote: it looks every two seconds at the latest.
func (s *Server) clock(ctx context.Context) error {
	version := int64(-1)
	trouble := time.Duration(0) // how long to wait after a failure
	for ctx.Err() == nil {
		n, err := 0, s.watchClock(ctx)
		s.health.Round(health.Writer, err) // it writes every minute
		if err == nil {
			err = s.watchMail(ctx)
		}
		if err == nil {
			n, err = s.Desk.Due(ctx)
		}
		if err != nil && ctx.Err() == nil {
			trouble = min(max(2*trouble, firstTrouble), maxTrouble)
			s.log.Error("a due task failed", "again_in", trouble, "err", err)
			s.alarms.damage(err)
		} else {
			trouble = 0
		}
		if n > 0 {
			notify(s.wake)
		}
		s.takeUp(ctx, s.Desk.Regained)
		next, err := s.Desk.NextDue(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Error("could not find the next due task", "err", err)
		}
		if v, err := s.DB.Version(ctx); err == nil && v != version {
			version = v
			notify(s.wake)
		}
		s.health.Round(health.Clock, err)
		wait := hook.Tick()
		if until := next.Sub(s.time.now()); !next.IsZero() && until < wait {
			wait = max(until, 10*time.Millisecond)
			if s.Desk.WaitsForMail() { // which wakes this clock
				wait = max(wait, time.Second)
			}
		}
		wait = max(wait, trouble) // what failed is still due
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-s.moved:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// How long it takes until what failed is tried again, at first and at most.
const (
	firstTrouble = 2 * time.Second
	maxTrouble   = 30 * time.Second
)

// Run is the server at work until ctx ends: mailbox, outbox and clock. Letters
// that were stored but not applied before a crash come first.
func (s *Server) Run(ctx context.Context) error {
	spareCollector()
	q := queue{s}
	limits, err := s.sendingLimits(ctx)
	if err != nil {
		return err
	}
	signer, err := s.Conf.Signer()
	if err != nil {
		return cli.BadEnvironment(err)
	}
	sender, err := outbox.New(outbox.Config{
		Server: s.smtp(), Round: func(since time.Time, err error) {
			s.health.Round(health.Sender, err)
			s.flow.hear(mailOut, since, err)
		}, Connections: s.Conf.SMTP.Connections, Limits: limits, Queue: q, Render: signing(q.render, signer), Wake: s.wake, May: s.tenure.May, Before: q.before, Now: s.time.now, Log: s.log, At: hook.Passing,
	})
	if err != nil {
		return err
	}
	work := func(ctx context.Context) error {
		defer s.proving.begin(ctx)()
		if err := s.Desk.TakeUp(ctx); err != nil && ctx.Err() == nil {
			s.log.Error("letters about games that could not be read stay set aside", "err", err)
		}
		s.takeUp(ctx, s.Desk.Pending)
		return Together(ctx, sender.Run, s.clock, s.replica.Run, s.count, s.rate, s.backUp, s.tryReplica, s.alarm, s.probe, s.forgetFiled, s.wipe, func(ctx context.Context) error { return s.watch(ctx, sender) })
	}
	return Together(ctx, s.Desk.Think, work) // it takes the letters that must wait for it, stored ones too
}

// takeUp handles stored letters.
func (s *Server) takeUp(ctx context.Context, which func(context.Context) ([]store.Letter, error)) {
	pending, err := which(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Error("stored letters cannot be read; they wait for the next start", "err", err)
	}
	for _, l := range pending {
		if h := s.Handle(ctx, []Arrival{arrived(l)}); h[0].Err != nil && ctx.Err() == nil {
			s.log.Error("a stored letter failed again", "letter", store.InID(l.ID), "err", h[0].Err)
		}
	}
}

// softMemory is where the collector begins to work harder. What is not Go's is
// beside it, some 28 MB, and the process is to stay below 100.
const softMemory = 56 << 20

// spareCollector lets the garbage collector run less often than usual below
// softMemory: some 20 MB live, and most of what is allocated is one letter's and
// gone at once. The environment (GOGC, GOMEMLIMIT) has the last word.
func spareCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
}

// Together runs all until ctx ends or one of them returns, then stops the others.
func Together(ctx context.Context, parts ...func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	for _, part := range parts {
		group.Go(func() error {
			defer stop()
			return part(ctx)
		})
	}
	return group.Wait()
}

func (c *Config) OutboxServer() outbox.Server {
	return outbox.Server{
		Addr: c.SMTP.Addr, TLS: c.SMTP.TLS, CAFile: c.Path(c.SMTP.CAFile),
		User: c.SMTP.User, Secret: c.Secret(c.SMTP.mailServer), Hello: c.Host(),
	}
}

// LmtpAddr is where letters are taken from the host's mail server.
func (c *Config) LmtpAddr() string {
	if path, ok := strings.CutPrefix(c.LMTP.Addr, "unix:"); ok {
		return "unix:" + c.Path(path)
	}
	return c.LMTP.Addr
}

func (c *Config) Mailbox(log *slog.Logger) imapbox.Config {
	return imapbox.Config{
		Addr: c.IMAP.Addr, TLS: c.IMAP.TLS, CAFile: c.Path(c.IMAP.CAFile),
		User: c.IMAP.User, Secret: c.Secret(c.IMAP.mailServer), Folder: c.IMAP.Folder, Junk: c.junk(),
		MaxLetter: letter.MaxBytes, Log: log,
	}
}
