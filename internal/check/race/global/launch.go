package global

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/check/race/predict"
	"github.com/warpgrind/warpgrind/internal/check/race/shared"
	"github.com/warpgrind/warpgrind/internal/check/race/work"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// History is that of global memory in a run: those that no launch uses now. A launch that
// waits for its child grids, or for other launches, keeps its own.
type History struct {
	fields   []*field
	launches uint32 // that have used them
	// states are those of quick looks, turns are such at blocks that run in turn.
	states []*states
	turns  []*turns
	// suspects are the kernels of which a quick look has suspected a launch.
	suspects map[[2]string]bool
	// twice are the kernels that have accessed a unit twice in a launch with a quick look; touched
	// is for slots of which none has.
	twice   map[[2]string]bool
	touched []*touched
	mu      sync.Mutex // of touched, which slots take
}

func (h *History) take() *field {
	n := len(h.fields) - 1
	if n < 0 {
		return new(field)
	}
	f := h.fields[n]
	h.fields = h.fields[:n]
	return f
}

// Detector finds races in the global memory of one launch.
type Detector struct {
	config  *evidence.Config
	history *History
	launch  *trace.Launch
	sites   []hb.Site
	// rivals tells which of them may conflict.
	rivals *rivals
	// watched are the sites whose accesses can race.
	watched []bool
	// used has by site and warp the lanes whose reads count; see findReplicas.
	used [][]uint32
	// synchronizes: strong operations may order accesses. inTurn: they may do so between
	// blocks, which then run one at a time, and races between them are found as they come;
	// otherwise nothing orders blocks, and they are compared at the end.
	synchronizes, inTurn bool
	// proxied: operations of other proxies access what threads may write; proxies has the fences
	// between them where blocks run in turn.
	proxied bool
	proxies *proxies
	// stores: threads may access what bulk stores write; bulk has these where blocks run in turn.
	stores bool
	bulk   *bulkStores
	// quick is set where a quick look comes first, else nil.
	quick *quick
	// clusters: blocks access each other's shared memory; running has the clusters that run.
	clusters bool
	running  map[uint64]*cluster
	// grid is the grid's barrier.
	grid   hb.GroupBarrier
	number uint32 // of the launches whose global memory is watched, from 1
	field  *field
	// parent is for a grid whose threads launch child grids, else nil.
	parent *work.Parent
	words  *hb.Words
	// locks, nil for none, and released are for the reasons of races where blocks
	// may synchronize; paths has the barriers that blocks passed.
	locks    *evidence.Locks
	released map[evidence.ReleaseKey]evidence.Release
	acquired evidence.BlockAcquires
	paths    paths
	// reported are the pairs of sites that there is a finding of, when the launch has ended.
	reported map[evidence.Key]bool
	// writes counts the accesses that write, where blocks may synchronize.
	writes *uint64
	mu     sync.Mutex
	slots  []*blockObserver
	// plan is what the launch does for predictions; handed is set once what blocks acquired from each
	// other has ordered accesses.
	plan   Plan
	rests  *predict.Rests
	handed bool
	// followed counts the strong accesses of threads, when the launch has ended.
	followed uint64
	// ended counts the blocks that have ended.
	ended atomic.Uint32
}

// New returns the detector of a launch, nil where nothing can race there. parent is for a
// launch whose threads may launch child grids, nil for others.
func New(c *evidence.Config, h *History, l *trace.Launch, parent *work.Parent, plan Plan) *Detector {
	d := &Detector{config: c, history: h, launch: l, sites: c.Sites(l), watched: make([]bool, len(l.Sites)), parent: parent,
		plan: plan, rests: predict.NewRests(plan.Holds)}
	writes := false
	for i, s := range l.Sites {
		d.watched[i] = s.Size > 0 && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric)
		writes = writes || d.watched[i] && s.Kind.Writes()
	}
	freeing := frees(l)
	writes = writes || freeing
	d.clusters = l.ClusterSize() > 1
	writes = writes || d.clusters && slices.ContainsFunc(l.Sites, shared.MayWrite)
	if parent == nil && (!writes || l.Grid.Size()*l.Block.Size() < 2) || l.Grid.Size() >= 1<<32 {
		return nil
	}
	d.rivals = rivalsAmong(d.sites)
	d.stores = d.storesInBulk()
	if parent == nil && !freeing && !d.stores { // children may access what nothing else does, bulk stores end later
		d.leaveOut()
	}
	d.synchronizes = d.clusters || l.Groups[trace.GridGroup] || hb.MaySynchronize(l) || mayPoll(l)
	d.inTurn = l.Ordered && d.synchronizes
	d.running = map[uint64]*cluster{}
	d.proxied = d.crossesProxies()
	if d.inTurn {
		if d.proxied {
			d.proxies = &proxies{}
		}
		if d.stores {
			d.bulk = newBulkStores()
		}
		d.words, d.writes = hb.NewWords(), new(uint64)
		d.locks, d.released, d.acquired = evidence.NewLocks(l), map[evidence.ReleaseKey]evidence.Release{}, evidence.BlockAcquires{}
		if parent == nil && !freeing && !plan.Full {
			d.quick = d.newTurns()
		}
	} else if parent == nil && !freeing {
		d.spare()
		if !slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return d.watched[s.ID] && s.Kind.Writes() }) {
			return nil
		}
		d.quick = d.newQuick()
	}
	if d.quick == nil {
		d.beginHistory()
	}
	return d
}

