package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The phrases that open and close letters, around the orders. A closing that is not listed
// is read as prose, which is just as safe (place.go): the lists only keep questions rare.

// A phrase ends at a semicolon; Key has folded it, so "grusse" is "Grüße".
var (
	greetings = phrases(`hi; hello; hey; hiya; dear; good morning; good afternoon; good evening; good day; ladies and gentlemen;
		hallo; moin; guten tag; guten morgen; guten abend; liebe; lieber; liebes; sehr geehrte; sehr geehrter; gruezi; gruss gott;
		bonjour; bonsoir; salut; cher; chere; chers; hola; buenos dias; buenas tardes; buenas; querido; querida; estimado; estimada;
		buongiorno; buonasera; salve; caro; cara; hoi; goedemorgen; goedendag; goedenavond; ola; oi; bom dia; boa tarde; boa noite; caros;
		hej; hei; hejsan; god dag; god morgon; god morgen; heisann; moi; hyvaa paivaa; czesc; dzien dobry; ahoj; dobry den; szia; sziasztok; kedves;
		merhaba; selam; salut tuturor; привет; здравствуйте; добрый день; вітаю; γεια; γεια σας; こんにちは; 你好; 您好; 안녕하세요`)
	closings = phrases(`thanks; thank you; many thanks; thx; thnx; tnx; ty; tia; ta; cheers; regards; best; best regards; kind regards; kindest regards; warm regards;
		warmest regards; with kind regards; with best regards; best wishes; all the best; all my best; warmly; yours; yours truly; yours sincerely; yours faithfully;
		sincerely; sincerely yours; very truly yours; always yours; yours always; ever yours; respectfully; cordially; greetings; bye; bye bye; goodbye; see you; see ya;
		cu; cya; ttyl; talk soon; speak soon; take care; have fun; have a nice day; have a good day; have a great day; have a good one; have a nice evening;
		have a good evening; have a nice weekend; have a good weekend; have a great weekend; good luck; good game; good night; gl; hf; gg; glhf; gl hf; love; with love;
		lots of love; hugs; x; xx; xxx; xo; xoxo; o7; peace; br; kr; rgds; brgds; over and out; until next time; happy playing; happy gaming; enjoy; your turn; over to you;
		danke; dankeschon; vielen dank; besten dank; herzlichen dank; danke schon; danke sehr; mit freundlichen grussen; mit freundlichen gruessen; mit freundlichem gruss;
		mit besten grussen; mit besten gruessen; mit lieben grussen; freundliche grusse; freundliche gruesse; viele grusse; viele gruesse; liebe grusse; liebe gruesse;
		beste grusse; beste gruesse; herzliche grusse; herzliche gruesse; schone grusse; schoene gruesse; gruss; gruesse; grusse; lieber gruss; mfg; lg; vg; bg; hg; glg; grussle; gruessle; grussli;
		bis bald; bis dann; bis spater; bis spaeter; bis morgen; tschuss; tschuess; tschau; servus; ciao; pfiat di; ade; hochachtungsvoll; alles gute; alles liebe; viel gluck;
		viel glueck; viel erfolg; viel spass; schonen tag; schoenen tag; schonen abend; schoenen abend; schones wochenende; schoenes wochenende; gute nacht;
		merci; merci beaucoup; cordialement; bien cordialement; tres cordialement; bien a vous; bien a toi; amicalement; bien amicalement; bonne journee; bonne soiree;
		bonne nuit; bonne chance; salutations; meilleures salutations; cordiales salutations; sinceres salutations; a bientot; a plus; a plus tard; bises; bisous; cdlt; cdt; au revoir;
		gracias; muchas gracias; saludos; un saludo; saludos cordiales; cordialmente; atentamente; un abrazo; abrazos; hasta luego; hasta pronto; hasta manana; adios; buena suerte; besos;
		grazie; grazie mille; cordiali saluti; distinti saluti; saluti; cari saluti; tanti saluti; un saluto; a presto; buona giornata; buona serata; buona fortuna; un abbraccio; baci;
		bedankt; dank je; dank u; dank je wel; dankjewel; alvast bedankt; met vriendelijke groet; met vriendelijke groeten; vriendelijke groet; vriendelijke groeten; hartelijke groet;
		hartelijke groeten; groet; groeten; groetjes; mvg; tot ziens; tot straks; tot snel; succes; fijne dag; fijne avond; doei; liefs;
		obrigado; obrigada; muito obrigado; muito obrigada; atenciosamente; cumprimentos; com os melhores cumprimentos; melhores cumprimentos; abraco; abracos; um abraco; saudacoes;
		ate logo; ate breve; ate mais; boa sorte; att; bjs;
		tack; tack sa mycket; tak; mange tak; takk; tusen takk; mvh; vh; med vanlig halsning; med vanliga halsningar; vanliga halsningar; basta halsningar; halsningar; hilsen;
		med venlig hilsen; venlig hilsen; vennlig hilsen; med vennlig hilsen; beste hilsener; mange hilsner; hej da; hejda; ha det; lycka till; held og lykke; lykke til;
		kiitos; kiitti; terveisin; ystavallisin terveisin; parhain terveisin; terveiset; nakemiin; dziekuje; dzieki; pozdrawiam; pozdrowienia; z powazaniem; serdecznie pozdrawiam;
		dekuji; diky; dik; s pozdravem; zdravim; hezky den; dakujem; koszonom; koszi; udv; udvozlettel; szep napot; multumesc; cu stima; cu drag; tesekkurler; saygilarimla; sevgiler;
		hvala; pozdrav; lp; lep pozdrav; aciu; paldies; aitah; спасибо; с уважением; пока; всего доброго; до свидания; дякую; з повагою; благодаря; поздрави; поздрав; ευχαριστω; ευχαριστώ; με εκτιμηση; με εκτίμηση;
		s pozdravom; s uctou; s uctivym pozdravem; s pratelskym pozdravem; s pranim hezkeho dne; mejte se; mej se; dekuji predem; predem dekuji; pekny den; prijemny den; zdravim vas;
		srdecne pozdravujem; s priatelskym pozdravom; vopred dakujem; dakujem vopred; maj sa; majte sa;
		tisztelettel; szivelyes udvozlettel; baráti udvozlettel; koszonettel; elore is koszonom; minden jot; szep napot kivanok; puszi;
		cu respect; cu consideratie; cu prietenie; toate cele bune; o zi buna; o zi frumoasa; va multumesc; mersi; numai bine; salutari;
		saygilarimizla; selamlar; iyi gunler; iyi aksamlar; iyi calismalar; kolay gelsin; hoscakal; gorusuruz; tesekkur ederim; tesekkurler; sevgilerimle;
		pozdrawiam serdecznie; lacze pozdrowienia; lacze wyrazy szacunku; z wyrazami szacunku; milego dnia; dziekuje z gory; dzieki z gory; do uslyszenia; do widzenia; do zobaczenia; na razie;
		ystavallisesti; terveisin kiittaen; kiitos etukateen; hyvaa paivanjatkoa; mukavaa paivaa; moikka; med vennlige hilsener; mange hilsener; hilsener; vennlige hilsener; kh; med hilsen; kaerlig hilsen; de bedste hilsner; venlige hilsner; tusind tak; vanligen; basta halsning; hjartliga halsningar;
		atte; um abraco; fico a disposicao; obrigado desde ja; desde ja agradeco; um grande abraco; respeitosamente; com os meus cumprimentos; reciba un cordial saludo; un cordial saludo; saludos y gracias; gracias de antemano; que tengas un buen dia; quedo a la espera; muy atentamente;
		in attesa di riscontro; ringrazio; grazie in anticipo; grazie e saluti; un caro saluto; cordialmente; a risentirci; je vous remercie; merci d'avance; sinceres salutations; bien a vous tous; respectueusement; belle journee; bon week end; bon weekend; met hartelijke groet; hoogachtend; hartelijk dank; met dank; prettige dag; fijn weekend;
		με εκτίμηση; φιλικά; με φιλικούς χαιρετισμούς; χαιρετισμούς; ευχαριστώ πολύ; φιλικα; χαιρετισμους; ευχαριστω πολυ; καλή συνέχεια; καλη συνεχεια; τα λέμε; τα λεμε;
		с наилучшими пожеланиями; с приветом; всего хорошего; с благодарностью; заранее спасибо; удачи; хорошего дня; искренне ваш; до встречи; обнимаю; благодарю;
		з найкращими побажаннями; щиро дякую; до побачення; гарного дня; з вдячністю; бувай; усього найкращого; щиро ваш;
		مع أطيب التحيات; مع تحياتي; تحياتي; مع خالص التحية; أطيب التحيات; شكرا; شكرا جزيلا; مع الشكر; وتفضلوا بقبول فائق الاحترام; مع الاحترام;
		בברכה; תודה; תודה רבה; בתודה; בכבוד רב; כל טוב; להתראות; יום טוב; בברכת חברים;
		ありがとう; ありがとうございます; よろしくお願いします; よろしくお願いいたします; よろしく; 敬具; 以上; 草々; では; それでは; 谢谢; 謝謝; 此致; 敬礼; 祝好; 敬上; 顺祝商祺; 祝您愉快; 祝你愉快; 多谢; 敬祝; 감사합니다; 고맙습니다; 안녕히 계세요; 수고하세요; 드림; 올림`)
	// joined are words that may continue a closing: "Thanks again and all the best to
	// everyone".
	joined = words(`and und et y e en och og i a lot so much many again in advance very bien noch im voraus everyone everybody all folks team to from me my von from the you vous
		fun luck there evening morning afternoon day night weekend game angelpost`)
	// courteous are the words of greetings and closings.
	courteous = func() map[string]bool {
		m := map[string]bool{}
		for _, all := range []map[string]bool{greetings, closings} {
			for p := range all {
				for _, w := range wordsIn(p) {
					m[remarkKey(w)] = true
				}
			}
		}
		return m
	}()
	// notNames are words after a closing that do not begin a name: "thanks for the fish".
	notNames = words("for that but if as on in at is was your we it this i you when because of with so")
	marks    = words("example end")
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range wordsIn(s) {
		m[w] = true
	}
	return m
}

