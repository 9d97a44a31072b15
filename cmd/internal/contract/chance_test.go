package contract

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// chance is web/API.md's derivation, written from its text alone: none of the
// engine's code is used.
type chance struct {
	key  []byte
	next map[string]int // by stream: the next k
}

func newChance(seed []byte, message string) *chance {
	m := hmac.New(sha256.New, seed)
	m.Write([]byte(message))
	return &chance{key: m.Sum(nil), next: map[string]int{}}
}

// below draws a number below m.
func (c *chance) below(stream string, m int) int {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	limit := new(big.Int).Sub(two64, new(big.Int).Mod(two64, big.NewInt(int64(m))))
	for {
		mac := hmac.New(sha256.New, c.key)
		fmt.Fprintf(mac, "%s:%d", stream, c.next[stream])
		c.next[stream]++
		v := binary.BigEndian.Uint64(mac.Sum(nil)[:8])
		if new(big.Int).SetUint64(v).Cmp(limit) < 0 {
			return int(v % uint64(m))
		}
	}
}

// pile shuffles from … to and returns the top first.
func (c *chance) pile(stream string, from, to int) []int {
	var items []int
	for i := from; i <= to; i++ {
		items = append(items, i)
	}
	for last := len(items) - 1; last > 0; last-- {
		j := c.below(stream, last+1)
		items[last], items[j] = items[j], items[last]
	}
	slices.Reverse(items)
	return items
}

func (c *chance) die(color string) int { return [6]int{0, 1, 1, 2, 3, 3}[c.below("die/"+color, 6)] }

func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// readStrips reads the kinds of hexes of the seven strips' two sides from the
// set's own file.
func readStrips(t *testing.T) (sides map[string][]string) {
	t.Helper()
	f, err := os.Open("../../../engine/component/crossing/strips.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sides = map[string][]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		cells := strings.Split(lines.Text(), "|")
		if strings.HasPrefix(cells[0], "#") || len(cells) < 6 {
			continue
		}
		for _, c := range cells[1:6] {
			kind := strings.Fields(c)[0]
			side := strings.Join(strings.Fields(cells[0]), " ")
			sides[side] = append(sides[side], strings.TrimSuffix(kind, "s"))
		}
	}
	if len(sides) != 14 {
		t.Fatalf("%d sides of strips", len(sides))
	}
	return sides
}

var colorNames = []string{"orange", "gray", "green"}

