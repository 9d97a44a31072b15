package letter

import "strings"

// What tells a machine's letter from a person's, if it has none of the standard's fields
// (RFC 3834): the subjects that mail servers and programs give theirs, and the fields that
// ticket systems and challenges to senders have. Subjects count only at their beginning,
// after "Re:" and a tag in brackets; a person who answers our letter keeps our subject.

// autoSubjects are the beginnings of the subjects of automatic replies, by language: those of
// Exchange, Gmail and the common vacation programs. No data set in reach has them.
var autoSubjects = map[string][]string{
	"en": {"automatic reply", "auto reply", "auto-reply", "autoreply", "auto response", "auto-response", "autoresponse", "autoresponder", "automated reply", "automated response", "automatic response", "vacation reply", "out of office reply", "out of office message", "out of office notification", "out of office response", "out of office autoreply", "out of office auto-reply", "out-of-office reply"},
	"fr": {"réponse automatique", "message d'absence"},
	"de": {"automatische antwort", "automatische rückantwort", "abwesenheitsnotiz", "abwesenheitsnachricht", "urlaubsnotiz"},
	"es": {"respuesta automática", "respuesta automatica", "autorespuesta"},
	"pt": {"resposta automática", "resposta automatica"},
	"it": {"risposta automatica"},
	"pl": {"odpowiedź automatyczna", "automatyczna odpowiedź", "autoodpowiedź"},
	"nl": {"automatisch antwoord", "afwezigheidsbericht"},
	"sv": {"autosvar", "automatiskt svar"},
	"no": {"automatisk svar", "fraværsmelding"},
	"da": {"automatisk svar", "autosvar", "fraværsbesked"},
	"fi": {"automaattinen vastaus", "poissaoloilmoitus"},
	"cs": {"automatická odpověď"},
	"sk": {"automatická odpoveď"},
	"hu": {"automatikus válasz"},
	"ro": {"răspuns automat", "raspuns automat"},
	"el": {"αυτόματη απάντηση"},
	"ru": {"автоматический ответ", "автоответ", "автоответчик"},
	"uk": {"автоматична відповідь", "автовідповідь"},
	"tr": {"otomatik yanıt", "otomatik cevap"},
	"ar": {"رد تلقائي", "الرد التلقائي"},
	"he": {"תשובה אוטומטית", "מענה אוטומטי", "הודעת היעדרות"},
	"ja": {"自動応答", "自動返信", "不在通知"},
	"zh": {"自动答复", "自动回复", "自動回覆", "自動答覆"},
	"ko": {"자동 회신", "자동회신", "자동 응답"},
}

// awaySubjects are the beginnings of subjects that these programs give their letters, and
// people who are away theirs: such a letter is a machine's if it answers one and says
// nothing that a player would (Options.Says).
var awaySubjects = map[string][]string{
	"en": {"out of office", "out of the office", "out-of-office", "ooo:", "away from the office", "away from my mail", "on vacation", "on holiday", "vacation:", "i am away", "i'm away", "i am out of", "i'm out of", "i am on leave", "on annual leave", "on leave:"},
	"fr": {"absent du bureau", "absence du bureau", "absence:", "absence :", "en congé", "en vacances"},
	"de": {"abwesenheit", "abwesend:", "nicht im büro", "außer haus", "im urlaub"},
	"es": {"fuera de la oficina", "fuera de oficina", "ausencia:", "de vacaciones"},
	"pt": {"fora do escritório", "ausência temporária", "ausente do escritório", "de férias"},
	"it": {"fuori sede", "fuori ufficio", "assente dall'ufficio", "assenza:", "in ferie"},
	"pl": {"poza biurem", "nieobecność", "nieobecnosc", "na urlopie"},
	"nl": {"afwezig:", "niet op kantoor", "afwezig wegens", "met vakantie"},
	"sv": {"frånvaro", "frånvarande", "ej på kontoret", "inte på kontoret", "på semester"},
	"no": {"ikke på kontoret", "fraværende", "borte fra kontoret"},
	"da": {"ikke til stede", "ikke på kontoret", "på ferie"},
	"fi": {"poissa:", "poissa toimistosta", "lomalla"},
	"cs": {"mimo kancelář", "nepřítomnost", "nejsem v kanceláři", "na dovolené"},
	"sk": {"mimo kancelárie", "neprítomnosť", "nie som v kancelárii", "na dovolenke"},
	"hu": {"házon kívül", "irodán kívül", "szabadságon"},
	"ro": {"absent din birou", "în afara biroului", "în concediu"},
	"el": {"εκτός γραφείου", "απουσία"},
	"ru": {"нет на месте", "вне офиса", "в отпуске", "отсутствие на рабочем месте"},
	"uk": {"немає на місці", "поза офісом", "у відпустці"},
	"tr": {"ofis dışında", "ofis dışındayım", "izindeyim"},
	"ar": {"خارج المكتب"},
	"he": {"מחוץ למשרד"},
	"ja": {"不在"},
	"zh": {"外出"},
	"ko": {"부재중", "부재 중"},
}

