package engine_test

import (
	"fmt"
	"strings"
)

// The generator's operations among threads: those of a warp, with all lanes or
// a part of them, barriers in all their forms, atomics in shared memory, and
// calls through pointers.

// barred are the barriers that the random part uses; 0 is for exchange.
const barred = 6

// together is something that all threads of the kernel do at one place.
func (g *generator) together() {
	switch g.rnd.Intn(6) {
	case 0:
		g.warpOp(0xffffffff)
	case 1, 2:
		g.halves()
	case 3, 4:
		g.barrier()
	case 5:
		g.line("bar.sync 0;")
		g.line("ld.shared.u32 %s, [acc+%d];", g.reg('r'), 4*g.rnd.Intn(4))
		g.line("bar.sync 0;")
	}
}

// halves splits the warp in two parts that work for themselves.
func (g *generator) halves() {
	first := 1 + g.rnd.Intn(31)
	mask := uint32(1)<<first - 1
	els, end := g.label("UPPER"), g.label("MEET")
	g.line("setp.lt.u32 %%q, %%lane, %d;", first)
	g.line("@!%%q bra %s;", els)
	g.part(mask)
	g.line("bra.uni %s;", end)
	g.line("%s:", els)
	g.part(^mask)
	g.line("%s:", end)
}

func (g *generator) part(mask uint32) {
	for range 1 + g.rnd.Intn(3) {
		if g.chance(50) {
			g.arith()
		}
		g.warpOp(mask)
	}
}

// warpOp is one operation of the lanes in mask, all of which come here unless
// they have ended.
func (g *generator) warpOp(mask uint32) {
	r, s, p, q := g.reg('r'), g.reg('r'), g.reg('p'), g.reg('p')
	segment := (32 - (1 << (1 + g.rnd.Intn(5)))) << 8
	switch g.rnd.Intn(7) {
	case 0, 1:
		mode, b := g.pick("bfly", "idx", "down"), g.operand("R")
		g.line("shfl.sync.%s.b32 %s|%s, %s, %s, %d, %d;", mode, r, p, s, b, segment|31, mask)
	case 2:
		g.line("shfl.sync.up.b32 %s|%s, %s, %d, %d, %d;", r, p, s, g.rnd.Intn(32), segment, mask)
	case 3:
		g.line("vote.sync.%s.pred %s, %s%s, %d;", g.pick("all", "any", "uni"), p, g.pick("", "!"), q, mask)
	case 4:
		g.line("vote.sync.ballot.b32 %s, %s%s, %d;", r, g.pick("", "!"), q, mask)
	case 5:
		g.line("and.b32 %%x1, %s, 3;", s)
		g.line("%s, %%x1, %d;", g.pick("match.any.sync.b32 "+r, "match.all.sync.b32 "+r+"|"+p), mask)
	case 6:
		g.line("redux.sync.%s %s, %s, %d;", g.pick("add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"), r, s, mask)
		if g.chance(50) && !*strict { // of sm_100
			g.line("redux.sync.%s%s%s.f32 %s, %s, %d;", g.pick("min", "max"), g.pick("", ".abs"), g.pick("", ".NaN"), g.reg('f'), g.reg('f'), mask)
		}
	}
	if g.chance(20) {
		g.line("bar.warp.sync %d;", mask)
	}
}

// barrier is one that all threads reach. Counts are those of whole warps, and
// only right while no thread can have ended.
func (g *generator) barrier() {
	id, count := fmt.Sprint(1+g.rnd.Intn(barred-1)), ""
	if !g.mayExit && g.chance(60) {
		g.line("add.u32 %%x0, %%nt, 31; and.b32 %%x0, %%x0, -32;")
		count = ", %x0"
	}
	switch k := g.rnd.Intn(5); {
	case k == 0 && count != "":
		g.line("setp.lt.u32 %%q, %%t, 32;")
		g.line("@%%q bar.arrive %s%s;", id, count)
		g.line("@!%%q bar.sync %s%s;", id, count)
		g.line("bar.sync 0;")
	case k <= 2:
		g.line("%s %s%s;", g.pick("bar.sync", "barrier.sync.aligned", "barrier.sync"), id, count)
	case k == 3:
		g.line("bar.red.popc.u32 %s, %s%s, %s%s;", g.reg('r'), id, count, g.pick("", "!"), g.reg('p'))
	default:
		g.line("bar.red.%s.pred %s, %s%s, %s%s;", g.pick("and", "or"), g.reg('p'), id, count, g.pick("", "!"), g.reg('p'))
	}
}

// sharedOps are the operations on the four words of acc, which commute.
var sharedOps = [4]string{"add.u32", "xor.b32", "max.u32", "or.b32"}

// atomics are those whose order does not matter, or on the thread's own words.
func (g *generator) atomics() {
	if g.chance(50) {
		k := g.rnd.Intn(len(sharedOps))
		g.line("%sred.shared.%s [acc+%d], %s;", g.guard(), sharedOps[k], 4*k, g.operand("R"))
		return
	}
	space, at := "shared", "%sown+12"
	if g.chance(40) {
		space, at = "global", "%own+244"
	}
	op := g.pick("add.u32", "exch.b32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "inc.u32", "dec.u32", "cas.b32")
	operands := g.reg('r')
	if strings.HasPrefix(op, "cas") {
		operands += ", " + g.operand("R")
	}
	g.line("%satom.%s.%s %s, [%s], %s;", g.guard(), space, op, g.reg('r'), at, operands)
}

// callPointer calls one of two functions, lane by lane.
func (g *generator) callPointer(limit int) {
	a, b := g.funcs[g.rnd.Intn(limit)], g.funcs[g.rnd.Intn(limit)]
	if a.byReg != b.byReg {
		b = a
	}
	proto := g.label("PROTO")
	if a.byReg {
		g.line("%s: .callprototype (.reg .b32 _, .reg .b64 _) _ (.reg .b32 _, .reg .b64 _, .reg .b64 _);", proto)
	} else {
		g.line("%s: .callprototype ("+strings.ReplaceAll(g.results("_", "_"), "%", "%%")+") _ (.param .b32 _, .param .align 8 .b8 _[16], .param .b8 _);", proto)
	}
	g.line("mov.u64 %%y1, %s; mov.u64 %%y2, %s; selp.b64 %%y1, %%y1, %%y2, %s;", a.name, b.name, g.reg('p'))
	g.callTo(genFunc{name: "%y1", byReg: a.byReg}, g.reg('r'), proto)
}
