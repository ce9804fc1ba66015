package warp

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

// tile is scratch for one warp's part of a warpgroup's product: stored has A as it is
// stored, 16 rows of at most 32 elements; a is A with a sparse one's zeros; b has at most 256 columns of
// at most 64 elements, in groups of eight columns; c is 16 by 256.
type tile[T float32 | int32] struct {
	stored [16 * 32]T
	a      [16 * 64]T
	b      [64 * 256]T
	c      [16 * 256]T
}

// products is what the warps of a block share for wgmma.
type products struct {
	floats tile[float32]
	ints   tile[int32]
	places map[placesKey]*places
	groups []warpgroup
	// tensorFloats and tensorInts are for tcgen05.mma, nil before the first.
	tensorFloats *tensorTile[float32]
	tensorInts   *tensorTile[int32]
}

func (env *Env) productScratch() *products {
	if env.products == nil {
		env.products = &products{places: map[placesKey]*places{}}
	}
	return env.products
}

// wgmmaState are a warp's products on their way.
type wgmmaState struct {
	// open are those of no group yet, groups those of each committed one, by number.
	open   []inFlight
	groups [][]inFlight
	// fenced is set by the first wgmma.fence, changed has what may have changed registers since the last one, by its number.
	fenced  bool
	changed map[int]*trace.Site
	// places has the changes that are in local memory, by address, loads those that loads from it have got.
	places map[uint64]change
	loads  map[int]change
}

// change is what has made a value since the last wgmma.fence: a product, or what computed with the result of one.
type change struct {
	id      int
	site    *trace.Site
	product bool
}

// inFlight is a product on its way, with its numbers among the asynchronous operations of
// the block and in the log of its warpgroup.
type inFlight struct {
	step *program.Wgmma
	op   uint64
	at   int
}

func (x *wgmmaState) reset() {
	x.open, x.groups, x.fenced = x.open[:0], x.groups[:0], false
	x.fence()
}

// fence forgets the changes.
func (x *wgmmaState) fence() {
	clear(x.changed)
	clear(x.places)
	clear(x.loads)
}

// exec notes the change.
func (s *registerChange) exec(w *Warp, _ uint32) bool {
	x := &w.wgmma
	has := func(load int) bool { return x.loads[load].site != nil }
	if len(s.Loads) > 0 && !slices.ContainsFunc(s.Loads, has) {
		delete(x.changed, s.ID)
		return true
	}
	x.change(s.ID, s.Site)
	return true
}

// exec follows changes through the load or store that is next.
func (s *localChange) exec(w *Warp, m uint32) bool {
	x := &w.wgmma
	at, ok := (productUnit{w}).localAddress(&s.Mem, m)
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
func (w productUnit) isUnchanged(s *wgmma) bool {
	if len(w.wgmma.changed) == 0 {
		return true
	}
	what := "accumulator"
	list := s.Changed
	if s.fresh(w.Warp) {
		list = nil
	}
	for _, ids := range [][]int{list, s.ChangedA} {
		for _, id := range ids {
			by := w.wgmma.changed[id]
			if c, ok := w.wgmma.loads[id]; ok && !c.product {
				by = c.site
			}
			if by != nil {
				return w.apart(s.Site, trace.CauseNoProductFence, "takes its %s from warp %d's registers, which %s has changed since the last wgmma.fence", what, w.Index, by.Name())
			}
		}
		what = "fragment of A"
	}
	return true
}

func (s *wgmmaOrder) exec(w *Warp, m uint32) bool {
	if s.Kind == program.WgmmaWait && w.wgmma.early(s.Leave, productUnit{w}) {
		w.waitsForWarps = true
		(productUnit{w}).group().waiting[w.Index%4] = w
		return true
	}
	if !w.WholeWarp(s.Site, m) || !(productUnit{w}).inStep(groupOp{site: s.Site}) {
		return false
	}
	x := &w.wgmma
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
				(productUnit{w}).ended(p)
			}
			x.groups = x.groups[1:]
		}
	}
	w.Progress++
	return true
}

// early reports whether other warps of the warpgroup have not issued yet what a wait for all
// but leave groups waits for.
func (x *wgmmaState) early(leave int, w productUnit) bool {
	for i := len(x.groups) - leave - 1; i >= 0; i-- {
		if n := len(x.groups[i]); n > 0 {
			return !w.group().haveIssued(x.groups[i][n-1].at)
		}
	}
	return false
}

// ended tells observers that a product is complete.
func (w productUnit) ended(p inFlight) {
	if f := w.Env.On.AsyncEnded; f != nil {
		f(&trace.AsyncEnd{Issuer: w.Env.Block.Index, Op: p.op, Warp: w.Index, Mask: ^uint32(0)})
	}
}

