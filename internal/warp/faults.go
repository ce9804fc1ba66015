package warp

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// accessFault records a fault of lane l at addr.
func (w *Warp) accessFault(kind trace.FaultKind, op *Mem, sp trace.Space, l int, m uint32, addr uint64) *trace.Fault {
	f := w.fault(kind, op.Site, m, "")
	f.Lane, f.Space, f.Access = l, sp, op.Site.Kind
	f.Addr, f.Size = addr, op.Elem*op.Count
	return f
}

func (w *Warp) misaligned(op *Mem, sp trace.Space, m uint32, addr *row64, size uint64) bool {
	for b := m; b != 0; b &= b - 1 {
		if l := lowest(b); addr[l]&(size-1) != 0 {
			f := w.accessFault(trace.FaultMisaligned, op, sp, l, m, addr[l])
			f.Message = fmt.Sprintf("misaligned %s %s of %d bytes: address %#x is no multiple of %d", sp, op.Site.Kind, size, addr[l], size)
			break
		}
	}
	return false
}

func (w *Warp) outOfShared(op *Mem, m uint32, addr *row64, size uint64) bool {
	n := uint64(len(w.Env.Block.Shared))
	for b := m; b != 0; b &= b - 1 {
		l := lowest(b)
		if end := addr[l] + size; end <= n && end > addr[l] {
			continue
		}
		f := w.accessFault(trace.FaultOutOfBounds, op, trace.SpaceShared, l, m, addr[l])
		f.Message = fmt.Sprintf("shared %s of %d bytes at offset %d is out of bounds: the block has %d bytes of shared memory", op.Site.Kind, size, int64(addr[l]), n)
		if v := w.lastShared(addr[l]); v != "" {
			f.Notes = append(f.Notes, v)
		}
		break
	}
	return false
}

// lastShared names the variable that lies before an offset.
func (w *Warp) lastShared(off uint64) string {
	vars := w.Env.Block.Launch.Shared
	for i := len(vars) - 1; i >= 0; i-- {
		if v := vars[i]; v.Addr <= off {
			return fmt.Sprintf("%d bytes after the end of shared variable %s of %d bytes", off-(v.Addr+v.Size), v.Name, v.Size)
		}
	}
	return ""
}

func (w *Warp) outOfLocal(op *Mem, m uint32, addr *row64, size uint64) bool {
	for b := m; b != 0; b &= b - 1 {
		l := lowest(b)
		if addr[l]+size <= maxLocal {
			continue
		}
		f := w.accessFault(trace.FaultStack, op, trace.SpaceLocal, l, m, addr[l])
		f.Message = fmt.Sprintf("local %s of %d bytes at offset %d is beyond the %d bytes of local memory that a thread can have", op.Site.Kind, size, addr[l], maxLocal)
		break
	}
	return false
}

func (w *Warp) outOfGlobal(op *Mem, l int, m uint32, addr, size uint64) bool {
	f := w.accessFault(trace.FaultOutOfBounds, op, trace.SpaceGlobal, l, m, addr)
	f.Message = fmt.Sprintf("global %s of %d bytes at %#x is out of bounds", op.Site.Kind, size, addr)
	f.Notes = append(f.Notes, describeAddress(w.Env.Arena, addr, size))
	return false
}

// describeAddress says where an address lies that no allocation holds.
func describeAddress(a *mem.Arena, addr, size uint64) string {
	if !a.Contains(addr, 1) {
		switch {
		case addr < 1<<16:
			return "the address is a null pointer or an offset to one"
		case addr-mem.CodeBase < mem.CodeBaseSize:
			return "the address is that of a function"
		}
		return "the address is not one of the device: it may be a host pointer"
	}
	al, freed := a.Nearest(addr)
	if al == nil {
		return "there is no allocation"
	}
	name := fmt.Sprintf("allocation at %#x of %d bytes", al.Base, al.Size)
	if al.Name != "" {
		name = fmt.Sprintf("variable %s at %#x of %d bytes", al.Name, al.Base, al.Size)
	}
	if al.Where != "" {
		name += " (" + al.Where + ")"
	}
	switch {
	case freed && al.Contains(addr):
		return "the address lies in the freed " + name
	case addr < al.Base:
		return fmt.Sprintf("%d bytes before the nearest %s", al.Base-addr, name)
	case addr >= al.End():
		return fmt.Sprintf("%d bytes after the end of the nearest %s", addr-al.End(), name)
	}
	return fmt.Sprintf("the access begins in and ends %d bytes after the %s", addr+size-al.End(), name)
}
