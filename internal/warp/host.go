package warp

import (
	"fmt"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// hostFuncs are the functions of program.HostFuncs. They return false after a fault.
var hostFuncs = map[string]hostFunc{
	"vprintf":       deviceRuntime.vprintf,
	"malloc":        deviceRuntime.malloc,
	"free":          deviceRuntime.free,
	"__assertfail":  deviceRuntime.assertFail,
	"__assert_fail": deviceRuntime.assertFail,
}

// host runs a device-runtime function lane by lane.
func (w deviceRuntime) host(h *program.HostCall, m uint32) bool {
	f := hostFuncs[h.Name]
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		r, ok := f(w, h, l)
		if !ok {
			return false
		}
		if len(h.Rets) > 0 {
			w.SetWords(h.Rets[0], l, r)
		}
	}
	return true
}

// peek reads n <= 8 bytes at a generic address for lane l.
func (w deviceRuntime) peek(addr uint64, l, n int) (uint64, bool) {
	switch vec.SpaceOf(addr) {
	case trace.SpaceShared:
		off := addr - mem.SharedWindow
		if off+uint64(n) > uint64(len(w.Env.Block.Shared)) {
			return 0, false
		}
		return readBytes(unsafe.Pointer(&w.Env.Block.Shared[off]), n), true
	case trace.SpaceLocal:
		off := addr - mem.LocalWindow
		if off+uint64(n) > uint64(len(w.local)/32) {
			return 0, false
		}
		return w.localRead(off, l, n), true
	}
	al := w.Env.Arena.Find(addr)
	if al == nil || addr+uint64(n) > al.End() {
		return 0, false
	}
	return readBytes(w.Env.Arena.Pointer(addr), n), true
}

// poke writes n <= 8 bytes at a generic address for lane l.
func (w deviceRuntime) poke(addr uint64, l, n int, v uint64) bool {
	if off := addr - mem.LocalWindow; off < vec.MaxLocal { // perhaps its first use
		w.growLocal(off + uint64(n))
	}
	if _, ok := w.peek(addr, l, n); !ok {
		return false
	}
	w.Wrote(addr, l, n)
	switch vec.SpaceOf(addr) {
	case trace.SpaceShared:
		writeBytes(unsafe.Pointer(&w.Env.Block.Shared[addr-mem.SharedWindow]), n, v)
	case trace.SpaceLocal:
		w.localWrite(addr-mem.LocalWindow, l, n, v)
	default:
		writeBytes(w.Env.Arena.Pointer(addr), n, v)
	}
	return true
}

