package native

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Scope is a program's plan and what observers want to see of it, which decides what code does by itself. Back ends ask it.
type Scope struct {
	*Plan
	Watched Watched
	Does    []Step // by step of the program
}

func NewScope(pl *Plan, w Watched) Scope {
	s := Scope{Plan: pl, Watched: w, Does: make([]Step, len(pl.Program.Code))}
	for i := range s.Does {
		s.Does[i] = s.decide(i)
	}
	return s
}

// NativeMem reports whether a load or store has native code.
func (s Scope) NativeMem(in *program.Instr) bool {
	m := &s.Program.Mems[in.X]
	size := uint64(m.Elem * m.Count)
	switch {
	case m.Space == trace.SpaceParam, !s.selective(in) && s.observed(m) && !s.Enters(m) && !s.Marks(m):
		return false
	case size&(size-1) != 0 || m.Offset&(size-1) != 0:
		return false
	case s.Sieved(m) && int(size) < s.Program.SharedUnit():
		return false
	case m.Space == trace.SpaceLocal:
		return nativeLocal(m) && (s.Watched&Noted == 0 || notable(m)) && (s.Watched&Bounded == 0 || !s.Program.Outlives(m))
	case m.Scalar || m.Base == program.NoSlot:
		return in.Op == program.OpLoad || nativeScalarStore(m)
	case m.BaseWidth == alu.W32 && m.Space != trace.SpaceShared:
		return false
	case m.Elem == 4 && m.Width == alu.W32 || m.Elem == 8:
		return true
	}
	return m.Elem < 4 && m.Width == alu.W32 && (in.Op == program.OpLoad || m.Count == 1)
}

// An AccessPlan is what loads, stores and atomic operations have in common: the instruction and its number, the bytes of a
// lane's access, what is done for observers before the access, and how it is counted.
type AccessPlan struct {
	Mem   *program.Mem
	Index int32
	Load  bool
	Size  int
	First Watching
	Done  Tally
}

// MemoryStep is a load or store, AtomicStep an atomic operation.
type (
	MemoryStep struct {
		AccessPlan
		Placing
		// TriesLocal is set where addresses may be those of local memory.
		TriesLocal bool
	}
	AtomicStep struct{ AccessPlan }
)

// Watching is what an access does for observers before it is made.
type Watching uint8

const (
	unwatched   Watching = iota
	FollowFirst          // it does what the group expects, or leaves the code
	SiftFirst            // it goes through the sieve
	EnterFirst           // it is entered into states, marked, or both, where its region asks for that
)

// Placing tells the ways of an access.
type Placing uint8

const (
	byLanes    Placing = iota // addresses of lanes
	AtOnePlace                // one address for all lanes
	LocalRow                  // local memory at one offset in all lanes
	LocalEach                 // local memory at offsets of lanes
)

// Tally is the memory steps of a run so far: loads, stores that others can see,
// and stores to local memory; and how many of them name global memory.
type Tally struct{ Loads, Stores, Locals, Globals int32 }

// Opposite takes back what was counted.
func (t Tally) Opposite() Tally { return Tally{-t.Loads, -t.Stores, -t.Locals, -t.Globals} }

func (t *Tally) Add(x Tally) {
	t.Loads, t.Stores, t.Locals, t.Globals = t.Loads+x.Loads, t.Stores+x.Stores, t.Locals+x.Locals, t.Globals+x.Globals
}

// planAccess returns the plan of an access.
func (s Scope) planAccess(in *program.Instr) AccessPlan {
	m := &s.Program.Mems[in.X]
	a := AccessPlan{Mem: m, Index: in.X, Load: in.Op == program.OpLoad, Size: m.Elem * m.Count}
	switch {
	case s.Follows(m):
		a.First = FollowFirst
	case s.Sieved(m):
		a.First = SiftFirst
	case s.Enters(m), s.Marks(m):
		a.First = EnterFirst
	}
	switch {
	case in.Op != program.OpStore: // atomic operations are counted like loads
		a.Done.Loads = 1
	case m.Space == trace.SpaceLocal:
		a.Done.Locals = 1
	default:
		a.Done.Stores = 1
	}
	if m.Site.Space == trace.SpaceGlobal {
		a.Done.Globals = 1
	}
	return a
}

