// Package templates writes what people read: the bodies of letters and the
// pages. It decides nothing and looks nothing up; whatever it shows is in the
// notice.Input or the Page it is given, already cut to its reader.
//
// A Letter's subject is one line without control characters. Its text part is
// complete by itself: prose within 72 columns, orders behind a bar on lines of
// their own that are never wrapped, the legal ones between "| legal" and
// "| end", an example turn between "| example" and "| end". Its HTML part is
// smaller than MaxHTML, has its styles inline, and stands on light and dark.
// All that players bring is escaped; the same input gives the same bytes.
package templates
