package engine_test

import (
	"context"
	"math/bits"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// partings adds up what observers of partings hear.
type partings struct {
	mu sync.Mutex
	// warps and threads are instructions, unexplained the lanes that were idle
	// without a branch although they have a thread.
	warps, threads, unexplained uint64
	diverged                    int
	wrong                       string
	block                       trace.Dim3
}

func (p *partings) observer() *trace.Observer {
	return eachBlock(func() *trace.BlockObserver {
		return &trace.BlockObserver{Begin: func(b *trace.Block) { p.block = b.Launch.Block }, Diverged: p.Diverged, Stretch: p.Stretch}
	})
}

func (p *partings) Diverged(e *trace.Divergence) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.diverged++
	if e.Taken == 0 || e.Taken&^e.Mask != 0 || e.Taken == e.Mask {
		p.wrong = "lanes do not part"
	}
}

func (p *partings) Stretch(s *trace.Stretch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.warps += s.Instrs
	p.threads += s.Instrs * uint64(bits.OnesCount32(s.Mask))
	exist := ^uint32(0)
	if n := int(p.block.Size()) - 32*s.Warp; n < 32 {
		exist = 1<<n - 1
	}
	seen := s.Mask
	for _, i := range s.Idle {
		if i.Mask&seen != 0 {
			p.wrong = "a lane is told twice"
		}
		seen |= i.Mask
		if i.Branch == nil {
			p.unexplained += s.Instrs * uint64(bits.OnesCount32(i.Mask&exist))
		}
	}
	if seen != ^uint32(0) {
		p.wrong = "a lane is missing"
	}
}

// leaves matches what sends lanes away without a branch.
var leaves = regexp.MustCompile(`@\S+ (ret|exit|call|brx)`)

// TestDivergencesAddUp runs random programs: each instruction is in one stretch,
// with the lanes that execute it, and each idle lane has a branch, unless it
// left by a guarded instruction of another kind.
func TestDivergencesAddUp(t *testing.T) {
	defer useOwnExecutor()
	diverged := 0
	for seed := range min(60, 4*programs(60)) {
		src := generate(seed, sizeOf(seed))
		p := lowered(t, parse(t, src), "k", nil)
		block := []uint32{32, 64, 50, 17}[seed%4]
		tab, out, ctr := newBuffer(t, diffTable), newBuffer(t, diffGrid*int(block)*256), newBuffer(t, 4)
		params := layOut(t, p, []any{tab, out, ctr})
		for _, mode := range executors() {
			warp.UseExecutor(mode)
			a, _ := arch.Parse("sm_80")
			x := &partings{}
			e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 2, MaxSteps: 1 << 20, Observers: []*trace.Observer{x.observer()}})
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			res, err := e.Run(ctx, p, engine.Launch{Grid: trace.Dim3{X: diffGrid, Y: 1, Z: 1}, Block: trace.Dim3{X: block, Y: 1, Z: 1}, Params: params})
			cancel()
			if err != nil || res.Fault != nil {
				continue
			}
			if x.wrong != "" || x.warps != e.Totals.WarpInstrs || x.threads != e.Totals.ThreadInstrs || x.unexplained != 0 && !leaves.MatchString(src) {
				t.Errorf("seed %d, executor %s: %s; stretches have %d and %d instructions of warps and threads, executed were %d and %d; %d without a branch",
					seed, mode, x.wrong, x.warps, x.threads, e.Totals.WarpInstrs, e.Totals.ThreadInstrs, x.unexplained)
			}
			diverged += x.diverged
		}
	}
	if diverged == 0 {
		t.Error("no lanes diverged")
	}
}
