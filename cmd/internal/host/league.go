package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/jcs"
	"angelpost/engine/league"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// A leagueVerb is one of the things that `angelpost league` does.
type leagueVerb struct {
	name, words, does string
	least, most       int // arguments
	run               func(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error
}

func leagueVerbs() []leagueVerb {
	return []leagueVerb{
		{"create", "FILE", "make a league from a file (- is standard input)", 1, 1, leagueCreate},
		{"amend", "NAME FILE", "change a league's file from its next season on", 2, 2, leagueAmend},
		{"file", "NAME", "print a league's current file, with addresses, for amending", 1, 1, leagueRules},
		{"list", "", "list all leagues", 0, 0, leagueList},
		{"show", "NAME", "print a league's standings", 1, 1, leagueShow},
		{"join", "NAME ADDRESS [CALLED]", "add a player to a league, whatever its file says", 2, 3, leagueJoin},
		{"leave", "NAME ADDRESS", "remove a player from a league", 2, 2, leagueLeave},
		{"substitute", "NAME ADDRESS [no]", "add a player to a league's substitutes, or remove them", 2, 3, leagueSubstitute},
		{"announce", "NAME TEXT", "write to all players of a league (-yes)", 2, 2, leagueAnnounce},
		{"extend", "NAME [division N|round N|player WHO] by TIME REASON", "give more time to all who have to move, or to a part of them", 4, 100, leagueDirect},
		{"pause", "NAME [division N|round N|player WHO] REASON", "stop a league: no time runs, and nothing begins; or only some of its games", 2, 100, leagueDirect},
		{"resume", "NAME [division N|round N|player WHO] REASON", "let what is paused go on", 2, 100, leagueDirect},
		{"close", "NAME REASON", "end a league, with the season that runs, and tell its players why", 2, 2, leagueDirect},
		{"start", "NAME REASON|no", "begin the next season or round in an hour, or not after all", 2, 2, leagueDirect},
		{"rename", "NAME NEW [REASON]", "give a league another name; its addresses stay", 2, 3, leagueDirect},
		{"delete", "NAME REASON", "delete a league that has not begun (-yes), or archive one that has been played", 2, 2, leagueDirect},
		{"add", "NAME ADDRESS [REASON]", "let a player in; we ask players who never wrote", 2, 3, leagueDirect},
		{"expel", "NAME WHO REASON", "take a player out of a league and its games (-yes)", 3, 3, leagueDirect},
		{"move", "NAME WHO N REASON", "put a player into division N from the next season on", 4, 4, leagueDirect},
		{"export", "NAME", "print a league's file and log as JSON, without addresses", 1, 1, leagueExport},
	}
}

// RunLeague does what a host does with leagues.
func RunLeague(args []string, stdout, stderr io.Writer) int {
	verb := ""
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	switch verb {
	case "sample":
		fmt.Fprint(stdout, league.Sample())
		return cli.ExitYes
	case "verify":
		return leagueVerify(args, stdout, stderr)
	}
	i := slices.IndexFunc(leagueVerbs(), func(v leagueVerb) bool { return v.name == verb })
	if i < 0 {
		return leagueUsage(verb, stdout, stderr)
	}
	v := leagueVerbs()[i]
	fs := cli.Flags("league "+v.name, v.words, stderr)
	path := cli.ConfigFlag(fs)
	switch v.name {
	case "start", "delete", "expel", "announce", "amend":
		fs.Bool("yes", false, "do it, although nothing undoes it")
	}
	switch v.name {
	case "list", "show", "extend", "pause", "resume", "close", "start", "rename", "delete", "add", "expel", "move":
		fs.Bool("json", false, "print JSON")
	}
	if code := cli.Parse(fs, args, v.most); code != cli.GoOn {
		return code
	}
	if fs.NArg() < v.least {
		return cli.Exit(stderr, "league", cli.BadUsage("use: angelpost league %s -config F %s", v.name, v.words))
	}
	ctx := context.Background()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "league", err)
	}
	defer s.Close()
	err = v.run(ctx, s, fs, stdout)
	var problem desk.LeagueProblem
	switch {
	case errors.As(err, &problem):
		fmt.Fprintf(stderr, "angelpost league: %s\n", s.Words.For(component.Default(), 0, nil).ProblemOf(problem.Problem, problem.Whom))
		for _, p := range problem.More {
			fmt.Fprintf(stderr, "angelpost league: %s\n", s.Words.For(component.Default(), 0, nil).Problem(p))
		}
		if strings.HasPrefix(problem.Code, notice.ProblemFile) {
			return cli.ExitUsage
		}
		return cli.ExitNo
	case errors.Is(err, store.ErrNotFound):
		fmt.Fprintf(stderr, "angelpost league: there is no league %.40q; `angelpost league list` lists them all\n", fs.Arg(0))
		return cli.ExitNo
	}
	return cli.Exit(stderr, "league", err)
}

