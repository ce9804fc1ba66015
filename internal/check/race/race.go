package race

import (
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(cfg check.Config) check.Checker {
	return &checker{model: cfg.RaceModel, policy: cfg.RacePolicy, streams: newStreams(), grids: map[int]*kin{}, owned: cfg.Owned, texts: cfg.Text, exemplars: check.NewExemplars[uint64](cfg)}
}

type checker struct {
	model  check.RaceModel
	policy check.RacePolicy
	set    finding.Set
	stats  Statistics
	// fields are histories of global memory that no launch uses now; launches is how many
	// launches did.
	fields   []*field
	launches uint32
	// streams orders launches and transfers, running is the grid that runs, or the
	// last child of those that do.
	streams streams
	running *kin
	// grids are the launches that have not ended, by ID: each the grid that it runs.
	grids map[int]*kin
	// ending are launches that had parked and have ended since the host's last action.
	ending []*kin
	// late is what the host accessed while launches had not ended. works counts work.
	late  []lateTouch
	works int
	// dependent says that launches may begin before those before them have ended.
	dependent bool
	// hostMemory is where accesses of host code are told.
	hostMemory hostMemory
	// missing are the waits that the host lacks.
	missing missingWaits
	// owned proves what need not be watched, nil if all is to be; pruned is what is
	// known of each kernel.
	owned  func(*trace.Launch) *ownership.Proof
	pruned map[string]*pruned
	// texts gives the form of kernels for what is said of a race, nil for none; facts
	// is what was found in them.
	texts func(module, kernel string) *ssa.Func
	facts map[string]*guards.Facts
	// ways are those of the last launch that a barrier was advised for.
	ways *ways
	// accesses counts those to global memory, watched or not.
	accesses uint64
	// exemplars spare blocks whose shared memory need not be watched; of those that
	// are they tell the number of accesses.
	exemplars *check.Exemplars[uint64]
}

// Statistics are the rule's numbers for a run.
type Statistics struct {
	// RaceModel is the model that was used.
	RaceModel string `json:"race_model"`
	// Incomplete counts launches in which some accesses were too many to
	// remember, so that a race may have been missed.
	Incomplete int `json:"incomplete_launches"`
	pruneStatistics
}

func (c *checker) Findings() []*finding.Finding {
	c.settle()
	return c.set.Sorted()
}

// Statistics returns what the run was checked with.
func (c *checker) Statistics() any {
	s := c.stats
	s.RaceModel = c.model.String()
	s.pruneStatistics = c.pruning()
	return s
}

// Observer observes launches, and what orders them, transfers and accesses of host code.
func (c *checker) Observer() *trace.Observer {
	o := &trace.Observer{Launch: c.Launch, StreamOrder: c.StreamOrder, Transfer: c.Transfer, Enqueued: c.Enqueued,
		Runs: c.Runs, Parked: c.Parked, Finished: c.Finished, Freed: c.Freed, NestedBegin: c.NestedBegin, NestedOrder: c.NestedOrder, NestedEnd: c.NestedEnd}
	if !c.policy.Host.Allow {
		o.HostWatched, o.HostTouch = c.HostWatched, c.HostTouch
	}
	return o
}

// Launch watches kernels that write to shared or global memory; in others
// nothing can race.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	var all []*trace.LaunchObserver
	if s := c.shared(l); s != nil {
		all = append(all, s.observer())
	}
	g := newGlobal(c, l)
	if g != nil {
		all = append(all, g.observer())
	}
	c.noteSites(l, g)
	if r := newReadOnlyPath(c, l, g); r != nil {
		all = append(all, r.observer())
	}
	if f := c.footprints(l); f != nil {
		all = append(all, f.observer())
	}
	if slices.ContainsFunc(l.Sites, onGlobal) {
		all = append(all, &trace.LaunchObserver{End: func() { c.accesses += l.GlobalAccesses }})
	}
	return all
}

