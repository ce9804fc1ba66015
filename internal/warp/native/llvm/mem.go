package llvm

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// irAccess is a memory instruction being compiled.
type irAccess struct {
	*irGen
	native.AccessPlan
	// slow is the way out to the interpreter, done where all ways that the code has meet.
	slow, done string
	// ways are the blocks that come to done, with what they loaded.
	ways []irWay
}

type irWay struct {
	block  string
	values [4]irValue
}

// region is a field of the instruction's region.
func (a *irAccess) region(off int32) irValue {
	at := a.at(irRegions, constantOf(i64Type, uint64(a.Index*native.RegionSize+off)))
	return a.value(i64Type, "load i64, %s, align 8, !invariant.load !1", at)
}

func (a *irAccess) start() irValue { return a.region(native.RegionStart) }
func (a *irAccess) limit() irValue { return a.region(native.RegionLimit) }
func (a *irAccess) pointer() irValue {
	return a.value(ptrType, "inttoptr %s to ptr", a.region(native.RegionPtr))
}

// memory is OpLoad or OpStore. What it cannot do (faults, another region) leaves to the
// interpreter, which comes back after the step.
func (g *irGen) memory(i int, x native.MemoryStep) {
	a := &irAccess{irGen: g, AccessPlan: x.AccessPlan, slow: g.leaveAt(i), done: g.newLabel()}
	m := a.Mem
	one := m.OnePlace()
	a.prepare(one)
	var node, cursor irValue
	switch x.First {
	case native.FollowFirst:
		cursor, node = a.expected(one)
	case native.SiftFirst:
		a.sift()
	case native.EnterFirst:
		a.watch()
	}
	if x.TriesLocal {
		a.orLocal()
	}
	switch {
	case x.Placing == native.LocalRow:
		a.localRows()
	case x.Placing == native.LocalEach:
		a.localEach(m.Offset)
	case x.Placing == native.AtOnePlace && a.Load:
		a.scalarLoad()
	case x.Placing == native.AtOnePlace:
		a.scalarStore()
	default:
		a.lanesAccess()
	}
	g.begin(a.done)
	loaded := a.loaded()
	if x.First == native.FollowFirst {
		next := g.at(cursor, constantOf(i64Type, uint64(native.CursorNext)))
		g.store(g.load(i32Type, next, 4), g.at(cursor, constantOf(i64Type, uint64(native.CursorAt))), 4)
		g.store(g.load(i32Type, g.at(node, constantOf(i64Type, uint64(recall.NodeChild))), 4), next, 4)
	}
	g.done.Add(x.Done)
	for k, v := range loaded {
		if v.name != "" {
			g.define(m.Regs[k], m.Width, v)
		}
	}
	g.comeBack(i + 1)
}

// prepare brings addresses and operands into values before the ways part.
func (a *irAccess) prepare(one bool) {
	if !one {
		a.row(a.Mem.Base, a.Mem.BaseWidth)
	}
	for k := range a.Mem.Count {
		if !a.Load && a.Mem.Regs[k] != program.NoSlot {
			a.row(a.Mem.Regs[k], a.Mem.Width)
		}
	}
}

// come ends one of the ways.
func (a *irAccess) come(values [4]irValue) {
	a.ways = append(a.ways, irWay{a.block, values})
	a.jump(a.done)
}

// loaded is what all ways have loaded.
func (a *irAccess) loaded() (v [4]irValue) {
	if !a.Load || a.Mem.ScalarRegs {
		return v
	}
	for k := range a.Mem.Count {
		if a.Mem.Regs[k] == program.NoSlot {
			continue
		}
		t := rowType(a.Mem.Width)
		in := make([]string, len(a.ways))
		for i, w := range a.ways {
			in[i] = "[ " + w.values[k].name + ", %" + w.block + " ]"
		}
		v[k] = a.value(t, "phi %s %s", t, strings.Join(in, ", "))
	}
	return v
}

// element is the type of an element in memory.
func (a *irAccess) element() string {
	return map[int]string{1: "i8", 2: "i16", 4: "i32", 8: "i64"}[a.Mem.Elem]
}

