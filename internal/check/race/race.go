package race

import (
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(cfg check.Config) check.Checker { return &checker{model: cfg.RaceModel} }

type checker struct {
	model check.RaceModel
	set   finding.Set
	stats Statistics
	// field is the history of global memory, launches how many used it.
	field    field
	launches uint32
}

// Statistics are the rule's numbers for a run.
type Statistics struct {
	// RaceModel is the model that was used.
	RaceModel string `json:"race_model"`
	// Incomplete counts launches in which some accesses were too many to
	// remember, so that a race may have been missed.
	Incomplete int `json:"incomplete_launches"`
}

func (c *checker) Findings() []*finding.Finding { return c.set.Sorted() }

// Statistics returns what the run was checked with.
func (c *checker) Statistics() any {
	s := c.stats
	s.RaceModel = c.model.String()
	return s
}

// Launch watches kernels that write to shared or global memory; in others
// nothing can race.
func (c *checker) Launch(l *trace.Launch) trace.LaunchObserver {
	s, g := c.shared(l), newGlobal(c, l)
	switch {
	case s == nil && g == nil:
		return nil
	case s == nil:
		return g
	}
	s.global = g
	return s
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
	o := &launchObserver{checker: c, launch: l, strong: make([]bool, len(l.Sites))}
	for i, s := range l.Sites {
		o.strong[i] = isStrong(s)
	}
	o.handsOver = c.model != check.Threads && handsOver(l)
	return o
}

func mayWriteShared(s *trace.Site) bool {
	return s.Kind.Writes() && s.Size > 0 && (s.Space == trace.SpaceShared || s.Space == trace.SpaceGeneric)
}

type launchObserver struct {
	checker *checker
	launch  *trace.Launch
	// strong says of each site whether it is a strong operation; handsOver
	// that strong operations may order others.
	strong    []bool
	handsOver bool
	mu        sync.Mutex
	blocks    []*blockObserver
	// global watches global memory, nil for none.
	global *globalLaunch
}

// Companion implements trace.Accompanied.
func (o *launchObserver) Companion() trace.LaunchObserver {
	if o.global == nil {
		return nil
	}
	return o.global
}

func (o *launchObserver) Events() trace.Events {
	e := trace.SharedAccess | trace.Barriers | trace.WarpSyncs
	if o.handsOver {
		e |= trace.Fences
	}
	return e
}

func (o *launchObserver) NewBlock() trace.BlockObserver {
	b := &blockObserver{launch: o, model: o.checker.model, pairs: map[pairKey]*pair{}}
	o.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.mu.Unlock()
	return b
}

func (o *launchObserver) Fault(*trace.Fault) {}

// End merges what the block observers found.
func (o *launchObserver) End() {
	all := map[pairKey]*pair{}
	incomplete := false
	for _, b := range o.blocks {
		incomplete = incomplete || b.shadow.full
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
	for k, p := range all {
		o.checker.set.Add(o.finding(k, p))
	}
	o.blocks = nil
}

// merge adds what another slot saw of the same pair.
func (p *pair) merge(o *pair) {
	p.different = p.different || o.different
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
