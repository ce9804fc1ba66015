#!/usr/bin/env bash
# Fails when a Go file of the tree is not formatted by gofmt, and names it.
set -euo pipefail
bad=$(find . -name '*.go' -not -path './.git/*' -print0 | xargs -0 gofmt -l)
if [ -n "$bad" ]; then
	printf 'not formatted by gofmt:\n%s\n' "$bad" >&2
	exit 1
fi
