package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/diagnose"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/global"
	"github.com/warpgrind/warpgrind/internal/check/race/predict"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// predictor executes launches again, in orders in which accesses may race that their run has
// ordered. See package predict.
type predictor struct {
	config *evidence.Config
	found  *finding.Set
	budget predict.Budget
	// tried counts the launches of a kernel for which orders were tried.
	tried map[string]int
}

// triesOfKernel bounds the launches of a kernel with one shape for which orders are tried.
const triesOfKernel = 2

// newPredictor returns nil if nothing is to be predicted.
func newPredictor(how check.Prediction, c *evidence.Config, found *finding.Set) *predictor {
	if how == check.PredictOff {
		return nil
	}
	return &predictor{config: c, found: found, budget: predict.NewBudget(how), tried: map[string]int{}}
}

// launch observes a launch of which g is the detector, nil if there is nothing to try.
func (p *predictor) launch(l *trace.Launch, g *global.Detector) *trace.LaunchObserver {
	if p == nil || g == nil || !l.Repeatable || !g.InTurn() {
		return nil
	}
	t := &trials{predictor: p, launch: l, first: g}
	return &trace.LaunchObserver{Trial: t.next, End: t.end}
}

// trials are those of one launch.
type trials struct {
	*predictor
	launch *trace.Launch
	first  *global.Detector
	begun  bool
	// blocks are those that run, nil for all.
	blocks []uint64
	// log is of the execution in the order of the run, orders are those to try behind it.
	log    *predict.Log
	orders []predict.Order
	// shown are the pairs of sites that were found to race; races are their findings.
	shown map[evidence.Key]bool
	races finding.Set
}

// next is the next execution of the launch, nil for none.
func (t *trials) next(did trace.Work) *trace.Trial {
	if !t.begun {
		t.begun = true
		t.budget.Earn(did)
		if !t.first.Predictable() || !t.worthwhile() {
			return nil
		}
		if t.blocks = t.budget.Blocks(t.launch, did); t.budget.Spent() {
			return nil
		}
		t.log, t.shown = predict.NewLog(), map[evidence.Key]bool{}
		return t.trial(predict.Order{})
	}
	if t.log == nil {
		return nil
	}
	if t.log.Some() {
		t.orders, t.log = t.log.Orders(t.budget.Depth()), predict.NewLog()
	}
	for len(t.orders) > 0 && !t.budget.Spent() {
		o := t.orders[0]
		if t.orders = t.orders[1:]; !t.shown[o.Pair] {
			return t.trial(o)
		}
	}
	return nil
}

// worthwhile reports whether orders are to be tried for the launch, after those of the same kernel and
// shape.
func (t *trials) worthwhile() bool {
	l := t.launch
	id := fmt.Sprint(l.Module, " ", l.Kernel, l.Grid, l.Block)
	if t.tried[id]++; t.tried[id] == 1 {
		t.budget.Meet()
	}
	return t.tried[id] <= triesOfKernel
}

// trial executes the launch in an order.
func (t *trials) trial(o predict.Order) *trace.Trial {
	c := &evidence.Config{Model: t.config.Model, Policy: t.config.Policy, Facts: t.config.Facts, Private: t.config.Private,
		ReportStale: func(*evidence.Stale) {}}
	d := diagnose.New(c)
	c.Report = func(run *evidence.Run) map[evidence.Key]bool {
		fs, reported := d.Launch(run)
		for _, f := range fs {
			if f.Level == finding.Error {
				if len(o.Holds) > 0 {
					f.Schedule = check.Holds{Launch: t.launch.ID, List: o.Holds}.String()
				}
				f.Notes = append(f.Notes, t.notes(o)...)
				t.races.Add(f)
			}
		}
		for k := range reported {
			t.shown[k] = true
		}
		return reported
	}
	plan := global.Plan{Full: true, Holds: o.Holds}
	if len(o.Holds) == 0 {
		plan.Log = t.log
	}
	g := global.New(c, &global.History{}, t.launch, nil, plan)
	return &trace.Trial{Observers: []*trace.LaunchObserver{g.Observer()}, Blocks: t.blocks, Limit: t.budget.Limit(),
		End: func(w trace.Work) { t.budget.Spend(w, g.Followed()) }}
}

// notes tell in which order a race was seen.
func (t *trials) notes(o predict.Order) (notes []string) {
	which := "the launch was"
	if t.blocks != nil {
		which = fmt.Sprintf("%d of the launch's blocks were", len(t.blocks))
	}
	for i, h := range o.Holds {
		at := ""
		if s := o.At[i]; s.Loc.IsValid() {
			at = " at " + s.Loc.Pos.String()
		}
		b := t.launch.Grid.At(uint64(h.Block))
		then := fmt.Sprintf("block (%d,%d,%d) paused before the operation%s", b.X, b.Y, b.Z, at)
		if i == 0 {
			notes = append(notes, fmt.Sprintf("the order of this run hid the race; it was seen when %s run again and %s until the others had ended or waited", which, then))
		} else {
			notes = append(notes, then+", too")
		}
	}
	if len(o.Holds) == 0 {
		return []string{fmt.Sprintf("the order of this run hid the race; it was seen when %s run again, before others began", which)}
	}
	return append(notes, "to run in that order: --schedule "+check.Holds{Launch: t.launch.ID, List: o.Holds}.String())
}

// end adds the races that the run has not found.
func (t *trials) end() {
	for _, f := range t.races.Sorted() {
		if !t.found.Has(f) {
			t.found.Add(f)
		}
	}
}
