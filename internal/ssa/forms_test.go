package ssa_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// operands are examples of each shape.
var operands = map[isa.Kind][]string{
	isa.KReg: {"%r1", "%r2", "%d1", "%h1", "%p1", "!%p2", "%f1", "%g1", "%tid.x", "%q1"}, isa.KImm: {"0", "3", "-1", "40"},
	isa.KFloat: {"0f3F800000", "0d3FF0000000000000", "1.5"}, isa.KSymbol: {"s", "g", "L", "f"},
	isa.KAddress: {"[%d1]", "[%d1+8]", "[s+4]", "[g]", "[%r1]", "[16]", "[%d1, {%r1, %r2}]"},
	isa.KVector:  {"{%r1, %r2}", "{%r1, %r2, %r3, %r4}", "{%f1, %f2}", "{%h1, %h2}", "{_, %r1}"},
	isa.KPair:    {"%p1|%p2", "%r1|%p1"}, isa.KSink: {"_"}, isa.KList: {"(%r1)", "()"},
}

// example writes operands for a form by chance.
func example(r *rand.Rand, f *isa.Form) string {
	var args []string
	for _, a := range f.Args {
		if a.Optional && r.Intn(2) == 0 {
			break
		}
		var list []string
		for k, texts := range operands {
			if a.Kinds&k != 0 {
				list = append(list, texts...)
			}
		}
		if len(list) == 0 {
			continue
		}
		args = append(args, list[r.Intn(len(list))])
	}
	return strings.Join(args, ", ")
}

// TestAllForms builds kernels with every instruction of the table, its
// operands chosen by chance, whether they make sense or not: what the parser
// lets pass has a form that obeys the verifier.
func TestAllForms(t *testing.T) {
	r, built := rand.New(rand.NewSource(1)), 0
	for _, d := range isa.All() {
		for i := range d.Forms {
			n := 0
			for op := range d.Variants(&d.Forms[i]) {
				if n++; n > 12 {
					break
				}
				for range 2 {
					guard := []string{"", "@%p1 ", "@!%p2 "}[r.Intn(3)]
					text := header + ".global .align 8 .b8 g[64];\n.shared .align 8 .b8 s[64];\n.func f() { ret; }\n.visible .entry k(.param .u64 p)\n" +
						"{\n.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .f32 %f<4>; .reg .f64 %g<4>; .reg .b128 %q<3>;\n" +
						"L: " + guard + op + " " + example(r, &d.Forms[i]) + ";\nst.global.u32 [%d1], %r1; st.global.u64 [%d1], %d1; @%p1 bra L;\nret;\n}\n"
					if buildAny(t, text) {
						built++
					}
				}
			}
		}
	}
	if built < 1000 {
		t.Errorf("only %d programs were built", built)
	}
}

// buildAny builds the kernels of a text that may be nonsense.
func buildAny(t testing.TB, text string) (ok bool) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("%v\n%s", p, text))
		}
	}()
	m, err := ptx.Parse("any.ptx", []byte(text))
	if err != nil {
		return false
	}
	for _, it := range m.Items {
		f, isFunc := it.(*ptx.Func)
		if !isFunc || f.Body == nil {
			continue
		}
		g, err := ssa.Build(m, f, ssa.Options{Verify: true, Budget: 5000})
		if err != nil && strings.Contains(err.Error(), "after ") {
			t.Fatalf("%v\n%s", err, text)
		}
		if err == nil {
			analyze(g)
		}
		ok = true
	}
	return ok
}

// analyze asks for all that there is to know of the accesses.
func analyze(f *ssa.Func) {
	a := analysis.New(f, analysis.Env{Assume: true})
	for _, x := range a.Accesses() {
		a.Lanes(x.Addr.Expr, [3]uint32{40, 1, 1}, 1, ^uint32(0))
		a.Active(a.Path(x.Block), [3]uint32{40, 1, 1}, 0)
		a.Limits(a.Path(x.Block))
		for _, v := range x.Value.Args {
			a.Affine(a.Expr(v, x.Block))
		}
	}
}

// FuzzBuild builds whatever parses.
func FuzzBuild(f *testing.F) {
	for seed := range int64(20) {
		f.Add(program(seed))
	}
	f.Fuzz(func(t *testing.T, text string) { buildAny(t, text) })
}
