#!/usr/bin/env bash
# Runs the tests that need PyTorch, which is fetched with all that its wheel asks for, about 5 GB,
# into a virtual environment in the cache folder. WARPGRIND_TORCH names another environment that
# has PyTorch and pytest. Extra arguments go to go test.
set -euo pipefail

if [ -z "${WARPGRIND_TORCH:-}" ]; then
	export WARPGRIND_TORCH=${XDG_CACHE_HOME:-$HOME/.cache}/warpgrind/torch
	packages=(torch==2.15.* numpy pytest==9.2.0 ninja setuptools)
	if [ "$(cat "$WARPGRIND_TORCH/packages" 2>/dev/null)" != "${packages[*]}" ]; then
		rm -rf "$WARPGRIND_TORCH"
		"${PYTHON:-python3}" -m venv "$WARPGRIND_TORCH"
		"$WARPGRIND_TORCH/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
		echo "${packages[*]}" >"$WARPGRIND_TORCH/packages"
	fi
fi
go test -tags toolchains -count=1 -timeout 30m -run '^TestToolchainTorch' -json ./e2e/toolchain "$@" | go run ./scripts/testsummary
