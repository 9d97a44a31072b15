package league

import (
	_ "embed"
	"strings"
)

//go:embed RUN.md
var guide string

// A GuidePart is a part of the guide for directors, RUN.md.
type GuidePart struct {
	Kind  GuideKind
	Who   string   // Send: writes it; Read: reads it
	Lines []string // Text: one; Row: the cells of a table's row
}

// GuideKind is what a part of the guide is.
type GuideKind string

// The kinds of parts.
const (
	GuideTitle GuideKind = "#"
	GuideHead  GuideKind = "##"
	GuideText  GuideKind = "text"
	GuideRow   GuideKind = "row"
	GuideSend  GuideKind = "send" // a letter to the server
	GuideRead  GuideKind = "read" // what the answer, or a letter, says
	GuideThen  GuideKind = "then" // what happens meanwhile, for the test that walks the example; not shown
)

// Guide is the guide for directors, in parts. It is a small part of Markdown: headings,
// paragraphs, one table, fenced lines whose word after the fence says who sends or reads them,
// and comments.
func Guide() (parts []GuidePart) {
	lines := strings.Split(guide, "\n")
	var text []string
	end := func() {
		if len(text) > 0 {
			parts = append(parts, GuidePart{Kind: GuideText, Lines: []string{strings.Join(text, " ")}})
		}
		text = nil
	}
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		fence, fenced := strings.CutPrefix(line, "```")
		comment, hidden := strings.CutPrefix(line, "<!-- ")
		switch {
		case line == "":
			end()
		case fenced:
			end()
			kind, who, _ := strings.Cut(fence, " ")
			part := GuidePart{Kind: GuideKind(kind), Who: who}
			for i++; i < len(lines) && lines[i] != "```"; i++ {
				part.Lines = append(part.Lines, lines[i])
			}
			parts = append(parts, part)
		case hidden:
			end()
			parts = append(parts, GuidePart{Kind: GuideThen, Lines: strings.Fields(strings.TrimSuffix(comment, " -->"))})
		case strings.HasPrefix(line, "#"):
			end()
			kind, head, _ := strings.Cut(line, " ")
			parts = append(parts, GuidePart{Kind: GuideKind(kind), Lines: []string{head}})
		case strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "|"):
			end()
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			parts = append(parts, GuidePart{Kind: GuideRow, Lines: cells})
		default:
			text = append(text, line)
		}
	}
	end()
	return parts
}
