#!/usr/bin/env bash
# Takes docs/report-example/page.png, the picture of the page with a race drawn,
# by Chromium.
set -euo pipefail
cd "$(dirname "$0")/../docs/report-example"
id=$(python3 -c 'import json; print(next(f["fingerprint"] for f in json.load(open("report.json"))["findings"] if f["rule"] == "race"))')
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$profile" --window-size=1500,1150 \
	--screenshot="$PWD/page.png" "file://$PWD/report.html#$id"
