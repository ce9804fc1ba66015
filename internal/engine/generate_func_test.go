package engine_test

import (
	"fmt"
	"math/rand"
)

// The generator's functions and the program as a whole.

// registers declares the same set in every function.
func (g *generator) registers() {
	g.line(".reg .b32 %%s<60>, %%r<10>, %%x<4>, %%l<8>, %%n<8>, %%u<8>, %%t, %%nt, %%lane, %%ct; .reg .b64 %%d<6>, %%y<4>, %%tab, %%own, %%sown, %%gloc, %%ctr;")
	g.line(".reg .f32 %%f<5>; .reg .f64 %%g<3>; .reg .b16 %%h<4>; .reg .pred %%p<5>, %%q;")
	g.line(".local .align 16 .b8 loc%d[64];", g.inFunc+1)
	g.line("mov.u32 %%t, %%tid.x; mov.u32 %%nt, %%ntid.x; mov.u32 %%lane, %%laneid; mov.u32 %%ct, %%ctaid.x;")
	g.line("mov.b64 %%y0, loc%d;", g.inFunc+1)
	g.line("cvta.local.u64 %%gloc, %%y0;")
	for i := range 4 {
		g.line("st.local.v2.u64 [loc%d+%d], {%d, 0};", g.inFunc+1, 16*i, i)
	}
}

// initial gives some registers values, the same in all lanes or not. In the
// kernel others stay as they are, which is 0; those of a function would keep
// what the last call left.
func (g *generator) initial() {
	g.line("add.cc.u32 %%x0, %%t, 0;")
	if g.inFunc >= 0 || *strict {
		for _, class := range []byte("rdfgh") {
			for i := range genCount[class] {
				g.line("mov.b%d %%%c%d, 0;", map[byte]int{'r': 32, 'd': 64, 'f': 32, 'g': 64, 'h': 16}[class], class, i)
			}
		}
		for i := range genCount['p'] {
			g.line("setp.ne.u32 %%p%d, %%t, %%t;", i)
		}
	}
	special := []string{"%tid.x", "%ctaid.x", "%ntid.x", "%laneid", "%warpid"}
	if *strict { // which leaves warps their place
		special = special[:4]
	}
	for i := range genCount['r'] {
		switch r := fmt.Sprintf("%%r%d", i); g.rnd.Intn(5) {
		case 0:
			g.line("mov.u32 %s, %s;", r, g.constant())
		case 1:
			g.line("mov.u32 %s, %s;", r, g.pick(special...))
		case 2:
			g.line("ld.global.u32 %s, [%%tab+%d];", r, 4*i)
		case 3:
			g.line("mad.lo.u32 %s, %%t, %d, %%ct;", r, g.rnd.Intn(9))
		}
	}
	for i := range genCount['d'] {
		if g.chance(70) {
			g.line("cvt.s64.s32 %%d%d, %s;", i, g.reg('r'))
		}
	}
	for i := range genCount['f'] {
		if g.chance(70) {
			g.line("cvt.rn.f32.s32 %%f%d, %s;", i, g.reg('r'))
		}
	}
	for i := range genCount['p'] {
		if g.chance(70) {
			g.line("setp.lt.s32 %%p%d, %s, %s;", i, g.reg('r'), g.reg('r'))
		}
	}
}