func phrases(s string) map[string]bool {
	m := map[string]bool{}
	for _, p := range strings.Split(s, ";") {
		m[strings.Join(wordsIn(p), " ")] = true
	}
	return m
}

// maxCourtesy bounds the words of a greeting or closing, and a phrase's.
const (
	maxCourtesy = 10
	maxPhrase   = 5
)

// courtesy reports whether a line only opens a letter, or only closes one.
// Either may include a name of up to three words.
func courtesy(line string) (opens, closes bool) {
	if len(line) > MaxLine {
		return false, false
	}
	ws := wordsIn(Key(cutComment(line)))
	if len(ws) == 0 || len(ws) > maxCourtesy {
		return false, false
	}
	if rest, ok := cutPhrase(ws, closings); ok {
		for more := true; more && len(rest) > 0; {
			if more = joined[rest[0]]; more {
				if rest[0] == "i" && len(rest) > 1 && (hedges[rest[1]] || others[rest[1]]) { // "Later I may"
					return false, false
				}
				rest = rest[1:]
			} else {
				rest, more = cutPhrase(rest, closings)
			}
		}
		if isName(rest) {
			return false, true
		}
	}
	if rest, ok := cutPhrase(ws, greetings); ok {
		for len(rest) > 0 && joined[rest[0]] {
			rest = rest[1:]
		}
		return isName(rest), false
	}
	return false, false
}

