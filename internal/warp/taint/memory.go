package taint

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Read is what lanes read that is undefined: the undefined bits of each byte and
// the value's origin.
type Read struct {
	Mask   uint32
	Bytes  [32][64]uint8
	Origin vec.Row32
	// missing has a bit for each such byte.
	missing vec.Row64
}

// Element returns the undefined bits of n <= 8 bytes from byte at on.
func (r *Read) Element(l, at, n int) (u uint64) {
	if r.Mask>>l&1 == 0 {
		return 0
	}
	for i := n - 1; i >= 0; i-- {
		u = u<<8 | uint64(r.Bytes[l][at+i])
	}
	return u
}

// MustFollow reports whether an access can have to do with undefined values: it found some,
// or there are some in registers or where it goes.
func (tr *Tracker) MustFollow(op *program.Mem, sp trace.Space, s *vec.Span) bool {
	u := tr.block
	if u.Found.Mask != 0 || tr.Undefined() {
		return true
	}
	var t *mem.Taint
	switch sp {
	case trace.SpaceParam:
		return false
	case trace.SpaceShared:
		t = tr.warp.SharedOwner().Shared
	case trace.SpaceLocal:
		t = tr.local
	default:
		al := tr.warp.Allocation(s.Lo, s.Hi-s.Lo+uint64(op.Elem*op.Count))
		if al == nil { // each lane has its own
			return true
		}
		t = al.Taint
	}
	return t != nil && t.Any()
}

// TaintAt returns the taint that has a byte, and where in it, nil for none.
func (tr *Tracker) TaintAt(sp trace.Space, l int, addr uint64) (t *mem.Taint, off, stride uint64) {
	switch sp {
	case trace.SpaceShared:
		return tr.warp.SharedOwner().Shared, addr, 1
	case trace.SpaceLocal:
		return tr.local, addr*32 + uint64(l), 32
	case trace.SpaceParam:
		return nil, 0, 1
	}
	al := tr.warp.Allocation(addr, 1)
	if al == nil {
		return nil, 0, 1
	}
	return al.Taint, addr - al.Base, 1
}

// MakeTaint is taintAt for a store of undefined values.
func (tr *Tracker) MakeTaint(sp trace.Space, l int, addr uint64) (t *mem.Taint, off, stride uint64) {
	u := tr.block
	switch {
	case sp == trace.SpaceShared:
		tr.warp.SharedOwner().MakeShared()
	case sp == trace.SpaceLocal && tr.local == nil:
		tr.local = mem.NewTaint(vec.MaxLocal * 32)
	}
	t, off, stride = tr.TaintAt(sp, l, addr)
	if sp == trace.SpaceGlobal && t != nil && !t.Any() {
		tr.warp.Memory().Tainted() // from now on generated code must not go there
		tr.warp.Forget()
		u.epoch = tr.warp.Memory().Taints()
	}
	return t, off, stride
}

// ReadUndefined finds what of n bytes at the lanes' addresses is undefined: what no thread
// has written, as the access at work has found out, and undefined values that were
// stored there.
func (tr *Tracker) ReadUndefined(site *trace.Site, sp trace.Space, m uint32, addr *vec.Row64, n int) *Read {
	u := tr.block
	r := &u.lanes
	r.Mask = 0
	var again uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		fresh := u.Found.Mask>>l&1 != 0
		t, off, stride := tr.TaintAt(sp, l, addr[l])
		stored := t != nil && t.Any()
		if !fresh && !stored {
			continue
		}
		missing, origin := uint64(0), uint32(0)
		for i := range n {
			r.Bytes[l][i] = 0
			if stored {
				if bits, from := t.At(off + uint64(i)*stride); bits != 0 {
					r.Bytes[l][i] = bits
					missing |= 1 << i
					origin = from | origin&trace.Computed
				}
			}
			if fresh && u.Found.Missing[l]>>i&1 != 0 {
				r.Bytes[l][i] = 0xff
				missing |= 1 << i
			}
		}
		if missing == 0 {
			continue
		}
		switch {
		case fresh:
			origin = u.Found.Origin[l]
		case origin&trace.Computed == 0:
			again |= 1 << l
		}
		r.Mask |= 1 << l
		r.missing[l], r.Origin[l] = missing, origin
	}
	// A thread's own memory is as good as its registers, and a value that was computed
	// with has been read where that was done.
	if again != 0 && sp != trace.SpaceLocal {
		tr.reread(site, sp, m, again, addr, r)
		for b := again; b != 0; b &= b - 1 { // those that are not followed any more
			if l := vec.Lowest(b) & 31; r.Origin[l] == 0 {
				r.Mask &^= 1 << l
			}
		}
	}
	return r
}

