#!/usr/bin/env bash
# Runs go vet and all tests and closes with a summary, which is the last line
# also when go vet complains. Extra arguments go to go test.
set -uo pipefail
go vet ./...
vet=$?
# -count=1: the end-to-end tests build the tool themselves, so that go test does
# not see what they depend on.
go test -count=1 -json "$@" ./... 2>&1 | go run ./scripts/testsummary
tests=$?
[ "$vet" -eq 0 ] && [ "$tests" -eq 0 ]
