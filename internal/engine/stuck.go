package engine

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

func asBytes(w [][16]uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*128)
}

// deadlock records that no thread of the block can go on: who waits where,
// and how many did not come.
func (b *block) deadlock() {
	f := &trace.Fault{Kind: trace.FaultDeadlock, Block: b.env.Block.Index}
	threads, exited := int(b.r.launch.Block.Size()), 0
	for k, w := range b.warps {
		exited += bits.OnesCount32(w.Exist &^ w.Live)
		w.Waiting(func(site *trace.Site, mask uint32, barrier bool) {
			if f.Site == nil {
				f.Site, f.Warp, f.Mask, f.Lane = site, k, mask, bits.TrailingZeros32(mask)
			}
		})
	}
	came := map[*trace.Site]int{}
	var order []*trace.Site
	for _, w := range b.warps {
		w.Waiting(func(site *trace.Site, mask uint32, barrier bool) {
			if came[site] == 0 {
				order = append(order, site)
			}
			came[site] += bits.OnesCount32(mask)
		})
	}
	if f.Site != nil {
		f.Message = fmt.Sprintf("%d of %d threads wait for others that never come", came[f.Site], threads)
	} else {
		f.Message = "no thread can go on"
	}
	for _, s := range order {
		f.Notes = append(f.Notes, fmt.Sprintf("%d threads wait at %s (%s)", came[s], s.Loc.Pos, s.PTX))
	}
	if exited > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d threads have exited", exited))
	}
	b.env.Fault = f
}

// hang records that the block was stopped because it goes on for ever: where
// its threads are, and what the conditions of their loop compare.
func (b *block) hang(why string) {
	f := &trace.Fault{Kind: trace.FaultBudget, Block: b.env.Block.Index, Message: why}
	var loop *warp.Loop
	var in *warp.Warp
	for k, w := range b.warps {
		if b.done[k] {
			continue
		}
		w.Places(func(p warp.Place) {
			x := b.r.loops().At(p.PC)
			if p.Barrier || p.Waits || f.Mask != 0 && (loop != nil || x == nil) {
				return // rather lanes that run in a loop than others
			}
			f.Warp, f.Site, f.Mask, f.Lane = k, p.Site, p.Mask, bits.TrailingZeros32(p.Mask)
			loop, in = x, w
		})
	}
	if loop != nil {
		if s := loop.Site(); f.Site == nil || s != nil && s.Loc.IsValid() {
			f.Site = s
		}
		for _, c := range loop.Conditions(in, f.Lane) {
			f.Notes = append(f.Notes, "condition "+c)
		}
	}
	f.Notes = append(b.whereabouts(maxPlaces), f.Notes...)
	b.env.Fault = f
}

// endless is the message of a block whose state repeats.
const endless = "the threads that are left repeat the same steps for ever and change nothing"

// cycle finds out that a sequence of states repeats, by Brent's algorithm: a
// state is kept and compared with the following ones, twice as many each time.
type cycle struct {
	seen          uint64
	round, window int
}

// repeats takes the hash of the next state.
func (c *cycle) repeats(h uint64) bool {
	if c.window > 0 && h == c.seen {
		return true
	}
	if c.round++; c.round >= c.window {
		c.seen, c.round, c.window = h, 0, max(1, 2*c.window)
	}
	return false
}

// spinning follows a worker's blocks while none of the launch's makes
// progress.
type spinning struct {
	worker   int
	progress uint64 // run.progress since when
	steps    uint64 // warp instructions since then
	turns    int
	sum      uint64
	loop     cycle
}

// stuck reports why block b, which made no progress, never will: all blocks
// that run are in a state in which they were before, with nothing written
// since; or it takes too long. "" if neither is certain.
func (r *run) stuck(s *spinning, b *block, steps uint64, active int, more bool) string {
	if now := r.progress.Load(); now != s.progress {
		*s = spinning{worker: s.worker, progress: now}
	}
	if s.steps += steps; s.steps > r.e.cfg.MaxIdle {
		return fmt.Sprintf("%d warp instructions without any progress", s.steps)
	}
	s.sum = s.sum*31 + b.hash()
	if s.turns++; s.turns < active {
		return ""
	}
	h := s.sum
	s.turns, s.sum = 0, 0
	if more && !r.hung.Load() || !s.loop.repeats(h) || !r.allStuck(s) {
		return ""
	}
	return endless
}

// allStuck notes that the worker's blocks repeat themselves, and reports
// whether all workers' do, with no progress in between.
func (r *run) allStuck(s *spinning) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stuckAt[s.worker] = s.progress
	n := 0
	for _, at := range r.stuckAt {
		if at == r.progress.Load() {
			n++
		}
	}
	return n == r.working
}
