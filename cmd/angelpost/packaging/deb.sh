#!/bin/sh
# Makes a Debian package of a binary: deb.sh BINARY ARCHITECTURE VERSION FOLDER
# nfpm comes through Go's proxy. Later versions than this one need modules that are not there.
set -eu
binary=$(realpath "$1") folder=$(realpath "$4")
cd "$(dirname "$0")"
BINARY=$binary ARCH=$2 VERSION=$3 ${GO:-go} run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.44.0 \
	package --config nfpm.yaml --packager deb --target "$folder/"
