package engine

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// sweepsAtOnce bounds the barriers that a sweep goes through, and those before which warps wait for one in a turn, before the
// block looks at budgets, and at whether it waits for other blocks, again.
const sweepsAtOnce = 256

// sweepers readies the slot for sweeps, which keep the order of turns.
func (b *block) sweepers() {
	if b.r.e.cfg.Schedule.Order == RandomOrder {
		return
	}
	b.env.Sweeps = true
	list := slices.Clone(b.warps)
	if b.r.e.cfg.Schedule.Order == ReverseOrder {
		slices.Reverse(list)
	}
	b.sweeper = warp.NewSweeper(list)
	b.tellStop = func(stop int32) { b.tellPassed(b.sweeper.Barrier(stop)) }
}

// turn lets the warp whose turn it is run, and all others where they do the
// same. False means that a fault ended the block.
func (b *block) turn() bool {
	whole := b.length(b.order[b.pos], b.warps[b.order[b.pos]])
	n := b.firstSlice(whole)
	b.begun(b.warps[b.order[b.pos]], 0, 0)
	for rounds := 0; ; {
		if b.together {
			b.together = false
			if n = b.sweep(n); b.left == 0 {
				return true
			}
		}
		k := b.order[b.pos]
		b.env.Async.GaveWay = false
		switch st := b.runWarp(k, n); {
		case (st == warp.Passed || st == warp.Held) && rounds > sweepsAtOnce:
			sweeping{b}.arrive()
			n = b.warps[k].Left
		case st == warp.Passed:
			b.together, n = true, b.warps[k].Left
			rounds++
		case st == warp.Held:
			n = sweeping{b}.comes(k)
			rounds++
		case st == warp.Yielded && !b.env.Async.GaveWay && !b.env.Rests && b.slice.rest > 0 && !b.spins(b.warps[k]):
			n = b.nextSlice(b.warps[k])
		default:
			sweeping{b}.arrive()
			b.adapt(k, st, whole)
			b.steps++
			b.spent[k]++
			return st != warp.Faulted
		}
	}
}

// runWarp runs one warp for n instructions.
func (b *block) runWarp(k int, n int64) warp.Status {
	w := b.warps[k]
	live := w.Live
	at := b.env.WarpInstrs
	st := w.Run(n)
	b.spend(k, b.env.WarpInstrs-at)
	if st == warp.Done {
		b.done[k] = true
		b.left--
	}
	if w.Live != live {
		sweeping{b}.arrive()
		b.exited()
	}
	return st
}

// sweeping is a slot as one in which warps wait for a sweep.
type sweeping struct{ *block }

// comes lets the warp whose turn it is reach a barrier where those before it wait for a sweep. It returns what is
// left of the turn of the warp whose turn it is then.
func (b sweeping) comes(k int) int64 {
	w, c := b.warps[k], &b.arrived
	at := b.sweeper.At(w)
	bar, id := b.sweeper.Barrier(at)
	if w.Live != w.Exist || c.Warps > 0 && c.Stop != at || b.bars[id].used {
		b.arrive()
		return w.Left
	}
	b.env.Holds, b.together = false, true
	if c.Warps++; c.Warps == len(b.warps) {
		*c = warp.Arrived{}
		b.tellPassed(bar, id)
		b.sweeper.Pass()
		return w.Left
	}
	c.Stop = at
	b.steps++
	b.spent[k]++
	b.pos = (b.pos + 1) % len(b.order)
	b.begun(b.warps[b.order[b.pos]], 0, 0)
	return b.firstSlice(turn)
}

// arrive lets the warps that wait for a sweep arrive at their barrier.
func (b sweeping) arrive() {
	n, pos := b.arrived.Warps, b.pos
	b.arrived, b.env.Holds = warp.Arrived{}, false
	for i := range n {
		b.warps[b.order[(pos-n+i+len(b.order))%len(b.order)]].Run(turn)
	}
}

// adapt chooses the length of a warp's next turn after a whole one.
func (b *block) adapt(k int, st warp.Status, whole int64) {
	b.turns[k] = min(b.longest(), 2*whole)
	if st == warp.Yielded && b.slice.rest == 0 && b.onlyRead(b.warps[k]) {
		b.turns[k] = max(leastTurn, whole/4) // it may be spinning
	}
}

// begun notes the progress and the reads of a warp at the start of its turn, of
// which it has made some by now.
func (b *block) begun(w *warp.Warp, progress, reads uint64) {
	b.since.progress, b.since.reads = w.Progress-progress, w.Reads-reads
}

// spend counts instructions of a warp.
func (b *block) spend(k int, instrs uint64) {
	b.steps += instrs
	b.spent[k] += instrs
}

