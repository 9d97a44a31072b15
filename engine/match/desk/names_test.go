package desk_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/templates/confusable"
)

// looking is an office that knows what looks alike.
func looking(t *testing.T) *office {
	return newOffice(t, manyAnswers, func(c *unit.Config) { c.NFC, c.Skeleton = norm.NFC.String, confusable.Skeleton })
}

// refusal is why the last of the letters to name refused a line, nil if it did not.
func refusal(out []notice.Message, name string) *notice.Problem {
	for _, r := range out {
		if r.To == at(name) {
			for _, l := range r.Answer.Lines {
				if l.Problem != nil {
					return l.Problem
				}
			}
		}
	}
	return nil
}

// The server refuses names that look like another player's in the game, and suggests a free
// one, which works.
func TestNamesThatLookAlikeInAGame(t *testing.T) {
	o := looking(t)
	o.started(1, "willi", "bo")
	o.write("willi", "name Willi Ann")
	for _, name := range []string{
		"Willi Ann", "willi ann", "WILLI ANN", "WilliAnn", "Will i Ann", "Willi  Ann.", "Willi-Ann", "Willi Ånn", "Willi Ànn",
		"WiIIi Ann", "Wi1li Ann", "Wi11i Ann", "Wil|i Ann", "Willі Ann", "Wіllі Аnn", "Ԝilli Ann", "𝐖𝐢𝐥𝐥𝐢 𝐀𝐧𝐧", "Ｗｉｌｌｉ Ａｎｎ",
		"Willi\u200bAnn", "Willi\u2060 Ann", "W\u00adilli Ann", "Willi Ann\u2800", "Willi\u3164Ann", "Willi Ann\ufe0f", "Willi A\u0336nn", "Wıllı Ann",
	} {
		p := refusal(o.write("bo", "name "+name), "bo")
		want := notice.ProblemName
		if strings.Contains(name, "|") {
			want = notice.ProblemBadName
		}
		if p == nil || p.Code != want || p.Args["name"] == "" {
			t.Errorf("%+q: %+v", name, p)
			continue
		}
		if p := refusal(o.write("bo", "name "+p.Args["name"]), "bo"); p != nil {
			t.Errorf("%+q was proposed instead, and refused: %+v", name, p)
		}
	}
	for _, name := range []string{"Will Ann", "Willi Anna", "Willi An", "Billi Ann", "Willi Ann Smith", "Vvilli Ann", "Ann Willi", "Willi 2"} {
		if p := refusal(o.write("bo", "name "+name), "bo"); p != nil {
			t.Errorf("%q was refused: %+v", name, p)
		}
	}
}

// Nor can a name look like the server's, mean something in an order, or show nothing.
func TestNamesOfTheServer(t *testing.T) {
	o := looking(t)
	o.started(1, "ada", "bo")
	for _, name := range []string{
		"Angelpost", "ANGELPOST", "Аngelpost", "Ange1post", "Angel post", "Angelpost Team", "Angеlpost Support", "Black Angel", "BIack Angel",
		"Hal", "HAL", "HaI", "Ha1", "Наl", "Hal 2", "Hal 9000", "seat 2", "Seat 2", "ѕeat 2", "Seat2", "s eat 2", "Player 1", "Player l", "Рlayer 2", "Pilot Vega", "pilot  vega", "Captain Rigel 2", "Саptain Rigel",
		"bot", "Bot 2", "B0t", "neutral", "all", "аll", "everybody", "Server", "The server"[4:], "Host", "Director", "B", "В", "b.", "done", "Dоne", "pass", "undo", "Yes",
		"\u3164\u3164", "\u2800", "!!", "7", "x@y.test", "a|b", strings.Repeat("x", 33), "www.example.org: hi",
	} {
		p := refusal(o.write("bo", "name "+name), "bo")
		if p == nil {
			t.Errorf("%+q is a name", name)
			continue
		}
		if p.Code != notice.ProblemBadName { // not read as a name at all
			continue
		}
		free := p.Args["name"]
		if again := refusal(o.write("bo", "name "+free), "bo"); free == "" || again != nil {
			t.Errorf("%+q: %q was proposed, and refused: %+v", name, free, again)
		}
	}
}

