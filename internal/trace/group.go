package trace

// Group names a set of threads with a barrier in two parts: lanes arrive, do other work,
// and wait later (PTX ISA, "barrier.cluster"; CUDA C++ Programming Guide, "Cooperative
// Groups", barrier_arrive and barrier_wait).
type Group uint8

// The groups.
const (
	NoGroup Group = iota
	BlockGroup
	ClusterGroup
	GridGroup
	NumGroups
)

var groupNames = [NumGroups]string{"", "block", "cluster", "grid"}

func (g Group) String() string { return groupNames[g] }

// firstGroupBarrier follows the numbers of a block's 16 barriers (PTX ISA, "bar").
const firstGroupBarrier = 16

// Barrier is how Arrival and Barrier events number a phase of the group's barrier. Lanes
// may arrive at the next phase before others have passed this one, so that these two
// have different numbers.
func (g Group) Barrier(phase uint64) int {
	return firstGroupBarrier + 2*int(g-BlockGroup) + int(phase&1)
}

// GroupOf is the group whose barrier has a number, NoGroup for the block's 16 barriers.
func GroupOf(id int) Group {
	if id < firstGroupBarrier {
		return NoGroup
	}
	return BlockGroup + Group((id-firstGroupBarrier)/2)
}