func leagueUsage(verb string, stdout, stderr io.Writer) int {
	out, code := stderr, cli.ExitUsage
	if verb == "help" || verb == "-h" || verb == "-help" || verb == "--help" {
		out, code = stdout, cli.ExitYes
	} else if verb != "" {
		fmt.Fprintf(stderr, "angelpost league: there is no verb %.40q.\n\n", verb)
	}
	fmt.Fprintln(out, "Usage: angelpost league VERB [flags] …, where VERB is one of")
	fmt.Fprintf(out, "  %-10s %-22s %s\n", "sample", "", "print a file to start from, with every line explained")
	for _, v := range leagueVerbs() {
		fmt.Fprintf(out, "  %-10s %-22s %s\n", v.name, v.words, v.does)
	}
	fmt.Fprintf(out, "  %-10s %-22s %s\n", "verify", "NAME | FILE | -all", "replay the logs of leagues and compare them with their games, or check an export")
	return code
}

func leagueCreate(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	text, err := leagueFile(fs.Arg(0))
	if err != nil {
		return err
	}
	if _, err := s.Desk.Beat(ctx); err != nil { // moves timers after a gap; called first, so that the new league's stay as they are
		return err
	}
	id, err := s.Desk.NewLeague(ctx, text)
	if err == nil {
		fmt.Fprintf(stdout, "league=%s\n", id)
		warn(s, fs, text)
		tellBack(fs, "league delete", "-yes", id, takenBack)
	}
	return err
}

// warn says what is odd in a league's file that has been taken.
func warn(s *server.Server, fs *flag.FlagSet, file string) {
	r, err := league.ParseRules(file)
	if err != nil {
		return
	}
	for _, code := range compete.Odd(r) {
		fmt.Fprintf(fs.Output(), "angelpost league: %s\n", s.Words.Say("remark."+code))
	}
}

// leagueFile reads a file, or standard input.
func leagueFile(name string) (string, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", cli.BadUsage("%w", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, league.MaxFile+1))
	if err != nil {
		return "", cli.BadUsage("%s: %w", name, err)
	}
	return string(text), nil
}

func leagueAmend(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	text, err := leagueFile(fs.Arg(1))
	if err != nil {
		return err
	}
	now, err := s.Desk.AmendLeague(ctx, fs.Arg(0), text, asked(fs, "yes"))
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "amended=%s\n", fs.Arg(0))
	warn(s, fs, text)
	c := changeOf(s, now)
	for _, back := range now.Commands {
		c.Back = commandLine(fs, "league amend", fs.Arg(0), "-") + " <<'.'\n" + strings.Join(back.List, "\n") + "\n."
	}
	c.tell(fs.Output())
	return nil
}

func leagueJoin(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	err := s.Desk.JoinLeague(ctx, fs.Arg(0), fs.Arg(1), fs.Arg(2))
	if err == nil {
		fmt.Fprintf(stdout, "joined=%s\n", fs.Arg(1))
		tellBack(fs, "league leave", fs.Arg(0), fs.Arg(1))
	}
	return err
}

