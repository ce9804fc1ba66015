package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// withParams adds parameters to the kernel of simple.
func withParams(src, params string) string {
	return strings.Replace(src, ".u64 k_out)", ".u64 k_out, "+params+")", 1)
}

// TestParameterAddresses reads a structure that is passed by value in every
// way that compilers do.
func TestParameterAddresses(t *testing.T) {
	s := make([]byte, 64)
	for i := range 16 {
		binary.LittleEndian.PutUint32(s[4*i:], uint32(100+i*i))
	}
	at := func(i uint32) uint32 { return 100 + i*i }
	for _, c := range []bodyCase{
		{name: "register base", body: "mov.b64 %d0, k_s; ld.param.u32 %r0, [%d0+20]; st.global.u32 [%o], %r0;",
			want: func(uint32) uint32 { return at(5) }},
		{name: "dynamic index", body: `and.b32 %r1, %t, 15; mul.wide.u32 %d1, %r1, 4; mov.b64 %d0, k_s; add.u64 %d0, %d0, %d1;
			ld.param.u32 %r0, [%d0]; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return at(i % 16) }},
		{name: "generic address", body: `and.b32 %r1, %t, 15; mul.wide.u32 %d1, %r1, 4; mov.b64 %d0, k_s; cvta.param.u64 %d0, %d0; add.u64 %d2, %d0, %d1;
			ld.u32 %r0, [%d2]; ld.u32 %r2, [%d0+4]; sub.u32 %r0, %r0, %r2; isspacep.param %p0, %d2; isspacep.global %p1, %d2; @!%p0 add.u32 %r0, %r0, 1000; @!%p1 add.u32 %r0, %r0, 1000;
			cvta.to.param.u64 %d3, %d2; ld.param.u32 %r3, [%d3]; add.u32 %r0, %r0, %r3; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 2*at(i%16) - at(1) }},
		{name: "vectors", body: "ld.param.v4.u32 {%r0, %r1, _, %r2}, [k_s+16]; ld.param.v2.b64 {%d0, %d1}, [k_s+32]; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r3, %d1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; st.global.u32 [%o], %r0;",
			want: func(uint32) uint32 { return at(4) + at(7) + at(11) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := newBuffer(t, 128)
			mustRun(t, launch{src: withParams(simple("", c.body), ".param .align 16 .b8 k_s[64]"), params: []any{out, s}})
			expect(t, out.u32(), c.want)
		})
	}
	t.Run("write", func(t *testing.T) {
		src := withParams(simple("", "mov.b64 %d0, k_s; cvta.param.u64 %d0, %d0; st.u32 [%d0], %t;"), ".param .align 16 .b8 k_s[64]")
		mustFault(t, launch{src: src, params: []any{newBuffer(t, 128), s}}, trace.FaultReadOnly)
	})
}

// TestFunctionParameterAddresses takes the address of a device function's
// parameter.
func TestFunctionParameterAddresses(t *testing.T) {
	const funcs = `
.func (.param .b32 r) element(.param .align 8 .b8 s[32], .param .b32 i)
{
	.reg .b32 %x, %i; .reg .b64 %d, %e;
	ld.param.b32 %i, [i]; and.b32 %i, %i, 7; mul.wide.u32 %d, %i, 4; mov.b64 %e, s; add.u64 %d, %e, %d;
	ld.param.b32 %x, [%d]; cvta.local.u64 %d, %d; ld.b32 %i, [%d]; add.u32 %x, %x, %i; ld.param.b32 %i, [s+4]; add.u32 %x, %x, %i;
	st.param.b32 [r], %x; ret;
}
.func (.param .b32 r) twice(.param .align 8 .b8 s[32], .param .b32 i)
{
	.reg .b32 %x, %i; .reg .b64 %d; .reg .pred %p;
	ld.param.b32 %i, [i]; setp.eq.u32 %p, %i, 0; @%p bra ZERO;
	{ .param .align 8 .b8 a[32]; .param .b32 b; .param .b32 y; ld.param.b64 %d, [s]; st.param.b64 [a], %d; ld.param.b64 %d, [s+8]; add.u64 %d, %d, 1; st.param.b64 [a+8], %d;
	st.param.b32 [b], 0; call (y), twice, (a, b); ld.param.b32 %x, [y]; }
	mov.b64 %d, s; ld.param.b32 %i, [%d+8]; add.u32 %x, %x, %i; st.param.b32 [r], %x; ret;
ZERO:	mov.b64 %d, s; ld.local.b32 %x, [%d+8]; st.param.b32 [r], %x; ret;
}`
	const fill = `{ .param .align 8 .b8 s[32]; .param .b32 i; .param .b32 y;
		st.param.v4.b32 [s], {%t, 7, 8, 9}; st.param.v2.b64 [s+16], {5, 6}; st.param.b32 [i], %t;
		call (y), `
	runCases(t, []bodyCase{
		{name: "dynamic index", decls: funcs, body: fill + "element, (s, i); ld.param.b32 %r0, [y]; st.global.u32 [%o], %r0; }",
			want: func(i uint32) uint32 { return 2*[]uint32{i, 7, 8, 9, 5, 0, 6, 0}[i%8] + 7 }},
		{name: "in a recursive function", decls: funcs, body: fill + "twice, (s, i); ld.param.b32 %r0, [y]; st.global.u32 [%o], %r0; }",
			want: func(i uint32) uint32 { return pick(i == 0, 8, 17) }},
	})
}

