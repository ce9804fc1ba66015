package trace

// Subarray is a named part that a kernel carves out of an array in shared memory: the
// variable that holds its address.
type Subarray struct {
	// Name is the variable's: "b", "t.b" for a member.
	Name string
	// Kinds are those of the numbers that it points to, sorted: "f4" for float,
	// "i4" for int, "f4,i4" for structures of both.
	Kinds string
	// Line is where the variable is declared.
	Line int
	// Parent is above 0 where the address is computed from that of another part:
	// Launch.Subarrays[Parent-1].
	Parent int
	// Array is the PTX name of the array.
	Array string
}

// SubarrayStart is the start of a subarray, in lanes Mask of a warp.
type SubarrayStart struct {
	// Subarray is an index in Launch.Subarrays.
	Subarray int
	Warp     int
	Mask     uint32
	// Addr has each lane's offset in shared memory.
	Addr *[32]uint64
}
