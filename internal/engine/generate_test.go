package engine_test

import (
	"flag"
	"fmt"
	"math/rand"
	"strings"
)

// generator writes random PTX programs that are free of data races: each
// thread has its own slots in global, shared and local memory, tables are only
// read, and threads exchange values at barriers that all of them reach.
type generator struct {
	rnd   *rand.Rand
	b     strings.Builder
	names int
	depth int // of nested control flow
	size  int // statements left
	funcs []genFunc
	// inFunc is the index of the function being written, -1 in the kernel.
	inFunc int
	brk    []string // labels to leave loops
	// mayExit is set once a thread may have ended.
	mayExit bool
	// single are registers with one write, which comes before this place on
	// every way to it; singles counts them. counters are those of the loops
	// around.
	single   []string
	singles  int
	counters []string
	// tight programs have many loops of one straight run.
	tight bool
}

type genFunc struct {
	name           string
	byReg, recurse bool
}

// Registers of the random part by letter. All others are reserved.
var genCount = map[byte]int{'r': 10, 'd': 6, 'f': 5, 'g': 3, 'h': 4, 'p': 5}

// genOps are opcodes with operand classes: lower case are registers, R and D
// registers or constants, I a small constant.
var genOps = []string{
	"add.s32 r r R", "sub.s32 r r R", "mul.lo.s32 r r R", "mul.hi.u32 r r r", "mad.lo.s32 r r r r", "and.b32 r r R",
	"or.b32 r r R", "xor.b32 r r R", "not.b32 r r", "shl.b32 r r R", "shr.u32 r r R", "shr.s32 r r r", "min.s32 r r r",
	"max.u32 r r R", "selp.b32 r r r p", "selp.b32 r R R p", "mul.wide.u32 d r r", "mul.wide.s32 d r r", "add.s64 d d D",
	"sub.s64 d d d", "mul.lo.s64 d d d", "xor.b64 d d D", "shl.b64 d d R", "shr.s64 d d R", "cvt.u64.u32 d r", "cvt.s64.s32 d r",
	"cvt.u32.u64 r d", "cvt.s32.s16 r h", "cvt.u16.u32 h r", "cvt.s8.s32 r r", "cvt.u8.u32 r r", "cvt.s16.s8 h h",
	"cvt.s8.s64 d d", "cvt.s8.s32 h r", "cvt.s32.s64 d d", "cvt.s32.s32 d r", "cvt.u32.s32 d r", "cvt.s16.s32 d r", "add.s16 h h h", "sub.s16 h h h", "mul.wide.s16 r h h", "shl.b16 h h R", "shr.s16 h h R",
	"popc.b32 r r", "clz.b32 r r", "brev.b32 r r", "popc.b64 r d", "bfe.u32 r r R R", "bfe.s32 r r R R", "bfi.b32 r r r R R",
	"prmt.b32 r r r R", "lop3.b32 r r r r I", "shf.l.wrap.b32 r r r R", "add.f32 f f f", "mul.f32 f f f", "sub.f32 f f f",
	"fma.rn.f32 f f f f", "min.f32 f f f", "cvt.rn.f32.s32 f r", "cvt.rzi.s32.f32 r f", "add.f64 g g g", "mul.f64 g g g",
	"fma.rn.f64 g g g g", "cvt.f64.f32 g f", "cvt.rn.f32.f64 f g", "cvt.rn.f64.s64 g d", "mov.b32 r f", "mov.b32 f r", "mov.b32 r R", "mov.b64 g d",
	"mov.b64 d g", "mov.b64 d D", "mov.u16 h h", "setp.lt.s32 p r R", "setp.eq.s32 p r R", "setp.ge.u32 p r r", "setp.eq.s64 p d d",
	"setp.lt.u64 p d D", "setp.gt.f32 p f f", "setp.ne.f64 p g g", "setp.lt.s16 p h h", "setp.lt.and.s32 p r R p",
	"setp.gt.or.s32 p r R !p", "setp.lt.s32 p|p r R", "and.pred p p p", "or.pred p p !p", "xor.pred p p p", "not.pred p p",
	"mov.pred p p", "slct.s32.s32 r r r r", "selp.f32 f f f p", "selp.b16 h h h p", "selp.b64 d d D !p", "set.lt.u32.s32 r r r",
	"mov.b64 d {r,r}", "mov.b64 {r,r} d", "mov.b32 r {h,h}", "mov.b32 {h,h} r", "mov.b64 {_,r} d", "abs.s32 r r", "neg.s32 r r",
	"sad.u32 r r r r", "div.u32 r r 7", "rem.s32 r r 5", "add.cc.u32 r r r", "addc.cc.u32 r r r", "addc.u32 r r r", "sub.cc.u32 r r R", "subc.u32 r r r",
	"mul24.lo.s32 r r r", "cnot.b32 r r", "bfind.u32 r r", "vadd.s32.s32.s32 r r r",
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.b, "\t"+format+"\n", args...) }

