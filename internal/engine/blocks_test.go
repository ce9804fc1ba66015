package engine_test

import (
	"fmt"
	"math/rand"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// inOneSweep are bodies of kernels whose blocks a sweep does one after the other: what one leaves in shared
// memory and registers must not reach the next. %ct is the number of the block, from its coordinates.
var inOneSweep = []struct{ name, decls, body string }{
	{"coordinates", "", `add.u32 %r1, %ct, 7; st.global.u32 [%o], %r1;`},
	{"shared memory is clear", ".shared .align 4 .b8 s[1036];", `
		mul.wide.u32 %d0, %t, 4; mov.u64 %d1, s; add.u64 %d0, %d0, %d1; ld.shared.u32 %r1, [%d0]; add.u32 %r1, %r1, %ct; add.u32 %r1, %r1, 1;
		st.shared.u32 [%d0], %r1; bar.sync 0; ld.shared.u32 %r2, [s+4]; ld.shared.u32 %r3, [s+1032]; add.u32 %r2, %r2, %r3; st.shared.u32 [s+1032], 5; st.global.u32 [%o], %r2;`},
	{"registers that are not set", "", `
		setp.lt.u32 %p0, %t, 5; @%p0 bra A; bra B;
	A:	add.u32 %r5, %r5, 3; add.u32 %r6, %ct, 9; add.u64 %d7, %d7, 2;
	B:	add.u32 %r5, %r5, %r6; cvt.u32.u64 %r7, %d7; add.u32 %r5, %r5, %r7; setp.eq.u32 %p1, %ct, %r9; selp.u32 %r9, 4, 6, %p1; add.u32 %r5, %r5, %r9; st.global.u32 [%o], %r5;`},
	{"values of a warp that are not set", "", `
		add.u32 %r10, %r10, 3; add.u32 %r11, %r10, %ct; setp.gt.u32 %p3, %r10, 5; selp.u32 %r12, 7, 8, %p3; add.u32 %r11, %r11, %r12; st.global.u32 [%o], %r11;`},
	{"lanes end apart", "", `
		and.b32 %r1, %t, 3; setp.eq.u32 %p0, %r1, %ct; @%p0 bra DONE;
		mov.u32 %r2, %t;
	L:	add.u32 %r3, %r3, %r2; shr.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra L;
		st.global.u32 [%o], %r3;`},
	{"a block ends with a fault", "", `
		setp.ne.u32 %p0, %ct, 17; @%p0 bra OK; mul.wide.u32 %d0, %t, 1000000; add.u64 %o, %o, %d0;
	OK:	st.global.u32 [%o], %ct;`},
	{"a block leaves the code", "", `
		setp.ne.u32 %p0, %ct, 11; @%p0 bra OK; mov.u32 %r8, %clock; vote.sync.any.pred %p1, 1, 0xffffffff;
	OK:	activemask.b32 %r1; add.u32 %r1, %r1, %ct; bar.sync 0; st.global.u32 [%o], %r1;`},
	{"atomics in order", "", `
		setp.ne.u32 %p0, %t, 0; @%p0 bra B; atom.global.add.u32 %r1, [%base], %ct; st.global.u32 [%o+4], %r1;
	B:	bar.sync 0; add.u32 %r2, %ct, 1;`},
}

func TestBlocksInOneSweep(t *testing.T) {
	defer useOwnExecutor()
	defer engine.SetPortion(8)()
	for i, c := range inOneSweep {
		for k, grid := range []trace.Dim3{{X: 23, Y: 1, Z: 1}, {X: 3, Y: 4, Z: 2}, {X: 1, Y: 7, Z: 3}} {
			for _, block := range []uint32{32, 96, 256, 77} {
				if !takes(i + k + int(block)) {
					continue
				}
				want := ""
				for _, mode := range executors() {
					warp.UseExecutor(mode)
					if got := inGrid(t, c.decls, c.body, grid, block); want == "" {
						want = got
					} else if got != want {
						t.Errorf("%s, blocks %v of %d, %s:\n%s\nwant\n%s", c.name, grid, block, mode, got, want)
					}
				}
			}
		}
	}
}

// inGrid runs a body in a grid of three dimensions, and returns what it leaves.
func inGrid(t *testing.T, decls, body string, grid trace.Dim3, block uint32) string {
	t.Helper()
	body = `.reg .b32 %n; mov.u32 %n, %nctaid.y; mov.u32 %r0, %ctaid.z; mov.u32 %r1, %ctaid.y; mad.lo.u32 %r0, %r0, %n, %r1; mov.u32 %n, %nctaid.x; mad.lo.u32 %ct, %r0, %n, %ct;
		mad.lo.u32 %r29, %ct, %nt, %t; mul.wide.u32 %d19, %r29, 4; add.u64 %o, %base, %d19; mov.u32 %r0, 0; mov.u32 %r1, 0;` + body
	p := lowered(t, parse(t, simple(decls, body)), "k", nil)
	out := newBuffer(t, 4*int(grid.Size())*int(block))
	a, _ := arch.Parse("sm_80")
	var executed []trace.Executed
	o := &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{Executed: func(e []trace.Executed) { executed = e }}}
	}}
	observers := []*trace.Observer{o}
	var mu sync.Mutex
	heard := map[uint64]string{}
	if block%64 != 0 { // some blocks have an observer of their beginnings, barriers and ends
		observers = append(observers, eachBlock(func() *trace.BlockObserver {
			var at uint64
			note := func(format string, args ...any) {
				mu.Lock()
				defer mu.Unlock()
				heard[at] += fmt.Sprintf(format, args...)
			}
			return &trace.BlockObserver{
				Begin:   func(b *trace.Block) { at = b.Index; note("%d %v;", b.Index, b.Coord) },
				Barrier: func(e *trace.Barrier) { note("barrier %d %x;", e.Site.ID, e.Arrived) },
				End:     func() { note("end") },
			}
		}))
	}
	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 2, Observers: observers})
	res, err := e.Run(t.Context(), p, engine.Launch{Grid: grid, Block: trace.Dim3{X: block, Y: 1, Z: 1}, Params: layOut(t, p, []any{out})})
	if err != nil {
		t.Fatal(err)
	}
	s := fmt.Sprintf("%v\n%+v\n%v\n%v\n%s", out.u32(), e.Totals, executed, heard, describeFault(res.Fault, out.Base))
	if res.Fault != nil {
		s += fmt.Sprintf(" block %d warp %d", res.Fault.Block, res.Fault.Warp)
	}
	return s
}

