package obey

import (
	"angelpost/engine/match/compete"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Answers to a stranger's words (word.stranger).

// tellStranger answers a stranger with one section.
func tellStranger(u *unit.Unit, code string, s notice.Section) {
	d := gate.AnswerStranger(u, notice.None)
	d.Say(code)
	d.Answer.Sections = []notice.Section{s}
}

func strangersHelp(u *unit.Unit, w order.Word) func() error {
	return func() error {
		d := gate.AnswerStranger(u, notice.None)
		d.Answer.Sections = []notice.Section{{Kind: "help", Topic: naming.Unlinked(w.Text)}}
		return sayStart(u, d, false)
	}
}

// strangersData tells a sender who has not joined as a player that we keep nothing about them.
func strangersData(u *unit.Unit, _ order.Word) func() error {
	return func() error {
		gate.AnswerStranger(u, notice.None).Say(notice.SayDataNone)
		return nil
	}
}

func strangersLeagues(u *unit.Unit, _ order.Word) func() error {
	return func() error {
		tales, err := compete.Tales(u, &store.Player{Address: u.Command.From})
		tellStranger(u, notice.TellNever, notice.Section{Kind: "leagues", Leagues: tales})
		return err
	}
}

func strangersLeague(u *unit.Unit, w order.Word) func() error {
	return func() error { return compete.Ask(u, w) }
}

// ifMayStart returns answer if strangers may start games.
func ifMayStart(u *unit.Unit, answer func() error) func() error {
	if !seating.MayStart(u, u.Command.From, false) {
		return nil
	}
	return answer
}

func strangersGame(u *unit.Unit, _ order.Word) func() error {
	return ifMayStart(u, func() error { return seating.AskNewGame(u, u.Command.From) })
}

func strangersFreeSeats(u *unit.Unit, _ order.Word) func() error {
	return ifMayStart(u, func() error {
		tables, err := seating.OpenTables(u.Tx)
		if err != nil {
			return err
		}
		tellStranger(u, notice.TellNever, notice.Section{Kind: "tables", Games: tables})
		return nil
	})
}

// strangersSeat answers a stranger's `join`, which is only for a seat of an open game: an
// answer to an invitation would have its token.
func strangersSeat(u *unit.Unit, w order.Word) func() error {
	id, wish := seating.TableID(w)
	if id == "" {
		return nil
	}
	return ifMayStart(u, func() error { return seating.AskJoin(u, id, wish) })
}