func (tr *Tracker) reread(site *trace.Site, sp trace.Space, m, again uint32, addr *vec.Row64, r *Read) {
	e := &tr.block.reread
	*e = trace.Reread{Site: site, Space: sp, Warp: tr.warp.Number(), All: m, Mask: again, Addr: addr, Missing: &r.missing, Origin: &r.Origin}
	if sp != trace.SpaceShared {
		if al := tr.warp.Memory().Find(addr[vec.Lowest(again)]); al != nil {
			e.Memory = al.Describe()
		}
	}
	if o := tr.warp.Observer().Undefined; o != nil {
		o.Reread(e)
	}
}

// FollowLoad gives the results of a load the shadow of what lanes m read.
func (tr *Tracker) FollowLoad(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	if sp == trace.SpaceParam {
		tr.defineLoaded(op, m)
		return
	}
	r := tr.ReadUndefined(op.Site, sp, m, addr, op.Elem*op.Count)
	if r.Mask == 0 {
		tr.defineLoaded(op, m)
		return
	}
	s := tr.Shade()
	for k := range op.Count {
		slot := op.Regs[k]
		switch {
		case slot == program.NoSlot:
		case op.ScalarRegs:
			l := vec.Lowest(m)
			s.setScalar(slot, op.Width, op.Bcast[k], vec.Extend(op, r.Element(l, k*op.Elem, op.Elem)), r.Origin[l])
		default:
			for b := m; b != 0; b &= b - 1 {
				l := vec.Lowest(b) & 31
				s.Set(slot, op.Width, l, vec.Extend(op, r.Element(l, k*op.Elem, op.Elem)), r.Origin[l])
			}
			s.Settle(slot, op.Width)
		}
	}
}

func (tr *Tracker) defineLoaded(op *program.Mem, m uint32) {
	if !tr.Undefined() {
		return
	}
	for k := range op.Count {
		if op.ScalarRegs {
			tr.shadow.setScalar(op.Regs[k], op.Width, op.Bcast[k], 0, 0)
		} else {
			tr.shadow.Define(op.Regs[k], op.Width, m)
		}
	}
}

// FollowStore notes what of the values that lanes m store is undefined.
func (tr *Tracker) FollowStore(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	tr.Store(op.Site, sp, m, addr, op.Elem, op.Count, func(k, l int) (uint64, uint32) {
		if !tr.Undefined() || op.Regs[k] == program.NoSlot {
			return 0, 0
		}
		return tr.shadow.Bits(op.Regs[k], op.Width, l), tr.shadow.Origin(op.Regs[k], op.Width, l)
	})
}

