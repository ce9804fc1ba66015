package trace

// Arrival is the moment when lanes reach a barrier at which they do not
// wait (PTX ISA, "bar.arrive"), or not yet (barriers of a [Group]). The Barrier event comes when the barrier
// completes; what the lanes do in between is not ordered by it.
type Arrival struct {
	Site *Site
	ID   int
	Warp int
	Mask uint32
}
