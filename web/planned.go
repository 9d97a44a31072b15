package web

import (
	"net/http"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/match/turns"
	"angelpost/engine/notice"
	"angelpost/templates"
)

// What a plan's page shows, as data.

type planJSON struct {
	Schema   int            `json:"schema"`
	Game     string         `json:"game"`
	Viewer   int            `json:"viewer"`
	Step     int            `json:"step"` // of the game, from which it is planned
	Steps    []triedJSON    `json:"steps"`
	Options  []optionJSON   `json:"options"`             // what the plan can go on with
	Begun    string         `json:"begun,omitempty"`     // the beginning of an order, with which the address ends
	Last     string         `json:"last"`                // the order that chance decides, with which it ends
	LastGain *gainJSON      `json:"last_gain,omitempty"` // for certain, before chance decides
	LastNext string         `json:"last_next,omitempty"` // what chance then decides
	May      []string       `json:"may"`                 // what Last may bring, in words
	Was      string         `json:"was,omitempty"`
	Ahead    bool           `json:"ahead,omitempty"` // it is of the turn to come
	Refused  *refusedJSON   `json:"refused"`
	Complete bool           `json:"complete"`
	Letter   []string       `json:"letter"` // lines that do it
	ReplyTo  string         `json:"reply_to"`
	Position *game.ViewJSON `json:"position"` // after Steps
}

type triedJSON struct {
	Seat  int      `json:"seat"`
	Order string   `json:"order"`
	Line  int      `json:"line"` // of the plan; 0: nothing else was possible
	Gain  gainJSON `json:"gain"`
}

type optionJSON struct {
	Seat  int      `json:"seat"`
	Order string   `json:"order"`
	Draws bool     `json:"draws,omitempty"` // chance decides what it gives besides
	Gain  gainJSON `json:"gain"`            // for certain, before chance decides
	Next  string   `json:"next,omitempty"`  // what chance then decides first
	Works int      `json:"works,omitempty"` // tiles that a card played can activate
	Fits  []string `json:"fits,omitempty"`  // Mission cards that can be placed after the move
}

type gainJSON struct {
	VP        int `json:"vp"`
	Resources int `json:"resources"`
	Debris    int `json:"debris"`
	Ships     int `json:"ships"`
	Robots    int `json:"robots"`
	Tiles     int `json:"tiles"`
	Ravagers  int `json:"ravagers"`
}

type refusedJSON struct {
	Line        int      `json:"line"`
	Text        string   `json:"text"`
	Code        string   `json:"code"`
	Rule        string   `json:"rule,omitempty"`
	Suggestions []string `json:"suggestions"`
}

func stepsData(steps []turns.Tried) []triedJSON {
	out := make([]triedJSON, len(steps))
	for i, x := range steps {
		out[i] = triedJSON{x.Seat, x.Order, x.Line, gainJSON(x.Gain)}
	}
	return out
}

func optionsData(options []turns.Option) []optionJSON {
	out := make([]optionJSON, len(options))
	for i, x := range options {
		out[i] = optionJSON{Seat: x.Seat, Order: x.Order, Draws: x.Draws, Gain: gainJSON(x.Gain), Next: chanceNames[x.First()], Works: x.Works}
		for _, c := range x.Fits {
			out[i].Fits = append(out[i].Fits, c.String())
		}
	}
	return out
}

// chanceNames are what chance decides.
var chanceNames = map[engine.EventKind]string{
	engine.EvRolled: "dice", engine.EvDrewMission: "mission", engine.EvOffered: "missions", engine.EvRefilled: "advanced",
	engine.EvAttack: "ravagers", engine.EvTileAppeared: "tile", engine.EvHalCard: "hal",
}

func refusedData(l *notice.LineResult) *refusedJSON {
	if l == nil {
		return nil
	}
	out := &refusedJSON{Line: l.N, Text: l.Text, Suggestions: []string{}}
	if p := l.Problem; p != nil {
		out.Code, out.Rule, out.Suggestions = p.Code, p.Rule, append(out.Suggestions, p.Suggestions...)
	}
	return out
}

// sendPlan serves a turn being planned as data.
func (s Server) sendPlan(w http.ResponseWriter, r *http.Request, g *look.GameView, p *turns.Plan, begun string, page *templates.PlanPage) {
	out := planJSON{
		Schema: game.Schema, Game: g.ID, Viewer: int(p.View.Viewer), Step: g.Step, Steps: stepsData(p.Steps), Options: optionsData(p.Options),
		Last: p.Last, Ahead: p.Ahead, May: append([]string{}, page.May()...), Refused: refusedData(p.Refused), Complete: p.Complete,
		Letter: append([]string{}, p.Text()...), ReplyTo: s.ReplyTo(p.Token), Position: game.NewViewJSON(p.View, g.ID, g.Options, g.Names, g.Step, g.Latest),
		Begun: begun,
	}
	if p.Last != "" {
		sure := gainJSON(p.Sure.Gain)
		out.LastGain, out.LastNext = &sure, chanceNames[p.Sure.First()]
	}
	s.sendJSON(w, r, cacheOf(r), out)
}

// sendWhatIf serves a finished game played on as data.
func (s Server) sendWhatIf(w http.ResponseWriter, r *http.Request, g *look.GameView, x *turns.WhatIf) {
	s.sendJSON(w, r, cacheOf(r), planJSON{
		Schema: game.Schema, Game: g.ID, Viewer: int(x.View.Viewer), Step: g.Step, Steps: stepsData(x.Steps), Options: optionsData(x.Options),
		May: []string{}, Was: x.Was, Refused: refusedData(x.Refused), Complete: x.Next == 0, Letter: []string{},
		Position: game.NewViewJSON(x.View, g.ID, g.Options, g.Names, g.Step, g.Latest),
	})
}
