#!/bin/sh
# Runs the instrumented programs of the experiments on a real GPU.
#
#   scripts/experiments-gpu.sh prepare DIR   where warpgrind and clang are
#   scripts/experiments-gpu.sh run DIR       where nvcc and a GPU are
#
# prepare instruments the examples with every scheme, with and without the
# static analyzer's answer, and copies the originals. run compiles all of it,
# runs each program several times and prints a table in Markdown: the best wall
# clock time, its ratio to the original's, whether the output is the original's,
# and how many findings there are. Where compute-sanitizer is installed, its
# racecheck looks at the originals. Settings: WARPGRIND (bin/warpgrind), NVCC
# (nvcc), NVCCFLAGS (-O2 -arch=native), RUNS (5).
set -eu

if [ $# -ne 2 ]; then
    echo "usage: $0 prepare|run DIR" >&2
    exit 2
fi
tool=${WARPGRIND:-bin/warpgrind}
nvcc=${NVCC:-nvcc}
flags=${NVCCFLAGS:--O2 -arch=native}
runs=${RUNS:-5}
dir=$2

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

prepare() {
    mkdir -p "$dir/examples"
    cp -R examples/boyer examples/scan examples/papers examples/check.h "$dir/examples/"
    : >"$dir/list"
    programs | while read -r name source defines; do
        path=$dir/examples/$source
        echo "$name original $source $defines" >>"$dir/list"
        static=$dir/$name.static.json
        # The exit code reports findings; a bug is left as it is.
        case $name in
        co_cluster | em | scan) "$tool" check --tool race --race-model lockstep --format json -o "$static" $defines "$path" || [ -f "$static" ] ;;
        esac
        for scheme in boyer-race boyer-bank coalesce grace-stmt grace-addr; do
            out=$(dirname "$source")/$name.$scheme.cu
            "$tool" instrument --scheme $scheme $defines -o "$dir/examples/$out" "$path"
            echo "$name $scheme $out $defines" >>"$dir/list"
            case $scheme in grace-*) ;; *) continue ;; esac
            if [ ! -f "$static" ]; then continue; fi
            out=$(dirname "$source")/$name.$scheme-static.cu
            "$tool" instrument --scheme $scheme --static "$static" $defines -o "$dir/examples/$out" "$path"
            echo "$name $scheme-static $out $defines" >>"$dir/list"
        done
    done
    echo "$dir: $(wc -l <"$dir/list") programs"
}

# best prints the shortest wall clock time of several runs, in milliseconds.
best() {
    least=
    for _ in $(seq "$runs"); do
        from=$(date +%s%N)
        WARPGRIND_REPORT=$dir/report.json "$1" </dev/null >"$dir/out.txt" 2>"$dir/err.txt" || true
        took=$((($(date +%s%N) - from) / 1000))
        if [ -z "$least" ] || [ "$took" -lt "$least" ]; then least=$took; fi
    done
    echo "$least"
}

run() {
    echo "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1), $("$nvcc" --version | sed -n 's/.*release //p'), $(date +%F)"
    echo
    echo "| program | scheme | time, ms | ratio | output | findings |"
    echo "| --- | --- | --- | --- | --- | --- |"
    while read -r name scheme source defines; do
        exe=$dir/$name.$scheme
        if ! "$nvcc" $flags $defines -o "$exe" "$dir/examples/$source" 2>"$dir/nvcc.txt"; then
            echo "| $name | $scheme | does not compile: $(head -1 "$dir/nvcc.txt") | | | |"
            continue
        fi
        rm -f "$dir/report.json"
        took=$(best "$exe")
        if [ "$scheme" = original ]; then
            plain=$took
            cp "$dir/out.txt" "$dir/want.txt"
            found=-
            if command -v compute-sanitizer >/dev/null; then
                found=$(compute-sanitizer --tool racecheck "$exe" </dev/null 2>&1 | sed -n 's/.*RACECHECK SUMMARY: //p')
            fi
        else
            found=0
            if [ -f "$dir/report.json" ]; then found=$(grep -c '"rule":' "$dir/report.json" || true); fi
        fi
        same=differs
        if cmp -s "$dir/out.txt" "$dir/want.txt"; then same=same; fi
        awk -v n="$name" -v s="$scheme" -v t="$took" -v p="$plain" -v o="$same" -v f="$found" \
            'BEGIN { printf "| %s | %s | %.1f | %.2fx | %s | %s |\n", n, s, t / 1000, t / p, o, f }'
    done <"$dir/list"
}

case $1 in
prepare) prepare ;;
run) run ;;
*)
    echo "$0: $1 is neither prepare nor run" >&2
    exit 2
    ;;
esac
