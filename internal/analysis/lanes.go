package analysis

import "slices"

// WarpSize is the number of lanes of a warp.
const WarpSize = 32

// Lanes is what a value is in each lane of a warp: a uniform part, of which
// little may be known, and distances from it, which are exact.
type Lanes struct {
	// Mask has a bit for each lane that exists.
	Mask uint32
	// Base is the value in the first lane.
	Base *Expr
	// Off are the distances from the first lane's value, modulo 2^64, for the
	// lanes in Known.
	Off   [WarpSize]int64
	Known uint32
	// Exact is set if all distances are known.
	Exact bool
	// Needs are the symbols on which the unknown distances depend.
	Needs []*Sym
	// Align is a power of two, at most MaxLaneAlign: Base is Residue modulo Align.
	Align, Residue uint64
	// Assumed is set if Env.Assume, or Env.PtrAlign, was made use of.
	Assumed bool
}

// MaxLaneAlign bounds Lanes.Align, in bytes.
const MaxLaneAlign = 4096

// Place says which thread a lane is.
type place struct {
	block       [3]uint32
	warp, lane  int
	x, y, z     uint32
	linear, all uint32
}

// at finds the thread of a lane (CUDA C++ Programming Guide, "Thread Hierarchy").
func at(block [3]uint32, warp, lane int) (p place, exists bool) {
	p = place{block: block, warp: warp, lane: lane, linear: uint32(warp*WarpSize + lane)}
	p.all = block[0] * block[1] * block[2]
	if p.linear >= p.all {
		return p, false
	}
	p.x, p.y, p.z = p.linear%block[0], p.linear/block[0]%block[1], p.linear/(block[0]*block[1])
	return p, true
}

// value is a symbol's value for that thread.
func (p place) value(s *Sym) (uint64, bool) {
	if s.Kind != Special {
		return 0, false
	}
	bit := uint32(1) << p.lane
	switch s.Name {
	case "%tid.x":
		return uint64(p.x), true
	case "%tid.y":
		return uint64(p.y), true
	case "%tid.z":
		return uint64(p.z), true
	case "%ntid.x":
		return uint64(p.block[0]), true
	case "%ntid.y":
		return uint64(p.block[1]), true
	case "%ntid.z":
		return uint64(p.block[2]), true
	case "%laneid":
		return uint64(p.lane), true
	case "%warpid":
		return uint64(p.warp), true
	case "%nwarpid":
		return uint64(p.all+WarpSize-1) / WarpSize, true
	case "%lanemask_eq":
		return uint64(bit), true
	case "%lanemask_lt":
		return uint64(bit - 1), true
	case "%lanemask_le":
		return uint64(bit | (bit - 1)), true
	case "%lanemask_gt":
		return uint64(^(bit | (bit - 1))), true
	case "%lanemask_ge":
		return uint64(^(bit - 1)), true
	}
	return 0, false
}

// Warps is the number of warps of a block.
func Warps(block [3]uint32) int {
	return int(block[0]*block[1]*block[2]+WarpSize-1) / WarpSize
}

// In is e for one lane of a block of that shape; exists is false if the block
// has no such lane.
func (a *Analysis) In(e *Expr, block [3]uint32, warp, lane int) (x *Expr, exists bool) {
	p, exists := at(block, warp, lane)
	if !exists {
		return nil, false
	}
	return a.subst(e, func(s *Sym) *Expr {
		if v, ok := p.value(s); ok {
			return a.Const(s.W, v)
		}
		return nil
	}, a.laneMemo(warpKey{block, warp}, lane)), true
}

// warpKey names a warp of a block of some shape.
type warpKey struct {
	block [3]uint32
	warp  int
}

// maxWarps bounds the warps whose expressions are kept.
const maxWarps = 32

// laneMemo keeps what expressions are for a lane.
func (a *Analysis) laneMemo(k warpKey, lane int) map[*Expr]*Expr {
	if len(a.lanes) >= maxWarps && a.lanes[k] == nil {
		clear(a.lanes)
	}
	if a.lanes[k] == nil {
		a.lanes[k] = &[WarpSize]map[*Expr]*Expr{}
	}
	memo := &a.lanes[k][lane]
	if *memo == nil {
		*memo = map[*Expr]*Expr{}
	}
	return *memo
}

// Lanes takes e apart for those lanes of a warp that are in among. The block's
// shape must be the one of the Env if that has one. After the first lane whose
// distance is not known it looks at no more of them.
func (a *Analysis) Lanes(e *Expr, block [3]uint32, warp int, among uint32) *Lanes {
	r := &Lanes{Assumed: e.assumed}
	first := -1
	for lane := range WarpSize {
		if _, exists := at(block, warp, lane); exists && among>>lane&1 != 0 {
			r.Mask |= 1 << lane
			if first < 0 {
				first = lane
			}
		}
	}
	if first < 0 {
		return r
	}
	r.Base, r.Known = e, 1<<first
	if a.spent() {
		r.Exact, r.Align = r.Known == r.Mask, 1
		return r
	}
	r.Base, _ = a.In(e, block, warp, first)
	a.distances(r, e, block, warp, first)
	r.Exact = r.Known == r.Mask
	r.align(a)
	return r
}

