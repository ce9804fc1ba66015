#!/usr/bin/env bash
# Follows each sample of docs/ci on a Debian on which nothing is installed but the package:
#
#   go run ./scripts/release -o dist -only deb
#   sudo scripts/tour.sh dist/warpgrind_VERSION_amd64.deb
#
# debootstrap makes the Debian in a temporary folder, the package and what it depends on are
# installed there with apt-get, and the samples run in it as a user without rights. The
# workflow runs in one without the package, by the tests' runner of actions, with this machine's
# Go for setup-go; the Containerfile is built by buildah, where there is one, with images made
# of that Debian.
# Needs root, debootstrap, and Go.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: scripts/tour.sh PACKAGE.deb" >&2; exit 2; }
deb=$(realpath "$1")
cd "$(dirname "$0")/.."
if [ -z "${TOUR_MOUNTS:-}" ]; then # mounts are this process's alone, and end with it
	TOUR_MOUNTS=1 exec unshare --mount --propagation private "$0" "$deb"
fi

say() { printf 'tour: %s\n' "$*"; }
fail() { printf 'tour: %s\n' "$*" >&2; exit 1; }

suite=bookworm
dir=$(mktemp -d)
root=$dir/debian
finish() {
	local m
	for m in "$dir"/{debian,runner}/{proc,dev,go,modules}; do
		! mountpoint -q "$m" || umount -R "$m"
	done
	rm -rf --one-file-system "$dir"
}
trap finish EXIT

# enter mounts in the Debian at $root what its programs need.
enter() {
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount --make-rslave "$root/dev"
}

# tree copies this tree's files into a folder.
tree() { git ls-files -z | xargs -0 cp --parents -t "$1"; }

# inside runs a script in the Debian, as root or as the user ci.
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive bash -euo pipefail -c "$1"; }
as_ci() {
	chroot --userspec=ci:ci "$root" env -i PATH=/usr/bin:/bin HOME=/home/ci USER=ci LC_ALL=C.UTF-8 bash -euo pipefail -c "$1"
}

# expect CODE NAME SCRIPT runs a script as ci in a fresh copy of the samples, of which shift.cu
# is racy if the expected code is not 0.
expect() {
	local want=$1 name=$2 code=0
	inside "rm -rf /home/ci/work && cp -r /tree/docs/ci /home/ci/work && mkdir /home/ci/work/tests && cp /tree/docs/ci/shift.cu /home/ci/work/tests/kernels.cu"
	if [ "$want" != 0 ]; then
		sed -i '1i #define RACE' "$root/home/ci/work/shift.cu" "$root/home/ci/work/tests/kernels.cu"
	fi
	inside 'chown -R ci:ci /home/ci'
	as_ci "cd ~/work; $3" >"$dir/log" 2>&1 || code=$?
	[ "$code" = "$want" ] || { cat "$dir/log"; fail "$name: exit code $code, want $want"; }
	say "$name: exit code $code"
}

say "installing $suite"
debootstrap --variant=minbase "$suite" "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$dir/log" || { cat "$dir/log"; fail debootstrap; }
cp -a "$root" "$dir/slim" # the images below begin with it
enter
mkdir "$root/tree"
tree "$root/tree"
cp "$deb" "$root/tmp/warpgrind.deb"
say 'installing the package'
inside 'apt-get update -q && apt-get install -y -q --no-install-recommends /tmp/warpgrind.deb' >"$dir/log" 2>&1 || { cat "$dir/log"; fail 'apt-get install'; }
inside 'ls /var/lib/warpgrind/shim-* >/dev/null' || fail 'the package has not built the runtime library'
inside 'useradd -m ci'
as_ci 'warpgrind --version'

expect 0 'first use' 'warpgrind run shift.cu'
if grep -q 'building the runtime library' "$dir/log"; then fail 'the first use builds the runtime library'; fi
expect 1 'first use, racy' 'warpgrind run shift.cu'
expect 0 sanitize.sh './sanitize.sh shift.cu'
expect 1 'sanitize.sh, racy' './sanitize.sh shift.cu'