func TestStack(t *testing.T) {
	const f = `
.func (.param .b32 r) sum(.param .b32 n)
{
	.reg .b32 %n, %i, %s, %v; .reg .b64 %p, %q, %save; .reg .pred %c; .local .b32 guard;
	ld.param.b32 %n, [n]; st.local.b32 [guard], 77; shl.b32 %s, %n, 2; alloca.u64 %p, %s, 16; stacksave.u64 %save; alloca.u64 %q, 64; st.local.b32 [%q], 5; stackrestore.u64 %save;
	mov.u32 %i, 0;
L:	setp.ge.u32 %c, %i, %n; @%c bra E; mul.wide.u32 %q, %i, 4; add.u64 %q, %q, %p; st.local.b32 [%q], %i; add.u32 %i, %i, 1; bra L;
E:	mov.u32 %s, 0; mov.u32 %i, 0;
M:	setp.ge.u32 %c, %i, %n; @%c bra F; mul.wide.u32 %q, %i, 4; add.u64 %q, %q, %p; ld.local.b32 %v, [%q]; add.u32 %s, %s, %v; add.u32 %i, %i, 1; bra M;
F:	ld.local.b32 %v, [guard]; add.u32 %s, %s, %v; and.b64 %p, %p, 15; cvt.u32.u64 %v, %p; add.u32 %s, %s, %v; st.param.b32 [r], %s; ret;
}`
	runCases(t, []bodyCase{
		{name: "an array per lane, given back", decls: f, body: `mov.u32 %r1, 0;
		A:	{ .param .b32 n; .param .b32 y; st.param.b32 [n], %t; call (y), sum, (n); ld.param.b32 %r0, [y]; }
			add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 3000; @%p0 bra A; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 77 + i*(i-1)/2*min(i, 1) }},
		{name: "in the kernel", body: `.local .b32 x; st.local.b32 [x], 3; alloca.u32 %r1, 8; st.local.b32 [%r1], %t; stacksave.u32 %r2; alloca.u32 %r5, 16; st.local.b32 [%r5], 9; stackrestore.u32 %r2; ld.local.b32 %r3, [%r1]; sub.u32 %r2, %r2, %r1; add.u32 %r3, %r3, %r2;
			ld.local.b32 %r4, [x]; add.u32 %r3, %r3, %r4; st.global.u32 [%o], %r3;`,
			want: func(i uint32) uint32 { return i + 11 }},
	})
}

func TestWideRegisters(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"load and store", "ld.global.b128 %q0, [%d10]; st.global.b128 [%d11], %q0;"},
		{"through halves", "ld.global.b128 %q0, [%d10]; mov.b128 {%d0, %d1}, %q0; mov.b128 %q1, {%d0, %d1}; mov.b128 %q2, %q1; st.global.b128 [%d11], %q2;"},
		{"through words", "ld.global.b128 %q0, [%d10]; mov.b128 {%r0, %r1, %r2, %r3}, %q0; mov.b128 %q1, {%r0, %r1, %r2, %r3}; st.b128 [%d11], %q1;"},
		{"eight elements", "ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%d10]; st.global.v4.b32 [%d11], {%r0, %r1, %r2, %r3};"},
		{"ldu", "ldu.global.b128 %q0, [%d10]; st.global.b128 [%d11], %q0;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, out := newBuffer(t, 33*16), newBuffer(t, 32*16)
			for i := range in.bytes() {
				in.bytes()[i] = byte(i*11 + 5)
			}
			src := withParams(simple("", ".reg .b128 %q<3>; ld.param.u64 %d10, [k_in]; mul.wide.u32 %d11, %t, 16; add.u64 %d10, %d10, %d11; add.u64 %d11, %base, %d11;\n"+c.body), ".param .u64 k_in")
			l := launch{src: src, params: []any{out, in}}
			if strings.Contains(c.body, "v8") {
				l.src = strings.Replace(src, "mul.wide.u32 %d11, %t, 16;", "and.b32 %r8, %t, -2; mul.wide.u32 %d11, %r8, 16;", 1)
			}
			mustRun(t, l)
			for i, b := range out.bytes() {
				want := in.bytes()[i]
				if l.src != src && i/16%2 == 1 {
					want = 0
				}
				if b != want {
					t.Fatalf("byte %d: got %d, want %d", i, b, want)
				}
			}
		})
	}
}

// TestClusters covers what a cluster of one block sees.
func TestClusters(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "registers", body: `
			mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, %clusterid.x; mov.u32 %r3, %nclusterid.x; mov.u32 %r4, %cluster_ctaid.x; mov.u32 %r5, %cluster_nctaid.y;
			mov.pred %p0, %is_explicit_cluster; @%p0 add.u32 %r0, %r0, 5000;
			mad.lo.u32 %r0, %r1, 10, %r0; mad.lo.u32 %r0, %r2, 100, %r0; mad.lo.u32 %r0, %r3, 1000, %r0; add.u32 %r0, %r0, %r4; add.u32 %r0, %r0, %r5; st.global.u32 [%o], %r0;`,
			l: launch{grid: 3}, want: func(i uint32) uint32 { return 3011 + i/32*100 }},
		{name: "own shared memory and barrier", decls: ".shared .b32 s[64];", body: `
			mul.wide.u32 %d0, %t, 4; mov.u64 %d1, s; add.u64 %d0, %d0, %d1; st.shared.u32 [%d0], %t;
			barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
			mov.u32 %r1, s; mapa.shared::cluster.u32 %r2, %r1, 0; sub.u32 %r3, 63, %t; mad.lo.u32 %r2, %r3, 4, %r2; ld.shared::cluster.u32 %r4, [%r2];
			cvta.shared::cluster.u64 %d2, %d0; mapa.u64 %d2, %d2, 0; ld.u32 %r5, [%d2]; getctarank.u64 %r6, %d2; add.u32 %r6, %r6, %r4; mad.lo.u32 %r6, %r5, 1000, %r6; st.global.u32 [%o], %r6;`,
			l: launch{block: 64}, want: func(i uint32) uint32 { return 63 - i + 1000*i }},
		{name: "registers of clusters of two", body: `
			mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, %clusterid.x; mov.u32 %r3, %nclusterid.x; mov.u32 %r4, %cluster_ctaid.x; mov.u32 %r5, %cluster_nctaid.x;
			mov.pred %p0, %is_explicit_cluster; @%p0 add.u32 %r0, %r0, 50000;
			mad.lo.u32 %r0, %r1, 10, %r0; mad.lo.u32 %r0, %r2, 100, %r0; mad.lo.u32 %r0, %r3, 1000, %r0; add.u32 %r0, %r0, %r4; mad.lo.u32 %r0, %r5, 10000, %r0; st.global.u32 [%o], %r0;`,
			l: launch{grid: 6, cluster: 2}, want: func(i uint32) uint32 { return 50000 + 23020 + i/64*100 + 2*(i/32%2) }},
		{name: "stores, atomics and loads in other blocks' shared memory", decls: ".shared .b32 s[64];", body: `
			barrier.cluster.arrive; barrier.cluster.wait;
			mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mov.u32 %r3, s; mad.lo.u32 %r4, %t, 4, %r3;
			mapa.shared::cluster.u32 %r5, %r4, %r2; mad.lo.u32 %r6, %ct, 100, %t; st.shared::cluster.u32 [%r5], %r6;
			barrier.cluster.arrive; barrier.cluster.wait;
			cvt.u64.u32 %d0, %r5; cvta.shared::cluster.u64 %d0, %d0; getctarank.u64 %r8, %d0; atom.add.u32 %r9, [%d0], 1000;
			barrier.cluster.arrive; barrier.cluster.wait;
			ld.shared.u32 %r7, [%r4]; mad.lo.u32 %r7, %r8, 10000, %r7; ld.u32 %r9, [%d0]; add.u32 %r7, %r7, %r9; st.global.u32 [%o], %r7;
			barrier.cluster.arrive; barrier.cluster.wait;`,
			l: launch{grid: 4, cluster: 2}, want: func(i uint32) uint32 { b := i / 32; return 2*(i%32) + 100*b + 100*(b^1) + 2000 + 10000*(b&1^1) }},
		{name: "lanes reach different blocks at once", decls: ".shared .b32 s[4];", body: `
			mov.u32 %r1, s; mad.lo.u32 %r2, %ct, 7, 5; setp.eq.u32 %p0, %t, 0; @%p0 st.shared.u32 [%r1], %r2;
			barrier.cluster.arrive; barrier.cluster.wait;
			and.b32 %r3, %t, 3; mapa.shared::cluster.u32 %r4, %r1, %r3; ld.shared::cluster.u32 %r5, [%r4]; st.global.u32 [%o], %r5;
			barrier.cluster.arrive; barrier.cluster.wait;`,
			l: launch{grid: 8, cluster: 4}, want: func(i uint32) uint32 { return (i/128*4+i%4)*7 + 5 }},
		{name: "work between arriving and waiting, warps in different order", decls: ".shared .b32 s[2];", body: `
			mov.u32 %r1, s; setp.lt.u32 %p0, %t, 32; @!%p0 bra SECOND;
			barrier.cluster.arrive; barrier.cluster.wait; st.shared.u32 [%r1], 7; bar.sync 0; bra DONE2;
		SECOND: barrier.cluster.arrive; bar.sync 0; barrier.cluster.wait;
		DONE2: ld.shared.u32 %r2, [%r1]; st.global.u32 [%o], %r2;`,
			l: launch{grid: 4, block: 64, cluster: 2}, want: fixed(7)},
		{name: "threads that have ended are not waited for", body: `
			setp.eq.u32 %p0, %t, 3; @%p0 ret; setp.eq.u32 %p1, %ct, 1; @%p1 ret;
			barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%o], 1;`,
			l: launch{grid: 4, cluster: 2}, want: func(i uint32) uint32 { return pick(i%32 == 3 || i/32 == 1, 0, 1) }},
		{name: "one leader, hints that do nothing", body: `
			mov.u32 %r0, 0; elect.sync _|%p0, -1; @%p0 add.u32 %r0, %r0, 1; griddepcontrol.wait; griddepcontrol.launch_dependents; setmaxnreg.inc.sync.aligned.u32 64; nanosleep.u32 10; pmevent 1; brkpt;
			createpolicy.fractional.L2::evict_first.b64 %d0, 1.0; ld.global.L2::cache_hint.b32 %r1, [%o], %d0; prefetch.global.L2 [%o]; add.u32 %r0, %r0, %r1; st.global.L2::cache_hint.b32 [%o], %r0, %d0;`,
			want: func(i uint32) uint32 { return pick(i == 0, 1, 0) }},
	})
}

// TestSpecialRegisters reads every register that has a fixed value here.
func TestSpecialRegisters(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "positions", body: `
			mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.w; add.u32 %r0, %r0, %r1; mov.u32 %r1, %ntid.w; add.u32 %r0, %r0, %r1; mov.u32 %r1, %ctaid.w; add.u32 %r0, %r0, %r1; mov.u32 %r1, %nctaid.w; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return i }},
		{name: "whole vectors", body: `
			mov.v4.u32 {%r0, %r1, %r2, _}, %tid; mov.v4.u32 {%r3, %r4, %r5, %r6}, %ntid; mad.lo.u32 %r0, %r3, 100, %r0; add.u32 %r0, %r0, %r4; add.u32 %r0, %r0, %r2; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 3201 + i }},
		{name: "half of a register", body: `
			.reg .u16 %s<3>; mov.u16 %s0, %tid.x; cvt.u32.u16 %r0, %ntid.x; mul.wide.u16 %r1, %s0, 3; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 32 + 3*i }},
		{name: "shared memory sizes", decls: ".shared .b32 s[4]; .extern .shared .b32 d[];", body: `
			mov.u32 %r1, s; mov.u32 %r1, d; mov.u32 %r0, %dynamic_smem_size; mov.u32 %r1, %total_smem_size; mad.lo.u32 %r0, %r1, 1000, %r0; mov.u32 %r1, %reserved_smem_offset_begin; add.u32 %r0, %r0, %r1;
			mov.u32 %r1, %aggr_smem_size; mov.u32 %r2, %total_smem_size; sub.u32 %r1, %r1, %r2; add.u32 %r0, %r0, %r1; mov.b32 %r1, %reserved_smem_offset_cap; add.u32 %r0, %r0, %r1; mov.b32 %r1, %reserved_smem_offset_1; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`,
			l: launch{shared: 48}, want: func(uint32) uint32 { return 48 + 1000*64 }},
		{name: "counters that stay 0", body: `
			mov.u32 %r0, %pm0; mov.u64 %d0, %pm3_64; mov.b32 %r1, %envreg7; mov.u64 %d1, %current_graph_exec; cvt.u32.u64 %r2, %d0; cvt.u32.u64 %r3, %d1; or.b32 %r0, %r0, %r1; or.b32 %r0, %r0, %r2; or.b32 %r0, %r0, %r3; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 { return 0 }},
		{name: "clocks move on", body: `
			mov.u32 %r0, %clock; mov.u64 %d0, %clock64; mov.u64 %d1, %globaltimer; mov.u32 %r3, %globaltimer_lo; mov.u32 %r4, %globaltimer_hi; mov.u32 %r5, %clock_hi; mov.u64 %d2, %clock64; mov.u32 %r1, %clock;
			setp.gt.u32 %p0, %r1, %r0; setp.gt.u64 %p1, %d2, %d0; and.pred %p0, %p0, %p1; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%o], %r2;`,
			want: func(uint32) uint32 { return 1 }},
		{name: "warp size", body: "mov.u32 %r0, WARP_SZ; st.global.u32 [%o], %r0;", want: func(uint32) uint32 { return 32 }},
	})
}

// TestOldPrograms covers what PTX ISA 1.x wrote without modifiers and what
// targets before sm_20 do with subnormals.
func TestOldPrograms(t *testing.T) {
	f := func(x float32) uint32 { return math.Float32bits(x) }
	for _, c := range []struct {
		target, body string
		want         uint32
	}{
		{"sm_10", "mov.f32 %f0, 0f00000001; add.f32 %f1, %f0, %f0; st.global.f32 [%o], %f1;", 0},
		{"sm_20", "mov.f32 %f0, 0f00000001; add.f32 %f1, %f0, %f0; st.global.f32 [%o], %f1;", 2},
		{"sm_13", "mov.f32 %f0, 0f40400000; mad.f32 %f1, %f0, %f0, %f0; st.global.f32 [%o], %f1;", f(12)},
		{"sm_10", "mov.f32 %f0, 0f40800000; rcp.f32 %f1, %f0; sqrt.f32 %f2, %f0; add.f32 %f1, %f1, %f2; rsqrt.f32 %f2, %f0; add.f32 %f1, %f1, %f2; div.f32 %f2, %f0, 0f40000000; add.f32 %f1, %f1, %f2; st.global.f32 [%o], %f1;", f(0.25 + 2 + 0.5 + 2)},
		{"sm_10", "mov.f32 %f0, 0f00000000; sin.f32 %f1, %f0; cos.f32 %f2, %f0; ex2.f32 %f3, %f2; lg2.f32 %f4, %f3; add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3; add.f32 %f1, %f1, %f4; st.global.f32 [%o], %f1;", f(4)},
		{"sm_13", "mov.f64 %g0, 0d4010000000000000; sqrt.f64 %g1, %g0; rcp.f64 %g2, %g0; div.f64 %g3, %g0, %g1; mad.f64 %g3, %g3, %g1, %g2; rsqrt.f64 %g0, %g0; add.f64 %g3, %g3, %g0; cvt.rn.f32.f64 %f0, %g3; st.global.f32 [%o], %f0;", f(4.75)},
		{"sm_10", "mov.f32 %f0, 0f40600000; cvt.rzi.s32.f32 %r0, %f0; cvt.rn.f32.s32 %f1, %r0; add.f32 %f1, %f1, %f0; st.global.f32 [%o], %f1;", f(6.5)},
		{"sm_10", "mov.f32 %f0, 0f80000001; setp.lt.f32 %p0, %f0, 0f00000000; selp.u32 %r0, 1, 2, %p0; st.global.u32 [%o], %r0;", 2},
		{"sm_10", "set.lt.u32.s32 %r0, 1, 2; set.lt.f32.s32 %f0, 1, 2; mul24.lo.u32 %r1, 0xff000003, 5; sad.u32 %r1, %r1, 20, 7; cvt.rzi.u32.f32 %r2, %f0; and.b32 %r0, %r0, 256; add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; st.global.u32 [%o], %r0;", 256 + 12 + 1},
		{"sm_12", "setp.lt.u32 %p0, %t, 40; vote.all.pred %p1, %p0; vote.any.pred %p2, !%p0; vote.uni.pred %p3, %p0; selp.u32 %r0, 1, 0, %p1; @%p2 add.u32 %r0, %r0, 10; @%p3 add.u32 %r0, %r0, 100; st.global.u32 [%o], %r0;", 101},
	} {
		out := newBuffer(t, 128)
		src := strings.Replace(simple("", c.body), ".version 8.3\n.target sm_80", ".version 1.4\n.target "+c.target, 1)
		mustRun(t, launch{src: src, params: []any{out}})
		if got := out.u32()[5]; got != c.want {
			t.Errorf("%s, %s: got %#x, want %#x", c.target, c.body, got, c.want)
		}
	}
}

// TestOperandForms covers components, sinks, negated predicates and pairs.
func TestOperandForms(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "vector registers", body: `
			.reg .v4 .u32 %v; .reg .v2 .f32 %w; mov.u32 %v.x, %t; mov.u32 %v.y, 3; mov.u32 %v.b, 5; mov.u32 %v.a, 7; mov.f32 %w.x, 0f40000000;
			mad.lo.u32 %r0, %v.r, %v.g, %v.z; add.u32 %r0, %r0, %v.w; cvt.rzi.u32.f32 %r1, %w.r; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 3*i + 14 }},
		{name: "packing", body: `
			mov.b32 %r0, {%h0, %h1}; cvt.u16.u32 %h0, %t; mov.b32 %r0, {%h0, 2}; mov.b32 {_, %h1}, %r0; mov.b64 %d0, {%r0, %t}; mov.b64 {%r1, %r2}, %d0; cvt.u32.u16 %r3, %h1; mad.lo.u32 %r3, %r3, 65536, %r1; add.u32 %r3, %r3, %r2; st.global.u32 [%o], %r3;`,
			want: func(i uint32) uint32 { return i + 2<<16 + 2<<16 + i }},
		{name: "predicates", body: `
			setp.lt.u32 %p0|%p1, %t, 9; setp.gt.and.u32 %p2|_, %t, 3, %p0; setp.eq.or.u32 %p3|%p4, %t, 20, !%p0; not.pred %p5, %p3; xor.pred %p6, %p1, %p5;
			selp.u32 %r0, 1, 0, %p2; @!%p3 add.u32 %r0, %r0, 10; @%p4 add.u32 %r0, %r0, 100; @%p6 add.u32 %r0, %r0, 1000; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 {
				less := i < 9
				p3, p4 := i == 20 || !less, i != 20 || !less
				r := pick(less && i > 3, 1, 0) + pick(!p3, 10, 0) + pick(p4, 100, 0)
				return r + pick(!less != !p3, 1000, 0)
			}},
		{name: "lop3 with a predicate, three-way minimum", body: `
			setp.eq.u32 %p0, %t, 3; lop3.or.b32 %r0|%p1, %t, 1, 0, 0xc0, %p0; lop3.and.b32 _|%p2, %t, 2, 0, 0xc0, %p1; @%p1 add.u32 %r0, %r0, 10; @%p2 add.u32 %r0, %r0, 100;
			cvt.rn.f32.u32 %f0, %t; min.f32 %f1, %f0, 0f40A00000, 0f41000000; max.abs.f32 %f1, %f1, 0fC0400000, 0f00000000; cvt.rzi.u32.f32 %r1, %f1; mad.lo.u32 %r0, %r1, 1000, %r0; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 {
				r := i & 1
				p1 := r != 0 || i == 3
				r += pick(p1, 10, 0) + pick(i&2 != 0 && p1, 100, 0)
				return r + 1000*max(min(i, 5), 3)
			}},
		{name: "guarded instructions keep the rest", body: `
			mov.u32 %r0, 7; and.b32 %r1, %t, 1; setp.eq.u32 %p0, %r1, 1; @%p0 mul.lo.u32 %r0, %t, %t; @!%p0 popc.b32 %r0, %t; @%p0 brev.b32 %r2, %t; @!%p0 mov.u32 %r2, 0; xor.b32 %r0, %r0, %r2; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 {
				return pick(i&1 == 1, i*i^bits.Reverse32(i), uint32(bits.OnesCount32(i)))
			}},
	})
}

// TestVectorAtomics adds vectors element by element.
func TestVectorAtomics(t *testing.T) {
	f := func(x float32) uint32 { return math.Float32bits(x) }
	for _, c := range []struct {
		name, body string
		want       []uint32 // of the first words of global memory
	}{
		{"v2.f32", "mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0f40000000; atom.global.add.v2.f32 {%f2, %f3}, [%base], {%f0, %f1};", []uint32{f(32), f(64), 0}},
		{"v4.f32", "mov.f32 %f0, 0f3F800000; red.relaxed.gpu.global.add.v4.f32 [%base], {%f0, %f0, %f0, %f0};", []uint32{f(32), f(32), f(32), f(32), 0}},
		{"v2.f16x2", "mov.b32 %r0, 0x3c004000; red.global.add.noftz.v2.f16x2 [%base], {%r0, %r0};", []uint32{0x50005400, 0x50005400, 0}},
		{"v4.bf16", "mov.b16 %h0, 0x3f80; red.global.add.noftz.v4.bf16 [%base], {%h0, %h0, %h0, %h0};", []uint32{0x42004200, 0x42004200, 0}},
		{"v8.f16 max", "mov.b16 %h0, 0x4000; red.global.max.noftz.v8.f16 [%base], {%h0, %h0, %h0, %h0, %h0, %h0, %h0, %h0};", []uint32{0x40004000, 0x40004000, 0x40004000, 0x40004000, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := newBuffer(t, 128)
			mustRun(t, launch{src: simple("", c.body), params: []any{out}})
			for i, w := range c.want {
				if got := out.u32()[i]; got != w {
					t.Errorf("word %d: got %#x, want %#x", i, got, w)
				}
			}
		})
	}
}

// TestTransactions ends a phase of a barrier by the bytes that it expects.
func TestTransactions(t *testing.T) {
	runCases(t, []bodyCase{{name: "expect and complete", decls: ".shared .align 8 .b64 bar;", body: `
		mov.u32 %r1, bar; setp.ne.u32 %p0, %t, 0; @%p0 bra DONE; mbarrier.init.shared.b64 [%r1], 1; mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], 16;
		mbarrier.arrive.shared.b64 %d0, [%r1]; mbarrier.test_wait.shared.b64 %p1, [%r1], %d0; mbarrier.complete_tx.relaxed.cta.shared.b64 [%r1], 16; mbarrier.test_wait.shared.b64 %p2, [%r1], %d0;
		selp.u32 %r0, 1, 0, %p1; @%p2 add.u32 %r0, %r0, 10; st.global.u32 [%o], %r0;`,
		want: func(i uint32) uint32 { return pick(i == 0, 10, 0) }}})
}

// TestWideAtomics counts in 128 bits by compare-and-swap, the upper half twice as fast, and passes a
// value on by exchanges.
func TestWideAtomics(t *testing.T) {
	const count = `@!%p0 bra NOT; ld.SPACE.v2.u64 {%d0, %d1}, [%d10];
		AGAIN: add.u64 %d2, %d0, 1; add.u64 %d3, %d1, 2; mov.b128 %q0, {%d0, %d1}; mov.b128 %q1, {%d2, %d3};
		atom.SPACE.cas.b128 %q2, [%d10], %q0, %q1; mov.b128 {%d4, %d5}, %q2;
		setp.eq.u64 %p1, %d4, %d0; setp.eq.and.u64 %p1, %d5, %d1, %p1; mov.u64 %d0, %d4; mov.u64 %d1, %d5; @!%p1 bra AGAIN;
		NOT: `
	for _, c := range []struct {
		name, body string
		grid       int
		want       [2]uint64
	}{
		{"count", strings.ReplaceAll("setp.lt.u32 %p0, %t, 17;"+count, "SPACE", "global"), 3, [2]uint64{1000 + 51, 2000 + 102}},
		{"count in shared memory", strings.ReplaceAll("setp.eq.u32 %p1, %t, 0; ld.global.v2.u64 {%d6, %d7}, [%d10]; mov.u64 %d11, %d10; mov.u64 %d10, s; @%p1 st.shared.v2.u64 [%d10], {%d6, %d7}; bar.sync 0;"+
			"setp.lt.u32 %p0, %t, 17;"+count+"bar.sync 0; ld.shared.v2.u64 {%d6, %d7}, [%d10]; setp.eq.u32 %p1, %t, 0; @%p1 st.global.v2.u64 [%d11], {%d6, %d7};", "SPACE", "shared"), 1, [2]uint64{1000 + 17, 2000 + 34}},
		// Each thread adds the difference of what it put there and what it found: the sum is that of the first and the last value.
		{"exchange", `cvt.u64.u32 %d0, %t; mul.lo.u64 %d1, %d0, 3; mov.b128 %q0, {%d0, %d1}; atom.global.acq_rel.gpu.exch.b128 %q1, [%d10], %q0; mov.b128 {%d2, %d3}, %q1;
			sub.u64 %d2, %d2, %d0; sub.u64 %d3, %d3, %d1; red.global.add.u64 [%d10+16], %d2; red.global.add.u64 [%d10+24], %d3; bar.sync 0;
			setp.eq.u32 %p1, %t, 0; ld.global.v2.u64 {%d0, %d1}, [%d10]; ld.global.v2.u64 {%d2, %d3}, [%d10+16]; add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d3; @%p1 st.global.v2.u64 [%d10], {%d0, %d1};`, 1, [2]uint64{1000, 2000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, out := newBuffer(t, 32), newBuffer(t, 4)
			binary.LittleEndian.PutUint64(in.bytes(), 1000)
			binary.LittleEndian.PutUint64(in.bytes()[8:], 2000)
			src := withParams(simple(".shared .align 16 .b8 s[16];\n", ".reg .b128 %q<3>; ld.param.u64 %d10, [k_in];\n"+c.body), ".param .u64 k_in")
			src = strings.Replace(src, ".version 8.3\n.target sm_80", ".version 8.6\n.target sm_90", 1)
			mustRun(t, launch{src: src, grid: c.grid, block: 32, params: []any{out, in}, arch: "sm_90"})
			if low, high := binary.LittleEndian.Uint64(in.bytes()), binary.LittleEndian.Uint64(in.bytes()[8:]); low != c.want[0] || high != c.want[1] {
				t.Errorf("got %d and %d, want %d", low, high, c.want)
			}
		})
	}
}

// TestVectorMoves packs elements into a vector register, moves it, and takes it apart, by each
// type that mov.v2 and mov.v4 have.
func TestVectorMoves(t *testing.T) {
	in, out := newBuffer(t, 32*lane), newBuffer(t, 32*64)
	rand.New(rand.NewSource(4)).Read(in.bytes())
	for _, m := range executedVariants("mov") {
		if m.n == 1 {
			continue
		}
		elements := func(first int) string {
			var list []string
			for i := range m.n {
				list = append(list, fmt.Sprintf("%%e%d", first+i))
			}
			return "{" + strings.Join(list, ", ") + "}"
		}
		body := fmt.Sprintf(".reg .v%d .%s %%v, %%u; .reg .%s %%e<8>;\n", m.n, m.typ, m.typ)
		for i := range m.n {
			body += fmt.Sprintf("ld.global.b%d %%e%d, [%%d2+%d];\n", 8*m.size, i, i*m.size)
		}
		body += fmt.Sprintf("%s %%v, %s; %s %%u, %%v; %s %s, %%u;\nOUT", m.text, elements(0), m.text, m.text, elements(4))
		for i := range m.n {
			body += fmt.Sprintf("st.global.b%d [%%d4+%d], %%e%d;\n", 8*m.size, i*m.size, 4+i)
		}
		mustRun(t, launch{src: variantKernel(body), params: []any{out, in, make([]byte, 1024)}})
		for l := range 32 {
			if got, want := out.bytes()[64*l:][:m.n*m.size], in.bytes()[lane*l:][:m.n*m.size]; string(got) != string(want) {
				t.Fatalf("%s, lane %d: got %x, want %x", m.text, l, got, want)
			}
		}
	}
}
