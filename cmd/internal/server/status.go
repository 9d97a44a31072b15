package server

import (
	"context"
	"fmt"
	"time"

	"angelpost/db"
	"angelpost/engine/store"
)

// Moment is a time in JSON and in lines; nil and "never" for none.
func Moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

// Told is a Moment in a line of text.
func Told(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.RFC3339)
}

// A StatusReport is what status prints.
type StatusReport struct {
	Schema   int        `json:"schema"`
	Version  string     `json:"version"`
	Commit   string     `json:"commit"`
	Address  string     `json:"address"`
	Database string     `json:"database"`
	Bytes    int64      `json:"database_bytes"`
	AtWork   *time.Time `json:"at_work"` // when the server last wrote that it is
	LastIn   *time.Time `json:"last_letter"`
	Queued   int        `json:"queued"`
	Oldest   *time.Time `json:"oldest_queued"`
	Limits   string     `json:"sending_limits"` // and what was sent; "" any number may be
	New      int        `json:"new"`
	Waiting  int        `json:"held"`
	Aside    int        `json:"aside"`
	Running  int        `json:"games_running"`
	Players  int        `json:"players"`
	Stopped  *time.Time `json:"mail_stopped"` // since when mail does not flow both ways
	Used     *int64     `json:"mailbox_used"` // percent of its quota; null: not known
	IdleLate bool       `json:"idle_late"`    // the mail server does not tell of letters by IDLE
	JunkLeft int64      `json:"junk_left"`    // letters in the folder of spam that answer ours, and are not proven
	Held     []heldRow  `json:"held_clocks"`
	Erasing  bool       `json:"erasing"` // the mailbox or the files still have something of an erased player
	Alarms   []alarmRow `json:"alarms"`
}

// A heldRow is a player whose clocks stand still, or have stood still this year, because their
// mail server refuses letters for now.
type heldRow struct {
	Player int64      `json:"player"`
	Name   string     `json:"name"`
	Since  *time.Time `json:"since"` // null: they can be reached
	Until  *time.Time `json:"until"` // at the latest
	Held   bool       `json:"held"`  // false: they have had what time they may
	Why    string     `json:"why"`
	Days   float64    `json:"days"` // this year, without what is under way
}

type alarmRow struct {
	Kind    string     `json:"kind"`
	Since   *time.Time `json:"since"`
	Why     string     `json:"why"`
	Command string     `json:"command"` // that helps
}

// SetIdle says what a host can do about a late IDLE.
const SetIdle = "With Cyrus start idled; with Courier set IMAP_ENHANCEDIDLE=1; then restart this server"

func (r StatusReport) Lines() []string {
	queue := fmt.Sprintf("letters that wait to be sent: %d", r.Queued)
	if r.Oldest != nil {
		queue += ", the oldest since " + Told(r.Oldest)
	}
	if r.Limits != "" {
		queue += "; " + r.Limits
	}
	out := []string{
		fmt.Sprintf("angelpost %s, commit %s", r.Version, r.Commit),
		"address: " + r.Address,
		fmt.Sprintf("database: %s, %d bytes", r.Database, r.Bytes),
		"the server was last at work: " + Told(r.AtWork),
		"last letter received: " + Told(r.LastIn),
		queue,
		fmt.Sprintf("letters not applied yet: %d", r.New),
		fmt.Sprintf("letters that wait for a confirmation: %d", r.Waiting),
		fmt.Sprintf("letters set aside: %d", r.Aside),
		fmt.Sprintf("games under way: %d", r.Running),
		fmt.Sprintf("players: %d", r.Players),
	}
	if r.Stopped != nil {
		out = append(out, "mail does not flow since "+Told(r.Stopped)+": nothing falls due")
	}
	if r.Used != nil {
		out = append(out, fmt.Sprintf("mailbox: %d %% of its quota", *r.Used))
	}
	if r.IdleLate {
		out = append(out, "the mail server does not tell of new letters (IDLE): the server looks every 30 seconds. "+SetIdle)
	}
	if r.JunkLeft > 0 {
		out = append(out, fmt.Sprintf("letters in the folder of spam that answer this server's, but nothing proves who wrote them: %d. The log lists them; move the good ones to the inbox yourself", r.JunkLeft))
	}
	for _, h := range r.Held {
		out = append(out, h.Line())
	}
	if r.Erasing {
		out = append(out, "erasing: the mailbox or the database's files still have something of an erased player")
	}
	for _, a := range r.Alarms {
		out = append(out, fmt.Sprintf("ALARM %s, since %s: %q; %s", a.Kind, Told(a.Since), a.Why, a.Command))
	}
	return out
}