// TestRandomBlocksInOneSweep does the same with random kernels of what generated code does by itself.
func TestRandomBlocksInOneSweep(t *testing.T) {
	defer useOwnExecutor()
	defer engine.SetPortion(8)()
	first, n := int64(1), int64(150)
	if s := os.Getenv("WARPGRIND_SEEDS"); s != "" {
		fmt.Sscanf(s, "%d,%d", &first, &n)
	}
	for seed := first; seed < first+n; seed++ {
		if !takes(int(seed)) {
			continue
		}
		g := &sweptKernel{rnd: rand.New(rand.NewSource(seed)), block: []int{32, 64, 96, 256}[seed%4]}
		body := g.body()
		grid := []trace.Dim3{{X: 11, Y: 1, Z: 1}, {X: 2, Y: 3, Z: 2}}[seed%2]
		want := ""
		for _, mode := range executors() {
			warp.UseExecutor(mode)
			if got := inGrid(t, fmt.Sprintf(".shared .align 4 .b8 s[%d];", 4*g.block), body, grid, uint32(g.block)); want == "" {
				want = got
			} else if got != want {
				t.Fatalf("seed %d, %s:\n%s\n%s\nwant\n%s", seed, mode, body, got, want)
			}
		}
	}
}

// sweptKernel makes a random kernel: some of its registers are read before they are written, and so is its
// shared memory. %r2 to %r12 may differ by lane, %r20 to %r23 do not.
type sweptKernel struct {
	rnd           *rand.Rand
	text          strings.Builder
	block, labels int
	depth         int
}

