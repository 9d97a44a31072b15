package rated

import (
	"testing"

	"angelpost/engine/store"
)

// people is a database of two ratings of players who had no name at their last table.
type people struct{ store.Tx }

func (people) Ratings(_ string, bots bool, _, _ int) ([]store.Rating, error) {
	if bots {
		return nil, nil
	}
	return []store.Rating{{Player: 7, Name: store.StandIn(7)}, {Player: 8, Name: store.StandIn(8)}, {Player: 9, Name: "Bo"}}, nil
}

func (people) Players(ids []int64) (map[int64]store.Player, error) {
	all := map[int64]store.Player{}
	for _, id := range ids {
		all[id] = store.Player{ID: id, Name: map[int64]string{7: "Ada", 9: "Robert"}[id]}
	}
	return all, nil
}

// TestRatingsNameThePlayers: players who had no name at their last table are listed by the name
// that they have now, if they have one; others by the one they had there.
func TestRatingsNameThePlayers(t *testing.T) {
	var k Kind
	if err := k.fill(people{}, 0, 10); err != nil {
		t.Fatal(err)
	}
	if n := k.People; len(n) != 3 || n[0].Name != "Ada" || n[1].Name != store.StandIn(8) || n[2].Name != "Bo" {
		t.Errorf("%+v", n)
	}
}
