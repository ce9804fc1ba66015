package warp

import (
	"fmt"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// load does op for lanes m. It returns false after a fault.
func (w *Warp) load(op *program.Mem, m uint32) bool {
	w.Reads++
	addr, s := w.addresses(op, m)
	if op.Space != trace.SpaceGeneric {
		return w.loadFrom(op, op.Space, m, addr, s)
	}
	return w.bySpace(op, m, addr, s, (*Warp).loadFrom)
}

func (w *Warp) loadFrom(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span) bool {
	if sp == trace.SpaceShared && w.Env.owner == nil && w.Env.inCluster(s.Hi) {
		return w.byRank(op, m, addr, s, (*Warp).loadFrom)
	}
	base, ok := w.check(op, sp, m, addr, s)
	if !ok {
		all := m
		if base, m, ok = w.checkRest(op, sp, m, addr, s); !ok {
			return false
		}
		if w.zero(op, all&^m); m == 0 {
			return true
		}
	}
	if w.Env.taint.Following && w.taint.MustFollow(op, sp, s) {
		w.taint.FollowLoad(op, sp, m, addr)
	}
	switch {
	case sp == trace.SpaceLocal:
		w.loadLocal(op, m, addr)
	case sp == trace.SpaceParam:
		return w.loadParam(op, m, addr)
	case op.ScalarRegs:
		w.LoadScalar(op, base, addr[vec.Lowest(m)])
	default:
		w.LoadLanes(op, base, m, addr, s)
	}
	return true
}

// store does op for lanes m. It returns false after a fault.
func (w *Warp) store(op *program.Mem, m uint32) bool {
	addr, s := w.addresses(op, m)
	if op.Space != trace.SpaceGeneric {
		return w.storeTo(op, op.Space, m, addr, s)
	}
	return w.bySpace(op, m, addr, s, (*Warp).storeTo)
}

func (w *Warp) storeTo(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span) bool {
	if sp == trace.SpaceShared && w.Env.owner == nil && w.Env.inCluster(s.Hi) {
		return w.byRank(op, m, addr, s, (*Warp).storeTo)
	}
	base, ok := w.check(op, sp, m, addr, s)
	if !ok {
		if base, m, ok = w.checkRest(op, sp, m, addr, s); !ok || m == 0 {
			return ok
		}
	}
	if w.Env.taint.Following && w.taint.MustFollow(op, sp, s) {
		w.taint.FollowStore(op, sp, m, addr)
	}
	if sp == trace.SpaceLocal {
		w.storeLocal(op, m, addr)
	} else {
		w.Progress++ // others can see it
		if op.Site.Order >= trace.OrderVolatile {
			w.noteWriters(op, sp, m, addr)
		}
		w.StoreLanes(op, base, m, addr, s)
	}
	return true
}

// bySpace calls f once for each space that lanes of m address.
func (w *Warp) bySpace(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span,
	f func(*Warp, *program.Mem, trace.Space, uint32, *vec.Row64, *vec.Span) bool) bool {
	if op.Space != trace.SpaceGeneric {
		return f(w, op, op.Space, m, addr, s)
	}
	for m != 0 {
		sp, same := s.NextSpace(op, m, addr)
		if !f(w, op, sp, same, addr, s) {
			return false
		}
		if m &^= same; m != 0 {
			s.Measure(addr, m)
		}
	}
	return true
}

// check tests bounds and alignment, tells the observers, and returns the
// pointer that addresses of the space are added to.
func (w *Warp) check(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span) (unsafe.Pointer, bool) {
	env := w.Env
	size := uint64(op.Elem * op.Count)
	lo, hi := s.Lo, s.Hi
	lanes := m
	if op.ScalarRegs {
		lanes = m & -m // all have the same address
	}
	w.Count(op.Site, sp)
	env.taint.Found.Mask = 0
	if s.Or&(size-1) != 0 && !aligned(addr, lanes, size) {
		return nil, w.misaligned(op, sp, lanes, addr, size)
	}
	var to func(*trace.Access)
	var base unsafe.Pointer
	switch sp {
	case trace.SpaceShared:
		n := uint64(len(env.Block.Shared)) // the same in all blocks
		if hi+size > n || hi+size < hi {
			return nil, w.outOfShared(op, lanes, addr, size)
		}
		if env.owner != nil && env.owner != env {
			w.remote(op, m, addr, s)
			return unsafe.Pointer(unsafe.SliceData(env.owner.Block.Shared)), true
		}
		if op.From != 0 && (lo < op.Lo || hi+size > op.Hi) && env.On.Defect != nil {
			w.checkWindow(op, sp, lanes, addr, size)
		}
		to, base = env.On.Shared, unsafe.Pointer(unsafe.SliceData(env.Block.Shared))
	case trace.SpaceLocal:
		if hi+size > vec.MaxLocal || hi+size < hi {
			return nil, w.outOfLocal(op, lanes, addr, size)
		}
		w.growLocal(hi + size)
		if op.From != 0 && (lo < op.Lo || hi+size > op.Hi) && env.On.Defect != nil {
			w.checkWindow(op, sp, lanes, addr, size)
		}
		if len(w.Prog.Frames)+len(w.Prog.Scopes) > 0 && env.On.Defect != nil {
			w.checkLifetimes(op, lanes, addr, size)
		}
		to = env.On.Local
	case trace.SpaceParam:
		if op.Site.Kind.Writes() {
			return nil, w.writesParam(op, lanes, addr)
		}
	default:
		al := env.cached
		if !holds(al, lo, hi, size) {
			if al = env.Arena.Find(lo); holds(al, lo, hi, size) {
				env.cached = al
			} else if al = nil; !w.findAll(op, lanes, addr, size) {
				return nil, false
			}
		}
		if al != nil && al.ReadOnly && op.Site.Kind.Writes() {
			return nil, w.readOnly(op, al, vec.Lowest(m), m, addr)
		}
		if op.From != 0 && (al == nil || (env.sources == nil || env.sources[op.From-1].last != al) && !env.allows(w.Prog, op, al)) {
			w.checkObject(op, lanes, addr, size)
		}
		to = env.On.Global // addresses are pointers: base is nil
		if sp == trace.SpaceConst {
			to = env.On.Const
		}
		if to != nil { // while what it writes does not count as written
			w.emit(op, sp, m, addr, s, to)
			to = nil
		}
		if env.MarksWritten {
			w.initialize(op, lanes, addr, s, size)
		}
	}
	if to != nil {
		w.emit(op, sp, m, addr, s, to)
	}
	return base, true
}

// Count counts an access by a site that turned out to be to a space. Generated
// code does the same.
func (w *Warp) Count(site *trace.Site, sp trace.Space) {
	w.Env.Accesses++
	if site.Space == trace.SpaceGlobal && !site.Texture {
		w.Env.Global++
	}
	if sp != trace.SpaceLocal || !site.Kind.Writes() {
		w.ticks++
	}
}

// pauses asks whether the warp's turn ends before an access, and notes it.
func (w *Warp) pauses(in *program.Instr) bool {
	w.Env.Rests = w.Env.Pauses(w, w.Prog.Mems[in.X].Site)
	return w.Env.Rests
}

// NewInterval tells the warp that its block has passed a full barrier.
func (w *Warp) NewInterval() { w.ticks = 0 }

// holds reports whether accesses of size bytes from lo to hi lie in al.
func holds(al *mem.Allocation, lo, hi, size uint64) bool {
	return al != nil && lo >= al.Base && hi+size <= al.End() && hi+size >= hi
}

// aligned is the exact test where the or of all addresses shows a low bit.
func aligned(addr *vec.Row64, m uint32, size uint64) bool {
	for b := m; b != 0; b &= b - 1 {
		if addr[vec.Lowest(b)]&(size-1) != 0 {
			return false
		}
	}
	return true
}

// accessData reads a store's or an atomic's operands.
type accessData struct {
	w  *Warp
	op *program.Mem
}

// Value implements trace.Data.
func (d *accessData) Value(lane, elem int) uint64 {
	slot := d.op.Regs[elem]
	if d.op.Site.Kind == trace.Atomic {
		if slot = d.op.B; elem == 1 {
			slot = d.op.C
		}
	}
	if slot == program.NoSlot {
		return 0
	}
	return d.w.LaneValue(slot, d.op.Width, lane) & vec.LowBits(uint(d.op.Elem)*8)
}

// writesParam refuses a write to the kernel's parameters.
func (w *Warp) writesParam(op *program.Mem, m uint32, addr *vec.Row64) bool {
	l := vec.Lowest(m)
	if w.refused(trace.FaultReadOnly, op, m, addr) {
		return false
	}
	f := w.accessFault(trace.FaultReadOnly, trace.CauseReadOnly, op, trace.SpaceParam, l, m, addr[l])
	f.Message = fmt.Sprintf("write of %d bytes to the kernel's parameters, which are read-only", f.Size)
	return false
}

// findAll checks each lane's range against the live allocations.
func (w *Warp) findAll(op *program.Mem, m uint32, addr *vec.Row64, size uint64) bool {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		a := addr[l]
		if al := w.Env.cached; al != nil && !al.ReadOnly && a >= al.Base && a+size <= al.End() && a+size > a {
			continue
		}
		al := w.Env.Arena.Find(a)
		if al == nil || a+size > al.End() {
			return w.outOfGlobal(op, l, m, addr, size)
		}
		if al.ReadOnly && op.Site.Kind.Writes() {
			return w.readOnly(op, al, l, m, addr)
		}
		w.Env.cached = al
	}
	return true
}