func leagueLeave(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	err := s.Desk.LeaveLeague(ctx, fs.Arg(0), fs.Arg(1))
	if err == nil {
		fmt.Fprintf(stdout, "left=%s\n", fs.Arg(1))
		tellBack(fs, "league join", fs.Arg(0), fs.Arg(1))
	}
	return err
}

func leagueSubstitute(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	no := fs.Arg(2)
	if no != "" && no != "no" {
		return cli.BadUsage("%.40q after the address: want no, or nothing", no)
	}
	err := s.Desk.SubstituteLeague(ctx, fs.Arg(0), fs.Arg(1), no == "no")
	if err == nil {
		fmt.Fprintf(stdout, "substitute=%s\n", fs.Arg(1))
		back := []string{fs.Arg(0), fs.Arg(1)}
		if no == "" {
			back = append(back, "no")
		}
		tellBack(fs, "league substitute", back...)
	}
	return err
}

func leagueAnnounce(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	_, err := s.Desk.AnnounceLeague(ctx, fs.Arg(0), fs.Arg(1), asked(fs, "yes"))
	if err == nil {
		fmt.Fprintf(stdout, "announced=%s\n", fs.Arg(0))
	}
	return err
}

// directed are the lines of a director's letter that say what the command line does, by
// verb; of the other verbs the last word is the reason.
var directed = map[string]string{
	"rename": `rename league "$1" to "$2": $3`,
	"add":    "add $2 to league $1: $3",
	"expel":  "expel $2 from league $1: $3",
	"move":   "move $2 to division $3 of league $1: $4",
}

// leagueDirect does what the words of the command line say, as a director's letter would
// say it.
func leagueDirect(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	verb := fs.Name()[strings.LastIndexByte(fs.Name(), ' ')+1:]
	words, reason := fs.Args()[:fs.NArg()-1], fs.Arg(fs.NArg()-1)
	line := verb + " league " + strings.Join(words, " ") + ": " + reason
	if form := directed[verb]; form != "" {
		line = strings.NewReplacer("$1", fs.Arg(0), "$2", fs.Arg(1), "$3", fs.Arg(2), "$4", fs.Arg(3)).Replace(form)
	}
	if line = strings.Join(strings.Fields(line), " "); verb == "start" && reason == "no" {
		line = strings.Join(strings.Fields("start league "+strings.Join(words, " ")+" no"), " ")
	}
	w, p, ok := order.ReadDirection(line)
	switch {
	case !ok:
		return cli.BadUsage("%.60q does not name a league", strings.Join(words, " "))
	case p != nil:
		return cli.BadUsage("%s", s.Words.For(component.Default(), 0, nil).Problem(&notice.Problem{Code: p.Code, Args: map[string]string{"word": p.Word}}))
	}
	now, err := s.Desk.DirectLeague(ctx, w, asked(fs, "yes"))
	if err != nil {
		return err
	}
	c := changeOf(s, now)
	c.Back = directionBack(fs, now)
	if asked(fs, "json") {
		return cli.PrintJSON(stdout, struct {
			Schema int    `json:"schema"`
			Done   string `json:"done"`
			League string `json:"league"`
			change
		}{1, verb, w.Name, c})
	}
	fmt.Fprintf(stdout, "done=%s league=%s\n", verb, w.Name)
	c.tell(fs.Output())
	return nil
}

func asked(fs *flag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	return f != nil && f.Value.String() == "true"
}

// leagueState is how far a league is, in a word.
func leagueState(l *look.League) string {
	switch x := l.State.Season(); {
	case l.Row.Over:
		return "over"
	case x != nil && x.Running():
		return "running"
	case x != nil:
		return "between"
	}
	return "waiting"
}

