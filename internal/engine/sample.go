package engine

// Sample chooses the blocks that observers see. The zero Sample is all.
type Sample struct {
	// Every is N where one block in N is seen, Blocks how many blocks of each
	// launch are, evenly spread. At most one of them is not 0.
	Every, Blocks uint64
}

// has reports whether block i of n is seen. The first one always is, and the
// last of a number of blocks, since they are where grids have their edges.
func (s Sample) has(i, n uint64) bool {
	switch {
	case s.Every > 1:
		return i%s.Every == 0
	case s.Blocks == 1:
		return i == 0
	case s.Blocks > 1 && s.Blocks < n:
		// Is i one of k*(n-1)/(Blocks-1), rounded down?
		k := (i*(s.Blocks-1) + n - 2) / (n - 1)
		return k*(n-1)/(s.Blocks-1) == i
	}
	return true
}

// count is how many of n blocks are seen.
func (s Sample) count(n uint64) uint64 {
	switch {
	case s.Every > 1:
		return (n + s.Every - 1) / s.Every
	case s.Blocks > 0:
		return min(s.Blocks, n)
	}
	return n
}

// observed is how many of the launch's blocks are seen.
func (r *run) observed() (n uint64) {
	if r.only == nil {
		return r.e.cfg.Sample.count(r.total)
	}
	for _, unit := range r.only {
		for rank := range r.launch.ClusterSize() {
			if r.e.cfg.Sample.has(r.launch.BlockOf(unit, rank), r.total) {
				n++
			}
		}
	}
	return n
}

// slot returns a free slot for block i, with the observers that see it.
func (r *run) slot(idle *[]*block, i uint64) *block {
	seen := r.seers(i)
	for k := len(*idle) - 1; k >= 0; k-- {
		if b := (*idle)[k]; b.seen == seen {
			*idle = append((*idle)[:k], (*idle)[k+1:]...)
			return b
		}
	}
	return newBlock(r, seen)
}

// seers are observers of a launch, a bit for each by its place among them. No
// launch has as many as 64.
type seers uint64

func (s seers) has(k int) bool { return s>>k&1 != 0 }

// seers are the observers that see block i.
func (r *run) seers(i uint64) (s seers) {
	if !r.e.cfg.Sample.has(i, r.total) {
		return 0
	}
	for k, o := range r.observers {
		if o.Spares == nil || !o.Spares(i) {
			s |= 1 << k
		}
	}
	return s
}