func (g *sweptKernel) line(format string, args ...any) { fmt.Fprintf(&g.text, format+"\n", args...) }

func (g *sweptKernel) body() string {
	g.line("mul.wide.u32 %%d0, %%t, 4; mov.u64 %%d1, s; add.u64 %%d0, %%d0, %%d1; ld.shared.u32 %%r2, [%%d0];")
	for range 4 + g.rnd.Intn(20) {
		g.statement()
	}
	g.line("mov.u32 %%r1, %%r20;")
	for _, r := range []int{21, 22, 23, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} {
		g.line("mad.lo.u32 %%r1, %%r1, 31, %%r%d;", r)
	}
	g.line("st.global.u32 [%%o], %%r1;")
	return g.text.String()
}

// reg is a register that may differ by lane, value an operand, same one that is the same in all lanes.
func (g *sweptKernel) reg() string { return fmt.Sprintf("%%r%d", 2+g.rnd.Intn(11)) }
func (g *sweptKernel) value() string {
	if g.rnd.Intn(3) == 0 {
		return g.same()
	}
	return [...]string{g.reg(), g.reg(), "%t"}[g.rnd.Intn(3)]
}
func (g *sweptKernel) same() string {
	return [...]string{fmt.Sprintf("%%r%d", 20+g.rnd.Intn(4)), "%ct", fmt.Sprint(g.rnd.Intn(100))}[g.rnd.Intn(3)]
}

func (g *sweptKernel) statement() {
	op := [...]string{"add.u32", "sub.u32", "mul.lo.u32", "xor.b32", "and.b32", "min.s32", "max.u32"}[g.rnd.Intn(7)]
	g.labels++
	l := g.labels
	switch k := g.rnd.Intn(12); {
	case k < 4:
		g.line("%s %s, %s, %s;", op, g.reg(), g.reg(), g.value())
	case k < 6 && g.depth == 0:
		g.line("%s %%r%d, %%r%d, %s;", op, 20+g.rnd.Intn(4), 20+g.rnd.Intn(4), g.same())
	case k == 6:
		g.line("st.shared.u32 [%%d0], %s;", g.reg())
	case k == 7 && g.depth == 0:
		g.line("bar.sync 0; mad.lo.u32 %%r13, %%t, 5, %d; rem.u32 %%r13, %%r13, %d; mul.wide.u32 %%d2, %%r13, 4; add.u64 %%d2, %%d2, %%d1; ld.shared.u32 %s, [%%d2]; bar.sync 0;",
			g.rnd.Intn(9), g.block, g.reg())
	case k == 8 && g.depth == 0:
		g.line("shfl.sync.bfly.b32 %s, %s, %d, 31, -1;", g.reg(), g.reg(), 1+g.rnd.Intn(31))
	case k == 9 && g.depth < 3:
		g.line("setp.lt.s32 %%p%d, %s, %s; @%%p%d bra L%d;", g.depth, g.reg(), g.value(), g.depth, l)
		g.nested()
		g.line("L%d:", l)
	case k == 10 && g.depth < 2:
		g.line("and.b32 %%r%d, %s, 7;\nL%d:", 14+g.depth, g.reg(), l)
		g.nested()
		g.line("sub.u32 %%r%d, %%r%d, 1; setp.gt.s32 %%p%d, %%r%d, 0; @%%p%d bra L%d;", 14+g.depth, 14+g.depth, 4+g.depth, 14+g.depth, 4+g.depth, l)
	default:
		g.line("ld.shared.u32 %s, [%%d0];", g.reg())
	}
}

func (g *sweptKernel) nested() {
	g.depth++
	for range 1 + g.rnd.Intn(4) {
		g.statement()
	}
	g.depth--
}