// checkChance recomputes the whole set-up and every roll and Ravager up to the
// first reshuffle from the published seed. first is view.json?at=0 with as many
// hands as the caller saw. It returns how many rolls and Ravagers the log had.
func checkChance(t *testing.T, rec contractRecord, first tableView) (rolls, drawn int) {
	t.Helper()
	c := newChance(unhex(t, rec.Seed), strings.Join(rec.Entropy, "\n"))
	v := first.View
	players := len(v.Players)
	if len(rec.Entropy) > 0 { // the seats were drawn over the players in invitation order
		if want := c.pile("seats", 1, players); !slices.Equal(rec.Invited, want) {
			t.Errorf("seats %v, want %v", rec.Invited, want)
		}
	}

	// Space: strips from the top, strip 1 first; then each one's side.
	sides := readStrips(t)
	strips := c.pile("strips", 1, 7)[:len(v.Space)]
	for i, strip := range strips {
		side := []string{"front", "back"}[c.below("sides", 2)]
		want := sides[fmt.Sprint(strip, " ", side)]
		if i == len(strips)-1 && v.SpesToken != nil && *v.SpesToken != i+1 {
			t.Errorf("the Spes token is on %d", *v.SpesToken)
		}
		for lane, h := range v.Space[i].Hexes {
			if h.Kind != want[lane] {
				t.Errorf("%s is %s; strip %d %s has %s", h.At, h.Kind, strip, side, want[lane])
			}
		}
	}

	// Tiles.
	stacks := map[string][]int{}
	for i, color := range colorNames {
		stacks[color] = c.pile("tiles/"+color, 16*i+1, 16*i+16)
	}
	for space, i := range c.pile("display", 0, 2) {
		if want := fmt.Sprint("t", stacks[colorNames[i]][0]); v.Display[space] == nil || v.Display[space].ID != want {
			t.Errorf("display space %d: %+v, want %s", space+1, v.Display[space], want)
		}
	}
	for i, n := range c.pile("advanced", 1, 16)[:4] {
		if want := fmt.Sprint("a", n); v.Advanced[i] == nil || v.Advanced[i].ID != want {
			t.Errorf("Advanced slot %d: %+v, want %s", i+1, v.Advanced[i], want)
		}
	}

	// Cards: of 30 Ravagers some are taken out, two attack, each seat gets one.
	missions := map[string][]int{}
	for i, color := range colorNames {
		missions[color] = c.pile("missions/"+color, 20*i+1, 20*i+20)
	}
	ravagers := c.pile("ravagers", 61, 90)[6*(4-players):]
	var attackers []string
	for _, l := range v.Locations {
		for _, r := range l.Ravagers {
			attackers = append(attackers, r.ID)
		}
	}
	want := []string{fmt.Sprintf("%03d", ravagers[0]), fmt.Sprintf("%03d", ravagers[1])}
	if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(attackers)), want) {
		t.Errorf("%v attacked, want %v", attackers, want)
	}
	hands := 0
	for i, p := range v.Players {
		if p.Hand.Cards == nil {
			continue
		}
		hands++
		var want []string
		for _, color := range colorNames {
			want = append(want, fmt.Sprintf("%03d", missions[color][i]))
		}
		want = append(want, fmt.Sprintf("%03d", ravagers[2+i]))
		if got := slices.Sorted(slices.Values(p.Hand.Cards)); !slices.Equal(got, want) {
			t.Errorf("seat %d holds %v, want %v", i+1, got, want)
		}
	}
	if hands == 0 {
		t.Error("no hand seen")
	}
	for i, p := range v.Players {
		for cell, n := range c.pile("start/"+strconv.Itoa(i+1), 1, 3) {
			if tile := p.Grid[cell][cell]; tile == nil || tile.ID != fmt.Sprint("s", n) {
				t.Errorf("seat %d, cell %d: %+v, want s%d", i+1, cell+1, tile, n)
			}
		}
	}

	// Dice in set-up: each seat one of each colour, then the neutral player.
	rolled := func(who string, dice []die) {
		t.Helper()
		got := map[string]int{}
		for _, d := range dice {
			got[d.Color] = d.Value
		}
		for _, color := range colorNames {
			if want := c.die(color); got[color] != want || len(dice) != 3 {
				t.Errorf("%s begins with %v, the %s die shows %d", who, dice, color, want)
			}
		}
	}
	for i, p := range v.Players {
		rolled(fmt.Sprint("seat ", i+1), p.Dice.Standard)
	}
	if v.Neutral != nil {
		rolled("the neutral player", v.Neutral.Dice)
	}

	// What the log told: every roll, the Ravagers until their deck is shuffled again.
	shuffled := false
	ravagers = ravagers[2+players:]
	for _, l := range rec.Log {
		for _, told := range l.Told {
			words := strings.Fields(strings.TrimPrefix(told, "neutral "))
			card := ""
			switch {
			case len(words) == 3 && words[1] == "die":
				rolls++
				if want := c.die(words[0]); words[2] != strconv.Itoa(want) {
					t.Fatalf("line %d: %q, the next %s die shows %d", l.N, told, words[0], want)
				}
			case told == "shuffled ravager":
				shuffled = true
			case words[0] == "ravager" || words[0] == "overflow":
				card = words[1]
			case words[0] == "hand" && words[1] == "ravager":
				card = words[2]
			}
			if card == "" || shuffled {
				continue
			}
			if want := fmt.Sprintf("%03d", ravagers[drawn]); card != want {
				t.Fatalf("line %d: %q, the next Ravager is %s", l.N, told, want)
			}
			drawn++
		}
	}
	return rolls, drawn
}

