#!/usr/bin/env bash
# Runs warpgrind as an arm64 program under QEMU's user emulation: the tests of generated
# code, and some programs whose reports must be, byte for byte, those of this machine.
# Programs need the kernel to start arm64 executables (binfmt_misc); without it they are
# skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'arm64: %s\n' "$*"; }
fail() { printf 'arm64: %s\n' "$*" >&2; exit 1; }

prefix=/usr/aarch64-linux-gnu
emulator=qemu-aarch64-static
programs=(examples/basic/vecadd.cu examples/bugs/missing_barrier.cu examples/bugs/oob_write.cu)

# install gets Debian's emulator, and libraries and a linker for arm64.
install() {
	if command -v $emulator >/dev/null && command -v aarch64-linux-gnu-ld >/dev/null && compgen -G "$prefix/include/c++/*" >/dev/null; then
		return
	fi
	local sudo=
	[ "$(id -u)" -eq 0 ] || sudo=sudo
	say 'installing QEMU and libraries for arm64'
	$sudo apt-get install -y --no-install-recommends qemu-user-static g++-aarch64-linux-gnu >/dev/null
}

# starts_arm64 succeeds where the kernel hands arm64 executables to the emulator.
starts_arm64() { "$dir/warpgrind" --version >/dev/null 2>&1; }

install || { say 'skipped: QEMU and libraries for arm64 cannot be installed'; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export QEMU_LD_PREFIX=$prefix

say 'tests of generated code'
CGO_ENABLED=0 GOARCH=arm64 go test -c -o "$dir/warp.test" ./internal/warp
(cd internal/warp && $emulator "$dir/warp.test" -test.run '^TestNative') || fail 'tests of generated code failed'
CGO_ENABLED=0 GOARCH=arm64 go test -c -o "$dir/engine.test" ./internal/engine
(cd internal/engine && $emulator "$dir/engine.test" -test.short -test.run '^TestEntered|^TestKnown') || fail 'tests of what generated code enters failed'

CGO_ENABLED=0 GOARCH=arm64 go build -o "$dir/warpgrind" ./cmd/warpgrind
if ! starts_arm64; then
	say "skipped: ${#programs[@]} programs; this kernel does not start arm64 executables (binfmt_misc, package qemu-user-static)"
	exit 0
fi
make --no-print-directory build >/dev/null

# A clang that compiles for arm64, as that of such a machine does.
llvm=$(compgen -G '/usr/lib/llvm-*/bin' | sort -V | tail -n 1)
for tool in clang clang++; do
	printf '#!/bin/sh\nexec %s/%s --target=aarch64-linux-gnu "$@"\n' "$llvm" "$tool" >"$dir/$tool"
	chmod +x "$dir/$tool"
done
for f in "${programs[@]}"; do
	want=$(cd "$(dirname "$f")" && "$OLDPWD/bin/warpgrind" run "$(basename "$f")" 2>&1; echo "exit code $?")
	got=$(cd "$(dirname "$f")" && WARPGRIND_CACHE_DIR=$dir/cache "$dir/warpgrind" run --clang "$dir/clang" "$(basename "$f")" 2>&1; echo "exit code $?")
	if [ "$want" != "$got" ]; then
		diff <(echo "$want") <(echo "$got") || true
		fail "$f has another report"
	fi
done
say "${#programs[@]} programs have the same reports"
