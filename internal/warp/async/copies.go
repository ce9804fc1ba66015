package async

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

func (s *copyAsync) exec(u *Unit, m uint32) bool {
	c := u.copies.take()
	c.op, c.mask, c.committed, c.shadow = s, m, 0, nil
	s.sizes(u, m, c)
	if !s.issueRead(u, m, c) || !s.issueWrite(u, m, c) {
		return false
	}
	u.copies.used = true
	u.copies.seq++
	c.seq = u.copies.seq
	u.copies.list = append(u.copies.list, c)
	u.did.Progress++
	return true
}

func (a *copies) take() *copying {
	if n := len(a.spare); n > 0 {
		c := a.spare[n-1]
		a.spare = a.spare[:n-1]
		return c
	}
	return new(copying)
}

// sizes finds how many bytes each lane reads.
func (s *copyAsync) sizes(u *Unit, m uint32, c *copying) {
	if s.Ignore == program.NoSlot && s.SrcSize == program.NoSlot {
		for l := range c.size {
			c.size[l] = uint8(s.Size)
		}
		return
	}
	var ignore uint32
	if s.Ignore != program.NoSlot {
		if ignore = *u.regs.Pred(s.Ignore); s.IgnoreNot {
			ignore = ^ignore
		}
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		n := uint32(s.Size)
		if s.SrcSize != program.NoSlot {
			n = min(n, u.regs.V32(s.SrcSize)[l])
		}
		if ignore>>l&1 != 0 {
			n = 0
		}
		c.size[l] = uint8(n)
	}
}

// issueRead checks the source addresses and tells observers of the reads.
func (s *copyAsync) issueRead(u *Unit, m uint32, c *copying) bool {
	whole, part := s.read(m, c)
	addr, sp := u.warp.AddressesOf(&s.Src, m)
	c.src = *addr
	if whole != 0 {
		if whole != m {
			sp.Measure(addr, whole)
		}
		rest, ok := u.warp.AccessSome(&s.Src, trace.SpaceGlobal, whole, addr, sp, nil, trace.AsyncIssue)
		if !ok {
			return false
		}
		for b := whole &^ rest; b != 0; b &= b - 1 {
			c.size[vec.Lowest(b)&31] = 0 // zeros are copied
		}
		if u.warp.Following() && u.taint.MustFollow(&s.Src, trace.SpaceGlobal, sp) {
			u.taint.FollowCopy(&c.shadow, s.Src.Site, whole, addr, 0, s.Size)
		}
	}
	return part == 0 || s.readBytes(u, part, c)
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
func (s *copyAsync) readBytes(u *Unit, part uint32, c *copying) bool {
	for i := range s.Size {
		var m uint32
		for b := part; b != 0; b &= b - 1 {
			if l := vec.Lowest(b) & 31; int(c.size[l]) > i {
				u.addr[l] = c.src[l] + uint64(i)
				m |= 1 << l
			}
		}
		if m == 0 {
			return true
		}
		u.span.Measure(&u.addr, m)
		if _, ok := u.warp.Access(&s.Byte, trace.SpaceGlobal, m, &u.addr, &u.span, nil, trace.AsyncIssue); !ok {
			return false
		}
		if u.warp.Following() {
			u.taint.FollowCopy(&c.shadow, s.Byte.Site, m, &u.addr, i, 1)
		}
	}
	return true
}

// issueWrite checks the destination and tells observers of writes to come.
func (s *copyAsync) issueWrite(u *Unit, m uint32, c *copying) bool {
	addr, sp := u.warp.AddressesOf(&s.Dst, m)
	c.dst = *addr
	u.copies.data = copyData{c}
	rest, ok := u.warp.AccessSome(&s.Dst, trace.SpaceShared, m, addr, sp, &u.copies.data, trace.AsyncIssue)
	c.mask = rest
	return ok
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
func (u *Unit) land(c *copying, m uint32) {
	env := u.block
	if env.On().Shared != nil {
		u.span.Measure(&c.dst, m)
		u.copies.data = copyData{c}
		u.warp.Emit(&c.op.Dst, m, &c.dst, &u.span, &u.copies.data, trace.AsyncComplete)
	}
	if u.warp.Following() {
		u.taint.Land(c.shadow, &c.dst, c.op.Size, m)
	}
	shared := env.Place().Shared
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		dst := shared[c.dst[l]:][:c.op.Size]
		if c.op.Size == 16 && c.size[l] == 16 {
			*(*[16]byte)(dst) = *(*[16]byte)(vec.DevicePointer(c.src[l]))
			continue
		}
		var data [16]byte
		copyLane(&data, c.src[l], int(c.size[l]))
		copy(dst, data[:])
	}
	c.mask &^= m
	u.did.Progress++
}

// landWhere completes, in the order of issue, the copies and lanes that due
// returns of those on their way.
func (u *Unit) landWhere(due func(c *copying) uint32) {
	a := &u.copies
	rest := a.list[:0]
	for _, c := range a.list {
		if m := due(c) & c.mask; m != 0 {
			u.land(c, m)
		}
		if c.mask == 0 {
			a.spare = append(a.spare, c)
		} else {
			rest = append(rest, c)
		}
	}
	a.list = rest
}

func (s *copyGroup) exec(u *Unit, m uint32) bool {
	a := &u.copies
	switch {
	case s.Commit:
		a.commit(m)
	case len(a.list) == 0:
	case s.All:
		u.landWhere(func(*copying) uint32 { return m })
	default:
		u.landWhere(func(c *copying) uint32 { return a.waited(c, m&c.committed, s.Leave) })
	}
	return true
}

// commit ends the group of each lane of m.
func (a *copies) commit(m uint32) {
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
func (a *copies) waited(c *copying, m, leave uint32) uint32 {
	var due uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if uint64(c.group[l])+uint64(leave) < uint64(a.groups[l]) {
			due |= 1 << l
		}
	}
	return due
}

// Exit completes what lanes that exit have on their way.
func (u *Unit) Exit(m uint32) {
	u.block.settleExit(u, m)
	if len(u.copies.list) > 0 {
		u.landWhere(func(*copying) uint32 { return m })
	}
	if len(u.bulk.list) > 0 {
		u.settleBulk(m)
	}
}
