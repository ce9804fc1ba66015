package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

func init() {
	for op, text := range map[string]string{
		"cp.async": "cp.async.ca.shared.global [%r0], [%d0], 4;", "cp.async.commit_group": "cp.async.commit_group;",
		"cp.async.wait_group": "cp.async.wait_group 1;", "cp.async.wait_all": "cp.async.wait_all;",
		"cp.async.mbarrier.arrive": "cp.async.mbarrier.arrive.noinc.shared.b64 [%r0];",
		"mbarrier.init":            "mbarrier.init.shared.b64 [%r0], 5;", "mbarrier.inval": "mbarrier.inval.shared.b64 [%r0];",
		"mbarrier.expect_tx":     "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r0], 16;",
		"mbarrier.complete_tx":   "mbarrier.complete_tx.relaxed.cta.shared.b64 [%r0], 16;",
		"mbarrier.arrive":        "mbarrier.arrive.shared.b64 %d0, [%r0];",
		"mbarrier.arrive_drop":   "mbarrier.arrive_drop.shared.b64 _, [%r0];",
		"mbarrier.test_wait":     "mbarrier.test_wait.shared.b64 %p0, [%r0], %d0;",
		"mbarrier.try_wait":      "mbarrier.try_wait.parity.shared.b64 %p0, [%r0], %r1;",
		"mbarrier.pending_count": "mbarrier.pending_count.b64 %r0, %d0;",
		"wmma.load":              "wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r0}, [%d0];",
		"wmma.store":             "wmma.store.d.sync.aligned.row.m8n8k4.f64 [%d0], {%d1, %d2};",
		"wmma.mma":               "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r2}, {%r3}, {%r4, %r5};",
		"mma":                    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%r2}, {%r3}, {%r4, %r5};",
		"ldmatrix":               "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];",
		"stmatrix":               "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r0};",
		"movmatrix":              "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;",
	} {
		samples[op] = text
	}
}

// TestMatrixVariants wants every form of the matrix instructions that the
// table says is executed to be lowered.
func TestMatrixVariants(t *testing.T) {
	n := 0
	for _, op := range []string{"mma", "wmma.mma", "wmma.load", "wmma.store", "ldmatrix", "stmatrix"} {
		d := isa.Lookup(op)
		for i := range d.Forms {
			if !d.Forms[i].Executed {
				continue
			}
			for v := range d.Variants(&d.Forms[i]) {
				n++
				checkVariant(t, v)
			}
		}
	}
	if n < 400 {
		t.Errorf("only %d variants", n)
	}
}

func checkVariant(t *testing.T, v string) {
	t.Helper()
	text := v + " " + strings.Join(matrixOperands(v), ", ") + ";"
	m, err := ptx.Parse("test.ptx", []byte(header+".visible .entry k() {\n.reg .b32 %r<40>; .reg .b64 %d<40>;\n"+text+"\n}\n"))
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	for _, in := range mustLower(t, m).Code {
		if in.Op == program.OpUnsupported {
			t.Errorf("%s is not supported", text)
		}
	}
}

// matrixOperands writes operands with the numbers of registers that the
// variant wants.
func matrixOperands(v string) []string {
	words := strings.Split(v, ".")
	x := parseMatrix(&ptx.Instr{Op: words[0], Mods: words[1:]})
	class := "%r"
	if strings.Contains(v, "f64") {
		class = "%d"
	}
	regs := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("%s%d", class, i)
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	if strings.Contains(words[0], "matrix") {
		n := map[bool]int{x.has("x1"): 1, x.has("x2"): 2, x.has("x4"): 4}[true]
		if x.has("m16n16") {
			n *= 2
		}
		if words[0] == "stmatrix" {
			return []string{"[%r39]", regs(n)}
		}
		return []string{regs(n), "[%r39]"}
	}
	if x.elems[0] == program.ElemB1 || len(x.elems) == 4 && x.elems[1] == program.ElemB1 {
		x.k /= 32
	}
	count := func(r program.Role, e program.Elem) int {
		f := program.NewFrag(r, e, x.m, x.n, x.k)
		switch {
		case words[0] == "wmma":
			return wmmaRegs(f)
		case e == program.ElemF16 && x.k == 4 || r == program.RoleC && x.k == 4 && e == program.ElemF32 && x.elems[1] == program.ElemF16:
			return len(program.NewQuadFrag(r, e, false).Index)
		}
		return len(f.Index)
	}
	switch {
	case x.has("store"):
		return []string{"[%d39]", regs(count(program.RoleC, x.elems[0])), "%r39"}
	case x.has("load") && x.has("a"):
		return []string{regs(count(program.RoleA, x.elems[0])), "[%d39]", "32"}
	case x.has("load") && x.has("b"):
		return []string{regs(count(program.RoleB, x.elems[0])), "[%d39]", "32"}
	case x.has("load"):
		return []string{regs(count(program.RoleC, x.elems[0])), "[%d39]"}
	case len(x.elems) == 2:
		x.elems = []program.Elem{x.elems[0], program.ElemF16, program.ElemF16, x.elems[1]}
	}
	list := []string{regs(count(program.RoleC, x.elems[0])), regs(count(program.RoleA, x.elems[1])), regs(count(program.RoleB, x.elems[2])), regs(count(program.RoleC, x.elems[3]))}
	if strings.Contains(v, "kind::mxf4") { // two elements a byte, and not each in its own
		list[1], list[2] = regs(count(program.RoleA, x.elems[1])/2), regs(count(program.RoleB, x.elems[2])/2)
	}
	if x.has("block_scale") { // the scales of A and of B, each with which byte and whose
		list = append(list, "%r36", "{0, 1}", "%r37", "{0, 0}")
	}
	return list
}