func (s *Server) Status(ctx context.Context) (StatusReport, error) {
	f, err := s.DB.Figures(ctx)
	if err != nil {
		return StatusReport{}, err
	}
	beat, err := s.DB.Beaten(ctx)
	if err != nil {
		return StatusReport{}, err
	}
	limits, err := s.sending(ctx, s.time.now())
	if err != nil {
		return StatusReport{}, err
	}
	stopped, err := s.Desk.MailStopped(ctx)
	if err != nil {
		return StatusReport{}, err
	}
	late, err := s.DB.Noted(ctx, noteIdleLate)
	if err != nil {
		return StatusReport{}, err
	}
	used, err := s.DB.Noted(ctx, noteUsed)
	if err != nil {
		return StatusReport{}, err
	}
	left, err := s.DB.Noted(ctx, noteJunk)
	if err != nil {
		return StatusReport{}, err
	}
	held, err := s.heldRows(ctx)
	if err != nil {
		return StatusReport{}, err
	}
	alarms, err := s.alarmRows(ctx)
	return StatusReport{
		Schema: 1, Version: version, Commit: commit(), Address: s.Conf.Plain(), Database: s.Conf.Path(s.Conf.Database), Bytes: f.Size,
		AtWork: Moment(beat), LastIn: Moment(f.LastIn), Queued: f.Queued, Oldest: Moment(f.OldestQueued), Limits: limits,
		New: f.New, Waiting: f.Held, Aside: f.Aside, Running: f.Running, Players: f.Players, Stopped: Moment(stopped), Used: percent(used), IdleLate: late != 0, JunkLeft: left, Held: held, Erasing: f.Erasing,
		Alarms: alarms,
	}, err
}

// percent is the figure noted as noteUsed; nil: not known.
func percent(noted int64) *int64 {
	if noted == 0 {
		return nil
	}
	noted--
	return &noted
}

func (h heldRow) Line() string {
	line := fmt.Sprintf("clocks of player %d, %q: ", h.Player, h.Name)
	switch {
	case h.Since == nil:
		line += "they run"
	case h.Held:
		line += "they stand still, since " + Told(h.Since) + ", until " + Told(h.Until) + " at the latest"
	default:
		line += "they run, though letters are refused since " + Told(h.Since)
	}
	line += fmt.Sprintf("; %.1f days this year", h.Days)
	if h.Why != "" {
		line += fmt.Sprintf(": %q", h.Why)
	}
	return line
}

// heldRows lists the players whose clocks stand still, or have stood still this year.
func (s *Server) heldRows(ctx context.Context) ([]heldRow, error) {
	out := []heldRow{}
	rows, err := s.DB.HeldClocks(ctx, s.time.now().UTC().Year(), SurveyPage)
	for _, h := range rows {
		out = append(out, heldRow{h.Player, h.Name, Moment(h.Since), Moment(h.Until), h.Held, trimWhy(h.Why), h.Year.Hours() / 24})
	}
	return out, err
}

// SurveyPage is how many rows are read at once.
const SurveyPage = 500

// A LetterList is what letters prints.
type LetterList struct {
	Schema  int         `json:"schema"`
	Letters []LetterRow `json:"letters"`
	More    []string    `json:"more"` // states of which only the first SurveyPage letters are here
}

// A LetterRow is a letter in or out, which its ID tells: in12, out34.
type LetterRow struct {
	ID        string     `json:"id"`
	State     string     `json:"state"`
	Address   string     `json:"address"` // its writer or its reader
	Kind      string     `json:"kind"`
	Game      string     `json:"game"`
	MessageID string     `json:"message_id"`
	Date      *time.Time `json:"date"` // received or written
	Tries     int        `json:"tries"`
	Next      *time.Time `json:"next"` // try
	Why       string     `json:"why"`  // it is in that state
}

