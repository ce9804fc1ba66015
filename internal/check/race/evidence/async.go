package evidence

// AsyncFault is what lacks between an asynchronous operation and another access.
type AsyncFault uint8

// The faults. NoAsyncFault: none, or no operation takes part.
const (
	NoAsyncFault AsyncFault = iota
	// Unfinished: the operation may not have completed, as no thread has waited for it.
	Unfinished
	// Unobserved: it has, but the thread of the other access has not waited for it, nor has
	// it synchronized with one that has.
	Unobserved
	// Unfenced: the threads have synchronized by relaxed operations, which order tensor memory only
	// together with its fences.
	Unfenced
	// NoProxyFence: the threads are ordered, but a write by an ordinary store is not visible
	// to the async proxy without a fence.
	NoProxyFence
	// NoMapAcquire: a tensor map was written, and is used without an acquire by the proxy of
	// tensor maps. NoMapRelease: what wrote it has not released it to that proxy.
	NoMapAcquire
	NoMapRelease
	// IssuedEarly: nothing orders the threads' access before the operation is issued.
	IssuedEarly
)
