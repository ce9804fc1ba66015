package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Watched is what a block's warps share to tell observers of accesses in short.
type Watched struct {
	// Shapes are those of the accesses to shared memory.
	Shapes trace.Shapes
	// Group is the observer of shared memory that may know an access already, nil
	// for none. Others are the other ones.
	Group  *recall.Group
	Others func(*trace.Access)
	// same are the last shapes of accesses to one address, by their mask's
	// lowest bit.
	same [32]*trace.Shape
	// made counts the shapes that a site was the first to have.
	made []uint16
}

// maxMade bounds made: a site with more shapes has addresses that the data
// decides, and looking for their shapes would be in vain.
const maxMade = 256

// noShape is not an access's.
var noShape trace.Shape

// remembered returns where the shape of the warp's last access by a site is
// kept.
func (w *Warp) remembered(site int) **trace.Shape {
	if site >= len(w.shapes) {
		w.shapes = make([]*trace.Shape, len(w.Prog.Sites))
		for i := range w.shapes {
			w.shapes[i] = &noShape
		}
		if x := &w.Env.Watched; x.made == nil {
			x.made = make([]uint16, len(w.shapes))
		}
	}
	return &w.shapes[site]
}

// addresses computes the lanes' addresses into Env.addr and their span. The shape that the site's last
// access had is tried where an observer knows accesses by their shapes.
func (w *Warp) addresses(op *program.Mem, m uint32) (*vec.Row64, *vec.Span) {
	var before *trace.Shape
	if vec.UseAVX512 && op.Space == trace.SpaceShared && w.Env.Watched.Group != nil && !op.Scalar && op.Base != program.NoSlot {
		before = *w.remembered(op.Site.ID)
	}
	w.Addresses(op, m, before, &w.Env.addr, &w.Env.span)
	return &w.Env.addr, &w.Env.span
}

// sameShape returns the shape of accesses by m to one address.
func (x *Watched) sameShape(m uint32) *trace.Shape {
	p := &x.same[vec.Lowest(m)&31]
	if *p == nil || (*p).Mask != m {
		var zero vec.Row64
		*p = x.Shapes.Find(&zero, m)
	}
	return *p
}

// shape finds the shape of an access to shared memory, nil if there is none.
func (w *Warp) shape(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span) *trace.Shape {
	x := &w.Env.Watched
	if s.Shape != nil && s.Shape.Mask == m {
		return s.Shape
	}
	s.Base = addr[vec.Lowest(m)&31]
	if s.Regular && s.Step == 0 {
		return x.sameShape(m)
	}
	p := w.remembered(op.Site.ID)
	if (*p).Mask == m && vec.HasShape(addr, *p, s.Base) {
		return *p
	}
	if x.made[op.Site.ID] == maxMade {
		return nil
	}
	before := len(x.Shapes.List)
	sh := x.Shapes.Find(addr, m)
	if sh != nil {
		*p = sh
		x.made[op.Site.ID] += uint16(len(x.Shapes.List) - before)
	}
	return sh
}

// emit sends an access to its observers. One that knows it needs no more than
// its shape.
func (w *Warp) emit(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span, to func(*trace.Access)) {
	env := w.Env
	var sh *trace.Shape
	if g := env.Watched.Group; g != nil && sp == trace.SpaceShared && env.how.async == trace.Sync && (!g.Retired() || s.Shape != nil) {
		if sh = w.shape(op, m, addr, s); sh != nil {
			if g.Known(op.Site, w.Index, sh, s.Base) || op.Site.Kind == trace.Read && g.TakesRead(op.Site, w.Index, sh, s.Base) {
				if to = env.Watched.Others; to == nil {
					return
				}
			}
		}
	}
	if op.ScalarRegs {
		for i := range addr {
			addr[i] = s.Lo
		}
	}
	w.tell(&trace.Access{Site: op.Site, Space: sp, Warp: w.Index, Mask: m, Addr: addr,
		Regular: s.Regular && m == ^uint32(0), Step: s.Step, Shape: sh}, op, to)
}

// tell sends an access.
func (w *Warp) tell(a *trace.Access, op *program.Mem, to func(*trace.Access)) {
	env := w.Env
	env.access = *a
	env.data = accessData{w, op}
	env.access.Data = &env.data
	if env.how.data != nil {
		env.access.Data = env.how.data
	}
	if env.taint.Following && op.Site.Kind != trace.Write {
		env.access.Undefined = &env.taint.Found
	}
	env.access.Async, env.access.Tick = env.how.async, uint32(w.ticks)
	to(&env.access)
}

// watchesStretches reports whether which lanes execute what is observed.
func (e *Env) watchesStretches() bool { return e.On.Stretch != nil || e.On.Diverged != nil }

// emission is what events of an access say beyond its operands.
type emission struct {
	data  trace.Data
	async trace.Async
}
