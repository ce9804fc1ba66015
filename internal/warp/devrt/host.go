package devrt

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// hostFuncs are the functions of program.HostFuncs. They return false after a fault.
var hostFuncs = map[string]hostFunc{
	"vprintf":       (*thread).vprintf,
	"malloc":        (*thread).malloc,
	"free":          (*thread).free,
	"__assertfail":  (*thread).assertFail,
	"__assert_fail": (*thread).assertFail,
}

// maxString bounds the strings that device code hands over.
const maxString = 1 << 16

// cstring reads a string that ends with a zero.
func (t *thread) cstring(addr uint64) (string, bool) {
	var s []byte
	for len(s) < maxString {
		c, ok := t.warp.Peek(addr+uint64(len(s)), t.lane, 1)
		if !ok {
			return "", false
		}
		if c == 0 {
			break
		}
		s = append(s, byte(c))
	}
	return string(s), true
}

func (t *thread) badPointer(what string, addr uint64) (uint64, bool) {
	f := t.warp.Fault(trace.FaultOutOfBounds, trace.CauseOutside, t.call.Site, 1<<t.lane, "%s: %s at %#x is not readable", t.call.Name, what, addr)
	f.Addr, f.Lane, f.Space = addr, t.lane, trace.SpaceGlobal
	return 0, false
}

// malloc takes memory from the arena. Blocks allocate at once, so addresses
// depend on the schedule; contents do not.
func (t *thread) malloc() (uint64, bool) {
	n := t.arg(0)
	if n == 0 {
		return 0, true
	}
	if !t.block.Heap.take(n) {
		t.block.ranOut(t.warp.Number())
		return 0, true
	}
	al, err := t.warp.Memory().Alloc(n, 16, mem.Heap, "")
	if err != nil {
		t.block.ranOut(t.warp.Number())
		return 0, true // CUDA returns a null pointer when the heap is full
	}
	return al.Base, true
}

func (t *thread) free() (uint64, bool) {
	p := t.arg(0)
	if p == 0 {
		return 0, true
	}
	al := t.warp.Memory().Find(p)
	if al == nil || al.Kind != mem.Heap || al.Base != p {
		return 0, t.badFree(p, al)
	}
	if f := t.warp.Observer().HeapFreed; f != nil {
		f(&trace.HeapFree{Site: t.call.Site, Warp: t.warp.Number(), Lane: t.lane, Addr: al.Base, Size: al.Size})
	}
	t.warp.Freed()
	t.block.Heap.give(al.Size)
	by := mem.Caller{Call: "free"}
	if at := t.call.Site.Loc.Pos; at.IsValid() {
		by.At = fmt.Sprintf("%s:%d", at.File, at.Line)
	}
	_, err := t.warp.Memory().FreeBy(p, by)
	return 0, err == nil
}

// badFree records a free of p, which is not the start of an allocation of
// device malloc; al is the allocation that holds it, if any.
func (t *thread) badFree(p uint64, al *mem.Allocation) bool {
	kind, cause, what := trace.FaultFree, trace.CauseNotAllocated, "free of a pointer that malloc in device code did not return"
	near, freed := t.warp.Memory().Nearest(p)
	if freed && near.Kind == mem.Heap && near.Base == p {
		kind, cause, what = trace.FaultDoubleFree, trace.CauseFreedTwice, "free of memory that was already freed"
	}
	f := t.warp.Fault(kind, cause, t.call.Site, 1<<t.lane, "%s", what)
	f.Addr, f.Lane, f.Space = p, t.lane, trace.SpaceGlobal
	switch {
	case al != nil && al.Kind == mem.Heap:
		f.Cause = trace.CauseInside
		f.Notes = append(f.Notes, fmt.Sprintf("the pointer is %s after the start of an allocation of %d", trace.Plural(int(p-al.Base), "byte"), al.Size))
	case al != nil && al.Where != "":
		f.Cause = trace.CauseOtherAllocator
		f.Notes = append(f.Notes, fmt.Sprintf("the memory was allocated by %s: only cudaFree frees it", al.Where))
	case kind == trace.FaultDoubleFree:
		f.Notes = append(f.Notes, fmt.Sprintf("the allocation had %s", trace.Plural(int(near.Size), "byte")))
		if near.FreedBy.At != "" {
			f.Notes = append(f.Notes, "freed before by "+near.FreedBy.String())
		}
	}
	return false
}

// assertFail is __assertfail(message, file, line, function, charSize).
func (t *thread) assertFail() (uint64, bool) {
	msg, _ := t.cstring(t.arg(0))
	file, _ := t.cstring(t.arg(1))
	fn, _ := t.cstring(t.arg(3))
	at, b := t.warp.Thread(t.lane), t.warp.Block().Coord
	line := uint32(t.arg(2))
	t.block.Out = fmt.Appendf(t.block.Out, "%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n",
		file, line, fn, b.X, b.Y, b.Z, at.X, at.Y, at.Z, msg)
	f := t.warp.Fault(trace.FaultAssert, trace.CauseAssert, t.call.Site, 1<<t.lane, "assertion `%s` failed", msg)
	f.Lane = t.lane
	f.Notes = append(f.Notes, fmt.Sprintf("in %s at %s:%d", fn, file, line))
	return 0, false
}
