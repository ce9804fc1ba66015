#!/bin/sh
# Runs the instrumented programs of the experiments on a real GPU and compares what they
# find, line by line, with what they find under the emulator.
#
#   scripts/experiments-gpu.sh DIR
#
# does all that can be done on this machine and is not done yet in DIR, so that it can be
# interrupted, continued, and taken from a machine to another: where warpgrind and clang are it
# instruments the examples with every scheme, with and without the static
# analyzer's answer, and runs the results under the emulator; where nvcc and a GPU are it
# compiles and runs them. With both done for a program there is a row for it in DIR/table.md: the least
# and the median time of a run, its ratio to the original's, whether the output is the original's,
# the findings, and those that only the GPU or only the emulator has. Findings are
# rules with their lines: a race has two orders, and either may happen.
# Where compute-sanitizer is installed, its racecheck looks at the originals.
#
# Settings: WARPGRIND (bin/warpgrind), NVCC (nvcc), NVCCFLAGS (-O2 -arch=native), RUNS (5).
# For a test without a GPU: NVCC="warpgrind cc" NVCCFLAGS= GPU=emulated.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 DIR" >&2
    exit 2
fi
tool=${WARPGRIND:-bin/warpgrind}
nvcc=${NVCC:-nvcc}
flags=${NVCCFLAGS--O2 -arch=native}
runs=${RUNS:-5}
dir=$1
mkdir -p "$dir/done" "$dir/emulator" "$dir/gpu" "$dir/bin"

# programs lists name, source and macros of each.
programs() {
    cat <<END
fig1 boyer/fig1.cu
fig2 boyer/fig2.cu -DCAUSE_BANK_CONFLICTS=1
scan scan/scan.cu
scan-no-barrier scan/scan.cu -DNO_BARRIER=1
co_cluster papers/co_cluster.cu -DROUNDS=1
co_cluster-bug papers/co_cluster.cu -DBUG
em papers/em.cu -DROUNDS=1 -DPOINTS=8192
em-bug papers/em.cu -DROUNDS=1 -DPOINTS=5120 -DTHREADS=320
fan2 papers/fan2.cu
fan2-fixed papers/fan2.cu -DFIXED
END
}

# once runs a command if it has not succeeded before under this name.
once() {
    mark=$dir/done/$1
    shift
    if [ -f "$mark" ]; then return 0; fi
    "$@" && : >"$mark"
}

# prepare_one NAME SOURCE MACROS instruments a program with every scheme.
prepare_one() {
    name=$1 source=$2
    shift 2
    path=$dir/examples/$source
    : >"$dir/list.$name.new"
    echo "$name original $source $*" >>"$dir/list.$name.new"
    static=$dir/$name.static.json
    # The exit code reports findings; a bug is left as it is.
    case $name in
    co_cluster | em | scan) "$tool" check --tool race --race-model lockstep --format json -o "$static" "$@" "$path" || [ -f "$static" ] || return 1 ;;
    esac
    for scheme in boyer-race boyer-bank coalesce grace-stmt grace-addr; do
        out=$(dirname "$source")/$name.$scheme.cu
        "$tool" instrument --scheme $scheme "$@" -o "$dir/examples/$out" "$path" || return 1
        echo "$name $scheme $out $*" >>"$dir/list.$name.new"
        case $scheme in grace-*) ;; *) continue ;; esac
        if [ ! -f "$static" ]; then continue; fi
        out=$(dirname "$source")/$name.$scheme-static.cu
        "$tool" instrument --scheme $scheme --static "$static" "$@" -o "$dir/examples/$out" "$path" || return 1
        echo "$name $scheme-static $out $*" >>"$dir/list.$name.new"
    done
    mv "$dir/list.$name.new" "$dir/list.$name"
}

# findings lists what an instrumented program has reported: rule and lines, or addresses.
findings() {
    if [ ! -f "$1" ]; then return 0; fi
    awk '/^{"rule":/ {
        rest = $0; lines = ""
        while (match(rest, /"line":[0-9]+/)) {
            lines = lines " " substr(rest, RSTART + 7, RLENGTH - 7)
            rest = substr(rest, RSTART + RLENGTH)
        }
        if (lines == "" && match($0, /"addresses":"[^"]*"/)) lines = " bytes " substr($0, RSTART + 13, RLENGTH - 14)
        split($0, part, "\"")
        n = split(lines, at, " ")
        if (n == 2 && at[1] + 0 > at[2] + 0) lines = " " at[2] " " at[1]
        print part[4] lines
    }' "$1" | sort -u
}

