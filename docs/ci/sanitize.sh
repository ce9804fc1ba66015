#!/usr/bin/env bash
# What a CI job with compute-sanitizer looks like, on a runner without a GPU.
# usage: sanitize.sh program [arguments]
#
# The one line that changed was
#   compute-sanitizer --tool racecheck --error-exitcode 1 "$@" | tee racecheck.log
set -euo pipefail
warpgrind compute-sanitizer --tool racecheck --error-exitcode 1 "$@" | tee racecheck.log
grep -q '^========= RACECHECK SUMMARY: 0 hazards displayed' racecheck.log
