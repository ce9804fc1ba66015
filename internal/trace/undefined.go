package trace

// An undefined value is one that was computed from memory or a register that nothing has
// written, from what a shuffle reads in a lane that takes no part, or from the block that a
// response to clusterlaunchcontrol.try_cancel names when nothing was canceled. The engine follows
// such values bit by bit: through registers, other lanes, and memory of all kinds. Where they come from is a number that observers choose, an
// origin; the engine only carries it along. 0 is none.

// MaxOrigin is the largest origin of a read. Computed is added to the origin of what was
// computed with an undefined value; what is only moved, masked or joined is not computed.
const (
	MaxOrigin = 1<<23 - 1
	Computed  = 1 << 23
)

// Undefined is what a read finds: the lanes that read bytes nothing has written, for each
// of them these bytes, a bit for each, and the value's origin. An observer of shared and
// local memory fills it in at the access.
type Undefined struct {
	Mask    uint32
	Missing [32]uint64
	Origin  [32]uint32
}

// Reread is a read of global or shared memory of undefined values that were stored there.
type Reread struct {
	Site  *Site
	Space Space
	Warp  int
	// All are the lanes that take part, Mask those whose values are undefined.
	All, Mask uint32
	Addr      *[32]uint64
	// Missing are the bytes with undefined bits. Origin has the origin of the value that
	// was stored, and takes that of the value read.
	Missing *[32]uint64
	Origin  *[32]uint32
	// Memory is the allocation, for global memory.
	Memory Memory
}

// UnsetRegister is a register that a warp's lanes may read before it is written or, if Tensor
// is set, a cell of tensor memory that they read. Site is the first instruction that does; Origin takes
// the values' origins.
type UnsetRegister struct {
	Site   *Site
	Warp   int
	Mask   uint32
	Bytes  int
	Tensor bool
	Origin *[32]uint32
}

// AbsentLanes is a shuffle in which lanes Mask of a warp read the registers of lanes that take no part: Source has
// the lane that each of them reads. Came are the lanes that take part, Exist those that the warp has. Origin takes the
// origins of what they get, 0 where it is not to be followed.
type AbsentLanes struct {
	Site        *Site
	Warp        int
	Mask        uint32
	Came, Exist uint32
	Source      *[32]uint64
	Origin      *[32]uint32
}

// NotCanceled is a clusterlaunchcontrol.query_cancel.get_first_ctaid of which lanes Mask of a warp decode a
// response that canceled nothing. Origin takes the origins of the results, 0 where they are not to be followed.
type NotCanceled struct {
	Site   *Site
	Warp   int
	Mask   uint32
	Origin *[32]uint32
}

// Purpose is how an undefined value matters.
type Purpose uint8

// The purposes.
const (
	// DecidesBranch, DecidesGuard: which way a thread goes, whether an access or another
	// effect takes place.
	DecidesBranch Purpose = iota
	DecidesGuard
	// FormsAddress: where an access goes, or which function is called.
	FormsAddress
	// UpdatesMemory: an atomic operation computes with it.
	UpdatesMemory
	// StoredInGlobal: it is stored in global memory.
	StoredInGlobal
	// PassedToRuntime: printf, malloc or another function of the runtime gets it.
	PassedToRuntime
	// SelectsLanes: it chooses the lanes or threads of an exchange or a barrier.
	SelectsLanes
	// Fetched: a texture instruction read it.
	Fetched
)

// Used is the place where an undefined value matters.
type Used struct {
	// Site is the instruction, nil where it has no place.
	Site    *Site
	Purpose Purpose
	Warp    int
	// Mask are the lanes to which it matters, Origin the values' origins, with Computed.
	Mask   uint32
	Origin *[32]uint32
}

// UndefinedObserver belongs to a BlockObserver that wants undefined values followed until
// they matter. It gives them their origins, also in Unwritten events.
type UndefinedObserver struct {
	// Unset gives an origin to what is in a register when a warp starts.
	Unset func(*UnsetRegister)
	// Absent gives an origin to what a shuffle reads in lanes that take no part.
	Absent func(*AbsentLanes)
	// NotCanceled gives an origin to the block that a response names which canceled nothing.
	NotCanceled func(*NotCanceled)
	// Reread gives the values of a read new origins.
	Reread func(*Reread)
	// Lasting returns the origin that stands for one of this block in global memory,
	// where later launches find it.
	Lasting func(origin uint32) uint32
	// Mixed is a value of origin a that was computed from one of origin b too. It continues
	// as one of a.
	Mixed func(a, b uint32)
	// Used is where a value matters.
	Used func(*Used)
	// Known reports that the effects of undefined values which a site reads in an allocation are
	// known: they no longer get an origin. The allocation is given by its ID, the device heap by -1. It may
	// be nil.
	Known func(s *Site, allocation int) bool
	// Keeps has values followed through global memory too that were computed, or that are copies of an array: storing them
	// is then no use of them.
	Keeps bool
}