// cutPhrase cuts the longest of the phrases off that the words begin with.
func cutPhrase(ws []string, of map[string]bool) (rest []string, ok bool) {
	for n := min(len(ws), maxPhrase); n > 0; n-- {
		if of[strings.Join(ws[:n], " ")] {
			return ws[n:], true
		}
	}
	return ws, false
}

// isName reports whether words could be a name, or are empty: a few, none of them
// a number, a verb or a colour.
func isName(ws []string) bool {
	for i, w := range ws {
		if _, verb := synonyms[w]; verb && len(w) > 1 || strings.ContainsAny(w, "0123456789") || i == 0 && notNames[w] {
			return false
		}
		for _, v := range verbs {
			if v.name == w {
				return false
			}
		}
		for _, c := range colorWords {
			if c.name == w {
				return false
			}
		}
	}
	return len(ws) <= 3
}

// called reports whether a line is nothing but one of the names, which are keys:
// the author has signed it.
func called(line string, names []string) bool {
	key := Key(line)
	return key != "" && slices.Contains(names, key) || initials(line, names)
}

// initials reports whether a line is the initial of one of the author's names, or all of its initials.
func initials(line string, names []string) bool {
	key := strings.ReplaceAll(Key(line), " ", "")
	if key == "" || len(key) > 12 {
		return false
	}
	for _, n := range names {
		var all strings.Builder
		for i, w := range wordsIn(n) {
			r, _ := utf8.DecodeRuneInString(w)
			if all.WriteRune(r); i == 0 && key == all.String() {
				return true
			}
		}
		if key == all.String() {
			return true
		}
	}
	return false
}

