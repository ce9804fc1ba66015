package bank

// End is for trace.BlockObserver.
func (b *blockObserver) End() {
	if b.before == nil || !b.exemplar.Wanted(b.block.Index) {
		return
	}
	var did []siteCounts
	for id, n := range b.totals() {
		if id < len(b.before) {
			n = n.minus(&b.before[id])
		}
		if n.requests > 0 {
			did = append(did, siteCounts{id, n})
		}
	}
	b.exemplar.Choose(b.block, did)
}

// addSpared adds what the blocks did that were not watched, and names the lowest
// of those that are equivalent where another was recorded: which ones were watched
// depends on how many run at once.
func (o *launchObserver) addSpared() {
	x := o.exemplar.Close()
	if x == nil {
		return
	}
	for _, b := range o.blocks {
		for _, s := range b.sites {
			if s == nil {
				continue
			}
			if o.exemplar.StandsFor(s.worst.block) {
				s.worst.block = x.Lowest
			}
			if o.exemplar.StandsFor(s.crowd.Block) {
				s.crowd.Block = x.Lowest
			}
			if o.exemplar.StandsFor(s.sample.Block) {
				s.sample.Block = x.Lowest
			}
		}
	}
	for i := range x.Seen {
		s := siteStat{}
		s.plus(&x.Seen[i].counts, x.Ran)
		o.kernel.add(o.launch, o.launch.Sites[x.Seen[i].id], &s)
	}
}
