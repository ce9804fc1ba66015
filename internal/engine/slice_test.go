package engine_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/engine"
)

// TestSpin bounds the instructions of programs whose warps wait for each other: a turn that
// is spent on spinning ends soon.
func TestSpin(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		most       uint64 // warp instructions
	}{
		{"flag of the last warp", `setp.eq.u32 %p0, %t, 255; @%p0 bra SET;
		L:	ld.volatile.global.u32 %r0, [%base+8]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L; bra COUNT;
		SET:	st.volatile.global.u32 [%base+8], 1;
		COUNT:	red.global.add.u32 [%base+4], 1;`, 400},
		{"lock", `
		L:	atom.global.cas.b32 %r0, [%base], 0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;
			ld.volatile.global.u32 %r1, [%base+4]; add.u32 %r1, %r1, 1; st.volatile.global.u32 [%base+4], %r1;
			atom.global.exch.b32 %r0, [%base], 0;`, 30000},
	} {
		for _, order := range []engine.Order{engine.DefaultOrder, engine.ReverseOrder} {
			t.Run(tt.name+"/"+order.String(), func(t *testing.T) {
				out := newBuffer(t, 12)
				res := mustRun(t, launch{src: simple("", tt.body), block: 256, params: []any{out}, schedule: engine.Schedule{Order: order}})
				if got := out.u32()[1]; got != 256 {
					t.Errorf("%d threads counted, want 256", got)
				}
				if res.Counts.WarpInstrs > tt.most {
					t.Errorf("%d warp instructions, want at most %d", res.Counts.WarpInstrs, tt.most)
				}
			})
		}
	}
}
