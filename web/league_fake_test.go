package web

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
)

// A cupboard holds leagues in memory.
type cupboard struct {
	leagues     []*shelvedLeague
	mutedLeague bool
}

type shelvedLeague struct {
	look  *look.LeagueView
	lines []league.Line
	shown bool // its games have pages
}

func (s *cupboard) find(id string) (*shelvedLeague, error) {
	for _, l := range s.leagues {
		if strings.EqualFold(l.look.ID, id) {
			return l, nil
		}
	}
	return nil, fmt.Errorf("league %q: %w", id, store.ErrNotFound)
}

func (s *cupboard) LookLeague(_ context.Context, id string, want func(*league.State) []string) (*look.LeagueView, error) {
	l, err := s.find(id)
	if err != nil {
		return nil, err
	}
	out := *l.look
	if want == nil {
		return &out, nil
	}
	out.Games = map[string]look.GamePulse{}
	for _, g := range want(out.State) {
		f := out.State.Of(g)
		p := look.GamePulse{State: store.GameRunning, Shown: l.shown, Changed: shelfTime}
		if f.Over() {
			p.State = store.GameFinished
		} else if f.ID%2 == 1 {
			p.Deadlines = []game.Until{{Seat: 1 + f.ID%len(f.Players), At: shelfTime.Add(time.Duration(f.ID) * time.Hour)}}
		}
		out.Games[g] = p
	}
	return &out, nil
}

func (s *cupboard) ListedLeagues(_ context.Context, over bool, before string, limit int) (out []*look.LeagueView, more bool, err error) {
	for _, l := range s.leagues {
		if l.look.Listed && l.look.Over == over && before == "" {
			out = append(out, l.look)
		}
	}
	return out[:min(len(out), limit)], len(out) > limit, nil
}

func (s *cupboard) ListedLeaguesOf(_ context.Context, player int64) (out []*look.LeagueView, err error) {
	for _, l := range s.leagues {
		if l.look.Listed && l.look.State.Player(player) != nil {
			out = append(out, l.look)
		}
	}
	return out, nil
}

func (s *cupboard) LeagueLog(_ context.Context, id string, after, limit int) ([]league.Line, bool, error) {
	l, err := s.find(id)
	if err != nil || after >= len(l.lines) {
		return nil, false, err
	}
	lines := l.lines[after:]
	return lines[:min(len(lines), limit)], len(lines) > limit, nil
}

// leagueButton is the key that mutes the fake's leagues.
const leagueButton = "muteofleague-secret"

func (s *cupboard) LeagueMuted(_ context.Context, id, key string) (string, bool, error) {
	l, err := s.find(id)
	if err != nil || key != leagueButton {
		return "", false, store.ErrNotFound
	}
	return l.look.Name, s.mutedLeague, nil
}

func (s *cupboard) MuteLeague(ctx context.Context, id, key string) error {
	_, _, err := s.LeagueMuted(ctx, id, key)
	s.mutedLeague = s.mutedLeague || err == nil
	return err
}

var leagueNames = []string{"Ada Lovelace", "Bo", "Cyrus the Younger", "Di", "Evangelina Papadopoulou", "Flo", "Gus", "Hedda", "Ira", "Jo", "Kim", "Lena", "Mo", "Nils", "Ola", "Pia"}

// played is a league as its file has it, with that many players and games, after
// that many results; what happens in it is always the same.
func played(id, file string, players, results int) *shelvedLeague {
	rules, err := league.ParseRules(file)
	if err != nil {
		panic(err)
	}
	s, err := league.Replay(rules, [32]byte{5}, nil)
	if err != nil {
		panic(err)
	}
	l := &shelvedLeague{shown: true, look: &look.LeagueView{State: s.For(0), Names: map[int64]string{}, LeagueInfo: look.LeagueInfo{ID: id, Name: rules.Name, Listed: rules.Visibility == store.Listed,
		Created: shelfTime, Changed: shelfTime, Rules: openRules(rules), Commitment: "c0ffee", Directors: []string{"Ada Lovelace", ""}}}}
	now := shelfTime
	add := func(line league.Line) {
		line.N, line.At = s.Lines+1, now
		if err := s.Add(line); err != nil {
			panic(err)
		}
		l.lines = append(l.lines, line)
	}
	for i := range players {
		p := int64(i + 7)
		l.look.Names[p] = leagueNames[i%len(leagueNames)]
		if i >= len(leagueNames) {
			l.look.Names[p] += " " + strconv.Itoa(i)
		}
		add(league.Line{Kind: league.Join, Player: p})
	}
	l.look.Names[substitute] = "Sue"
	add(league.Line{Kind: league.Announce, By: 7, Text: "Welcome, and mind the clock. Ask ann@example.org."})
	done := 0
	for range 100_000 {
		acts, next := s.Due(now)
		if len(acts) == 0 {
			var open *league.Fixture
			for _, f := range s.Fixtures {
				if f.Game != "" && !f.Over() {
					open = f
					break
				}
			}
			switch {
			case done == results:
				l.look.Lines = s.Lines
				return l
			case open != nil:
				done++
				now = now.Add(5 * time.Hour)
				add(league.Line{Kind: league.Played, Game: open.Game, Seats: finals(open)})
				if done == 2 {
					add(league.Line{Kind: league.Ruled, Ruling: league.Correct, By: 7, Game: open.Game, Seats: finals(open), Args: []string{"Bo", "88"}, Text: "Ada told bo@example.org that a card was misread."})
				}
			case next.After(now):
				now = next
			default:
				l.look.Over = true
				l.look.Lines = s.Lines
				return l
			}
			continue
		}
		for _, a := range acts {
			if a.Fixture != nil {
				a.Line.Game = fmt.Sprintf("%sgame%d", id, a.Fixture.ID)
			}
			add(a.Line)
		}
	}
	panic("the league never ends")
}

// tin is a small league, its second season begun.
var tin = sync.OnceValue(func() *shelvedLeague {
	return played("tin", "name: Tin League\nabout: Slow games among friends.\ndirector: ann@example.org\nassistant: bob@example.org\nclock: 3d bank 10d\nclock 2: 5 days\ndivision: 7\nup: 1\nat once: 4\n", 14, 17)
})

// substitute is a player who is in no league.
const substitute = 1001

// finals is how a game ended, decided by its number.
func finals(f *league.Fixture) []league.Seat {
	seats := make([]league.Seat, len(f.Players))
	for i, p := range f.Players {
		seats[i] = league.Seat{Player: p, Score: 40 + (int(p)*7+f.ID*5)%31}
		if len(f.Players) == 1 {
			seats[i].Hal = 44
		}
		if f.ID%5 == 0 && i == 1 {
			seats[i].Parts = []league.Part{{Player: p, Turns: 12}, {Turns: 3}}
		}
		if f.ID%11 == 4 && i == 0 && len(f.Players) > 1 { // a substitute came
			seats[i].Parts = []league.Part{{Player: p, Turns: 13, Left: true}, {Player: substitute, Turns: 10}}
		}
	}
	for i := range seats {
		seats[i].Place = 1 + len(slices.DeleteFunc(slices.Clone(seats), func(x league.Seat) bool { return x.Score <= seats[i].Score }))
	}
	return seats
}

// openRules are a league's without addresses, as a host tells them.
func openRules(r *league.Rules) *league.Rules {
	open := *r
	open.Directors, open.Admitted = nil, nil
	return &open
}
