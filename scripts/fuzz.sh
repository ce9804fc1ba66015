#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time (default 10s). Inputs that reach new code
# are made smaller by a few steps only: by default that alone may take a minute each.
set -euo pipefail
budget=${1:-10s}
found=0
for dir in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' ./...); do
	for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | cut -d' ' -f2); do
		found=$((found + 1))
		printf 'fuzz: %s %s\n' "${dir#"$PWD"/}" "$target"
		(cd "$dir" && go test -run '^$' -fuzz "^$target\$" -fuzztime "$budget" -fuzzminimizetime 20x .)
	done
done
printf 'fuzz: %d targets\n' "$found"
