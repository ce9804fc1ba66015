package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

const head = ".version 8.3\n.target sm_80\n.address_size 64\n"

// form builds a kernel from a body that has the registers that it needs.
func form(t *testing.T, body string) *ssa.Func {
	t.Helper()
	text := head + ".shared .align 16 .b8 s[4096];\n.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n, .param .u32 m)\n" +
		"{\n.reg .pred %p<99>; .reg .b32 %r<9999>; .reg .b64 %d<9999>; .reg .f32 %f<99>;\n" + body + "\nret;\n}\n"
	m, err := ptx.Parse("test.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ssa.Build(m, m.Func("k"), ssa.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// all asks everything that can be asked of a kernel's accesses.
func all(f *ssa.Func, env analysis.Env) int {
	a := analysis.New(f, env)
	list := a.Accesses()
	for _, x := range list {
		a.Lanes(x.Addr.Expr, [3]uint32{64, 2, 1}, 1, ^uint32(0))
		a.Active(a.Path(x.Block), [3]uint32{64, 2, 1}, 1)
		a.ControlLevel(x.Block)
	}
	return len(list)
}

// TestLarge looks at generated kernels of many lines, which must not take
// forever: a ladder of early exits, a long sum, nested branches that meet, a
// chain of products, and deeply nested loops.
func TestLarge(t *testing.T) {
	const n = 200
	bodies := map[string]func(i int) string{
		"ladder": func(i int) string {
			return fmt.Sprintf("setp.lt.u32 %%p1, %%r1, %d; @%%p1 bra E; st.global.u32 [%%d1+%d], %%r1;\n", i, 4*i)
		},
		"own ladder": func(i int) string {
			return fmt.Sprintf("setp.eq.u32 %%p1, %%r2, %d; @%%p1 bra E; st.global.u32 [%%d1+%d], %%r1;\n", i, 4*i)
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
	}
	for name, line := range bodies {
		t.Run(name, func(t *testing.T) {
			var s strings.Builder
			s.WriteString("ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; ld.param.u32 %r3, [m];\n")
			for i := range n {
				s.WriteString(line(i))
			}
			s.WriteString("E:\n")
			if got := all(form(t, s.String()), analysis.Env{}); got < n {
				t.Errorf("%d accesses", got)
			}
		})
	}
	t.Run("loops", func(t *testing.T) {
		var s strings.Builder
		s.WriteString("ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n")
		for i := range 40 {
			fmt.Fprintf(&s, "mov.u32 %%r%d, 0; L%d: add.u32 %%r2, %%r2, %%r%d; mul.wide.u32 %%d3, %%r2, 4; add.u64 %%d4, %%d1, %%d3; st.global.u32 [%%d4], %%r2;\n", 10+i, i, 10+i)
		}
		for i := 39; i >= 0; i-- {
			fmt.Fprintf(&s, "add.u32 %%r%d, %%r%d, 1; setp.lt.u32 %%p1, %%r%d, %%r1; @%%p1 bra L%d;\n", 10+i, 10+i, 10+i, i)
		}
		if got := all(form(t, s.String()), analysis.Env{}); got != 40 {
			t.Errorf("%d accesses", got)
		}
	})
}