say 'installing what the samples use'
inside 'apt-get install -y -q --no-install-recommends cmake make python3-pytest python3-yaml git ca-certificates' >"$dir/log" 2>&1 || { cat "$dir/log"; fail 'apt-get install'; }
gitlab='python3 -c "import yaml; print(chr(10).join(yaml.safe_load(open(\"gitlab-ci.yml\"))[\"kernels\"][\"script\"]))" > job.sh'
expect 0 gitlab-ci.yml "$gitlab && bash -e job.sh && test -s warpgrind.html && ! grep -q '<failure' warpgrind.xml"
expect 1 'gitlab-ci.yml, racy' "$gitlab && bash -e job.sh"
cmake='export CUDA_HOME=$(warpgrind cc --print-cuda-home)
cmake -S . -B build -DCMAKE_CUDA_COMPILER=$CUDA_HOME/bin/nvcc -DMEMORYCHECK_COMMAND=$CUDA_HOME/bin/compute-sanitizer -DMEMORYCHECK_COMMAND_OPTIONS="--tool racecheck --error-exitcode 1"
cmake --build build && cd build'
expect 0 CMakeLists.txt "$cmake && ctest --output-on-failure && ctest -T memcheck"
expect 8 'CMakeLists.txt, racy' "$cmake && ctest --output-on-failure"
expect 16 'ctest -T memcheck, racy' "$cmake && ctest -T memcheck"
expect 0 conftest.py 'python3 -m pytest -p no:cacheprovider .'
expect 1 'conftest.py, racy' 'python3 -m pytest -p no:cacheprovider .'

say 'the workflow, with the action, on a Debian without the package'
root=$dir/runner
cp -a "$dir/slim" "$root"
enter
mkdir "$root/go" "$root/modules" "$root/work"
mount --bind "$(go env GOROOT)" "$root/go"
mount --bind "$(go env GOMODCACHE)" "$root/modules"
go test -c -o "$root/work/tests" ./e2e/command
tree "$root/work"
inside 'apt-get update -q && apt-get install -y -q --no-install-recommends git ca-certificates && cd /work && scripts/install-deps.sh' >"$dir/log" 2>&1 ||
	{ cat "$dir/log"; fail install-deps.sh; }
inside 'export PATH=/go/bin:$PATH GOMODCACHE=/modules GOFLAGS="-mod=mod -modcacherw -buildvcs=false" GOPROXY=off GOTOOLCHAIN=local
	cd /work && ./tests -test.run "TestWorkflow|TestAction" -test.v' >"$dir/log" 2>&1 || { cat "$dir/log"; fail 'github.yml'; }
grep -E '^(---|ok)' "$dir/log"
if grep -q -e '--- SKIP' "$dir/log"; then cat "$dir/log"; fail 'github.yml: skipped'; fi

if ! command -v buildah >/dev/null; then
	say 'no buildah: the Containerfile is not built'
	exit 0
fi
say 'the Containerfile'
build() { buildah --root "$dir/images" --runroot "$dir/run" --storage-driver vfs "$@"; }
# image NAME FOLDER makes an image of a folder.
image() {
	local c
	c=$(build from scratch)
	build copy -q "$c" "$2" / >/dev/null
	build config --env PATH=/usr/local/go/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$c"
	build commit -q "$c" "$1" >/dev/null
	build rm "$c" >/dev/null
}
image localhost/debian "$dir/slim"
mkdir -p "$dir/slim/usr/local/go" "$dir/slim/etc/ssl/certs"
cp -rL "$(go env GOROOT)/." "$dir/slim/usr/local/go"
cp /etc/ssl/certs/ca-certificates.crt "$dir/slim/etc/ssl/certs"
image localhost/golang "$dir/slim"
# The digests are those of images that a registry has.
sed -E 's|^FROM golang:[^ ]+|FROM localhost/golang|; s|^FROM debian:[^ ]+|FROM localhost/debian|' Containerfile >"$dir/Containerfile"
mkdir "$dir/context"
tree "$dir/context"
build build --isolation chroot --pull-never -q -t warpgrind -f "$dir/Containerfile" "$dir/context" >"$dir/log" 2>&1 || { tail -40 "$dir/log"; fail Containerfile; }
c=$(build from --pull-never localhost/warpgrind)
build inspect --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.WorkingDir}}' "$c"
echo
for racy in 0 1; do
	code=0
	{ [ $racy = 0 ] || echo '#define RACE'; cat docs/ci/shift.cu; } >"$dir/shift.cu"
	build run --isolation chroot --volume "$dir:/src:ro" "$c" warpgrind run shift.cu >"$dir/log" 2>&1 || code=$?
	[ "$code" = "$racy" ] || { cat "$dir/log"; fail "the image: exit code $code, want $racy"; }
	if grep -q 'building the runtime library' "$dir/log"; then fail 'the image has no runtime library'; fi
	say "the image: exit code $code"
done
say 'all samples did as they should'
