package vec

import "github.com/warpgrind/warpgrind/internal/warp/program"

// ShuffleSource is the lane that a lane reads in a shuffle, and whether it lies in its segment (PTX ISA, "shfl.sync").
func ShuffleSource(k program.SyncKind, lane int, b, c uint32) (int, bool) {
	l, bval, cval, seg := uint32(lane), b&31, c&31, c>>8&31
	maxLane := l&seg | cval&^seg
	minLane := l & seg
	switch k {
	case program.ShflUp:
		j := int32(l) - int32(bval)
		return int(j & 31), j >= int32(maxLane)
	case program.ShflDown:
		return int((l + bval) & 31), l+bval <= maxLane
	case program.ShflBfly:
		return int(l ^ bval), l^bval <= maxLane
	}
	j := minLane | bval&^seg
	return int(j), j <= maxLane
}
