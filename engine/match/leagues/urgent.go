package leagues

import (
	"fmt"
	"strconv"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// A league's director has the time of the file's line "take over" to answer what needs them. If
// they send no letter in that time, another director may take over. A due row has the first
// question that they have not answered.

// First returns the player who is a league's first director, 0 if they have never had a letter
// to or from us.
func First(u *unit.Unit, c *unit.League) int64 {
	if len(c.Rules().Directors) == 0 {
		return 0
	}
	return u.AddressOf(u.Address(c.Rules().Directors[0])).Player
}

// Needs records that a letter to one of a league's directors needs an answer.
func Needs(u *unit.Unit, c *unit.League, director int64) error {
	if director == 0 || director != First(u, c) || len(c.Rules().Directors) < 2 || c.Rules().TakeOver == 0 {
		return nil
	}
	if open, _, err := Unanswered(u, c); open != nil || err != nil {
		return err
	}
	u.Check(u.Tx.ClearDue(store.DueUrgent, c.Row.ID, 0))
	u.Check(u.Tx.AddDue(&store.Due{At: u.At.Add(c.Rules().TakeOver), Kind: store.DueUrgent, Game: c.Row.ID, Ref: urgentWritten(director, u.At)}))
	return nil
}

// Unanswered returns the row of the oldest question that a league's director has not answered,
// nil if there is none; due reports whether the time for an answer is over.
func Unanswered(u *unit.Unit, c *unit.League) (row *store.Due, due bool, err error) {
	rows, err := u.Tx.DuesOf(store.DueUrgent, c.Row.ID)
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	row = &rows[0]
	answered, err := Answered(u, c, *row)
	if err != nil || answered {
		return nil, false, err
	}
	return row, row.Step == 1 || !u.At.Before(row.At), nil
}

// Answered reports whether the director has written since a row was set, or is no longer a
// director.
func Answered(u *unit.Unit, c *unit.League, row store.Due) (bool, error) {
	director, asked, err := urgentRead(row.Ref)
	if err != nil || director != First(u, c) {
		return true, err
	}
	last, err := u.Tx.LastLetter(director)
	return last.After(asked), err
}

func urgentWritten(director int64, asked time.Time) string {
	return fmt.Sprintf("%d %d", director, asked.UnixMilli())
}

func urgentRead(ref string) (director int64, asked time.Time, err error) {
	var ms int64
	if _, err := fmt.Sscan(ref, &director, &ms); err != nil {
		return 0, asked, fmt.Errorf("what needs a league's director, %s: %w", strconv.Quote(ref), err)
	}
	return director, time.UnixMilli(ms), nil
}
