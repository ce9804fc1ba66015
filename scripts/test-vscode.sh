#!/usr/bin/env bash
# Drives the extension in Visual Studio Code, and leaves pictures in dist/vscode-pictures.
# usage: test-vscode.sh [--required]: with --required, what is missing is a failure
#
# VS Code is the npm package code-server, which runs it as a server, with Chromium in front. The official
# test runner downloads VS Code from a host of its own; this takes npm only.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() {
	echo "SKIP: the extension was not driven in VS Code: $1"
	[ "${required:-}" ] && exit 1
	exit 0
}
[ "${1:-}" = --required ] && required=1
command -v node >/dev/null && command -v npm >/dev/null || skip "Node 20 with npm is not installed"
node=$(node -p 'process.versions.node.split(".")[0]')
[ "$node" = 20 ] || skip "Node is version $node, and VS Code 1.100 needs 20"
browser=
for name in chromium chromium-browser google-chrome; do
	browser=$(command -v $name) && break
done
[ "$browser" ] || skip "no Chromium is installed (apt-get install chromium)"

scripts/vscode.sh >/dev/null
go build -o bin/warpgrind ./cmd/warpgrind
cd editors/vscode/driven
server=node_modules/code-server/lib/vscode
if ! [ -d $server/node_modules ]; then
	npm ci --ignore-scripts --no-progress || skip "npm cannot install code-server"
	# VS Code's own packages. Of those with native parts only the one is built without which output
	# channels stay empty; Node's headers are beside Node.
	(cd $server && npm install --ignore-scripts --omit=dev --no-package-lock --no-progress &&
		npm_config_nodedir=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")") npm rebuild @vscode/spdlog) ||
		{ rm -rf $server/node_modules; skip "VS Code's packages cannot be installed: that takes Node's headers, python3, make and a C++ compiler"; }
fi
exec node drive.mjs "$browser" "$PWD/../../../bin/warpgrind" "$PWD/../../../dist/warpgrind.vsix" \
	"$PWD/../../../examples/boyer/fig1.cu" "$PWD/../../../dist/vscode-pictures"
