package shared

import (
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Detector finds races in the shared memory of one launch.
type Detector struct {
	config *evidence.Config
	launch *trace.Launch
	sites  []hb.Site
	// synchronizes: strong operations may order others; global: they may do so in global
	// memory, sharesWords: other blocks' may too, which run in turn.
	synchronizes, global, sharesWords bool
	// async: asynchronous operations may access shared memory; clusters: or threads of
	// other blocks.
	async, clusters bool
	// tensor: they may access tensor memory.
	tensor bool
	// relaxed: they may hand it to each other by relaxed operations, so that its fences matter.
	relaxed bool
	// tracks: arrivals at mbarriers may wait for copies (cp.async), and release what these have written alone.
	tracks bool
	// running are the blocks at work of clusters, by their number.
	running map[uint64]*neighbors
	// words are the release sequences of a launch that shares them.
	words *hb.Words
	// exemplar stands for equivalent blocks.
	exemplar *check.Exemplar[uint64]
	mu       sync.Mutex
	blocks   []*blockObserver
}

// New returns the detector of a launch, nil where nothing can race there. exemplars spare
// blocks that need not be watched.
func New(c *evidence.Config, l *trace.Launch, exemplars *check.Exemplars[uint64]) *Detector {
	if l.SharedStatic == 0 && l.SharedDynamic == 0 && len(l.Shared) == 0 {
		return nil
	}
	if !slices.ContainsFunc(l.Sites, MayWrite) {
		return nil
	}
	d := &Detector{config: c, launch: l, sites: c.Sites(l)}
	d.async = c.Model != check.Threads && slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Op.IsAsync() })
	d.tensor = d.async && slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Space == trace.SpaceTensor })
	d.relaxed = d.tensor && slices.ContainsFunc(l.Sites, mayRelax)
	d.clusters = c.Model != check.Threads && l.ClusterSize() > 1
	d.tracks = slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Op.Kind == inst.CopyArrive })
	d.synchronizes = c.Model != check.Threads && (d.async || d.clusters || hb.MaySynchronize(l) || d.mayPoll())
	d.global = d.synchronizes && slices.ContainsFunc(l.Sites, func(s *trace.Site) bool {
		return s.Size > 0 && hb.StrengthOf(s) != hb.Weak && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric)
	})
	if d.sharesWords = d.global && l.Ordered; d.sharesWords {
		d.words = hb.NewWords()
	}
	if !d.synchronizes {
		d.exemplar = exemplars.Of(l, c.Model == check.Lockstep)
	}
	return d
}

// mayPoll reports whether threads may poll a flag in shared memory: one that is written there by a volatile or relaxed operation,
// with a loop that waits by such a read. Without fences it orders nothing, but is why the data behind it races.
func (d *Detector) mayPoll() bool {
	var polls, writes bool
	for i, s := range d.launch.Sites {
		if s.Space == trace.SpaceShared || s.Space == trace.SpaceGeneric {
			polls = polls || d.sites[i].Polls
			writes = writes || s.Kind.Writes() && d.sites[i].Strength != hb.Weak
		}
	}
	return polls && writes
}

// mayRelax reports whether threads may synchronize at a site by a relaxed operation.
func mayRelax(s *trace.Site) bool {
	switch s.Op.Kind {
	case inst.MBarrierArrive, inst.MBarrierTest:
		return s.Order == trace.OrderRelaxed
	case inst.ClusterArrive:
		return true
	case inst.Load, inst.Store, inst.Atomic:
		return hb.IsStrong(s) && (s.Kind == trace.Read && s.Order < trace.OrderAcquire || s.Kind.Writes() && s.Order < trace.OrderAcqRel)
	}
	return false
}

// MayWrite reports whether a site may write shared memory.
func MayWrite(s *trace.Site) bool {
	return s.Kind.Writes() && (s.Size > 0 || s.Op.IsAsync()) && (s.Space == trace.SpaceShared || s.Space == trace.SpaceGeneric || s.Space == trace.SpaceTensor)
}

// Observer returns what the detector wants of the launch.
func (d *Detector) Observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Spares: d.exemplar.Spares, End: d.End,
		Block: func() *trace.BlockObserver { return d.newBlock().observer() }}
}

// barriersOnly is a detector of the same launch in which nothing but barriers orders threads.
func (d *Detector) barriersOnly(exemplars *check.Exemplars[uint64]) *Detector {
	return &Detector{config: d.config, launch: d.launch, sites: d.sites, exemplar: exemplars.Of(d.launch, d.config.Model == check.Lockstep)}
}

func (d *Detector) newBlock() *blockObserver {
	b := &blockObserver{syncState: syncState{launch: d, model: d.config.Model}, pairs: map[evidence.Key]*evidence.Pair{}}
	d.mu.Lock()
	d.blocks = append(d.blocks, b)
	d.mu.Unlock()
	return b
}

// count adds the launch's accesses to the statistics; apart are those of blocks
// that no other stands for. Blocks that ran before the exemplar ended count as
// spared, so that the numbers do not depend on how many run at once.
func (d *Detector) count(accesses, apart uint64) {
	watched, pruned := accesses, uint64(0)
	switch x := d.exemplar.Close(); {
	case x == nil:
	case x.Before:
		watched, pruned = apart, x.Alike*x.Seen
	default:
		watched, pruned = apart+x.Seen, (x.Alike-1)*x.Seen
	}
	s := &d.config.Stats
	s.SharedWatched += watched
	s.SharedPruned += pruned
	s.NoteShared(d.launch, pruned > 0)
}

// found reports whether the block observers have found anything that may be a race, or could
// not remember all.
func (d *Detector) found() bool {
	return slices.ContainsFunc(d.blocks, func(b *blockObserver) bool { return len(b.pairs) > 0 || b.shadow.full })
}

// End merges what the block observers found and reports it.
func (d *Detector) End() {
	run := &evidence.Run{Launch: d.launch, Shared: true, Sites: d.sites, Pairs: map[evidence.Key]*evidence.Pair{}, Single: make([]bool, len(d.sites))}
	lifetimes := map[lifetimeKey]*evidence.Lifetime{}
	incomplete, accesses, apart := false, uint64(0), uint64(0)
	most := make([]evidence.Lanes, len(d.sites))
	for _, b := range d.blocks {
		incomplete = incomplete || b.shadow.full
		accesses += b.accesses
		apart += b.apart
		run.Visits.Merge(b.visits)
		for k, p := range b.pairs {
			if q := run.Pairs[k]; q != nil {
				q.Merge(p)
			} else {
				run.Pairs[k] = p
			}
		}
		for k, l := range b.lifetimes {
			if x := lifetimes[k]; x != nil {
				x.Merge(l)
			} else {
				lifetimes[k] = l
			}
		}
		for i, n := range b.singles {
			most[i] = max(most[i], n)
		}
	}
	for i, n := range most {
		run.Single[i] = n == evidence.Alone
	}
	if incomplete {
		d.config.Stats.Incomplete++
	}
	d.count(accesses, apart)
	d.config.Report(run)
	for _, l := range lifetimes {
		l.Launch = d.launch
		d.config.ReportLifetime(l)
	}
	d.blocks = nil
}
