// Package draw shows a View: as SVG for the page, as PNG for letters and as
// text of 72 columns.
//
// SVG and PNG are two renderings of one scene: a list of filled icons, boxes
// and short texts in a plane 720 units wide, in which everything that can be
// pointed at is a group with a name. Text is 22 units high in SVG, 24 in PNG, which
// a letter shows within its margins: on a telephone of 360 pixels no letter is
// below 11. Shape and letter say what colour says, for colour never
// carries meaning alone: orange is a circle, gray a square, green a triangle;
// a seat is a number; ships, robots and owners differ in outline.
//
// Everything here is a pure function of the View and of the Words it is given:
// the same View gives the same bytes. Rendering may be done by any number of
// goroutines at once, never fails but by the writer's error, and does not
// panic whatever a View holds. The pictures are this project's own.
package draw
