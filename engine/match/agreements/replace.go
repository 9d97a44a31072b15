package agreements

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Replacing a player changes the rating of a listed game, so organisers who play in a game
// cannot take an opponent's seat away alone: they give a reason, and all others agree, or the
// opponent if there is no one else. A director, or the host, can do it by a ruling (package
// rulings). The agreement names the place, its player, and the player who gets the seat.

// maxReplaces bounds how often an organiser asks in a game a day: each is a letter to all.
const maxReplaces = 3

// replaces is the prefix of the agreement to a replacement: "replace/PLACE/PLAYER/BOT or
// ADDRESS".
const replaces = store.ConfirmReplace + "/"

// Replace obeys replace: it asks the others if the organiser cannot decide alone.
func Replace(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if t == nil || !t.Running() || t.Row.Visibility != store.Listed || t.Row.Organiser != w.ID || w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "" {
		return seating.Replace(u, c)
	}
	x := seating.GuestNamed(u, c)
	switch {
	case x == nil:
		return nil
	case x == w.Seat || x.Unplayed(): // their own, or a bot's
		return seating.Replace(u, c)
	case c.Word.Text == "":
		return notice.Refuse(notice.ProblemUnsaid, "name", x.Name)
	}
	if err := seating.MayReplace(u, c, x); err != nil {
		return err
	}
	what := replaces + fmt.Sprintf("%d/%d/%s", x.Place, x.Player, c.Word.Arg)
	if w.Seat.HasAgreed(what) {
		return notice.Refuse(notice.ProblemSpent, "names", namesOf(voters(t, x, what)))
	}
	if n := u.Bump(replaces+t.Row.ID, u.Day()); n > maxReplaces {
		return notice.Refuse(notice.ProblemMany, "word", c.Word.Kind.String(), "n", strconv.Itoa(maxReplaces))
	}
	c.Done()
	drop(t, replaces)
	agreeTo(w.Seat, what)
	why := naming.Clean(c.Word.Text, false)
	left := voters(t, x, what)
	w.Answer.Say(notice.SayAgreed, "what", order.Replace.String()+" "+x.Name, "names", namesOf(left))
	for _, y := range left {
		p := u.Player(y.Player)
		q := &store.Confirm{Kind: store.ConfirmReplace, Player: y.Player, Address: p.Address, Game: t.Row.ID, Lines: what + " " + why}
		code := notice.AskReplace
		if y == x {
			code = notice.AskReplaceYou
		}
		u.Ask(p.Address, y.Player, t, q, code, "name", w.Seat.Name, "who", x.Name, "reason", why).Asked = true
	}
	return nil
}

// voters are the players who have yet to agree that x is replaced.
func voters(t *unit.Game, x *store.Seat, what string) (out []*store.Seat) {
	others := 0
	for i := range t.Seats {
		y := &t.Seats[i]
		if y.Unplayed() || y == x || y.Player == t.Row.Organiser {
			continue
		}
		if others++; !y.HasAgreed(what) {
			out = append(out, y)
		}
	}
	if others == 0 && !x.HasAgreed(what) {
		return []*store.Seat{x}
	}
	return out
}

func namesOf(seats []*store.Seat) string {
	var names []string
	for _, x := range seats {
		names = append(names, x.Name)
	}
	return strings.Join(names, ", ")
}

// replaced decodes a question: the seat, who gets it and why. It returns nil if the question is
// closed, or if another player has the seat now.
func replaced(t *unit.Game, lines string) (x *store.Seat, what, heir, why string) {
	what, why, _ = strings.Cut(lines, " ")
	rest, ok := strings.CutPrefix(what, replaces)
	parts := strings.SplitN(rest, "/", 3)
	if t == nil || !t.Running() || !ok || len(parts) != 3 {
		return nil, "", "", ""
	}
	place, _ := strconv.Atoi(parts[0])
	player, _ := strconv.ParseInt(parts[1], 10, 64)
	o := t.Of(t.Row.Organiser)
	if x = t.Place(place); x == nil || x.Player != player || x.Unplayed() || o == nil || o.Player != t.Row.Organiser || !o.HasAgreed(what) {
		return nil, "", "", ""
	}
	return x, what, parts[2], why
}

// ReplaceYes counts a player's yes, and carries out the replacement once all have agreed.
func ReplaceYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	t := w.Game
	x, what, heir, why := replaced(t, c.Lines)
	if x == nil || w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "" {
		return notice.Refuse(notice.ProblemLapsed)
	}
	agreeTo(w.Seat, what)
	if left := voters(t, x, what); len(left) > 0 {
		w.Answer.Say(notice.SayAgreed, "what", order.Replace.String()+" "+x.Name, "names", namesOf(left))
		return nil
	}
	drop(t, replaces)
	if !order.IsBot(heir) {
		id, err := u.Guest(u.Player(t.Row.Organiser), heir)
		if err != nil {
			return err
		}
		if t.Of(id) != nil {
			return notice.Refuse(notice.ProblemTwice, "word", heir)
		}
		seating.AskHeir(u, t, x, id, t.Row.Organiser)
		u.TellAll(t, x.Player, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.SayInvited, "name", x.Name, "address", heir) })
		return nil
	}
	bot, err := turns.AskedBot(heir)
	if err != nil {
		return err
	}
	was := x.Name
	old, err := seating.SeatBot(u, t, x, bot, game.ByOrganiser, game.TenureReplaced)
	if err != nil {
		return err
	}
	u.TellAll(t, 0, func(y *store.Seat, d *unit.Draft) {
		if y.Player != old {
			seating.SayBot(d, notice.TellReplaced, was, bot)
			return
		}
		d.Asked = true // even if the player has muted the game
		if unit.Rank(notice.KindEnd) > unit.Rank(d.Kind) {
			d.Kind = notice.KindEnd
		}
		d.Say(notice.TellOutVoted, "bot", turns.Asking(bot), "reason", why)
	}, old)
	return nil
}

// ReplaceNo ends the question, and tells the organiser.
func ReplaceNo(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	x, _, _, _ := replaced(w.Game, c.Lines)
	if x == nil || w.Seat == nil || w.Seat.Player != w.ID {
		return nil
	}
	drop(w.Game, replaces)
	u.DraftFor(w.Game.Row.Organiser, w.Game, notice.KindInfo).Say(notice.TellReplaceNo, "name", w.Seat.Name, "who", x.Name)
	return nil
}

// drop removes all agreements of a kind.
func drop(t *unit.Game, kind string) {
	for i := range t.Seats {
		x := &t.Seats[i]
		x.Agreed = strings.Join(slices.DeleteFunc(strings.Fields(x.Agreed), func(a string) bool { return strings.HasPrefix(a, kind) }), " ")
	}
}
