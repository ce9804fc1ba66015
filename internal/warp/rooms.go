package warp

import (
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/tensor"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Peek reads n <= 8 bytes at a generic address for lane l.
func (w *Warp) Peek(addr uint64, l, n int) (uint64, bool) {
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

// Poke writes n <= 8 bytes at a generic address for lane l.
func (w *Warp) Poke(addr uint64, l, n int, v uint64) bool {
	if off := addr - mem.LocalWindow; off < vec.MaxLocal { // perhaps its first use
		w.growLocal(off + uint64(n))
	}
	if _, ok := w.Peek(addr, l, n); !ok {
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

// Number is the warp's number in its block.
func (w *Warp) Number() int { return w.Index }

// Thread is the index of a lane's thread.
func (w *Warp) Thread(lane int) trace.Dim3 {
	t := w.tid(uint32(lane))
	return trace.Dim3{X: t.X, Y: t.Y, Z: t.Z}
}

// Block is the warp's block, Arch the architecture that it runs on.
func (w *Warp) Block() *trace.Block { return &w.Env.Block }
func (w *Warp) Arch() *arch.Arch    { return w.Env.Arch }

// Observer has the functions of the block's observers.
func (w *Warp) Observer() *trace.BlockObserver { return &w.Env.On }

// Passed tells that a function of the device runtime has read n bytes for a lane, which may be undefined.
func (w *Warp) Passed(site *trace.Site, lane int, addr uint64, n int) {
	if w.Env.taint.Following {
		w.taint.Passed(site, lane, addr, n)
	}
}

// Freed makes the block forget where memory is that may be freed now.
func (w *Warp) Freed() {
	w.Env.cached = nil
	w.Forget()
}

// Forget makes accesses find out anew where memory is.
func (w *Warp) Forget() { w.Env.Forget(w.Prog) }

// SharedOwner is the part in following undefined values of the block whose shared memory the access at work goes to.
func (w *Warp) SharedOwner() *taint.Block {
	if o := w.Env.owner; o != nil {
		return &o.taint
	}
	return &w.Env.taint
}

// StartUndefined readies the following of undefined values for a block.
func (e *Env) StartUndefined() { e.taint.Start(e.On.Undefined != nil, &e.Block) }

// MarkUnset makes the registers undefined that the kernel may read before it writes them, in
// a warp that has started.
func (w *Warp) MarkUnset() { w.taint.MarkUnset(w.Exist) }

// Memory is the memory of the device.
func (w *Warp) Memory() *mem.Arena { return w.Env.Arena }

// Allocation returns the allocation that has size bytes at an address, nil for none.
func (w *Warp) Allocation(addr, size uint64) *mem.Allocation {
	if al := w.Env.cached; al != nil && al.Contains(addr) && size <= al.End()-addr {
		return al
	}
	al := w.Env.Arena.Find(addr)
	if al == nil || size > al.End()-addr {
		return nil
	}
	w.Env.cached = al
	return al
}

// Following reports whether undefined values are followed.
func (w *Warp) Following() bool { return w.Env.taint.Following }

// AddressesOf computes the addresses of lanes m, which are borrowed until the next call.
func (w *Warp) AddressesOf(op *program.Mem, m uint32) (*vec.Row64, *vec.Span) {
	return w.addresses(op, m)
}

// Access checks an access and tells observers. It returns the pointer that the addresses are added to, and false
// after a fault. data is what is written, nil where that is in the registers of op.
func (w *Warp) Access(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async) (unsafe.Pointer, bool) {
	if data == nil && async == trace.Sync {
		return w.check(op, sp, m, addr, s)
	}
	w.Env.how = emission{data, async}
	base, ok := w.check(op, sp, m, addr, s)
	w.Env.how = emission{}
	return base, ok
}

// AccessFault ends the block by a fault of lane l, one of lanes m, at addr.
func (w *Warp) AccessFault(kind trace.FaultKind, cause trace.Cause, op *program.Mem, sp trace.Space, l int, m uint32, addr uint64) *trace.Fault {
	return w.accessFault(kind, cause, op, sp, l, m, addr)
}

// TakesRead is Access for a read of shared memory from lo to end by all lanes, of the shape of s at address at, of which
// observers need hear no more. It returns nil where Access must be asked.
func (w *Warp) TakesRead(op *program.Mem, lo, end uint64, s *vec.Span, at uint64) unsafe.Pointer {
	env := w.Env
	g := env.Watched.Group
	if g == nil || env.Watched.Others != nil || !g.Sieves() {
		return nil
	}
	env.taint.Found.Mask = 0
	if end > uint64(len(env.Block.Shared)) || op.From != 0 && (lo < op.Lo || end > op.Hi) ||
		env.taint.Following && w.taint.MustFollow(op, trace.SpaceShared, s) || !g.TakesRead(op.Site, w.Index, s.Shape, at) {
		return nil
	}
	w.Count(op.Site, trace.SpaceShared)
	return unsafe.Pointer(unsafe.SliceData(env.Block.Shared))
}

// ShapeOf finds the shape of an access to shared memory by all lanes, nil where it is not looked for.
func (w *Warp) ShapeOf(op *program.Mem, addr *vec.Row64, s *vec.Span) *trace.Shape {
	if w.Env.Watched.Group == nil {
		return nil
	}
	return w.shape(op, ^uint32(0), addr, s)
}

// AccessSome is Access that drops the lanes whose access is refused. It returns the rest, which may be none.
func (w *Warp) AccessSome(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async) (rest uint32, ok bool) {
	w.Env.how = emission{data, async}
	rest = m
	if _, ok = w.check(op, sp, m, addr, s); !ok {
		_, rest, ok = w.checkRest(op, sp, m, addr, s)
	}
	w.Env.how = emission{}
	return rest, ok
}

// Emit tells the observer of shared memory of an access.
func (w *Warp) Emit(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async) {
	w.Env.how = emission{data, async}
	w.emit(op, trace.SpaceShared, m, addr, s, w.Env.On.Shared)
	w.Env.how = emission{}
}

// Told is the event at work.
func (w *Warp) Told() *trace.Access { return &w.Env.access }

// OutOfShared ends the block by an access of size bytes beyond shared memory. It returns nil where the access is refused without
// a fault.
func (w *Warp) OutOfShared(op *program.Mem, m uint32, addr *vec.Row64, size uint64) *trace.Fault {
	w.outOfShared(op, m, addr, size)
	return w.Env.Fault
}

// Existing are the lanes that have threads.
func (w *Warp) Existing() uint32 { return w.Exist }

// OthersLive reports whether another warp of the block has not ended.
func (w *Warp) OthersLive() bool {
	return slices.ContainsFunc(w.Env.Warps, func(o *Warp) bool { return o != w && o.Live != 0 })
}

// Instructions counts what the block's warps have executed.
func (w *Warp) Instructions() uint64 { return w.Env.WarpInstrs }

// Ticks counts the warp's accesses in the barrier interval.
func (w *Warp) Ticks() *uint64 { return &w.ticks }

// Params is the kernel's parameter buffer.
func (w *Warp) Params() []byte { return w.Env.Params }

// NextCluster takes a cluster away that has not begun, and returns its first block; ok is false if none is left.
func (w *Warp) NextCluster() (first trace.Dim3, ok bool) { return w.Env.CancelNext() }

// Place is the block, Observer has the functions of its observers.
func (e *Env) Place() *trace.Block            { return &e.Block }
func (e *Env) Observer() *trace.BlockObserver { return &e.On }

// Taints is the block's part in following undefined values.
func (e *Env) Taints() *taint.Block { return &e.taint }

// Flush lets observers of shared memory have what is withheld from them, before an event of
// an asynchronous operation.
func (e *Env) Flush() {
	if g := e.Watched.Group; g != nil {
		g.Flush()
	}
}

// Program is the program that the warp executes.
func (w *Warp) Program() *program.Program { return w.Prog }

// Faulted reports whether something has ended the block by a fault.
func (w *Warp) Faulted() bool { return w.Env.Fault != nil }

// Peer returns the part for tensor instructions of a block of the cluster, nil where it has ended; exists is false for none.
func (e *Env) Peer(rank uint64) (to *tensor.Block, exists bool) {
	if c := e.Cluster; c == nil || rank >= uint64(len(c.Blocks)) {
		return nil, false
	} else if c.Blocks[rank] != nil {
		to = &c.Blocks[rank].tensor
	}
	return to, true
}

// Clustered reports whether the block's cluster has several blocks.
func (e *Env) Clustered() bool { return e.Cluster != nil && len(e.Cluster.Blocks) > 1 }

// WarpCount is the number of the block's warps.
func (e *Env) WarpCount() int { return len(e.Warps) }

// WarpEnded reports whether a warp has ended.
func (e *Env) WarpEnded(warp int) bool { return e.Warps[warp].Live == 0 }

// WakeWarp lets a warp that waits for others look again.
func (e *Env) WakeWarp(warp int) { e.Warps[warp].StepAgain() }

// RegisterWait returns the first warp of the block that waits for registers, nil if none does.
func (e *Env) RegisterWait() *tensor.RegisterWait { return e.tensor.RegisterWait() }

// Registers returns how many registers a thread of each warp has, nil where the block sets none.
func (e *Env) Registers() []int { return e.tensor.Registers() }
