package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A letter that says no more than thanks, or that a game was good, is a reaction to the
// letter it answers: it decides nothing, and does not mean yes.

// thanked are the phrases, folded as Key does it; they go with the languages of courtesy.go.
var thanked = phrases(`thanks; thank you; many thanks; thx; thnx; tnx; ty; tyvm; tysm; cheers; much appreciated; appreciated; gg; ggs; ggwp; wp; gl; hf; glhf; gl hf; good game; great game; well played; nicely played;
	nice; nice one; nice move; nice play; nice game; good one; good move; great move; great; awesome; amazing; cool; brilliant; excellent; wow; haha; hahaha; lol; rofl; lmao; hehe; congrats; congratulations; bravo; good luck; have fun; yay; hooray; woohoo; oh no; ouch;
	danke; dankeschon; danke schon; danke sehr; vielen dank; besten dank; herzlichen dank; gut gespielt; gutes spiel; schones spiel; schoner zug; viel gluck; viel spass; gluckwunsch; super; toll; klasse;
	merci; merci beaucoup; bien joue; bonne partie; bonne chance; felicitations; genial; gracias; muchas gracias; mil gracias; bien jugado; buena partida; buena suerte; felicidades; enhorabuena;
	grazie; grazie mille; ben giocato; bella partita; bella mossa; buona fortuna; complimenti; bedankt; dank je; dank u; dank je wel; dankjewel; goed gespeeld; mooie zet; veel succes; gefeliciteerd;
	obrigado; obrigada; muito obrigado; muito obrigada; bem jogado; bom jogo; boa sorte; parabens; tack; tack sa mycket; bra spelat; lycka till; grattis; tak; mange tak; tusind tak; godt spillet; held og lykke; tillykke;
	takk; tusen takk; bra spilt; lykke til; gratulerer; kiitos; kiitti; paljon kiitoksia; hyvin pelattu; onnea; dziekuje; dzieki; dziekuje bardzo; dobra gra; swietny ruch; powodzenia; gratulacje; dekuji; diky; dik; moc diky; dobra hra; hodne stesti; gratuluji;
	dakujem; dakujem pekne; vdaka; vela stastia; gratulujem; koszonom; koszi; koszonom szepen; jol jatszottal; sok szerencset; gratulalok; multumesc; mersi; multumesc mult; bine jucat; succes; felicitari;
	ευχαριστω; ευχαριστώ; ευχαριστω πολυ; ευχαριστώ πολύ; καλη τυχη; καλή τύχη; συγχαρητηρια; συγχαρητήρια; μπραβο; μπράβο; спасибо; большое спасибо; спасибо большое; благодарю; хорошая игра; отличный ход; удачи; поздравляю; класс; дякую; щиро дякую; дуже дякую; гарна гра; вітаю;
	tesekkurler; tesekkur ederim; sagol; iyi oyundu; iyi sanslar; tebrikler; شكرا; شكرا جزيلا; أحسنت; حظا سعيدا; مبروك; תודה; תודה רבה; כל הכבוד; בהצלחה; מזל טוב; ありがとう; ありがとうございます; どうも; おめでとう; 谢谢; 多谢; 謝謝; 感谢; 恭喜; 감사합니다; 고맙습니다; 고마워요; 축하해요; 축하합니다`)

// smileys are pictures made of marks.
var smileys = []string{":-)", ":)", ";-)", ";)", ":-D", ":D", "=)", "<3", ":-P", ":P", ":-(", ":(", "^^", "\\o/", "xD", "XD"}

// maxThanks bounds the bytes of thanks.
const maxThanks = 80

// Thanks returns the text of a letter if it says no more than thanks or praise, in words or
// pictures, and greetings, closings and the author's names.
func Thanks(lines []string, names ...string) (text string, ok bool) {
	r := letterReader{}
	for _, n := range names {
		n = Key(n)
		first, _, _ := strings.Cut(n, " ")
		r.names = append(r.names, n, first)
	}
	var said []string
	closed := false // by the line above
	for _, line := range lines {
		if line = trim(line); line == "" || line == ">" {
			continue
		}
		opens, closes := courtesy(line)
		switch named := called(line, r.names); {
		case len(line) > maxThanks:
			return "", false
		case thanks(line):
			said = append(said, line)
		case !opens && !closes && !named, readable(readLine(1, line)) && !(named && closed):
			return "", false
		}
		closed = closes
	}
	text = strings.Join(said, " ")
	return text, text != "" && len(text) <= maxThanks
}

// thanks reports whether a line says thanks or praise, perhaps to someone by name, and nothing
// else.
func thanks(line string) bool {
	for _, s := range smileys {
		line = strings.ReplaceAll(line, s, " ")
	}
	pictures := false
	words := strings.Map(func(r rune) rune {
		switch {
		case picture(r):
			pictures = true
			return ' '
		case unicode.Is(unicode.Variation_Selector, r), r == '\u200D':
			return -1
		}
		return r
	}, line)
	ws := wordsIn(Key(words))
	if len(ws) == 0 {
		return pictures || strings.TrimSpace(line) == "" // nothing but smileys
	}
	if strings.ContainsAny(words, "?？|#") || len(ws) > maxCourtesy {
		return false
	}
	rest, found := cutPhrase(ws, thanked)
	for more := found; more && len(rest) > 0; {
		if more = joined[rest[0]] && !slices.Contains([]string{"i", "me", "my", "in"}, rest[0]); more {
			rest = rest[1:]
		} else {
			rest, more = cutPhrase(rest, thanked)
		}
	}
	_, _, word := ReadWord(strings.Join(rest, " "))
	return found && !word && isName(rest) && len(rest) <= 2 && !slices.ContainsFunc(rest, func(w string) bool { return utf8.RuneCountInString(w) < 2 || hedges[w] || others[w] })
}

// picture reports whether a character is an emoji. Letters and digits in a frame are not.
func picture(r rune) bool {
	switch {
	case r >= 0x1F300 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r == 0x203C, r == 0x2049, r == 0x2B50, r == 0x2B55, r == 0x231A, r == 0x23F3:
		return true
	}
	return false
}
