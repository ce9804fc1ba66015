package evidence

import "github.com/warpgrind/warpgrind/internal/trace"

// LifetimeFault is how shared memory of a block may be accessed while the block is not there.
type LifetimeFault uint8

// The faults.
const (
	// NotStarted: a thread of another block of the cluster does not know that the block has started.
	NotStarted LifetimeFault = iota
	// MayHaveExited: nothing keeps the block from its exit until a thread of another one is done.
	MayHaveExited
	// InFlightAtExit: no thread of the block waits for an asynchronous operation before it exits.
	InFlightAtExit
	// NotVisible: the initialization of an mbarrier may not be visible to another block's thread, or
	// to its operation, that uses it.
	NotVisible
	// NotFenced: a thread initializes an mbarrier and then issues a bulk copy that completes on it, without a fence for
	// the async proxy. BarrierOnly: only a barrier, or another synchronization of threads, is between.
	NotFenced
	BarrierOnly
)

// Lifetime is an access to the shared memory of block Owner, which need not be there.
type Lifetime struct {
	Launch *trace.Launch
	Fault  LifetimeFault
	By     Access
	Owner  uint32
	// Count is of threads, or of operations.
	Count uint64
}

// Merge adds another one of the same site: the first block and thread stand for both.
func (l *Lifetime) Merge(o *Lifetime) {
	l.Count += o.Count
	a, b := &l.By, &o.By
	if b.Block < a.Block || b.Block == a.Block && b.Number() < a.Number() || b.Block == a.Block && b.Number() == a.Number() && o.Owner < l.Owner {
		l.By, l.Owner = o.By, o.Owner
	}
}
