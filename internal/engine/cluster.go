package engine

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// startCluster starts the blocks of a thread block cluster, on one worker. Kernels that
// use instructions of clusters without having any run in clusters of one block.
func (r *run) startCluster(idle *[]*block, number uint64) []*block {
	n := r.launch.ClusterSize()
	c := &group{kind: trace.ClusterGroup, blocks: make([]*block, n)}
	env := &warp.Cluster{Blocks: make([]*warp.Env, n)}
	for rank := range n {
		i := r.launch.BlockOf(number, rank)
		b := r.slot(idle, i)
		b.start(i)
		b.groups[trace.ClusterGroup].join(b, c, int(rank))
		b.env.Cluster, env.Blocks[rank] = env, b.env
	}
	return slices.Clone(c.blocks)
}