// Store stores the shadow of count elements in the lanes' memory; value gives their
// undefined bits and origin. Undefined values in global memory that were computed, or are
// copies of whole elements of an array, matter there and then.
func (tr *Tracker) Store(site *trace.Site, sp trace.Space, m uint32, addr *vec.Row64, elem, count int, value func(k, l int) (uint64, uint32)) {
	u := tr.block
	r := &u.lanes
	r.Mask = 0
	var copies, computed uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		all, origin := true, uint32(0)
		for k := range count {
			bits, from := value(k, l)
			bits &= vec.LowBits(uint(elem) * 8)
			if bits != 0 {
				r.Mask |= 1 << l
				if origin = from | origin&trace.Computed; origin&trace.Computed != 0 {
					computed |= 1 << l
				}
			}
			all = all && bits == vec.LowBits(uint(elem)*8)
			for i := range elem {
				r.Bytes[l][k*elem+i] = uint8(bits >> (8 * i))
			}
		}
		if r.Origin[l] = origin; all {
			copies |= 1 << l
		}
	}
	if o := tr.warp.Observer().Undefined; r.Mask != 0 && sp == trace.SpaceGlobal && (o == nil || !o.Keeps) {
		if copies &^= computed; copies != 0 && !isDense(m, addr, elem*count) {
			copies = 0
		}
		if lanes := computed | copies; lanes != 0 {
			origin := r.Origin
			tr.use(trace.StoredInGlobal, site, lanes, &origin)
			r.Mask &^= lanes
		}
	}
	tr.storeBytes(sp, m, addr, elem*count, r)
}

// storeBytes gives n bytes at the lanes' addresses the undefined bits that r has of them.
func (tr *Tracker) storeBytes(sp trace.Space, m uint32, addr *vec.Row64, n int, r *Read) {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if r.Mask>>l&1 == 0 {
			tr.DefineBytes(sp, l, addr[l], n)
			continue
		}
		t, off, stride := tr.MakeTaint(sp, l, addr[l])
		if t == nil {
			continue
		}
		origin := r.Origin[l]
		if sp == trace.SpaceGlobal {
			if o := tr.warp.Observer().Undefined; o != nil {
				origin = o.Lasting(origin)
			}
		}
		for i := range n {
			t.Set(off+uint64(i)*stride, r.Bytes[l][i], origin)
		}
	}
}

// DefineBytes notes that a lane has stored n defined bytes.
func (tr *Tracker) DefineBytes(sp trace.Space, l int, addr uint64, n int) {
	t, off, stride := tr.TaintAt(sp, l, addr)
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

// FollowAtomic is for an update of memory by lanes m. To compute with undefined values
// there matters, an exchange only moves them.
func (tr *Tracker) FollowAtomic(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	if sp == trace.SpaceLocal {
		return
	}
	if op.Site.Exchange() {
		tr.followExchange(op, sp, m, addr)
		return
	}
	r := tr.ReadUndefined(op.Site, sp, m, addr, op.Elem)
	if r.Mask != 0 {
		origin := r.Origin
		tr.use(trace.UpdatesMemory, op.Site, r.Mask, &origin)
	}
	for b := m; b != 0; b &= b - 1 {
		tr.DefineBytes(sp, vec.Lowest(b)&31, addr[vec.Lowest(b)&31], op.Elem)
	}
	if tr.Undefined() {
		tr.UseRegister(trace.UpdatesMemory, op.Site, op.B, op.Width, false, m)
		tr.UseRegister(trace.UpdatesMemory, op.Site, op.C, op.Width, false, m)
		tr.shadow.Define(op.Regs[0], op.Width, m)
	}
}

func (tr *Tracker) followExchange(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	r := tr.ReadUndefined(op.Site, sp, m, addr, op.Elem)
	if r.Mask == 0 && !tr.Undefined() {
		return
	}
	s, last := tr.Shade(), map[uint64]int{}
	var old vec.Row64
	var origin vec.Row32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		old[l], origin[l] = r.Element(l, 0, op.Elem), r.Origin[l]
		if k, ok := last[addr[l]]; ok { // what an earlier lane has put there
			old[l], origin[l] = s.Bits(op.B, op.Width, k), s.Origin(op.B, op.Width, k)
		}
		last[addr[l]] = l
	}
	tr.Store(op.Site, sp, m, addr, op.Elem, 1, func(_, l int) (uint64, uint32) {
		return s.Bits(op.B, op.Width, l), s.Origin(op.B, op.Width, l)
	})
	if d := op.Regs[0]; d != program.NoSlot {
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			s.Set(d, op.Width, l, old[l], origin[l])
		}
		s.Settle(d, op.Width)
	}
}

