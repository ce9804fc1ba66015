package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

// parts groups functions by the longest prefix of their name that is listed.
// Prefixes starting with "internal/" are warpgrind's own. The profiler names
// code that no Go function holds, which is what the JIT made, _ExternalCode.
var parts = []struct{ prefix, part string }{
	{"runtime._ExternalCode", "jit: generated code"},
	{"internal/warp/jit", "jit: calls of generated code"},
	{"internal/warp/native", "jit: compiling"},
	{"internal/warp.", "warp: interpreter's steps, control flow"},
	{"internal/warp.memoryUnit.", memoryPart},
	{"internal/warp.accessFaults.", memoryPart},
	{"internal/warp.nativeUnit.", "jit: calls of generated code"},
	{"internal/warp/", "warp/alu: arithmetic of lanes"},
	{"internal/engine", "engine: scheduling of blocks and warps, barriers"},
	{"internal/mem", "mem: addresses, allocations, bytes"},
	{"internal/trace", "trace: events"},
	{"internal/check/race", "check: race"},
	{"internal/check/memory", "check: memory"},
	{"internal/check/init", "check: init"},
	{"internal/check/bank", "check: bank"},
	{"internal/check", "check: other rules"},
	{"internal/host", "host: runtime calls, copies"},
	{"internal/lower", "front: lowering"},
	{"internal/ptx", "front: PTX"},
	{"internal/cfg", "front: control-flow graph"},
	{"runtime.", "Go: runtime, garbage collection"},
	{"runtime/", "Go: runtime, garbage collection"},
	{"internal/runtime", "Go: runtime, garbage collection"},
	{"", "other"},
}

const memoryPart = "warp: memory path"

// assembly are functions of the memory path in assembly, some of which have no package
// in their name.
var assembly = map[string]bool{
	"scan": true, "shaped": true, "internal/warp.scan64": true, "internal/warp.scan32": true, "internal/warp.gather32": true,
	"internal/warp.shaped64": true, "internal/warp.shaped32": true, "internal/warp.load32": true,
}

// preempted is where samples fall that the scheduler's own signal comes before:
// nothing runs there for long, and what did is not known.
const preempted = "runtime.asyncPreempt"

// part says to which part of the engine a function belongs.
func part(function string) string {
	function = strings.TrimPrefix(function, "github.com/warpgrind/warpgrind/")
	if assembly[function] {
		return memoryPart
	}
	if !strings.Contains(function, ".") {
		return "assembly: helpers local to a file" // the symbol has no package
	}
	best, name := "", "other"
	for _, p := range parts {
		if strings.HasPrefix(function, p.prefix) && len(p.prefix) >= len(best) {
			best, name = p.prefix, p.part
		}
	}
	return name
}

// profile runs each kernel with all correctness checks, writes
// DIR/KERNEL.pprof and prints where the time went.
func (b *bench) profile(ctx context.Context, w io.Writer) error {
	if err := os.MkdirAll(b.cfg.profile, 0o755); err != nil {
		return err
	}
	for _, k := range b.list {
		file, err := filepath.Abs(filepath.Join(b.cfg.profile, k.name+".pprof"))
		if err != nil {
			return err
		}
		j := job{kernel: k.name, n: b.size(k, column{}), reps: b.cfg.reps}
		r, err := b.underWarpgrind(ctx, "default", j, []string{"WARPGRIND_CPUPROFILE=" + file})
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		fmt.Fprintf(w, "%s: %.3f ms, %.3g thread instructions a second\n", k.name, 1e3*r.seconds, float64(r.instructions)/r.seconds)
		if err := summarize(file, w); err != nil {
			return err
		}
	}
	return nil
}

// summarize prints the time by part and the ten hottest functions.
func summarize(file string, w io.Writer) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	functions := flat(p)
	byPart, total := map[string]float64{}, 0.0
	for _, f := range functions {
		byPart[part(f.name)] += f.ms
		total += f.ms
	}
	var names []string
	for name := range byPart {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return byPart[names[i]] > byPart[names[j]] })
	for _, name := range names {
		fmt.Fprintf(w, "  %5.1f %%  %s\n", 100*byPart[name]/total, name)
	}
	for _, f := range functions[:min(10, len(functions))] {
		fmt.Fprintf(w, "           %5.1f %%  %s\n", 100*f.ms/total, strings.TrimPrefix(f.name, "github.com/warpgrind/warpgrind/"))
	}
	return nil
}

// sample is the time spent in a function itself.
type sample struct {
	name string
	ms   float64
}

// flat returns what the functions of a CPU profile took themselves, most first. Time in inlined
// functions is theirs.
func flat(p *profile.Profile) []sample {
	value := len(p.SampleType) - 1 // nanoseconds, after the number of samples
	by := map[string]float64{}
	for _, s := range p.Sample {
		if len(s.Location) == 0 || len(s.Location[0].Line) == 0 {
			continue
		}
		if name := s.Location[0].Line[0].Function.Name; name != preempted {
			by[name] += float64(s.Value[value]) / 1e6
		}
	}
	out := make([]sample, 0, len(by))
	for name, ms := range by {
		out = append(out, sample{name, ms})
	}
	slices.SortFunc(out, func(a, b sample) int {
		return cmp.Or(cmp.Compare(b.ms, a.ms), strings.Compare(a.name, b.name))
	})
	return out
}
