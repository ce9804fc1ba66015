package race_test

import (
	"fmt"
	"math/bits"
	"math/rand"
	"strings"
)

// program is a random kernel k(g) for the oracle, in PTX, and its launch. It ends
// in every schedule: who waits for a flag comes later in the text than who sets it,
// and a barrier is only where all come that it counts.
type program struct {
	blocks, threads int
	text            string
}

const (
	dataBytes     = 512 // of each space, before the flags
	flagBytes     = 64
	programHeader = `.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_g)
{
	.reg .pred %p<200>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %d<20>;
	.reg .b32 %t, %b, %lane, %warp, %n; .reg .b64 %g, %s, %a;
	.shared .align 16 .b8 s[576];
	ld.param.u64 %g, [k_g];
	cvta.to.global.u64 %g, %g;
	mov.u32 %t, %tid.x;
	mov.u32 %b, %ctaid.x;
	and.b32 %lane, %t, 31;
	shr.u32 %warp, %t, 5;
	mov.u64 %s, s;
`
)

// generator writes a program.
type generator struct {
	rng    *rand.Rand
	text   strings.Builder
	p      *program
	preds  int
	labels int
	bars   int
	flags  int
	depth  int
	// plain: nothing but barriers orders accesses. careful: flags do as well, mostly with all
	// fences that they need, and strong operations never race with each other.
	plain, careful bool
}

// newProgram makes the program of a seed.
func newProgram(seed int64) *program {
	return (&generator{rng: rand.New(rand.NewSource(seed))}).program()
}

// newPlainProgram makes one without flags and fences, mostly on global memory.
func newPlainProgram(seed int64) *program {
	return (&generator{rng: rand.New(rand.NewSource(seed)), plain: true}).program()
}

// newCarefulProgram makes one that mostly has few races, also where threads wait for flags.
func newCarefulProgram(seed int64) *program {
	return (&generator{rng: rand.New(rand.NewSource(seed)), careful: true}).program()
}

func (g *generator) program() *program {
	g.p = &program{blocks: 1 + g.rng.Intn(3), threads: []int{32, 64, 40, 8}[g.rng.Intn(4)]}
	g.text.WriteString(programHeader)
	active := make(team, g.p.blocks)
	for b := range active {
		active[b] = make([]bool, g.p.threads)
		for t := range active[b] {
			active[b][t] = true
		}
	}
	g.statements(active, 4+g.rng.Intn(8))
	g.text.WriteString("\tret;\n}\n")
	g.p.text = g.text.String()
	return g.p
}

// team are the threads that come to a place of the program, by block.
type team [][]bool

func (a team) any() bool {
	for _, ts := range a {
		for _, on := range ts {
			if on {
				return true
			}
		}
	}
	return false
}

// warps are the lanes of each warp that has some.
func (a team) warps() (masks []uint32) {
	for _, ts := range a {
		for w := 0; w < len(ts); w += 32 {
			m := uint32(0)
			for l := 0; l < 32 && w+l < len(ts); l++ {
				if ts[w+l] {
					m |= 1 << l
				}
			}
			if m != 0 {
				masks = append(masks, m)
			}
		}
	}
	return masks
}

// full reports whether each block comes with all its threads or not at all.
func (a team) full() bool {
	for _, ts := range a {
		for _, on := range ts {
			if on != ts[0] {
				return false
			}
		}
	}
	return true
}

// fullWarps is how many warps of each block that comes do so, all of their threads; 0
// where that differs.
func (a team) fullWarps() int {
	n := 0
	for _, ts := range a {
		of := 0
		for w := 0; w < len(ts); w += 32 {
			for l := w; l < min(w+32, len(ts)); l++ {
				if ts[l] != ts[w] {
					return 0
				}
			}
			if ts[w] {
				of++
			}
		}
		if of > 0 && n > 0 && of != n {
			return 0
		}
		n = max(n, of)
	}
	return n
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.text, "\t"+format+"\n", args...) }

func (g *generator) pick(of ...string) string { return of[g.rng.Intn(len(of))] }

func (g *generator) statements(active team, n int) {
	for range n {
		if !active.any() {
			return
		}
		switch k := g.rng.Intn(100); {
		case k < 45:
			g.access(g.place())
		case k < 53 && active.full():
			g.line("bar.sync 0;")
		case k < 57:
			g.partBarrier(active)
		case k < 63:
			g.syncWarp(active)
		case k < 69 && !g.plain:
			g.fence()
		case k < 79 && g.depth < 3:
			g.branch(active)
		case k < 82 && g.depth < 3:
			g.loop(active)
		case !g.plain:
			g.handOver(active)
		}
	}
}