// extended is an element as a register keeps it: one may be loaded into a register of twice its width and more (PTX ISA, "Operand Size
// Exceeding Instruction-Type Size").
func (a *irAccess) extended(v irValue) irValue {
	width := 8 * a.Mem.Width.Bytes()
	if 8*a.Mem.Elem >= width {
		return v
	}
	register := fmt.Sprintf("i%d", width)
	if a.Mem.SignBits == 0 {
		return a.cast("zext", v, register)
	}
	v = a.cast("sext", v, register)
	if n := a.Mem.SignBits; n < width {
		v = a.with("and", v, 1<<n-1)
	}
	return v
}

// stores are the elements that a store writes.
func (a *irAccess) stores(k int) irValue {
	v := a.row(a.Mem.Regs[k], a.Mem.Width)
	if a.Mem.Elem < 4 {
		v = a.cast("trunc", v, a.element())
	}
	return v
}

// base is the one address of all lanes, without the offset.
func (a *irAccess) base() irValue {
	if a.Mem.Base == program.NoSlot {
		return constantOf(i64Type, 0)
	}
	return a.irGen.load(i64Type, a.slot(a.Mem.Base, 0), 8)
}

// onePlace is the pointer to the one address of all lanes.
func (a *irAccess) onePlace() irValue {
	at := a.base()
	if a.Size > 1 {
		a.unless(a.differs(a.with("and", at, uint64(a.Size-1)), 0), a.slow)
	}
	off := a.bin("sub", at, a.start())
	a.unless(a.compare("icmp uge", off, a.limit()), a.slow)
	return a.at(a.pointer(), off)
}

// scalarStore stores what the highest lane that runs has at the one address of all lanes.
func (a *irAccess) scalarStore() {
	p := a.onePlace()
	lane := constantOf(i32Type, 31)
	if a.part {
		lane = a.bin("sub", lane, a.call("ctlz", i32Type, a.get(irMask), irValue{"true", i1Type}))
	}
	for k := range a.Mem.Count {
		v := a.stores(k)
		one := a.value(irType{v.t.elem, 1}, "extractelement %s, %s", v, lane)
		a.store(one, a.at(p, constantOf(i64Type, uint64(k*a.Mem.Elem))), a.Mem.Elem)
	}
	a.come([4]irValue{})
}

// scalarLoad is a load of one address for all lanes.
func (a *irAccess) scalarLoad() {
	p := a.onePlace()
	var v [4]irValue
	for k := range a.Mem.Count {
		if a.Mem.Regs[k] == program.NoSlot {
			continue
		}
		e := a.extended(a.irGen.load(irType{a.element(), 1}, a.at(p, constantOf(i64Type, uint64(k*a.Mem.Elem))), a.Mem.Elem))
		if a.Mem.ScalarRegs {
			a.setScalar(a.Mem.Regs[k], a.Mem.Bcast[k], a.Mem.Width, e)
		} else {
			v[k] = a.splat(e, 32)
		}
	}
	a.come(v)
}

// lanesAccess looks at the addresses of all lanes. Each half of 16 lanes may access a row of neighbors, or load from one place, as in
// products by tiles; other accesses go lane by lane.
func (a *irAccess) lanesAccess() {
	addr := a.row(a.Mem.Base, a.Mem.BaseWidth)
	if !a.part {
		firsts, steps := make([]int, 32), make([]int, 32)
		for l := range firsts {
			firsts[l], steps[l] = l&16, l%16*a.Size
		}
		first := a.pick(addr, nil, firsts)
		a.tryHalves(addr, a.bin("add", first, listOf(addr.t.elem, steps)), a.rowsOf)
		if a.Load {
			a.tryHalves(addr, first, a.placesOf)
		}
	}
	a.each(addr)
}

// tryHalves makes the access by a way for halves if the addresses are those that the way is for.
func (a *irAccess) tryHalves(addr, want irValue, way func(addr irValue)) {
	here, other := a.newLabel(), a.newLabel()
	a.branch(a.isZero(a.maskOf(a.compare("icmp ne", addr, want))), here, other, false)
	a.begin(here)
	way(addr)
	a.begin(other)
}