type leagueLine struct {
	Schema  int    `json:"schema"`
	League  string `json:"league"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	State   string `json:"state"` // waiting, running, between or over
	Players int    `json:"players"`
	Season  int    `json:"season"`
	Opens   string `json:"opens,omitempty"` // the next season
}

func lineOf(l *look.League) leagueLine {
	out := leagueLine{Schema: game.Schema, League: l.Row.ID, Name: l.State.Rules.Name, Kind: string(l.State.Rules.Kind), State: leagueState(l), Players: l.State.Members()}
	if x := l.State.Season(); x != nil {
		out.Season = x.N
	}
	if at, ok := l.State.Opens(); ok && !at.IsZero() {
		out.Opens = at.UTC().Format(time.RFC3339)
	}
	return out
}

func leagueList(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	all, err := s.Desk.Host().Leagues(ctx)
	if err != nil {
		return err
	}
	for _, l := range all {
		line := lineOf(l)
		if asked(fs, "json") {
			if err := json.NewEncoder(stdout).Encode(line); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(stdout, "%s: %s, %s, season %d, %s, next season %s\n", line.League, line.Name, line.State, line.Season, s.Words.Say("leagues.players", "n", line.Players), opensText(line))
	}
	return nil
}

func opensText(l leagueLine) string {
	switch {
	case l.State == "over":
		return "none"
	case l.Opens == "":
		return "when there are enough players"
	}
	return l.Opens
}

type leagueRow struct {
	Rank   int    `json:"rank,omitempty"` // none of a guest
	Player string `json:"player"`
	Points string `json:"points"` // exact
	Played int    `json:"played"`
	Games  int    `json:"games"`
	Move   string `json:"move,omitempty"`

	decimal string // Points, for people
}

type leagueGame struct {
	Fixture int      `json:"fixture"`
	Round   int      `json:"round"`
	Game    string   `json:"game,omitempty"`
	Players []string `json:"players"` // by seat
	State   string   `json:"state"`   // as in division.json
	VP      []int    `json:"vp,omitempty"`
	Won     []string `json:"won,omitempty"` // the winners, as the league counts it
}

type leagueDivision struct {
	Division  int          `json:"division"`
	Standings []leagueRow  `json:"standings"`
	Guests    []leagueRow  `json:"guests,omitempty"` // substitutes in the league's games
	Games     []leagueGame `json:"games"`
}

type leagueWhole struct {
	leagueLine
	Waiting     []string         `json:"waiting"`
	Substitutes []string         `json:"substitutes"`
	Began       string           `json:"began,omitempty"`
	Ends        string           `json:"ends,omitempty"`
	Divisions   []leagueDivision `json:"divisions"`
}

func wholeOf(l *look.League) leagueWhole {
	names := func(ids []int64) []string {
		out := []string{}
		for _, id := range ids {
			out = append(out, l.Names[id])
		}
		return out
	}
	w := leagueWhole{leagueLine: lineOf(l), Waiting: names(l.State.Waiting()), Substitutes: names(l.State.Substitutes()), Divisions: []leagueDivision{}}
	x := l.State.Season()
	if x == nil {
		return w
	}
	w.Began, w.Ends = x.Began.UTC().Format(time.RFC3339), x.Ends.UTC().Format(time.RFC3339)
	for _, d := range x.Divisions {
		out := leagueDivision{Division: d.N, Standings: []leagueRow{}, Games: []leagueGame{}}
		for _, r := range l.State.Standings(x.N, d.N) {
			out.Standings = append(out.Standings, leagueRow{r.Rank, l.Names[r.Player], r.Points.Value.String(), r.Played, r.Games, string(r.Move), r.Points.Value.Decimal(3)})
		}
		for _, r := range l.State.Guests(x.N, d.N) {
			out.Guests = append(out.Guests, leagueRow{0, l.Names[r.Player], r.Points.Value.String(), r.Played, r.Games, "", r.Points.Value.Decimal(3)})
		}
		for _, f := range d.Fixtures {
			g := leagueGame{Fixture: f.ID, Round: f.Round, Game: f.Game, Players: names(f.Players), State: f.Stands()}
			if f.Result != nil {
				for _, x := range l.State.Outcomes(f) {
					if g.VP = append(g.VP, x.Score); x.Won() && len(f.Players)+len(f.Absent) > 1 {
						g.Won = append(g.Won, cmp.Or(l.Names[x.By], l.Names[x.Player]))
					}
				}
			}
			out.Games = append(out.Games, g)
		}
		w.Divisions = append(w.Divisions, out)
	}
	return w
}

func leagueRules(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	l, err := s.Desk.Host().League(ctx, fs.Arg(0))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, l.State.Rules)
	return err
}

func leagueShow(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	l, err := s.Desk.Host().League(ctx, fs.Arg(0))
	if err != nil {
		return err
	}
	w := wholeOf(l)
	if asked(fs, "json") {
		return json.NewEncoder(stdout).Encode(w)
	}
	fmt.Fprintf(stdout, "%s: %s, %s, season %d, %s, next season %s\n", w.League, w.Name, w.State, w.Season, s.Words.Say("leagues.players", "n", w.Players), opensText(w.leagueLine))
	if len(w.Waiting) > 0 {
		fmt.Fprintf(stdout, "Waiting: %s\n", strings.Join(w.Waiting, ", "))
	}
	if len(w.Substitutes) > 0 {
		fmt.Fprintf(stdout, "Substitutes: %s\n", strings.Join(w.Substitutes, ", "))
	}
	for _, d := range w.Divisions {
		fmt.Fprintf(stdout, "Division %d\n", d.Division)
		for _, r := range d.Standings {
			fmt.Fprintf(stdout, "  %2d. %-32s %6s points, %d of %d %s\n", r.Rank, r.Player, r.decimal, r.Played, r.Games, r.Move)
		}
		for _, r := range d.Guests {
			fmt.Fprintf(stdout, "  Substitute %-25s %6s points, %d\n", r.Player, r.decimal, r.Played)
		}
		for _, g := range d.Games {
			won := ""
			if len(g.Won) > 0 {
				won = " won=" + strings.Join(g.Won, ",")
			}
			fmt.Fprintf(stdout, "  %s %-16s %s %s%s\n", g.State, g.Game, strings.Join(g.Players, ", "), strings.Trim(fmt.Sprint(g.VP), "[]"), won)
		}
	}
	return nil
}

// A leagueRecord is a league to be read without a server. Anyone with the secrets
// of its seasons can draw their lots again.
type leagueRecord struct {
	Schema     int              `json:"schema"`
	League     string           `json:"league"`
	File       string           `json:"file"`
	Commitment string           `json:"commitment"` // SHA-256 of the league's secret
	Secret     string           `json:"secret,omitempty"`
	Secrets    map[int]string   `json:"secrets"` // of the seasons that are over
	Players    map[int64]string `json:"players"` // names, by the numbers of the log
	Log        []league.Line    `json:"log"`
	Checksum   string           `json:"checksum,omitempty"` // covers all the rest
}

// leagueSchema is the version of a league's record, as game.RecordSchema is of a
// game's.
const leagueSchema = 2

// checksum is that of the record (jcs), as a game's record has one.
func (rec leagueRecord) checksum() (string, error) {
	rec.Checksum = ""
	b, err := json.Marshal(rec)
	if err != nil {
		return "", err
	}
	return jcs.Checksum(b)
}

func leagueExport(ctx context.Context, s *server.Server, fs *flag.FlagSet, stdout io.Writer) error {
	l, err := s.Desk.Host().League(ctx, fs.Arg(0))
	if err != nil {
		return err
	}
	lines, err := s.Desk.Host().LeagueLines(ctx, fs.Arg(0))
	if err != nil {
		return err
	}
	rec := leagueRecord{Schema: leagueSchema, League: l.Row.ID, File: l.Row.File, Commitment: l.Row.Commitment(), Secrets: map[int]string{}, Players: l.Names, Log: lines}
	if l.Row.Over { // nothing is to come of it
		rec.Secret = l.Row.Secret
	}
	for _, x := range l.State.Seasons {
		if secret := l.State.Secret(x.N); secret != "" {
			rec.Secrets[x.N] = secret
		}
	}
	if err := rec.open(); err != nil {
		return err
	}
	if rec.Checksum, err = rec.checksum(); err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(rec)
}

// someAddress matches what may be an email address.
var someAddress = regexp.MustCompile(`\S*@\S*`)

// open takes people's addresses out of a record, which is for anyone: nothing that
// is computed hangs on them.
func (rec *leagueRecord) open() (err error) {
	file := func(text *string) {
		r, bad := league.ParseRules(*text)
		if bad != nil {
			err = errors.Join(err, bad)
			return
		}
		r.Directors, r.Admitted = nil, nil
		*text = r.String()
	}
	file(&rec.File)
	rec.Log = slices.Clone(rec.Log)
	for i := range rec.Log {
		l := &rec.Log[i]
		if l.Kind == league.Amend {
			file(&l.Text)
			continue
		}
		l.Text = someAddress.ReplaceAllString(l.Text, "…")
		l.Args = slices.Clone(l.Args)
		for k := range l.Args {
			l.Args[k] = someAddress.ReplaceAllString(l.Args[k], "…")
		}
	}
	return err
}

// A leagueChecked is what the replay of a league's record came to.
type leagueChecked struct {
	lines, seasons, games, results, rulings int
	others                                  []int // lines of the log that this version would write differently
}

// verify replays the league: each line must be one that can follow those before it.
func (rec *leagueRecord) verify() (was leagueChecked, err error) {
	r, err := league.ParseRules(rec.File)
	if err != nil {
		return was, fmt.Errorf("file: %w", err)
	}
	secrets := map[int][32]byte{}
	for n, text := range rec.Secrets {
		if secrets[n], err = game.ParseSeed(text); err != nil {
			return was, fmt.Errorf("secret of season %d: %w", n, err)
		}
	}
	s, err := league.ReplayTold(r, secrets, nil)
	if rec.Secret != "" {
		seed, bad := game.ParseSeed(rec.Secret)
		if bad != nil {
			return was, fmt.Errorf("secret: %w", bad)
		}
		if sum := sha256.Sum256(seed[:]); hex.EncodeToString(sum[:]) != rec.Commitment {
			return was, errors.New("the commitment is not the SHA-256 of the secret")
		}
		s, err = league.Replay(r, seed, nil)
	}
	if err != nil {
		return was, err
	}
	if was.others, err = s.Verify(rec.Log); err != nil {
		return was, err
	}
	for _, x := range s.Seasons {
		if secret := s.Secret(x.N); !x.Running() && (secret == "" || secret != rec.Secrets[x.N]) {
			return was, fmt.Errorf("season %d is over, but its secret is missing or wrong", x.N)
		}
	}
	was.lines, was.seasons, was.rulings = s.Lines, len(s.Seasons), len(s.Rulings)
	for _, f := range s.Fixtures {
		if f.Game != "" {
			was.games++
		}
		if f.Result != nil {
			was.results++
		}
	}
	return was, nil
}

// maxLeagueRecord bounds what is read as a league's record, in bytes.
const maxLeagueRecord = 1 << 26

// leagueVerifyFile replays a league that `league export` printed.
func leagueVerifyFile(name string, stdout, stderr io.Writer) int {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return cli.Exit(stderr, "league", cli.BadUsage("%w", err))
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxLeagueRecord+1))
	if err != nil {
		return cli.Exit(stderr, "league", cli.BadUsage("%s: %w", name, err))
	}
	if len(text) > maxLeagueRecord {
		return cli.Exit(stderr, "league", cli.BadUsage("%s: longer than %d MiB, too long for a record of a league", name, maxLeagueRecord>>20))
	}
	var version struct{ Schema int }
	if json.Unmarshal(text, &version) == nil && version.Schema != leagueSchema {
		return cli.Exit(stderr, "league", cli.BadUsage("%s: not a record of a league that this version can read: schema %d, want %d", name, version.Schema, leagueSchema))
	}
	var rec leagueRecord
	if err := jcs.Unmarshal(text, &rec); err != nil {
		return cli.Exit(stderr, "league", cli.BadUsage("%s: not a record of a league, as `angelpost league export` prints it: %w", name, err))
	}
	if rec.Checksum == "" {
		return cli.Exit(stderr, "league", cli.BadUsage("%s: not a record of a league: its checksum is missing", name))
	}
	was, err := rec.verify()
	if sum, bad := rec.checksum(); err == nil && (bad != nil || sum != rec.Checksum) {
		err = errors.New("the checksum is not that of the record: the record was changed")
	}
	if err != nil {
		fmt.Fprintf(stdout, "differs league=%s %v\n", words.Clean(rec.League, 60), err)
		return cli.ExitNo
	}
	leagueOK(stdout, words.Clean(rec.League, 60), was.lines, fmt.Sprintf(" seasons=%d games=%d results=%d rulings=%d", was.seasons, was.games, was.results, was.rulings), was.others)
	return cli.ExitYes
}

// leagueOK says that a league replays, and which lines of its log this version would
// make otherwise: another program or an older version made them.
func leagueOK(stdout io.Writer, id string, lines int, more string, others []int) {
	fmt.Fprintf(stdout, "ok league=%s lines=%d%s", id, lines, more)
	if len(others) > 0 {
		fmt.Fprintf(stdout, " otherwise=%s", strings.Trim(strings.ReplaceAll(fmt.Sprint(others), " ", ","), "[]"))
	}
	fmt.Fprintln(stdout)
}

// given reports whether the command line sets a flag.
func given(fs *flag.FlagSet, name string) (yes bool) {
	fs.Visit(func(f *flag.Flag) { yes = yes || f.Name == name })
	return yes
}

// isFile reports whether there is a file of that name.
func isFile(name string) bool {
	i, err := os.Stat(name)
	return err == nil && !i.IsDir()
}

// leagueVerify replays stored leagues and compares them with their games, or one
// that was exported.
func leagueVerify(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("league verify", "NAME | FILE", stderr)
	path := cli.ConfigFlag(fs)
	all := fs.Bool("all", false, "every league")
	if code := cli.Parse(fs, args, 1); code != cli.GoOn {
		return code
	}
	if (fs.NArg() == 1) == *all {
		return cli.Exit(stderr, "league", cli.BadUsage("use: angelpost league verify -config F NAME, or -all, or FILE (- is standard input)"))
	}
	if name := fs.Arg(0); name == "-" || strings.ContainsAny(name, "./") || !given(fs, "config") && isFile(name) {
		return leagueVerifyFile(name, stdout, stderr)
	}
	ctx := context.Background()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "league", err)
	}
	defer s.Close()
	ids := fs.Args()
	if *all {
		if ids, err = s.Desk.Host().LeagueIDs(ctx); err != nil {
			return cli.Exit(stderr, "league", cli.BadEnvironment(err))
		}
	}
	worst := cli.ExitYes
	for _, id := range ids {
		if known, err := s.Desk.Host().LeagueID(ctx, id); err == nil {
			id = known
		}
		lines, others, differs, err := s.Desk.Host().VerifyLeague(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			fmt.Fprintf(stderr, "angelpost league: there is no league %.40q\n", id)
			worst = max(worst, cli.ExitNo)
		case err != nil:
			fmt.Fprintf(stdout, "unreadable league=%s %v\n", id, err)
			worst = max(worst, cli.ExitUsage)
		case len(differs) > 0:
			for _, d := range differs {
				fmt.Fprintf(stdout, "differs league=%s %s\n", id, d)
			}
			worst = max(worst, cli.ExitNo)
		default:
			leagueOK(stdout, id, lines, "", others)
		}
	}
	return worst
}
