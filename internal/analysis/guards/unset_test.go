package guards_test

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// TestUndefined asks whether it may matter what %f1 holds before it is written.
func TestUndefined(t *testing.T) {
	const set = "@%p1 ld.global.f32 %f1, [%rd1]; "
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"always set", "ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd1], %f1;", false},
		{"used under the same condition", set + "bar.sync 0; @%p1 st.global.f32 [%rd1], %f1;", false},
		{"computed with outside of it", set + "mul.f32 %f2, %f1, %f1; @%p1 st.global.f32 [%rd1], %f2;", false},
		{"under the same comparison, made again", set + "setp.lt.u32 %p3, %r1, %r2; @%p3 st.global.f32 [%rd1], %f1;", false},
		{"not used", set + "mul.f32 %f2, %f1, %f1;", false},
		{"a branch", "@!%p1 bra A; ld.global.f32 %f1, [%rd1]; A: bar.sync 0; @!%p1 bra B; st.global.f32 [%rd1], %f1; B:", false},
		{"used under more conditions", set + "@!%p1 bra B; @%p2 st.global.f32 [%rd1], %f1; B:", false},
		{"set under fewer conditions", "@!%p2 bra A; ld.global.f32 %f1, [%rd1]; A: @!%p2 bra B; @%p1 st.global.f32 [%rd1], %f1; B:", false},
		{"in each turn of a loop", "L: mov.f32 %f1, %f9; setp.lt.u32 %p1, %r1, %r2; " + set + "bar.sync 0; @%p1 st.global.f32 [%rd1], %f1; shr.u32 %r2, %r2, 1; setp.ne.u32 %p4, %r2, 0; @%p4 bra L;", false},
		{"beside an array", "add.u64 %rd5, %SP, 0; .pragma \"warpgrind.local a a16s4 %rd5\"; add.u64 %rd6, %SP, 64; .pragma \"warpgrind.unset x s4 %rd6\"; " +
			"add.u64 %rd7, %SPL, 0; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd7, %rd4; ld.local.f32 %f5, [%rd4]; add.u64 %rd8, %SPL, 64; ld.local.f32 %f1, [%rd8]; st.global.f32 [%rd1], %f5; " +
			set + "bar.sync 0; @%p1 st.global.f32 [%rd1], %f1;", false},
		{"joins where it is set", set + "mov.f32 %f2, 0f00000000; @%p1 mov.f32 %f2, %f1; st.global.f32 [%rd1], %f2;", false},

		{"never set", "st.global.f32 [%rd1], %f1;", true},
		{"used always", set + "st.global.f32 [%rd1], %f1;", true},
		{"used under the other outcome", set + "@!%p1 st.global.f32 [%rd1], %f1;", true},
		{"under another condition", set + "@%p2 st.global.f32 [%rd1], %f1;", true},
		{"set under two conditions, used under one", "@!%p1 bra A; @!%p2 bra A; ld.global.f32 %f1, [%rd1]; A: @%p1 st.global.f32 [%rd1], %f1;", true},
		{"the condition changes between", set + "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 st.global.f32 [%rd1], %f1;", true},
		{"the condition is read again", "ld.global.u32 %r5, [%rd1]; setp.ne.u32 %p1, %r5, 0; " + set + "bar.sync 0; ld.global.u32 %r6, [%rd1]; setp.ne.u32 %p3, %r6, 0; @%p3 st.global.f32 [%rd1], %f1;", true},
		{"from an earlier turn of a loop", "L: @%p1 st.global.f32 [%rd1], %f1; " + set + "shr.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r1, %r2; setp.ne.u32 %p4, %r2, 0; @%p4 bra L;", true},
		{"kept from turn to turn", "L: setp.lt.u32 %p1, %r1, %r2; setp.gt.u32 %p2, %r1, %r2; @%p2 ld.global.f32 %f1, [%rd1]; @%p1 st.global.f32 [%rd1], %f1; shr.u32 %r2, %r2, 1; setp.ne.u32 %p4, %r2, 0; @%p4 bra L;", true},
		{"decides a branch", set + "setp.gt.f32 %p3, %f1, 0f00000000; @%p3 st.global.u32 [%rd1], %r1;", true},
		{"exchanged", set + "mov.b32 %r4, %f1; shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1; @%p1 st.global.u32 [%rd1], %r5;", true},
		{"joins where it may not be set", set + "mov.f32 %f2, 0f00000000; @%p2 mov.f32 %f2, %f1; st.global.f32 [%rd1], %f2;", true},
		{"sums of wgmma", "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd1, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", true},
		{"sums of mma", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f5, %f6, %f7, %f8}, {%r1, %r1}, {%r1}, {%f1, %f2, %f3, %f4}; st.global.f32 [%rd1], %f5;", true},
		{"stands for a variable beside an array", "add.u64 %rd5, %SP, 0; .pragma \"warpgrind.local a a16s4 %rd5\"; add.u64 %rd6, %SP, 64; .pragma \"warpgrind.unset x s4 %rd6\"; " +
			"add.u64 %rd8, %SPL, 64; ld.local.f32 %f1, [%rd8]; " + set + "@%p2 st.global.f32 [%rd1], %f1;", true},
		{"a member of such a variable", "add.u64 %rd6, %SP, 64; .pragma \"warpgrind.unset x s16 %rd6\"; add.u64 %rd8, %SPL, 64; ld.local.f32 %f1, [%rd8+12]; st.global.f32 [%rd1], %f1;", true},
		{"local memory of which nothing is known", "add.u64 %rd8, %SPL, 64; ld.local.f32 %f1, [%rd8]; st.global.f32 [%rd1], %f1;", true},
		{"an address from memory", "ld.global.u64 %rd8, [%rd1]; ld.f32 %f1, [%rd8]; st.global.f32 [%rd1], %f1;", true},
		{"passed to a function", "{ .param .f32 a; st.param.f32 [a], %f1; call other, (a); }", true},
		{"an address", set + "cvt.rzi.u32.f32 %r4, %f1; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd4, %rd1; ld.global.u32 %r5, [%rd4]; @%p1 st.global.u32 [%rd1], %r5;", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(unsetKernel, "TEXT", c.text, 1)
			m, err := ptx.Parse("unset.ptx", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			f, err := ssa.Build(m, m.Func("k"), ssa.Options{Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := guards.Find(f).Undefined(); got != c.want {
				t.Errorf("undefined is %v, want %v\n%s", got, c.want, f)
			}
		})
	}
}

const unsetKernel = `.version 8.0
.target sm_90a
.address_size 64
.func other(.param .f32 a) { .reg .f32 %x; .reg .b64 %q; ld.param.f32 %x, [a]; mov.u64 %q, 64; st.global.f32 [%q], %x; ret; }
.visible .entry k(.param .u64 p, .param .u32 n) {
.local .align 16 .b8 __local_depot0[128]; .reg .b64 %SP; .reg .b64 %SPL;
.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<10>;
mov.u64 %SPL, __local_depot0; cvta.local.u64 %SP, %SPL; ld.param.u64 %rd1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, %r2; setp.gt.u32 %p2, %r2, 100;
TEXT
ret;
}
`
