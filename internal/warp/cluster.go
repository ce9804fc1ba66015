package warp

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/async"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Cluster is what the blocks of a thread block cluster share: their Env by rank,
// nil where the block has ended.
type Cluster struct{ Blocks []*Env }

// inCluster reports whether addresses up to hi, in shared memory, name the block
// that they belong to.
func (e *Env) inCluster(hi uint64) bool { return hi >= mem.ClusterStride && e.Cluster != nil }

// byRank calls f once for each block of the cluster whose shared memory lanes of
// m address, with offsets there.
func (w *Warp) byRank(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span,
	f func(*Warp, *program.Mem, trace.Space, uint32, *vec.Row64, *vec.Span) bool) bool {
	env := w.Env
	defer func() { env.owner = nil }()
	if op.ScalarRegs { // one address for all
		for i := range addr {
			addr[i] = s.Lo
		}
	}
	for m != 0 {
		first := addr[vec.Lowest(m)] >> mem.ClusterShift
		same := vec.Failing(m, func(l int) bool { return addr[l]>>mem.ClusterShift == first })
		if env.owner = env; first != 0 && first <= uint64(len(env.Cluster.Blocks)) {
			env.owner = env.Cluster.Blocks[first-1]
		}
		if env.owner == nil {
			return w.OwnerEnded(op, same, addr, first-1)
		}
		if first <= uint64(len(env.Cluster.Blocks)) {
			for b := same; b != 0; b &= b - 1 {
				addr[vec.Lowest(b)] &= mem.ClusterStride - 1
			}
		}
		s.Measure(addr, same)
		if !f(w, op, trace.SpaceShared, same, addr, s) {
			return false
		}
		m &^= same
	}
	return true
}

// remote reports an access to the shared memory of another block.
func (w *Warp) remote(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span) {
	env := w.Env
	if env.On.Remote == nil && env.owner.On.Reached == nil {
		return
	}
	a := &trace.Access{Site: op.Site, Space: trace.SpaceShared, Warp: w.Index, Mask: m, Addr: addr,
		Regular: s.Regular && m == ^uint32(0), Step: s.Step, Tick: uint32(w.ticks), Data: &accessData{w, op}}
	if f := env.On.Remote; f != nil {
		f(&trace.RemoteAccess{Access: a, Owner: env.owner.Block.Index})
	}
	if f := env.owner.On.Reached; f != nil {
		f(a)
	}
}

// Accessed is a number that changes with each access to memory that other
// threads can see.
func (w *Warp) Accessed() uint64 { return w.Reads + w.Progress }

// clusterDim is the extent of clusters in blocks.
func clusterDim(l *trace.Launch) trace.Dim3 {
	if l.Cluster.Size() == 0 {
		return trace.Dim3{X: 1, Y: 1, Z: 1}
	}
	return l.Cluster
}

func clusterID(w *Warp) trace.Dim3 {
	at, d := w.Env.Block.Coord, clusterDim(w.Env.Block.Launch)
	return trace.Dim3{X: at.X / d.X, Y: at.Y / d.Y, Z: at.Z / d.Z}
}

func clusterBlock(w *Warp) trace.Dim3 {
	at, d := w.Env.Block.Coord, clusterDim(w.Env.Block.Launch)
	return trace.Dim3{X: at.X % d.X, Y: at.Y % d.Y, Z: at.Z % d.Z}
}

func clusterCount(w *Warp) trace.Dim3 {
	g, d := w.Env.Block.Launch.Grid, clusterDim(w.Env.Block.Launch)
	return trace.Dim3{X: g.X / d.X, Y: g.Y / d.Y, Z: g.Z / d.Z}
}

// The special registers of clusters (PTX ISA, "Special Registers").
func init() {
	for name, f := range map[string]func(*Warp) trace.Dim3{
		"clusterid": clusterID, "nclusterid": clusterCount, "cluster_ctaid": clusterBlock,
		"cluster_nctaid": func(w *Warp) trace.Dim3 { return clusterDim(w.Env.Block.Launch) },
	} {
		warpSpecials[name+".x"] = func(w *Warp) uint64 { return uint64(f(w).X) }
		warpSpecials[name+".y"] = func(w *Warp) uint64 { return uint64(f(w).Y) }
		warpSpecials[name+".z"] = func(w *Warp) uint64 { return uint64(f(w).Z) }
	}
	warpSpecials["cluster_ctarank"] = func(w *Warp) uint64 {
		_, rank := w.Env.Block.Launch.ClusterOf(w.Env.Block.Index)
		return rank
	}
	warpSpecials["cluster_nctarank"] = func(w *Warp) uint64 { return w.Env.Block.Launch.ClusterSize() }
	warpSpecials["is_explicit_cluster"] = func(w *Warp) uint64 { return min(1, w.Env.Block.Launch.Cluster.Size()) }
}

// InCluster reports whether addresses in shared memory up to hi name the block that they belong to.
func (w *Warp) InCluster(hi uint64) bool { return w.Env.owner == nil && w.Env.inCluster(hi) }

// ByRank calls f once for each block of the cluster whose shared memory lanes of m address, with offsets there in addr.
func (w *Warp) ByRank(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span, f func(m uint32) bool) bool {
	return w.byRank(op, m, addr, s, func(_ *Warp, _ *program.Mem, _ trace.Space, m uint32, _ *vec.Row64, _ *vec.Span) bool { return f(m) })
}

// Owner has the asynchronous operations of the block whose shared memory the access at work goes to, nil for its own.
func (w *Warp) Owner() *async.Block {
	if o := w.Env.owner; o != nil {
		return &o.Async
	}
	return nil
}

// Rank returns the asynchronous operations of a block of the cluster, nil where it has ended; exists is false for none.
func (e *Env) Rank(rank uint64) (to *async.Block, exists bool) {
	c := e.Cluster
	switch {
	case c == nil && rank == 0:
		return &e.Async, true
	case c == nil:
		return nil, false
	case rank >= uint64(len(c.Blocks)):
		return nil, false
	case c.Blocks[rank] == nil:
		return nil, true
	}
	return &c.Blocks[rank].Async, true
}

// OwnerEnded refuses an access to the shared memory of a block that has ended
// (CUDA C++ Programming Guide, "Distributed Shared Memory": all blocks must
// exist while their shared memory is accessed).
func (w *Warp) OwnerEnded(op *program.Mem, m uint32, addr *vec.Row64, rank uint64) bool {
	l := vec.Lowest(m)
	f := w.accessFault(trace.FaultOutOfBounds, trace.CauseClusterEnded, op, trace.SpaceShared, l, m, addr[l]&(mem.ClusterStride-1))
	f.Message = fmt.Sprintf("%s of %d bytes of the shared memory of block rank %d of the cluster, which has exited", op.Site.Kind, f.Size, rank)
	f.Notes = append(f.Notes, "a block must not exit before the others of its cluster have accessed its shared memory: a cluster barrier at its end prevents this")
	return false
}
