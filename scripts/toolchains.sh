#!/usr/bin/env bash
# Runs the tests that need compilers and tools of others: NVIDIA's nvcc with its header
# libraries, NVRTC, Triton, Numba, CuPy and Warp, and what reads plans for GitHub and Kubernetes.
# The Python packages are kept in a virtual environment in the cache folder, about 2 GB. Where
# they cannot be had, the tests are skipped and say why. Extra arguments go to go test.
set -uo pipefail

venv=${XDG_CACHE_HOME:-$HOME/.cache}/warpgrind/toolchains
packages=(
	nvidia-cuda-nvcc==13.5.* nvidia-nvvm==13.5.* nvidia-cuda-crt==13.5.* nvidia-cuda-runtime==13.5.*
	nvidia-cuda-cccl==13.3.* nvidia-curand nvidia-cuda-nvrtc==13.5.*
	triton==3.9.0 'numba-cuda[cu13]==0.30.4' cupy-cuda13x==14.2.0 warp-lang==1.19.0 numpy pytest==9.2.0
)

# fetch makes the environment, once for each list of packages.
fetch() {
	local list="${packages[*]}" python=${PYTHON:-python3}
	[ "$(cat "$venv/packages" 2>/dev/null)" = "$list" ] && return
	command -v "$python" >/dev/null || { echo "no $python" && return 1; }
	{
		rm -rf "$venv" &&
			"$python" -m venv "$venv" &&
			"$venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" &&
			chmod +x "$venv"/lib/python3*/site-packages/nvidia/cu*/{bin,nvvm/bin}/* &&
			echo "$list" >"$venv/packages"
	} >"$venv.log" 2>&1 || { echo "packages are not to be had: $(tail -n 1 "$venv.log")" && return 1; }
}

mkdir -p "$(dirname "$venv")"
if missing=$(fetch); then
	export WARPGRIND_TOOLCHAINS=$venv
else
	export WARPGRIND_TOOLCHAINS_MISSING=$missing
fi
# Arguments ask for tests of whole programs.
tests() {
	local flags=(-tags toolchains -count=1 -timeout 60m -run '^TestToolchain' -json)
	go test "${flags[@]}" ./e2e/... "$@"
	[ $# -gt 0 ] || go test "${flags[@]}" ./internal/fix
}
go vet -tags toolchains ./e2e/... ./internal/fix && tests "$@" 2>&1 | go run ./scripts/testsummary