// shared returns the observer of a launch's shared memory, nil where nothing
// can race there.
func (c *checker) shared(l *trace.Launch) *launchObserver {
	if l.SharedStatic == 0 && l.SharedDynamic == 0 && len(l.Shared) == 0 {
		return nil
	}
	if !slices.ContainsFunc(l.Sites, mayWriteShared) {
		return nil
	}
	o := &launchObserver{checker: c, launch: l, sites: make([]siteInfo, len(l.Sites))}
	for i, s := range l.Sites {
		o.sites[i] = c.infoOf(s)
	}
	c.noteFlags(l, o.sites)
	o.narrow = c.narrowSwaps(l, o.sites)
	o.handsOver = c.model != check.Threads && handsOver(l)
	o.outside = o.handsOver && slices.ContainsFunc(l.Sites, func(s *trace.Site) bool {
		return isStrong(s) && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric)
	})
	if o.shares = o.outside && l.Ordered; o.shares {
		o.words = map[uint64]*sequence{}
	}
	if !o.handsOver {
		o.exemplar = c.exemplars.Of(l, c.model == check.Lockstep)
	}
	return o
}

// wordsOf are the release sequences that a block begins with.
func (o *launchObserver) wordsOf() map[uint64]*sequence {
	if o.shares {
		return o.words
	}
	return map[uint64]*sequence{}
}

// party is a block and its cluster.
func (o *launchObserver) party(b *trace.Block) party {
	cluster, _ := o.launch.ClusterOf(b.Index)
	return party{uint32(b.Index), uint32(cluster)}
}

func mayWriteShared(s *trace.Site) bool {
	return s.Kind.Writes() && s.Size > 0 && (s.Space == trace.SpaceShared || s.Space == trace.SpaceGeneric)
}

type launchObserver struct {
	checker *checker
	launch  *trace.Launch
	sites   []siteInfo
	// narrow has what compare-and-swaps of words are taken for; see narrow.go.
	narrow map[int]*trace.Site
	// handsOver says that strong operations may order others, outside that they may
	// do so in global memory, shares that other blocks' may, which run in turn.
	handsOver, outside, shares bool
	// words are the release sequences of a launch that shares them.
	words map[uint64]*sequence
	// exemplar stands for blocks that are alike.
	exemplar *check.Exemplar[uint64]
	mu       sync.Mutex
	blocks   []*blockObserver
}

func (o *launchObserver) observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Spares: o.exemplar.Spares, End: o.End,
		Block: func() *trace.BlockObserver { return o.newBlock().observer() }}
}

func (o *launchObserver) newBlock() *blockObserver {
	b := &blockObserver{launch: o, model: o.checker.model, pairs: map[pairKey]*pair{}}
	o.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.mu.Unlock()
	return b
}

// count adds the launch's accesses to the statistics; apart are those of blocks
// that no other stands for. Blocks that ran before the exemplar ended count as
// spared, so that the numbers do not depend on how many run at once.
func (o *launchObserver) count(accesses, apart uint64) {
	watched, pruned := accesses, uint64(0)
	switch x := o.exemplar.Close(); {
	case x == nil:
	case x.Before:
		watched, pruned = apart, x.Alike*x.Seen
	default:
		watched, pruned = apart+x.Seen, (x.Alike-1)*x.Seen
	}
	s := &o.checker.stats
	s.SharedWatched += watched
	s.SharedPruned += pruned
	o.checker.noteShared(o.launch, pruned > 0)
}

// End merges what the block observers found.
func (o *launchObserver) End() {
	all, ms := map[pairKey]*pair{}, visits{}
	incomplete, accesses, apart := false, uint64(0), uint64(0)
	for _, b := range o.blocks {
		incomplete = incomplete || b.shadow.full
		accesses += b.accesses
		apart += b.apart
		ms.merge(b.visits)
		for k, p := range b.pairs {
			if q := all[k]; q != nil {
				q.merge(p)
			} else {
				all[k] = p
			}
		}
	}
	if incomplete {
		o.checker.stats.Incomplete++
	}
	o.count(accesses, apart)
	for _, k := range sorted(all) {
		if f, ok := o.finding(k, all, ms); ok {
			o.checker.set.Add(f)
		}
	}
	o.blocks = nil
}

// merge adds what another slot saw of the same pair.
func (p *pair) merge(o *pair) {
	p.different = p.different || o.different
	p.awaited = p.awaited || o.awaited
	p.places.merge(o.places)
	for h := range p.count {
		for i := range p.count[h] {
			p.count[h][i] += o.count[h][i]
			a, b := p.witness[h][i], o.witness[h][i]
			if a == nil || b != nil && b.before(a) {
				p.witness[h][i] = b
			}
		}
	}
}
