#!/usr/bin/env bash
# Runs warpgrind (the binary given) on the paper's racy program, after its
# fixed version, and checks that it answers as it should.
set -uo pipefail
bin=$1

# show EXPECTED FILE runs warpgrind and compares its exit code.
show() {
	local want=$1 file=$2 got
	printf '\n$ warpgrind run %s\n' "$file"
	"$bin" run "$file"
	got=$?
	printf '(exit code %d)\n' "$got"
	if [ "$got" -ne "$want" ]; then
		printf 'demo: expected exit code %d from %s\n' "$want" "$file" >&2
		exit 1
	fi
}

show 0 examples/boyer/fig1_fixed.cu
show 1 examples/boyer/fig1.cu
