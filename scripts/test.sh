#!/usr/bin/env bash
# Runs all tests, and closes with a summary. Extra arguments go to go test; FUZZTIME is how
# long random programs are compared with the reference interpreter before, besides those of
# the tests. make lint has go vet, which go test would run again, and without
# DWARF a hundred test programs are linked in half the time.
set -uo pipefail
fuzz=0
if [ "${FUZZTIME:=0}" != 0 ]; then
	echo "fuzz: random programs on the engine and on the reference interpreter, $FUZZTIME"
	go test -run '^$' -fuzz '^FuzzDifferential$' -fuzztime "$FUZZTIME" ./internal/engine
	fuzz=$?
fi
# -count=1: the end-to-end tests run the tool that they build, so that go test does
# not see what they depend on. The packages of e2e run hundreds of programs: on a
# busy machine longer than the ten minutes that go test would give it. Some tests
# wait, for a time limit or a signal: others run meanwhile.
go test -count=1 -vet=off -ldflags=-w -parallel $(($(nproc) + 1)) -timeout "${TIMEOUT:-60m}" -json "$@" ./... 2>&1 | go run ./scripts/testsummary
tests=$?
[ "$fuzz" -eq 0 ] && [ "$tests" -eq 0 ]
