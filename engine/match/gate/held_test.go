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
