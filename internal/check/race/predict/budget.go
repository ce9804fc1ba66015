package predict

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Budget is the work that a run may spend on other orders. It is counted in warp instructions and bytes,
// not in time, so that equal runs try the same.
type Budget struct {
	how  check.Prediction
	left float64
}

// The first executions are for nothing beside compiling a program; what follows has to be earned by the run's own
// work. An execution with a full history takes much longer than the run's, whose code is generated.
const (
	startWork  = 80_000
	startDeep  = 1 << 30
	kernelWork = 10_000 // for each kernel: it had to be compiled
	earnedWork = 1. / 400
	earnedDeep = 2
	// perByte is the work of copying a byte.
	perByte = 1. / 256
	// perFollowed is the work of a clock that a thread's strong access may join.
	perFollowed = 16
	// shareOfBlocks is the part of what is left that one execution may take.
	shareOfBlocks = 16
	// leastBlocks run in any case: two to see them in both orders, and neighbors.
	leastBlocks = 4
)

// NewBudget is that of a run.
func NewBudget(how check.Prediction) Budget {
	b := Budget{how: how, left: startWork}
	if how == check.PredictDeep {
		b.left = startDeep
	}
	return b
}

func cost(w trace.Work) float64 { return float64(w.WarpInstrs) + perByte*float64(w.Bytes) }

// Earn adds what a launch of the run earns.
func (b *Budget) Earn(w trace.Work) {
	if b.how == check.PredictDeep {
		b.left += earnedDeep * cost(w)
	} else {
		b.left += earnedWork * cost(w)
	}
}

// Meet adds what a kernel earns that the run has not had.
func (b *Budget) Meet() { b.left += kernelWork }

// Spend takes away what an execution has cost, in which so many strong accesses of threads were followed.
func (b *Budget) Spend(w trace.Work, followed uint64) {
	b.left -= cost(w) + perFollowed*float64(followed)
}

// Spent reports whether nothing is left.
func (b *Budget) Spent() bool { return b.left <= 0 }

// Limit is the warp instructions that one execution may take.
func (b *Budget) Limit() uint64 { return uint64(max(b.left/6, 1)) }

// Depth is how many operations ahead of an access are tried as that which begins what it is part of.
func (b *Budget) Depth() int {
	if b.how == check.PredictDeep {
		return 8
	}
	return 4
}

// Blocks are the blocks of a launch that an execution can afford, nil for all.
func (b *Budget) Blocks(l *trace.Launch, did trace.Work) []uint64 {
	n := l.Grid.Size()
	if cost(did)*shareOfBlocks <= b.left || l.GridWorkspace != 0 || l.ClusterSize() > 1 {
		return nil
	}
	may := max(uint64(float64(n)*b.left/(shareOfBlocks*cost(did))), leastBlocks)
	if may >= n {
		return nil
	}
	out := make([]uint64, may)
	for i := range out {
		out[i] = uint64(i)
	}
	return out
}
