package letter

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// richly is an HTML letter, alone and next to a plain text of all its words.
func richly(t *testing.T, style, body string) map[string]*Letter {
	t.Helper()
	notice := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")), ShownText(readFile(t, "testdata/notice.html")))
	o := Options{Notice: notice, Says: order.Says}
	html := "<html><head><style>" + style + "</style></head><body>" + body + "</body></html>"
	root, _ := parseHTML("<body>" + body)
	w := walker{all: true}
	w.kids(root, within{})
	w.flush()
	return map[string]*Letter{
		"HTML":          Read(mailOf(html, fromAnna, "Content-Type: text/html; charset=utf-8"), o),
		"text and HTML": Read([]byte("From: Anna Berg <anna@example.org>\n"+alternative(part1(utf8Plain, "quoted-printable", joined(w.lines)), part1(utf8HTML, "quoted-printable", html))), o),
	}
}

// What is struck through is not read as written, however it is struck; where a letter has two
// forms, the one with the stroke counts.
func TestStruckThrough(t *testing.T) {
	for _, tt := range []struct {
		style, body string
		text        []string // all that is left
		struck      []string
	}{
		{"", "<div>B</div><div><s>resign</s></div>", []string{"B"}, []string{"resign"}},
		{"", "<div>B</div><div><del>resign</del></div>", []string{"B"}, []string{"resign"}},
		{"", "<div>B</div><strike><div>resign</div><p>undo</p></strike>", []string{"B", "", ""}, []string{"resign", "undo"}},
		{"", "<div>die orange <s>1</s> 3</div>", []string{"die orange 3"}, nil},
		{"", "<div>die orange <del>1</del><ins>3</ins></div>", []string{"die orange 3"}, nil},
		{"", "<div>di<s>f</s>e orange 3</div>", []string{"die orange 3"}, nil},
		{"", `<div style="text-decoration:line-through">resign</div>B`, []string{"B"}, []string{"resign"}},
		{"", `<div style="TEXT-DECORATION: underline line-through red">resign</div>B`, []string{"B"}, []string{"resign"}},
		{"", `<div style="text-decoration-line: line-through"><span style="text-decoration:none"><b>resign</b></span></div>B`, []string{"B"}, []string{"resign"}},
		{"", `<div style="text-decoration:line-through">resign <span style="display:inline-block">B</span></div>`, []string{"B"}, nil},
		{"", `<p class=MsoNormal><s><span style="text-line-through:double">resign</span></s></p>B`, []string{"B"}, []string{"resign"}},
		{"", `<span style="text-decoration:line-through !important">resign</span><br>B`, []string{"B"}, []string{"resign"}},
		{"", `<s style="text-decoration:none">B</s>`, []string{"B"}, nil},
		{".gone { text-decoration: line-through }", "<p class=gone>resign</p>B", []string{"B"}, []string{"resign"}},
		{"<!-- p.x, span.gone, li {text-decoration-line:line-through} -->", "<span class='y gone'>resign</span><br>B", []string{"B"}, []string{"resign"}},
		{".a .Gone{color:red;text-decoration:line-through}", "<p class='a'><i class=gone>resign</i></p>B", []string{"B"}, []string{"resign"}},
		{"@media print { .gone {text-decoration:line-through} } .x{color:red}", "<p class=gone>status</p>B", []string{"status", "", "B"}, nil},
		{".gone{text-decoration:line-through}", "<p class=gone style='text-decoration:none'>status</p>B", []string{"status", "", "B"}, nil},
		{"", "<s>&nbsp;</s>B", []string{"B"}, nil},
		{"", "~~resign~~<br>die orange ~~1~~ 3", []string{"die orange 3"}, []string{"~~resign~~"}},
		{"", "r\u0336e\u0336s\u0336i\u0336g\u0336n\u0336<br>B", []string{"B"}, []string{"r\u0336e\u0336s\u0336i\u0336g\u0336n\u0336"}},
	} {
		for form, l := range richly(t, tt.style, tt.body) {
			text := slices.DeleteFunc(slices.Clone(l.Text), func(s string) bool { return s == "" })
			want := slices.DeleteFunc(slices.Clone(tt.text), func(s string) bool { return s == "" })
			if !slices.Equal(text, want) || !slices.Equal(l.Struck, tt.struck) {
				t.Errorf("%s, %s %s: %q, struck %q", form, tt.style, tt.body, l.Text, l.Struck)
			}
		}
	}
}

