package engine_test

import (
	"fmt"
	"strings"
	"testing"
)

// NaN that were loaded, or made of bits, keep them until an operation on float32 makes them 0x7fffffff; selections,
// moves and stores show which it is. Generated code may be late with that (native/loose.go), but not where it shows.
func TestNaN(t *testing.T) {
	const quiet, signaling = "0f7fc12345", "0fff812345"
	bodies := map[string]string{
		"chain":                 "mul.f32 %f1, %f0, %f2; add.f32 %f1, %f1, %f0; fma.rn.f32 %f1, %f1, %f1, %f0; st.global.f32 [%o], %f1;",
		"in place":              "mul.f32 %f1, %f0, %f2; fma.rn.f32 %f1, %f2, %f2, %f1; fma.rn.f32 %f1, %f0, %f2, %f1; mov.b32 %r0, %f1; st.global.u32 [%o], %r0;",
		"selected":              "mul.f32 %f1, %f0, %f2; selp.f32 %f3, %f1, %f0, %p; st.global.f32 [%o], %f3; add.f32 %f3, %f3, %f2; st.global.f32 [%o+4], %f3;",
		"negated":               "sub.f32 %f1, %f0, %f2; neg.f32 %f1, %f1; st.global.f32 [%o], %f1; abs.f32 %f1, %f0; st.global.f32 [%o+4], %f1;",
		"compared":              "add.f32 %f1, %f0, %f2; setp.nan.f32 %p, %f1, %f2; selp.u32 %r0, 1, 2, %p; st.global.u32 [%o], %r0; st.global.f32 [%o+4], %f1;",
		"least":                 "add.f32 %f1, %f0, %f2; min.f32 %f3, %f1, %f2; max.f32 %f1, %f1, %f0; st.global.v2.f32 [%o], {%f3, %f1};",
		"shared by two":         "add.f32 %f1, %f0, %f2; add.f32 %f3, %f1, %f2; mul.f32 %f1, %f1, %f3; st.global.v2.f32 [%o], {%f1, %f3};",
		"across a branch":       "add.f32 %f1, %f0, %f2; @%p bra SOME; add.f32 %f1, %f1, %f0; SOME: st.global.f32 [%o], %f1;",
		"flushed":               "add.ftz.f32 %f1, %f0, %f2; mul.ftz.f32 %f1, %f1, %f2; add.sat.f32 %f3, %f1, %f0; st.global.v2.f32 [%o], {%f1, %f3};",
		"sum of a loop":         "mov.f32 %f1, %f2; AGAIN: fma.rn.f32 %f1, %f2, %f0, %f1; @%q bra AGAIN; st.global.f32 [%o], %f1;",
		"loaded, used later":    "mov.f32 %f1, %f0; AGAIN: mov.b32 %r0, %f1; add.f32 %f1, %f1, %f2; @%q bra AGAIN; st.global.u32 [%o], %r0; st.global.f32 [%o+4], %f1;",
		"stored, then computed": "mov.f32 %f1, %f0; AGAIN: st.global.f32 [%o], %f1; mul.f32 %f1, %f1, %f2; @%q bra AGAIN; st.global.f32 [%o+4], %f1;",
		"kept by some":          "mov.f32 %f1, %f0; AGAIN: mul.f32 %f3, %f1, %f2; selp.f32 %f1, %f3, %f1, %p; @%q bra AGAIN; st.global.f32 [%o], %f1;",
	}
	for name, body := range bodies {
		for _, nan := range []string{quiet, signaling} {
			t.Run(name+nan, func(t *testing.T) {
				src := header + `.visible .entry k(.param .u64 k_tab, .param .u64 k_out, .param .u64 k_ctr)
{
	.reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %o; .reg .pred %p, %q;
	ld.param.u64 %o, [k_out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
	mad.lo.u32 %r2, %r2, %r3, %r1; mad.wide.u32 %o, %r2, 256, %o;
	and.b32 %r2, %r1, 3; setp.eq.u32 %p, %r2, 0; and.b32 %r3, %r1, 7;
	cvt.rn.f32.u32 %f2, %r1; selp.f32 %f0, ` + nan + `, %f2, %p;
` + strings.ReplaceAll(body, "@%q", "sub.u32 %r3, %r3, 1; setp.gt.s32 %q, %r3, 0; @%q") + "\n}\n"
				for seed := range int64(4) {
					if err := differOn(t, src, seed); err != nil {
						t.Error(fmt.Errorf("seed %d: %w", seed, err))
					}
				}
			})
		}
	}
}
