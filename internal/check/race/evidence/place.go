package evidence

import "github.com/warpgrind/warpgrind/internal/trace"

// Places in the shared memory of the blocks of a cluster have addresses that no allocation
// has: the block's number and clusterShift bits for the offset.
const (
	clusterPlace = uint64(1) << 62
	clusterShift = 24
)

// ClusterPlace is where a block's shared memory begins.
func ClusterPlace(block uint64) uint64 { return clusterPlace | block<<clusterShift }

// InCluster reports whether an address is in the shared memory of a cluster.
func InCluster(addr uint64) bool { return addr&clusterPlace != 0 }

// tensorPlace marks places in tensor memory.
const tensorPlace = uint64(1) << 61

// TensorPlace is the place of a unit of tensor memory (trace.TensorUnit).
func TensorPlace(unit uint64) uint64 { return tensorPlace | unit }

// TensorOf is the first lane and the column of a place in tensor memory; ok is false for others.
func TensorOf(addr uint64) (lane, column int, ok bool) {
	if addr&tensorPlace == 0 || InCluster(addr) {
		return 0, 0, false
	}
	lane, column = trace.TensorPlace(addr &^ tensorPlace &^ 3)
	return lane, column, true
}

// OwnerOf is the block to which an address in the shared memory of a cluster belongs, and
// the offset there; ok is false for other addresses.
func OwnerOf(addr uint64) (block uint32, off uint64, ok bool) {
	return uint32(addr >> clusterShift), addr & (1<<clusterShift - 1), InCluster(addr)
}