func readBytes(p unsafe.Pointer, n int) (v uint64) {
	for i, b := range unsafe.Slice((*byte)(p), n) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

func writeBytes(p unsafe.Pointer, n int, v uint64) {
	for i := range unsafe.Slice((*byte)(p), n) {
		*(*byte)(unsafe.Add(p, i)) = byte(v >> (8 * i))
	}
}

// maxString bounds the strings that device code hands over.
const maxString = 1 << 16

func (w deviceRuntime) cstring(addr uint64, l int) (string, bool) {
	var s []byte
	for len(s) < maxString {
		c, ok := w.peek(addr+uint64(len(s)), l, 1)
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

func (w deviceRuntime) badPointer(h *program.HostCall, l int, what string, addr uint64) (uint64, bool) {
	f := w.Fault(trace.FaultOutOfBounds, trace.CauseOutside, h.Site, 1<<l, "%s: %s at %#x is not readable", h.Name, what, addr)
	f.Addr, f.Lane, f.Space = addr, l, trace.SpaceGlobal
	return 0, false
}

// malloc takes memory from the arena. Blocks allocate at once, so addresses
// depend on the schedule; contents do not.
func (w deviceRuntime) malloc(h *program.HostCall, l int) (uint64, bool) {
	n := w.Arg(h, 0, l)
	if n == 0 {
		return 0, true
	}
	if !w.Env.Heap.take(n) {
		w.noRoom = true
		return 0, true
	}
	al, err := w.Env.Arena.Alloc(n, 16, mem.Heap, "")
	if err != nil {
		w.noRoom = true
		return 0, true // CUDA returns a null pointer when the heap is full
	}
	return al.Base, true
}

func (w deviceRuntime) free(h *program.HostCall, l int) (uint64, bool) {
	p := w.Arg(h, 0, l)
	if p == 0 {
		return 0, true
	}
	al := w.Env.Arena.Find(p)
	if al == nil || al.Kind != mem.Heap || al.Base != p {
		return 0, w.badFree(h, l, p, al)
	}
	if f := w.Env.On.HeapFreed; f != nil {
		f(&trace.HeapFree{Site: h.Site, Warp: w.Index, Lane: l, Addr: al.Base, Size: al.Size})
	}
	if w.Env.cached == al {
		w.Env.cached = nil
	}
	w.Env.Forget(w.Prog)
	w.Env.Heap.give(al.Size)
	by := mem.Caller{Call: "free"}
	if at := h.Site.Loc.Pos; at.IsValid() {
		by.At = fmt.Sprintf("%s:%d", at.File, at.Line)
	}
	_, err := w.Env.Arena.FreeBy(p, by)
	return 0, err == nil
}

// badFree records a free of p, which is not the start of an allocation of
// device malloc; al is the allocation that holds it, if any.
func (w deviceRuntime) badFree(h *program.HostCall, l int, p uint64, al *mem.Allocation) bool {
	kind, cause, what := trace.FaultFree, trace.CauseNotAllocated, "free of a pointer that malloc in device code did not return"
	near, freed := w.Env.Arena.Nearest(p)
	if freed && near.Kind == mem.Heap && near.Base == p {
		kind, cause, what = trace.FaultDoubleFree, trace.CauseFreedTwice, "free of memory that was already freed"
	}
	f := w.Fault(kind, cause, h.Site, 1<<l, "%s", what)
	f.Addr, f.Lane, f.Space = p, l, trace.SpaceGlobal
	switch {
	case al != nil && al.Kind == mem.Heap:
		f.Cause = trace.CauseInside
		f.Notes = append(f.Notes, fmt.Sprintf("the pointer is %s after the start of an allocation of %d", plural(int(p-al.Base), "byte"), al.Size))
	case al != nil && al.Where != "":
		f.Cause = trace.CauseOtherAllocator
		f.Notes = append(f.Notes, fmt.Sprintf("the memory was allocated by %s: only cudaFree frees it", al.Where))
	case kind == trace.FaultDoubleFree:
		f.Notes = append(f.Notes, fmt.Sprintf("the allocation had %s", plural(int(near.Size), "byte")))
		if near.FreedBy.At != "" {
			f.Notes = append(f.Notes, "freed before by "+near.FreedBy.String())
		}
	}
	return false
}

// assertFail is __assertfail(message, file, line, function, charSize).
func (w deviceRuntime) assertFail(h *program.HostCall, l int) (uint64, bool) {
	msg, _ := w.cstring(w.Arg(h, 0, l), l)
	file, _ := w.cstring(w.Arg(h, 1, l), l)
	fn, _ := w.cstring(w.Arg(h, 3, l), l)
	t, b := w.tid(uint32(l)), w.Env.Block.Coord
	line := uint32(w.Arg(h, 2, l))
	w.Env.Out = fmt.Appendf(w.Env.Out, "%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n",
		file, line, fn, b.X, b.Y, b.Z, t.X, t.Y, t.Z, msg)
	f := w.Fault(trace.FaultAssert, trace.CauseAssert, h.Site, 1<<l, "assertion `%s` failed", msg)
	f.Lane = l
	f.Notes = append(f.Notes, fmt.Sprintf("in %s at %s:%d", fn, file, line))
	return 0, false
}
