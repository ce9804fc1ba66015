package evidence

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

// OwnerOf is the block to which an address in the shared memory of a cluster belongs, and
// the offset there; ok is false for other addresses.
func OwnerOf(addr uint64) (block uint32, off uint64, ok bool) {
	return uint32(addr >> clusterShift), addr & (1<<clusterShift - 1), InCluster(addr)
}