// beginHistory prepares the history for the launch.
func (d *Detector) beginHistory() {
	d.history.launches++
	d.number, d.field = d.history.launches, d.history.take()
	d.field.trim(d.launch.Live)
	d.findReplicas()
}

// mayPoll reports whether a launch may poll flags in global memory: sites that
// read and that write there by volatile or relaxed operations.
func mayPoll(l *trace.Launch) bool {
	var read, write bool
	for _, s := range l.Sites {
		if s.Space == trace.SpaceShared || s.Size == 0 || s.Order == trace.OrderWeak {
			continue
		}
		read = read || s.Kind == trace.Read
		write = write || s.Kind != trace.Read
	}
	return read && write
}

// Watches reports whether a site's accesses are looked at.
func (d *Detector) Watches(site int) bool { return d != nil && d.watched[site] }

// Reported reports whether there is a finding of a pair, when the launch has ended.
func (d *Detector) Reported(k evidence.Key) bool { return d != nil && d.reported[k] }

// Observer returns what the detector wants of the launch.
func (d *Detector) Observer() *trace.LaunchObserver {
	o := &trace.LaunchObserver{Block: d.newBlock, End: d.End}
	if d.quick != nil {
		o.Again = d.again
	}
	return o
}

// strongShared reports whether strong operations may be in shared memory: generic addresses
// that come from allocations are not.
func (d *Detector) strongShared() bool {
	return slices.ContainsFunc(d.launch.Sites, func(s *trace.Site) bool {
		return s.Size > 0 && d.sites[s.ID].Strength != hb.Weak &&
			(s.Space == trace.SpaceShared || s.Space == trace.SpaceGeneric && len(allocationsOf(d.launch, s)) == 0)
	})
}

func (d *Detector) newBlock() *trace.BlockObserver {
	switch {
	case d.quick == nil || d.quick.repeated:
	case d.quick.turns != nil:
		return d.newTurnsBlock()
	default:
		return d.newQuickBlock()
	}
	return d.newBlockObserver().observer()
}

// newBlockObserver returns one that remembers accesses.
func (d *Detector) newBlockObserver() *blockObserver {
	o := &blockObserver{launch: d, order: d.config.Order(d.launch, d.sites), pairs: map[evidence.Key]*evidence.Pair{}}
	o.ticks, o.operations = make([]uint32, o.order.Warps), make([]uint32, o.order.Warps)
	o.passed = evidence.NewSyncLog(o.order.Warps)
	o.strong = make([]evidence.Lanes, len(d.sites))
	o.flags = evidence.NewFlags(o.order.Threads)
	o.proxies = d.proxies
	if d.proxied && !d.inTurn {
		o.proxies = &proxies{}
	}
	if d.inTurn {
		o.order.Words, o.writes = d.words, d.writes
		o.flags.Released = d.released
	} else if d.synchronizes {
		o.writes = new(uint64)
	}
	if o.bulk = d.bulk; d.stores && !d.inTurn {
		o.bulk = newBulkStores()
	}
	o.running.Store(noBlock)
	d.mu.Lock()
	d.slots = append(d.slots, o)
	d.mu.Unlock()
	return o
}

// runningBlocks are those that run in slots now.
func (d *Detector) runningBlocks() (list []uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.slots {
		if n := o.running.Load(); n != noBlock {
			list = append(list, n)
		}
	}
	return list
}

const noBlock = ^uint64(0)

// End compares the blocks with each other and reports what was found.
func (d *Detector) End() {
	if d.quick != nil {
		d.endQuick()
		if !d.quick.repeated {
			return
		}
	}
	run := &evidence.Run{Launch: d.launch, InTurn: d.inTurn, Sites: d.sites, Pairs: map[evidence.Key]*evidence.Pair{},
		Single: make([]bool, len(d.sites)), Released: d.released, Acquired: d.acquired, Locks: d.locks}
	incomplete := false
	for _, o := range d.slots {
		incomplete = incomplete || o.full
		d.config.Stats.GlobalWatched += o.looked
		d.followed += o.followed
		for k, p := range o.pairs {
			if q := run.Pairs[k]; q != nil {
				q.Merge(p)
			} else {
				run.Pairs[k] = p
			}
		}
		for _, l := range o.listed {
			d.compareBlocks(l, run.Pairs)
		}
	}
	if incomplete {
		d.config.Stats.Incomplete++
	}
	for i := range run.Single {
		run.Single[i] = d.single(i)
	}
	for _, p := range run.Pairs {
		d.setStarts(p.Best())
	}
	d.reported = d.config.Report(run)
	d.slots, d.words = nil, nil
	d.history.fields = append(d.history.fields, d.field)
}

// single reports whether only single threads of warps executed a strong site.
func (d *Detector) single(site int) bool {
	most := evidence.None
	for _, o := range d.slots {
		most = max(most, o.strong[site])
	}
	return most == evidence.Alone
}

// setStarts fills in which barriers began the intervals of a witness.
func (d *Detector) setStarts(w *evidence.Witness) {
	for _, a := range []*evidence.Access{&w.First, &w.Then} {
		a.Since = evidence.Start{Number: uint64(a.Interval)}
		if id, ok := d.paths.site(a.Block, a.Interval); ok {
			a.Since.Site = d.launch.Sites[id]
		}
	}
}