func (r LetterRow) Line() string {
	line := fmt.Sprintf("%s, %s, %s: %q, %s", r.ID, r.State, Told(r.Date), r.Address, r.Kind)
	if r.Game != "" {
		line += ", game " + r.Game
	}
	if r.Next != nil {
		line += fmt.Sprintf(", %d tries, next %s", r.Tries, Told(r.Next))
	}
	if r.Why != "" {
		line += fmt.Sprintf(": %q", r.Why)
	}
	return line
}

func (l LetterList) Lines() (out []string) {
	for _, r := range l.Letters {
		out = append(out, r.Line())
	}
	for _, state := range l.More {
		out = append(out, fmt.Sprintf("only the first %d letters of the state %s are listed", SurveyPage, state))
	}
	return out
}

// RowIn is the row of a letter in.
func RowIn(l store.Letter) LetterRow {
	kind := string(l.Class)
	return LetterRow{ID: store.InID(l.ID), State: l.State, Address: l.From, Kind: kind, MessageID: l.MessageID, Date: Moment(l.Received), Tries: l.Attempts, Why: l.Why}
}

// RowOut is the row of a letter out.
func RowOut(p db.Posted) LetterRow {
	return LetterRow{ID: store.OutID(p.ID), State: p.State, Address: p.To, Kind: p.Kind, Game: p.Game, MessageID: p.MessageID,
		Date: Moment(p.Date), Tries: p.Tries, Next: Moment(p.Next), Why: p.Error}
}

// A LetterState is one that letters takes, and who lists its letters.
type LetterState struct {
	State string
	asked bool // hosts see it only if they name it: there is nothing to do about its letters
	list  func(context.Context, *Server) ([]LetterRow, error)
}

var LetterStates = []LetterState{
	{store.LetterAside, false, listIn(store.LetterAside)},
	{store.OutQueued, false, listOut((*db.DB).Queue)},
	{store.LetterHeld, false, listIn(store.LetterHeld)},
	{store.OutFailed, false, listOut((*db.DB).GivenUp)},
	{store.OutDropped, true, listOut((*db.DB).Dropped)},
}

func listIn(state string) func(context.Context, *Server) ([]LetterRow, error) {
	return func(ctx context.Context, s *Server) (rows []LetterRow, err error) {
		err = s.DB.View(ctx, func(tx store.Tx) error {
			letters, err := tx.Letters(state, SurveyPage+1)
			for _, l := range letters {
				rows = append(rows, RowIn(l))
			}
			return err
		})
		return rows, err
	}
}

func listOut(list func(*db.DB, context.Context, int) ([]db.Posted, error)) func(context.Context, *Server) ([]LetterRow, error) {
	return func(ctx context.Context, s *Server) (rows []LetterRow, err error) {
		posted, err := list(s.DB, ctx, SurveyPage+1)
		for _, p := range posted {
			rows = append(rows, RowOut(p))
		}
		return rows, err
	}
}

// LetterList lists the letters in a state; "" in any.
func (s *Server) LetterList(ctx context.Context, state string) (LetterList, error) {
	out := LetterList{Schema: 1, Letters: []LetterRow{}, More: []string{}}
	for _, l := range LetterStates {
		if state != "" && state != l.State || state == "" && l.asked {
			continue
		}
		rows, err := l.list(ctx, s)
		if err != nil {
			return out, err
		}
		out.Letters = append(out.Letters, rows[:min(len(rows), SurveyPage)]...)
		if len(rows) > SurveyPage {
			out.More = append(out.More, l.State)
		}
	}
	return out, nil
}

func (s *Server) LetterRow(ctx context.Context, in bool, id int64) (row LetterRow, err error) {
	if !in {
		p, err := s.DB.Posted(ctx, id)
		return RowOut(p), err
	}
	err = s.DB.View(ctx, func(tx store.Tx) error {
		l, err := tx.Letter(id)
		row = RowIn(l)
		return err
	})
	return row, err
}