// condition is a test that some threads pass.
func (g *generator) condition() (ptx []string, passes func(b, t int) bool) {
	compare := func(reg string, c int) []string {
		return []string{fmt.Sprintf("setp.eq.u32 %%p%d, %s, %d;", g.preds, reg, c)}
	}
	less := func(reg string, c int) []string {
		return []string{fmt.Sprintf("setp.lt.u32 %%p%d, %s, %d;", g.preds, reg, c)}
	}
	switch g.rng.Intn(6) {
	case 0:
		c := g.rng.Intn(g.p.blocks)
		return compare("%b", c), func(b, _ int) bool { return b == c }
	case 1:
		c := g.rng.Intn(2)
		return compare("%warp", c), func(_, t int) bool { return t/32 == c }
	case 2:
		c := 1 << g.rng.Intn(6)
		return less("%t", c), func(_, t int) bool { return t < c }
	case 3:
		c := 1 << g.rng.Intn(5)
		return less("%lane", c), func(_, t int) bool { return t%32 < c }
	case 4:
		c := g.rng.Intn(2)
		return append([]string{"and.b32 %r0, %t, 1;"}, compare("%r0", c)...), func(_, t int) bool { return t%2 == c }
	}
	c := g.rng.Intn(g.p.threads)
	return compare("%t", c), func(_, t int) bool { return t == c }
}

// where runs f for the threads that pass a condition.
func (g *generator) where(active team, ptx []string, passes func(b, t int) bool, f func(team)) {
	for _, l := range ptx {
		g.line("%s", l)
	}
	g.labels++
	end := fmt.Sprintf("END%d", g.labels)
	g.line("@!%%p%d bra %s;", g.preds, end)
	g.preds++
	some := make(team, len(active))
	for b := range active {
		some[b] = make([]bool, len(active[b]))
		for t, on := range active[b] {
			some[b][t] = on && passes(b, t)
		}
	}
	g.depth++
	f(some)
	g.depth--
	g.text.WriteString(end + ":\n")
}

func (g *generator) branch(active team) {
	ptx, passes := g.condition()
	g.where(active, ptx, passes, func(some team) { g.statements(some, 1+g.rng.Intn(3)) })
}

func (g *generator) loop(active team) {
	if g.depth > 0 { // one counter
		return
	}
	g.labels++
	top := fmt.Sprintf("TOP%d", g.labels)
	g.line("mov.u32 %%n, 0;")
	g.text.WriteString(top + ":\n")
	g.depth++
	g.statements(active, 1+g.rng.Intn(4))
	g.depth--
	g.line("add.u32 %%n, %%n, 1;")
	g.line("setp.lt.u32 %%p%d, %%n, 2;", g.preds)
	g.line("@%%p%d bra %s;", g.preds, top)
	g.preds++
}

// place is an element that each thread accesses.
type place struct {
	space string
	size  int
	// own elements, those of a neighbor, or one.
	stride, shift, base int
	byBlock             bool
}

func (g *generator) place() place {
	p := place{space: g.pick("shared", "shared", "global"), size: []int{4, 4, 4, 4, 1, 2, 8}[g.rng.Intn(7)], stride: 1}
	switch g.rng.Intn(6) {
	case 0:
		p.stride = 0
	case 1:
		p.shift = 1 + g.rng.Intn(3)
	}
	p.base = 8 * g.rng.Intn(2)
	p.byBlock = g.rng.Intn(3) > 0
	if (g.plain || g.careful) && g.rng.Intn(8) > 0 {
		p.space, p.size, p.stride, p.shift, p.byBlock = "global", []int{4, 4, 4, 2, 8}[g.rng.Intn(5)], 1, max(0, g.rng.Intn(12)-10), true
	}
	return p
}

// address computes where the thread accesses into %a, and says how it is named.
func (g *generator) address(p place) string {
	if p.stride == 0 {
		return fmt.Sprintf("[%%%c+%d]", p.space[0], p.base)
	}
	block := 0
	if p.space == "global" && p.byBlock {
		block = 128
	}
	g.line("add.u32 %%r1, %%t, %d; and.b32 %%r1, %%r1, %d; mul.lo.u32 %%r1, %%r1, %d; mad.lo.u32 %%r1, %%b, %d, %%r1; cvt.u64.u32 %%d1, %%r1; add.u64 %%a, %%%c, %%d1;",
		p.shift, 128/p.size-1, p.size, block, p.space[0])
	return fmt.Sprintf("[%%a+%d]", p.base)
}

