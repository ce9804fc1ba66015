#!/usr/bin/env bash
# Runs what make test-short runs on machines on which little works, and prints what it left there. Each machine is an overlay of this one
# with a /dev of its own; only root can make one.
#
#   noproc      root, without /proc
#   closed      descriptors 0, 1 and 2 closed, in each combination; closed02 and its like: these alone
#   unwritable  a user whose HOME, TMPDIR and cache cannot be written
#   readonly    a root that cannot be written
#
# usage: scripts/machines.sh [-p PATTERN] [machine ...]
# With -p only packages whose paths match the pattern. Tests may fail there: they need a folder for temporary files, too. What counts is the
# list of files and processes that are left, and that no test panics. A package that takes longer than two minutes is ended (exit 124);
# its tests' own folders (Test*) stay. The list has all that is new or another file than before, and each file with another size or time.
set -uo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "machines.sh: needs root"; exit 2; }
pattern=.
if [ "${1:-}" = -p ]; then pattern=$2; shift 2; fi
bins=$(mktemp -d /var/tmp/machines-XXXXXX) || exit
trap 'rm -rf "$bins"' EXIT
go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}} {{.ImportPath}}{{end}}' ./... | grep -e "$pattern" | while read -r dir path; do
  [ -z "$dir" ] || go test -c -vet=off -ldflags=-w -o "$bins/$(echo "$path" | tr / _)" "$path" && echo "$dir $(echo "$path" | tr / _)"
done > "$bins/list" || exit

# inside prints what the tests left on a machine: $1 kind, $2 user, $3 redirections.
inside='set -e
kind=$1 user=$2 closed=$3 bins=$4 cache=$5
base=$(mktemp -d /var/tmp/machine-XXXXXX); mount -t tmpfs none "$base"; mkdir "$base/upper" "$base/work" "$base/root" "$base/log"
mount -t overlay overlay -o lowerdir=/,upperdir="$base/upper",workdir="$base/work" "$base/root"
root=$base/root; mount -t tmpfs none "$root/dev"; mkdir "$root/dev/shm"
for d in null zero random urandom; do touch "$root/dev/$d"; mount --bind "/dev/$d" "$root/dev/$d"; done
mkdir -p "$root/m/home" "$root/m/tmp" "$root/m/cache" "$root/m/log" "$root/m/bins"; mount --bind "$base/log" "$root/m/log"; mount --bind "$bins" "$root/m/bins"; chmod 777 "$base/log" "$root/m/home" "$root/m/tmp" "$root/m/cache"
[ "$kind" = noproc ] || mount -t proc none "$root/proc"
case $kind in
unwritable) chmod 755 "$root/m/home" "$root/m/tmp" "$root/m/cache";;
readonly) mount -o remount,ro,bind "$root";;
esac
chmod 755 "$bins"
# Without the cache of the tests, and what the go command writes. Folders have the times of what was made and removed in them.
list() {
  (cd "$base/upper"; find . \( -path ".$cache" -o -path ".$GOCACHE" -o -path ".$GOMODCACHE" -o -path ./m/home/.config/go -o -path "./m/tmp/Test*" \) -prune \
    -o -type d -printf "%p/ %m\n" -o -printf "%p %y %m %s %T@\n" | sort)
  find "$root/dev" -printf "%p %y %m\n" | sort
}
list > "$base/before"
passed=0 failed=0
while read -r dir name; do
  if timeout -k 5 120 chroot --userspec="$user" "$root" /usr/bin/env -i HOME=/m/home TMPDIR=/m/tmp XDG_CACHE_HOME=/m/cache PATH="$PATH" GOCACHE="$GOCACHE" GOMODCACHE="$GOMODCACHE" GOFLAGS=-mod=readonly \
    sh -c "cd $dir && exec /m/bins/$name -test.short $closed" > "$base/log/$name" 2>&1 < /dev/null; then passed=$((passed+1)); else
    code=$?; failed=$((failed+1))
    echo "  exit $code $name: $(grep -c "^ *--- FAIL" "$base/log/$name") tests; $(grep -m1 -E "^panic:|fatal error|^\s+\S+_test.go:[0-9]+:" "$base/log/$name" | cut -c1-160)"
  fi
done < "$bins/list"
echo "$kind $closed: $passed packages pass, $failed do not"
list | diff "$base/before" - | sed "s/^/  left: /" || true
for p in /proc/[0-9]*; do
  case $(readlink "$p/root" 2>/dev/null) in "$root"*) echo "  left: process $(tr "\0" " " < "$p/cmdline")";; esac
done
umount -l "$root" "$base"; rmdir "$base"'

GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE)
export GOCACHE GOMODCACHE
closing() { echo "$1" | sed 's/0/<\&- /; s/1/>\&- /; s/2/2>\&- /'; }
machine() { unshare -m bash -c "$inside" machine "$1" "$2" "$3" "$bins" "$(realpath bin/test-cache)"; }
for m in "${@:-noproc closed unwritable readonly}"; do
  for kind in $m; do
    case $kind in
    closed) for c in 0 1 2 01 02 12 012; do machine closed 0:0 "$(closing $c)"; done;;
    closed[012]*) machine closed 0:0 "$(closing "${kind#closed}")";;
    unwritable) machine unwritable 65534:65534 '';;
    noproc | readonly) machine "$kind" 0:0 '';;
    *) echo "machines.sh: no machine $kind"; exit 2;;
    esac
  done
done
