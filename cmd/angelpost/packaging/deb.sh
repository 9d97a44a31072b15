#!/bin/sh
# Makes a Debian package of a binary: deb.sh BINARY ARCHITECTURE VERSION FOLDER
# nfpm comes through Go's proxy. Later versions than this one need modules that are not there.
set -eu
binary=$(realpath "$1") folder=$(realpath "$4")
cd "$(dirname "$0")"
BINARY=$binary ARCH=$2 VERSION=$3 ${GO:-go} run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.44.0 \
	package --config nfpm.yaml --packager deb --target "$folder/"

# What is in it has to run, under qemu-user if this machine is another one.
run=
case "$2 $(dpkg --print-architecture)" in
"amd64 amd64" | "arm64 arm64") ;;
"amd64 "*) run=qemu-x86_64 ;;
"arm64 "*) run=qemu-aarch64 ;;
esac
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
for deb in "$folder"/*_"$2".deb; do
	[ "$(dpkg-deb --field "$deb" Architecture)" = "$2" ]
	dpkg-deb --extract "$deb" "$try"
	$run "$try/usr/bin/angelpost" version
done
