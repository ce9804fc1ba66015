package trace

// FaultKind classifies what stops a kernel.
type FaultKind uint8

// Faults. The first three carry an address; FaultDeadlock means that no thread
// can continue; FaultBudget that a limit of instructions or time ended the run.
const (
	FaultOutOfBounds FaultKind = iota
	FaultMisaligned
	FaultReadOnly
	FaultTrap
	FaultAssert
	FaultDeadlock
	FaultBudget
	FaultUnsupported
	FaultStack
	FaultBarrier
	// FaultFree is a free, by device code, of what is not an allocation of its heap;
	// FaultDoubleFree of what is freed already.
	FaultFree
	FaultDoubleFree
)

// Fault is an error that ends the launch. Of several blocks' faults the one
// with the lowest block index is sent, so that it does not depend on -j.
type Fault struct {
	Kind FaultKind
	// Cause is what exactly is wrong. Rules decide by it, never by the texts below.
	Cause Cause
	Site  *Site
	// Callers are the calls of functions that the lane is in, from the innermost on, as far as they are known.
	Callers []*Site
	Block   uint64
	// Warp is NoWarp for a launch that was ended between two blocks.
	Warp   int
	Mask   uint32
	Lane   int
	Space  Space
	Access Kind
	Addr   uint64
	Size   int
	// Hidden is the address where Addr is 0 since it is another one in each run: no report
	// may show it.
	Hidden uint64
	// Object is what lies nearest to Addr in its space or is meant by it: an
	// allocation or a variable. It is nil where there is none. Where Nearest is set,
	// Object does not hold Addr, and the first of Notes puts its distance into words.
	Object  *Memory
	Nearest bool
	// Message is one line; Notes add detail (nearest allocation, who waits).
	Message string
	Notes   []string
	// Endless is set if what is left of the launch provably continues forever.
	Endless bool
	// Host is what the host does then, nil where that does not matter.
	Host *HostState
	// Waits are what threads that continue forever read to decide whether they do.
	Waits []Wait
	// Phases are the mbarriers that they test, NotBegun counts the blocks of the launch that have not begun then, as no
	// more than Resident fit on the device at once.
	Phases             []Phase
	NotBegun, Resident uint64
	// Times counts the accesses of threads of the launch that fail like this one, where
	// the launch continues; 0 where the block ends.
	Times uint64
	// Stopped counts the blocks that continued after this fault and were then stopped, since
	// their threads made too many invalid accesses or executed too many instructions.
	Stopped uint64
}

// NoWarp stands for the warp of a fault that belongs to no thread.
const NoWarp = -1

// Wait is a word of memory that decides whether a thread leaves a loop.
type Wait struct {
	Site  *Site
	Space Space
	// Addr is an offset in shared memory or a device address.
	Addr uint64
	Size int
	// Value is what it holds when the launch is ended.
	Value uint64
	// Object is the allocation, nil in shared memory. HostVisible is set if host code
	// can write it while a kernel runs.
	Object      *Memory
	HostVisible bool
	// Writer changed it last in this launch, by an atomic operation or a strong store;
	// nil if that is not known.
	Writer *Writer
}

// Writer is the thread of a write.
type Writer struct {
	Site  *Site
	Block uint64
	Warp  int
	Lane  int
	// Ended is set if the thread had ended when the launch was stopped, as far as it is one
	// of the block that waits.
	Ended bool
}

// RejectedLaunch is a launch that CUDA would refuse.
type RejectedLaunch struct {
	Kernel        string
	Grid, Block   Dim3
	SharedDynamic uint64
	// Error is the runtime's name for it: cudaErrorInvalidConfiguration.
	Error string
	// Where is the call in host code, "file:line", or "".
	Where string
	// Cause is which limit it is. Message names it: "2048 threads per block, at most
	// 1024 on sm_80".
	Cause   Cause
	Message string
	// Site is the call in device code, nil for one of the host. Wait is set if it
	// is not a launch but a wait for child grids that is refused, Maybe that a device
	// may refuse the launch; it was executed.
	Site        *Site
	Wait, Maybe bool
	// Params is the parameter buffer of a launch by the host, nil for others.
	Params []byte
}
