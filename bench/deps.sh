#!/usr/bin/env bash
# Installs what the benchmarks compare warpgrind with: PoCL, Oclgrind, the
# OpenCL headers and loader, gcc. A peer that cannot be had is only missing
# from the table, so this never fails.
set -uo pipefail

missing=()
command -v gcc >/dev/null || missing+=(gcc libc6-dev)
command -v oclgrind >/dev/null || missing+=(oclgrind)
[ -e /usr/include/CL/cl.h ] || missing+=(opencl-headers)
compgen -G '/usr/lib/*/libOpenCL.so' >/dev/null || missing+=(ocl-icd-opencl-dev)
compgen -G '/etc/OpenCL/vendors/pocl*.icd' >/dev/null || missing+=(pocl-opencl-icd)
[ ${#missing[@]} -gt 0 ] || exit 0

say() { printf 'bench-deps: %s\n' "$*" >&2; }
command -v apt-get >/dev/null || { say "no apt-get here; missing: ${missing[*]}"; exit 0; }
root=()
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || { say "installing needs root or sudo; missing: ${missing[*]}"; exit 0; }
	root=(sudo)
fi
apt() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}
apt update || say "apt-get update failed"
for package in "${missing[@]}"; do
	apt install --no-install-recommends "$package" || say "could not install $package"
done
exit 0
