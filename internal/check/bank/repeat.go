package bank

// keptInterval is what one interval adds to the sites that it executes, and
// how often it was repeated. A repetition comes after the interval in the
// order of blocks, so that it is never the worst instance.
type keptInterval struct {
	times uint64
	sites []keptSite
}

type keptSite struct {
	id    int
	added counts
}

// Settled implements trace.IntervalObserver: every interval can be repeated.
func (b *blockObserver) Settled() bool { return true }

// Keep implements trace.IntervalObserver.
func (b *blockObserver) Keep() int32 {
	k := keptInterval{}
	for _, id := range b.touched {
		s := b.sites[id]
		k.sites = append(k.sites, keptSite{id, s.counts.minus(&s.before)})
	}
	b.kept = append(b.kept, k)
	return int32(len(b.kept) - 1)
}

// Repeat implements trace.IntervalObserver.
func (b *blockObserver) Repeat(token int32) { b.kept[token].times++ }

// addRepeated adds what the repeated intervals did.
func (b *blockObserver) addRepeated() {
	for _, k := range b.kept {
		for i := range k.sites {
			b.sites[k.sites[i].id].plus(&k.sites[i].added, k.times)
		}
	}
	b.kept = nil
}

// minus returns the difference of s and what it was before.
func (s *counts) minus(before *counts) counts {
	d := counts{
		requests: s.requests - before.requests, conflicts: s.conflicts - before.conflicts,
		passes: s.passes - before.passes, ideal: s.ideal - before.ideal,
		instances: s.instances - before.instances, mixed: s.mixed - before.mixed,
	}
	for i := range d.byDegree {
		d.byDegree[i] = s.byDegree[i] - before.byDegree[i]
	}
	return d
}
