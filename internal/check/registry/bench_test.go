package registry_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// observed is a kernel of little but accesses to shared memory: it fills an
// array, and then a store of each thread's own word and four loads of others,
// between barriers, come again and again. What is inserted puts the number of
// the loaded word into %r4, from the thread's number %r1 and from %r7.
const observed = `.version 7.0
.target sm_80
.address_size 64
.visible .entry k()
{
	.reg .pred %%p; .reg .b32 %%r<20>;
	.shared .align 4 .b8 s[32768];
	mov.u32 %%r1, %%tid.x;
	mov.u32 %%r2, s;
	mov.u32 %%r3, 0;
	mov.u32 %%r7, %%r1;
	shl.b32 %%r9, %%r1, 2;
	add.u32 %%r9, %%r9, %%r2;
	mov.u32 %%r10, %%r9;
F:
	st.shared.u32 [%%r10], %%r3;
	add.u32 %%r10, %%r10, 1024;
	add.u32 %%r3, %%r3, 1;
	setp.lt.u32 %%p, %%r3, 32;
	@%%p bra F;
	mov.u32 %%r3, 0;
L:
	bar.sync 0;
	st.shared.u32 [%%r9], %%r3;
	%s
	and.b32 %%r4, %%r4, 8191;
	shl.b32 %%r4, %%r4, 2;
	add.u32 %%r4, %%r4, %%r2;
	bar.sync 0;
	ld.shared.u32 %%r5, [%%r4];
	ld.shared.u32 %%r6, [%%r4];
	ld.shared.u32 %%r5, [%%r4];
	ld.shared.u32 %%r5, [%%r4];
	add.u32 %%r3, %%r3, 1;
	setp.lt.u32 %%p, %%r3, 32;
	@%%p bra L;
	ret;
}
`

// accessesPerBlock is the warp accesses of a block of 256 threads.
const accessesPerBlock = 8 * (32 + 32*5)

// BenchmarkObserved measures a warp's access to shared memory with rules that
// watch it, from instruction to finding: ns/access is for all rules together.
func BenchmarkObserved(b *testing.B) {
	patterns := []struct{ name, index string }{
		{"contiguous", "mov.u32 %r4, %r1;"},
		{"uniform", "shr.u32 %r4, %r1, 5;"},
		{"strided", "mul.lo.u32 %r4, %r1, 17;"},
		{"tile", "and.b32 %r4, %r1, 15; shr.u32 %r8, %r1, 4; mad.lo.u32 %r4, %r8, 18, %r4;"},
		{"scattered", "mad.lo.u32 %r7, %r7, 1664525, 1013904223; shr.u32 %r4, %r7, 9; mad.lo.u32 %r4, %r4, 256, %r1;"},
		{"random", "mov.u32 %r8, %ctaid.x; mad.lo.u32 %r7, %r7, 1664525, %r8; shr.u32 %r4, %r7, 9; mad.lo.u32 %r4, %r4, 256, %r1;"},
	}
	for _, p := range patterns {
		for _, tools := range []string{"launch", "race", "bank", "init", "race,bank", "default"} {
			b.Run(p.name+"/"+tools, func(b *testing.B) { benchObserved(b, p.index, tools) })
		}
	}
}

func benchObserved(b *testing.B, index, tools string) {
	m, err := ptx.Parse("k.ptx", []byte(fmt.Sprintf(observed, index)))
	if err != nil {
		b.Fatal(err)
	}
	p, err := lower.Kernel(m, "k", nil)
	if err != nil {
		b.Fatal(err)
	}
	rules, err := registry.Select(tools)
	if err != nil {
		b.Fatal(err)
	}
	arena, err := mem.New(1 << 30)
	if err != nil {
		b.Fatal(err)
	}
	defer arena.Close()
	a, _ := arch.Parse("sm_80")
	var checkers []check.Checker
	var observers []*trace.Observer
	for _, r := range rules {
		c := r.New(check.Config{Arch: a})
		checkers, observers = append(checkers, c), append(observers, c.Observer())
	}
	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1, Observers: observers})
	const blocks = 500
	l := engine.Launch{Grid: trace.Dim3{X: blocks, Y: 1, Z: 1}, Block: trace.Dim3{X: 256, Y: 1, Z: 1}}
	for b.Loop() {
		if res, err := e.Run(context.Background(), p, l); err != nil || res.Fault != nil {
			b.Fatal(err, res.Fault)
		}
	}
	for _, x := range checkers {
		if fs := x.Findings(); len(fs) > 0 && fs[0].Level == finding.Error {
			b.Fatal(fs[0].Message)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*blocks*accessesPerBlock), "ns/access")
}