// What is kept of a letter keeps its strokes.
func TestCondensedStrokes(t *testing.T) {
	kept := Condense(mailOf("<div>die orange <s>1</s> 3</div><div><s>resign</s></div><div>B</div>", fromAnna, "Content-Type: text/html"), nil, "")
	if l := Read(kept, Options{Says: order.Says}); !slices.Equal(l.Text, []string{"die orange 3", "B"}) {
		t.Errorf("%q of\n%s", l.Text, kept)
	}
}

// A stroke within the quoted notice, or in the notice itself, keeps it from being read as
// little as any other.
func TestStrokesInTheNotice(t *testing.T) {
	html := readFile(t, "testdata/notice.html")
	notice := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(html))
	quoted := html[strings.Index(html, "<p style"):strings.Index(html, "</body>")]
	for name, body := range map[string]string{
		"unmarked":   "<div>B</div><div>" + quoted + "</div>",
		"Outlook":    `<div>B</div><div id="appendonsend"></div><div id="divRplyFwdMsg"><b>From:</b> Angelpost &lt;a@b&gt;<br><b>Sent:</b> Saturday<br><b>To:</b> Anna<br><b>Subject:</b> x</div>` + quoted,
		"blockquote": "<div>B</div><blockquote type=cite>" + quoted + "</blockquote>",
	} {
		for _, struck := range []string{strings.Replace(body, "</p>", "</p><s>", 1), strings.NewReplacer("<td", "<td style='text-decoration:line-through'", "<p", "<p style='text-decoration:line-through'").Replace(body), strings.ReplaceAll(body, "Resources", "<s>Resources</s>")} {
			l := Read(mailOf(struck, fromAnna, "Content-Type: text/html; charset=utf-8"), Options{Notice: notice, Says: order.Says})
			if !slices.Equal(l.Orders, []string{"B"}) || len(l.Struck) > 0 {
				t.Errorf("%s: %q, struck %q", name, l.Orders, l.Struck)
			}
		}
	}
	own := HTMLText("<p>You have <s>nine</s> ten Resources.</p><p><del>die gray 3 at your own risk</del></p>")
	for _, quoted := range []string{"You have nine ten Resources.\ndie gray 3 at your own risk", "> You have nine ten Resources.\n> die gray 3 at your own risk"} {
		if l := Read(mailOf("B\n\n"+quoted+"\n", fromAnna), Options{Notice: NewNotice(own), Says: order.Says}); !slices.Equal(l.Orders, []string{"B"}) {
			t.Errorf("%q", l.Orders)
		}
	}
}

