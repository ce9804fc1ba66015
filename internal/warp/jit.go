package warp

import (
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// jitContext is what generated code and the interpreter pass to each other.
type jitContext struct {
	slab   unsafe.Pointer
	target uintptr
	mask   uint64
	budget int64
	// instrs, loads, stores and locals (stores to local memory) are what was done
	// since the entry, threads the instructions of threads.
	instrs, loads, stores, locals, threads uint64
	// globals counts those of these whose instruction names global memory.
	globals uint64
	// meet is the step of the innermost meeting point, -1 for none.
	meet    int64
	regions *region
	follow  jitFollow
	// local is the warp's local memory; offsets below localLimit[k] are inside for
	// accesses of 1<<k bytes.
	local      uintptr
	localLimit [6]uint64
	// changes counts the lanes whose atomic operation changed something.
	changes uint64
	atomic  atomicArea
	// depth and waiting are the bytes of joins and sides in use (see jit_part.go),
	// limit is their bound, 0 where lanes must not part. met is not 0 once lanes
	// have met.
	depth, waiting, limit, met uint64
	joins                      [maxParted]partedJoin
	sides                      [maxParted]partedSide
	// entry is the warp of a sweep that runs (see sweep.go), 0 without one, end
	// the end of the list, stop the step where the warps stopped, targets where
	// each begins, by form.
	entry, end uintptr
	stop       int64
	targets    [2]uintptr
}

// nativeCode is a program's machine code, made when the program has run a while.
type nativeCode struct {
	mu       sync.Mutex
	heat     atomic.Int64
	plan     *plan
	variants map[watched]*variants
	failed   atomic.Bool
}

// variants is the code where some spaces are watched: for warps with all 32
// lanes and for those with some. It is made when it is first wanted.
type variants struct {
	plan    *plan
	watched watched
	once    sync.Once
	forms   [2]variant
}

// variant is machine code and where each step's is in it, 0 for none.
type variant struct {
	code  *jit.Code
	entry []int32
	sweep int32
}

// JIT modes.
const (
	jitOff = iota
	jitHot
	jitAlways
)

var jitMode = initialJIT()

// initialJIT follows the environment variable WARPGRIND_JIT: a mode of SetJIT.
func initialJIT() int {
	if alu.ISA() != "avx512" || !jit.Available() {
		return jitOff
	}
	if mode, ok := jitModes[os.Getenv("WARPGRIND_JIT")]; ok {
		return mode
	}
	return jitHot
}

var jitModes = map[string]int{"off": jitOff, "hot": jitHot, "always": jitAlways}

// SetJIT chooses whether programs are compiled to machine code: "off", "hot"
// (after they ran a while, the default where the processor can) or "always". It
// reports whether the processor can.
func SetJIT(mode string) bool {
	if !jit.Available() {
		return false
	}
	jitMode = jitModes[mode]
	return true
}

// heatPerStep is how many warp instructions the interpreter does per step of a
// program before compiling it pays.
const heatPerStep = 100

// maxJITSteps bounds the size of programs that are compiled.
const maxJITSteps = 1 << 16

// jitEnv is an Env's part in running generated code.
type jitEnv struct {
	*variants
	ctx       jitContext
	regions   []region
	usesLocal bool
	// seen is the warp instructions that were counted as heat.
	seen uint64
}

// compile makes the program's code if it is time.
func (e *Env) compile(p *program.Program) {
	if e.jit.variants != nil || jitMode == jitOff || len(p.Code) > maxJITSteps {
		return
	}
	n := p.Keep(func() any { return new(nativeCode) }).(*nativeCode)
	if n.failed.Load() {
		return
	}
	did := e.WarpInstrs - e.jit.seen
	e.jit.seen = e.WarpInstrs
	if jitMode == jitHot && n.heat.Add(int64(did)) < heatPerStep*int64(len(p.Code)) {
		return
	}
	v := n.get(p, e.watched())
	if v == nil {
		return
	}
	e.jit.variants = v
	e.jit.usesLocal = usesLocal(p)
	e.jit.regions = make([]region, len(p.Mems)+1)
	e.jit.ctx.regions = &e.jit.regions[0]
	for i := range p.Mems {
		e.sharedRegion(p, &p.Mems[i], &e.jit.regions[i])
	}
}

// watched tells which spaces' accesses observers want to see.
func (e *Env) watched() (w watched) {
	for _, s := range []trace.Space{trace.SpaceShared, trace.SpaceGlobal, trace.SpaceLocal, trace.SpaceConst} {
		if e.On.Accesses(s) != nil {
			w |= 1 << s
		}
	}
	if e.PickLane != nil {
		w |= picked
	}
	if e.On.Defect != nil {
		w |= bounded
	}
	if e.On.PartBegins != nil {
		w |= parted
	}
	if e.onlyGroup() {
		w = w&^(1<<trace.SpaceShared) | followed
	}
	return w
}

// sharedRegion lets an instruction on shared memory reach all of it, or the
// variable that it means.
func (e *Env) sharedRegion(p *program.Program, m *program.Mem, r *region) {
	size := uint64(m.Elem * m.Count)
	lo, hi := e.sharedExtent(p, m)
	if m.Space == trace.SpaceShared && hi >= lo+size {
		*r = region{start: lo - m.Offset, limit: hi - lo - size + 1, ptr: uintptrOf(e.Block.Shared) + uintptr(lo)}
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
func (w memoryUnit) learn(x int32, m uint32) {
	e, op := w.Env, &w.Prog.Mems[x]
	if e.jit.variants == nil || op.Space == trace.SpaceShared || op.Space == trace.SpaceLocal {
		return
	}
	size := uint64(op.Elem * op.Count)
	if op.Space == trace.SpaceGeneric && spaceOf(w.baseOf(op, m)+op.Offset) == trace.SpaceShared {
		if lo, hi := e.sharedExtent(w.Prog, op); hi >= lo+size && e.On.Shared == nil {
			e.jit.regions[x] = region{start: mem.SharedWindow + lo - op.Offset, limit: hi - lo - size + 1, ptr: uintptrOf(e.Block.Shared) + uintptr(lo)}
		}
		return
	}
	al := e.cached
	if !e.ignored(op) {
		return
	}
	if al != nil && al.Size >= size && !(al.ReadOnly && op.Site.Kind.Writes()) && !e.mustSee(al) && e.allows(w.Prog, op, al) {
		e.jit.regions[x] = region{start: al.Base - op.Offset, limit: al.Size - size + 1, ptr: uintptr(al.Base)}
	}
}

// ignored reports whether no observer wants to see what an instruction does to
// global memory.
func (e *Env) ignored(op *program.Mem) bool {
	return e.On.Global == nil || e.On.Ignores != nil && e.On.Ignores(op.Site)
}

// baseOf is the address register of the lowest lane of m.
func (w memoryUnit) baseOf(op *program.Mem, m uint32) uint64 {
	switch {
	case op.Base == program.NoSlot:
		return 0
	case op.Scalar:
		return *w.s64(op.Base)
	}
	return w.laneValue(op.Base, op.BaseWidth, lowest(m))
}

func uintptrOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// forget makes all instructions ask again where allocations are.
func (e *Env) forget(p *program.Program) {
	e.cached = nil
	for i := range p.Mems {
		if s := p.Mems[i].Space; s != trace.SpaceShared && e.jit.regions != nil {
			e.jit.regions[i] = region{}
		}
	}
}

// get returns the code for watched spaces, made on the first call; nil where
// that cannot be.
func (n *nativeCode) get(p *program.Program, w watched) *variants {
	n.mu.Lock()
	defer n.mu.Unlock()
	if v, ok := n.variants[w]; ok || n.failed.Load() {
		return v
	}
	if n.plan == nil {
		n.plan = newPlan(p)
		n.variants = map[watched]*variants{}
		if n.plan == nil {
			n.failed.Store(true)
			return nil
		}
	}
	v := &variants{plan: n.plan, watched: w}
	n.variants[w] = v
	return v
}

// form returns the code for all lanes, or with part for some. Where the system
// refuses memory for it, there is none for any step.
func (v *variants) form(part bool) *variant {
	v.once.Do(func() {
		text, entry, sweep := generate(v.plan, v.watched)
		code, err := jit.Map(text)
		for f := range entry {
			if err != nil {
				clear(entry[f])
			}
			v.forms[f] = variant{code, entry[f], sweep}
		}
	})
	return &v.forms[formOf(part)]
}

// variant chooses the code for a group of lanes, nil for none.
func (w *Warp) variant(mask uint32) *variant {
	v := w.Env.jit.variants
	if v == nil {
		return nil
	}
	return v.form(mask != ^uint32(0))
}

// native runs generated code from step pc on, with the innermost meeting point
// join. It returns the step where the interpreter goes on. If lanes have parted,
// unfold must follow.
func (w *Warp) native(v *variant, pc int32, join int32, mask uint32, budget *int64) int32 {
	c := &w.Env.jit.ctx
	c.slab, c.mask, c.budget, c.entry = w.base, uint64(mask), *budget, 0
	c.target = v.code.Address(v.entry[pc])
	pc = w.callCode(v.code, 0, join)
	*budget = c.budget
	w.Reads += c.loads
	w.Progress += c.stores + c.changes
	w.ticks += c.loads + c.stores
	return pc
}

// callCode calls generated code, with the innermost meeting point join, and counts
// what it did.
func (w *Warp) callCode(code *jit.Code, at, join int32) int32 {
	e := w.Env
	c := &e.jit.ctx
	c.locals, c.changes, c.instrs, c.threads, c.loads, c.stores = 0, 0, 0, 0, 0, 0
	c.globals = 0
	c.mayPart(!w.loose && !e.watchesStretches())
	if e.jit.usesLocal {
		w.setLocal(c)
	}
	c.meet = -1
	c.followWith(w)
	if join >= 0 {
		c.meet = int64(w.joins[join].rpc)
	}
	pc := code.Call(at, unsafe.Pointer(c))
	e.WarpInstrs += c.instrs
	e.ThreadInstrs += c.threads
	if c.met != 0 {
		w.yields = 0
	}
	e.Accesses += c.loads + c.stores + c.locals
	e.Global += c.globals
	return pc
}
