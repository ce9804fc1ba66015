package llvm

import (
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

import ()

// irBlocks is for sweeps that continue with the next block.
type irBlocks struct {
	*irGen
	native.SweepPlan
}

// nextBlock begins the next block, if code may, where all warps of a sweep are at step r. Its stores are
// volatile: LLVM would make calls of memset and memcpy of them, which code has not.
func (g irBlocks) nextBlock(r irValue) {
	if g.Another == nil {
		return
	}
	more := g.field(native.CtxMore)
	g.unless(g.isZero(more), "over")
	g.unless(g.compare("icmp uge", g.field(native.CtxThreads), constantOf(i64Type, native.MaxSwept)), "over")
	g.do("switch %s, label %%over [", r)
	for _, pc := range g.Ends {
		g.do("  i32 %d, label %%again", pc)
	}
	g.do("]")
	g.begin("again")
	g.setField(native.CtxMore, g.with("sub", more, 1))
	ended, passed := g.field(native.CtxEnded), g.field(native.CtxPassed)
	g.store(g.cast("trunc", passed, "i32"), g.at(g.ctxAt(native.CtxPassedBy), g.with("shl", ended, 2)), 4)
	g.setField(native.CtxEnded, g.with("add", ended, 1))
	g.setField(native.CtxPassed, g.choose(g.isZero(g.field(native.CtxKeep)), constantOf(i64Type, 0), passed))
	coord := g.nextCoord()
	g.clearShared()
	g.eachWarp(coord)
	begin := g.load(ptrType, g.ctxAt(native.CtxBegin), 8)
	g.store(begin, g.ctxAt(native.CtxFirst), 8)
	g.store(begin, g.ctxAt(native.CtxEntry), 8)
	g.setField(native.CtxPending, g.field(native.CtxWarps))
	noStop := native.NoStop
	g.setField(native.CtxStop, constantOf(i64Type, uint64(noStop)))
	for f := range int32(2) {
		g.setField(native.CtxTargets+8*f, constantOf(i64Type, 0))
	}
	g.jump("next")
	g.begin("over")
}

// nextCoord makes the coordinates those of the next block: x runs fastest.
func (g irBlocks) nextCoord() (coord [3]irValue) {
	more := constantOf(i1Type, 1)
	for i := range int32(3) {
		at := g.ctxAt(native.CtxCoord + 4*i)
		c := g.bin("add", g.load(i32Type, at, 4), g.cast("zext", more, "i32"))
		if i < 2 {
			more = g.bin("and", more, g.compare("icmp eq", c, g.load(i32Type, g.ctxAt(native.CtxGrid+4*i), 4)))
			c = g.choose(more, constantOf(i32Type, 0), c)
		}
		g.store(c, at, 4)
		coord[i] = c
	}
	return coord
}

// storeVolatile is a store that LLVM leaves as it is.
func (g irBlocks) storeVolatile(v, p irValue, align int) {
	g.do("store volatile %s, %s, align %d", v, p, align)
}

// upTo is a loop over offsets, so many bytes apart, below an end that is not 0.
func (g irBlocks) upTo(end irValue, apart uint64, body func(off irValue)) {
	before, loop, after := g.block, g.newLabel(), g.newLabel()
	g.jump(loop)
	g.begin(loop)
	off := g.value(i64Type, "phi i64 [ 0, %%%s ], [ %%%s_next, %%%s ]", before, loop, loop)
	body(off)
	g.do("%%%s_next = add %s, %d", loop, off, apart)
	g.branch(g.compare("icmp ult", irValue{"%" + loop + "_next", i64Type}, end), loop, after, false)
	g.begin(after)
}

// clearShared clears shared memory, whose size is rounded up to whole rows.
func (g irBlocks) clearShared() {
	size, clear, done := g.field(native.CtxBlockBytes), g.newLabel(), g.newLabel()
	g.branch(g.isZero(size), done, clear, false)
	g.begin(clear)
	p, zero := g.load(ptrType, g.ctxAt(native.CtxBlockMem), 8), constantOf(irType{"i64", 8}, 0)
	g.upTo(size, 64, func(off irValue) { g.storeVolatile(zero, g.at(p, off), 8) })
	g.jump(done)
	g.begin(done)
}

// eachWarp readies the warps of the next block.
func (g irBlocks) eachWarp(coord [3]irValue) {
	begin := g.load(ptrType, g.ctxAt(native.CtxBegin), 8)
	loop, after, before := g.newLabel(), g.newLabel(), g.block
	g.jump(loop)
	g.begin(loop)
	entry := g.value(ptrType, "phi ptr [ %s, %%%s ], [ %%%s_next, %%%s_end ]", begin.name, before, loop, loop)
	at := func(off int32) irValue { return g.at(entry, constantOf(i64Type, uint64(off))) }
	slab := g.load(ptrType, at(native.EntrySlab), 8)
	slot := func(s int32) irValue { return g.at(slab, constantOf(i64Type, uint64(s))) }
	if g.Another.Image > 0 {
		image := g.load(ptrType, at(native.EntryImage), 8)
		g.upTo(constantOf(i64Type, uint64(g.Another.Image)), 8, func(off irValue) {
			g.storeVolatile(g.load(i64Type, g.at(image, off), 8), g.at(slab, off), 8)
		})
	}
	for _, x := range g.Another.Slots {
		v := constantOf(irType{integerOf[x.Kind.Bits()], 1}, 0)
		if x.Coord != native.NoCoord {
			v = g.cast("zext", coord[x.Coord], v.t.elem)
		}
		if x.Kind == native.Row32 || x.Kind == native.Row64 {
			v = g.splat(v, 32)
		}
		g.storeVolatile(v, slot(x.Slot), 4)
	}
	for i, x := range native.Swept {
		g.addField(native.CtxBefore+int32(8*i), g.load(i64Type, at(x[1]), 8))
		g.storeVolatile(constantOf(i64Type, 0), at(x[1]), 8)
	}
	g.store(g.field(native.CtxTurn), at(native.EntryBudget), 8)
	g.jump(loop + "_end")
	g.begin(loop + "_end")
	g.do("%%%s_next = getelementptr i8, %s, i64 %d", loop, entry, native.EntrySize)
	next := irValue{"%" + loop + "_next", ptrType}
	g.branch(g.compare("icmp eq", next, g.load(ptrType, g.ctxAt(native.CtxEnd), 8)), after, loop, false)
	g.begin(after)
}
