// Package templates writes what people read: the bodies of letters and the pages. It decides
// nothing and looks nothing up; all that it shows is in the notice.Input or the Page that it
// gets, already redacted for its reader.
//
// A Letter's subject is one line without control characters. Its text part is self-contained:
// prose within 72 columns, and orders after a bar (|) on their own lines, which are never
// wrapped. The legal orders are between "| legal" and "| end", an example turn between "|
// example" and "| end". Its HTML part is smaller than MaxHTML, has inline styles, and works in
// light and dark mode. All text from players is escaped; the same input gives the same bytes.
package templates