// cutGame cuts off the words that say for which game the rest of a line is, "game ID", "My
// move in game ID:", and returns the game's id. The rest may be empty.
func cutGame(line string) (id, rest string, ok bool) {
	const wraps = "#:：,.;()[]<>\"'`*_“”„‘’«»"
	if len(line) > MaxLine {
		return "", line, false
	}
	look(len(line))
	rest = line[bullets(line):]
	named := false
	for range maxCourtesy {
		word, after := rest, ""
		if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
			word, after = rest[:i], trim(rest[i:])
		}
		if i := strings.IndexAny(word, ":："); i > 0 { // "ID:B"
			_, n := utf8.DecodeRuneInString(word[i:])
			word, after = word[:i], trim(word[i+n:]+" "+after)
		}
		id = strings.ToLower(strings.Trim(word, wraps))
		switch {
		case IsGameID(id):
			// A word of sixteen letters alone does not count as a game's id.
			return id, trim(strings.TrimLeft(after, wraps+"-–—= ")), named || strings.ContainsAny(id, "234567")
		case id != "" && !announces[id] && !around[id] || after == "":
			return "", line, false
		}
		named, rest = named || id == "game", after
	}
	return "", line, false
}

// GameNamed returns the name of the game that a line announces, as in "game First flight"
// and "For game “First flight”:".
func GameNamed(line string) (name string, ok bool) {
	if len(line) > MaxLine || isMarked(line) || Barred(line) {
		return "", false
	}
	look(len(line))
	rest := line[bullets(line):]
	for range maxCourtesy {
		word, after := cutWord(rest)
		word = Key(word)
		if word == "game" {
			name = strings.Trim(after, " \t#:：,.;()[]<>\"'`*_“”„‘’«»")
			return name, name != ""
		}
		if !around[word] && !announces[word] {
			break
		}
		rest = after
	}
	return "", false
}

// heading cuts off the announcement of a turn, "My turn:", which is not a step although
// "turn" is a verb. The rest may be empty.
func heading(line string) (rest string, ok bool) {
	if len(line) > MaxLine {
		return line, false
	}
	look(len(line))
	head, rest, colon := strings.Cut(strings.Replace(line[opening(line):], "：", ":", 1), ":")
	ws := wordsIn(Key(head))
	if len(ws) == 0 || len(ws) > maxCourtesy {
		return line, false
	}
	named := false
	for i, w := range ws {
		number := strings.Trim(w, "0123456789") == ""
		if named = named || announces[w]; !announces[w] && !around[w] && !(number && colon) || number && i == 0 {
			return line, false
		}
	}
	// One verb may begin a step: "turn gray 2", "move: c4 to b5".
	verb := len(ws) == 1 && ws[0] != "orders" && ws[0] != "moves"
	if !named || verb && (!colon || trim(rest) != "") || !colon && len(ws) > 1 && !around[ws[0]] {
		return line, false
	}
	return rest, true
}

var (
	announces = words("turn move moves orders order round")
	around    = words("my our the here is are comes for next this of and number no nr in game now s")
)
