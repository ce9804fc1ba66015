#!/usr/bin/env bash
# Installs what warpgrind needs besides Go: clang (15 or newer) with the opt
# and llc of the same LLVM version, a C++ standard library to compile host code
# against, z3 for the static rules, LLD, and cmake for the tests of the compiler driver. Does
# nothing when all of it is there.
set -euo pipefail

oldest=15    # the oldest clang that internal/clang accepts
preferred=19 # the version that the tests run with

say() { printf 'install-deps: %s\n' "$*"; }
fail() { printf 'install-deps: %s\n' "$*" >&2; exit 1; }

# llvm_installed prints the version of an installed toolchain that is complete.
llvm_installed() {
	local v
	for v in "$preferred" $(seq 40 -1 "$oldest"); do
		if command -v "clang-$v" >/dev/null && command -v "opt-$v" >/dev/null &&
			command -v "llc-$v" >/dev/null; then
			echo "$v"
			return
		fi
	done
	if command -v clang >/dev/null && command -v opt >/dev/null && command -v llc >/dev/null; then
		v=$(clang -dumpversion | cut -d. -f1)
		if [ "$v" -ge "$oldest" ]; then echo "$v"; fi
	fi
}

# candidate NAME succeeds when apt can install the package.
candidate() {
	local policy # in a variable: grep -q would end apt-cache by a broken pipe
	policy=$(apt-cache policy "$1" 2>/dev/null) || return 1
	grep -q 'Candidate: [^(]' <<<"$policy"
}

# llvm_available prints the version to install: the preferred one if the
# distribution has it, else its newest.
llvm_available() {
	local v
	for v in "$preferred" $(seq 40 -1 "$oldest"); do
		if candidate "clang-$v" && candidate "llvm-$v"; then
			echo "$v"
			return
		fi
	done
}

# has FILE PACKAGE succeeds where a part of the installed clang is there, or cannot be had.
has() {
	local v
	v=$(llvm_installed)
	[ -n "$v" ] || return 1
	[ -e "/usr/lib/llvm-$v/$1" ] || ! candidate "${2/VERSION/$v}"
}
# With clang's OpenMP runtime, host code that uses OpenMP has threads.
has_openmp() { has lib/libomp.so libomp-VERSION-dev; }
# LLD links a program in a third of the time that GNU ld takes.
has_lld() { has bin/ld.lld lld-VERSION; }

has_cxx_headers() {
	compgen -G '/usr/include/c++/*/cstdio' >/dev/null
}

missing=()
want_llvm=
[ -n "$(llvm_installed)" ] || { want_llvm=1; missing+=("clang >= $oldest with opt and llc"); }
command -v z3 >/dev/null || missing+=(z3)
command -v cmake >/dev/null || missing+=(cmake)
has_cxx_headers || missing+=("C++ standard library headers")
has_openmp || missing+=("clang's OpenMP runtime")
has_lld || missing+=("LLD")
[ ${#missing[@]} -gt 0 ] || exit 0

list=$(printf ', %s' "${missing[@]}")
list=${list:2}
command -v apt-get >/dev/null ||
	fail "missing: $list; there is no apt-get here, please install them by hand"

root=()
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || fail "missing: $list; installing needs root or sudo"
	root=(sudo)
fi
# A CI service keeps the packages from run to run in the folder WARPGRIND_APT_CACHE.
archives=()
if [ -n "${WARPGRIND_APT_CACHE:-}" ]; then
	mkdir -p "$WARPGRIND_APT_CACHE/partial"
	archives=(-o "Dir::Cache::Archives=$WARPGRIND_APT_CACHE" -o APT::Keep-Downloaded-Packages=true)
fi
apt() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "${archives[@]}" \
		-o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

say "missing: $list; installing with apt-get"
apt update >/dev/null || fail "apt-get update failed; missing: $list"
packages=()
if [ -n "$want_llvm" ]; then
	version=$(llvm_available)
	[ -n "$version" ] || fail "this distribution has no clang of version $oldest or newer"
	packages+=("clang-$version" "llvm-$version")
fi
command -v z3 >/dev/null || packages+=(z3)
command -v cmake >/dev/null || packages+=(cmake)
has_cxx_headers || packages+=(g++)
version=${version:-$(llvm_installed)}
has_openmp || { candidate "libomp-$version-dev" && packages+=("libomp-$version-dev"); }
has_lld || { candidate "lld-$version" && packages+=("lld-$version"); }
apt install --no-install-recommends "${packages[@]}" >/dev/null ||
	fail "apt-get could not install: ${packages[*]}"
say "installed: ${packages[*]}"