// People's usual names are available, and no two of them look alike.
func TestNamesOfPeople(t *testing.T) {
	names := strings.Fields(`Ann Anna Hanna Hannah Nan Ada Adam Al Alan Allan Bo Bob Rob Di Dina Diana Link Mark Marc Max Will Bill Jill Jim Kim Tim
		Hall Halina Hale Ian Ivan Ina Ilse Else Ole Olaf Noah Joan Jo Joe Zoe Chloe Lou Louis Luis Maria Marie Mario Marion Rosa Rose Pat Sue Dawn Art
		Grace Hope Faith Rich Don Donna Dan Dane Ray Roy Guy Mo Moe Bea Ben Len Lena Helena Eva Eve Steve Sven Lars Björk Łukasz Jürgen Øyvind Ñusta Iñigo
		李 王 张伟 ユーリ ユリ かい がい राम रमा Андрей Анна Инна Иван Ирина אב אבי דן عمر علي Γιώργος Μαρία 최 박`)
	names = append(names, "O'Brien", "Jean-Luc", "Ann Marie", "Marie Ann", "Dr. No Name", "Hal Jordan", "Ann 2", "Ann 3", "Captain Nemo", "Passepartout", "Yesenia", "Nora", "Undine")
	o := looking(t)
	o.started(1, "ada", "bo")
	alike := naming.New(confusable.Skeleton).Alike
	for i, name := range names {
		if p := refusal(o.write("bo", "name "+name), "bo"); p != nil && name != "Ada" {
			t.Errorf("%q cannot be a name: %+v", name, p)
		}
		for _, other := range names[:i] {
			if alike(name, other) {
				t.Errorf("%q and %q are alike", name, other)
			}
		}
	}
}

// Two friends with the same name get distinct names, and the desk refuses a player who joins
// under a similar name; then it does not use a name that happens to be in the letter's From
// field.
func TestNamesThatNobodyAskedFor(t *testing.T) {
	o := looking(t)
	n := seating.NewGameOrder{Started: true, Players: []seating.NewPlayer{
		{Address: at("ada"), Name: "Ann Lee"}, {Address: at("bo"), Name: "Апn Lее"}, {Address: at("cy"), Name: "Ann  lee"}, {Address: at("di")},
	}}
	id, err := o.desk.NewGame(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	n.Players[3].Name = "Hal"
	if _, err := o.desk.NewGame(t.Context(), n); notice.AsProblem(err) == nil || notice.AsProblem(err).Code != notice.ProblemBadName {
		t.Errorf("a player called Hal: %v", err)
	}
	if got, want := o.record(id, 0).Names, []string{"Ann Lee", "Апn Lее", "Ann lee 2", store.StandIn(o.player("di"))}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	o.deliver()
	o.write("ada", "new game\nplayers: eli@home.test, fay@home.test")
	l := o.letter(at("eli"), o.token(at("eli")), "join Ann Lеe, kestrel") // with a Cyrillic letter
	_, out := o.send(l)
	if p := refusal(out, "eli"); p == nil || p.Code != notice.ProblemName || p.Args["name"] != "Ann Lеe 2" {
		t.Errorf("join: %+v", p)
	}
	l = o.letter(at("eli"), o.token(at("eli")), "join")
	l.Name = "ANN LEE"
	o.send(l)
	l = o.letter(at("fay"), o.token(at("fay")), "join")
	l.Name = "Fay"
	o.send(l)
	names := o.record(o.last("fay").Game, 0).Names
	slices.Sort(names)
	if want := slices.Sorted(slices.Values([]string{"Ann Lee", store.StandIn(o.player("eli")), "Fay"})); !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// In a league the names of all its players are kept apart, whatever they are called
// elsewhere.
func TestNamesThatLookAlikeInALeague(t *testing.T) {
	o := looking(t)
	o.started(1, "ada", "bo")
	o.started(2, "cy", "di")
	league, err := o.desk.NewLeague(t.Context(), "name: Tin League\ntable: 2\ndivision: 4\nleast: 4\nclock: 3 days\n")
	if err != nil {
		t.Fatal(err)
	}
	o.deliver()
	for _, x := range []struct{ who, text string }{
		{"ada", "join league Tin League, Ann Lee"}, {"cy", "join league Tin League"},
	} {
		if p := refusal(o.write(x.who, x.text), x.who); p != nil {
			t.Fatalf("%s: %+v", x.who, p)
		}
	}
	p := refusal(o.write("di", "join league Tin League, Аnn Lее"), "di")
	if p == nil || p.Code != notice.ProblemName || p.Args["name"] != "Аnn Lее 2" {
		t.Errorf("joining as another: %+v", p)
	}
	if p := refusal(o.write("di", "join league Tin League, HaI"), "di"); p == nil || p.Code != notice.ProblemBadName {
		t.Errorf("joining as the server: %+v", p)
	}
	if p := refusal(o.write("cy", "name ann  lee"), "cy"); p == nil || p.Code != notice.ProblemName {
		t.Errorf("another name, though ada is in the league: %+v", p)
	}
	if p := refusal(o.write("ada", "name Ann Lee."), "ada"); p != nil {
		t.Errorf("her own name: %+v", p)
	}
	// A player who already has that name gets a number.
	if p := refusal(o.write("di", "name Аnn Lее"), "di"); p != nil {
		t.Fatal(p)
	}
	o.write("di", "join league Tin League")
	l, err := o.desk.Host().League(t.Context(), league)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range l.State.Players {
		names = append(names, l.Names[p.ID])
	}
	if want := []string{"Ann Lee.", "Cy", "Аnn Lее 2"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