# emulate_one NAME SCHEME SOURCE MACROS runs a program under the emulator.
emulate_one() {
    to=$dir/emulator/$1.$2 source=$3
    shift 3
    rm -f "$dir/report.json"
    code=0
    WARPGRIND_REPORT=$dir/report.json "$tool" run -q --tool launch -o /dev/null "$@" "$dir/examples/$source" </dev/null >/dev/null 2>"$to.err" || code=$?
    if [ $code -ne 0 ] && [ $code -ne 1 ] && [ $code -ne 3 ]; then return 1; fi
    findings "$dir/report.json" >"$to"
}

# clock prints the least and the median wall clock time of several runs, in milliseconds.
clock() {
    for _ in $(seq "$runs"); do
        from=$(date +%s%N)
        WARPGRIND_REPORT=$dir/report.json "$1" </dev/null >"$dir/out.txt" 2>"$dir/err.txt" || true
        echo $((($(date +%s%N) - from) / 1000))
    done | sort -n | awk '{ t[NR] = $1 } END { printf "%.1f %.1f\n", t[1] / 1000, t[int((NR + 1) / 2)] / 1000 }'
}

# gpu_one NAME SCHEME SOURCE MACROS compiles and runs a program.
gpu_one() {
    name=$1 to=$dir/gpu/$1.$2 exe=$dir/bin/$1.$2 scheme=$2 source=$3
    shift 3
    if ! $nvcc $flags "$@" -o "$exe" "$dir/examples/$source" >"$to.nvcc" 2>&1; then
        echo "does not compile: $(head -1 "$to.nvcc")" >"$to.time"
        return 1
    fi
    rm -f "$dir/report.json"
    clock "$exe" >"$to.time"
    cp "$dir/out.txt" "$to.out"
    findings "$dir/report.json" >"$to"
    if [ "$scheme" = original ] && command -v compute-sanitizer >/dev/null; then
        compute-sanitizer --tool racecheck "$exe" </dev/null 2>&1 | sed -n 's/.*RACECHECK SUMMARY: //p' >"$to.racecheck"
    fi
}

# only lists the lines that the first of two files alone has.
only() {
    comm -23 "$1" "$2" | paste -s -d ';' | sed 's/;/; /g'
}

# row NAME SCHEME prints the row of a program.
row() {
    gpu=$dir/gpu/$1.$2 emulator=$dir/emulator/$1.$2 plain=$dir/gpu/$1.original
    if [ ! -f "$gpu" ] || [ ! -f "$plain" ]; then
        echo "| $1 | $2 | $(cat "$gpu.time" 2>/dev/null || echo "not run yet") | | | | | |"
        return 0
    fi
    same=differs
    if cmp -s "$gpu.out" "$plain.out"; then same=same; fi
    found=$(wc -l <"$gpu") extra= missing=
    if [ "$2" = original ]; then
        found=$(cat "$gpu.racecheck" 2>/dev/null || true)
    elif [ -f "$emulator" ]; then
        extra=$(only "$gpu" "$emulator") missing=$(only "$emulator" "$gpu")
    else
        extra="not emulated yet"
    fi
    ratio=$(awk 'NR == FNR { p = $2; next } { printf "%.2fx", $2 / (p > 0 ? p : 1) }' "$plain.time" "$gpu.time")
    echo "| $1 | $2 | $(sed 's/ /, /' "$gpu.time") | $ratio | $same | $found | ${extra:--} | ${missing:--} |"
}

if command -v "$tool" >/dev/null && [ -d examples ]; then
    once copied cp -R examples "$dir/"
    programs | while read -r name rest; do
        once "prepared.$name" prepare_one "$name" $rest || echo "$0: $name is not prepared" >&2
    done
fi
lists() { programs | while read -r name rest; do if [ -f "$dir/list.$name" ]; then cat "$dir/list.$name"; fi; done; }
if command -v "$tool" >/dev/null; then
    lists | while read -r name scheme source macros; do
        if [ "$scheme" = original ]; then continue; fi
        once "emulated.$name.$scheme" emulate_one "$name" "$scheme" "$source" $macros || echo "$0: $name with $scheme is not emulated" >&2
    done
fi
gpu=${GPU:-$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1 || true)}
if [ -n "$gpu" ]; then
    echo "$gpu, $($nvcc --version 2>/dev/null | sed -n 's/.*release //p'), $(date +%F)" >"$dir/device"
    lists | while read -r name scheme source macros; do
        once "ran.$name.$scheme" gpu_one "$name" "$scheme" "$source" $macros || echo "$0: $name with $scheme did not run" >&2
    done
fi
{
    cat "$dir/device" 2>/dev/null || echo "no GPU yet, $(date +%F)"
    echo
    echo "| program | scheme | time, ms: least, median | ratio of medians | output | findings | only on the GPU | only under the emulator |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    lists | while read -r name scheme _; do row "$name" "$scheme"; done
} >"$dir/table.md"
cat "$dir/table.md"
