package letter

import (
	"strings"
	"testing"
)

// cards are what people put below their orders; {closing}, {title} and {phone} are in
// the letter's language.
var cards = map[string]string{
	"name only":        "\nAnna\n",
	"dash name":        "\n-Anna\n",
	"dashes":           "-- \nAnna Berg\n{title}\n",
	"bare dashes":      "--\nAnna Berg\n{title}\n+49 170 1234567\n",
	"closing":          "\n{closing}\nAnna\n",
	"tight closing":    "{closing}\nAnna\n",
	"business card":    "\n{closing}\n\nAnna Berg\n{title}\n\nBerg & Sons Ltd.\nHauptstr. 12, 10115 Berlin\nT +49 30 1234567 | M +49 170 1234567\nanna.berg@example.org\nwww.example.org\n",
	"card and figures": "\n{closing}\nAnna Berg, PhD\nRoom 4.12, Building 7\nTel.: 030/123 45 67\nFax: 030/123 45 68\nVAT ID DE123456789\n",
	"disclaimer":       "\n{closing}\nAnna Berg\n\nThis e-mail may contain confidential information intended only for the named recipient. If you are not the intended recipient, please delete it.\n",
	"app":              "\n{closing}\nAnna\n\n{iphone}\n",
	"app alone":        "\n{iphone}\n",
	"outlook":          "\n{outlook}<https://aka.ms/o0ukef>\n",
	"windows":          "\n{windows}\n",
	"saying":           "-- \nAnna Berg\n\"The best die is the orange one.\" (Hal)\n",
	"list":             "\n{closing}\nAnna\n_______________________________________________\nBoardgames mailing list\nBoardgames@lists.example.org\nhttps://lists.example.org/boardgames\n",
	"group":            "\nAnna\n\n--\nYou received this message because you are subscribed to the Google Groups \"Games\" group.\nTo unsubscribe from this group and stop receiving emails from it, send an email to games+unsubscribe@googlegroups.example.\n",
	"glyph":            "\nᐧ\n",
	"parentheses":      "\n(sent from my phone)\n",
	"virus":            "\n\n{closing}\nAnna\n\n---\nThis email has been checked for viruses by Avast antivirus software.\nwww.avast.com\n",
	"long rule":        "\n{closing}\nAnna Berg\n________________________________\nBerg & Sons Ltd., Registered in England 1234567\nPlease consider the environment before printing this e-mail.\n",
}

// Orders with a signature below are understood exactly, whatever its language, above
// a quoted notice and alone, the notice known or not.
func TestSigned(t *testing.T) {
	notice := NewNotice(readFile(t, "testdata/notice.txt"))
	plain, _ := noticeParts(t)
	quote := "\n" + programs[0].intro(tongues[0], quoted{"Angelpost", server, "Anna Berg <anna@example.org>", "The Long Way Home"}) + prefix("> ", strings.Join(plain[:], ""))
	missed := 0
	for _, g := range tongues {
		for name, card := range cards {
			card = strings.NewReplacer("{closing}", g.closing, "{title}", g.title, "{iphone}", g.iphone, "{outlook}", g.outlook, "{windows}", g.window).Replace(card)
			for _, below := range []string{"", quote} {
				raw := head("z", "") + part1(utf8Plain, "quoted-printable", lines(turn...)+card+below)
				for _, n := range []*Notice{notice, nil} {
					if o, said := understood(raw, turn, n); o != exact {
						if missed++; missed < 40 {
							t.Errorf("%s, %s, quoted %v, known %v: outcome %d: %s", g.code, name, below != "", n != nil, o, said)
						}
					}
				}
			}
		}
	}
	if missed > 0 {
		t.Errorf("%d readings are not exact", missed)
	}
}