// FollowCopy notes what of the n bytes from the lanes' sources, at byte at of the copy,
// is undefined.
func (tr *Tracker) FollowCopy(c **Read, site *trace.Site, m uint32, addr *vec.Row64, at, n int) {
	r := tr.ReadUndefined(site, trace.SpaceGlobal, m, addr, n)
	for b := r.Mask; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if *c == nil {
			*c = new(Read)
		}
		if (*c).Mask>>l&1 == 0 {
			(*c).Mask |= 1 << l
			clear((*c).Bytes[l][:])
		}
		(*c).Origin[l] = r.Origin[l]
		copy((*c).Bytes[l][at:], r.Bytes[l][:n])
	}
}

// Land notes that a copy of size bytes has landed in shared memory at the addresses of lanes m; c is
// what of it is undefined, nil for nothing.
func (tr *Tracker) Land(c *Read, dst *vec.Row64, size int, m uint32) {
	if c != nil {
		tr.storeBytes(trace.SpaceShared, m, dst, size, c)
		return
	}
	if t := tr.block.Shared; t == nil || !t.Any() {
		return
	}
	for b := m; b != 0; b &= b - 1 {
		tr.DefineBytes(trace.SpaceShared, vec.Lowest(b)&31, dst[vec.Lowest(b)&31], size)
	}
}

// Passed tells that an argument of a function of the device runtime, which it reads from
// memory, is undefined.
func (tr *Tracker) Passed(site *trace.Site, l int, addr uint64, n int) {
	sp := vec.SpaceOf(addr)
	t, off, stride := tr.TaintAt(sp, l, addr-vec.WindowStart(sp))
	if t == nil || !t.Any() {
		return
	}
	for i := range uint64(n) {
		if bits, from := t.At(off + i*stride); bits != 0 {
			var origin vec.Row32
			origin[l] = from
			tr.use(trace.PassedToRuntime, site, 1<<l, &origin)
			return
		}
	}
}

// Stored notes what a function of the device runtime has stored for lane l: a value
// of the given origin, 0 for a defined one.
func (tr *Tracker) Stored(sp trace.Space, l int, addr uint64, n int) {
	origin := tr.poked[l]
	if origin == 0 {
		tr.DefineBytes(sp, l, addr, n)
		return
	}
	r := &tr.block.lanes
	r.Mask, r.Origin[l] = 1<<l, origin
	for i := range n {
		r.Bytes[l][i] = 0xff
	}
	var at vec.Row64
	at[l] = addr
	tr.storeBytes(sp, 1<<l, &at, n, r)
}

// FollowTexels is for what a texture instruction reads: it computes with it.
func (tr *Tracker) FollowTexels(op *program.Mem, m uint32, addr *vec.Row64) {
	if !tr.block.Following || op.Site.Kind == trace.Write {
		return
	}
	if r := tr.ReadUndefined(op.Site, trace.SpaceGlobal, m, addr, op.Site.Size); r.Mask != 0 {
		origin := r.Origin
		tr.use(trace.Fetched, op.Site, r.Mask, &origin)
	}
}

// Quiet reports whether nothing has to be done for another block of a program.
func (u *Block) Quiet(p *program.Program) bool {
	return !u.Following || len(p.Unset) == 0 && u.Shared == nil && len(u.joined) == 0
}

// Start readies the block's part for a block: nothing is undefined. follow asks that undefined values are
// followed.
func (u *Block) Start(follow bool, block *trace.Block) {
	u.Following, u.place = follow, block
	if u.Shared != nil {
		u.Shared.Reset()
	}
	clear(u.joined)
}

// MakeShared returns the taint of the block's shared memory, made if there is none.
func (u *Block) MakeShared() *mem.Taint {
	if u.Shared == nil {
		u.Shared = mem.NewTaint(uint64(len(u.place.Shared)))
	}
	return u.Shared
}

// News reports whether a block has stored undefined values in an allocation that had none: then
// accesses must ask again where allocations are.
func (u *Block) News(a *mem.Arena) bool {
	n := a.Taints()
	changed := n != u.epoch
	u.epoch = n
	return changed
}
