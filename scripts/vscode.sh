#!/usr/bin/env bash
# Packs the extension for Visual Studio Code as dist/warpgrind.vsix.
# Needs Node 20 and npm; the packages are installed in the extension's folder.
set -euo pipefail
cd "$(dirname "$0")/../editors/vscode"
for tool in node npm; do
	command -v $tool >/dev/null || { echo "$0: $tool is missing: install Node 20 or newer with npm" >&2; exit 1; }
done
npm ci --ignore-scripts --no-progress
npm test
mkdir -p ../../dist
npx vsce package --no-dependencies --out ../../dist/warpgrind.vsix
