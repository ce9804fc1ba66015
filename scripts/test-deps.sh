#!/usr/bin/env bash
# Installs what only tests need: Neovim, whose client for language servers the
# test of "warpgrind lsp" uses, and genhtml (lcov) and xmllint, which read coverage.
# Without them these tests are skipped.
set -uo pipefail
command -v nvim >/dev/null && command -v genhtml >/dev/null && command -v xmllint >/dev/null && exit 0
command -v apt-get >/dev/null || exit 0
root=()
[ "$(id -u)" -eq 0 ] || root=(sudo -n)
apt() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" >/dev/null 2>&1
}
install() { apt install --no-install-recommends neovim lcov libxml2-utils; }
install || { apt update && install; } ||
	echo "test-deps: Neovim, lcov and xmllint could not be installed; their tests are skipped"
exit 0
