package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Cause is why nothing orders the two accesses of a race. It is part of a
// finding in JSON; Details.Reason says it in words.
type Cause = finding.Cause

// The causes.
const (
	// NoBarrier: the threads passed no common barrier between the accesses.
	NoBarrier Cause = "no-barrier"
	// PartialBarrier: there is a barrier between them that not both joined.
	PartialBarrier Cause = "partial-barrier"
	// NoSyncwarp: lanes of one warp without a __syncwarp between the accesses.
	NoSyncwarp Cause = "no-syncwarp"
	// PartialSyncwarp: there is one whose mask leaves one of the lanes out.
	PartialSyncwarp Cause = "partial-syncwarp"
	// OneInstruction: lanes of one instruction write one place.
	OneInstruction Cause = "one-instruction"
	// InFlight: an asynchronous copy that nobody has waited for.
	InFlight Cause = "in-flight"
	// NotAtomic: only one of two updates is atomic.
	NotAtomic Cause = "not-atomic"
	// LostUpdate: threads read a volatile word, compute a new value from it and write that:
	// of two that read the same value, the update of one is lost.
	LostUpdate Cause = "lost-update"
	// NoFence: a flag, a lock or a ticket connects the threads, but on one side
	// the fence is missing or comes too early.
	NoFence Cause = "no-fence"
	// NotArrived: one block waits for others, but goes on before this one has come.
	NotArrived Cause = "not-arrived"
	// NotAwaited: one thread arrives at a barrier behind its access, and nobody waits
	// there.
	NotAwaited Cause = "not-awaited"
	// WrongPhase: one thread waits at an mbarrier for the other one, but a phase ends
	// without that one's arrival.
	WrongPhase Cause = "wrong-phase"
	// NarrowScope: an atomic operation or a fence of block scope, between blocks.
	NarrowScope Cause = "narrow-scope"
	// MixedSizes: two operations that would be atomic for each other if they had one size.
	MixedSizes Cause = "mixed-sizes"
	// NoLock: one thread holds a lock that the other does not hold.
	NoLock Cause = "no-lock"
	// TestThenSet: a thread tests the place and then writes it, and so does another.
	TestThenSet Cause = "test-then-set"
	// NotVolatile: a plain access to what another thread polls.
	NotVolatile Cause = "not-volatile"
	// BlocksUnordered: nothing in the kernel orders the two blocks.
	BlocksUnordered Cause = "blocks-unordered"
	// StreamsUnordered: nothing orders the two streams.
	StreamsUnordered Cause = "streams-unordered"
	// ChildUnordered: nobody has waited for the child grid.
	ChildUnordered Cause = "child-unordered"
	// GridUnordered: a programmatic dependent launch that has not waited, or has not
	// waited yet, for the grid before it.
	GridUnordered Cause = "grid-unordered"
	// ReadOnlyPath: a read that need not see writes of the same kernel.
	ReadOnlyPath Cause = "read-only-path"
	// HostUnordered: the host has not waited for the kernel or copy.
	HostUnordered Cause = "host-unordered"
)

// Repair is the kind of the smallest change that removes a race; the finding's
// help says it in words.
type Repair = finding.RepairKind

// The repairs.
const (
	AddBarrier         = finding.AddBarrier
	AddSyncwarp        = finding.AddSyncwarp
	AddFence           = finding.AddFence
	WidenScope  Repair = "scope"
	// SplitBranch: a barrier of the block, for which a branch has to end.
	SplitBranch Repair = "split-branch"
	// CountedBarrier: a barrier of those threads of the block that come to one of two places.
	CountedBarrier Repair = "counted-barrier"
	TakeLock       Repair = "lock"
	MakeVolatile   Repair = "volatile"
	MakeAtomic     Repair = "atomic"
	WaitForCopy    Repair = "wait"
	WaitForAll     Repair = "wait-for-all"
	WaitThere      Repair = "wait-there"
	CountArrivals  Repair = "count-arrivals"
	OwnElement     Repair = "own-element" // each thread its own, or one thread alone
	SplitKernel    Repair = "split-kernel"
	OrderStreams   Repair = "stream-order"
	HostWait       Repair = "host-wait"
	GridWait       Repair = "grid-wait"
	ChildWait      Repair = "child-wait"
	TailLaunch     Repair = "tail-launch"
	CoherentLoad   Repair = "coherent-load"
	Nothing        Repair = "none"
)

// mend is a repair with the words for it.
type mend struct {
	finding.Repair
	help string
}

// by is a repair that has no place of its own.
func by(k Repair, help string) mend { return mend{finding.Repair{Kind: k}, help} }

// adding is a repair that adds a call between two accesses.
func adding(k Repair, call string, a, z *trace.Site) mend {
	r := goesBetween(a, z)
	r.Kind, r.Call = k, call
	return mend{r, r.Add()}
}

// and says more about a repair.
func (m mend) and(more string) mend {
	m.help += more
	return m
}

// instead says it in other words.
func (m mend) instead(help string) mend {
	m.help = help
	return m
}

// mixedSizes reports whether an atomic meets another strong access of a different size,
// so that neither is atomic for the other ("PTX ISA", "Morally Strong Operations").
func mixedSizes(a, z *trace.Site) bool {
	return (a.Kind == trace.Atomic || z.Kind == trace.Atomic) &&
		a.Order != trace.OrderWeak && z.Order != trace.OrderWeak && a.Elem != z.Elem
}

func sizesReason(a, z *trace.Site) string {
	return fmt.Sprintf("the two have different sizes, %d and %d bytes: neither is atomic for the other", a.Elem, z.Elem)
}

// Helps that shared and global memory have in common.
const (
	sameValueHelp = "harmless as long as all write the same value; let one thread write it to be sure"
	lockHelp      = "make both accesses under the same lock, or make them atomic"
	sizesHelp     = "access the place by atomics of one size everywhere"
	updateHelp    = "make the update atomic (for example atomicAdd), or give each thread its own element"
)

func volatileHelp(fence string) string {
	return "make the flag volatile or a cuda::atomic_ref on both sides, with " + fence + " before it is set and after it is seen"
}
