package warp

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// lanesRead is what lanes read that is undefined: the undefined bits of each byte and
// the value's origin.
type lanesRead struct {
	mask   uint32
	bytes  [32][64]uint8
	origin vec.Row32
	// missing has a bit for each such byte.
	missing vec.Row64
}

// element returns the undefined bits of n <= 8 bytes from byte at on.
func (r *lanesRead) element(l, at, n int) (u uint64) {
	if r.mask>>l&1 == 0 {
		return 0
	}
	for i := n - 1; i >= 0; i-- {
		u = u<<8 | uint64(r.bytes[l][at+i])
	}
	return u
}

// mustFollow reports whether an access can have to do with undefined values: it found some,
// or there are some in registers or where it goes.
func (w taintTracker) mustFollow(op *program.Mem, sp trace.Space, s *vec.Span) bool {
	u := &w.Env.undefining
	if u.found.Mask != 0 || w.undefined() {
		return true
	}
	var t *mem.Taint
	switch sp {
	case trace.SpaceParam:
		return false
	case trace.SpaceShared:
		t = w.sharedOwner().undefining.shared
	case trace.SpaceLocal:
		t = w.localTaint
	default:
		al := w.Env.cached
		if !holds(al, s.Lo, s.Hi, uint64(op.Elem*op.Count)) {
			return true
		}
		t = al.Taint
	}
	return t != nil && t.Any()
}

// sharedOwner returns the Env of the block whose shared memory the access at work is to.
func (w taintTracker) sharedOwner() *Env {
	if o := w.Env.owner; o != nil {
		return o
	}
	return w.Env
}

// sharedTaint returns the taint of the block's shared memory, made if there is none.
func (e *Env) sharedTaint() *mem.Taint {
	if e.undefining.shared == nil {
		e.undefining.shared = mem.NewTaint(uint64(len(e.Block.Shared)))
	}
	return e.undefining.shared
}

// taintAt returns the taint that has a byte, and where in it, nil for none.
func (w taintTracker) taintAt(sp trace.Space, l int, addr uint64) (t *mem.Taint, off, stride uint64) {
	switch sp {
	case trace.SpaceShared:
		return w.sharedOwner().undefining.shared, addr, 1
	case trace.SpaceLocal:
		return w.localTaint, addr*32 + uint64(l), 32
	case trace.SpaceParam:
		return nil, 0, 1
	}
	al := w.Env.cached
	if al == nil || !al.Contains(addr) {
		if al = w.Env.Arena.Find(addr); al == nil {
			return nil, 0, 1
		}
	}
	return al.Taint, addr - al.Base, 1
}

// makeTaint is taintAt for a store of undefined values.
func (w taintTracker) makeTaint(sp trace.Space, l int, addr uint64) (t *mem.Taint, off, stride uint64) {
	u := &w.Env.undefining
	switch {
	case sp == trace.SpaceShared:
		w.sharedOwner().sharedTaint()
	case sp == trace.SpaceLocal && w.localTaint == nil:
		w.localTaint = mem.NewTaint(vec.MaxLocal * 32)
	}
	t, off, stride = w.taintAt(sp, l, addr)
	if sp == trace.SpaceGlobal && t != nil && !t.Any() {
		w.Env.Arena.Tainted() // from now on generated code must not go there
		w.Env.Forget(w.Prog)
		u.epoch = w.Env.Arena.Taints()
	}
	return t, off, stride
}

