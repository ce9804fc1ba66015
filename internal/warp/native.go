package warp

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// nativeEnv is an Env's part in running native code.
type nativeEnv struct {
	code      *native.Code // nil for none
	ctx       native.Context
	regions   []native.Region
	usesLocal bool
	// noted: threads may wait for global memory; the last who wrote there by atomic operations are
	// noted, by the interpreter.
	noted bool
	// sieved: the code is for a group that knows no access.
	sieved bool
	// seen is the warp instructions that were counted as heat.
	seen uint64
}

// translate makes the program's code if it is time.
func (e *Env) translate(p *program.Program) {
	x := &e.native
	if sieved := e.onlyGroup() && e.Watched.Group.Retired(); sieved != x.sieved {
		x.code, x.sieved = nil, sieved
	}
	if x.code != nil && !x.code.IsDraft() || e.Stepped {
		return
	}
	did := e.WarpInstrs - x.seen
	x.seen = e.WarpInstrs
	if !executor.Due(p, did) {
		return
	}
	code := executor.Translate(p, e.watched())
	if code == nil || code == x.code {
		return
	}
	x.code = code
	x.usesLocal, x.noted = usesLocal(p), e.On.Global != nil && p.PollsGlobal()
	x.regions = make([]native.Region, len(p.Mems)+1)
	x.ctx.Regions = &x.regions[0]
	x.ctx.Functions = x.code.Functions
	x.ctx.Executed, x.ctx.Decided = unsafe.Pointer(unsafe.SliceData(e.Executed)), unsafe.Pointer(unsafe.SliceData(e.Decided))
	for i := range p.Mems {
		e.sharedRegion(p, &p.Mems[i], &x.regions[i])
	}
}

// usesLocal reports whether code reads or writes local memory natively.
func usesLocal(p *program.Program) bool {
	for i := range p.Mems {
		if s := p.Mems[i].Space; s == trace.SpaceLocal || s == trace.SpaceGeneric {
			return true
		}
	}
	return false
}

// watched tells which spaces' accesses observers want to see.
func (e *Env) watched() (w native.Watched) {
	for _, s := range []trace.Space{trace.SpaceShared, trace.SpaceGlobal, trace.SpaceLocal, trace.SpaceConst} {
		if e.On.Accesses(s) != nil {
			w |= 1 << s
		}
	}
	if e.PickLane != nil {
		w |= native.Picked
	}
	if e.On.Defect != nil {
		w |= native.Bounded
	}
	if e.On.SubarrayBegins != nil {
		w |= native.Subarrays
	}
	if e.Executed != nil {
		w |= native.Counted
	}
	if e.On.WarpSync != nil {
		w |= native.Synced
	}
	if e.On.Fence != nil || e.On.ProxyFence != nil || e.On.TensorFence != nil {
		w |= native.Fenced
	}
	if e.On.LocalWritten != nil {
		w = w&^(1<<trace.SpaceLocal) | native.Noted
	}
	if e.On.Marks != nil {
		w |= native.Marked
	}
	if p := e.On.Plain; p != nil {
		w |= native.Entered
		switch {
		case p.Live.Touched != nil:
			w |= native.Touched
		case p.Live.First != 0:
			w |= native.Quick
			if p.Live.Shared {
				w |= native.Concurrent
			}
		}
	}
	switch {
	case e.native.sieved:
		w = w&^(1<<trace.SpaceShared) | native.Sieved
	case e.onlyGroup():
		w = w&^(1<<trace.SpaceShared) | native.Followed
	}
	return w
}

// onlyGroup reports whether only the group observes shared memory.
func (e *Env) onlyGroup() bool {
	return e.Watched.Group != nil && e.Watched.Others == nil
}

// ignored reports whether no observer wants to see what an instruction does to
// global memory.
func (e *Env) ignored(op *program.Mem) bool {
	return e.On.Global == nil || e.On.Ignores != nil && e.On.Ignores(op.Site)
}

// mustSee reports whether accesses to an allocation may write bytes for the
// first time, or read uninitialized bytes.
func (e *Env) mustSee(al *mem.Allocation) bool {
	return e.MarksWritten && al.Written != nil && !al.Written.Full() || e.taint.Following && al.Taint != nil && al.Taint.Any()
}

