// Package inst is the vocabulary for what one PTX instruction does. The
// instruction table (ptx/isa) gives each of its rows a [Kind], and fills in an
// [Op] from the row and the modifiers of an instruction. Whoever needs to know
// what an instruction does asks these values and never its text: the lowering,
// the static single assignment form, the analyses built on it, and the rules,
// which find an Op at each site.
package inst

// Op is what one instruction does, with its modifiers taken into account.
type Op struct {
	Kind Kind
	// Fn is the operation of a Kind that has several: of atomics and
	// reductions, shuffles, votes and matches. FnNone for the others.
	Fn Fn
	// Type is that of the data: the last one that the instruction names.
	Type Type
	// Result is set if the instruction writes a register: atom has a result, red
	// has none.
	Result bool
	// Masked is set if a member mask names the lanes that take part.
	Masked bool
	// NonCoherent marks loads through the read-only path, which need not see
	// what the same launch writes (PTX ISA, "ld.global.nc"; textures).
	NonCoherent bool
	// Ordered is set if the instruction names a memory order. An atomic without one is relaxed.
	Ordered bool
	// Reads and Writes are the spaces of the program's memory that the
	// instruction may touch.
	Reads, Writes Spaces
	// Groups is how many groups of copies a CopyWait leaves on their way; All says
	// that it waits for all copies, those of no group too.
	Groups uint32
	All    bool
}

// Effect returns what the instruction does besides computing its result.
func (o Op) Effect() Effect { return o.Kind.Effect() }

// Touches returns the spaces that the instruction may read or write.
func (o Op) Touches() Spaces { return o.Reads | o.Writes }

// IsSwap reports whether o is an atomic that can take a lock: a compare-and-swap or an exchange.
func (o Op) IsSwap() bool { return o.IsCAS() || o.IsExchange() }

// IsCAS reports whether o is an atomic compare-and-swap.
func (o Op) IsCAS() bool { return o.Kind == Atomic && o.Fn == FnCAS }

// IsExchange reports whether o is an atomic exchange, whose new value is independent of the
// old one.
func (o Op) IsExchange() bool { return o.Kind == Atomic && o.Fn == FnExch }

// IsMBarrier reports whether o is one of the operations on an mbarrier object.
func (o Op) IsMBarrier() bool { return o.Kind >= MBarrierInit && o.Kind <= CopyArrive }

// Arrives reports operations that arrive at an mbarrier, or make the arrival of
// a copy.
func (o Op) Arrives() bool { return o.Kind == MBarrierArrive || o.Kind == CopyArrive }

// IsBarrier reports whether o is one of the barriers of a block or a cluster.
func (o Op) IsBarrier() bool { return o.Kind >= Barrier && o.Kind <= ClusterWait }

// IsFence reports fences, those between proxies and of mbarrier initializations among them.
func (o Op) IsFence() bool { return o.Kind >= Fence && o.Kind <= InitFence }

// IsAsync reports operations whose accesses to memory the async proxy makes (PTX ISA, "Async
// proxy"), and the waits for them.
func (o Op) IsAsync() bool {
	switch o.Kind {
	case FillAsync, StoreAsync, AtomicAsync, BulkCopy, BulkReduce, BulkWait, ProductAsync, LaunchCancel:
		return true
	}
	return o.Kind >= TensorAlloc && o.Kind <= TensorFence
}

// IsTensorPipe reports operations on tensor memory that are executed one after the other in the
// order in which they are issued (PTX ISA, "Pipelined tcgen05 Instructions").
func (o Op) IsTensorPipe() bool {
	return o.Kind == TensorCopy || o.Kind == TensorShift || o.Kind == TensorProduct
}

// IsProxied reports asynchronous operations whose accesses the async proxy makes: all but those
// of st.async and red.async, which PTX leaves to the generic one.
func (o Op) IsProxied() bool { return o.IsAsync() && o.Kind != StoreAsync && o.Kind != AtomicAsync }

// IsTensorCore reports operations on tensor memory.
func (o Op) IsTensorCore() bool { return o.Kind >= TensorAlloc && o.Kind <= TensorFence }

// IsAsyncReduction reports asynchronous operations that reduce into memory, each element atomically.
func (o Op) IsAsyncReduction() bool { return o.Kind == BulkReduce || o.Kind == AtomicAsync }

// IsShared reports operations that several threads may see: those on memory that
// threads share, and those with which they wait for each other.
func (o Op) IsShared() bool { return o.Touches()&(Global|Shared) != 0 || o.Effect().Has(Waits) }

// OnePlace reports whether the instruction accesses memory at one address, which is
// its first operand besides a result. How many bytes it accesses there may be
// unknown.
func (o Op) OnePlace() bool {
	switch o.Kind {
	case Load, Store, Atomic, MatrixLoad, MatrixStore, FillAsync, Discard:
		return true
	}
	return o.IsMBarrier()
}

// Fn is the function of an atomic, a reduction, or an exchange between lanes.
type Fn uint8

// The functions.
const (
	FnNone Fn = iota
	FnAdd
	FnMin
	FnMax
	FnInc
	FnDec
	FnAnd
	FnOr
	FnXor
	FnExch
	FnCAS
	FnPopc
	FnUp // of shuffles
	FnDown
	FnBfly
	FnIdx
	FnAll // of votes and matches
	FnAny
	FnUni
	FnBallot
	numFns
)

var fnNames = [numFns]string{
	"", "add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas", "popc",
	"up", "down", "bfly", "idx", "all", "any", "uni", "ballot",
}

// String returns the modifier that stands for the function.
func (f Fn) String() string { return fnNames[f] }

// ParseFn finds a function by its modifier; FnNone if there is none.
func ParseFn(word string) Fn {
	for f := FnAdd; f < numFns; f++ {
		if fnNames[f] == word {
			return f
		}
	}
	return FnNone
}

// Type is what matters of a data type: how its bits are to be read.
type Type struct {
	Class TypeClass
	// Size is in bytes, 0 for predicates and where there is no type.
	Size uint8
}

// TypeClass says how the bits of a value are to be read.
type TypeClass uint8

// The classes. Bits are untyped, Packed holds several small values.
const (
	Bits TypeClass = iota
	Unsigned
	Signed
	Float
	Packed
	Predicate
)

// Spaces is a set of state spaces (PTX ISA, "State Spaces").
type Spaces uint8

// The spaces. Generic is the set that a generic address may lie in. Named
// stands, in the table of kinds, for the space that the modifiers name.
const (
	Global Spaces = 1 << iota
	Shared
	Local
	Const
	Param
	Named
	Generic = Global | Shared | Local
)

// Has reports whether all of t are in s.
func (s Spaces) Has(t Spaces) bool { return s&t == t }
