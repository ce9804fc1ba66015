package engine_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp"
)

// TestUnsetInFunction: registers that a function reads before it sets them are 0 at each call,
// on every executor, whatever an earlier call, or one of another function, has left.
func TestUnsetInFunction(t *testing.T) {
	defer useOwnExecutor()
	decls := `
.func (.param .b32 r) sum(.param .b32 n)
{
	.reg .b32 %n, %s, %u; .reg .b64 %w; .reg .pred %q, %p;
	ld.param.b32 %n, [n];
	@%q bra SET;
	add.u32 %s, %u, %n;
	cvt.u32.u64 %u, %w;
	add.u32 %s, %s, %u;
	setp.eq.u32 %p, %n, 0;
	@%p bra OUT;
	sub.u32 %n, %n, 1;
	{ .param .b32 a; .param .b32 b; st.param.b32 [a], %n; call.uni (b), sum, (a); ld.param.b32 %u, [b]; }
	add.u32 %s, %s, %u;
SET:
	mov.u32 %u, 1000;
	mov.u64 %w, 100000;
	setp.eq.u32 %q, %u, 1000;
OUT:
	st.param.b32 [r], %s;
	ret;
}
.func (.param .b32 r) once()
{
	.reg .b32 %u;
	st.param.b32 [r], %u;
	mov.u32 %u, 7;
	ret;
}`
	body := `
	{ .param .b32 a; .param .b32 b; and.b32 %r2, %t, 3; st.param.b32 [a], %r2; call.uni (b), sum, (a); ld.param.b32 %r1, [b]; }
	{ .param .b32 b; call.uni (b), once, (); ld.param.b32 %r3, [b]; call.uni (b), once, (); ld.param.b32 %r4, [b]; }
	shl.b32 %r3, %r3, 16;
	or.b32 %r1, %r1, %r3;
	or.b32 %r1, %r1, %r4;
	st.global.u32 [%o], %r1;`
	for _, mode := range executors() {
		warp.UseExecutor(mode)
		t.Run(mode, func(t *testing.T) {
			got := outs(t, launch{grid: 2, block: 64}, decls, body)
			expect(t, got, func(i uint32) uint32 { n := i & 3; return n * (n + 1) / 2 })
		})
	}
}