// halvesAt are the pointers to the places of lanes 0 and 16, if they and what follows up to
// span bytes further are inside.
func (a *irAccess) halvesAt(addr irValue, span int) (p [2]irValue) {
	var off [2]irValue
	one := irType{addr.t.elem, 1}
	start := a.start()
	if one.elem == "i32" {
		start = a.cast("trunc", start, "i32")
	}
	var all irValue
	for h := range off {
		at := a.irText.element(addr, 16*h)
		if all = at; h > 0 {
			all = a.bin("or", at, a.irText.element(addr, 0))
		}
		off[h] = a.cast("zext", a.bin("sub", at, start), "i64")
	}
	if a.Size > 1 {
		a.unless(a.differs(a.with("and", all, uint64(a.Size-1)), 0), a.slow)
	}
	limit := a.call("usub.sat", i64Type, a.limit(), constantOf(i64Type, uint64(span)))
	outside := a.bin("or", a.compare("icmp uge", off[0], limit), a.compare("icmp uge", off[1], limit))
	a.unless(outside, a.slow)
	ptr := a.pointer()
	return [2]irValue{a.at(ptr, off[0]), a.at(ptr, off[1])}
}

// rowsOf is for halves whose lanes are neighbors. A lane's elements lie one behind the other.
func (a *irAccess) rowsOf(addr irValue) {
	p := a.halvesAt(addr, 15*a.Size)
	n := a.Mem.Count
	half := irType{a.element(), 16 * n}
	var v [4]irValue
	if a.Load {
		lo, hi := a.irGen.load(half, p[0], a.Mem.Elem), a.irGen.load(half, p[1], a.Mem.Elem)
		for k := range n {
			if a.Mem.Regs[k] == program.NoSlot {
				continue
			}
			every := make([]int, 32)
			for l := range every {
				every[l] = l*n + k
			}
			v[k] = a.extended(a.pick(lo, &hi, every))
		}
		a.come(v)
		return
	}
	for h := range p {
		a.store(a.woven(16*h), p[h], a.Mem.Elem)
	}
	a.come(v)
}

// woven are the elements that 16 lanes from one on store, lane after lane.
func (a *irAccess) woven(from int) irValue {
	n := a.Mem.Count
	if n == 1 {
		return a.pick(a.stores(0), nil, sequence(from, 16))
	}
	// Two rows have the even and the odd elements, or of four the first and second two.
	pair := func(x, y irValue, width int) irValue {
		list := make([]int, 0, 2*x.t.n)
		for i := 0; i < x.t.n; i += width {
			list = append(append(list, sequence(i, width)...), sequence(x.t.n+i, width)...)
		}
		return a.pick(x, &y, list)
	}
	part := func(k int) irValue { return a.pick(a.stores(k), nil, sequence(from, 16)) }
	v := pair(part(0), part(1), 1)
	if n == 4 {
		v = pair(v, pair(part(2), part(3), 1), 2)
	}
	return v
}

// placesOf is for halves that load from one place each.
func (a *irAccess) placesOf(addr irValue) {
	p := a.halvesAt(addr, 0)
	var v [4]irValue
	for k := range a.Mem.Count {
		if a.Mem.Regs[k] == program.NoSlot {
			continue
		}
		var halves [2]irValue
		for h := range p {
			e := a.irGen.load(irType{a.element(), 1}, a.at(p[h], constantOf(i64Type, uint64(k*a.Mem.Elem))), a.Mem.Elem)
			halves[h] = a.splat(e, 16)
		}
		v[k] = a.extended(a.pick(halves[0], &halves[1], sequence(0, 32)))
	}
	a.come(v)
}

// offsets stores the lanes' offsets from the begin of the region in the context.
func (a *irAccess) offsets(addr irValue) irValue {
	start := a.start()
	if addr.t.elem == "i32" {
		start = a.cast("trunc", start, "i32")
	}
	at := a.ctxAt(native.CtxAt)
	a.store(a.cast("zext", a.bin("sub", addr, a.splat(start, 32)), "i64"), at, 8)
	return at
}

// each does the lanes that run one by one.
func (a *irAccess) each(addr irValue) {
	what := bits.TrailingZeros(uint(a.Mem.Elem)) | a.Mem.Count<<countShift
	if a.Load && !a.part && a.Mem.Count == 1 {
		what |= countsMiss
	}
	region := a.at(irRegions, constantOf(i64Type, uint64(a.Index*native.RegionSize)))
	f := [2]function{loadEach, storeEach}
	a.come(a.atEach(f, a.offsets(addr), region, constantOf(i32Type, uint64(what))))
}

func (a *irAccess) misaligned(addr irValue) irValue {
	return a.compare("icmp ne", a.with("and", addr, uint64(a.Size-1)), constantOf(addr.t, 0))
}

