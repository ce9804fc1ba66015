#!/usr/bin/env bash
# Says which Go is needed where the one that is there can neither compile this module nor fetch the one that can: Go fetches what
# go.mod names since 1.21.
set -euo pipefail
go=${1:-go}

fail() { printf '%s\n' "warpgrind needs Go $(sed -n 's/^go //p' go.mod) (or 1.21 or newer, which fetches it): $1." "On Debian 12: apt-get install -t bookworm-backports golang-go" >&2; exit 1; }

command -v "$go" >/dev/null || fail "there is no $go in PATH"
# Outside of the module: an old version reads no go.mod of this one.
version=$(cd / && "$go" version) || fail "$go does not run"
version=${version#go version go}
minor=${version#1.}
minor=${minor%%[!0-9]*}
case $version in
1.*) [ "${minor:-0}" -ge 21 ] || fail "$go is ${version%% *}" ;;
esac