// readOnly refuses a write to a constant variable.
func (w *Warp) readOnly(op *program.Mem, al *mem.Allocation, l int, m uint32, addr *vec.Row64) bool {
	bad := vec.Failing(m, func(k int) bool { x := w.Env.Arena.Find(addr[k]); return x != nil && x.ReadOnly })
	if w.refused(trace.FaultReadOnly, op, bad, addr) {
		return false
	}
	f := w.accessFault(trace.FaultReadOnly, trace.CauseReadOnly, op, trace.SpaceConst, l, bad, addr[l])
	f.Message = fmt.Sprintf("write of %d bytes to constant memory", f.Size)
	f.Notes = append(f.Notes, "the address lies in constant variable "+al.Name)
	return false
}

// loadParam reads the kernel's parameter buffer.
func (w *Warp) loadParam(op *program.Mem, m uint32, addr *vec.Row64) bool {
	params := w.Env.Params
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		if end := addr[l] + uint64(op.Elem*op.Count); end > uint64(len(params)) || end < addr[l] {
			f := w.accessFault(trace.FaultOutOfBounds, trace.CauseOutside, op, trace.SpaceParam, l, m, addr[l])
			f.Message = fmt.Sprintf("read of %d bytes at offset %d of %d bytes of kernel parameters", f.Size, addr[l], len(params))
			return false
		}
		at := unsafe.Pointer(&params[addr[l]])
		if op.ScalarRegs {
			w.LoadScalar(op, at, 0)
			return true
		}
		for k := range op.Count {
			w.SetLane(op.Regs[k], op.Width, l, vec.Extend(op, vec.ReadElem(unsafe.Add(at, k*op.Elem), op.Elem)))
		}
	}
	return true
}

// access does an access to memory for lanes m; false means a fault.
func (w *Warp) access(in *program.Instr, m uint32) bool {
	op, ok := &w.Prog.Mems[in.X], false
	switch in.Op {
	case program.OpLoad:
		ok = w.load(op, m)
	case program.OpStore:
		ok = w.store(op, m)
	case program.OpAtomic:
		ok = w.atomic(op, m)
	}
	if ok {
		w.learn(in.X, m)
	}
	return ok
}
