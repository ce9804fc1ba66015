package engine_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestExecutedAddsUp runs random programs: the executions of all basic blocks, each times
// its instructions, are those of the launch, and both executors count the same.
func TestExecutedAddsUp(t *testing.T) {
	defer useOwnExecutor()
	for seed := range min(60, 4*programs(60)) {
		p := lowered(t, parse(t, generate(seed, sizeOf(seed))), "k", nil)
		block := []uint32{32, 64, 50, 17}[seed%4]
		var before []trace.Executed
		for _, mode := range executors() {
			warp.UseExecutor(mode)
			var got []trace.Executed
			params := layOut(t, p, []any{newBuffer(t, diffTable), newBuffer(t, diffGrid*int(block)*256), newBuffer(t, 4)})
			o := &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
				return []*trace.LaunchObserver{{Executed: func(n []trace.Executed) { got = n }}}
			}}
			a, _ := arch.Parse("sm_80")
			e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 2, MaxSteps: 1 << 20, Observers: []*trace.Observer{o}})
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			res, err := e.Run(ctx, p, engine.Launch{Grid: trace.Dim3{X: diffGrid, Y: 1, Z: 1}, Block: trace.Dim3{X: block, Y: 1, Z: 1}, Params: params})
			cancel()
			if err != nil || res.Fault != nil {
				break
			}
			var warps, threads uint64
			for _, in := range p.Code {
				if in.Op == program.OpEnter && in.X != program.NoBlock {
					warps += uint64(in.N) * got[in.X].Warps
					threads += uint64(in.N) * got[in.X].Threads
				}
			}
			if warps != e.Totals.WarpInstrs || threads != e.Totals.ThreadInstrs {
				t.Errorf("seed %d, executor %s: %d and %d instructions of warps and threads by block, executed were %d and %d",
					seed, mode, warps, threads, e.Totals.WarpInstrs, e.Totals.ThreadInstrs)
			}
			if before != nil && !slices.Equal(got, before) {
				t.Errorf("seed %d: the executors count differently", seed)
			}
			before = got
		}
	}
}
