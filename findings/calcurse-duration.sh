#!/bin/sh
# calcurse does not import an event that lasts no time, though RFC 5545 has nothing against it.
#
# Seen on 27 November 2026 with calcurse 4.7.1-1 of Debian 12: `calcurse -i` skips a VEVENT with
# DURATION:PT0S, with DURATION:P0D, and with a DTEND that is DTSTART, and its log says "invalid
# duration" or the like. It imports the same event without DURATION, and with DURATION:PT1S.
# RFC 5545 section 3.3.6 allows a duration of 0, and section 3.6.1 says that an event without one
# ends when it begins. So no calendar can say "no time" so that both calcurse, which refuses it, and
# khal 0.10.5, which takes an event without DURATION for an hour long, show it: a second does.
#
# Prints what calcurse reports; ends with 1 if that is something else.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq calcurse=4.7.1-1 >/dev/null 2>&1
dpkg -x calcurse_*.deb .
wrong=0
try() { # name, line of the event, what calcurse counts
  printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:a@example.org\r\nDTSTAMP:20270115T120000Z\r\nDTSTART:20270117T140000Z\r\n%sSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n' "$2" >"$1.ics"
  said=$(TMPDIR=$dir HOME=$dir usr/bin/calcurse -D "$dir/$1" -i "$1.ics" </dev/null 2>&1 | tail -1)
  echo "$1: $said"
  case $said in *"$3"*) ;; *) wrong=1 ;; esac
}
cr=$(printf '\r\n_'); cr=${cr%_}
try none '' '1 app / 0 events / 0 todos / 0 skipped'
try PT1S "DURATION:PT1S$cr" '1 app / 0 events / 0 todos / 0 skipped'
try PT0S "DURATION:PT0S$cr" '0 apps / 0 events / 0 todos / 1 skipped'
try P0D "DURATION:P0D$cr" '0 apps / 0 events / 0 todos / 1 skipped'
try DTEND "DTEND:20270117T140000Z$cr" '0 apps / 0 events / 0 todos / 1 skipped'
exit $wrong
