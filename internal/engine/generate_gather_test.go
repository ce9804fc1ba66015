package engine_test

import "fmt"

// gatherOps are operations on registers that generated code has, as in genOps.
var gatherOps = []string{
	"add.s32 r r R", "sub.s32 r r R", "mul.lo.s32 r r R", "mad.lo.s32 r r r r", "and.b32 r r R", "or.b32 r r R", "xor.b32 r r R",
	"not.b32 r r", "neg.s32 r r", "shl.b32 r r 3", "shr.u32 r r 7", "shr.s32 r r 31", "shl.b32 r r R", "min.s32 r r r", "max.u32 r r R",
	"min.s64 d d d", "max.u64 d d D", "mul.wide.u32 d r r", "mul.wide.s32 d r R", "add.s64 d d D", "sub.s64 d d d", "mul.lo.s64 d d d",
	"xor.b64 d d D", "shl.b64 d d 5", "shr.s64 d d 40", "cvt.u64.u32 d r", "cvt.s64.s32 d r", "cvt.u32.u64 r d", "popc.b32 r r",
	"add.f32 f f f", "mul.f32 f f f", "sub.f32 f f f", "fma.rn.f32 f f f f", "fma.rn.f32 %f0 f f %f0", "fma.rn.f32 %f1 f f %f1",
	"min.f32 f f f", "add.sat.f32 f f f", "neg.f32 f f", "add.ftz.f32 f f f", "div.rn.f32 f f f", "sqrt.rn.f32 f f",
	"cvt.rn.f32.s32 f r", "cvt.rzi.s32.f32 r f", "add.f64 g g g", "fma.rn.f64 g g g g", "cvt.f64.f32 g f", "mov.b32 r f",
	"mov.b32 f r", "mov.b32 r R", "mov.b32 r r", "mov.b64 g d", "mov.b64 d g", "mov.b64 d D", "mov.b64 d d",
	"setp.lt.s32 %p0 r R", "setp.ge.u32 %p1 r r", "setp.eq.s64 %p0 d d", "setp.gt.f32 %p1 f f", "setp.neu.f32 %p0 f f",
}

// gatherLoop is a loop that only computes and loads, from places that differ from lane to lane. Lanes leave it at
// different times. It begins several times, since generated code learns from the first ones how the lanes load.
func (g *generator) gatherLoop() {
	again, head := g.label("REPEAT"), g.label("GATHER")
	outer, c, n := fmt.Sprintf("%%l%d", g.depth), fmt.Sprintf("%%l%d", g.depth+1), fmt.Sprintf("%%n%d", g.depth+1)
	g.line("mov.u32 %s, 0;", outer)
	g.line("%s:", again)
	g.line("mov.u32 %s, 0;", c)
	g.line("and.b32 %s, %s, %d;", n, g.pick(g.reg('r'), "%t", "%t", "9"), 1<<g.rnd.Intn(6)-1)
	from := g.pick("%t", g.reg('r'))
	g.line("and.b32 %%x1, %s, 15; mul.wide.u32 %%y2, %%x1, %d; add.s64 %%y2, %%y2, %%tab;", from, g.pickInt(4, 8))
	g.line("and.b32 %%x1, %s, 31; mul.wide.u32 %%y1, %%x1, 4; add.s64 %%y1, %%y1, %%tab;", g.pick("%t", g.reg('r')))
	if g.chance(30) {
		g.setp()
		g.line("@%s bra %s_end;", g.reg('p'), head)
	}
	g.line("%s:", head)
	size, late := g.pickInt(4, 8), g.chance(30)
	step := func() { g.line("add.s64 %%y2, %%y2, %d;", size) }
	if g.chance(30) { // to be read before it is written
		g.line("setp.lt.s32 %%p0, %s, %s; setp.ge.s32 %%p1, %s, 5;", g.reg('r'), g.reg('r'), g.reg('r'))
		g.line("%s %%p0, %%p0, %%p1; selp.b32 %s, %s, %s, %%p0;", g.pick("and.pred", "or.pred", "xor.pred"), g.reg('r'), g.reg('r'), g.reg('r'))
		g.line("selp.f32 %s, %s, %s, %%p1; selp.b64 %s, %s, %s, %%p1;", g.reg('f'), g.reg('f'), g.reg('f'), g.reg('d'), g.reg('d'), g.reg('d'))
	}
	if late {
		step()
	}
	atomics := 0
	if g.inFunc < 0 && g.chance(40) {
		atomics = g.rnd.Intn(3) + 1
	}
	for range 2 + g.rnd.Intn(6) {
		switch g.rnd.Intn(8) {
		case 7:
			if atomics == 0 {
				continue
			}
			g.line("and.b32 %%x2, %s, 31; mul.wide.s32 %%y3, %%x2, 4; add.s64 %%y3, %%ctr, %%y3;", g.reg('r'))
			g.line("%s;", []string{"red.global.max.u32 [%y3+64], " + g.reg('r'), "red.global.or.b32 [%y3+192], " + g.reg('r'),
				"atom.global.cas.b32 %x3, [%y3+320], 0, 7"}[atomics-1])
			if g.chance(80) {
				atomics = 0
			}
		case 0:
			g.line("%s %s, [%%y2];", g.pick("ld.global.u32", "ld.global.s8", "ld.global.u16"), g.reg('r'))
			g.line("ld.global.f32 %s, [%%y2+%d];", g.reg('f'), 4*g.rnd.Intn(3))
		case 1:
			g.line("%s %s, [%%y1];", g.pick("ld.global.b32", "ld.global.f32"), "%f"+fmt.Sprint(g.rnd.Intn(genCount['f'])))
		case 2:
			g.line("and.b32 %%x2, %s, 63;", g.reg('r'))
			g.line("%s", g.pick("mul.wide.s32 %y3, %x2, 4;", "mul.wide.u32 %y3, %x2, 4;", "cvt.s64.s32 %y3, %x2; shl.b64 %y3, %y3, 2;"))
			g.line("add.s64 %%y3, %%tab, %%y3; %s [%%y3+%d];", g.pick("ld.global.u32 "+g.reg('r')+",", "ld.global.f32 "+g.reg('f')+","), 4*g.rnd.Intn(8))
		case 3: // an index that is loaded
			g.line("ld.global.u16 %%x2, [%%y2]; and.b32 %%x2, %%x2, 31; mul.wide.s32 %%y3, %%x2, 4; add.s64 %%y3, %%y3, %%tab; ld.global.u32 %%x2, [%%y3];")
			g.line("add.s32 %s, %s, %%x2;", g.reg('r'), g.reg('r'))
		case 4:
			g.line("and.b32 %%x2, %s, 31; mul.wide.u32 %%y3, %%x2, 8; add.s64 %%y3, %%tab, %%y3;", g.reg('r'))
			g.line("%s [%%y3];", g.pick("ld.global.u64 "+g.reg('d')+",", "ld.global.v2.u32 {%x1, "+g.reg('r')+"},", "ld.global.v2.f32 {%f0, %f2},"))
		default:
			op := gatherOps[g.rnd.Intn(len(gatherOps))]
			if !*strict || !loose(op) {
				g.operation("", op)
			}
		}
	}
	if !late {
		step()
	}
	g.endStraight(head, c, n)
	g.line("add.u32 %s, %s, 1; setp.lt.u32 %%q, %s, %d;", outer, outer, outer, 2+g.rnd.Intn(3))
	g.line("@%%q bra %s;", again)
}
