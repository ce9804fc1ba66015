package tensor

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// exec carries out tcgen05.ld and tcgen05.st.
func (s *tensorMove) exec(u *Unit, m uint32) bool {
	if !u.warp.WholeWarp(s.Site, m) || !u.sameAddress(s.Site, &s.Addr) {
		return false
	}
	lane, column := u.address(&s.Addr, 0)
	lane = u.ownLanes(s, lane)
	if !u.mayAccess(s, lane) || !s.within(u, lane, column) {
		return false
	}
	s.tell(u, lane, column)
	if s.Store {
		s.store(u, lane, column)
		u.did.Progress++
		return true
	}
	u.did.Reads++
	s.load(u, lane, column)
	if s.ID >= 0 {
		u.loads = append(u.loads, (*program.TensorMove)(s))
	}
	if s.Red != nil {
		s.reduce(u, lane, column)
	}
	return true
}

// sameAddress refuses an address that differs between the lanes of the warp.
func (u *Unit) sameAddress(site *trace.Site, a *program.TensorAddr) bool {
	row := u.regs.V32(a.Slot)
	for l, v := range row {
		if v != row[0] {
			return u.misuse(trace.FaultBarrier, trace.CauseTensorAddress, site, 1|1<<l, "with the address %#x in lane 0, %#x in lane %d: all must have the same", row[0]+a.Offset, v+a.Offset, l)
		}
	}
	return true
}

// ownLanes takes an address in the first 32 lanes for one in those of the warp. The PTX ISA ("Access
// restrictions") gives each of four warps 32 lanes and does not say what an address in others' means.
// GPUs access the warp's own: DeepGEMM's and FlashMLA's kernels for sm_100 give all warps the same
// address.
func (u *Unit) ownLanes(s *tensorMove, lane int) int {
	first := 32 * (u.warp.Number() % 4)
	if lane >= 32 || first == 0 {
		return lane
	}
	if f := u.block.Observer().Defect; f != nil {
		f(&trace.Defect{Kind: trace.DefectTensorLanes, Site: s.Site, Warp: u.warp.Number(), Mask: ^uint32(0), Exist: ^uint32(0)})
	}
	return first + lane
}

// mayAccess refuses lanes of other warps (PTX ISA, "Access restrictions"), and a lane at which no
// shape begins.
func (u *Unit) mayAccess(s *tensorMove, lane int) bool {
	first := 32 * (u.warp.Number() % 4)
	n := (*program.TensorMove)(s).Lanes()
	switch {
	case lane < first || lane >= first+32:
		f := u.refuse(trace.FaultOutOfBounds, trace.CauseTensorLanes, s.Site, ^uint32(0), "by warp %d from lane %d of tensor memory on: it may access lanes %d to %d", u.warp.Number(), lane, first, first+31)
		f.Addr = uint64(lane) << 16
		return false
	case lane%n != 0:
		f := u.refuse(trace.FaultMisaligned, trace.CauseMisaligned, s.Site, ^uint32(0), "from lane %d of tensor memory on, which is not a multiple of %d", lane, n)
		f.Addr = uint64(lane) << 16
		return false
	}
	return true
}

// parts are the columns that the instruction accesses: one range, or both halves of .16x32bx2.
func (s *tensorMove) parts(column int) (first [2]int, n, parts int) {
	n, parts = (*program.TensorMove)(s).Columns(), 1
	if s.Shape == program.Tensor16x32bx2 {
		parts = 2
	}
	return [2]int{column, column + s.Split}, n, parts
}

func (s *tensorMove) within(u *Unit, lane, column int) bool {
	first, n, parts := s.parts(column)
	for _, c := range first[:parts] {
		if !u.within(u.block, s.Site, ^uint32(0), lane, c, n) {
			return false
		}
	}
	return true
}

// tell tells observers of the operation.
func (s *tensorMove) tell(u *Unit, lane, column int) {
	if u.block.Observer().AsyncBegan == nil {
		return
	}
	units := uint8(1) << (lane / 16)
	if (*program.TensorMove)(s).Lanes() == 32 {
		units |= units << 1
	}
	var ranges []trace.Range
	first, n, parts := s.parts(column)
	for _, c := range first[:parts] {
		ranges = trace.TensorRanges(ranges, units, c, n)
	}
	op := u.async.NextOp(u.warp.Number())
	u.began(u.block, s.Site, ^uint32(0), op, true, ranges)
	list := &u.moves[0]
	if s.Store {
		list = &u.moves[1]
	}
	*list = append(*list, op)
}

func (s *tensorWait) exec(u *Unit, m uint32) bool {
	if !u.warp.WholeWarp(s.Site, m) {
		return false
	}
	list := &u.moves[0]
	if s.Stores {
		list = &u.moves[1]
	} else {
		u.loads = u.loads[:0]
		u.flights.waits++
	}
	for _, op := range *list {
		u.ended(op)
	}
	*list = (*list)[:0]
	u.did.Progress++
	return true
}

// cell is where register r of a lane is in tensor memory.
func (s *tensorMove) cell(l, r, lane, column int) (int, int) {
	at, c, second := (*program.TensorMove)(s).Place(l, r)
	if s.Half {
		c *= 2
	}
	if second {
		c += s.Split
	}
	return lane + at, column + c
}