// atEach calls a function that loads or one that stores, with the elements of all lanes in memory.
func (a *irAccess) atEach(f [2]function, args ...irValue) (v [4]irValue) {
	data := irValue{"%area", ptrType}
	t := irType{a.element(), 32}
	at := func(k int) irValue { return a.irText.at(data, constantOf(i64Type, uint64(32*k*a.Mem.Elem))) }
	args = append(args, data)
	if a.Load {
		a.unless(a.isZero(a.invoke(f[0], i32Type, args...)), a.slow)
		for k := range a.Mem.Count {
			if a.Mem.Regs[k] != program.NoSlot {
				v[k] = a.extended(a.irGen.load(t, at(k), 8))
			}
		}
		return v
	}
	for k := range a.Mem.Count {
		if a.Mem.Regs[k] != program.NoSlot {
			a.store(a.stores(k), at(k), 8)
		}
	}
	a.unless(a.isZero(a.invoke(f[1], i32Type, args...)), a.slow)
	return v
}

// localRows is an access to local memory at one offset in all lanes.
func (a *irAccess) localRows() {
	off := a.with("add", a.base(), a.Mem.Offset)
	if a.Size > 1 {
		a.unless(a.differs(a.with("and", off, uint64(a.Size-1)), 0), a.slow)
	}
	a.unless(a.compare("icmp uge", off, a.localLimit()), a.slow)
	if least, limit, ok := a.Extent(a.Mem); ok {
		a.unless(a.compare("icmp uge", a.with("sub", off, least), constantOf(off.t, limit)), a.slow)
	}
	if a.Watched&native.Noted != 0 {
		a.note(off)
	}
	p := a.at(a.local(), a.with("shl", off, 5))
	var v [4]irValue
	for k := range a.Mem.Count {
		if a.Mem.Regs[k] == program.NoSlot {
			continue
		}
		row := func(word int) irValue {
			return a.at(p, constantOf(i64Type, uint64(32*k*a.Mem.Elem+native.RowBytes*word)))
		}
		switch {
		case a.Mem.Elem == 4 && a.Load:
			v[k] = a.irGen.load(row32Type, row(0), 4)
		case a.Mem.Elem == 4:
			a.storeLocal(a.row(a.Mem.Regs[k], alu.W32), row(0))
		case a.Load:
			lo, hi := a.irGen.load(row32Type, row(0), 4), a.irGen.load(row32Type, row(1), 4)
			v[k] = a.bin("or", a.with("shl", a.cast("zext", hi, "i64"), 32), a.cast("zext", lo, "i64"))
		default:
			s := a.row(a.Mem.Regs[k], alu.W64)
			a.storeLocal(a.cast("trunc", s, "i32"), row(0))
			a.storeLocal(a.cast("trunc", a.with("lshr", s, 32), "i32"), row(1))
		}
	}
	a.come(v)
}

// note enters a store at an offset in local memory, or leaves the code where a lane has not
// written what it loads.
func (a *irAccess) note(off irValue) {
	lanes := constantOf(i64Type, ^uint64(0))
	if a.part {
		m := a.cast("zext", a.get(irMask), "i64")
		lanes = a.bin("or", m, a.with("shl", m, 32))
	}
	written := a.at(a.irGen.load(ptrType, a.ctxAt(native.CtxWritten), 8), a.with("shl", off, 2))
	missing := constantOf(i64Type, 0)
	for i := range a.Size / 2 { // two bytes at a time
		p := a.at(written, constantOf(i64Type, uint64(8*i)))
		v := a.irGen.load(i64Type, p, 4)
		if a.Load {
			missing = a.bin("or", missing, a.bin("and", lanes, a.with("xor", v, ^uint64(0))))
		} else {
			a.store(a.bin("or", v, lanes), p, 4)
		}
	}
	if a.Load {
		a.unless(a.differs(missing, 0), a.slow)
	}
}

// storeLocal writes a row of local memory in the lanes that run.
func (a *irAccess) storeLocal(v, p irValue) {
	if a.part {
		v = a.choose(a.lanes(), v, a.irGen.load(v.t, p, 4))
	}
	a.store(v, p, 4)
}

func (a *irAccess) local() irValue { return a.irGen.load(ptrType, a.ctxAt(native.CtxLocal), 8) }

// localLimit is one more than the largest offset of an access of the size.
func (a *irAccess) localLimit() irValue {
	return a.field(native.CtxLocalLimit + 8*int32(bits.TrailingZeros(uint(a.Size))))
}