func (g *generator) label(p string) string {
	g.names++
	return fmt.Sprintf("%s_%d", p, g.names)
}

func (g *generator) pick(list ...string) string { return list[g.rnd.Intn(len(list))] }

func (g *generator) pickInt(list ...int) int { return list[g.rnd.Intn(len(list))] }

func (g *generator) chance(percent int) bool { return g.rnd.Intn(100) < percent }

func (g *generator) reg(class byte) string {
	return fmt.Sprintf("%%%c%d", class, g.rnd.Intn(genCount[class]))
}

func (g *generator) constant() string {
	if g.chance(70) {
		return fmt.Sprint(g.rnd.Intn(12) - 3)
	}
	return fmt.Sprintf("0x%x", g.rnd.Uint32())
}

// operand replaces every letter of a class in an operand's pattern, unless that is a register.
func (g *generator) operand(p string) string {
	if p[0] >= '0' && p[0] <= '9' || p[0] == '%' {
		return p
	}
	var out strings.Builder
	for i := range len(p) {
		switch c := p[i]; {
		case genCount[c] > 0:
			out.WriteString(g.reg(c))
		case c == 'I':
			fmt.Fprint(&out, g.rnd.Intn(256))
		case (c == 'R' || c == 'D') && g.chance(40):
			out.WriteString(g.constant())
		case c == 'R' || c == 'D':
			out.WriteString(g.reg(c + 'a' - 'A'))
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func (g *generator) guard() string {
	if !g.chance(20) {
		return ""
	}
	return g.pick("@", "@!") + g.reg('p') + " "
}

func (g *generator) arith() {
	op := genOps[g.rnd.Intn(len(genOps))]
	if *strict {
		if loose(op) {
			return
		}
		if strings.HasPrefix(op, "bf") { // positions are 0 to 255
			op = strings.ReplaceAll(op, "R", "r")
		}
	}
	g.operation(g.guard(), op)
}

// operation writes an operation of genOps under a guard.
func (g *generator) operation(guard, op string) {
	parts := strings.Fields(op)
	ops := make([]string, len(parts)-1)
	for i, p := range parts[1:] {
		ops[i] = g.operand(p)
	}
	if p := strings.Trim(ops[0], "{}"); strings.ContainsAny(ops[0], "{|") {
		if ab := strings.FieldsFunc(p, func(r rune) bool { return r == ',' || r == '|' }); len(ab) == 2 && ab[0] == ab[1] {
			return // both results in one register
		}
	}
	g.line("%s%s %s;", guard, parts[0], strings.Join(ops, ", "))
}

// strict limits random programs to what ptxas accepts for sm_90 and the PTX ISA defines to the bit:
// those of a record, which a GPU repeats.
var strict = flag.Bool("strict", false, "random programs have only what is defined, for sm_90")

// loose reports whether op is an operation that strict programs do not have.
func loose(op string) bool {
	for _, w := range []string{".approx", "div.full", "f32x2", ".f32.bf16 f h", ".f32.f16 f h"} {
		if strings.Contains(op, w) {
			return true
		}
	}
	return false
}

// statements writes up to n statements.
func (g *generator) statements(n int) {
	for range n {
		if g.size <= 0 {
			return
		}
		g.size--
		g.statement()
		if g.chance(15) {
			g.writeSingle()
		}
	}
}

func (g *generator) statement() {
	if g.tight && g.depth < 3 && g.chance(40) {
		if g.chance(40) {
			g.gatherLoop()
		} else {
			g.straightLoop()
		}
		return
	}
	switch k := g.rnd.Intn(100); {
	case k < 45 || g.depth > 3:
		g.arith()
	case k < 55:
		g.memory()
	case k < 68:
		g.ifElse()
	case k < 76:
		g.loop()
	case k < 80:
		g.jungle()
	case k < 86:
		g.call()
	case k < 90 && len(g.brk) > 0:
		g.line("%s%s bra %s;", g.pick("@", "@!"), g.reg('p'), g.brk[g.rnd.Intn(len(g.brk))])
	case k < 92 && g.inFunc < 0 && g.depth == 0:
		g.exchange()
	case k < 96 && k >= 94:
		g.writeSingle()
	case k < 97 && k >= 94:
		g.rotated()
	case k < 93 && g.depth > 0:
		g.setp()
		g.line("@%s %s;", g.reg('p'), g.pick("ret", "exit"))
		g.mayExit = true
	case k < 94 && g.depth > 0 && g.inFunc < 0:
		g.line("red.global.add.u32 [%%ctr], %s;", g.reg('r'))
	default:
		g.setp()
	}
}

// setp makes a predicate that is likely to differ between lanes.
func (g *generator) setp() {
	src := g.pick("%t", "%lane", g.reg('r'))
	g.line("and.b32 %%x0, %s, %d;", src, 1<<g.rnd.Intn(5))
	g.line("setp.%s.u32 %s, %%x0, 0;", g.pick("eq", "ne"), g.reg('p'))
}

// maxSingles is the number of registers %s.
const maxSingles = 60

// writeSingle gives a new register a value that tends to be the same in all
// lanes, and uses an old one.
func (g *generator) writeSingle() {
	if n := len(g.single); n > 0 {
		s := g.single[g.rnd.Intn(n)]
		g.line("%s%s %s, %s, %s;", g.guard(), g.pick("add.u32", "xor.b32"), "%r"+fmt.Sprint(g.rnd.Intn(3)), g.reg('r'), s)
	}
	if g.singles == maxSingles {
		return
	}
	s := fmt.Sprintf("%%s%d", g.singles)
	g.singles++
	from := append([]string{"%ct", "%nt"}, g.counters...)
	from = append(from, g.counters...)
	from = append(from, g.single...)
	if g.chance(20) {
		g.line("ld.global.u32 %s, [%%tab+%d];", s, 4*g.rnd.Intn(32))
	} else {
		g.line("mad.lo.u32 %s, %s, %d, %s;", s, from[g.rnd.Intn(len(from))], 1+g.rnd.Intn(9), from[g.rnd.Intn(len(from))])
	}
	g.single = append(g.single, s)
}

// rotated is a loop whose rounds after the first do a part of it only in some
// lanes.
func (g *generator) rotated() {
	again, rest, out := g.label("AGAIN"), g.label("REST"), g.label("OUT")
	c := fmt.Sprintf("%%l%d", g.depth)
	g.line("mov.u32 %s, 0;", c)
	g.depth++
	known := len(g.single)
	g.counters = append(g.counters, c)
	g.line("%s:", again)
	g.writeSingle()
	g.statements(g.rnd.Intn(2))
	g.line("%s:", rest)
	g.writeSingle()
	g.statements(1 + g.rnd.Intn(3))
	g.line("add.u32 %s, %s, 1;", c, c)
	g.line("setp.ge.u32 %%q, %s, %d;", c, 2+g.rnd.Intn(4))
	g.line("@%%q bra %s;", out)
	g.line("shr.u32 %%x0, %%t, %s;", c)
	g.line("and.b32 %%x0, %%x0, 1;")
	g.line("setp.eq.u32 %%q, %%x0, 1;")
	g.line("@%%q bra %s;", again)
	g.line("bra %s;", rest)
	g.line("%s:", out)
	g.counters = g.counters[:len(g.counters)-1]
	g.single = g.single[:known]
	g.depth--
}

func (g *generator) ifElse() {
	els, end := g.label("ELSE"), g.label("END")
	if g.chance(50) {
		g.setp()
	}
	g.depth++
	known := len(g.single)
	g.line("%s%s bra %s;", g.pick("@", "@!"), g.reg('p'), els)
	g.statements(1 + g.rnd.Intn(4))
	g.single = g.single[:known]
	if g.chance(60) {
		g.line("bra.uni %s;", end)
		g.line("%s:", els)
		g.statements(1 + g.rnd.Intn(4))
		g.single = g.single[:known]
		g.line("%s:", end)
	} else {
		g.line("%s:", els)
	}
	g.depth--
}

func (g *generator) loop() {
	head, next, out := g.label("LOOP"), g.label("NEXT"), g.label("OUT")
	c, n := fmt.Sprintf("%%l%d", g.depth), fmt.Sprintf("%%n%d", g.depth)
	g.line("mov.u32 %s, 0;", c)
	if g.chance(50) {
		g.line("mov.u32 %s, %d;", n, 1+g.rnd.Intn(4))
	} else {
		g.line("and.b32 %s, %s, 3;", n, g.pick(g.reg('r'), "%t"))
	}
	g.depth++
	known := len(g.single)
	g.counters = append(g.counters, c)
	g.brk = append(g.brk, out, next)
	g.line("%s:", head)
	g.statements(1 + g.rnd.Intn(5))
	if g.chance(50) {
		g.line("add.s32 %s, %s, %s;", g.reg('r'), g.reg('r'), c)
	}
	g.single = g.single[:known] // a break may have left them out
	g.line("%s:", next)
	g.line("add.u32 %s, %s, 1;", c, c)
	g.line("setp.lt.u32 %%q, %s, %s;", c, n)
	g.line("@%%q bra %s;", head)
	g.line("%s:", out)
	g.brk = g.brk[:len(g.brk)-2]
	g.counters = g.counters[:len(g.counters)-1]
	g.single = g.single[:known]
	g.depth--
}

// straightLoop is a loop without branches inside, which lanes leave at different times. Its values change from round
// to round, some of them under guards; it walks along a table, and may write memory.
func (g *generator) straightLoop() {
	head := g.label("TIGHT")
	c, n := fmt.Sprintf("%%l%d", g.depth), fmt.Sprintf("%%n%d", g.depth)
	g.line("mov.u32 %s, 0;", c)
	g.line("and.b32 %s, %s, %d;", n, g.pick(g.reg('r'), "%t", "%t", "9"), 1<<g.rnd.Intn(5)-1)
	g.line("and.b32 %%x1, %s, 7; mul.wide.u32 %%y2, %%x1, 4; add.s64 %%y2, %%y2, %%tab;", g.pick("%t", g.reg('r')))
	if g.chance(30) {
		g.setp() // some lanes have no round at all
		g.line("@%s bra %s_end;", g.reg('p'), head)
	}
	g.line("%s:", head)
	for range 1 + g.rnd.Intn(7) {
		switch k := g.rnd.Intn(20); {
		case k < 3:
			g.line("%s %s, [%%y2]; add.s64 %%y2, %%y2, 4;", g.pick("ld.global.u32", "ld.global.s8", "ld.global.u16"), g.reg('r'))
		case k < 5:
			g.slots("local", fmt.Sprintf("loc%d", g.inFunc+1), 64)
		case k < 7 && g.inFunc < 0:
			g.slots("global", "%own", 256)
		case k < 8 && g.inFunc < 0:
			g.line("%sred.global.add.u32 [%%ctr], %s;", g.guard(), g.reg('r'))
		case k < 9:
			g.line("add.s64 %s, %s, %s;", g.reg('d'), g.reg('d'), g.pick(g.reg('d'), "%y2"))
		case k < 10:
			g.setp()
		default:
			g.arith()
		}
	}
	g.endStraight(head, c, n)
}

// endStraight ends a loop without branches inside that begins at a label, after as many rounds as n says.
func (g *generator) endStraight(head, c, n string) {
	g.line("add.u32 %s, %s, 1;", c, c)
	if g.chance(50) {
		g.line("setp.lt.u32 %%q, %s, %s;", c, n)
		g.line("@%%q bra %s;", head)
	} else {
		g.line("setp.ge.u32 %%q, %s, %s;", c, n)
		g.line("@!%%q bra %s;", head)
	}
	g.line("%s_end:", head)
	g.line("sub.s64 %s, %%y2, %%tab;", g.reg('d'))
}

// jungle is a set of blocks that jump to each other until fuel is used up.
func (g *generator) jungle() {
	n := 3 + g.rnd.Intn(4)
	end := g.label("LEAVE")
	labels := make([]string, n)
	for i := range labels {
		labels[i] = g.label("X")
	}
	fuel := fmt.Sprintf("%%u%d", g.depth)
	g.line("mov.u32 %s, %d;", fuel, 3+g.rnd.Intn(8))
	if g.chance(30) {
		g.line("add.u32 %s, %s, %%lane;", fuel, fuel)
		g.line("and.b32 %s, %s, 15;", fuel, fuel)
	}
	g.depth += 2
	before := len(g.single)
	known := before
	for i, l := range labels {
		g.line("%s:", l)
		g.line("sub.s32 %s, %s, 1;", fuel, fuel)
		g.line("setp.le.s32 %%q, %s, 0;", fuel)
		g.line("@%%q bra %s;", end)
		if i == 0 {
			g.writeSingle()
		}
		g.statements(g.rnd.Intn(4))
		if g.chance(50) {
			g.setp()
		}
		if i == 0 {
			known = len(g.single) // all ways go through the first block
		}
		g.single = g.single[:known]
		g.jump(labels, end)
	}
	g.line("%s:", end)
	g.single = g.single[:before]
	g.depth -= 2
}

func (g *generator) jump(labels []string, end string) {
	to := func() string { return g.pick(append(labels, end)...) }
	switch g.rnd.Intn(4) {
	case 0:
		g.line("bra %s;", to())
	case 1:
		g.line("@%s bra %s;", g.reg('p'), to())
	case 2:
		g.line("@%s bra %s;", g.reg('p'), to())
		g.line("bra %s;", to())
	case 3:
		tab := g.label("TAB")
		g.line("and.b32 %%x0, %s, 3;", g.pick(g.reg('r'), "%t"))
		g.line("%s: .branchtargets %s, %s, %s, %s;", tab, to(), to(), to(), to())
		g.line("%sbrx.idx %%x0, %s;", g.guard(), tab)
	}
}

// memory accesses a table, or the thread's own slots.
func (g *generator) memory() {
	switch g.rnd.Intn(8) {
	case 7:
		g.indexed()
	case 6:
		if g.inFunc < 0 {
			g.atomics()
		}
	case 0: // the same place for all lanes
		g.line("%sld.global.u32 %s, [%%tab+%d];", g.guard(), g.reg('r'), 4*g.rnd.Intn(32))
		g.line("ld.global.v2.u32 {%s, %%x1}, [%%tab+%d];", g.reg('r'), 8*g.rnd.Intn(16))
	case 1: // one place for each
		g.line("and.b32 %%x0, %s, 15;", g.reg('r'))
		g.line("mul.wide.u32 %%y0, %%x0, 16;")
		g.line("add.s64 %%y0, %%y0, %%tab;")
		g.line("%s", g.pick(
			"ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%y0];", "ld.global.v2.u64 {%d0, %d1}, [%y0];",
			"ld.global.s8 %r4, [%y0+3];", "ld.global.u8 %h1, [%y0+5];", "ld.global.s16 %d2, [%y0+2];", "ld.u16 %r5, [%y0];",
			"ld.global.f64 %g1, [%y0+8];", "ld.global.s8 %h2, [%y0+1];", "ld.global.v2.u32 {%r6, _}, [%y0];", "ld.s32 %d3, [%y0+4];"))
	case 2:
		if g.inFunc >= 0 {
			g.arith()
			return
		}
		g.slots("global", "%own", 256)
	case 3:
		if g.inFunc >= 0 {
			g.arith()
			return
		}
		if withCopies && g.chance(60) {
			g.copies()
			return
		}
		g.slots("shared", "%sown", 16)
	case 4:
		g.slots("local", fmt.Sprintf("loc%d", g.inFunc+1), 64)
	case 5:
		g.line("and.b32 %%x0, %s, 7;", g.reg('r'))
		g.line("mul.wide.u32 %%y0, %%x0, 8;")
		g.line("add.s64 %%y0, %%y0, %%gloc;")
		g.line("%s", g.pick("st.u64 [%y0], "+g.reg('d')+";", "ld.u64 "+g.reg('d')+", [%y0];",
			"st.u8 [%y0+1], "+g.reg('r')+";", "ld.s16 "+g.reg('r')+", [%y0+6];",
			"st.v2.b32 [%y0], {"+g.reg('r')+", "+g.reg('r')+"};", "ld.v2.f32 {%f0, %f1}, [%y0];"))
	}
}

// indexed accesses arrays by an index, some places of them by one: in the table, where the index may be
// negative, and the thread's own ones.
func (g *generator) indexed() {
	size := 4 << g.rnd.Intn(2)
	load := func(at string) {
		if g.chance(30) {
			g.line("%sld.global.u32 %s, [%s];", g.guard(), g.reg('r'), at)
		} else if size == 8 && g.chance(50) {
			g.line("ld.global.u64 %s, [%s];", g.reg('d'), at)
		} else {
			g.line("%s %s, [%s];", g.pick("ld.global.u32", "ld.global.s8", "ld.global.u16"), g.reg('r'), at)
		}
	}
	from := g.rnd.Intn(2) * 16
	g.line("and.b32 %%x0, %s, 31; sub.s32 %%x0, %%x0, %d;", g.pick("%t", "%lane", "7", g.reg('r'), g.reg('r')), from)
	switch {
	case g.chance(50):
		g.line("cvt.s64.s32 %%y0, %%x0; shl.b64 %%y0, %%y0, %d;", size/4+1)
	case from == 0:
		g.line("mul.wide.u32 %%y0, %%x0, %d;", size)
	default:
		g.line("mul.wide.s32 %%y0, %%x0, %d;", size)
	}
	g.line("add.s64 %%y1, %%tab, %%y0;")
	load(fmt.Sprintf("%%y1+%d", from*size))
	if g.inFunc >= 0 {
		return
	}
	g.line("mad.lo.u32 %%x1, %%ct, %%nt, %%t; mad.lo.u32 %%x1, %%x1, %d, %d; mul.wide.s32 %%y2, %%x1, %d;", 256/size, g.rnd.Intn(8), size)
	g.line("ld.param.u64 %%y3, [k_out]; add.s64 %%y3, %%y3, %%y2;")
	if g.chance(50) {
		g.line("%sst.global.u32 [%%y3], %s;", g.guard(), g.reg('r'))
	} else {
		g.line("%sred.global.add.u32 [%%y3], %s;", g.guard(), g.reg('r'))
	}
	load(fmt.Sprintf("%%y1+%d", from*size))
	g.line("mul.wide.u32 %%y2, %%t, 4; mov.b64 %%y0, sh; shl.b64 %%y2, %%y2, 2; add.s64 %%y0, %%y0, %%y2;")
	g.line("%sst.shared.u32 [%%y0], %s;", g.guard(), g.reg('r'))
	load("%y3")
	g.line("ld.shared.u32 %s, [%%y0+4];", g.reg('r'))
	g.line("sub.s64 %s, %%y1, %%tab;", g.reg('d'))
}

func (g *generator) slots(space, base string, n int) {
	off := g.rnd.Intn(n/16) * 16
	guard := g.guard()
	g.line("%s%s", guard, g.pick(
		fmt.Sprintf("st.%s.u32 [%s+%d], %s;", space, base, off+4, g.operand("R")),
		fmt.Sprintf("st.%s.u64 [%s+%d], %s;", space, base, off+8, g.reg('d')),
		fmt.Sprintf("st.%s.v2.f32 [%s+%d], {%s, %s};", space, base, off, g.reg('f'), g.reg('f')),
		fmt.Sprintf("st.%s.v4.u16 [%s+%d], {%s, %s, %s, %s};", space, base, off, g.reg('h'), g.reg('h'), g.reg('h'), g.reg('h')),
		fmt.Sprintf("st.%s.u8 [%s+%d], %s;", space, base, off+3, g.reg('r')),
		fmt.Sprintf("ld.%s.u32 %s, [%s+%d];", space, g.reg('r'), base, off),
		fmt.Sprintf("ld.%s.s16 %s, [%s+%d];", space, g.reg('r'), base, off+2),
		fmt.Sprintf("ld.%s.u64 %s, [%s+%d];", space, g.reg('d'), base, off+8),
		fmt.Sprintf("ld.%s.v2.f32 {%%f0, %%f1}, [%s+%d];", space, base, off),
	))
}

// exchange passes values between threads at points that all of them reach.
func (g *generator) exchange() {
	switch g.rnd.Intn(9) {
	case 4, 5, 6, 7, 8:
		g.together()
	case 0:
		g.line("shfl.sync.bfly.b32 %s, %s, %d, 31, -1;", g.reg('r'), g.reg('r'), g.rnd.Intn(32))
	case 1:
		g.line("vote.sync.ballot.b32 %s, %s, -1;", g.reg('r'), g.reg('p'))
	default:
		g.line("bar.sync 0;")
		g.line("add.u32 %%x0, %%t, %d;", 1+g.rnd.Intn(40))
		g.line("rem.u32 %%x0, %%x0, %%nt;")
		g.line("mul.wide.u32 %%y0, %%x0, 16;")
		g.line("mov.b64 %%y1, sh;")
		g.line("add.s64 %%y0, %%y0, %%y1;")
		g.line("ld.shared.u32 %s, [%%y0+4];", g.reg('r'))
		g.line("bar.sync 0;")
	}
}

func (g *generator) call() {
	limit := len(g.funcs)
	if g.inFunc >= 0 {
		limit = g.inFunc
	}
	if limit == 0 {
		g.arith()
		return
	}
	if g.chance(35) {
		g.callPointer(limit)
		return
	}
	g.callTo(g.funcs[g.rnd.Intn(limit)], g.reg('r'), "")
}

// callTo calls f, through a pointer if there is a prototype.
func (g *generator) callTo(f genFunc, n, proto string) {
	if proto != "" {
		proto = ", " + proto
	}
	guard := g.guard()
	if *strict { // ld.param has no guard
		guard = ""
	}
	r, d := g.reg('r'), g.reg('d')
	if f.byReg {
		g.line("%scall (%s, %s), %s, (%s, %s, %%tab)%s;", guard, r, d, f.name, n, g.reg('d'), proto)
		return
	}
	a, b, c, x, y := g.label("pa"), g.label("pb"), g.label("pc"), g.label("px"), g.label("py")
	results := strings.ReplaceAll(g.results(x, y), ",", ";")
	g.line("{ .param .b32 %s; .param .align 8 .b8 %s[16]; .param .b8 %s; %s;", a, b, c, results)
	g.line("st.param.b32 [%s], %s;", a, n)
	g.line("st.param.b64 [%s], %s;", b, g.reg('d'))
	g.line("st.param.b64 [%s+8], %%tab;", b)
	g.line("st.param.b8 [%s], %s;", c, g.reg('h'))
	if *strict {
		g.line("call (%s), %s, (%s, %s, %s)%s;", x, f.name, a, b, c, proto)
	} else {
		g.line("%scall (%s, %s), %s, (%s, %s, %s)%s;", guard, x, y, f.name, a, b, c, proto)
	}
	g.line("%sld.param.b32 %s, [%s];", guard, r, x)
	g.line("%sld.param.b64 %s, [%s]; }", guard, d, g.second(x, y))
}