func (s *tensorMove) load(u *Unit, lane, column int) {
	t := u.block.memory()
	followed := s.shade(u, lane, column)
	for r, slot := range s.Regs {
		if slot == program.NoSlot {
			continue
		}
		row := u.regs.V32(slot)
		for l := range row {
			at, c := s.cell(l, r, lane, column)
			if s.Half {
				two := t.row(at, c, 2)
				row[l] = two[0]&0xffff | two[1]<<16
			} else {
				row[l] = t.row(at, c, 1)[0]
			}
		}
		if !followed {
			u.taint.DefineRow(slot)
		}
	}
}

func (s *tensorMove) store(u *Unit, lane, column int) {
	t := u.block.memory()
	n := 1
	if s.Half {
		n = 2
	}
	for r, slot := range s.Regs {
		row := u.regs.V32(slot)
		for l, v := range row {
			at, c := s.cell(l, r, lane, column)
			cells := t.row(at, c, n)
			if cells[0] = v; s.Half {
				cells[0], cells[1] = v&0xffff, v>>16
			}
			t.wrote(at, c, n)
			t.define(at, c, n)
		}
		if u.warp.Following() && u.taint.Undefined() && u.taint.Shadow().IsDirty(slot) {
			s.storeTaint(u, r, slot, lane, column)
		}
	}
}

// storeTaint makes the cells undefined that get an undefined value.
func (s *tensorMove) storeTaint(u *Unit, r int, slot int32, lane, column int) {
	t := u.block.memory()
	for l := range 32 {
		bits := uint32(u.taint.Shadow().Bits(slot, alu.W32, l))
		if bits == 0 {
			continue
		}
		origin := u.taint.Shadow().Origin(slot, alu.W32, l)
		at, c := s.cell(l, r, lane, column)
		if !s.Half {
			t.taintCell(at, c, bits, origin)
			continue
		}
		t.taintCell(at, c, bits&0xffff, origin)
		t.taintCell(at, c+1, bits>>16, origin)
	}
}

// shade makes the registers of a load undefined as far as the cells are. It returns false if
// there is nothing to follow.
func (s *tensorMove) shade(u *Unit, lane, column int) bool {
	t := u.block.memory()
	if !u.warp.Following() || !s.anyUndefined(t, lane, column) {
		return false
	}
	fresh := u.unsetTensor(s.Site, ^uint32(0))
	n := 1
	if s.Half {
		n = 2
	}
	sh := u.taint.Shade()
	for r, slot := range s.Regs {
		if slot == program.NoSlot {
			continue
		}
		for l := range 32 {
			at, c := s.cell(l, r, lane, column)
			var bits, origin uint32
			for i := range n {
				b, from := t.undefined(at, c+i, fresh[l])
				if s.Half {
					b = b & 0xffff << (16 * i)
				}
				if b != 0 {
					bits, origin = bits|b, from
				}
			}
			sh.Set(slot, alu.W32, l, uint64(bits), origin)
		}
		sh.Settle(slot, alu.W32)
	}
	return true
}

// undefined are the undefined bits of a cell, with their origin; fresh is that of cells that
// nothing has written.
func (t *tensorMemory) undefined(lane, column int, fresh uint32) (bits, origin uint32) {
	if t.unwritten(lane, column, 1) >= 0 {
		if fresh == 0 {
			return 0, 0
		}
		return math.MaxUint32, fresh
	}
	return t.tainted(lane, column)
}

// anyUndefined reports whether a load may read a cell whose value is undefined.
func (s *tensorMove) anyUndefined(t *tensorMemory, lane, column int) bool {
	if t.taint != nil && t.taint.Any() {
		return true
	}
	first, n, parts := s.parts(column)
	for l := lane; l < lane+(*program.TensorMove)(s).Lanes(); l++ {
		for _, c := range first[:parts] {
			if t.unwritten(l, c, n) >= 0 {
				return true
			}
		}
	}
	return false
}

// unsetTensor gives origins to what lanes read of tensor memory that nothing has written; 0 where
// it is not followed.
func (u *Unit) unsetTensor(site *trace.Site, m uint32) (origin vec.Row32) {
	if o := u.block.Observer().Undefined; u.warp.Following() && o != nil && o.Unset != nil {
		o.Unset(&trace.UnsetRegister{Site: site, Warp: u.warp.Number(), Mask: m, Bytes: 4, Tensor: true, Origin: (*[32]uint32)(&origin)})
	}
	return origin
}

// reduce combines each lane's registers. A register that is not used as a result is not read
// either: its cells are.
func (s *tensorMove) reduce(u *Unit, lane, column int) {
	t := u.block.memory()
	var sum vec.Row32
	for l := range sum {
		for r := range s.Regs {
			at, c := s.cell(l, r, lane, column)
			v := uint64(t.row(at, c, 1)[0])
			if s.First != nil {
				v, _ = s.First(v, 0, 0, 0)
			}
			if r > 0 {
				v, _ = s.Red(uint64(sum[l]), v, 0, 0)
			}
			sum[l] = uint32(v)
		}
	}
	if s.Dst != program.NoSlot {
		*u.regs.V32(s.Dst) = sum
		u.taint.DefineRow(s.Dst)
	}
}
