package native

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// scope is a program's plan and what observers want to see of it, which decides what code does by itself. Back ends ask it.
type scope struct {
	*plan
	watched Watched
	does    []step // by step of the program
}

func newScope(pl *plan, w Watched) scope {
	s := scope{plan: pl, watched: w, does: make([]step, len(pl.p.Code))}
	for i := range s.does {
		s.does[i] = s.decide(i)
	}
	return s
}

// nativeMem reports whether a load or store has native code.
func (s scope) nativeMem(in *program.Instr) bool {
	m := &s.p.Mems[in.X]
	size := uint64(m.Elem * m.Count)
	switch {
	case m.Space == trace.SpaceParam, !s.selective(in) && s.observed(m) && !s.enters(m) && !s.marks(m):
		return false
	case size&(size-1) != 0 || m.Offset&(size-1) != 0:
		return false
	case s.sieved(m) && int(size) < s.p.SharedUnit():
		return false
	case m.Space == trace.SpaceLocal:
		return nativeLocal(m) && (s.watched&Noted == 0 || notable(m)) && (s.watched&Bounded == 0 || !s.p.Outlives(m))
	case m.Scalar || m.Base == program.NoSlot:
		return in.Op == program.OpLoad || nativeScalarStore(m)
	case m.BaseWidth == alu.W32 && m.Space != trace.SpaceShared:
		return false
	case m.Elem == 4 && m.Width == alu.W32 || m.Elem == 8:
		return true
	}
	return m.Elem < 4 && m.Width == alu.W32 && (in.Op == program.OpLoad || m.Count == 1)
}

// An accessPlan is what loads, stores and atomic operations have in common: the instruction and its number, the bytes of a
// lane's access, what is done for observers before the access, and how it is counted.
type accessPlan struct {
	m     *program.Mem
	x     int32
	load  bool
	size  int
	first watching
	done  tally
}

// memoryStep is a load or store, atomicStep an atomic operation.
type (
	memoryStep struct {
		accessPlan
		placing
		// triesLocal is set where addresses may be those of local memory.
		triesLocal bool
	}
	atomicStep struct{ accessPlan }
)

// watching is what an access does for observers before it is made.
type watching uint8

const (
	unwatched watching = iota
	follow             // it does what the group expects, or leaves the code
	sift               // it goes through the sieve
	enter              // it is entered into states, marked, or both, where its region asks for that
)

// placing tells the ways of an access.
type placing uint8

const (
	byLanes    placing = iota // addresses of lanes
	atOnePlace                // one address for all lanes
	localRow                  // local memory at one offset in all lanes
	localEach                 // local memory at offsets of lanes
)

// tally is the memory steps of a run so far: loads, stores that others can see,
// and stores to local memory; and how many of them name global memory.
type tally struct{ loads, stores, locals, globals int32 }

func (t *tally) add(x tally) {
	t.loads, t.stores, t.locals, t.globals = t.loads+x.loads, t.stores+x.stores, t.locals+x.locals, t.globals+x.globals
}

// planAccess returns the plan of an access.
func (s scope) planAccess(in *program.Instr) accessPlan {
	m := &s.p.Mems[in.X]
	a := accessPlan{m: m, x: in.X, load: in.Op == program.OpLoad, size: m.Elem * m.Count}
	switch {
	case s.follows(m):
		a.first = follow
	case s.sieved(m):
		a.first = sift
	case s.enters(m), s.marks(m):
		a.first = enter
	}
	switch {
	case in.Op != program.OpStore: // atomic operations are counted like loads
		a.done.loads = 1
	case m.Space == trace.SpaceLocal:
		a.done.locals = 1
	default:
		a.done.stores = 1
	}
	if m.Site.Space == trace.SpaceGlobal {
		a.done.globals = 1
	}
	return a
}

// planMemory decides a load or store.
func (s scope) planMemory(in *program.Instr) step {
	if !s.nativeMem(in) {
		return nil
	}
	x := memoryStep{accessPlan: s.planAccess(in)}
	x.triesLocal = s.triesLocal(x.m)
	switch one, local := x.m.OnePlace(), x.m.Space == trace.SpaceLocal; {
	case local && one:
		x.placing = localRow
	case local:
		x.placing = localEach
	case one:
		x.placing = atOnePlace
	}
	return x
}

// planAtomic decides an atomic operation. No group expects one.
func (s scope) planAtomic(in *program.Instr) step {
	return unless(!s.nativeAtomic(&s.p.Mems[in.X]), atomicStep{s.planAccess(in)})
}

// nativeScalarStore reports whether a store to one address of all lanes has native code. The
// interpreter notes who wrote what threads may wait for.
func nativeScalarStore(m *program.Mem) bool {
	return m.Site.Order < trace.OrderVolatile && m.Space != trace.SpaceConst && (m.Elem == 8) == (m.Width == alu.W64)
}

// notable reports whether code can note what an instruction writes to local memory: it is at
// one offset in all lanes, and its observers do not pass over it.
func notable(m *program.Mem) bool {
	v := m.Site.Local
	return (m.Scalar || m.Base == program.NoSlot) && (v == nil || v.Part == trace.NoPart)
}

