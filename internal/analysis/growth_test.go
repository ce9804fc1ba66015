package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// chase is a kernel in which n times an index is computed from all indices
// before and from what is read there, every fourth time in a loop that ends by
// such data.
func chase(t *testing.T, n int) *ssa.Func {
	t.Helper()
	var s strings.Builder
	s.WriteString(".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" +
		".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\nld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, 1;\n")
	for i := range n {
		if i%4 == 0 {
			fmt.Fprintf(&s, "L%d:\n", i)
		}
		s.WriteString("mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; ld.global.u32 %r3, [%d3];\n" +
			"mad.lo.u32 %r2, %r2, %r1, %r3; setp.gt.s32 %p1, %r3, %r2; selp.b32 %r1, %r2, %r3, %p1; xor.b32 %r1, %r1, %r2;\n")
		if i%4 == 0 {
			fmt.Fprintf(&s, "setp.gt.s32 %%p2, %%r1, %%r3; @%%p2 bra L%d;\n", i)
		}
		s.WriteString("mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r2;\n")
	}
	s.WriteString("ret;\n}\n")
	m, err := ptx.Parse("chase.ptx", []byte(s.String()))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ssa.Build(m, m.Func("k"), ssa.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// made counts the expressions that looking at all warps of a block makes.
func made(t *testing.T, n int) int {
	f := chase(t, n)
	a := New(f, Env{})
	block := [3]uint32{256, 1, 1}
	for _, x := range a.Accesses() {
		for warp := range Warps(block) {
			a.Active(a.Path(x.Block), block, warp)
			if l := a.Lanes(x.Addr.Expr, block, warp, ^uint32(0)); l.Exact && x.Block != f.Blocks[0] {
				t.Errorf("%s: the distances are said to be known", x.Value.Instr)
			}
		}
		if x.Addr.Expr.size > 4*maxSize {
			t.Errorf("an address has %d parts", x.Addr.Expr.size)
		}
	}
	return len(a.exprs)
}

// TestGrowth looks at values that are computed from each other again and again:
// twice the kernel is twice the work.
func TestGrowth(t *testing.T) {
	last := made(t, 50)
	for _, n := range []int{100, 200, 400} {
		now := made(t, n)
		if t.Logf("%d: %d expressions", n, now); now > 3*last {
			t.Errorf("%d steps make %d expressions, half of them %d", n, now, last)
		}
		last = now
	}
}

// TestSpent has an analysis without any room left: values are opaque, and of
// lanes and conditions nothing is said.
func TestSpent(t *testing.T) {
	a := New(chase(t, 3), Env{})
	for i := 0; !a.spent(); i++ {
		a.Const(64, uint64(i)*7919)
	}
	block := [3]uint32{40, 1, 1}
	for _, x := range a.Accesses() {
		if l := a.Lanes(x.Addr.Expr, block, 0, ^uint32(0)); l.Exact || l.Known != 1 {
			t.Errorf("%v: lanes %x are known", x.Addr.Expr, l.Known)
		}
		if on, maybe := a.Active(a.Path(x.Block), block, 1); maybe != 0xff || on != 0 && len(a.Path(x.Block).Conds) > 0 {
			t.Errorf("lanes %x run, %x may", on, maybe)
		}
	}
}