// readsKnown reports reads that observers need not see although the allocation has unwritten
// bytes: their effects are known.
func (e *Env) readsKnown(op *program.Mem, al *mem.Allocation) bool {
	o := e.On.Undefined
	if op.Site.Kind != trace.Read || o == nil || o.Known == nil {
		return false
	}
	id := al.ID
	if al.Kind == mem.Heap {
		id = -1
	}
	return o.Known(op.Site, id)
}

// followGroup readies the context for what the warp's group expects.
func (w *Warp) followGroup(c *native.Context) {
	x := &w.Env.Watched
	if x.Group == nil {
		return
	}
	c.Sieve, c.Shared = *x.Group.Live(), uintptrOf(w.Env.Block.Shared)
	c.Follow = native.Follow{Cursor: x.Group.Cursor(), Nodes: x.Group.Nodes(), Shapes: unsafe.Pointer(unsafe.SliceData(x.Shapes.List)), Warp: recall.WarpBits(w.Index)}
}

// sharedRegion lets an instruction on shared memory reach all of it, or the
// variable that it means.
func (e *Env) sharedRegion(p *program.Program, m *program.Mem, r *native.Region) {
	size := uint64(m.Elem * m.Count)
	lo, hi := e.sharedExtent(p, m)
	if m.Space == trace.SpaceShared && hi >= lo+size && (!e.native.sieved || e.Watched.Group.Takes(m.Site)) {
		*r = native.Region{Start: lo - m.Offset, Limit: hi - lo - size + 1, Ptr: uintptrOf(e.Block.Shared) + uintptr(lo)}
	}
}

// sharedExtent is the part of shared memory where an instruction may go.
func (e *Env) sharedExtent(p *program.Program, m *program.Mem) (lo, hi uint64) {
	hi = uint64(len(e.Block.Shared))
	if m.From != 0 && e.On.Defect != nil && p.Sources[m.From-1].Space == trace.SpaceShared {
		return m.Lo, min(m.Hi, hi)
	}
	return 0, hi
}

// learn lets an instruction on global or generic addresses go where lanes m
// have just been.
func (w *Warp) learn(x int32, m uint32) {
	e, op := w.Env, &w.Prog.Mems[x]
	if e.native.code == nil || op.Space == trace.SpaceShared || op.Space == trace.SpaceLocal {
		return
	}
	size := uint64(op.Elem * op.Count)
	if op.Space == trace.SpaceGeneric && vec.SpaceOf(w.baseOf(op, m)+op.Offset) == trace.SpaceShared {
		if lo, hi := e.sharedExtent(w.Prog, op); hi >= lo+size && e.On.Shared == nil {
			e.native.regions[x] = native.Region{Start: mem.SharedWindow + lo - op.Offset, Limit: hi - lo - size + 1, Ptr: uintptrOf(e.Block.Shared) + uintptr(lo), Missed: e.native.regions[x].Missed}
		}
		return
	}
	al, r := e.cached, native.Region{Missed: e.native.regions[x].Missed}
	if op.Site.Kind == trace.Atomic && e.native.noted && e.mayAwait(w.Prog, al) {
		return
	}
	if !e.ignored(op) {
		if e.On.Plain == nil || !e.native.code.Enters() || op.Space != trace.SpaceGlobal || !e.On.Plain.Takes(op.Site) {
			return
		}
		r.Enters = native.Enter
	}
	if e.On.Marks != nil && al != nil {
		var ok bool
		if r.Marks, ok = e.On.Marks.Of(op.Site, al.Base, al.Size); !ok {
			return
		}
		if r.Marks.Bits != nil {
			if !e.native.code.Marks() || op.Space != trace.SpaceGlobal || op.Site.Size != int(size) {
				return
			}
			r.Enters |= native.Mark
		}
	}
	if al != nil && al.Size >= size && !(al.ReadOnly && op.Site.Kind.Writes()) && (!e.mustSee(al) || e.readsKnown(op, al)) && e.allows(w.Prog, op, al) {
		r.Start, r.Limit, r.Ptr = al.Base-op.Offset, al.Size-size+1, uintptr(al.Base)
		e.native.regions[x] = r
	}
}

