#!/usr/bin/env bash
# Runs all tests and closes with a summary. Extra arguments go to go test.
set -uo pipefail
go test -json "$@" ./... 2>&1 | go run ./scripts/testsummary
