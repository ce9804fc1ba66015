package bank

// keptInterval is what one interval adds to the sites that it executes, and
// how often it was repeated. A repetition comes after the interval in the
// order of blocks, so that it is never the worst instance.
type keptInterval struct {
	times uint64
	sites []siteCounts
}

// siteCounts are numbers of the site with the ID.
type siteCounts struct {
	id int
	counts
}

// Settled is for trace.IntervalObserver: every interval can be repeated.
func (b *blockObserver) Settled() bool { return true }

// Keep is for trace.IntervalObserver.
func (b *blockObserver) Keep() int32 {
	k := keptInterval{}
	for _, id := range b.touched {
		s := b.sites[id]
		k.sites = append(k.sites, siteCounts{id, s.counts.minus(&s.before)})
	}
	b.kept = append(b.kept, k)
	return int32(len(b.kept) - 1)
}

// Repeat is for trace.IntervalObserver.
func (b *blockObserver) Repeat(token int32) { b.kept[token].times++ }

// totals returns the counts by site, with those of repeated intervals.
func (b *blockObserver) totals() []counts {
	all := make([]counts, len(b.sites))
	for id, s := range b.sites {
		if s != nil {
			all[id] = s.counts
		}
	}
	for i := range b.kept {
		k := &b.kept[i]
		for j := range k.sites {
			all[k.sites[j].id].plus(&k.sites[j].counts, k.times)
		}
	}
	return all
}

// minus returns the difference of s and what it was before.
func (s *counts) minus(before *counts) counts {
	d := counts{
		Contention: s.Contention.Minus(&before.Contention),
		requests:   s.requests - before.requests, conflicts: s.conflicts - before.conflicts,
		passes: s.passes - before.passes, ideal: s.ideal - before.ideal,
		instances: s.instances - before.instances, mixed: s.mixed - before.mixed,
	}
	for i := range d.byDegree {
		d.byDegree[i] = s.byDegree[i] - before.byDegree[i]
	}
	return d
}
