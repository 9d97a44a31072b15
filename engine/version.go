package engine

import "fmt"

// Version is the version of the rules that new games are played under. Games of
// earlier versions are played to their end, replayed and verified as they began;
// RULES.md marks where they differ.
const Version = 2

// rules is what the versions of the rules differ in: the zero value is Version's.
// Nothing else in this package asks for a game's version.
type rules struct {
	version uint8

	foresees bool // Q5.5f: no Ravager is drawn where none of deck and discards has room
	apart    bool // Q3.3b: of two drawn cards none counts as in hand before the choice
	drops    bool // Q3.3: two cards between which no one chose in time are both discarded
}

// rulesOf returns the rules of a version.
func rulesOf(version int) (rules, error) {
	switch version {
	case 1:
		return rules{version: 1, foresees: true, apart: true, drops: true}, nil
	case Version:
		return rules{version: Version}, nil
	}
	return rules{}, &UnknownVersion{version}
}

// An UnknownVersion is the error about a game of a version of the rules that this
// program does not know.
type UnknownVersion struct{ Version int }

func (e *UnknownVersion) Error() string {
	return fmt.Sprintf("it is played by version %d of the rules; this program knows versions 1 to %d", e.Version, Version)
}
