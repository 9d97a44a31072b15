package obey

import (
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/rated"
)

// Bounds of what `rating` tells.
const (
	ratedNames = 10 // names that may be meant
	ratedSame  = 5  // players of one name
	ratedRows  = 80 // ratings that we read to find them; a player has at most eight
)

// rating tells a player's estimated strength. You can ask only for players on a list, by the
// name listed there: those who play only unlisted games count as unknown. Only the players
// themselves learn how they did in their solo games.
func rating(u *unit.Unit, c *unit.Call) error {
	a := &c.Sender.Answer.Answer
	if c.Word.Name == "" {
		t, err := ratingTale(u, c.Sender.ID)
		if err != nil {
			return err
		}
		t.You = true
		t.Solo, err = rated.SoloOf(u.Tx, c.Sender.ID, u.At)
		a.Sections = append(a.Sections, notice.Section{Kind: "rating", Ratings: []notice.PlayerRatings{t}})
		return err
	}
	key := order.Key(c.Word.Name)
	rows, err := u.Tx.RatingsNamed(u.NFC(c.Word.Name), ratedRows)
	if err != nil {
		return err
	}
	var players, same []int64 // of a name that begins so, of this name
	var names []string
	seen := map[int64]bool{}
	known := map[string]bool{}
	listed := map[int64]bool{}
	for _, r := range rows {
		if !seen[r.Player] {
			seen[r.Player] = true
			players = append(players, r.Player)
		}
		switch k := order.Key(r.Name); {
		case k == key && !listed[r.Player]:
			listed[r.Player] = true
			same = append(same, r.Player)
		case k != key && !known[k]:
			known[k] = true
			names = append(names, "rating "+r.Name)
		}
	}
	if len(same) == 0 && len(players) == 1 {
		same = players
	}
	if len(same) == 0 {
		c.Refuse(notice.ProblemUnrated, "word", c.Word.Name)
		c.Line.Problem.Candidates = names[:min(len(names), ratedNames)]
		return nil
	}
	sec := notice.Section{Kind: "rating"}
	for _, p := range same[:min(len(same), ratedSame)] {
		t, err := ratingTale(u, p)
		if err != nil {
			return err
		}
		t.You = p == c.Sender.ID
		sec.Ratings = append(sec.Ratings, t)
	}
	a.Sections = append(a.Sections, sec)
	return nil
}

// ratingTale returns a player's estimated strength, by kind of game.
func ratingTale(u *unit.Unit, player int64) (t notice.PlayerRatings, err error) {
	rows, err := u.Tx.RatingsOf(player)
	if err != nil {
		return t, err
	}
	last := 0
	for _, r := range rows {
		x := notice.RatingPlace{Kind: r.Kind, Games: r.Games, Mu: r.Mu, Sigma: r.Sigma}
		if x.Place, x.Of, err = u.Tx.RatingPlace(r); err != nil {
			return t, err
		}
		if t.Player = player; r.Finish >= last { // their latest name
			last, t.Name = r.Finish, r.Name
		}
		t.Ratings = append(t.Ratings, x)
	}
	return t, nil
}
