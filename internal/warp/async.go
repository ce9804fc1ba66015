package warp

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// emission is what events of an access say beyond its operands.
type emission struct {
	data  trace.Data
	async trace.Async
}

// copying is a copy that has not landed in some lanes.
type copying struct {
	op   *copyAsync
	mask uint32
	// seq numbers the warp's copies. group is each lane's group, once it is
	// among those that are committed.
	seq       uint64
	committed uint32
	group     [32]uint32
	dst, src  vec.Row64
	size      [32]uint8
	// shadow is what of the data is undefined, nil for nothing.
	shadow *taint.Read
}

// asyncState is a warp's copies on their way, in the order of issue.
type asyncState struct {
	list, spare []*copying
	seq         uint64
	// used is set by the first copy or commit of a block.
	used bool
	// groups counts the groups that each lane has committed.
	groups [32]uint32
	data   copyData
}

func (a *asyncState) reset() {
	if !a.used {
		return
	}
	a.spare = append(a.spare, a.list...)
	a.list, a.seq, a.groups, a.used = a.list[:0], 0, [32]uint32{}, false
}

func (s *copyAsync) exec(w *Warp, m uint32) bool {
	c := w.async.take()
	c.op, c.mask, c.committed, c.shadow = s, m, 0, nil
	s.sizes(w, m, c)
	if !s.issueRead(w, m, c) || !s.issueWrite(w, m, c) {
		return false
	}
	w.async.used = true
	w.async.seq++
	c.seq = w.async.seq
	w.async.list = append(w.async.list, c)
	w.Progress++
	return true
}

func (a *asyncState) take() *copying {
	if n := len(a.spare); n > 0 {
		c := a.spare[n-1]
		a.spare = a.spare[:n-1]
		return c
	}
	return new(copying)
}

// sizes finds how many bytes each lane reads.
func (s *copyAsync) sizes(w *Warp, m uint32, c *copying) {
	if s.Ignore == program.NoSlot && s.SrcSize == program.NoSlot {
		for l := range c.size {
			c.size[l] = uint8(s.Size)
		}
		return
	}
	var ignore uint32
	if s.Ignore != program.NoSlot {
		if ignore = *w.Pred(s.Ignore); s.IgnoreNot {
			ignore = ^ignore
		}
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		n := uint32(s.Size)
		if s.SrcSize != program.NoSlot {
			n = min(n, w.V32(s.SrcSize)[l])
		}
		if ignore>>l&1 != 0 {
			n = 0
		}
		c.size[l] = uint8(n)
	}
}

// issueRead checks the source addresses and tells observers of the reads.
func (s *copyAsync) issueRead(w *Warp, m uint32, c *copying) bool {
	whole, part := s.read(m, c)
	w.Env.how.async = trace.AsyncIssue
	defer func() { w.Env.how = emission{} }()
	addr, sp := w.addresses(&s.Src, m)
	c.src = *addr
	if whole != 0 {
		if whole != m {
			sp.Measure(addr, whole)
		}
		if _, ok := w.check(&s.Src, trace.SpaceGlobal, whole, addr, sp); !ok {
			_, rest, ok := w.checkRest(&s.Src, trace.SpaceGlobal, whole, addr, sp)
			if !ok {
				return false
			}
			for b := whole &^ rest; b != 0; b &= b - 1 {
				c.size[vec.Lowest(b)&31] = 0 // zeros are copied
			}
		}
		if w.Env.taint.Following && w.taint.MustFollow(&s.Src, trace.SpaceGlobal, sp) {
			w.taint.FollowCopy(&c.shadow, s.Src.Site, whole, addr, 0, s.Size)
		}
	}
	return part == 0 || s.readBytes(w, part, c)
}

// read returns the lanes of m that read all, and a part, of what they copy.
func (s *copyAsync) read(m uint32, c *copying) (whole, part uint32) {
	if s.Ignore == program.NoSlot && s.SrcSize == program.NoSlot {
		return m, 0
	}
	for b := m; b != 0; b &= b - 1 {
		switch l := vec.Lowest(b); {
		case int(c.size[l]) == s.Size:
			whole |= 1 << l
		case c.size[l] != 0:
			part |= 1 << l
		}
	}
	return whole, part
}

// readBytes checks sources of odd lengths byte by byte.
func (s *copyAsync) readBytes(w *Warp, part uint32, c *copying) bool {
	env := w.Env
	for i := range s.Size {
		var m uint32
		for b := part; b != 0; b &= b - 1 {
			if l := vec.Lowest(b) & 31; int(c.size[l]) > i {
				env.addr[l] = c.src[l] + uint64(i)
				m |= 1 << l
			}
		}
		if m == 0 {
			return true
		}
		env.span.Measure(&env.addr, m)
		if _, ok := w.check(&s.Byte, trace.SpaceGlobal, m, &env.addr, &env.span); !ok {
			return false
		}
		if env.taint.Following {
			w.taint.FollowCopy(&c.shadow, s.Byte.Site, m, &env.addr, i, 1)
		}
	}
	return true
}

