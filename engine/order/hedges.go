package order

import "strings"

// Hedges in the languages that the letter reader knows. Orders are English, but the
// sentence around them is the writer's: "vielleicht", "je pense à", "и если". A word
// belongs here if a sentence with it does not give the order that follows: negations,
// questions, conditions, doubt, wishes and alternatives. Words that orders or English
// prose have in another sense are left out ("of", "men", "o").
var hedgesByLanguage = map[string]string{
	"de": "nicht nie niemals kein keine keinen ohne lieber eher statt anstatt vielleicht eventuell evtl moglicherweise wahrscheinlich womoglich wenn falls sofern ob obwohl oder entweder sonst konnte konnten konntest wurde wurden wurdest sollte sollten soll darf durfte hatte ware waren uberlege uberlegen uberlegte denke dachte glaube meine wunschte angenommen warum wieso spater morgen gestern bevor nachdem sobald solange bis aber sie ihr dein deine",
	"fr": "pas jamais sans plutot peut eventuellement probablement si sauf sinon ou soit quand lorsque avant apres jusqu pourrais pourrait devrais devrait faudrait aurais serait serais etait avais avait pense pensais songe reflechis envisage hesite suppose supposons imagine imaginons croyais pourquoi demain mais elle ils elles vous",
	"es": "nunca sin quizas quiza talvez acaso posiblemente probablemente si salvo sino cuando antes despues hasta podria podrias deberia deberias habria seria fuera hubiera pienso pensaba pensando considero dudo supongo supongamos imagina imagino creia creo ojala porque manana ayer pero ustedes ellos ellas usted",
	"pt": "nao nunca sem talvez quica possivelmente provavelmente se salvo senao ou quando antes depois poderia deveria seria fosse tivesse penso pensava pensando estou considero duvido suponho suponhamos imagine imagino achava acho tomara porque amanha ontem mas eles elas voce voces",
	"it": "non mai senza piuttosto forse magari eventualmente probabilmente possibilmente se salvo altrimenti oppure quando prima dopo finche potrei potrebbe dovrei dovrebbe sarebbe avrei fossi avessi penso pensavo pensando considero dubito suppongo supponiamo immagina immaginiamo credevo credo perche domani ieri lui loro voi",
	"pl": "nie nigdy bez raczej moze chyba ewentualnie prawdopodobnie jesli jezeli gdyby gdy kiedy czy albo lub inaczej zanim zaraz poki moglbym moglabym mogl mogla powinienem powinnam bylbym byloby mysle myslalem myslalam zastanawiam rozwazam zalozmy przypuscmy wyobraz dlaczego czemu jutro wczoraj ale ona oni ty wy",
	"nl": "niet nooit geen zonder liever eerder misschien eventueel wellicht waarschijnlijk mogelijk als indien tenzij anders hetzij wanneer voordat nadat totdat kon kunnen zou zouden moet moeten mag denk dacht denken overweeg overwegen twijfel stel veronderstel waarom hoe morgen gisteren maar hij zij jij jullie",
	"sv": "inte aldrig utan hellre kanske eventuellt troligen mojligen ifall savida annars eller antingen nar innan efter tills kunde skulle borde far ville vore hade tanker tankte funderar overvager antag anta tror trodde varfor imorgon igar han hon",
	"no": "ikke aldri uten heller kanskje eventuelt muligens trolig hvis dersom ellers eller enten nar for etter inntil kunne skulle burde ville hadde tenker tenkte vurderer lurer anta tror trodde hvorfor hvordan imorgen igar han dere",
	"da": "ikke aldrig uden hellere maske eventuelt muligvis sandsynligvis hvis medmindre ellers eller enten nar inden efter indtil kunne skulle burde ville havde taenker taenkte overvejer antag antage tror troede hvorfor hvordan imorgen igar han",
	"fi": "en ei et emme ala ilman mieluummin ehka kenties mahdollisesti luultavasti jos ellei mikali muuten tai joko kun ennen jalkeen kunnes voisin voisi pitaisi pitaisiko olisi olisin ajattelin mietin harkitsen pohdin oletetaan luulin miksi miten huomenna eilen mutta han sina",
	"cs": "ne neni nikdy bez radeji spise snad mozna asi pripadne pravdepodobne jestli jestlize pokud kdyby kdyz zda nebo anebo jinak nez mohl mohla bych bychom mel mela bylo byl byla myslim myslel myslela uvazuji premyslim zvazuji rekneme predpokladejme proc jak zitra vcera ale ona oni ty vy",
	"sk": "nie nikdy bez radsej skor snad mozno asi pripadne pravdepodobne ak keby ked alebo inak kym mohol mohla by mal mala bolo bol bola myslim myslel myslela uvazujem premyslam zvazujem povedzme predpokladajme preco ako zajtra vcera ale ona oni ty vy",
	"hu": "nem ne soha nelkul inkabb talan esetleg lehet valoszinuleg hacsak vagy kulonben mikor amikor mielott miutan amig lehetne kellene volna lenne gondolkodom gondoltam gondolom fontolgatom tegyuk fel miert hogyan holnap tegnap de",
	"ro": "nu niciodata fara mai degraba poate eventual probabil posibil daca altfel sau fie cand inainte dupa pana putea ar trebui vrea fi avea ma gandesc gandeam cred credeam presupun presupunem imagineaza de ce cum maine ieri dar ea ei voi",
	"el": "δεν μην ποτέ χωρίς μάλλον ίσως μπορεί πιθανόν ενδεχομένως αν εάν εκτός αλλιώς είτε όταν πριν αφού μέχρι μπορούσα έπρεπε ήταν είχα σκέφτομαι σκέφτηκα νομίζω υποθέτω υποθέσουμε γιατί πώς αύριο χθες αλλά αυτός αυτή εσύ εσείς",
	"ru": "не нет никогда без лучше может можно возможно наверное вероятно если бы когда ли или либо иначе пока прежде после до мог могла стоит думаю думал думала подумываю раздумываю размышляю сомневаюсь допустим предположим представим почему зачем как завтра вчера но он она они ты вы",
	"uk": "не ні ніколи без краще може можна можливо мабуть імовірно якщо якби коли чи або інакше поки перш після до міг могла варто думаю думав думала роздумую розмірковую сумніваюсь припустимо уявімо чому навіщо як завтра вчора але він вона вони ти ви",
	"tr": "degil asla olmadan yerine belki muhtemelen olabilir eger ya yahut veya yoksa aksi once sonra kadar olsa olurdu dusunuyorum dusundum dusunmekteyim acaba varsayalim diyelim neden nasil yarin dun ama o siz sen",
	"ar": "لا لن لم ليس بدون ربما قد لعل محتمل اذا إذا لو إن ان أو او إما اما عندما قبل بعد حتى يمكن يمكنني كان كنت أفكر افكر فكرت أظن اظن لنفترض افترض هل لماذا كيف غدا أمس لكن هو هي أنت",
	"he": "לא אף בלי אולי ייתכן יתכן כנראה אם אלא או כאשר כש לפני אחרי עד הייתי היה יכול יכולה צריך רציתי חושב חושבת חשבתי שוקל שוקלת נניח האם למה מדוע איך מחר אתמול אבל הוא היא אתה את",
}