// access is a read, a write or an atomic operation.
func (g *generator) access(p place) {
	at := g.address(p)
	order := ""
	if !g.plain && !g.careful {
		order = g.pick("", "", "", "", ".volatile", ".relaxed."+g.scope())
	}
	switch k := g.rng.Intn(7); {
	case k < 3:
		g.load(order, p, at)
	case k < 6 || p.size < 4 || g.careful:
		g.store(order, p, at)
	default:
		g.atomic("", p, at)
	}
}

func (g *generator) scope() string {
	if g.careful {
		return "gpu"
	}
	return g.pick("cta", "gpu", "sys", "gpu")
}

// register is one of the width of an access.
func register(p place) string {
	switch p.size {
	case 8:
		return "%d2"
	case 4:
		return "%r2"
	}
	return "%h2"
}

func (g *generator) load(order string, p place, at string) {
	g.line("ld%s.%s.u%d %s, %s;", order, p.space, 8*p.size, register(p), at)
}

func (g *generator) store(order string, p place, at string) {
	v := register(p)
	if g.rng.Intn(2) == 0 {
		g.line("mov.b%d %s, 1;", max(16, 8*p.size), v)
	} else {
		g.line("cvt.u%d.u32 %s, %%t;", max(16, 8*p.size), v)
	}
	g.line("st%s.%s.u%d %s, %s;", order, p.space, 8*p.size, at, v)
}

// atomic adds; sem is its order, "" for one without.
func (g *generator) atomic(sem string, p place, at string) {
	if g.plain {
		sem = ".relaxed." + g.pick("gpu", "gpu", "gpu", "cta")
	} else if sem == "" {
		sem = "." + g.pick("relaxed."+g.scope(), "relaxed.gpu", "acquire.gpu", "release."+g.scope(), "acq_rel."+g.scope())
	}
	v := register(p)
	g.line("mov.u%d %s, 1;", 8*p.size, v)
	if strings.Contains(sem, "acq") || g.rng.Intn(2) == 0 {
		g.line("atom%s.%s.add.u%d %s, %s, %s;", sem, p.space, 8*p.size, v, at, v)
	} else {
		g.line("red%s.%s.add.u%d %s, %s;", sem, p.space, 8*p.size, at, v)
	}
}

func (g *generator) fence() {
	g.line("%s", g.pick("membar.cta;", "membar.gl;", "membar.sys;", "fence.acq_rel.gpu;", "fence.sc.cta;", "fence.acq_rel.cta;"))
}

// partBarrier is a barrier of some warps, or one at which some only arrive.
func (g *generator) partBarrier(active team) {
	n := active.fullWarps()
	if n == 0 || g.bars == 14 {
		return
	}
	g.bars++
	if n < 2 || g.depth > 0 || g.rng.Intn(2) == 0 { // an arrival of the next round would count in this one
		g.line("bar.sync %d, %d;", g.bars, 32*n)
		return
	}
	g.line("setp.eq.u32 %%p%d, %%warp, %d;", g.preds, g.rng.Intn(2))
	g.line("@%%p%d bar.arrive %d, %d;", g.preds, g.bars, 32*n)
	g.line("@!%%p%d bar.sync %d, %d;", g.preds, g.bars, 32*n)
	g.preds++
}

// syncWarp joins the lanes that are here, where these are the same of each warp.
func (g *generator) syncWarp(active team) {
	masks := active.warps()
	for _, m := range masks {
		if m != masks[0] {
			g.line("activemask.b32 %%r3;")
			g.line("bar.warp.sync %%r3;")
			return
		}
	}
	g.line("bar.warp.sync 0x%x;", masks[0])
}

// one is a thread of a team.
func (g *generator) one(active team) (block, thread int) {
	for {
		b := g.rng.Intn(len(active))
		if t := g.rng.Intn(len(active[b])); active[b][t] {
			return b, t
		}
		for t, on := range active[b] {
			if on && g.rng.Intn(bits.Len(uint(len(active[b])))) == 0 {
				return b, t
			}
		}
	}
}

