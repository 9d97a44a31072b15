package letter

import (
	"slices"
	"testing"

	"angelpost/engine/incoming"
)

// What mobile programs put below a letter is not an order, and keeps none from being read.
func TestMobileFooters(t *testing.T) {
	for _, s := range []string{
		"Von Yahoo Mail auf Android gesendet", "Von Yahoo Mail für iPhone gesendet", "Envoyé depuis Yahoo Mail pour Android", "Enviado desde Yahoo Mail para Android", "Inviato da Yahoo Mail su Android", "Sent from Yahoo Mail on Android",
		"(sent from my phone)", "(sent from a mobile device, please excuse typos)", "Verzonden vanuit Outlook voor Android", "Get Outlook for Android", "Outlook für Android beziehen", "Télécharger Outlook pour iOS",
		"Gesendet mit der GMX Mail App", "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.", "Sent with Proton Mail secure email.", "Skickat från min iPhone", "Отправлено из мобильной Почты", "iPhoneから送信", "发自我的iPhone", "나의 iPhone에서 보냄", "Надіслано з мобільного телефону", "Wysłano z telefonu mobilnego", "Von meinem Handy gesendet", "Enviado desde mi móvil Android", "从我的手机发送",
	} {
		l := Read([]byte(head("foot", "")+part1(utf8Plain, "", lines(half...)+"\n"+s+"\n")), Options{})
		if !slices.Equal(l.Orders, half) || !slices.Contains(l.Dropped, Dropped{s, Footer}) {
			t.Errorf("%q: orders %q, dropped %q", s, l.Orders, l.Dropped)
		}
	}
}

// French labels have a blank before the colon, and some programs none behind it.
func TestLabelsWithBlanks(t *testing.T) {
	text := lines(half...) + "\nDe : Bob <bob@example.org>\nEnvoyé : samedi 21 novembre 2026 08:12\nÀ : Anna Berg <anna@example.org>\nObjet :La longue route\n\ncard 027 at row 1\ndie orange 1 secure\n"
	if l := Read([]byte(head("fr", "")+part1(utf8Plain, "", text)), Options{}); !slices.Equal(l.Orders, half) {
		t.Errorf("orders %q", l.Orders)
	}
}

// Daemons without an address, and letters that offer to unsubscribe with a click, are not
// persons.
func TestDaemonsWithoutAddress(t *testing.T) {
	for _, fields := range [][]string{
		{"Return-Path: <>", "From: MAILER-DAEMON", "Subject: Returned mail: see transcript for details"},
		{"Return-Path: <MAILER-DAEMON>", "From: MAILER-DAEMON (Mail Delivery System)", "Subject: Undelivered Mail Returned to Sender"},
	} {
		l := Read(mailOf("I could not reach <bob@example.org>.\n550 5.1.1 no such user\n", fields...), Options{})
		if l.Kind != incoming.Bounced || l.Answer || len(l.Bounces) != 1 || l.Bounces[0].Address != "bob@example.org" {
			t.Errorf("%q: %s %s, %+v", fields, l.Kind, l.Reason, l.Bounces)
		}
	}
	l := Read(mailOf("status\n", fromAnna, "List-Unsubscribe: <https://news.example/u>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"), Options{})
	if l.Kind != incoming.List || l.Answer {
		t.Errorf("one click: %s", l.Kind)
	}
}
