package analysis

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
	// Exact says that all distances are known.
	Exact bool
	// Needs are the symbols on which the unknown distances depend.
	Needs []*Sym
	// Align is a power of two, at most MaxLaneAlign: Base is Residue modulo Align.
	Align, Residue uint64
	// Assumed says that Env.Assume, or Env.PtrAlign, was made use of.
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
	if k := (warpKey{block, warp}); a.warp != k || a.laneMemo[lane] == nil {
		if a.warp != k {
			a.warp, a.laneMemo = k, [WarpSize]map[*Expr]*Expr{}
		}
		a.laneMemo[lane] = map[*Expr]*Expr{}
	}
	return a.subst(e, func(s *Sym) *Expr {
		if v, ok := p.value(s); ok {
			return a.Const(s.W, v)
		}
		return nil
	}, a.laneMemo[lane]), true
}

// warpKey names a warp of a block of some shape.
type warpKey struct {
	block [3]uint32
	warp  int
}

// Lanes takes e apart for a warp of a block of that shape, which must be the
// one of the Env if that has one.
func (a *Analysis) Lanes(e *Expr, block [3]uint32, warp int) *Lanes {
	r := &Lanes{Assumed: e.assumed}
	needs, blamed := map[*Sym]bool{}, false
	for lane := range WarpSize {
		x, exists := a.In(e, block, warp, lane)
		if !exists {
			continue
		}
		r.Mask |= 1 << lane
		if r.Base == nil {
			r.Base = x
		}
		d := a.Sub(x, r.Base)
		r.Assumed = r.Assumed || x.assumed
		if c, ok := d.IsConst(); ok && (d.Level < Thread) && (x == r.Base || x.Level < Thread) {
			r.Off[lane] = signed(c, d.W)
			r.Known |= 1 << lane
			continue
		}
		if !blamed {
			a.blame(d, x, needs, r)
			blamed = true
		}
	}
	if r.Base == nil {
		return r
	}
	if r.Base.Level == Thread && r.Mask&(r.Mask-1) != 0 {
		r.Known &= r.Mask & -r.Mask // equal symbols of different threads are different values
		for _, s := range r.Base.syms(maxBlame) {
			r.need(s, needs)
		}
	}
	r.Exact = r.Known == r.Mask
	r.align(a)
	return r
}

// maxBlame bounds the parts of an expression that are looked at for Needs.
const maxBlame = 1000

// blame notes what an unknown distance depends on.
func (a *Analysis) blame(d, x *Expr, needs map[*Sym]bool, r *Lanes) {
	for _, s := range d.syms(maxBlame) {
		r.need(s, needs)
	}
	if x.Level == Thread {
		for _, s := range x.syms(maxBlame) {
			if s.Level == Thread {
				r.need(s, needs)
			}
		}
	}
}

func (r *Lanes) need(s *Sym, seen map[*Sym]bool) {
	if !seen[s] {
		seen[s] = true
		r.Needs = append(r.Needs, s)
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
	for lane := range WarpSize {
		sure, may := p.Exact, true
		for _, c := range p.Conds {
			x, exists := a.In(c, block, warp, lane)
			if !exists {
				sure, may = false, false
				break
			}
			k, isConst := x.IsConst()
			sure = sure && isConst && k == 1
			may = may && !(isConst && k == 0)
		}
		if len(p.Conds) == 0 {
			_, may = at(block, warp, lane)
			sure = sure && may
		}
		if sure {
			on |= 1 << lane
		}
		if may {
			maybe |= 1 << lane
		}
	}
	return on, maybe
}
