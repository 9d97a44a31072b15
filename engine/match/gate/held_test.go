package gate

import (
	"reflect"
	"testing"

	"angelpost/engine/notice"
)

// News that is no longer true when it goes out is left out: older news of rounds, and earlier
// changes of the same season's table.
func TestAdd(t *testing.T) {
	changed := func(season, then string) notice.Remark {
		return notice.Remark{Code: notice.TellChanged, Args: map[string]string{"season": season, "then": then}}
	}
	round := func(n string) notice.Remark {
		return notice.Remark{Code: notice.TellNextRound, Args: map[string]string{"round": n}}
	}
	left := notice.Remark{Code: notice.TellLeft}
	var told notice.Answer
	for _, r := range []notice.Remark{changed("1", "up"), left, round("3"), changed("2", "down"), changed("1", "stays"), round("4"), left} {
		add(&told, notice.Answer{Remarks: []notice.Remark{r}})
	}
	if want := []notice.Remark{left, changed("2", "down"), changed("1", "stays"), round("4"), left}; !reflect.DeepEqual(told.Remarks, want) {
		t.Errorf("%+v, want %+v", told.Remarks, want)
	}
}

// What waits of a season's table joins the letter about its end only where both say the same.
func TestAgrees(t *testing.T) {
	end := func(code, season, won string) *notice.Answer {
		return &notice.Answer{Remarks: []notice.Remark{{Code: notice.TellLeft}, {Code: code, Args: map[string]string{"season": season, "won": won}}}}
	}
	for _, c := range []struct {
		own  *notice.Answer
		then string
		want bool
	}{
		{end(notice.TellSeasonDown, "2", "others"), "open", false},
		{end(notice.TellSeasonDown, "2", "others"), "open-left", false},
		{end(notice.TellSeasonDown, "2", "others"), "down", true},
		{end(notice.TellSeasonDown, "2", "others"), "up", false},
		{end(notice.TellSeasonDown, "2", "others"), "stays-left", false},
		{end(notice.TellSeasonEnd, "2", "others"), "stays-left", true},
		{end(notice.TellSeasonUp, "2", "you"), "up-left", true},
		{end(notice.TellSeasonUp, "2", "you"), "won", true},
		{end(notice.TellSeasonUp, "2", "you"), "lost", false},
		{end(notice.TellSeasonEnd, "2", "none"), "won", false},
		{end(notice.TellSeasonEnd, "2", "none"), "lost-left", true},
		{end(notice.TellSeasonDown, "3", "others"), "open", true},
		{end(notice.TellSeasonIn, "3", ""), "open", false},
		{end(notice.TellSeason, "3", ""), "up", true},
		{end(notice.TellRound, "2", ""), "open", true},
	} {
		changed := notice.Remark{Code: notice.TellChanged, Args: map[string]string{"season": "2", "then": c.then}}
		if got := agrees(c.own, changed); got != c.want {
			t.Errorf("%q with %+v: %v", c.then, c.own.Remarks[1], got)
		}
	}
}
