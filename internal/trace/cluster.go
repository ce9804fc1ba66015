package trace

// A thread block cluster is a box of neighboring blocks of the grid that run at
// once, reach each other's shared memory and have a barrier of their own (PTX
// ISA, "Cluster of Cooperative Thread Arrays").

// ClusterSize is the number of blocks of a cluster, 1 without clusters.
func (l *Launch) ClusterSize() uint64 { return max(1, l.Cluster.Size()) }

// ClusterOf returns the number of a block's cluster, and the block's rank in it.
func (l *Launch) ClusterOf(block uint64) (cluster, rank uint64) {
	if l.ClusterSize() == 1 {
		return block, 0
	}
	d, at := l.Cluster, l.Grid.At(block)
	in, of := Dim3{at.X % d.X, at.Y % d.Y, at.Z % d.Z}, Dim3{at.X / d.X, at.Y / d.Y, at.Z / d.Z}
	return l.clusters().index(of), d.index(in)
}

// BlockOf is the block of a rank in a cluster.
func (l *Launch) BlockOf(cluster, rank uint64) uint64 {
	if l.ClusterSize() == 1 {
		return cluster
	}
	d := l.Cluster
	of, in := l.clusters().At(cluster), d.At(rank)
	return l.Grid.index(Dim3{of.X*d.X + in.X, of.Y*d.Y + in.Y, of.Z*d.Z + in.Z})
}

// clusters is the grid's extent in clusters.
func (l *Launch) clusters() Dim3 {
	return Dim3{l.Grid.X / l.Cluster.X, l.Grid.Y / l.Cluster.Y, l.Grid.Z / l.Cluster.Z}
}

// index is the inverse of At.
func (d Dim3) index(at Dim3) uint64 {
	return (uint64(at.Z)*uint64(d.Y)+uint64(at.Y))*uint64(d.X) + uint64(at.X)
}

// GroupSync is what lanes of a warp do at the barrier of their cluster (PTX ISA,
// "barrier.cluster") or of the grid. Phase counts its phases from 0. Relaxed marks an
// arrival that orders nothing by itself.
type GroupSync struct {
	Site    *Site
	Group   Group
	Warp    int
	Mask    uint32
	Phase   uint64
	Relaxed bool
}

// RemoteAccess is an access to the shared memory of another block of the
// cluster: Addr are offsets there.
type RemoteAccess struct {
	*Access
	Owner uint64
}
