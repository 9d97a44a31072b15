// Package store says what is stored: the rows, the errors of looking one up, and the
// roles of a transaction (Tx), of which each consumer names those it needs. Package db
// implements DB with SQLite; the desk and the host of engine/match use it.
package store