func (s *wgmma) exec(w *Warp, m uint32) bool {
	op := groupOp{site: s.Site, a: (productUnit{w}).descriptor(s.DescA), b: (productUnit{w}).descriptor(s.DescB)}
	if !w.WholeWarp(s.Site, m) {
		return false
	}
	p, ok := (productUnit{w}).product(op)
	if !ok || !(productUnit{w}).isFenced(s) || !(productUnit{w}).isUnchanged(s) {
		return false
	}
	if s.Noted {
		w.wgmma.change(s.ID, s.Site)
	}
	p.step = (*program.Wgmma)(s)
	a, b, ok := (productUnit{w}).operands(s, &op, p.op)
	if !ok {
		return false
	}
	if t := &w.taint; !t.Undefined() && t.SharedUndefined() { // else the step was followed before
		t.Shade()
		s.follow(w, m)
	}
	w.Reads++
	if s.Kind == program.MulF32 {
		x := &w.Env.products.floats
		if s.FragA != nil {
			matrix.UnpackFloats(&w.Registers, (*[1024]float32)(x.a[:]), s.FragA, s.RegsA)
			copy(x.stored[:], x.a[:])
		}
		inputsOf(s, w, a, b, x.stored[:], x.b[:], floatPiece)
		s.floats(w, x)
	} else {
		x := &w.Env.products.ints
		if s.FragA != nil {
			matrix.UnpackIntegers(&w.Registers, (*[1024]int32)(x.a[:]), s.FragA, s.RegsA)
			copy(x.stored[:], x.a[:])
		}
		inputsOf(s, w, a, b, x.stored[:], x.b[:], intPiece)
		s.integers(w, x)
	}
	w.wgmma.open = append(w.wgmma.open, p)
	w.Progress++
	return true
}

// fresh reports whether D starts at zero.
func (s *wgmma) fresh(w *Warp) bool {
	if s.Scale == program.NoSlot {
		return s.Fresh
	}
	return (*w.Pred(s.Scale)&1 == 0) != s.ScaleNot
}

// floats computes D in f32.
func (s *wgmma) floats(w *Warp, f *tile[float32]) {
	n := 16 * s.N
	if s.fresh(w) {
		clear(f.c[:n])
	} else {
		unpackAccumulators(&w.Registers, f.c[:], s.FragD, s.RegsD)
	}
	a := expand(w, s, f.stored[:], f.a[:])
	if s.Neg {
		for i, v := range a {
			a[i] = -v
		}
	}
	matrix.Multiply(a, f.b[:], f.c[:], 16, s.N, s.K)
	packAccumulators(&w.Registers, f.c[:], s.FragD, s.RegsD)
}

// integers computes D exactly before it adds the old one.
func (s *wgmma) integers(w *Warp, x *tile[int32]) {
	n := 16 * s.N
	clear(x.c[:n])
	a := expand(w, s, x.stored[:], x.a[:])
	if s.Kind == program.MulInt {
		matrix.Multiply(a, x.b[:], x.c[:], 16, s.N, s.K)
	} else {
		s.countBits(x, a)
	}
	fresh := s.fresh(w)
	for r, slot := range s.RegsD {
		if slot == program.NoSlot {
			continue
		}
		row, at := w.V32(slot), &s.FragD.Index[r]
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
func expand[T float32 | int32](w *Warp, s *wgmma, stored, a []T) []T {
	if s.Meta == program.NoSlot {
		return stored[:16*s.K]
	}
	a = a[:16*s.K]
	clear(a)
	matrix.Spread(stored, a, s.ElemA, s.K, s.Sel, w.V32(s.Meta))
	return a
}

// follow: a row of A or a column of B makes a row or a column of the result undefined. That nothing wrote what
// is read of shared memory is found by the events of operands.
func (s *wgmma) follow(w *Warp, m uint32) {
	t := &w.taint
	t.UseRegister(trace.FormsAddress, s.Site, s.DescA, alu.W64, false, m)
	t.UseRegister(trace.FormsAddress, s.Site, s.DescB, alu.W64, false, m)
	t.UseRegister(trace.DecidesGuard, s.Site, s.Scale, alu.Pred, false, m)
	var rows [16]uint32
	if s.FragA != nil {
		t.EachUndefined(s.FragA, s.RegsA, func(row, _ int, origin uint32) { rows[row] = origin | trace.Computed })
	}
	columns := make([]uint32, s.N)
	if s.DescA != program.NoSlot {
		w.Env.undefinedIn((productUnit{w}).placesOf(s, (productUnit{w}).descriptor(s.DescA), false), s.ElemA, s.TransA, rows[:])
	}
	w.Env.undefinedIn((productUnit{w}).placesOf(s, (productUnit{w}).descriptor(s.DescB), true), s.ElemB, s.TransB, columns)
	sums := map[[2]int]uint32{}
	if !s.fresh(w) {
		t.EachUndefined(s.FragD, s.RegsD, func(row, col int, origin uint32) { sums[[2]int{row, col}] = origin | trace.Computed })
	}
	for r, slot := range s.RegsD {
		if slot == program.NoSlot {
			continue
		}
		for l := range 32 {
			var u uint64
			var origin uint32
			for e := range s.FragD.PerReg {
				row, col := s.FragD.At(r, l, e)
				if from := max(rows[row], columns[col], sums[[2]int{row, col}]); from != 0 {
					origin = from
					u |= vec.LowBits(uint(s.FragD.Elem.Bits())) << (e * s.FragD.Elem.Bits())
				}
			}
			w.taint.Shadow().Set(slot, alu.W32, l, u, origin)
		}
		w.taint.Shadow().Settle(slot, alu.W32)
	}
}
