package warp

import (
	"fmt"
	"math"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// accessFault records a fault of lane l at addr.
func (w *Warp) accessFault(kind trace.FaultKind, cause trace.Cause, op *program.Mem, sp trace.Space, l int, m uint32, addr uint64) *trace.Fault {
	f := w.Fault(kind, cause, op.Site, m, "")
	f.Lane, f.Space, f.Access = l, sp, op.Site.Kind
	f.Addr, f.Size = addr, op.Elem*op.Count
	return f
}

func (w *Warp) misaligned(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, size uint64) bool {
	if bad := vec.Failing(m, func(l int) bool { return addr[l]&(size-1) != 0 }); bad != 0 && !w.refused(trace.FaultMisaligned, op, bad, addr) {
		l := vec.Lowest(bad)
		f := w.accessFault(trace.FaultMisaligned, trace.CauseMisaligned, op, sp, l, bad, addr[l])
		f.Message = fmt.Sprintf("misaligned %s %s of %d bytes: address %#x is not a multiple of %d", sp, op.Site.Kind, size, addr[l], size)
	}
	return false
}

func (w *Warp) outOfShared(op *program.Mem, m uint32, addr *vec.Row64, size uint64) bool {
	n := uint64(len(w.Env.Block.Shared))
	if bad := vec.Failing(m, func(l int) bool { return addr[l]+size > n || addr[l]+size < size }); bad != 0 && !w.refused(trace.FaultOutOfBounds, op, bad, addr) {
		l := vec.Lowest(bad)
		f := w.accessFault(trace.FaultOutOfBounds, trace.CauseOutside, op, trace.SpaceShared, l, bad, addr[l])
		f.Message = fmt.Sprintf("shared %s of %d bytes at offset %d is out of bounds: the block has %d bytes of shared memory", op.Site.Kind, size, int64(addr[l]), n)
		if v := w.nearestShared(op, addr[l]); v != nil {
			f.Object = &trace.Memory{Base: v.Addr, Size: v.Size, Kind: mem.Symbol.String(), Name: v.Name, Type: v.Type}
			f.Notes = append(f.Notes, beyondShared(v, addr[l], size))
		}
	}
	return false
}

// nearestShared returns the variable that an instruction means, else the one that begins last at or before an offset or,
// for a negative one, the first of all; nil if there is none.
func (w *Warp) nearestShared(op *program.Mem, off uint64) *trace.Variable {
	vars := w.Env.Block.Launch.Shared
	for i := len(vars) - 1; i >= 0; i-- {
		v := &vars[i]
		if op.Hi > op.Lo && v.Addr == op.Lo && v.Addr+v.Size == op.Hi || op.Hi <= op.Lo && int64(v.Addr) <= int64(off) {
			return v
		}
	}
	if len(vars) == 0 {
		return nil
	}
	return &vars[0]
}

// beyondShared puts into words where an access lies relative to a variable; offsets may be negative.
func beyondShared(v *trace.Variable, off, size uint64) string {
	end := v.Addr + v.Size
	switch {
	case int64(off) < int64(v.Addr):
		return fmt.Sprintf("%d bytes before the start of shared variable %s of %d bytes", v.Addr-off, v.Name, v.Size)
	case off < end:
		return fmt.Sprintf("the access begins in and ends %d bytes after shared variable %s of %d bytes", off+size-end, v.Name, v.Size)
	}
	return fmt.Sprintf("%d bytes after the end of shared variable %s of %d bytes", off-end, v.Name, v.Size)
}

func (w *Warp) outOfLocal(op *program.Mem, m uint32, addr *vec.Row64, size uint64) bool {
	if bad := vec.Failing(m, func(l int) bool { return addr[l]+size > vec.MaxLocal || addr[l]+size < size }); bad != 0 {
		l := vec.Lowest(bad)
		f := w.accessFault(trace.FaultStack, trace.CauseStack, op, trace.SpaceLocal, l, bad, addr[l])
		if op.Site.Local != nil || int64(addr[l]) < 0 {
			f.Kind, f.Cause = trace.FaultOutOfBounds, trace.CauseOutside
		}
		f.Message = fmt.Sprintf("local %s of %d bytes at offset %d is beyond the %d bytes of local memory of a thread", op.Site.Kind, size, int64(addr[l]), vec.MaxLocal)
		if v := op.Site.Local; v != nil {
			f.Object = &trace.Memory{Base: v.Addr, Size: v.Size, Kind: mem.Symbol.String(), Name: v.Name, Type: v.Type}
			f.Notes = append(f.Notes, fmt.Sprintf("the address is computed from %s of %d bytes at offset %d", v.Name, v.Size, v.Addr))
		}
	}
	return false
}

// outOfGlobal records that lane l, the first of m for which it is so, accesses
// what no allocation holds.
func (w *Warp) outOfGlobal(op *program.Mem, l int, m uint32, addr *vec.Row64, size uint64) bool {
	bad := vec.Failing(m, func(k int) bool {
		al := w.Env.Arena.Find(addr[k])
		return al == nil || addr[k]+size > al.End()
	})
	if w.refused(trace.FaultOutOfBounds, op, bad, addr) {
		return false
	}
	if first := bad &^ w.zeroed; first != 0 { // rather a cause than a consequence
		l = vec.Lowest(first)
	}
	f := w.accessFault(trace.FaultOutOfBounds, trace.CauseOutside, op, trace.SpaceGlobal, l, bad, addr[l])
	w.locate(f, addr[l])
	overflow := w.overflow(op, addr[l])
	if overflow != "" {
		m := w.Env.meant(w.Prog, op)[0].Describe()
		f.Cause, f.Object, f.Nearest = trace.CauseOverflow, &m, true
	}
	if f.Cause == trace.CauseNull && w.zeroed>>l&1 != 0 {
		w.Env.survival.follows = true
	}
	f.Message = globalMessage(f, fmt.Sprintf("global %s of %d bytes", op.Site.Kind, size))
	if overflow != "" {
		f.Notes = append(f.Notes, overflow)
	} else {
		f.Notes = append(f.Notes, describeAddress(w.Env.Arena, addr[l], size))
		f.Notes = append(f.Notes, w.describeMeant(op, addr[l])...)
	}
	if f.Cause == trace.CauseHeapFull {
		f.Notes = append(f.Notes, "an earlier malloc in device code ran out of heap and returned a null pointer")
	}
	return false
}

// overflow describes an index of 32 bits that has wrapped: with 2^32 elements more the access would lie in the allocation that the
// instruction means. It returns "" where that is not so.
func (w *Warp) overflow(op *program.Mem, addr uint64) string {
	meant := w.Env.meant(w.Prog, op)
	if len(meant) != 1 || op.Elem == 0 || addr >= meant[0].Base {
		return ""
	}
	al, elem := meant[0], int64(op.Elem)
	index := int64(addr-al.Base) / elem
	whole := index + 1<<32
	if index < math.MinInt32 || int64(addr-al.Base)%elem != 0 || uint64(whole) >= al.Size/uint64(elem) {
		return ""
	}
	return fmt.Sprintf("the index has overflowed: %d does not fit into a signed 32-bit integer and became %d, in the %s", whole, index, nameOf(al))
}

// Locate fills in why global memory at an address cannot be accessed, and returns where it lies.
func (w *Warp) Locate(f *trace.Fault, addr, size uint64) string {
	w.locate(f, addr)
	return describeAddress(w.Env.Arena, addr, size)
}

// locate fills in why global memory at an address cannot be accessed,
// and what lies nearest.
func (w *Warp) locate(f *trace.Fault, addr uint64) {
	switch arena := w.Env.Arena; {
	case addr < nullPage && w.Env.Runtime.RanOut(w.Index):
		f.Cause = trace.CauseHeapFull
	case addr < nullPage:
		f.Cause = trace.CauseNull
	case isHosts(addr):
		f.Cause, f.Addr, f.Hidden = trace.CauseHostPointer, 0, addr
	case addr-mem.CodeBase < mem.CodeBaseSize:
		f.Cause = trace.CauseOutside
	case !arena.Contains(addr, 1):
		f.Cause = trace.CauseWild
	default:
		f.Cause = trace.CauseOutside
		al, freed := arena.Nearest(addr)
		if isReserved(arena, addr, al) {
			f.Cause = trace.CauseReserved
			return
		}
		if al == nil {
			return
		}
		m := al.Describe()
		if freed { // a live one may be freed by another block just now
			m.FreedBy, m.FreedAt = al.FreedBy.Call, al.FreedBy.At
		}
		f.Object, f.Nearest = &m, !al.Contains(addr)
		switch {
		case freed && al.Contains(addr):
			f.Cause = trace.CauseFreed
		case freed:
			f.Cause = trace.CauseNearFreed
		}
	}
}

// isReserved reports whether an address lies in a reserved range that has not had memory, al being what
// is nearest to it.
func isReserved(a *mem.Arena, addr uint64, al *mem.Allocation) bool {
	base, _ := a.Unmapped(addr, 1)
	return base != 0 && (al == nil || !al.Contains(addr))
}

// globalMessage puts a fault in global memory into words; what is the access.
func globalMessage(f *trace.Fault, what string) string {
	switch f.Cause {
	case trace.CauseNull, trace.CauseHeapFull:
		return fmt.Sprintf("%s at %#x: a null pointer", what, f.Addr)
	case trace.CauseHostPointer:
		return what + " at a host address, which is not device memory"
	case trace.CauseOverflow:
		return fmt.Sprintf("%s at %#x is out of bounds: the computation of the index overflows", what, f.Addr)
	case trace.CauseWild:
		return fmt.Sprintf("%s at %#x, which is not device memory", what, f.Addr)
	case trace.CauseFreed:
		return fmt.Sprintf("%s at %#x, in freed memory", what, f.Addr)
	case trace.CauseReserved:
		return fmt.Sprintf("%s at %#x, which is reserved and has no memory", what, f.Addr)
	}
	return fmt.Sprintf("%s at %#x is out of bounds", what, f.Addr)
}

// describeMeant says where an address lies from the one allocation that the instruction
// means, where another one is nearer.
func (w *Warp) describeMeant(op *program.Mem, addr uint64) (notes []string) {
	meant := w.Env.meant(w.Prog, op)
	if len(meant) != 1 || !w.Env.Arena.Contains(addr, 1) {
		return nil
	}
	al := meant[0]
	if near, _ := w.Env.Arena.Nearest(addr); near != al && !al.Contains(addr) {
		where := fmt.Sprintf("%d bytes before its start", al.Base-addr)
		if addr >= al.End() {
			where = fmt.Sprintf("%d bytes after its end", addr-al.End())
		}
		notes = append(notes, fmt.Sprintf("the address is computed from the %s and lies %s", nameOf(al), where))
	}
	if i, elem := addr-al.Base, uint64(op.Elem); elem > 0 && addr > al.Base && i%elem == 0 && i/elem < 1<<32 && i/elem >= 1<<32-wrapped {
		notes = append(notes, fmt.Sprintf("in elements of %d bytes that is index %d, which is %d as an unsigned 32-bit number", elem, i/elem, int64(i/elem)-1<<32))
	}
	return notes
}

// wrapped is how many of the greatest indices of 32 bits count as negative ones.
const wrapped = 1 << 16

// nullPage bounds the addresses that count as offsets to a null pointer.
const nullPage = 1 << 16

// isHosts reports whether a is an address as Linux on x86-64 gives programs and their libraries,
// heaps and stacks (Documentation/arch/x86/x86_64/mm.rst in its source). It is another
// one in each run, so that no report may name it.
func isHosts(a uint64) bool { return a >= 0x550000000000 && a < 1<<47 }

// describeAddress says where an address lies that no allocation holds.
func describeAddress(a *mem.Arena, addr, size uint64) string {
	if !a.Contains(addr, 1) {
		switch {
		case addr < nullPage:
			return "the address is a null pointer or an offset to one"
		case addr-mem.CodeBase < mem.CodeBaseSize:
			return "the address is that of a function"
		}
		return "the address is not a device address: it may be a host pointer"
	}
	al, freed := a.Nearest(addr)
	if isReserved(a, addr, al) {
		return "the address is reserved: no launch of a graph has allocated memory there, and cuMemMap has not mapped any"
	}
	if al == nil {
		return "there are no allocations"
	}
	name := nameOf(al)
	if freed && al.Contains(addr) {
		return "the address lies in the freed " + name
	}
	if freed {
		name += ", which is freed"
	}
	switch {
	case addr < al.Base:
		return fmt.Sprintf("%d bytes before the nearest %s", al.Base-addr, name)
	case addr >= al.End():
		return fmt.Sprintf("%d bytes after the end of the nearest %s", addr-al.End(), name)
	}
	return fmt.Sprintf("the access begins in and ends %d bytes after the %s", addr+size-al.End(), name)
}

// nameOf names an allocation with its place.
func nameOf(al *mem.Allocation) string {
	name := fmt.Sprintf("allocation at %#x of %d bytes", al.Base, al.Size)
	if al.Name != "" {
		name = fmt.Sprintf("variable %s at %#x of %d bytes", al.Name, al.Base, al.Size)
	}
	if al.Where != "" {
		name += " (" + al.Where + ")"
	}
	return name
}

// WholeWarp checks that all 32 threads of the warp execute a step that wants
// them together (PTX ISA, ".sync.aligned").
func (w *Warp) WholeWarp(site *trace.Site, m uint32) bool {
	if m == ^uint32(0) {
		return true
	}
	f := w.Fault(trace.FaultBarrier, trace.CausePartialWarp, site, m, "%s by %d of the 32 threads of a warp: all must execute it together", site.Opcode(), vec.Popcount(m))
	if gone := w.Exist &^ w.Live; gone != 0 {
		f.Notes = append(f.Notes, trace.Plural(vec.Popcount(gone), "thread")+" of the warp had exited")
	}
	if w.Exist != ^uint32(0) {
		f.Notes = append(f.Notes, "the warp has only "+trace.Plural(vec.Popcount(w.Exist), "thread"))
	}
	return false
}

// WrongSpace records that an instruction got an address in another space than
// those that it takes.
func (w *Warp) WrongSpace(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, want string) bool {
	l := vec.Lowest(m)
	f := w.accessFault(trace.FaultOutOfBounds, trace.CauseWrongSpace, op, sp, l, m, addr[l])
	f.Message = op.Site.Opcode() + " of an address in " + sp.String() + " memory: it must be in " + want + " memory"
	return false
}
