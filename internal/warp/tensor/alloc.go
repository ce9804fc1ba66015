package tensor

import (
	"encoding/binary"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// exec carries out tcgen05.alloc, dealloc and relinquish_alloc_permit (PTX ISA, section of these
// names).
func (s *tensorManage) exec(u *Unit, m uint32) bool {
	if !u.warp.WholeWarp(s.Site, m) {
		return false
	}
	if s.Pair && !u.hasPeer(s) {
		return false
	}
	if s.Kind == program.TensorPermit {
		u.block.memory().relinquished = s.Site
		return true
	}
	n := u.regs.LaneValue(s.Columns, alu.W32, 0)
	if n < tensorGrain || n > trace.TensorColumns || n&(n-1) != 0 {
		return u.misuse(trace.FaultBarrier, trace.CauseTensorAlloc, s.Site, m, "of %d columns: it must be a power of 2 from 32 to 512", n)
	}
	if s.Kind == program.TensorDealloc {
		return u.dealloc(s, int(n))
	}
	return u.alloc(s, int(n))
}

// hasPeer checks that there is another block for the pair. To deallocate, each does its part: it may
// have exited then.
func (u *Unit) hasPeer(s *tensorManage) bool {
	if s.Kind != program.TensorAlloc && u.block.Clustered() {
		return true
	}
	_, ok := u.pair(s.Site, ^uint32(0), true)
	return ok
}

// alloc allocates n columns and writes their address to shared memory. Without room the warp
// waits.
func (u *Unit) alloc(s *tensorManage, n int) bool {
	t := u.block.memory()
	all := ^uint32(0)
	if t.relinquished != nil {
		return u.misuse(trace.FaultBarrier, trace.CauseTensorAlloc, s.Site, all, "after %s, by which the block gave up its right to allocate", t.relinquished.Name())
	}
	if k := len(t.allocs); k > 0 && t.allocs[k-1].n < n {
		return u.misuse(trace.FaultBarrier, trace.CauseTensorAlloc, s.Site, all, "of %d columns after an allocation of %d by %s: the number of columns must not increase", n, t.allocs[k-1].n, t.allocs[k-1].at.Name())
	}
	a := t.take(n)
	if a == nil {
		return u.waitForRoom(s, n)
	}
	a.at, a.by, a.pair = s.Site, u.warp.Number(), s.Pair
	addr, sp := u.warp.AddressesOf(&s.Mem, 1)
	first := uint32(a.first)
	space, _ := sp.NextSpace(&s.Mem, 1, addr)
	if space != trace.SpaceShared {
		return u.warp.WrongSpace(&s.Mem, space, 1, addr, "shared")
	}
	if _, ok := u.warp.Access(&s.Mem, space, 1, addr, sp, nil, trace.Sync); !ok {
		return false
	}
	at := addr[0]
	binary.LittleEndian.PutUint32(u.block.Place().Shared[at:], first)
	if t := u.block.Taints().Shared; t != nil && t.Any() {
		for i := range uint64(4) {
			t.Set(at+i, 0, 0)
		}
	}
	u.did.Progress++
	return true
}

// waitForRoom lets the warp try again later. If none of the block's other warps is left that could
// deallocate, it waits forever.
func (u *Unit) waitForRoom(s *tensorManage, n int) bool {
	t := u.block.memory()
	if u.warp.OthersLive() {
		u.Retry = true
		return true
	}
	f := u.refuse(trace.FaultDeadlock, trace.CauseTensorFull, s.Site, ^uint32(0), "of %d columns waits forever: no other warp of the block is left to deallocate", n)
	f.Notes = append(f.Notes, t.allocated()...)
	return false
}

// allocated are notes on what the block has allocated.
func (t *tensorMemory) allocated() (notes []string) {
	for i := range t.allocs {
		if a := &t.allocs[i]; a.freed == nil {
			notes = append(notes, fmt.Sprintf("columns %s are allocated by %s", columnsOf(a), a.at.Name()))
		}
	}
	return notes
}

func columnsOf(a *tensorAlloc) string { return fmt.Sprintf("%d to %d", a.first, a.first+a.n-1) }

// dealloc ends an allocation.
func (u *Unit) dealloc(s *tensorManage, n int) bool {
	t := u.block.memory()
	all := ^uint32(0)
	addr := uint32(u.regs.LaneValue(s.Addr, alu.W32, 0))
	first := int(addr & 0xffff)
	var a *tensorAlloc
	if first < trace.TensorColumns {
		a = t.allocOf(first)
	}
	var f *trace.Fault
	switch {
	case a == nil:
		f = u.refuse(trace.FaultFree, trace.CauseTensorOutside, s.Site, all, "of address %#x, which the block has not allocated", addr)
	case a.freed != nil:
		f = u.refuse(trace.FaultDoubleFree, trace.CauseTensorFreed, s.Site, all, "of address %#x, which was deallocated before", addr)
		f.Notes = append(f.Notes, "deallocated by "+a.freed.Name())
	case addr != uint32(a.first) || n != a.n:
		f = u.refuse(trace.FaultFree, trace.CauseTensorAlloc, s.Site, all, "of %d columns at address %#x, which is not an allocation", n, addr)
		f.Notes = append(f.Notes, t.allocated()...)
	case a.pair != s.Pair:
		f = u.refuse(trace.FaultFree, trace.CauseTensorAlloc, s.Site, all, "with another .cta_group than %s, which allocated the columns", a.at.Name())
	}
	if f != nil {
		f.Addr = uint64(addr)
		return false
	}
	op := u.async.NextOp(u.warp.Number())
	u.began(u.block, s.Site, all, op, true, trace.TensorRanges(nil, 0xff, a.first, a.n))
	u.ended(op)
	a.freed = s.Site
	u.did.Progress++
	return true
}

// ended tells observers that the warp has waited for an operation.
func (u *Unit) ended(op uint64) {
	if f := u.block.Observer().AsyncEnded; f != nil {
		f(&trace.AsyncEnd{Issuer: u.block.Place().Index, Op: op, Warp: u.warp.Number(), Mask: ^uint32(0)})
	}
}

// CheckLeaks reports what the block has not deallocated; its last warp is about to end.
func (u *Unit) CheckLeaks() {
	t := u.block.tmem
	if t == nil || u.block.Observer().Defect == nil {
		return
	}
	if u.warp.OthersLive() {
		return
	}
	for i := range t.allocs {
		if a := &t.allocs[i]; a.freed == nil {
			u.block.Observer().Defect(&trace.Defect{Kind: trace.DefectTensorLeak, Site: a.at, Warp: a.by, Mask: ^uint32(0), Exist: ^uint32(0),
				Space: trace.SpaceTensor, Size: uint64(a.n), Meant: trace.Memory{Base: uint64(a.first), Size: uint64(a.n)}})
		}
	}
}