// readUndefined finds what of n bytes at the lanes' addresses is undefined: what no thread
// has written, as the access at work has found out, and undefined values that were
// stored there.
func (w taintTracker) readUndefined(site *trace.Site, sp trace.Space, m uint32, addr *vec.Row64, n int) *lanesRead {
	u := &w.Env.undefining
	r := &u.lanes
	r.mask = 0
	var again uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		fresh := u.found.Mask>>l&1 != 0
		t, off, stride := w.taintAt(sp, l, addr[l])
		stored := t != nil && t.Any()
		if !fresh && !stored {
			continue
		}
		missing, origin := uint64(0), uint32(0)
		for i := range n {
			r.bytes[l][i] = 0
			if stored {
				if bits, from := t.At(off + uint64(i)*stride); bits != 0 {
					r.bytes[l][i] = bits
					missing |= 1 << i
					origin = from | origin&trace.Computed
				}
			}
			if fresh && u.found.Missing[l]>>i&1 != 0 {
				r.bytes[l][i] = 0xff
				missing |= 1 << i
			}
		}
		if missing == 0 {
			continue
		}
		switch {
		case fresh:
			origin = u.found.Origin[l]
		case origin&trace.Computed == 0:
			again |= 1 << l
		}
		r.mask |= 1 << l
		r.missing[l], r.origin[l] = missing, origin
	}
	// A thread's own memory is as good as its registers, and a value that was computed
	// with has been read where that was done.
	if again != 0 && sp != trace.SpaceLocal {
		w.reread(site, sp, m, again, addr, r)
		for b := again; b != 0; b &= b - 1 { // those that are not followed any more
			if l := vec.Lowest(b) & 31; r.origin[l] == 0 {
				r.mask &^= 1 << l
			}
		}
	}
	return r
}

func (w taintTracker) reread(site *trace.Site, sp trace.Space, m, again uint32, addr *vec.Row64, r *lanesRead) {
	e := &w.Env.undefining.reread
	*e = trace.Reread{Site: site, Space: sp, Warp: w.Index, All: m, Mask: again, Addr: addr, Missing: &r.missing, Origin: &r.origin}
	if sp != trace.SpaceShared {
		if al := w.Env.Arena.Find(addr[vec.Lowest(again)]); al != nil {
			e.Memory = Describe(al)
		}
	}
	if o := w.Env.On.Undefined; o != nil {
		o.Reread(e)
	}
}

// followLoad gives the results of a load the shadow of what lanes m read.
func (w taintTracker) followLoad(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	if sp == trace.SpaceParam {
		w.defineLoaded(op, m)
		return
	}
	r := w.readUndefined(op.Site, sp, m, addr, op.Elem*op.Count)
	if r.mask == 0 {
		w.defineLoaded(op, m)
		return
	}
	s := w.shade()
	for k := range op.Count {
		slot := op.Regs[k]
		switch {
		case slot == program.NoSlot:
		case op.ScalarRegs:
			l := vec.Lowest(m)
			s.setScalar(slot, op.Width, op.Bcast[k], vec.Extend(op, r.element(l, k*op.Elem, op.Elem)), r.origin[l])
		default:
			for b := m; b != 0; b &= b - 1 {
				l := vec.Lowest(b) & 31
				s.set(slot, op.Width, l, vec.Extend(op, r.element(l, k*op.Elem, op.Elem)), r.origin[l])
			}
			s.settle(slot, op.Width)
		}
	}
}

func (w taintTracker) defineLoaded(op *program.Mem, m uint32) {
	if !w.undefined() {
		return
	}
	for k := range op.Count {
		if op.ScalarRegs {
			w.shadow.setScalar(op.Regs[k], op.Width, op.Bcast[k], 0, 0)
		} else {
			w.shadow.define(op.Regs[k], op.Width, m)
		}
	}
}

// followStore notes what of the values that lanes m store is undefined.
func (w taintTracker) followStore(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	w.storeShadow(op.Site, sp, m, addr, op.Elem, op.Count, func(k, l int) (uint64, uint32) {
		if !w.undefined() || op.Regs[k] == program.NoSlot {
			return 0, 0
		}
		return w.shadow.bits(op.Regs[k], op.Width, l), w.shadow.origin(op.Regs[k], op.Width, l)
	})
}

