#!/bin/sh
# Builds the release of the commit that is checked out: static binaries for linux amd64 and
# arm64 and their checksums, in the folder given. The version is the commit's tag (v1.2.0),
# or what git describe says of it. Each binary has to start a game and verify it, the
# arm64 one under qemu-user on another machine. Needs Debian's release.packages; those for
# arm64 need `dpkg --add-architecture arm64`.
set -eu
cd "$(dirname "$0")/../.."
out=$1
go=${GO:-go}
version=$(git describe --tags --always --dirty)
version=${version#v}
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
mkdir -p "$out"
rm -f "$out"/angelpost-*-linux-* "$out"/SHA256SUMS

build() { # ARCHITECTURE COMPILER COMMAND-THAT-RUNS-IT
	binary=angelpost-$version-linux-$1
	echo "Building $binary. The first build compiles SQLite, which takes a minute or two."
	CGO_ENABLED=1 GOOS=linux GOARCH=$1 CC=$2 $go build -buildvcs=true -trimpath -tags netgo,osusergo -o "$out/$binary" \
		-ldflags "-s -w -X angelpost/cmd/internal/server.version=$version -linkmode external -extldflags -static" ./cmd/angelpost
	if readelf -lW "$out/$binary" | grep -q INTERP; then
		echo "$binary is not static" >&2
		exit 1
	fi
	run="$3 $out/$binary"
	config=$try/$1/angelpost.toml
	mkdir "$try/$1"
	$run version | tee "$try/version"
	grep -q "^angelpost $version, commit $(git rev-parse HEAD)" "$try/version"
	$run init -config "$config" 2>"$try/log"
	$run new -config "$config" -started -player ann@example.org -player bob@example.org
	$run verify -all -config "$config"
}

# What runs a binary of an architecture here: nothing, or qemu.
emulate() { # ARCHITECTURE ITS-NAME-IN-QEMU
	[ "$($go env GOHOSTARCH)" = "$1" ] || echo "qemu-$2"
}

build amd64 "x86_64-linux-gnu-gcc -specs /usr/lib/x86_64-linux-musl/musl-gcc.specs" "$(emulate amd64 x86_64)"
build arm64 "aarch64-linux-gnu-gcc -specs /usr/lib/aarch64-linux-musl/musl-gcc.specs" "$(emulate arm64 aarch64)"
cd "$out"
sha256sum angelpost-"$version"-linux-* >SHA256SUMS
cat SHA256SUMS