// issueWrite checks the destination and tells observers of writes to come.
func (s *copyAsync) issueWrite(w *Warp, m uint32, c *copying) bool {
	addr, sp := w.addresses(&s.Dst, m)
	c.dst = *addr
	w.async.data = copyData{w, c}
	w.Env.how = emission{&w.async.data, trace.AsyncIssue}
	_, ok := w.check(&s.Dst, trace.SpaceShared, m, addr, sp)
	if !ok {
		_, c.mask, ok = w.checkRest(&s.Dst, trace.SpaceShared, m, addr, sp)
	}
	w.Env.how = emission{}
	return ok
}

// copyData shows observers what a copy writes.
type copyData struct {
	w *Warp
	c *copying
}

// Value implements trace.Data.
func (d *copyData) Value(lane, elem int) uint64 {
	var v uint64
	n := d.c.op.Dst.Elem
	if (elem+1)*n <= int(d.c.size[lane]) {
		return vec.ReadElem(vec.DevicePointer(d.c.src[lane]+uint64(elem*n)), n)
	}
	for i := n - 1; i >= 0; i-- {
		v <<= 8
		if at := elem*n + i; at < int(d.c.size[lane]) {
			v |= uint64(*(*byte)(vec.DevicePointer(d.c.src[lane] + uint64(at))))
		}
	}
	return v
}

// copyLane copies n bytes, 16 at most, from global memory.
func copyLane(to *[16]byte, src uint64, n int) {
	p := vec.DevicePointer(src)
	switch n {
	case 16:
		*to = *(*[16]byte)(p)
	case 8:
		*(*[8]byte)(to[:]) = *(*[8]byte)(p)
	case 4:
		*(*[4]byte)(to[:]) = *(*[4]byte)(p)
	default:
		for i := range n {
			to[i] = *(*byte)(unsafe.Add(p, i))
		}
	}
}

// deviceBytes is global memory of n bytes at an address.
//
//go:noinline
func deviceBytes(addr uint64, n int) []byte { return unsafe.Slice((*byte)(vec.DevicePointer(addr)), n) }

// land completes copy c for lanes m.
func (w asyncUnit) land(c *copying, m uint32) {
	env := w.Env
	if env.On.Shared != nil {
		env.span.Measure(&c.dst, m)
		w.async.data = copyData{w.Warp, c}
		env.how = emission{&w.async.data, trace.AsyncComplete}
		w.emit(&c.op.Dst, trace.SpaceShared, m, &c.dst, &env.span, env.On.Shared)
		env.how = emission{}
	}
	if env.taint.Following {
		w.taint.Land(c.shadow, &c.dst, c.op.Size, m)
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		dst := env.Block.Shared[c.dst[l]:][:c.op.Size]
		if c.op.Size == 16 && c.size[l] == 16 {
			*(*[16]byte)(dst) = *(*[16]byte)(vec.DevicePointer(c.src[l]))
			continue
		}
		var data [16]byte
		copyLane(&data, c.src[l], int(c.size[l]))
		copy(dst, data[:])
	}
	c.mask &^= m
	w.Progress++
}

// landWhere completes, in the order of issue, the copies and lanes that due
// returns of those on their way.
func (w asyncUnit) landWhere(due func(c *copying) uint32) {
	a := &w.async
	rest := a.list[:0]
	for _, c := range a.list {
		if m := due(c) & c.mask; m != 0 {
			w.land(c, m)
		}
		if c.mask == 0 {
			a.spare = append(a.spare, c)
		} else {
			rest = append(rest, c)
		}
	}
	a.list = rest
}

func (s *copyGroup) exec(w *Warp, m uint32) bool {
	a := &w.async
	switch {
	case s.Commit:
		a.commit(m)
	case len(a.list) == 0:
	case s.All:
		w.copies().landWhere(func(*copying) uint32 { return m })
	default:
		w.copies().landWhere(func(c *copying) uint32 { return a.waited(c, m&c.committed, s.Leave) })
	}
	return true
}

// commit ends the group of each lane of m.
func (a *asyncState) commit(m uint32) {
	a.used = true
	for _, c := range a.list {
		now := c.mask & m &^ c.committed
		c.committed |= now
		for b := now; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			c.group[l] = a.groups[l]
		}
	}
	for b := m; b != 0; b &= b - 1 {
		a.groups[vec.Lowest(b)&31]++
	}
}

// waited returns the lanes of m whose group is not among the last leave.
func (a *asyncState) waited(c *copying, m, leave uint32) uint32 {
	var due uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if uint64(c.group[l])+uint64(leave) < uint64(a.groups[l]) {
			due |= 1 << l
		}
	}
	return due
}

// exitAsync completes what lanes that exit have on their way.
func (w asyncUnit) exitAsync(m uint32) {
	w.Env.settleExit(w.Warp, m)
	if len(w.async.list) > 0 {
		w.landWhere(func(*copying) uint32 { return m })
	}
	if len(w.bulk.list) > 0 {
		w.bulks().settleExit(m)
	}
}
