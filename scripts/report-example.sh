#!/usr/bin/env bash
# Writes the reports of docs/report-example/mistakes.cu in all formats.
# usage: report-example.sh [warpgrind [folder]]
# The compiler is fixed, since positions and PTX differ between versions.
set -euo pipefail
bin=$(realpath "${1:-bin/warpgrind}")
cd "$(dirname "$0")/../docs/report-example"
out=${2:-.}
status=0
env -u GITHUB_WORKSPACE -u CI_PROJECT_DIR SOURCE_DATE_EPOCH=1767225600 "$bin" run -q --clang clang-19 -j 2 --tool all --color never \
	--format "text=$out/report.txt" --format "json=$out/report.json" \
	--format "sarif=$out/report.sarif" --format "junit=$out/report.xml" \
	--format "github=$out/report.github" --format "html=$out/report.html" \
	--format "compute-sanitizer=$out/report.sanitizer" \
	mistakes.cu >/dev/null || status=$?
[ "$status" -eq 1 ] # findings
