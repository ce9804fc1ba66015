package tensor

import (
	"math"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// exec notes the change.
func (s *registerChange) exec(u *Unit, _ uint32) bool {
	x := &u.wgmma
	has := func(load int) bool { return x.loads[load].site != nil }
	if len(s.Loads) > 0 && !slices.ContainsFunc(s.Loads, has) {
		delete(x.changed, s.ID)
		return true
	}
	x.change(s.ID, s.Site)
	return true
}

// exec follows changes through the load or store that is next.
func (s *localChange) exec(u *Unit, m uint32) bool {
	x := &u.wgmma
	at, ok := u.localAddress(&s.Mem, m)
	if s.Load != program.NoLoad {
		delete(x.loads, s.Load)
	}
	if !ok || len(x.changed) == 0 {
		return true
	}
	if x.places == nil {
		x.places, x.loads = map[uint64]change{}, map[int]change{}
	}
	if s.Load == program.NoLoad {
		for i, ids := range s.Stored {
			x.places[at+uint64(i*s.Mem.Elem)] = x.latest(ids)
		}
		return true
	}
	for i := range s.Mem.Count {
		if c := x.places[at+uint64(i*s.Mem.Elem)]; c.site != nil && (x.loads[s.Load].site == nil || !c.product) {
			x.loads[s.Load] = c
		}
	}
	return true
}

// latest is what a register holds that one of the numbers may have changed: of an instruction rather than of a product.
func (x *wgmmaState) latest(ids []int) (found change) {
	for _, id := range ids {
		c, ok := x.loads[id]
		if !ok && x.changed[id] != nil {
			site := x.changed[id]
			c = change{id: id, site: site, product: site.Op.Kind == inst.ProductAsync}
		}
		if c.site != nil && (found.site == nil || !c.product) {
			found = c
		}
	}
	return found
}

func (x *wgmmaState) change(id int, site *trace.Site) {
	if x.changed == nil {
		x.changed = map[int]*trace.Site{}
	}
	x.changed[id] = site
}

// isUnchanged checks that a wgmma.fence comes between what has changed a register and a product that takes it.
func (u *Unit) isUnchanged(s *wgmma) bool {
	if len(u.wgmma.changed) == 0 {
		return true
	}
	what := "accumulator"
	list := s.Changed
	if s.fresh(u) {
		list = nil
	}
	for _, ids := range [][]int{list, s.ChangedA} {
		for _, id := range ids {
			by := u.wgmma.changed[id]
			if c, ok := u.wgmma.loads[id]; ok && !c.product {
				by = c.site
			}
			if by != nil {
				return u.apart(s.Site, trace.CauseNoProductFence, "takes its %s from warp %d's registers, which %s has changed since the last wgmma.fence", what, u.warp.Number(), by.Name())
			}
		}
		what = "fragment of A"
	}
	return true
}

func (s *wgmmaOrder) exec(u *Unit, m uint32) bool {
	if s.Kind == program.WgmmaWait && u.wgmma.early(s.Leave, u) {
		u.Waits = true
		u.group().waiting[u.warp.Number()%4] = u
		return true
	}
	if !u.warp.WholeWarp(s.Site, m) || !u.inStep(groupOp{site: s.Site}) {
		return false
	}
	x := &u.wgmma
	switch s.Kind {
	case program.WgmmaFence:
		x.fenced = true
		x.fence()
	case program.WgmmaCommit:
		x.groups = append(x.groups, append([]inFlight(nil), x.open...))
		x.open = x.open[:0]
	case program.WgmmaWait:
		for len(x.groups) > s.Leave {
			for _, p := range x.groups[0] {
				u.productEnded(p)
			}
			x.groups = x.groups[1:]
		}
	}
	u.did.Progress++
	return true
}

// early reports whether other warps of the warpgroup have not issued yet what a wait for all
// but leave groups waits for.
func (x *wgmmaState) early(leave int, u *Unit) bool {
	for i := len(x.groups) - leave - 1; i >= 0; i-- {
		if n := len(x.groups[i]); n > 0 {
			return !u.group().haveIssued(x.groups[i][n-1].at)
		}
	}
	return false
}

// productEnded tells observers that a product is complete.
func (u *Unit) productEnded(p inFlight) {
	if f := u.block.Observer().AsyncEnded; f != nil {
		f(&trace.AsyncEnd{Issuer: u.block.Place().Index, Op: p.op, Warp: u.warp.Number(), Mask: ^uint32(0)})
	}
}

func (s *wgmma) exec(u *Unit, m uint32) bool {
	op := groupOp{site: s.Site, a: u.descriptor(s.DescA), b: u.descriptor(s.DescB)}
	if !u.warp.WholeWarp(s.Site, m) {
		return false
	}
	p, ok := u.product(op)
	if !ok || !u.isFenced(s) || !u.isUnchanged(s) {
		return false
	}
	if s.Noted {
		u.wgmma.change(s.ID, s.Site)
	}
	p.step = (*program.Wgmma)(s)
	a, b, ok := u.operands(s, &op, p.op)
	if !ok {
		return false
	}
	if t := u.taint; !t.Undefined() && t.SharedUndefined() { // else the step was followed before
		t.Shade()
		s.follow(u, m)
	}
	u.did.Reads++
	if s.Kind == program.MulF32 {
		x := &u.block.products.floats
		if s.FragA != nil {
			matrix.UnpackFloats(u.regs, (*[1024]float32)(x.a[:]), s.FragA, s.RegsA)
			copy(x.stored[:], x.a[:])
		}
		inputsOf(s, u, a, b, x.stored[:], x.b[:], floatPiece)
		s.floats(u, x)
	} else {
		x := &u.block.products.ints
		if s.FragA != nil {
			matrix.UnpackIntegers(u.regs, (*[1024]int32)(x.a[:]), s.FragA, s.RegsA)
			copy(x.stored[:], x.a[:])
		}
		inputsOf(s, u, a, b, x.stored[:], x.b[:], intPiece)
		s.integers(u, x)
	}
	u.wgmma.open = append(u.wgmma.open, p)
	u.did.Progress++
	return true
}

// fresh reports whether D starts at zero.
func (s *wgmma) fresh(u *Unit) bool {
	if s.Scale == program.NoSlot {
		return s.Fresh
	}
	return (*u.regs.Pred(s.Scale)&1 == 0) != s.ScaleNot
}

// floats computes D in f32.
func (s *wgmma) floats(u *Unit, f *tile[float32]) {
	n := 16 * s.N
	if s.fresh(u) {
		clear(f.c[:n])
	} else {
		unpackAccumulators(u.regs, f.c[:], s.FragD, s.RegsD)
	}
	a := expand(u, s, f.stored[:], f.a[:])
	if s.Neg {
		for i, v := range a {
			a[i] = -v
		}
	}
	matrix.Multiply(a, f.b[:], f.c[:], 16, s.N, s.K)
	packAccumulators(u.regs, f.c[:], s.FragD, s.RegsD)
}

// integers computes D exactly before it adds the old one.
func (s *wgmma) integers(u *Unit, x *tile[int32]) {
	n := 16 * s.N
	clear(x.c[:n])
	a := expand(u, s, x.stored[:], x.a[:])
	if s.Kind == program.MulInt {
		matrix.Multiply(a, x.b[:], x.c[:], 16, s.N, s.K)
	} else {
		s.countBits(x, a)
	}
	fresh := s.fresh(u)
	for r, slot := range s.RegsD {
		if slot == program.NoSlot {
			continue
		}
		row, at := u.regs.V32(slot), &s.FragD.Index[r]
		for l, old := range row {
			sum := int64(x.c[at[l]])
			if !fresh {
				sum += int64(int32(old))
			}
			if s.Sat {
				sum = min(max(sum, math.MinInt32), math.MaxInt32)
			}
			row[l] = uint32(sum)
		}
	}
}

// countBits counts, for each row and column, the bits that are set in both.
func (s *wgmma) countBits(x *tile[int32], a []int32) {
	for i := range 16 {
		for j := range s.N {
			col, n := x.b[j/8*8*s.K+j%8:], 0
			for k, v := range a[i*s.K : (i+1)*s.K] {
				n += bits.OnesCount32(uint32(v & col[8*k]))
			}
			x.c[i*s.N+j] = int32(n)
		}
	}
}

// unpackAccumulators unpacks D.
func unpackAccumulators(w *vec.Registers, dst []float32, f *program.Frag, regs []int32) {
	half := matrix.Halves()
	for r, slot := range regs {
		row, at := w.V32(slot), &f.Index[r]
		for l, v := range row {
			if f.Elem == program.ElemF16 {
				dst[at[l]], dst[at[l]+1] = half[v&0xffff], half[v>>16]
			} else {
				dst[at[l]] = math.Float32frombits(v)
			}
		}
	}
}

// packAccumulators packs D.
func packAccumulators(w *vec.Registers, src []float32, f *program.Frag, regs []int32) {
	for r, slot := range regs {
		if slot == program.NoSlot {
			continue
		}
		row, at := w.V32(slot), &f.Index[r]
		for l := range row {
			v := src[at[l]]
			switch {
			case f.Elem == program.ElemF16:
				row[l] = matrix.RoundHalf(v) | matrix.RoundHalf(src[at[l]+1])<<16
			case v != v:
				row[l] = matrix.CanonicalNaN
			default:
				row[l] = math.Float32bits(v)
			}
		}
	}
}

// expand puts the elements of a sparse A, 16 rows of K/2, where its metadata has them
// (PTX ISA, "Sparse matrix storage"). A dense A is as it is stored.
func expand[T float32 | int32](u *Unit, s *wgmma, stored, a []T) []T {
	if s.Meta == program.NoSlot {
		return stored[:16*s.K]
	}
	a = a[:16*s.K]
	clear(a)
	matrix.Spread(stored, a, s.ElemA, s.K, s.Sel, u.regs.V32(s.Meta))
	return a
}

// follow: a row of A or a column of B makes a row or a column of the result undefined. That nothing wrote what
// is read of shared memory is found by the events of operands.
func (s *wgmma) follow(u *Unit, m uint32) {
	t := u.taint
	t.UseRegister(trace.FormsAddress, s.Site, s.DescA, alu.W64, false, m)
	t.UseRegister(trace.FormsAddress, s.Site, s.DescB, alu.W64, false, m)
	t.UseRegister(trace.DecidesGuard, s.Site, s.Scale, alu.Pred, false, m)
	var rows [16]uint32
	if s.FragA != nil {
		t.EachUndefined(s.FragA, s.RegsA, func(row, _ int, origin uint32) { rows[row] = origin | trace.Computed })
	}
	columns := make([]uint32, s.N)
	if s.DescA != program.NoSlot {
		u.block.undefinedIn(u.placesOf(s, u.descriptor(s.DescA), false), s.ElemA, s.TransA, rows[:])
	}
	u.block.undefinedIn(u.placesOf(s, u.descriptor(s.DescB), true), s.ElemB, s.TransB, columns)
	sums := map[[2]int]uint32{}
	if !s.fresh(u) {
		t.EachUndefined(s.FragD, s.RegsD, func(row, col int, origin uint32) { sums[[2]int{row, col}] = origin | trace.Computed })
	}
	for r, slot := range s.RegsD {
		if slot == program.NoSlot {
			continue
		}
		for l := range 32 {
			var bits uint64
			var origin uint32
			for e := range s.FragD.PerReg {
				row, col := s.FragD.At(r, l, e)
				if from := max(rows[row], columns[col], sums[[2]int{row, col}]); from != 0 {
					origin = from
					bits |= vec.LowBits(uint(s.FragD.Elem.Bits())) << (e * s.FragD.Elem.Bits())
				}
			}
			u.taint.Shadow().Set(slot, alu.W32, l, bits, origin)
		}
		u.taint.Shadow().Settle(slot, alu.W32)
	}
}
