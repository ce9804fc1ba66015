#!/usr/bin/env bash
# Runs go vet, a short fuzzing of the engine and all tests, and closes with a
# summary, which is the last line also when go vet complains. Extra arguments
# go to go test; FUZZTIME is how long random programs are compared with the
# reference interpreter (0 for not at all).
set -uo pipefail
go vet ./...
vet=$?
fuzz=0
if [ "${FUZZTIME:=10s}" != 0 ]; then
	echo "fuzz: random programs on the engine and on the reference interpreter, $FUZZTIME"
	go test -run '^$' -fuzz '^FuzzDifferential$' -fuzztime "$FUZZTIME" ./internal/engine
	fuzz=$?
fi
# -count=1: the end-to-end tests run the tool that they build, so that go test does
# not see what they depend on. The root package runs hundreds of programs: on a
# busy machine longer than the ten minutes that go test would give it.
go test -count=1 -timeout "${TIMEOUT:-60m}" -json "$@" ./... 2>&1 | go run ./scripts/testsummary
tests=$?
[ "$vet" -eq 0 ] && [ "$fuzz" -eq 0 ] && [ "$tests" -eq 0 ]
