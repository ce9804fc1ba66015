package warp

// A Warp is the state of its lanes; what works on one side of it has the methods
// for that. Each unit is the warp itself, seen from that side.
type (
	// productUnit has the products of warpgroups: operands in shared memory, groups, order.
	productUnit struct{ *Warp }
	// tensorUnit executes the instructions of tensor memory.
	tensorUnit struct{ *Warp }
)
