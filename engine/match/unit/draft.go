package unit

import (
	"maps"
	"slices"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// About records that a letter is about a league. A letter about several, for a player who asked
// for all of them, stays with the first.
func (d *Draft) About(c *League) {
	if d.League == nil {
		d.League, d.Answer.League = c, c.Rules().Name
	}
}

// TellAll writes to every person in a game except one, and to the additional players given.
func (u *Unit) TellAll(t *Game, but int64, say func(*store.Seat, *Draft), also ...int64) {
	for i := range t.Seats {
		x := &t.Seats[i]
		if x.Player == 0 || x.Player == but || x.Bot != "" && !slices.Contains(also, x.Player) ||
			x.Stage == store.SeatDeclined || x.Stage == store.SeatBounced || x.Stage == store.SeatExpired {
			continue
		}
		if x.Stage == store.SeatInvited && !u.Registered(x.Player) { // they never wrote: the invitation is enough
			continue
		}
		d := u.DraftFor(x.Player, t, notice.KindInfo)
		say(x, d)
	}
}

// TellOrganiser writes to a game's organiser, unless it is about them.
func (u *Unit) TellOrganiser(t *Game, about int64, code string, args ...string) {
	if t.Row.Organiser == 0 || t.Row.Organiser == about {
		return
	}
	d := u.DraftFor(t.Row.Organiser, t, notice.KindInfo)
	d.Say(code, args...)
}

// A Draft is a letter out that is being written.
type Draft struct {
	Kind   notice.Kind
	To     string
	Player int64
	Game   *Game
	League *League // what a letter about no game is about; nil: no league
	Place  int
	Result notice.Result
	Answer notice.Answer
	Since  int  // events told are those after this line; NoStory: none
	Again  bool // repeats what a letter told before: Seen stays
	Reply  bool // it answers the letter in
	Asked  bool // the letter in wants it, so it is written though its reader muted the game
	Waited bool // news that has waited long enough
	// Together is of letters about several games that one act brings: they come as one.
	Together bool
	Whole    bool // tells all since Seen, whatever was played now

	Stranger bool // it answers an address that no player has confirmed
	Counted  bool // a limit of its own bounds it, if the letter in is unproven
	Full     bool // and it shows the position all the same

	Alone bool // it goes to To alone, not to the address that wrote as well

	Confirm int64
	Fresh   bool // a new page key
}

// NoStory as Draft.Since means "no events" until the letter is closed.
const NoStory = -2

// DraftFor finds or begins the letter to a player about a game (nil: none).
func (u *Unit) DraftFor(player int64, t *Game, kind notice.Kind) *Draft {
	return u.DraftOf(player, t, nil, kind)
}

// DraftOf is DraftFor, limited to letters about no other league than this one (nil: any).
func (u *Unit) DraftOf(player int64, t *Game, c *League, kind notice.Kind) *Draft {
	for _, d := range u.Drafts {
		if d.Player == player && d.Game == t && (c == nil || d.League == nil || d.League == c) && (d.Confirm == 0 || d.Reply) && player != 0 {
			if Rank(kind) > Rank(d.Kind) {
				d.Kind = kind
			}
			return d
		}
	}
	p := u.Player(player)
	d := &Draft{Kind: kind, To: p.Address, Player: player, Game: t, Result: notice.None, Since: NoStory}
	if t != nil {
		if x := t.Of(player); x != nil {
			d.Place = x.Place
		}
	}
	u.Drafts = append(u.Drafts, d)
	return d
}

// Rank orders the kinds of letters: a letter with several causes has the kind of the highest
// rank.
func Rank(k notice.Kind) int {
	return slices.Index([]notice.Kind{notice.KindInfo, notice.KindInvitation, notice.KindStart, notice.KindTurn, notice.KindAnswer, notice.KindEnd}, k)
}

// Say adds a remark; args come in pairs.
func (d *Draft) Say(code string, args ...string) *notice.Remark {
	r := notice.Remark{Code: code}
	for i := 0; i+1 < len(args); i += 2 {
		if r.Args == nil {
			r.Args = map[string]string{}
		}
		r.Args[args[i]] = args[i+1]
	}
	d.Answer.Remarks = append(d.Answer.Remarks, r)
	return &d.Answer.Remarks[len(d.Answer.Remarks)-1]
}

// Offer ends a letter with a command that its reader can send back, once.
func (d *Draft) Offer(code string, args ...string) *notice.Remark {
	r := notice.Remark{Code: code, Args: map[string]string{}}
	for i := 0; i+1 < len(args); i += 2 {
		r.Args[args[i]] = args[i+1]
	}
	same := func(x notice.Remark) bool { return x.Code == code && maps.Equal(x.Args, r.Args) }
	if i := slices.IndexFunc(d.Answer.Commands, same); i >= 0 {
		return &d.Answer.Commands[i]
	}
	d.Answer.Commands = append(d.Answer.Commands, r)
	return &d.Answer.Commands[len(d.Answer.Commands)-1]
}

// View returns a function that makes the view of a draft's input, nil if the input has none, or
// one that is not just the present position.
func (d *Draft) View() func() *engine.View {
	t := d.Game
	if t == nil || t.Replay == nil || t.Row.Started.IsZero() || t.Row.Broken() {
		return nil
	}
	x := t.Place(d.Place)
	if x == nil || x.Player != d.Player || x.Seat == 0 {
		return nil
	}
	state, seat := &t.Replay.State, engine.Seat(x.Seat)
	return func() *engine.View { return state.Project(seat) }
}

// WantsName asks the reader of a letter for a name, if the others see a stand-in.
func (d *Draft) WantsName(x *store.Seat) {
	if x.Nameless() {
		d.Unsay(notice.AskName)
		d.Say(notice.AskName, "name", x.Name)
	}
}

// Unsay takes a remark back.
func (d *Draft) Unsay(code string) {
	d.Answer.Remarks = slices.DeleteFunc(d.Answer.Remarks, func(r notice.Remark) bool { return r.Code == code })
}

// AsksStranger asks a stranger for a name in a question, if their letter has none; they give it
// with the yes.
func (u *Unit) AsksStranger(d *Draft) {
	if _, ok := u.ProperName(u.Command.Name); !ok {
		d.Say(notice.AskNameToo)
	}
}