// localEach is an access to local memory at an offset by lane: its address plus a constant.
func (a *irAccess) localEach(plus uint64) {
	off := a.with("add", a.row(a.Mem.Base, a.Mem.BaseWidth), plus)
	bad := a.bin("or", a.compare("icmp uge", off, a.splat(a.localLimit(), 32)), a.misaligned(off))
	if least, limit, ok := a.Extent(a.Mem); ok {
		bad = a.bin("or", bad, a.compare("icmp uge", a.with("sub", off, least), constantOf(off.t, limit)))
	}
	a.unless(a.anyOf(bad), a.slow)
	at := a.ctxAt(native.CtxAt)
	a.store(off, at, 8)
	a.come(a.atEach([2]function{loadLocal, storeLocal}, at, constantOf(i32Type, uint64(a.Mem.Count))))
}

// orLocal lets an access to generic addresses that cannot go its usual way try local memory.
func (a *irAccess) orLocal() {
	b, here, usual := *a, a.newLabel(), a.newLabel()
	addr := a.row(a.Mem.Base, a.Mem.BaseWidth)
	inLocal := a.compare("icmp ult", a.with("sub", addr, mem.LocalWindow), constantOf(addr.t, mem.LocalWindowSize))
	a.branch(a.anyOf(inLocal), here, usual, true)
	a.begin(here)
	if !a.Load { // counted with the others
		a.countAs(native.Tally{Stores: -1, Locals: 1})
	}
	b.slow = a.newLabel()
	a.cold = append(a.cold, func() {
		a.begin(b.slow)
		if !a.Load {
			a.countAs(native.Tally{Stores: 1, Locals: -1})
		}
		a.jump(a.slow)
	})
	b.localEach(a.Mem.Offset - mem.LocalWindow)
	a.ways = b.ways
	a.begin(usual)
}

// expected leaves the code unless the access is the one that the group expects: the site and
// the warp, the mask and the shape, and the base.
func (a *irAccess) expected(one bool) (cursor, node irValue) {
	m := a.Mem
	at := func(p irValue, off int32) irValue { return a.at(p, constantOf(i64Type, uint64(off))) }
	load := func(t irType, p irValue, off int32) irValue { return a.irGen.load(t, at(p, off), t.bits()/8) }
	cursor = load(ptrType, irContext, native.CtxCursor)
	next := a.cast("zext", load(i32Type, cursor, native.CursorNext), "i64")
	node = a.at(load(ptrType, irContext, native.CtxNodes), a.with("shl", next, recall.NodeShift))
	what := a.with("add", a.field(native.CtxWarp), recall.SiteBits(m.Site.ID))
	a.unless(a.compare("icmp ne", what, load(i64Type, node, recall.NodeWhat)), a.slow)
	id := a.cast("zext", load(i32Type, node, recall.NodeShape), "i64")
	shape := a.irGen.load(ptrType, a.at(load(ptrType, irContext, native.CtxShapes), a.with("shl", id, 3)), 8)
	a.unless(a.compare("icmp ne", a.get(irMask), load(i32Type, shape, native.ShapeMask)), a.slow)
	base := a.cast("zext", load(i32Type, node, recall.NodeBase), "i64")
	if one {
		a.unless(a.differs(load(i64Type, shape, native.ShapeOr), 0), a.slow)
		a.unless(a.compare("icmp ne", a.with("add", a.base(), m.Offset), base), a.slow)
		return cursor, node
	}
	addr := a.row(m.Base, m.BaseWidth)
	from := a.with("sub", base, m.Offset)
	off := native.ShapeOff
	if addr.t.elem == "i32" {
		from, off = a.cast("trunc", from, "i32"), native.ShapeOff32
	}
	want := a.bin("add", a.irGen.load(addr.t, at(shape, off), 4), a.splat(from, 32))
	a.unless(a.anyOf(a.compare("icmp ne", addr, want)), a.slow)
	return cursor, node
}

// atomically returns the new value of an atomic operation, of the old one and the operands.
func (x *irText) atomically(atom string, old, b, c irValue) irValue {
	switch op, _, _ := strings.Cut(atom, "."); op {
	case "exch":
		return b
	case "cas":
		return x.choose(x.compare("icmp eq", old, b), c, old)
	}
	return x.render(body.Of(atom), []irValue{old, b})
}

// Parts of the scratch memory of a function: a row of 64 bits each.
const (
	areaAt, areaB, areaC, areaOld = 0, 256, 512, 768
)