// storeShadow stores the shadow of count elements in the lanes' memory; value gives their
// undefined bits and origin. Undefined values in global memory that were computed, or are
// copies of whole elements of an array, matter there and then.
func (w taintTracker) storeShadow(site *trace.Site, sp trace.Space, m uint32, addr *vec.Row64, elem, count int, value func(k, l int) (uint64, uint32)) {
	u := &w.Env.undefining
	r := &u.lanes
	r.mask = 0
	var copies, computed uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		all, origin := true, uint32(0)
		for k := range count {
			bits, from := value(k, l)
			bits &= vec.LowBits(uint(elem) * 8)
			if bits != 0 {
				r.mask |= 1 << l
				if origin = from | origin&trace.Computed; origin&trace.Computed != 0 {
					computed |= 1 << l
				}
			}
			all = all && bits == vec.LowBits(uint(elem)*8)
			for i := range elem {
				r.bytes[l][k*elem+i] = uint8(bits >> (8 * i))
			}
		}
		if r.origin[l] = origin; all {
			copies |= 1 << l
		}
	}
	if o := w.Env.On.Undefined; r.mask != 0 && sp == trace.SpaceGlobal && (o == nil || !o.Keeps) {
		if copies &^= computed; copies != 0 && !isDense(m, addr, elem*count) {
			copies = 0
		}
		if lanes := computed | copies; lanes != 0 {
			origin := r.origin
			w.use(trace.StoredInGlobal, site, lanes, &origin)
			r.mask &^= lanes
		}
	}
	w.storeBytes(sp, m, addr, elem*count, r)
}

// storeBytes gives n bytes at the lanes' addresses the undefined bits that r has of them.
func (w taintTracker) storeBytes(sp trace.Space, m uint32, addr *vec.Row64, n int, r *lanesRead) {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if r.mask>>l&1 == 0 {
			w.defineBytes(sp, l, addr[l], n)
			continue
		}
		t, off, stride := w.makeTaint(sp, l, addr[l])
		if t == nil {
			continue
		}
		origin := r.origin[l]
		if sp == trace.SpaceGlobal {
			if o := w.Env.On.Undefined; o != nil {
				origin = o.Lasting(origin)
			}
		}
		for i := range n {
			t.Set(off+uint64(i)*stride, r.bytes[l][i], origin)
		}
	}
}

// defineBytes notes that a lane has stored n defined bytes.
func (w taintTracker) defineBytes(sp trace.Space, l int, addr uint64, n int) {
	t, off, stride := w.taintAt(sp, l, addr)
	if t == nil || !t.Any() {
		return
	}
	for i := range uint64(n) {
		t.Set(off+i*stride, 0, 0)
	}
}

// isDense reports whether several lanes access neighboring elements in order, as an
// array is copied.
func isDense(lanes uint32, addr *vec.Row64, size int) bool {
	next := addr[vec.Lowest(lanes)]
	for m := lanes; m != 0; m &= m - 1 {
		if addr[vec.Lowest(m)&31] != next {
			return false
		}
		next += uint64(size)
	}
	return lanes&(lanes-1) != 0
}

// followAtomic is for an update of memory by lanes m. To compute with undefined values
// there matters, an exchange only moves them.
func (w taintTracker) followAtomic(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	if sp == trace.SpaceLocal {
		return
	}
	if op.Site.Exchange() {
		w.followExchange(op, sp, m, addr)
		return
	}
	r := w.readUndefined(op.Site, sp, m, addr, op.Elem)
	if r.mask != 0 {
		origin := r.origin
		w.use(trace.UpdatesMemory, op.Site, r.mask, &origin)
	}
	for b := m; b != 0; b &= b - 1 {
		w.defineBytes(sp, vec.Lowest(b)&31, addr[vec.Lowest(b)&31], op.Elem)
	}
	if w.undefined() {
		w.useRegister(trace.UpdatesMemory, op.Site, op.B, op.Width, false, m)
		w.useRegister(trace.UpdatesMemory, op.Site, op.C, op.Width, false, m)
		w.shadow.define(op.Regs[0], op.Width, m)
	}
}

func (w taintTracker) followExchange(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	r := w.readUndefined(op.Site, sp, m, addr, op.Elem)
	if r.mask == 0 && !w.undefined() {
		return
	}
	s, last := w.shade(), map[uint64]int{}
	var old vec.Row64
	var origin vec.Row32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		old[l], origin[l] = r.element(l, 0, op.Elem), r.origin[l]
		if k, ok := last[addr[l]]; ok { // what an earlier lane has put there
			old[l], origin[l] = s.bits(op.B, op.Width, k), s.origin(op.B, op.Width, k)
		}
		last[addr[l]] = l
	}
	w.storeShadow(op.Site, sp, m, addr, op.Elem, 1, func(_, l int) (uint64, uint32) {
		return s.bits(op.B, op.Width, l), s.origin(op.B, op.Width, l)
	})
	if d := op.Regs[0]; d != program.NoSlot {
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			s.set(d, op.Width, l, old[l], origin[l])
		}
		s.settle(d, op.Width)
	}
}