// only is the condition that a thread is this one.
func (g *generator) only(b, t int) ([]string, func(int, int) bool) {
	return []string{"mad.lo.u32 %r0, %b, 1024, %t;", fmt.Sprintf("setp.eq.u32 %%p%d, %%r0, %d;", g.preds, 1024*b+t)},
		func(x, y int) bool { return x == b && y == t }
}

// handOver lets one thread write data and set a flag, and another one, which waits for it
// or only looks, read the data. What orders them may be missing or too narrow.
func (g *generator) handOver(active team) {
	space := g.pick("shared", "global", "global")
	if g.careful {
		space = "global"
	}
	flag := place{space: space, size: 4, base: dataBytes + 8*g.rng.Intn(flagBytes/8)}
	data := place{space: g.pick(flag.space, flag.space, "shared", "global"), size: 4, base: 4 * g.rng.Intn(64)}
	if g.careful && g.rng.Intn(8) > 0 {
		data = place{space: "global", size: 4, base: 448 + flag.base - dataBytes}
	}
	from, sender := g.one(active)
	to, reader := g.one(active)
	if flag.space == "shared" {
		for ok := false; !ok; {
			if to, reader = g.one(active); to == from {
				ok = true
			}
		}
	}
	if g.flags++; g.flags > 12 {
		return
	}
	ptx, passes := g.only(from, sender)
	g.where(active, ptx, passes, func(team) {
		g.store("", data, g.address(data))
		g.maybeFence()
		g.set(flag)
	})
	for range g.rng.Intn(2) { // a link of the chain between them
		b, t := from, sender
		if flag.space == "global" {
			b, t = g.one(active)
		}
		ptx, passes := g.only(b, t)
		g.where(active, ptx, passes, func(team) {
			g.maybeFence()
			g.atomic("", flag, g.address(flag))
		})
	}
	ptx, passes = g.only(to, reader)
	g.where(active, ptx, passes, func(team) {
		g.await(flag, g.rng.Intn(4) > 0)
		g.maybeFence()
		if g.rng.Intn(3) == 0 {
			g.store("", data, g.address(data))
		} else {
			g.load("", data, g.address(data))
		}
	})
}

func (g *generator) maybeFence() {
	switch {
	case g.careful && g.rng.Intn(8) > 0:
		g.line("%s", g.pick("membar.gl;", "fence.acq_rel.gpu;"))
	case !g.careful && g.rng.Intn(3) > 0:
		g.fence()
	}
}

// set makes a flag something else than 0.
func (g *generator) set(flag place) {
	at := g.address(flag)
	g.line("mov.u32 %%r2, 1;")
	n := g.rng.Intn(4)
	if g.careful {
		n = max(n, 1)
	}
	switch n {
	case 0:
		g.line("st.volatile.%s.u32 %s, %%r2;", flag.space, at)
	case 1:
		g.line("st.%s.%s.%s.u32 %s, %%r2;", g.pick("relaxed", "release"), g.scope(), flag.space, at)
	case 2:
		g.atomic("", flag, at)
	case 3:
		g.line("st.release.gpu.%s.u32 %s, %%r2;", flag.space, at)
	}
}

// await reads a flag, until it is not 0 if it waits.
func (g *generator) await(flag place, waits bool) {
	at := g.address(flag)
	g.labels++
	top := fmt.Sprintf("WAIT%d", g.labels)
	if waits {
		g.text.WriteString(top + ":\n")
	}
	n := g.rng.Intn(5)
	if g.careful {
		n = min(max(n, 1), 3)
	}
	switch n {
	case 0:
		g.line("ld.volatile.%s.u32 %%r2, %s;", flag.space, at)
	case 1:
		g.line("ld.%s.%s.%s.u32 %%r2, %s;", g.pick("relaxed", "acquire"), g.scope(), flag.space, at)
	case 2:
		g.line("mov.u32 %%r2, 0;")
		g.line("atom.%s.%s.%s.add.u32 %%r2, %s, %%r2;", g.pick("relaxed", "acquire", "acq_rel"), g.scope(), flag.space, at)
	case 3:
		g.line("ld.acquire.gpu.%s.u32 %%r2, %s;", flag.space, at)
	case 4:
		g.line("ld.%s.u32 %%r2, %s;", flag.space, at)
	}
	if waits {
		g.line("setp.eq.u32 %%p%d, %%r2, 0;", g.preds)
		g.line("@%%p%d bra %s;", g.preds, top)
		g.preds++
	}
}