// bounceSubjects are the beginnings of the subjects of letters about one that was not
// delivered, by language.
var bounceSubjects = map[string][]string{
	"en": {"undelivered mail", "undeliverable", "undelivered message", "undelivered:", "nondeliverable", "non-deliverable", "non delivery", "non-delivery", "delivery status notification", "delivery failure", "delivery failed", "delivery error", "delivery report", "delivery delayed", "delivery has failed", "delivery notification", "delivery problem", "returned mail", "returned message", "returned to sender", "mail returned", "mail delivery", "mail system error", "mail error", "mail could not be delivered", "failure notice", "failure delivery", "failed delivery", "failed mail", "message delivery", "message status", "message undeliverable", "message you sent blocked", "mail undeliverable", "unable to deliver", "could not deliver", "user unknown", "warning: could not send", "warning: message", "warning: mail", "email delivery", "your message could not be delivered", "your message wasn't delivered", "address not found", "permanent delivery failure", "report:"},
	"fr": {"non remis", "non distribuable", "échec de la remise", "échec de remise", "message non délivré", "rapport de non-remise"},
	"de": {"unzustellbar", "nicht zustellbar", "unzustellbarkeitsbericht", "zustellung fehlgeschlagen", "zustellbericht", "e-mail konnte nicht zugestellt werden"},
	"es": {"no se puede entregar", "no entregado", "no se pudo entregar", "mensaje no entregado"},
	"pt": {"não entregue", "não é possível entregar", "falha na entrega"},
	"it": {"non recapitabile", "mancato recapito", "messaggio non recapitato", "non è possibile recapitare"},
	"pl": {"niedostarczalne", "niedostarczalny", "nie można dostarczyć", "niedostarczona"},
	"nl": {"onbestelbaar", "niet bezorgd", "kan niet worden bezorgd"},
	"sv": {"går inte att leverera", "kan inte levereras", "olevererbart", "ej levererat"},
	"no": {"kan ikke leveres", "ikke levert", "kunne ikke leveres"},
	"da": {"kan ikke leveres", "ikke leveret", "kunne ikke leveres"},
	"fi": {"toimittaminen epäonnistui", "ei voitu toimittaa", "toimittamaton"},
	"cs": {"nedoručitelné", "nelze doručit", "nedoručeno"},
	"sk": {"nedoručiteľné", "nedá sa doručiť", "nedoručené"},
	"hu": {"kézbesíthetetlen", "nem kézbesíthető", "sikertelen kézbesítés"},
	"ro": {"nelivrabil", "nu s-a putut livra", "imposibil de livrat"},
	"el": {"δεν είναι δυνατή η παράδοση", "αδυναμία παράδοσης", "μη παραδοτέο"},
	"ru": {"недоставлено", "не удается доставить", "недоставленное сообщение", "не доставлено"},
	"uk": {"не вдалося доставити", "недоставлено", "не доставлено"},
	"tr": {"teslim edilemedi", "teslim edilemeyen"},
	"ar": {"تعذر التسليم", "غير قابل للتسليم"},
	"he": {"לא ניתן למסירה", "לא ניתן למסור"},
	"ja": {"配信不能", "配信できませんでした", "送信できませんでした", "未達"},
	"zh": {"无法送达", "未送达", "邮件退回", "系统退信", "無法傳遞", "退信"},
	"ko": {"배달되지 않음", "배달 못함", "전송 실패"},
}

