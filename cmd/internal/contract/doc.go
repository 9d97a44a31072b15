// Package contract holds the program to web/API.md, as scripts see it.
//
// # What it proves
//
// Letters, view.json, exported records and what the commands print have exactly the fields
// that web/API.md promises. TestContract checks them at each step of a game in the demo;
// TestContractSim and TestContractRead check the lines of sim and read. chance_test.go is a
// second implementation of chance: it computes from the seed and the players' words every
// card, tile and die that a record tells of.
//
// # How it can fail
//
// A field is missing, new or of another type; the test names it and prints the object. Or
// the two implementations of chance disagree. TestShapesBite shows that the shapes refuse
// what they should.
//
// If you change what scripts see, change web/API.md and the shape in contract_test.go.
//
// # How to run it longer
//
// It plays whole games as it is. There is nothing to set.
package contract
