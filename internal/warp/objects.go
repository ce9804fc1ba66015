package warp

import (
	"encoding/binary"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// sourced is an entry of Program.Sources in one launch: the allocations that
// its parameters and variables are in. None means that nothing is known.
type sourced struct {
	known  bool
	allocs []*mem.Allocation
	// last is the allocation that was accessed last, and may be.
	last *mem.Allocation
}

// hears reports whether an observer wants accesses beyond an object.
func (e *Env) hears(p *program.Program) bool {
	if e.sources == nil && e.On.Defect != nil {
		e.sources = make([]sourced, len(p.Sources))
	}
	return e.sources != nil
}

// meant returns the allocations that an instruction means, nil if that is not
// known.
func (e *Env) meant(p *program.Program, op *program.Mem) []*mem.Allocation {
	if op.From == 0 || !e.hears(p) {
		return nil
	}
	s := &e.sources[op.From-1]
	if !s.known {
		s.known, s.allocs = true, e.allocations(&p.Sources[op.From-1])
	}
	return s.allocs
}

// allocations resolves sources. A pointer to the end of an allocation, or to
// nothing, makes it unknown what is meant.
func (e *Env) allocations(s *program.Sources) (list []*mem.Allocation) {
	for _, at := range s.Params {
		if int(at)+8 > len(e.Params) {
			continue
		}
		v := binary.LittleEndian.Uint64(e.Params[at:])
		switch al := e.Arena.Find(v); {
		case al != nil:
			list = append(list, al)
		case e.Arena.Contains(v, 1):
			return nil
		}
	}
	if s.Unsure && len(list) == 0 {
		return nil
	}
	for _, v := range s.Variables {
		al := e.Arena.Find(v)
		if al == nil {
			return nil
		}
		list = append(list, al)
	}
	return list
}

// allows reports whether an instruction may access an allocation, as far as
// is known.
func (e *Env) allows(p *program.Program, op *program.Mem, al *mem.Allocation) bool {
	if op.From == 0 || e.sources == nil && !e.hears(p) {
		return true
	}
	s := &e.sources[op.From-1]
	if s.last == al && al != nil {
		return true
	}
	meant := e.meant(p, op)
	ok := len(meant) == 0
	for _, m := range meant {
		ok = ok || m == al
	}
	if ok {
		s.last = al
	}
	return ok
}

// checkObject reports lanes that access global memory beyond the object that
// the instruction means.
func (w *Warp) checkObject(op *program.Mem, m uint32, addr *vec.Row64, size uint64) {
	al := w.Env.cached
	out := vec.Failing(m, func(l int) bool {
		if al == nil || !al.Contains(addr[l]) {
			al = w.Env.Arena.Find(addr[l])
		}
		return al != nil && !w.Env.allows(w.Prog, op, al)
	})
	if out == 0 {
		return
	}
	al = w.Env.Arena.Find(addr[vec.Lowest(out)])
	d := trace.Defect{
		Kind: trace.DefectOutside, Site: op.Site, Warp: w.Index, Mask: out, Came: m, Exist: w.Exist,
		Space: trace.SpaceGlobal, Addr: addr, Size: size,
		Meant: w.Env.meant(w.Prog, op)[0].Describe(), Hit: al.Describe(),
	}
	w.outside(&d)
}

// checkWindow reports lanes that access shared or local memory beyond the
// variable that the instruction means.
func (w *Warp) checkWindow(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, size uint64) {
	if w.Prog.Sources[op.From-1].Space != sp {
		return
	}
	out := vec.Failing(m, func(l int) bool { return addr[l] < op.Lo || addr[l]+size > op.Hi })
	if out == 0 {
		return
	}
	w.outside(&trace.Defect{
		Kind: trace.DefectOutside, Site: op.Site, Warp: w.Index, Mask: out, Came: m, Exist: w.Exist,
		Space: sp, Addr: addr, Size: size, Meant: trace.Memory{Base: op.Lo, Size: op.Hi - op.Lo},
	})
}

func (w *Warp) outside(d *trace.Defect) {
	if f := w.Env.On.Defect; f != nil {
		d.Callers = w.callers(d.Mask)
		f(d)
	}
}