// challenges are the beginnings of the subjects of letters that ask senders to prove that they
// are people; tickets those of the first answers of ticket systems.
var (
	challenges = []string{"your email requires verification", "your e-mail requires verification", "please confirm your message", "please confirm your email", "please verify your", "confirm your email to", "sender verification", "sender confirmation", "anti-spam", "verify your email to", "message awaiting confirmation", "action required: confirm your email"}
	tickets    = []string{"ticket received", "ticket created", "new ticket", "your ticket", "your request has been received", "request received", "we received your request", "we have received your", "case created", "thank you for contacting"}
)

var (
	autoSubject   = begins(autoSubjects)
	awaySubject   = begins(awaySubjects)
	bounceSubject = begins(bounceSubjects)
	challenge     = begins(map[string][]string{"en": challenges})
	ticket        = begins(map[string][]string{"en": tickets})
	ticketTag     = compile(`(?i)^(re: *)?\[?(ticket|case|request|support|vorgang|incident|helpdesk)( ?(id|nr\.?|no\.?|number))? ?[:#-] ?#?[a-z0-9-]*[0-9]{3}|^(re: *)?\[[a-z0-9. -]+ #[0-9]+\]|^\[#[a-z0-9-]*[0-9]{3,}\]|verify#`)
)

// subjectOf returns the part of a subject that we examine: what machines say is at its
// beginning.
func subjectOf(h header) string { return first(decodeWords(h.get("subject")), maxField) }

// begins matches subjects that begin with one of the texts.
func begins(table map[string][]string) matcher {
	var all []string
	for _, texts := range table {
		for _, t := range texts {
			all = append(all, literal(t))
		}
	}
	return compile(`(?i)^\W{0,3}(?:(?:re|aw|sv|vs|tr|antw?): *)?(?:\[[^\[\]]{1,40}\] *|\*{2,5}[a-z ]{1,10}\*{2,5} *)?(?:` + strings.Join(all, "|") + `)`)
}

// machineFields are fields that only machines write, with the values that count ("" any).
var machineFields = []struct{ name, value, is string }{
	{"x-apple-action", "vacation", "X-Apple-Action"},
	{"x-boxtrapper", "", "a challenge to senders"},
	{"x-choicemail-registration-request", "", "a challenge to senders"},
	{"x-rt-loop-prevention", "", "a ticket system"},
	{"rt-ticket", "", "a ticket system"},
	{"x-otrs-loop", "", "a ticket system"},
	{"x-powered-by-otrs", "", "a ticket system"},
	{"x-znuny-loop", "", "a ticket system"},
	{"x-zendesk-from-account-id", "", "a ticket system"},
	{"x-jira-fingerprint", "", "a ticket system"},
	{"x-redmine-host", "", "a ticket system"},
	{"x-gitlab-project", "", "a ticket system"},
	{"x-github-reason", "", "a ticket system"},
	{"x-bugzilla-reason", "", "a ticket system"},
}

// machineMade returns what betrays a machine's letter without the standard's fields, or "".
func machineMade(h header) string {
	for _, f := range machineFields {
		if v := keyword(h.get(f.name)); h.has(f.name) && (f.value == "" || v == f.value) {
			return f.is
		}
	}
	subject := subjectOf(h)
	switch {
	case autoSubject.in(subject):
		return "the subject of an automatic reply"
	case challenge.in(subject):
		return "a challenge to senders"
	case ticket.in(subject), ticketTag.in(subject):
		return "a ticket system"
	}
	return ""
}

// awayNotice returns what makes a letter an out-of-office notice unless it has orders, or
// "": its subject, and that it answers a letter or quotes a subject.
func awayNotice(h header) string {
	s := subjectOf(h)
	if awaySubject.in(s) && (h.has("in-reply-to", "references") || strings.ContainsAny(s, ":：")) {
		return "the subject of an out-of-office notice, and no orders"
	}
	return ""
}
