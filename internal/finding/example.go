package finding

// Example is a launch for which a finding that was made without running the program is to show. Arguments are
// the values of scalar parameters, by their number from 0, Members those of parts of structures, by the number of the parameter
// and the bytes before the part; those that are not there may have any.
type Example struct {
	Grid, Block [3]uint32
	Arguments   map[int]uint64
	Members     map[[2]int]uint64
	// Sizes are the bytes of the allocations that pointers are to, by parameter and offset in it.
	Sizes map[[2]int]uint64
	// Message is the finding's once a run has shown it, "" for the same.
	Message string
}
