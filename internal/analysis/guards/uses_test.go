package guards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// TestUsedBy asks which lanes of a block of 64 threads use what a read of theirs finds: FIRST
// is the predicate of the first 8 threads, LOWER that of the first warp.
func TestUsedBy(t *testing.T) {
	const all, none = ^uint32(0), 0
	first, lower := []uint32{0xff, none}, []uint32{all, none}
	for _, c := range []struct {
		name, text string
		want       []uint32 // nil for all
	}{
		{"stored by some", "mul.f32 %f2, %f1, %f1; @FIRST st.global.f32 [%rd3], %f2;", first},
		{"stored by some of those inside", "and.pred %p5, FIRST, %p4; @%p5 st.global.f32 [%rd3], %f1;", first},
		{"stored by a warp", "@LOWER st.global.f32 [%rd3], %f1;", lower},
		{"stored by the others", "@!LOWER st.global.f32 [%rd3], %f1;", []uint32{none, all}},
		{"stored twice", "@FIRST st.global.f32 [%rd3], %f1; @!LOWER st.global.f32 [%rd3], %f1;", []uint32{0xff, all}},
		{"stored by all", "st.global.f32 [%rd3], %f1;", nil},
		{"stored where data says so", "@%p4 st.global.f32 [%rd3], %f1;", nil},
		{"stored under an or", "or.pred %p5, FIRST, %p4; @%p5 st.global.f32 [%rd3], %f1;", nil},
		{"not used", "mul.f32 %f2, %f1, %f1;", []uint32{none, none}},
		{"branch", "setp.gt.f32 %p5, %f1, 0f00000000; @%p5 bra END; st.global.u32 [%rd3], %r1;", nil},
		{"branch of some", "@!FIRST bra END; setp.gt.f32 %p5, %f1, 0f00000000; @%p5 st.global.u32 [%rd3], %r1;", first},
		{"selection", "setp.gt.f32 %p5, %f1, 0f00000000; selp.u32 %r4, 1, 2, %p5; @FIRST st.global.u32 [%rd3], %r4;", first},
		{"address", "cvt.rzi.u32.f32 %r4, %f1; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd4, %rd3; st.global.u32 [%rd4], 0;", nil},
		{"address of a read", "cvt.rzi.u32.f32 %r4, %f1; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd4, %rd3; ld.global.u32 %r5, [%rd4];", nil},
		{"atomic", "red.global.add.f32 [%rd3], %f1;", nil},
		{"atomic of some", "@FIRST red.global.add.f32 [%rd3], %f1;", first},
		{"shared memory", "st.shared.f32 [s], %f1; @FIRST st.global.f32 [%rd3], %f1;", nil},
		{"shuffle", "mov.b32 %r4, %f1; shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1; @FIRST st.global.u32 [%rd3], %r5;", lower},
		{"vote", "setp.gt.f32 %p5, %f1, 0f00000000; vote.sync.any.pred %p6, %p5, -1; selp.u32 %r4, 1, 2, %p6; @FIRST st.global.u32 [%rd3], %r4;", lower},
		{"vote and branch", "setp.gt.f32 %p5, %f1, 0f00000000; vote.sync.any.pred %p6, %p5, -1; @%p6 st.global.u32 [%rd3], %r1;", nil},
		{"barrier", "setp.gt.f32 %p5, %f1, 0f00000000; bar.red.or.pred %p6, 0, %p5; selp.u32 %r4, 1, 2, %p6; @FIRST st.global.u32 [%rd3], %r4;", nil},
		{"loop", "mov.u32 %r4, 0; LOOP: add.f32 %f2, %f2, %f1; add.u32 %r4, %r4, 1; setp.lt.u32 %p5, %r4, %r3; @%p5 bra LOOP; @FIRST st.global.f32 [%rd3], %f2;", first},
		{"carried by a loop", "mov.f32 %f2, %f1; LOOP: @FIRST st.global.f32 [%rd3], %f2; add.f32 %f2, %f2, %f2; setp.lt.u32 %p5, %r4, %r3; add.u32 %r4, %r4, 1; @%p5 bra LOOP;", first},
		{"ends a loop", "LOOP: add.f32 %f2, %f2, %f1; setp.lt.f32 %p5, %f2, 0f42000000; @%p5 bra LOOP;", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := usedBy(t, c.text); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
				t.Errorf("used by %s, want %s", masks(got), masks(c.want))
			}
		})
	}
}

func masks(m []uint32) string { return fmt.Sprintf("%#x", m) }

const usesKernel = `.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b8 s[256];
.visible .entry k(.param .u64 p, .param .u32 n) {
.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;
ld.param.u64 %rd1, [p]; ld.param.u32 %r3, [n];
mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 7; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;
and.b32 %r6, %r1, 120; setp.eq.u32 %p1, %r6, 0; setp.lt.u32 %p2, %r1, 32; setp.lt.u32 %p4, %r2, %r3; mov.f32 %f2, 0f00000000; mov.u32 %r4, 0;
ld.global.f32 %f1, [%rd3];
TEXT
END: ret;
}
`

// usedBy puts text behind the read of a kernel.
func usedBy(t *testing.T, text string) []uint32 {
	t.Helper()
	text = strings.NewReplacer("FIRST", "%p1", "LOWER", "%p2").Replace(text)
	text = strings.Replace(usesKernel, "TEXT", text, 1)
	m, err := ptx.Parse("uses.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ssa.Build(m, m.Func("k"), ssa.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Count(text[:strings.Index(text, "ld.global.f32 %f1")], "\n") + 1
	x := guards.Find(f)
	if x.Replicas() {
		t.Error("a module without a producer is taken for Triton's")
	}
	return x.UsedBy(guards.Site{Func: "k", Line: line}, [3]uint32{64, 1, 1})
}
