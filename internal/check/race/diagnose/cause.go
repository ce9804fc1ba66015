package diagnose

import "github.com/warpgrind/warpgrind/internal/finding"

// Cause is why nothing orders the two accesses of a race. It is part of a
// finding in JSON; Details.Reason is the sentence.
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
	// Overlap: two arrays that are partly the same memory.
	Overlap Cause = "overlapping-arrays"
	// InFlight: an asynchronous operation that the thread has not waited for.
	InFlight Cause = "in-flight"
	// NoProxyFence: an ordinary store and an access of the async proxy, ordered but without
	// a fence between the proxies.
	NoProxyFence Cause = "no-proxy-fence"
	// IssuedEarly: an asynchronous operation is issued before threads are done with what it
	// accesses.
	IssuedEarly Cause = "issued-early"
	// NotAtomic: only one of two updates is atomic.
	NotAtomic Cause = "not-atomic"
	// LostUpdate: threads read a volatile word, compute a new value from it and write that:
	// of two that read the same value, the update of one is lost.
	LostUpdate Cause = "lost-update"
	// NoFence: a flag, a lock or a ticket connects the threads, but on one side
	// the fence is missing or comes too early.
	NoFence Cause = "no-fence"
	// NotArrived: one block waits for others, but continues before this one has arrived.
	NotArrived Cause = "not-arrived"
	// NotAwaited: one thread arrives at a barrier after its access, and no thread waits
	// there.
	NotAwaited Cause = "not-awaited"
	// WrongPhase: one thread waits at an mbarrier for the other one, but a phase ends
	// without that one's arrival.
	WrongPhase Cause = "wrong-phase"
	// CopiesOnly: the arrival between the threads is one that completed copies trigger (cp.async.mbarrier.arrive): it
	// orders these, and no ordinary access.
	CopiesOnly Cause = "copies-only"
	// NarrowScope: an atomic operation or a fence of block scope, between blocks.
	NarrowScope Cause = "narrow-scope"
	// MixedSizes: two operations that would be atomic for each other if they had one size.
	MixedSizes Cause = "mixed-sizes"
	// NoLock: one thread holds a lock that the other does not hold.
	NoLock Cause = "no-lock"
	// Reused: a thread writes for the next pass of a loop what others may not have read since the last one.
	Reused Cause = "reused-early"
	// TestThenSet: a thread tests the place and then writes it, and so does another.
	TestThenSet Cause = "test-then-set"
	// NotVolatile: a plain access to what another thread polls.
	NotVolatile Cause = "not-volatile"
	// BlocksUnordered: nothing in the kernel orders the two blocks.
	BlocksUnordered Cause = "blocks-unordered"
	// StreamsUnordered: nothing orders the two streams.
	StreamsUnordered Cause = "streams-unordered"
	// StagedCopy: a copy from pageable memory, which returns when the data is staged.
	StagedCopy Cause = "staged-copy"
	// ChildUnordered: no thread has waited for the child grid.
	ChildUnordered Cause = "child-unordered"
	// GridUnordered: a programmatic dependent launch that has not waited, or has not
	// waited yet, for the grid before it.
	GridUnordered Cause = "grid-unordered"
	// ReadOnlyPath: a read that need not see writes of the same kernel.
	ReadOnlyPath Cause = "read-only-path"
	// HostUnordered: the host has not waited for the kernel or copy.
	HostUnordered Cause = "host-unordered"
)
