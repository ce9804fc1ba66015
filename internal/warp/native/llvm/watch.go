package llvm

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// watch enters an access to global memory into states or marks it, or both, if its region wants that.
func (a *irAccess) watch() {
	f := watchRead
	switch a.Mem.Site.Kind {
	case trace.Write:
		f = watchWrite
	case trace.Atomic:
		f = watchUpdate
	}
	wanted, on := a.newLabel(), a.newLabel()
	a.branch(a.isZero(a.needs()), on, wanted, false)
	a.begin(wanted)
	how := bits.TrailingZeros(uint(a.Size))
	if a.Enters(a.Mem) {
		how |= mayEnter
	}
	at := a.ctxAt(native.CtxAt)
	if a.Mem.OnePlace() {
		how |= onePlace
		off := a.bin("sub", a.base(), a.start())
		a.unless(a.compare("icmp uge", off, a.limit()), a.slow)
		a.store(off, at, 8)
	} else {
		off := a.bin("sub", a.cast("zext", a.row(a.Mem.Base, a.Mem.BaseWidth), "i64"), a.splat(a.start(), 32))
		a.unless(a.anyOf(a.compare("icmp uge", off, a.splat(a.limit(), 32))), a.slow)
		a.store(off, at, 8)
	}
	region := a.at(irRegions, constantOf(i64Type, uint64(a.Index*native.RegionSize)))
	ok := a.invoke(f, i32Type, at, region, constantOf(i32Type, uint64(a.Mem.Site.ID)), constantOf(i32Type, uint64(how)))
	a.unless(a.isZero(ok), a.slow)
	a.jump(on)
	a.begin(on)
}

// needs is what the region's accesses need: Enter, Mark.
func (a *irAccess) needs() irValue {
	return a.irGen.load(i32Type, a.at(irRegions, constantOf(i64Type, uint64(a.Index*native.RegionSize+native.RegionEnters))), 4)
}

// sift leaves the code unless the sieve takes the access to shared memory.
func (a *irAccess) sift() {
	m, f := a.Mem, siftRead
	switch {
	case m.Site.Kind == trace.Write:
		f = siftWrite
	case m.Site.Kind == trace.Atomic && m.Site.Exchange():
		f = siftExchange
	case m.Site.Kind == trace.Atomic:
		f = siftUpdate
	}
	how := bits.TrailingZeros(uint(a.Program.SharedUnit()))
	at := a.ctxAt(native.CtxAt)
	if m.OnePlace() {
		how |= onePlace
		base := a.base()
		if a.Size > 1 {
			a.unless(a.differs(a.with("and", base, uint64(a.Size-1)), 0), a.slow)
		}
		a.unless(a.compare("icmp uge", a.bin("sub", base, a.start()), a.limit()), a.slow)
		a.store(a.splat(a.cast("trunc", a.with("add", base, m.Offset), "i32"), 32), at, 8)
	} else {
		addr := a.row(m.Base, m.BaseWidth)
		start, limit := a.start(), a.limit()
		if addr.t.elem == "i32" {
			start, limit = a.cast("trunc", start, "i32"), a.cast("trunc", limit, "i32")
		}
		bad := a.compare("icmp uge", a.bin("sub", addr, a.splat(start, 32)), a.splat(limit, 32))
		if a.Size > 1 {
			bad = a.bin("or", bad, a.misaligned(addr))
		}
		a.unless(a.anyOf(bad), a.slow)
		a.store(a.cast("trunc", a.with("add", addr, m.Offset), "i32"), at, 8)
	}
	record := a.invoke(f, ptrType, at, constantOf(i32Type, uint64(m.Site.ID)), constantOf(i32Type, uint64(a.Size)), constantOf(i32Type, uint64(how)))
	a.unless(a.compare("icmp eq", record, irValue{"null", ptrType}), a.slow)
	if m.Site.Kind == trace.Write {
		a.putValues(record)
	}
}

// putValues writes what the lanes store into the record of the access.
func (a *irAccess) putValues(record irValue) {
	off := recall.RecordData
	for k := range a.Mem.Count {
		t := row32Type
		if a.Mem.Elem == 8 {
			t = row64Type
		}
		v := constantOf(t, 0)
		if a.Mem.Regs[k] != program.NoSlot {
			v = a.row(a.Mem.Regs[k], alu.Width(a.Mem.Width))
		}
		a.store(v, a.at(record, constantOf(i64Type, uint64(off))), 4)
		off += 4 * t.n * t.bits() / 32
	}
}
