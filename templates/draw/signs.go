package draw

// Explained are the symbols that pages explain one by one, with their keys for a
// catalogue.
var Explained = []struct {
	Key    string
	Symbol Symbol
}{
	{"orange", SymCircle}, {"gray", SymSquare}, {"green", SymTriangle},
	{"planet", SymPlanet}, {"station", SymStation}, {"fleet", SymFleet}, {"rocks", SymRocks}, {"comet", SymComet},
	{"ship", SymShip}, {"robot", SymRobot}, {"resource", SymResource}, {"debris", SymDebris}, {"damage", SymDamage}, {"star", SymStar},
	{"ravager", SymRavager}, {"card", SymCard}, {"tile", SymTile},
	{"up-down", SymUpDown}, {"left-right", SymLeftRight}, {"right", SymArrow}, {"lock", SymLock},
	{"tuck", SymTuck}, {"eject", SymEject},
}
