package host

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/rulings"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

const ruleUse = `use: angelpost rule -config F -reason "WHY" GAME WORD …, where WORD … is one of
  extend NAME by TIME       pause       resume       void       replay       uphold
  replace NAME by bot       replace NAME by ADDRESS
  adjudicate NAME SCORE, NAME SCORE …      correct NAME SCORE, NAME SCORE …
  rollback to LINE
correct, and what nothing can undo, want the flag -yes: void, replay, adjudicate, rollback,
uphold, and replace where the player still plays`

// RunRule is the main function of rule.
func RunRule(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("rule", "GAME WORD …", stderr)
	path := cli.ConfigFlag(fs)
	reason := fs.String("reason", "", "the reason, which everyone can read")
	yes := fs.Bool("yes", false, "rule so, although nothing undoes it")
	if code := cli.Parse(fs, args, 100); code != cli.GoOn {
		return code
	}
	return cli.Exit(stderr, "rule", rule(fs, *path, *reason, *yes, stdout, stderr))
}

// gameFirst joins the words that name a game, by its id or by what its league calls it,
// into the first word; game is "" if they name none.
func gameFirst(words []string) (game string, rest []string) {
	for i := range words {
		name := strings.Trim(strings.Join(words[:i+1], " "), "\"'`“”„‘’«»")
		if id := strings.ToLower(name); order.IsGameID(id) {
			return id, words
		}
		if at := strings.LastIndexByte(name, ' '); at > 0 && order.IsGameNumber(name[at+1:]) {
			return name, append([]string{name}, words[i+1:]...)
		}
	}
	return "", words
}

// rule does what the words of the command line say, as a letter would say it.
func rule(fs *flag.FlagSet, path, reason string, yes bool, stdout, stderr io.Writer) error {
	words := fs.Args()
	if len(words) < 2 || reason == "" {
		return cli.BadUsage("%s", ruleUse)
	}
	game, words := gameFirst(words)
	if len(words) < 2 {
		return cli.BadUsage("%s", ruleUse)
	}
	line := words[1] + " " + game + " " + strings.Join(words[2:], " ")
	r, p, ok := order.ReadRuling(line + ": " + strings.Join(strings.Fields(reason), " "))
	switch {
	case game == "":
		return cli.BadUsage("%.40q is not a game's id or name\n%s", words[0], ruleUse)
	case !ok:
		return cli.BadUsage("there is no ruling %.40q\n%s", words[1], ruleUse)
	case p != nil && p.Code == order.LongText:
		return cli.BadUsage("the reason is longer than %d bytes, or a name than %d", order.MaxReason, order.MaxName)
	case p != nil:
		return cli.BadUsage("%.60q can't go after %s\n%s", p.Word, words[1], ruleUse)
	}
	if !yes && rulings.Final(r.Kind) {
		return cli.AnsweredNo(fmt.Errorf("nothing can undo `%s`: the game counts nowhere and, %d days later, unless a player appeals, its seed and all hands are public; to rule so, add the flag -yes", r.Kind, rulings.AppealDays))
	}
	ctx := context.Background()
	s, err := server.Beside(ctx, path, stderr)
	if err != nil {
		return err
	}
	defer s.Close()
	done, now, err := s.Desk.Rule(ctx, r, yes)
	if errors.Is(err, store.ErrNotFound) {
		return cli.AnsweredNo(fmt.Errorf("there is no game %.60s in %s", game, s.Conf.Path(s.Conf.Database)))
	}
	if p := notice.AsProblem(err); p != nil {
		return cli.AnsweredNo(errors.New(s.Words.For(nil, 0, nil).Problem(p)))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "ruling=%d\n", done.N)
	if done.Game != "" {
		fmt.Fprintf(stdout, "game=%s\n", done.Game)
	}
	c := changeOf(s, now)
	c.Back = rulingBack(fs, now)
	c.tell(stderr)
	return nil
}