// planMemory decides a load or store.
func (s Scope) planMemory(in *program.Instr) Step {
	if !s.NativeMem(in) {
		return nil
	}
	x := MemoryStep{AccessPlan: s.planAccess(in)}
	x.TriesLocal = s.triesLocal(x.Mem)
	switch one, local := x.Mem.OnePlace(), x.Mem.Space == trace.SpaceLocal; {
	case local && one:
		x.Placing = LocalRow
	case local:
		x.Placing = LocalEach
	case one:
		x.Placing = AtOnePlace
	}
	return x
}

// planAtomic decides an atomic operation. No group expects one.
func (s Scope) planAtomic(in *program.Instr) Step {
	return unless(!s.nativeAtomic(&s.Program.Mems[in.X]), AtomicStep{s.planAccess(in)})
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
func (s Scope) triesLocal(m *program.Mem) bool {
	return m.Space == trace.SpaceGeneric && !s.tracesFrames() && nativeLocal(m) && !m.Scalar && m.Base != program.NoSlot && s.Watched&Noted == 0 && !s.Watched.Has(trace.SpaceLocal)
}

// tracesFrames reports whether accesses to local memory are compared with the calls under way and the scopes that have ended.
func (s Scope) tracesFrames() bool {
	return s.Watched&Bounded != 0 && len(s.Program.Frames)+len(s.Program.Scopes) > 0
}

// Extent is the variable in local memory that an access means, as the least offset and one
// more than the largest above that; ok is false where no observer wants to know of accesses
// beyond it.
func (s Scope) Extent(m *program.Mem) (least, limit uint64, ok bool) {
	if s.Watched&Bounded == 0 || m.From == 0 || m.Base == program.NoSlot || s.Program.Sources[m.From-1].Space != trace.SpaceLocal {
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
func (s Scope) observed(m *program.Mem) bool {
	return s.Watched.Has(m.Space) || m.Space == trace.SpaceGeneric && s.Watched.Has(trace.SpaceGlobal)
}

// selective reports whether an observer of global memory may pass over an
// instruction. It gets native code, which has no region to go to where the
// observer does not (learn).
func (s Scope) selective(in *program.Instr) bool {
	m := &s.Program.Mems[in.X]
	return in.Op == program.OpLoad && len(m.Site.Roots) > 0 && (m.Space == trace.SpaceGlobal || m.Space == trace.SpaceGeneric)
}

// Follows reports whether an instruction must do what the group expects.
func (s Scope) Follows(m *program.Mem) bool {
	return m.Space == trace.SpaceShared && s.Watched&Followed != 0
}

// Sieved reports whether the accesses of an instruction go through the sieve.
func (s Scope) Sieved(m *program.Mem) bool {
	return m.Space == trace.SpaceShared && s.Watched&Sieved != 0
}

// Enters reports whether an instruction may have to enter its accesses to global memory into an
// observer's states. Atomic operations are entered into quick ones and as bits only.
func (s Scope) Enters(m *program.Mem) bool {
	if s.Watched&Entered == 0 || m.Space != trace.SpaceGlobal || m.Site.Space != trace.SpaceGlobal {
		return false
	}
	if m.Site.Kind == trace.Atomic {
		return s.Watched&(Quick|Touched) != 0
	}
	return m.Site.Order == trace.OrderWeak
}

// Marks reports whether an instruction may have to mark its accesses to global memory.
func (s Scope) Marks(m *program.Mem) bool {
	return s.Watched&Marked != 0 && m.Space == trace.SpaceGlobal && m.Site.Space == trace.SpaceGlobal && m.Site.Size == m.Elem*m.Count
}

// nativeAtomic reports whether an atomic instruction has native code.
func (s Scope) nativeAtomic(m *program.Mem) bool {
	switch {
	case m.Space != trace.SpaceGlobal && m.Space != trace.SpaceShared && m.Space != trace.SpaceGeneric:
		return false
	case s.Watched&Picked != 0 || s.Watched.Has(m.Space) && !s.Enters(m) && !s.Marks(m) || s.Follows(m) || m.Space == trace.SpaceGeneric && s.Watched.Has(trace.SpaceGlobal):
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
