package order_test

import (
	"strings"
	"testing"

	"angelpost/engine/order"
)

// hedgesAbroad are sentences that do not give the order at §, and after the bar some that
// announce it, by language.
var hedgesAbroad = map[string]string{
	"de": "Vielleicht spiele ich / §; Ich denke darüber nach, / §; Was wäre, wenn ich / §; Soll ich / § / nehmen?; Ich nehme nicht / §; § / falls Beta passt | Hier mein Zug / §; Ich möchte spielen: / §; Hallo Anna, hier kommt mein Zug / §",
	"fr": "Peut-être que je joue / §; Je pense à jouer / §; Et si je jouais / §; Je ne joue pas / §; § / si Beta passe | Voici mon tour / §; Je joue / §; Bonjour, mes ordres du jour / §",
	"es": "Quizás juegue / §; Estoy pensando en / §; ¿Y si juego / §; No juego / §; Tal vez / §; § / si Beta pasa | Aquí va mi turno / §; Juego esta vez / §",
	"pt": "Talvez eu jogue / §; Estou pensando em / §; E se eu jogar / §; Não jogo / §; § / se Beta passar | Aqui vai a minha jogada / §; Minhas ordens / §",
	"it": "Forse gioco / §; Sto pensando di giocare / §; E se giocassi / §; Non gioco / §; § / se Beta passa | Ecco il mio turno / §; Gioco così / §",
	"pl": "Może zagram / §; Zastanawiam się nad / §; A co jeśli zagram / §; Nie gram / §; § / jeśli Beta spasuje | Oto mój ruch / §; Gram tak / §",
	"nl": "Misschien speel ik / §; Ik denk aan / §; Wat als ik / §; Ik speel niet / §; § / als Beta past | Dit is mijn beurt / §; Hier zijn mijn zetten / §",
	"sv": "Kanske spelar jag / §; Jag funderar på / §; Tänk om jag skulle ta / §; Jag tar inte / §; § / ifall Beta passar | Här är mitt drag / §; Mina order / §",
	"no": "Kanskje spiller jeg / §; Jeg vurderer / §; Hva hvis jeg tar / §; Jeg tar ikke / §; § / hvis Beta passer | Her er trekket mitt / §; Mine ordre / §",
	"da": "Måske spiller jeg / §; Jeg overvejer / §; Hvad hvis jeg tager / §; Jeg tager ikke / §; § / hvis Beta passer | Her er mit træk / §; Mine ordrer / §",
	"fi": "Ehkä pelaan / §; Harkitsen / §; Entä jos pelaan / §; En pelaa / §; § / jos Beta passaa | Tässä siirtoni / §; Pelaan näin / §",
	"cs": "Možná zahraju / §; Přemýšlím o / §; Co kdybych zahrál: bylo by lepší / §; Raději ne / §; § / pokud Beta vynechá | Tady je můj tah / §; Hraju takto / §",
	"sk": "Možno zahrám / §; Uvažujem o / §; Čo keby som zahral / §; Radšej nie / §; § / ak Beta vynechá | Tu je môj ťah / §; Hrám takto / §",
	"hu": "Talán ezt játszom / §; Gondolkodom, hogy / §; Mi lenne, ha játszanék / §; Nem játszom / §; § / hacsak Beta nem passzol | Itt a lépésem / §; Ezt játszom / §",
	"ro": "Poate joc / §; Mă gândesc la / §; Ce-ar fi dacă joc / §; Nu joc / §; § / dacă Beta pasează | Iată mutarea mea / §; Joc astfel / §",
	"el": "Ίσως παίξω / §; Σκέφτομαι να παίξω / §; Κι αν παίξω / §; Δεν παίζω / §; § / αν ο Beta πάει πάσο | Ορίστε η σειρά μου: / §; Παίζω έτσι / §",
	"ru": "Может быть, сыграю / §; Я думаю о / §; А что если / §; Не играю / §; § / если Beta спасует | Вот мой ход / §; Играю так / §",
	"uk": "Можливо, зіграю / §; Я роздумую про / §; А що якщо / §; Не граю / §; § / якщо Beta спасує | Ось мій хід / §; Граю так / §",
	"tr": "Belki oynarım / §; Düşünüyorum / §; Eğer oynarsam / §; Oynamak yerine / §; § / eğer Beta pas derse | İşte hamlem / §; Böyle oynuyorum / §",
	"ar": "ربما ألعب / §; أفكر في / §; ماذا لو لعبت / §; لن ألعب / §; § / إذا مرر Beta | هذا دوري / §; ألعب هكذا / §",
	"he": "אולי אשחק / §; אני חושב על / §; מה אם אשחק / §; לא משחק / §; § / אם Beta יעבור | הנה התור שלי / §; אני משחק כך / §",
	"ja": "もしかしたら / §; これを考えています / §; もしこうしたら / §; これはしません / §; § / かもしれない | 私の手番です / §; お待たせしてすみません / §; 以下のとおりプレイします / §",
	"zh": "也许我出 / §; 我在考虑 / §; 如果我出 / §; 我不出 / §; § / 如果可以的话 | 我的回合 / §; 不好意思，让大家久等了 / §; 我这样出 / §",
	"ko": "아마 이렇게 / §; 생각 중입니다 / §; 만약 이렇게 하면 / §; 하지 않습니다 / §; § / 아니면 기다릴게요 | 제 차례입니다 / §; 안녕하세요, 제 차례입니다 / §; 이렇게 합니다 / §",
}

// In every language of the letter reader an order whose sentence doubts, supposes or rules
// it out is not played, and one that is announced is.
func TestHedgesInEveryLanguage(t *testing.T) {
	for lang, both := range hedgesAbroad {
		hedged, plain, _ := strings.Cut(both, "|")
		for i, sentences := range []string{hedged, plain} {
			for _, s := range strings.Split(sentences, ";") {
				for _, o := range []string{"card 13 at row 2", "die orange 2"} {
					text := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(s), " / ", "\n"), "§", o)
					got := played(order.ReadLetter(strings.Split(text, "\n"), "Anna"))
					if len(got) != i {
						t.Errorf("%s: plays %q of %q", lang, got, text)
					}
				}
			}
		}
	}
	if n := len(hedgesAbroad); n != len(order.HedgeLanguages())+3 {
		t.Errorf("%d languages", n)
	}
}