// triesLocal reports whether an access to generic addresses may be one to local memory that
// code does by itself.
func (s scope) triesLocal(m *program.Mem) bool {
	return m.Space == trace.SpaceGeneric && !s.tracesFrames() && nativeLocal(m) && !m.Scalar && m.Base != program.NoSlot && s.watched&Noted == 0 && !s.watched.has(trace.SpaceLocal)
}

// tracesFrames reports whether accesses to local memory are compared with the calls under way and the scopes that have ended.
func (s scope) tracesFrames() bool {
	return s.watched&Bounded != 0 && len(s.p.Frames)+len(s.p.Scopes) > 0
}

// extent is the variable in local memory that an access means, as the least offset and one
// more than the largest above that; ok is false where no observer wants to know of accesses
// beyond it.
func (s scope) extent(m *program.Mem) (least, limit uint64, ok bool) {
	if s.watched&Bounded == 0 || m.From == 0 || m.Base == program.NoSlot || s.p.Sources[m.From-1].Space != trace.SpaceLocal {
		return 0, 0, false
	}
	size := uint64(m.Elem * m.Count)
	if m.Hi < m.Lo+size {
		return m.Lo, 0, true
	}
	return m.Lo, min(m.Hi-m.Lo-size+1, maxExtent), true
}

// maxExtent bounds extents: no local memory is as large.
const maxExtent = 1 << 30

// observed reports whether someone may want to see an instruction's accesses.
func (s scope) observed(m *program.Mem) bool {
	return s.watched.has(m.Space) || m.Space == trace.SpaceGeneric && s.watched.has(trace.SpaceGlobal)
}

// selective reports whether an observer of global memory may pass over an
// instruction. It gets native code, which has no region to go to where the
// observer does not (learn).
func (s scope) selective(in *program.Instr) bool {
	m := &s.p.Mems[in.X]
	return in.Op == program.OpLoad && len(m.Site.Roots) > 0 && (m.Space == trace.SpaceGlobal || m.Space == trace.SpaceGeneric)
}

// follows reports whether an instruction must do what the group expects.
func (s scope) follows(m *program.Mem) bool {
	return m.Space == trace.SpaceShared && s.watched&Followed != 0
}

// sieved reports whether the accesses of an instruction go through the sieve.
func (s scope) sieved(m *program.Mem) bool {
	return m.Space == trace.SpaceShared && s.watched&Sieved != 0
}

// enters reports whether an instruction may have to enter its accesses to global memory into an
// observer's states. Atomic operations are entered into quick ones and as bits only.
func (s scope) enters(m *program.Mem) bool {
	if s.watched&Entered == 0 || m.Space != trace.SpaceGlobal || m.Site.Space != trace.SpaceGlobal {
		return false
	}
	if m.Site.Kind == trace.Atomic {
		return s.watched&(Quick|Touched) != 0
	}
	return m.Site.Order == trace.OrderWeak
}

// marks reports whether an instruction may have to mark its accesses to global memory.
func (s scope) marks(m *program.Mem) bool {
	return s.watched&Marked != 0 && m.Space == trace.SpaceGlobal && m.Site.Space == trace.SpaceGlobal && m.Site.Size == m.Elem*m.Count
}

// nativeAtomic reports whether an atomic instruction has native code.
func (s scope) nativeAtomic(m *program.Mem) bool {
	switch {
	case m.Space != trace.SpaceGlobal && m.Space != trace.SpaceShared && m.Space != trace.SpaceGeneric:
		return false
	case s.watched&Picked != 0 || s.watched.has(m.Space) && !s.enters(m) && !s.marks(m) || s.follows(m) || m.Space == trace.SpaceGeneric && s.watched.has(trace.SpaceGlobal):
		return false
	case m.Elem < 4 || m.Elem != m.Width.Bytes() || m.Offset&uint64(m.Elem-1) != 0:
		return false
	}
	return isNativeAtomic(m.Atom) && (m.Scalar || m.Base == program.NoSlot || m.BaseWidth == alu.W64)
}

// nativeLocal reports whether a load or store of local memory has native code.
func nativeLocal(m *program.Mem) bool {
	if m.SignBits != 0 {
		return false
	}
	words := m.Elem == 4 && m.Width == alu.W32
	if m.Scalar || m.Base == program.NoSlot {
		return !m.ScalarRegs && (words || m.Elem == 8 && m.Width == alu.W64)
	}
	return words && m.BaseWidth == alu.W64
}

// nativePack tells the moves between a register and its two halves.
func nativePack(k *program.Pack) bool {
	return len(k.Elems) == 2 && k.ElemWidth == alu.W32 &&
		(k.Bits == 32 && k.Width == alu.W64 || k.Bits == 16 && k.Width == alu.W32)
}

// nativeAtomics are the atomic operations that have code.
var nativeAtomics = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{"add.f32": true, "add.ftz.f32": true, "add.f64": true}
	for _, op := range []string{"add.u", "add.s", "and.b", "or.b", "xor.b", "min.u", "min.s", "max.u", "max.s", "exch.b", "cas.b"} {
		m[op+"32"], m[op+"64"] = true, true
	}
	return m
})

func isNativeAtomic(atom string) bool { return nativeAtomics()[atom] }