// sweep runs all warps from barrier to barrier as long as they do the same,
// beginning with the one whose turn it is, of which n instructions are left. It
// returns what is left of the turn of the warp whose turn it is then.
func (b *block) sweep(n int64) int64 {
	if b.sweeper == nil || b.left != len(b.warps) || b.held > 0 || slices.ContainsFunc(b.turns, func(t int64) bool { return t != turn }) {
		sweeping{b}.arrive()
		return n
	}
	for range sweepsAtOnce {
		came, first := b.arrived, (b.pos+len(b.order)-b.arrived.Warps)%len(b.order)
		if b.r.ctx.Err() != nil || !b.sweeper.Ready(first, came) {
			sweeping{b}.arrive()
			return n
		}
		b.pos, b.arrived = first, warp.Arrived{}
		s := b.sweeper.Run(first, came, n, b.sliceOf(turn), passing{b}.bySelf(), passing{b}.barrierCallback(), series{b}.following())
		if len(s.Ended) > 0 {
			series{b}.skip(s)
		}
		if s.Came+len(s.Passed) > 0 && len(b.warps) > 1 {
			b.firstSlice(turn) // that of the warp whose turn it is then
		}
		for i, x := range s.Steps {
			b.spend(b.ahead(i), x)
		}
		b.passed(s)
		n = s.Left
		if s.Came < len(b.warps) {
			b.partWays(s, s.Came > came.Warps || came.Warps == 0 || len(s.Passed) > 0)
			return n
		}
		bar, id := b.sweeper.Barrier(s.Stop)
		if bar == nil { // all have ended
			b.endWarps(s.Came)
			return n
		}
		if b.bars[id].used {
			b.partWays(s, false)
			return n
		}
		b.tellPassed(bar, id)
		b.sweeper.Pass()
		b.pos = (b.pos + len(b.order) - 1) % len(b.order) // the last one continues
		b.begun(b.warps[b.order[b.pos]], s.Progress+1, s.Reads)
	}
	b.together = true
	return n
}

// passing is a slot as one whose sweeps pass barriers.
type passing struct{ *block }

// bySelf reports whether sweeps may pass barriers by themselves: no observer groups what it sees by
// the barriers, and no thread has reached one.
func (b passing) bySelf() bool { return !b.grouped() && b.unreached() }

// barrierCallback returns the function that a sweep calls at each barrier it passes, or nil.
func (b passing) barrierCallback() func(stop int32) {
	if !b.grouped() || !b.unreached() {
		return nil
	}
	return b.tellStop
}

// grouped reports whether an observer groups what it sees by the barriers: it has to hear of each
// before threads continue.
func (b passing) grouped() bool { return b.env.Watched.Group != nil || b.env.On.Plain != nil }

// unreached reports whether no thread waits at a barrier or has arrived.
func (b passing) unreached() bool {
	for i := range b.bars {
		if !b.fresh && b.bars[i].used {
			return false
		}
	}
	return true
}

// passed does what is to be done at the barriers that a sweep has passed.
func (b *block) passed(s *warp.Sweep) {
	if len(s.Passed) == 0 {
		return
	}
	if !(passing{b}).grouped() {
		b.tellAllPassed(s.Passed)
	}
	b.pos = (b.pos + len(b.order) - len(s.Passed)%len(b.order)) % len(b.order)
	b.begun(b.warps[b.order[b.pos]], s.First.Progress+1, s.First.Reads)
}

// ahead is the warp whose turn comes i turns after that of now.
func (b *block) ahead(i int) int { return b.order[(b.pos+i)%len(b.order)] }

// partWays ends a sweep: the warps that reached a barrier wait there, those that
// reached their end have ended, and it is the turn of the next one. If another sweep may
// pay once that has reached the barrier, the others do not arrive yet.
func (b *block) partWays(s *warp.Sweep, again bool) {
	if s.Came == 0 {
		b.env.Holds = again
		return
	}
	came := min(s.Came, len(b.order)-1)
	bar, id := b.sweeper.Barrier(s.Stop)
	b.pos = (b.pos + came) % len(b.order)
	if bar == nil {
		b.endWarps(s.Came)
	} else {
		b.arrived = warp.Arrived{Warps: came, Stop: s.Stop}
		if b.env.Holds = again && !b.bars[id].used; !b.env.Holds {
			sweeping{b}.arrive()
		}
	}
	b.begun(b.warps[b.order[b.pos]], s.Progress, s.Reads)
}

// endWarps ends the n warps before the one whose turn it is.
func (b *block) endWarps(n int) {
	for i := range n {
		k := b.ahead(i + len(b.order) - n)
		b.warps[k].End()
		b.done[k] = true
		b.left--
	}
	b.exited()
}

func (b *block) tellAllPassed(steps []int32) {
	for _, at := range steps {
		b.tellPassed(b.sweeper.Barrier(at))
	}
}

// tellPassed tells observers that all threads have passed a barrier.
func (b *block) tellPassed(bar *program.Bar, id uint32) {
	if f := b.env.On.Barrier; f != nil {
		b.passing = trace.Barrier{Site: bar.Site, ID: int(id), Arrived: b.exist, Synced: b.exist, Full: true}
		f(&b.passing)
	}
}
