package fix

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check/race"
	"github.com/warpgrind/warpgrind/internal/examine"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/study"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// A run shows what its input needs. What no input needs is proved, for any extents of the grid and of its blocks, any values of parameters and any contents of
// memory: of the host code only which arrays pointers point to is used.

// unproved is why it is not proved that a patch holds with all inputs, "" if it is.
func (t *tidier) unproved(ctx context.Context, x *repair.Redundancy, p *code.Patch) (string, error) {
	if why := x.Unproved(t.Cfg.Defines); why != "" {
		return why, nil
	}
	was, err := t.ordersOf(ctx, t.accepted)
	if err != nil {
		return "", err
	}
	now, err := t.ordersOf(ctx, append(t.accepted[:len(t.accepted):len(t.accepted)], p))
	if err != nil {
		return "", err
	}
	without := map[string]string{}
	for _, o := range now {
		without[o.Kernel] = o.Needed
	}
	found := 0
	for _, o := range was {
		here, idle := 0, x.Removes(p)
		for _, s := range o.Syncs {
			if t.covers(x, s) {
				here++
				idle = idle && s.Idle
			}
		}
		found += here
		if why := without[o.Kernel]; here > 0 && !idle && why != "" {
			return why, nil
		}
	}
	if found == 0 {
		return "no kernel that was examined has it", nil
	}
	return "", nil
}

// covers reports whether a synchronization of a kernel stands in a statement.
func (t *tidier) covers(x *repair.Redundancy, s static.Sync) bool {
	at := study.Sources(trial.Own).Place(s.Loc)
	for _, p := range t.programs {
		if x.Holds(p, at) {
			return true
		}
	}
	return false
}

// ordersOf is what is proved of the kernels of the program with patches.
func (t *tidier) ordersOf(ctx context.Context, patches []*code.Patch) ([]*static.Order, error) {
	texts := code.Apply(t.texts, patches, true)
	key := fmt.Sprintf("%s", texts)
	if o, known := t.orders[key]; known {
		return o, nil
	}
	cfg := examine.StaticConfig{Config: t.Cfg}
	cfg.Tools, cfg.Stderr = race.Rule.ID, io.Discard
	var out []*static.Order
	cfg.Look = func(f *ssa.Func, launches []static.Launch, s *solve.Solver) {
		o := static.NewOrder(ctx, f, launches, s)
		o.Needed = strings.TrimPrefix(o.Needed, "not decided: ")
		out = append(out, o)
	}
	if _, err := examine.Examine(ctx, cfg, texts); err != nil {
		return nil, err
	}
	t.orders[key] = out
	return out, nil
}