// Invisible text is not read; about text in the colour of its ground we ask.
func TestUnseenText(t *testing.T) {
	for _, tt := range []struct {
		style, body string
		text        string
	}{
		{"", "B<div style='display:none'>resign</div>", "B"},
		{"", "B<div hidden>resign</div>", "B"},
		{"", "B<div style='mso-hide:all'>resign</div>", "B"},
		{"", "B<div style='font-size:0'>resign</div>", "B"},
		{"", "B<div style='font-size: 0px; line-height:0'><b>resign</b></div>", "B"},
		{"", "B<div style='font:0/0 a'>resign</div>", "B"},
		{"", "B<div style='visibility:hidden'>resign</div>", "B"},
		{"", "B<div style='max-height:0;overflow:hidden'>resign</div>", "B"},
		{".pre{display:none!important}", "B<div class=pre>resign</div>", "B"},
		{"", "<div style='font-size:0'><span style='font-size:14px'>B</span></div>", "B"},
		{"", "<div style='font-size:0.9em'>B</div>", "B"},
		{"", "<div style='visibility:hidden'><span style='visibility:visible'>B</span></div>", "B"},
		{"", "B<div style='color:#fff;background:#ffffff'>resign</div>", "B/?~ resign"},
		{"", "B<div style='background-color:white'><p style='color:rgb(255, 255, 255)'>resign</p></div>", "B//?~ resign/"},
		{"", "B<table bgcolor=#FEFEFE><tr><td><font color=white>resign</font></td></tr></table>", "B/?~ resign"},
		{".x{color:ivory} div{background:ivory}", "B<div class=x>resign</div>", "B/?~ resign"},
		{"", "B<div style='color:transparent'>resign</div>", "B/?~ resign"},
		{"", "B<div style='color:rgba(0,0,0,0)'>resign</div>", "B/?~ resign"},
		// A colour without a ground hides nothing: so do programs in the dark.
		{"", "<div style='color:#ffffff'>B</div>", "B"},
		{"", "<div style='background:#fff'>B</div>", "B"},
		{"", "<div style='background:#fff'><span style='color:#111'>B</span></div>", "B"},
		{"", "<div style='background:#fff url(x.png);color:#fff'>B</div>", "B"},
		{"", "<div style='background:white;color:white'><div style='background:black'>B</div></div>", "B"},
		{"", "<div style='background:white;color:white'><div style='color:windowtext'>B</div></div>", "B"},
	} {
		for form, l := range richly(t, tt.style, tt.body) {
			if got := strings.Join(l.Text, "/"); got != tt.text {
				t.Errorf("%s, %s %s: %q, want %q", form, tt.style, tt.body, got, tt.text)
			}
		}
	}
	o := Options{Says: order.Says}
	for body, text := range map[string]string{
		"<body bgcolor=white text=white>B": "?~ B", "<body style='background:#000'><font color=black>B</font>": "?~ B", "<body bgcolor=white text=black>B": "B",
	} {
		if l := Read(mailOf(body, fromAnna, "Content-Type: text/html"), o); strings.Join(l.Text, "/") != text {
			t.Errorf("%s: %q", body, l.Text)
		}
	}
}

// A box is what it looks like as a sign: ticked or not.
func TestBoxesOfForms(t *testing.T) {
	for form, l := range richly(t, "", "<ul><li><input type=checkbox> resign</li><li><input type='checkbox' checked=''> B</li><li><input type=radio>undo</li><li><input value='x'>status</li></ul>") {
		want := []string{"☐ resign", "☑ B", "☐ undo", "status"}
		if !slices.Equal(l.Text, want) {
			t.Errorf("%s: %q", form, l.Text)
		}
		r := order.ReadLetter(l.Text)
		if len(r.Items) != 2 || r.Items[0].Text != "B" || len(r.Unticked) != 2 || r.Unticked[0].Text != "resign" || r.Unticked[1].Text != "undo" {
			t.Errorf("%s: %+v, unticked %v", form, r.Items, r.Unticked)
		}
	}
}

// Styles of strangers are read in time, and break nothing.
func FuzzStyles(f *testing.F) {
	for _, s := range []string{"p{color:red}", "@media x{a{b:c}}", "/*", "<!--", "a,b.c,#d{text-decoration:line-through;font:0/0 a}", "background:#ffff url(x)", "color:rgb(1,2", "{}{}}{", ".x{mso-hide:all"} {
		f.Add(s, "x y")
	}
	f.Fuzz(func(t *testing.T, css, class string) {
		html := fmt.Sprintf("<style>%s</style><div class=%q style=%q>B</div>", css, class, css)
		l := Read(mailOf(html, fromAnna, "Content-Type: text/html; charset=utf-8"), Options{Says: order.Says})
		if l.Kind == "" {
			t.Error("no kind")
		}
	})
}