// distances finds how far the lanes' values are from the first one's. Equal
// symbols of different threads are different values: where one is left in the
// base, no distance is known.
func (a *Analysis) distances(r *Lanes, e *Expr, block [3]uint32, warp, first int) {
	switch {
	case r.Known == r.Mask:
		return
	case r.Base.Level == Thread:
		r.Needs = r.Base.syms(maxBlame)
		return
	case e.Level < Thread:
		r.Known = r.Mask
		return
	}
	for lane := first + 1; lane < WarpSize; lane++ {
		if r.Mask>>lane&1 == 0 {
			continue
		}
		x, _ := a.In(e, block, warp, lane)
		d := a.Sub(x, r.Base)
		r.Assumed = r.Assumed || x.assumed
		c, ok := d.IsConst()
		if !ok || x.Level == Thread {
			a.blame(d, x, r)
			return
		}
		r.Off[lane] = signed(c, d.W)
		r.Known |= 1 << lane
	}
}

// maxBlame bounds the parts of an expression that are examined for Needs.
const maxBlame = 1000

// blame notes what an unknown distance d of a lane's value x depends on.
func (a *Analysis) blame(d, x *Expr, r *Lanes) {
	r.Needs = d.syms(maxBlame)
	if x.Level < Thread {
		return
	}
	for _, s := range x.syms(maxBlame) {
		if s.Level == Thread && !slices.Contains(r.Needs, s) {
			r.Needs = append(r.Needs, s)
		}
	}
}

// align finds the alignment of the uniform part. A 64-bit parameter that
// stands alone in it, not multiplied, is a pointer.
func (r *Lanes) align(a *Analysis) {
	pointer := a.pointer(r.Base)
	r.Align, r.Residue = r.Base.multiple(0, func(s *Sym) uint64 {
		if s == pointer {
			return a.env.PtrAlign
		}
		return 1
	})
	plain, _ := r.Base.Multiple()
	r.Assumed = r.Assumed || pointer != nil && r.Align > plain
	if r.Align > MaxLaneAlign {
		r.Align = MaxLaneAlign
	}
	r.Residue &= r.Align - 1
}

// pointer finds the parameter in e that is its one pointer.
func (a *Analysis) pointer(e *Expr) *Sym {
	_, terms := parts(e)
	var found *Sym
	for _, t := range terms {
		if t.Coef != 1 || len(t.Factors) != 1 || t.Factors[0].Kind != Symbol {
			continue
		}
		if s := t.Factors[0].Sym; s.Kind == Param && s.W == 64 {
			if found != nil {
				return nil
			}
			found = s
		}
	}
	return found
}

// Active says of the lanes of a warp which surely run a block whenever the
// warp's uniform conditions let it, and which may. If no lane is in maybe, the
// warp never runs it.
func (a *Analysis) Active(p *Path, block [3]uint32, warp int) (on, maybe uint32) {
	k := warpKey{block, warp}
	if m, ok := p.active[k]; ok {
		return m[0], m[1]
	}
	for lane := range WarpSize {
		if _, exists := at(block, warp, lane); exists {
			maybe |= 1 << lane
		}
	}
	if on = maybe; !p.Exact {
		on = 0
	}
	for _, c := range p.Conds {
		if a.spent() {
			on = 0
			break
		}
		h := holdsKey{c, k}
		m, known := a.held[h]
		if !known {
			m[0], m[1] = a.holds(c, block, warp)
			a.held[h] = m
		}
		if on, maybe = on&m[0], maybe&m[1]; maybe == 0 {
			break
		}
	}
	if p.active == nil {
		p.active = map[warpKey][2]uint32{}
	}
	p.active[k] = [2]uint32{on, maybe}
	return on, maybe
}

// holdsKey is a condition and the warp whose lanes may meet it.
type holdsKey struct {
	cond *Expr
	warp warpKey
}

// holds says for which lanes of a warp a condition surely holds, and for which
// it may.
func (a *Analysis) holds(c *Expr, block [3]uint32, warp int) (sure, may uint32) {
	for lane := range WarpSize {
		x, exists := a.In(c, block, warp, lane)
		if !exists {
			break
		}
		these := uint32(1) << lane
		if c.Level < Thread { // the same for all of them
			these = ^uint32(0)
		}
		k, isConst := x.IsConst()
		if isConst && k != 0 {
			sure |= these
		}
		if !isConst || k != 0 {
			may |= these
		}
		if c.Level < Thread {
			break
		}
	}
	return sure, may
}