// atomic is OpAtomic, lane by lane from the lowest to the highest.
func (g *irGen) atomic(i int, x native.AtomicStep) {
	a := &irAccess{irGen: g, AccessPlan: x.AccessPlan, slow: g.leaveAt(i)}
	m := a.Mem
	switch x.First {
	case native.SiftFirst:
		a.sift()
	case native.EnterFirst:
		a.watch()
	}
	area := func(off int) irValue { return g.at(irValue{"%area", ptrType}, constantOf(i64Type, uint64(off))) }
	g.store(g.row(m.B, m.Width), area(areaB), 64)
	if m.C != program.NoSlot {
		g.store(g.row(m.C, m.Width), area(areaC), 64)
	}
	var addr irValue
	if m.Scalar || m.Base == program.NoSlot {
		addr = g.splat(a.base(), 32)
	} else {
		addr = g.row(m.Base, m.BaseWidth)
	}
	off := g.bin("sub", addr, g.splat(a.start(), 32))
	bad := g.bin("or", g.compare("icmp uge", off, g.splat(a.limit(), 32)), a.misaligned(addr))
	g.unless(g.anyOf(bad), a.slow)
	g.store(g.at(a.pointer(), off), area(areaAt), 64)
	changes := a.eachLane()
	g.addField(native.CtxChanges, changes)
	g.done.Add(x.Done)
	if m.Regs[0] != program.NoSlot {
		g.define(m.Regs[0], m.Width, g.load(rowType(m.Width), area(areaOld), 64))
	}
	g.comeBack(i + 1)
}

// eachLane is the loop of an atomic operation over the lanes that run. It returns how many
// changed something.
func (a *irAccess) eachLane() irValue {
	g, m := a.irGen, a.Mem
	elem := irType{"i" + map[int]string{4: "32", 8: "64"}[m.Elem], 1}
	lane := irValue{}
	at := func(part int, size int) irValue {
		return g.at(g.at(irValue{"%area", ptrType}, constantOf(i64Type, uint64(part))), g.with("mul", lane, uint64(size)))
	}
	before, mask := g.block, g.get(irMask)
	loop, stored, end := g.newLabel(), g.newLabel(), g.newLabel()
	g.jump(loop)
	g.begin(loop)
	left := g.value(i32Type, "phi i32 [ %s, %%%s ], [ %%%s_left, %%%s ]", mask.name, before, loop, stored)
	count := g.value(i64Type, "phi i64 [ 0, %%%s ], [ %%%s_count, %%%s ]", before, loop, stored)
	lane = g.cast("zext", g.call("cttz", i32Type, left, irValue{"true", i1Type}), "i64")
	p := g.load(ptrType, at(areaAt, 8), 8)
	b := g.load(elem, at(areaB, m.Elem), m.Elem)
	var c irValue
	if m.C != program.NoSlot {
		c = g.load(elem, at(areaC, m.Elem), m.Elem)
	}
	var old, result irValue
	if m.Space == trace.SpaceShared {
		old = g.load(elem, p, m.Elem)
		result = g.atomically(m.Atom, old, b, c)
		g.store(result, p, m.Elem)
	} else {
		seen, again := g.load(elem, p, m.Elem), g.newLabel()
		from := g.block
		g.jump(again)
		g.begin(again)
		old = g.value(elem, "phi %s [ %s, %%%s ], [ %%%s_seen, %%%s ]", elem, seen.name, from, again, again)
		result = g.atomically(m.Atom, old, b, c)
		pair := g.value(irType{"{ " + elem.elem + ", i1 }", 1}, "cmpxchg %s, %s, %s seq_cst seq_cst", p, old, result)
		g.do("%%%s_seen = extractvalue %s, 0", again, pair)
		ok := g.value(i1Type, "extractvalue %s, 1", pair)
		after := g.newLabel()
		g.branch(ok, after, again, false)
		g.begin(after)
	}
	g.store(old, at(areaOld, m.Elem), m.Elem)
	changed := g.cast("zext", g.compare("icmp ne", old, result), "i64")
	g.jump(stored)
	g.begin(stored)
	g.do("%%%s_count = add %s, %s", loop, count, changed.name)
	g.do("%%%s_left = and %s, %s", loop, left, g.with("sub", left, 1).name)
	done := g.value(i1Type, "icmp eq i32 %%%s_left, 0", loop)
	g.branch(done, end, loop, false)
	g.begin(end)
	return irValue{"%" + loop + "_count", i64Type}
}
