package shadow

// The state of a unit where blocks run in turn and synchronize has a reference to its last plain write in the lower half, and one to its
// last plain reads in the upper half. A reference names a point of a warp, which is a multiple of RefLanes, and a lane, or RefSeveral
// threads of the point's block.
//
// Code may enter a warp's access to consecutive units if both references of each state pass. A
// reference passes if it is less than Live.None, lies in the Before of the site, or is the thread's
// own. Of an access for some of whose lanes that does not hold it may enter the others, and leave it
// with these in Live.Failing. For a read, a reference to reads from the warp's Since on passes as well, and the state then
// refers to several threads. A write replaces both references by its own, a read the reference to
// the reads.
const (
	RefLanes   = 1 << 6
	RefSeveral = 32
)

// WarpRefs is what a warp's accesses are until it synchronizes again: Now has in both halves the
// reference for lane 0, 0 where the observer has to be asked for it. References to reads from the
// upper half of Since on are those of other threads of the block that nothing orders; the lower
// half is more than any reference to a write.
type WarpRefs struct{ Now, Since uint64 }

// Before are references to accesses that come before what any thread of the block does now,
// those to writes and those to reads: the first of a range of N, in each half.
type Before struct{ First, N uint64 }

// Refs is what the references of states are compared with in a warp's accesses by one site.
type Refs struct {
	None uint32
	WarpRefs
	Before
}

// Join returns the state after a plain access of a lane; false if the observer has to be asked, who knows what happens before what.
func (x *Refs) Join(was uint64, lane uint32, writes bool) (next uint64, ok bool) {
	me, w, r := uint32(x.Now)+lane, uint32(was), uint32(was>>32)
	first := w < x.None || w-uint32(x.First) < uint32(x.N) || w == me
	reads := r < x.None || r-uint32(x.First>>32) < uint32(x.N>>32) || r == me
	switch {
	case writes:
		return uint64(me), first && reads
	case reads:
		return uint64(me)<<32 | uint64(w), first
	}
	return x.Now&^(1<<32-1) | RefSeveral<<32 | uint64(w), first && r >= uint32(x.Since>>32)
}