// TestContractInvited starts a game by letter: invitations with the
// commitment, words of entropy, seats drawn; it then ends, and all chance in it
// is recomputed.
func TestContractInvited(t *testing.T) {
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,human,human")...)
	clients := mailclient.DemoClients(t, p, 3)
	for _, c := range clients {
		for len(c.Fetch()) > 0 { // the demo's own game
		}
	}
	a, b := clients[0], clients[1]
	await := func(c *mailclient.Client, kinds ...string) mailclient.Received {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			for _, n := range c.Fetch() {
				if slices.Contains(kinds, n.Kind) {
					return n
				}
			}
		}
		t.Fatalf("%s: no letter of kind %s", c.Address, kinds)
		return mailclient.Received{}
	}
	// The server asks the sender of a letter without a token to confirm it.
	a.Send(p.Values["server"], "a game", "", "new game\r\nplayers: "+a.Address+", "+b.Address+"\r\n")
	a.Reply(await(a, "answer"), "yes\r\n")
	created, invited := await(a, "answer"), await(b, "invitation")
	game := invited.Header.Get("X-Angelpost-Game")
	var commitments []string
	for _, n := range []mailclient.Received{created, invited} {
		checkNotice(t, n, game, 0)
		for word := range strings.FieldsSeq(n.Text) {
			if word = strings.Trim(word, ".,:()"); len(word) == 64 {
				commitments = append(commitments, word)
			}
		}
	}
	a.Reply(created, "join Ann, \u00e9toile\r\n") // its organiser has a word, too
	if n := await(a, "answer"); n.Result != "applied" {
		t.Errorf("the organiser's word: %s\n%s", n.Result, n.Text)
	}
	b.Reply(invited, "join Bea,   cafe\u0301 au lait  \r\n") // decomposed: NFC is another spelling
	begun := []mailclient.Received{await(a, "start", "turn"), await(b, "answer")}
	config := filepath.Join(data, "angelpost.toml")
	seats := []int{}
	for i, n := range begun {
		seat, err := strconv.Atoi(n.Header.Get("X-Angelpost-Seat"))
		if err != nil || seat < 1 {
			t.Fatalf("seat %q", n.Header.Get("X-Angelpost-Seat"))
		}
		checkNotice(t, n, game, seat)
		seats = append(seats, seat)
		clients[i].Resign(n)
	}
	var record string
	for deadline := time.Now().Add(2 * time.Minute); !strings.Contains(record, `"result"`); time.Sleep(100 * time.Millisecond) {
		var code int
		if record, code = program.Output(t, "export", "-config", config, game); code != program.ExitYes {
			t.Fatalf("export: exit %d", code)
		}
		if time.Now().After(deadline) {
			t.Fatal("the game does not end")
		}
	}
	rec := checkFinished(t, record, "")
	if want := []string{rec.Commitment, rec.Commitment}; !slices.Equal(commitments, want) {
		t.Errorf("the organiser and the invited were told the commitments %q, want %q", commitments, want)
	}
	if want := []string{"\u00e9toile", "caf\u00e9 au lait"}; !slices.Equal(rec.Entropy, want) {
		t.Errorf("entropy %q, want %q", rec.Entropy, want)
	}
	names := map[int]string{seats[0]: "Ann", seats[1]: "Bea"}
	if rec.Names[0] != names[1] || rec.Names[1] != names[2] || rec.Invited[seats[0]-1] != 1 {
		t.Errorf("names %q, invited %v, letters to seats %v", rec.Names, rec.Invited, seats)
	}
	file := filepath.Join(t.TempDir(), "record.json")
	if err := os.WriteFile(file, []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	var hands []tableView
	for seat := 0; seat <= 2; seat++ {
		out, code := program.Output(t, "show", "-json", "-at", "0", "-seat", strconv.Itoa(seat), file)
		if code != program.ExitYes {
			t.Fatalf("show: exit %d", code)
		}
		hands = append(hands, checkView(t, out, seat))
	}
	for i := range 2 {
		hands[0].View.Players[i].Hand.Cards = hands[i+1].View.Players[i].Hand.Cards
	}
	if rolls, _ := checkChance(t, rec, hands[0]); rolls == 0 { // its seed is random: a game without a Ravager after the set-up was seen
		t.Error("not a single roll in the whole game")
	}
	p.Stop()
}
