package native

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// orMark marks which elements an access to global memory touches, if its region wants that; see marking.
func (a *irAccess) orMark() {
	if !a.marks(a.m) {
		return
	}
	mark, on := a.newLabel(), a.newLabel()
	a.branch(a.isZero(a.needs()), on, mark, false)
	a.begin(mark)
	shift := uint64(bits.TrailingZeros(uint(a.size)))
	if a.m.Scalar || a.m.Base == program.NoSlot {
		off := a.bin("sub", a.base(), a.start())
		a.unless(a.compare("icmp uge", off, a.limit()), a.slow)
		n := a.with("lshr", off, shift)
		one := a.bin("shl", constantOf(i32Type, 1), a.cast("trunc", a.with("and", n, 31), "i32"))
		a.mark("mark_word", a.with("lshr", n, 5), one)
	} else {
		a.markLanes(shift)
	}
	a.jump(on)
	a.begin(on)
}

// needs is what the region's accesses need: Enter, Mark.
func (a *irAccess) needs() irValue {
	return a.irGen.load(i32Type, a.at(irRegions, constantOf(i64Type, uint64(a.x*regionSize+24))), 4)
}

// markLanes marks the elements of the lanes that run.
func (a *irAccess) markLanes(shift uint64) {
	off := a.bin("sub", a.row(a.m.Base, a.m.BaseWidth), a.splat(a.start(), 32))
	a.unless(a.anyOf(a.compare("icmp uge", off, a.splat(a.limit(), 32))), a.slow)
	n := a.with("lshr", off, shift)
	mask, end := a.get(irMask), a.newLabel()
	if !a.part {
		row, apart := a.newLabel(), a.newLabel()
		first := a.irGen.element(n, 0)
		inRow := a.bin("add", a.splat(first, 32), listOf("i64", sequence(0, 32)))
		a.branch(a.isZero(a.maskOf(a.compare("icmp ne", n, inRow))), row, apart, false)
		a.begin(row)
		a.mark("mark_row", first)
		a.jump(end)
		a.begin(apart)
	}
	at := a.ctxAt(ctxAt)
	a.irGen.store(n, at, 8)
	a.mark("mark_each", at, mask)
	a.jump(end)
	a.begin(end)
}

// mark calls one of the functions that mark.
func (a *irAccess) mark(name string, args ...irValue) {
	for _, f := range irMarking {
		a.declared[f] = true
	}
	list := a.value(ptrType, "inttoptr %s to ptr", a.region(32)).String() + ", " + a.value(ptrType, "inttoptr %s to ptr", a.region(40)).String()
	for _, v := range args {
		list += ", " + v.String()
	}
	a.do("call void @%s(%s)", name, list)
}

// irMarking are functions that set bits of trace.Marks: in word %w of 32 bits; for 32 elements from one on; for the elements, at a
// place, of the lanes of a mask.
var irMarking = []string{`
define internal void @mark_word(ptr %bits, ptr %pages, i64 %w, i32 %set) nounwind noinline {
  %at = getelementptr i32, ptr %bits, i64 %w
  %old = load i32, ptr %at, align 4
  %new = or i32 %old, %set
  store i32 %new, ptr %at, align 4
  %page = lshr i64 %w, ` + markPageShift + `
  %p = getelementptr i8, ptr %pages, i64 %page
  store i8 1, ptr %p, align 1
  ret void
}`, `
define internal void @mark_row(ptr %bits, ptr %pages, i64 %n) nounwind noinline {
  %w = lshr i64 %n, 5
  %s = and i64 %n, 31
  %row = shl i64 4294967295, %s
  %low = trunc i64 %row to i32
  %h = lshr i64 %row, 32
  %high = trunc i64 %h to i32
  call void @mark_word(ptr %bits, ptr %pages, i64 %w, i32 %low)
  %next = add i64 %w, 1
  call void @mark_word(ptr %bits, ptr %pages, i64 %next, i32 %high)
  ret void
}`, `
define internal void @mark_each(ptr %bits, ptr %pages, ptr %elements, i32 %mask) nounwind noinline {
  br label %lane
lane:
  %left = phi i32 [ %mask, %0 ], [ %rest, %lane ]
  %l = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %less = sub i32 %left, 1
  %rest = and i32 %left, %less
  %at = getelementptr i64, ptr %elements, i32 %l
  %n = load i64, ptr %at, align 8
  %w = lshr i64 %n, 5
  %low = trunc i64 %n to i32
  %s = and i32 %low, 31
  %bit = shl i32 1, %s
  call void @mark_word(ptr %bits, ptr %pages, i64 %w, i32 %bit)
  %over = icmp eq i32 %rest, 0
  br i1 %over, label %end, label %lane
end:
  ret void
}`, "declare i32 @llvm.cttz.i32(i32, i1)"}

var markPageShift = fmt.Sprint(bits.TrailingZeros(trace.MarkPage) - 5)
