#!/usr/bin/env bash
# Runs the tests that need JAX, which is fetched with all that its wheel for CUDA asks for, about 6 GB, into
# a virtual environment in the cache folder. WARPGRIND_JAX names another environment that has it. Extra arguments go
# to go test.
set -euo pipefail

if [ -z "${WARPGRIND_JAX:-}" ]; then
	export WARPGRIND_JAX=${XDG_CACHE_HOME:-$HOME/.cache}/warpgrind/jax
	packages=('jax[cuda12]==0.10.*')
	if [ "$(cat "$WARPGRIND_JAX/packages" 2>/dev/null)" != "${packages[*]}" ]; then
		rm -rf "$WARPGRIND_JAX"
		"${PYTHON:-python3}" -m venv "$WARPGRIND_JAX"
		"$WARPGRIND_JAX/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
		echo "${packages[*]}" >"$WARPGRIND_JAX/packages"
	fi
fi
go test -tags toolchains -count=1 -timeout 30m -run '^TestToolchainJAX' -json ./e2e/toolchain "$@" | go run ./scripts/testsummary