// hedgeParts are hedges in languages that do not put blanks between words, or join
// particles to them.
var hedgeParts = wordsIn(`かも 多分 たぶん もし なら たら れば ない ません べき でしょうか だろう と思 考えて 迷って 検討 つもりだった 仮に どう か？ か?
	也许 或许 可能 大概 如果 要是 假如 不 没 还是 或者 考虑 在想 想想 是否 应该 该不该 吗 明天 昨天 本来 也許 或許 要不要 沒 還是 應該
	아마 혹시 만약 다면 으면 라면 하면 않 못하 안합니다 지말 까? 까요 생각중 고민 또는 아니면 내일 어제`)

// hedgePairs are hedges of two words, each of which is harmless in some language.
var hedgePairs = map[string]bool{"tal vez": true, "en pelaa": true, "en ota": true, "en halua": true, "en voi": true, "en aio": true, "en ole": true, "en siirra": true, "en tieda": true}

var foreignHedges = func() map[string]bool {
	all := map[string]bool{}
	for _, ws := range hedgesByLanguage {
		for _, w := range wordsIn(Key(ws)) {
			if !spelled(w) && !foreignPlain[w] {
				all[w] = true
			}
		}
	}
	return all
}()

// foreignPlain are words of the table that English prose around orders has, too.
var foreignPlain = words("en et ona ale as far for fi ma mal meine if o a ar de mai cum kun ya come")

// hedgedAbroad reports whether a line of prose has a hedge of another language.
func hedgedAbroad(line string) bool {
	key := contracted(line)
	ws := wordsIn(key)
	for i, w := range ws {
		if foreignHedges[w] || i > 0 && hedgePairs[ws[i-1]+" "+w] {
			return true
		}
	}
	if strings.IndexFunc(line, func(r rune) bool { return r >= 0x3040 && r <= 0xd7a3 }) < 0 {
		return false
	}
	line = asian.Replace(line)
	for _, part := range hedgeParts {
		if look(len(line)); strings.Contains(line, part) {
			return true
		}
	}
	return false
}

// asian takes blanks out of a line, and courtesies that look like negations.
var asian = strings.NewReplacer(" ", "", "\u3000", "", "すみません", "", "済みません", "", "不好意思", "", "没问题", "", "沒問題", "", "没关系", "", "不过", "", "不客气", "")