func (g *generator) function(i int) {
	f := &g.funcs[i]
	g.inFunc, g.depth, g.brk, g.single, g.singles = i, 1, nil, nil, 0
	var n, d string
	if f.byReg {
		fmt.Fprintf(&g.b, ".func (.reg .b32 rx, .reg .b64 ry) %s (.reg .b32 ra, .reg .b64 rb, .reg .b64 rt)\n{\n", f.name)
		n, d = "ra", "rb"
	} else {
		fmt.Fprintf(&g.b, ".func ("+g.results("fx", "fy")+") %s (.param .b32 fa, .param .align 8 .b8 fb[16], .param .b8 fc)\n{\n", f.name)
	}
	g.registers()
	if f.byReg {
		g.line("mov.b64 %%tab, rt;")
	} else {
		g.line("ld.param.b64 %%tab, [fb+8];")
	}
	g.initial()
	if f.byReg {
		g.line("mov.b32 %%r0, %s; mov.b64 %%d0, %s;", n, d)
	} else {
		g.line("ld.param.b32 %%r0, [fa]; ld.param.b64 %%d0, [fb]; ld.param.s8 %%r1, [fc]; ld.param.v2.u32 {%%r2, %%r3}, [fb];")
		g.line("st.param.b32 [fx], %%r0; st.param.b64 [%s], %%d0;", g.second("fx", "fy"))
	}
	if f.byReg {
		g.line("mov.b32 rx, %%r0; mov.b64 ry, %%d0;")
	}
	g.size = 12
	if f.recurse {
		skip := g.label("SKIP")
		g.line("and.b32 %%x3, %%r0, 3;")
		g.line("setp.eq.u32 %%q, %%x3, 0;")
		g.line("@%%q bra %s;", skip)
		g.line("sub.u32 %%x3, %%x3, 1;")
		g.statements(4)
		g.callTo(*f, "%x3", "")
		g.single = nil
		g.line("%s:", skip)
	}
	g.statements(12)
	if f.byReg {
		g.line("mov.b32 rx, %s; mov.b64 ry, %s;", g.reg('r'), g.reg('d'))
	} else {
		g.line("st.param.b32 [fx], %s; st.param.b64 [%s], %s;", g.reg('r'), g.second("fx", "fy"), g.reg('d'))
	}
	g.line("ret;")
	g.b.WriteString("}\n")
}

// results declares the two results of a function, and second names the other: where programs are
// strict, it is a part of the first.
func (g *generator) results(x, y string) string {
	if *strict {
		return fmt.Sprintf(".param .align 8 .b8 %s[16]", x)
	}
	return fmt.Sprintf(".param .b32 %s, .param .b64 %s", x, y)
}

func (g *generator) second(x, y string) string {
	if *strict {
		return x + "+8"
	}
	return y
}

// generate writes a program: kernel k(tab, out, ctr) with tab of 512 bytes
// and out of 256 bytes a thread.
func generate(seed int64, size int) string { return generateWith(seed, size, false) }

// generateWith is generate; tight programs have many loops of one straight run.
func generateWith(seed int64, size int, tight bool) string {
	g := &generator{rnd: rand.New(rand.NewSource(seed)), tight: tight}
	g.b.WriteString(header)
	g.b.WriteString(".shared .align 16 .b8 sh[4096];\n.shared .align 16 .b8 acc[16];\n")
	for i := range g.rnd.Intn(4) {
		g.funcs = append(g.funcs, genFunc{fmt.Sprintf("fn%d", i), g.chance(40) && !*strict, g.chance(40)})
		g.function(i)
	}
	g.inFunc, g.depth, g.brk, g.size = -1, 0, nil, size
	g.single, g.singles = nil, 0
	g.b.WriteString(".visible .entry k(.param .u64 k_tab, .param .u64 k_out, .param .u64 k_ctr)\n{\n")
	g.registers()
	g.line("ld.param.u64 %%tab, [k_tab]; ld.param.u64 %%own, [k_out]; ld.param.u64 %%ctr, [k_ctr];")
	g.line("mad.lo.u32 %%x0, %%ct, %%nt, %%t; mul.wide.u32 %%y0, %%x0, 256; add.s64 %%own, %%own, %%y0;")
	g.line("mul.wide.u32 %%y0, %%t, 16; mov.b64 %%sown, sh; add.s64 %%sown, %%sown, %%y0;")
	g.line("st.shared.v2.u64 [%%sown], {0, 0};")
	g.initial()
	for g.size > 0 {
		g.statements(6)
		g.together()
	}
	for i := range 4 {
		g.line("st.global.u32 [%%own+%d], %s;", 16*i, g.reg('r'))
		g.line("st.global.u64 [%%own+%d], %s;", 16*i+8, g.reg('d'))
	}
	g.line("selp.u32 %%x0, 1, 2, %s;", g.reg('p'))
	g.line("st.global.u32 [%%own+4], %%x0;")
	g.line("st.global.u16 [%%own+20], %s;", g.reg('h'))
	g.line("st.global.f32 [%%own+36], %s;", g.reg('f'))
	g.b.WriteString("}\n")
	return g.b.String()
}
