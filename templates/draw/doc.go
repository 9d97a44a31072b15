// Package draw has the symbols that every drawing is made of, and shows a View without a
// page: as PNG for letters and links, as a text of 72 columns, and as a map in letters.
//
// A Symbol is a few paths in tones. Sheet holds all of them for a page, whose table
// (templates/table) uses them; a picture fills the same paths with 16 flat colours. Signs
// put symbols into rows: what a card or tile does. Shape, letter and place say what colour
// says, which never carries meaning alone: orange is a circle, gray a square, green a
// triangle; ships and robots of each seat have an outline of their own.
//
// A picture is 720 pixels wide and its letters 24 high. A letter shows it within its
// margins: on a phone of 360 pixels no letter is below 11.
//
// Everything here is a pure function of the View and of the Words it is given: the same
// View gives the same bytes. Any number of goroutines may draw at once. Drawing does not
// fail, and does not panic whatever a View holds. The drawings are this project's own.
package draw