// followCopy notes what of the n bytes from the lanes' sources, at byte at of the copy,
// is undefined.
func (w taintTracker) followCopy(c *copying, site *trace.Site, m uint32, addr *vec.Row64, at, n int) {
	r := w.readUndefined(site, trace.SpaceGlobal, m, addr, n)
	for b := r.mask; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if c.shadow == nil {
			c.shadow = new(lanesRead)
		}
		if c.shadow.mask>>l&1 == 0 {
			c.shadow.mask |= 1 << l
			clear(c.shadow.bytes[l][:])
		}
		c.shadow.origin[l] = r.origin[l]
		copy(c.shadow.bytes[l][at:], r.bytes[l][:n])
	}
}

// landShadow is land for the shadow of what lanes m have copied.
func (w taintTracker) landShadow(c *copying, m uint32) {
	if c.shadow != nil {
		w.storeBytes(trace.SpaceShared, m, &c.dst, c.op.Size, c.shadow)
		return
	}
	if t := w.Env.undefining.shared; t == nil || !t.Any() {
		return
	}
	for b := m; b != 0; b &= b - 1 {
		w.defineBytes(trace.SpaceShared, vec.Lowest(b)&31, c.dst[vec.Lowest(b)&31], c.op.Size)
	}
}

// passed tells that an argument of a function of the device runtime, which it reads from
// memory, is undefined.
func (w taintTracker) passed(site *trace.Site, l int, addr uint64, n int) {
	sp := vec.SpaceOf(addr)
	t, off, stride := w.taintAt(sp, l, addr-vec.WindowStart(sp))
	if t == nil || !t.Any() {
		return
	}
	for i := range uint64(n) {
		if bits, from := t.At(off + i*stride); bits != 0 {
			var origin vec.Row32
			origin[l] = from
			w.use(trace.PassedToRuntime, site, 1<<l, &origin)
			return
		}
	}
}

// pokeShadow notes what a function of the device runtime has stored for lane l: a value
// of the given origin, 0 for a defined one.
func (w taintTracker) pokeShadow(sp trace.Space, l int, addr uint64, n int) {
	origin := w.poked[l]
	if origin == 0 {
		w.defineBytes(sp, l, addr, n)
		return
	}
	r := &w.Env.undefining.lanes
	r.mask, r.origin[l] = 1<<l, origin
	for i := range n {
		r.bytes[l][i] = 0xff
	}
	var at vec.Row64
	at[l] = addr
	w.storeBytes(sp, 1<<l, &at, n, r)
}

// followTexels is for what a texture instruction reads: it computes with it.
func (w taintTracker) followTexels(op *program.Mem, m uint32, addr *vec.Row64) {
	if !w.Env.undefining.on || op.Site.Kind == trace.Write {
		return
	}
	if r := w.readUndefined(op.Site, trace.SpaceGlobal, m, addr, op.Site.Size); r.mask != 0 {
		origin := r.origin
		w.use(trace.Fetched, op.Site, r.mask, &origin)
	}
}

// newMemory makes an Env ready for a block: nothing is undefined.
func (e *Env) newMemory() {
	if t := e.undefining.shared; t != nil {
		t.Reset()
	}
	clear(e.undefining.joined)
}

// quiet reports whether nothing has to be done for another block of a program.
func (u *undefining) quiet(p *program.Program) bool {
	return !u.on || len(p.Unset) == 0 && u.shared == nil && len(u.joined) == 0
}

// StartUndefined readies the following of undefined values for a block.
func (e *Env) StartUndefined() {
	e.undefining.on = e.On.Undefined != nil
	e.newMemory()
}

// retaint makes accesses ask again where allocations are once another block has stored
// undefined values in one.
func (e *Env) retaint(p *program.Program) {
	if n := e.Arena.Taints(); n != e.undefining.epoch {
		e.undefining.epoch = n
		e.Forget(p)
	}
}
