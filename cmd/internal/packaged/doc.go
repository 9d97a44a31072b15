// Package packaged proves that what packages install works: the Debian package installs,
// upgrades, goes and is purged on a copy of this machine's files; the systemd unit is as
// closed as it says; the container's root holds all that the program needs; the samples for
// Caddy, nginx and Dovecot are what these programs read (that for Postfix is used by
// package crashtest). Everything is under cmd/angelpost/packaging.
package packaged