// baseOf is the address register of the lowest lane of m.
func (w *Warp) baseOf(op *program.Mem, m uint32) uint64 {
	switch {
	case op.Base == program.NoSlot:
		return 0
	case op.Scalar:
		return *w.S64(op.Base)
	}
	return w.LaneValue(op.Base, op.BaseWidth, vec.Lowest(m))
}

// Forget makes all instructions ask again where allocations are.
func (e *Env) Forget(p *program.Program) {
	e.cached = nil
	for i := range p.Mems {
		if s := p.Mems[i].Space; s != trace.SpaceShared && e.native.regions != nil {
			e.native.regions[i] = native.Region{}
		}
	}
}

// form chooses the code for a group of lanes, nil for none.
func (w *Warp) form(mask uint32) *native.Form {
	c := w.Env.native.code
	if c == nil {
		return nil
	}
	return c.Form(mask != ^uint32(0))
}

// native runs generated code from step pc on, with the innermost reconvergence point
// join. It returns the step where the interpreter continues. If lanes have diverged,
// unfold must follow.
func (w *Warp) native(f *native.Form, pc int32, join int32, mask uint32, budget *int64) int32 {
	c := &w.Env.native.ctx
	c.Slab, c.Mask, c.Budget, c.Entry = w.Ptr(0), uint64(mask), *budget, 0
	c.Target = f.Target(pc)
	pc = w.callCode(f, (*native.Form).Enter, join)
	*budget = c.Budget
	w.Reads += c.Loads
	w.Progress += c.Stores + c.Changes
	w.ticks += c.Loads + c.Stores
	return pc
}

// callCode calls generated code, with the innermost reconvergence point join, and counts
// what it did.
func (w *Warp) callCode(f *native.Form, run func(*native.Form, *native.Context) int32, join int32) int32 {
	e := w.Env
	c := &e.native.ctx
	c.Locals, c.Changes, c.Instrs, c.Threads, c.Loads, c.Stores = 0, 0, 0, 0, 0, 0
	c.Globals = 0
	c.MayDiverge(!w.loose && !e.watchesStretches())
	if e.native.usesLocal {
		w.setLocal(c)
	}
	c.Meet = -1
	w.follow(c)
	if join >= 0 {
		c.Meet = int64(w.joins[join].rpc)
	}
	pc := run(f, c)
	w.leaveNative(c)
	e.WarpInstrs += c.Instrs
	e.ThreadInstrs += c.Threads
	if c.Met != 0 {
		w.yields = 0
	}
	e.Accesses += c.Loads + c.Stores + c.Locals
	e.Global += c.Globals
	return pc
}

// follow readies the context for what observers expect next, leave gives back what code has changed
// of that.
func (w *Warp) follow(c *native.Context) {
	w.followGroup(c)
	if plain := w.Env.On.Plain; plain != nil {
		plain.Live.Adapts = w.Env.native.code.Adapts()
		c.Plain, c.Follow.Warp = *plain.Live, recall.WarpBits(w.Index)
	}
}

func (w *Warp) leaveNative(c *native.Context) {
	if w.Env.native.sieved {
		w.Env.Watched.Group.Live().Return(&c.Sieve)
	}
	if plain := w.Env.On.Plain; plain != nil {
		plain.Live.Return(&c.Plain)
	}
}

// setLocal tells generated code where the warp's local memory is.
func (w *Warp) setLocal(c *native.Context) {
	if len(w.local) == 0 {
		c.LocalLimit = [6]uint64{}
		return
	}
	c.Local, c.Written = uintptrOf(w.local), w.localWritten()
	n := min(len(w.local)/32, vec.MaxLocal)
	for i := range c.LocalLimit {
		c.LocalLimit[i] = uint64(max(0, n-1<<i+1))
	}
}

// localWritten is where generated code notes what the warp writes to its local memory.
func (w *Warp) localWritten() uintptr {
	f := w.Env.On.LocalWritten
	if f == nil || len(w.local) == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(f(w.Index, len(w.local)/32))))
}

func uintptrOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// fillRows makes rows whole.
func (w *Warp) fillRows(rows []native.RepeatedRow) {
	for _, r := range rows {
		w.Broadcast(r.Slot, r.Width, *w.S64(r.Slot))
	}
}
