package race

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/diagnose"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/global"
	"github.com/warpgrind/warpgrind/internal/check/race/shared"
	"github.com/warpgrind/warpgrind/internal/check/race/work"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// checker wires the detectors of a run to the diagnoses.
type checker struct {
	config  evidence.Config
	set     finding.Set
	history global.History
	looks   shared.History
	work    *work.Detector
	// predictor executes launches in other orders, holds has that of one launch, of which held is the detector.
	predictor *predictor
	holds     check.Holds
	held      *global.Detector
	// texts gives the static form of kernels, nil for none; facts is what was found in them.
	texts func(module, kernel string) *ssa.Func
	facts map[string]*guards.Facts
	// exemplars spare blocks whose shared memory need not be watched; of those that
	// are they count the accesses.
	exemplars *check.Exemplars[uint64]
}

// New makes the checker.
func New(cfg check.Config) check.Checker {
	c := &checker{holds: cfg.Holds, texts: cfg.Text, facts: map[string]*guards.Facts{}, exemplars: check.NewExemplars[uint64](cfg)}
	d := diagnose.New(&c.config)
	c.config = evidence.Config{
		Model: cfg.RaceModel, Policy: cfg.RacePolicy, Private: cfg.Private, Facts: c.factsOf,
		Report: func(run *evidence.Run) map[evidence.Key]bool {
			fs, reported := d.Launch(run)
			for _, f := range fs {
				c.set.Add(f)
			}
			return reported
		},
		ReportStale:    func(p *evidence.Stale) { c.set.Add(d.Stale(p)) },
		ReportLifetime: func(l *evidence.Lifetime) { c.set.Add(d.Lifetime(l)) },
	}
	c.predictor = newPredictor(cfg.Predict, &c.config, &c.set)
	c.work = work.New(&c.config, func(p *evidence.WorkPair) { c.set.Add(d.Work(p)) })
	return c
}

// plan is that of a launch in the run.
func (c *checker) plan(l *trace.Launch) (p global.Plan) {
	if len(c.holds.List) > 0 && c.holds.Launch == l.ID {
		p.Full, p.Holds = true, c.holds.List
	}
	return p
}

// factsOf returns what a launch's kernel decides by reading memory, nil where that
// is unknown.
func (c *checker) factsOf(l *trace.Launch) *guards.Facts {
	if c.texts == nil {
		return nil
	}
	k := l.Module + " " + l.Kernel
	x, ok := c.facts[k]
	if !ok {
		if f := c.texts(l.Module, l.Kernel); f != nil {
			x = guards.Find(f)
		}
		c.facts[k] = x
	}
	return x
}

func (c *checker) Findings() []*finding.Finding {
	c.work.Settle()
	return c.set.Sorted()
}

// Statistics returns what the run was checked with.
func (c *checker) Statistics() any {
	s := c.config.Stats.Numbers()
	s.RaceModel = c.config.Model.String()
	return s
}

// Remarks tells which holds had no effect.
func (c *checker) Remarks() (list []string) {
	switch {
	case len(c.holds.List) == 0:
	case c.held == nil:
		list = append(list, fmt.Sprintf("--schedule %v: no launch %d ran whose blocks access memory that they share", c.holds, c.holds.Launch))
	default:
		for _, h := range c.held.Unreached() {
			list = append(list, fmt.Sprintf("--schedule %v: warp %d of block %d did not come to its operation %d", c.holds, h.Warp, h.Block, h.Operation))
		}
	}
	return list
}

// Observer observes launches, and what orders them, transfers and accesses of host code.
func (c *checker) Observer() *trace.Observer {
	o := c.work.Observer(!c.config.Policy.Host.Allow)
	o.Launch = c.Launch
	return o
}

// Launch watches kernels that write to shared or global memory; in others
// nothing can race.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	var all []*trace.LaunchObserver
	if s := c.looks.Observer(shared.New(&c.config, l, c.exemplars), c.exemplars); s != nil {
		all = append(all, s)
	}
	g := global.New(&c.config, &c.history, l, c.work.Parent(l), c.plan(l))
	if g != nil {
		all = append(all, g.Observer())
		if len(c.holds.List) > 0 && c.holds.Launch == l.ID {
			c.held = g
		}
	}
	if p := c.predictor.launch(l, g); p != nil {
		all = append(all, p)
	}
	c.config.Stats.NoteGlobal(l, g.Watches)
	if r := global.NewStale(&c.config, l, g); r != nil {
		all = append(all, r.Observer())
	}
	if o := c.work.Launch(l); o != nil {
		all = append(all, o)
	}
	if slices.ContainsFunc(l.Sites, evidence.OnGlobal) {
		all = append(all, &trace.LaunchObserver{End: func() { c.config.Stats.NoteAccesses(l) }})
	}
	return all
}
