package engine

import "github.com/warpgrind/warpgrind/internal/trace"

// defaultResident is how many blocks a worker keeps going at once when they
// wait for each other. It bounds memory.
const defaultResident = 128

// maxPortion bounds the blocks that a worker takes at a time. Tests let workers of small launches take more
// than one.
const maxPortion = 64

var leastPortion uint64 = 1

// portion is blocks that a worker has taken and not begun. There is always
// room for them among its resident ones. worker is its number.
type portion struct {
	from, to uint64
	worker   int
	// resting counts the worker's blocks that rest; see trace.BlockObserver.Rests.
	resting int
}

// residentPerWorker shares the blocks that a device keeps at once among the
// workers.
func residentPerWorker(device, workers int) int {
	if device <= 0 {
		return defaultResident
	}
	return max((device+workers-1)/workers, 1)
}

// more reports whether the worker could start another block.
func (r *run) more(mine *portion, active int) bool {
	return active+mine.resting+int(r.launch.ClusterSize()) <= r.resident && (mine.from < min(mine.to, r.units) || r.next.Load() < r.units)
}

// holdsBack reports whether the last block of a grid has to wait until all others
// can only wait, or have ended: those that continue without it, although they
// need what it does, then do so while it has done nothing.
func (r *run) holdsBack(mine *portion, waits, active int) bool {
	if !r.launch.Ordered || waits >= active {
		return false
	}
	next := mine.from
	if mine.from == mine.to {
		next = r.next.Load()
	}
	return next == r.units-1
}

// cancelNext takes the next block of the grid, or the next cluster, that no worker has taken, and
// does not start it. Launches that cancel have one worker.
func (r *run) cancelNext() (first trace.Dim3, ok bool) {
	i := r.next.Load()
	if i >= r.units {
		return first, false
	}
	r.next.Store(i + 1)
	i = r.e.cfg.Schedule.block(i, r.units, r.launch.ID)
	if r.only != nil {
		i = r.only[i]
	}
	r.passed(r.launch.ClusterSize())
	return r.launch.Grid.At(r.launch.BlockOf(i, 0)), true
}

// take starts the next block of the grid, or all blocks of the next cluster, in free slots,
// and adds them to those that are active. While blocks wait it opens more of them, up to the
// limit.
func (r *run) take(mine *portion, idle *[]*block, active []*block) []*block {
	size := int(r.launch.ClusterSize())
	if len(active)+mine.resting+size > r.resident || r.hung.Load() {
		return active
	}
	if mine.from == mine.to {
		n := min(r.portion, uint64((r.resident-len(active)-mine.resting)/size))
		mine.to = r.next.Add(n)
		mine.from = mine.to - n
	}
	i := mine.from
	if i >= r.units || !r.mayBegin(i, active) {
		return active
	}
	mine.from++
	i = r.e.cfg.Schedule.block(i, r.units, r.launch.ID)
	if r.only != nil {
		i = r.only[i]
	}
	if size > 1 || r.prog.Clusters {
		return append(active, r.startCluster(idle, i)...)
	}
	b := r.slot(idle, i)
	b.mine, b.env.Block.Worker = mine, mine.worker
	b.start(i)
	return append(active, b)
}
