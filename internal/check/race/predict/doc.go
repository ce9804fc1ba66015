// Package predict finds orders of a launch's blocks in which races show that the order of its
// run hid. A lock, a ticket or a counter orders what one thread did before its release with what another does
// after its acquire, but which of them comes first is often a matter of luck:
//
//	block 0: x = 1; lock(); n++; unlock();        block 1: lock(); n++; unlock(); x = 2;
//
// If block 0 has the lock first, its unlock happens before the lock of block 1, and the two
// writes to x are ordered. In the other order they race.
//
// A Log has, of an execution with full histories, the strong writes of each warp ("operations", by which threads
// release) and the pairs of conflicting accesses that only what blocks acquired from each other orders. For
// each pair, an access a of block A before b of block B, Orders tries to break that order:
//
//	A rests before its first operation behind a: b, if it comes, comes without having acquired a.
//	A rests before its last operation ahead of a, which may be the lock around it, and B before
//	its first one behind b: b comes first, and A, which continues first, cannot acquire it.
//
// A block that rests continues when all others have ended or only wait; so where b needs what A has
// not yet released, as behind a flag, nothing is lost but time. Each order is executed, from the
// memory that the launch began with, and only what the detector finds there is a race: a rest
// is what a scheduler may do at any time, so nothing that is found this way is a false alarm of the prediction.
// Nothing is concluded from an order that shows no race.
package predict
