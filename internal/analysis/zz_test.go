package analysis_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/analysis"
)

func TestZZ(t *testing.T) {
	for _, n := range []int{500, 1000, 2000} {
		for name, line := range map[string]func(i int) string{
			"ladder": func(i int) string {
				return fmt.Sprintf("setp.lt.u32 %%p1, %%r1, %d; @%%p1 bra E; st.global.u32 [%%d1+%d], %%r1;\n", i, 4*i)
			},
			"sum": func(i int) string {
				return fmt.Sprintf("ld.global.u32 %%r%d, [%%d1+%d]; add.u32 %%r1, %%r1, %%r%d; mul.wide.u32 %%d3, %%r1, 4; add.u64 %%d4, %%d1, %%d3; st.global.u32 [%%d4], %%r1;\n", 10+i, 4*i, 10+i)
			},
			"diamonds": func(i int) string {
				return fmt.Sprintf("setp.lt.u32 %%p1, %%r2, %d; @%%p1 bra A%d; add.u32 %%r1, %%r1, %d; bra B%d; A%d: add.u32 %%r1, %%r1, %%r2; B%d: mul.wide.u32 %%d3, %%r1, 4; add.u64 %%d4, %%d1, %%d3; st.global.u32 [%%d4], %%r1;\n", i, i, i, i, i, i)
			},
			"products": func(i int) string {
				return "mad.lo.u32 %r1, %r1, %r2, %r3; mad.lo.u32 %r3, %r1, %r3, %r2; mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d1, %d3; st.global.u32 [%d4], %r1;\n"
			},
		} {
			var s strings.Builder
			s.WriteString("ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; ld.param.u32 %r3, [m];\n")
			for i := range n {
				s.WriteString(line(i))
			}
			s.WriteString("E:\n")
			t0 := time.Now()
			f := form(t, s.String())
			t1 := time.Now()
			a := analysis.New(f, analysis.Env{})
			t2 := time.Now()
			for _, x := range a.Accesses() {
				a.Limits(a.Path(x.Block))
				if x.Addr.Offset != nil {
					a.Affine(x.Addr.Offset)
				}
			}
			t3 := time.Now()
			for _, x := range a.Accesses() {
				a.Lanes(x.Addr.Expr, [3]uint32{64, 2, 1}, 1)
			}
			t.Log(n, name, "ssa", t1.Sub(t0), "new", t2.Sub(t1), "accesses", t3.Sub(t2), "lanes", time.Since(t3))
		}
	}
}
