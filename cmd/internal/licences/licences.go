// Package licences has the licence of Angelpost and of everything that its binary
// contains. `make generate` writes licences.txt from the modules that the command
// needs; TestLicences fails while it is not what they say.
package licences

import _ "embed"

// Text has one section per module, with all notices that its licence asks for.
//
//go:embed licences.txt
var Text string
