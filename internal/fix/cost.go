package fix

import (
	"context"
	"encoding/json"
	"math/bits"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/check/bank"
	"github.com/warpgrind/warpgrind/internal/check/coalesce"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// costOf runs a program once more, with the rules that count sectors and passes, and adds up what
// its launches cost.
func (f *fixer) costOf(ctx context.Context, exe string) (*repair.Cost, error) {
	m := *f.Multirun
	m.Exe = exe
	cfg := f.under(0)
	cfg.Tools = bank.Rule.ID + "," + coalesce.Rule.ID
	var barriers, fences, atomics, accesses atomic.Uint64
	access := func(a *trace.Access) {
		accesses.Add(uint64(bits.OnesCount32(a.Mask)))
		if a.Site.Kind == trace.Atomic {
			atomics.Add(uint64(bits.OnesCount32(a.Mask)))
		}
	}
	s, _, err := m.Again(ctx, cfg, func(s *session.Session) {
		s.Observers = append(s.Observers, &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
			return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
				return &trace.BlockObserver{
					Barrier: func(*trace.Barrier) { barriers.Add(1) },
					Fence:   func(e *trace.Fence) { fences.Add(uint64(bits.OnesCount32(e.Mask))) },
					Shared:  access, Global: access,
				}
			}}}
		}})
	})
	if err != nil {
		return nil, err
	}
	c := &repair.Cost{Launches: s.Report.Summary.Launches, Instructions: s.Report.Summary.Instructions, Barriers: barriers.Load(), Fences: fences.Load(), Atomics: atomics.Load(), Accesses: accesses.Load()}
	var passes []struct{ Passes uint64 }
	var sectors []struct{ Units uint64 }
	for rule, to := range map[string]any{bank.Rule.ID: &passes, coalesce.Rule.ID: &sectors} {
		text, err := json.Marshal(s.Report.Stats[rule])
		if err == nil {
			err = json.Unmarshal(text, to)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, p := range passes {
		c.Passes += p.Passes
	}
	for _, u := range sectors {
		c.Sectors += u.Units
	}
	return c, nil
}
