package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/async"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

func asBytes(w [][16]uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*128)
}

// deadlock records that no thread of the block can continue: who waits where, what
// each barrier waits for, and how many threads are gone.
func (b *block) deadlock() {
	if b.starves() {
		return
	}
	f := &trace.Fault{Kind: trace.FaultDeadlock, Cause: trace.CauseNeverCome, Block: b.env.Block.Index}
	threads, exited := int(b.r.launch.Block.Size()), 0
	came := map[*trace.Site]int{}
	for k, w := range b.warps {
		exited += bits.OnesCount32(w.Exist &^ w.Live)
		w.Waiting(func(site *trace.Site, mask uint32, barrier bool) {
			if f.Site == nil {
				f.Site, f.Warp, f.Mask, f.Lane = site, k, mask, bits.TrailingZeros32(mask)
			}
			came[site] += bits.OnesCount32(mask)
		})
	}
	f.Message = "no thread can continue"
	if f.Site != nil {
		f.Message = fmt.Sprintf("%d of %d threads wait for others that never arrive", came[f.Site], threads)
	}
	f.Notes = b.whereabouts(maxPlaces)
	for id := range b.bars {
		if x := &b.bars[id]; len(x.waiting) > 0 {
			f.Notes = append(f.Notes, x.describe(id, threads, exited))
			if int(x.count) > threads {
				f.Cause = trace.CauseTooFew
				f.Message = fmt.Sprintf("barrier %d waits for %d threads, but the block has %d", id, x.count, threads)
			}
		}
	}
	for g := range b.groups {
		m := &b.groups[g]
		f.Notes = append(f.Notes, m.describe()...)
		if m.neverArrived() {
			f.Cause = trace.CauseNotArrived
			f.Message = fmt.Sprintf("threads wait at the barrier of the %s without having arrived", m.kind)
		}
	}
	if exited > 0 {
		f.Notes = append(f.Notes, plural(exited, "thread")+" had ended")
	}
	b.env.Fault = f
}

// describe says what barrier id waits for in a block of so many threads.
func (x *barrier) describe(id, threads, exited int) string {
	n := int(x.more)
	for _, m := range x.arrived {
		n += bits.OnesCount32(m)
	}
	name := fmt.Sprintf("barrier %d", id)
	if id == 0 && x.count == 0 {
		name = "__syncthreads"
	}
	if x.count != 0 {
		return fmt.Sprintf("%s waits for %d threads, of which %d arrived", name, x.count, n)
	}
	return fmt.Sprintf("%s waits for all %d threads that have not exited, of which %d arrived", name, threads-exited, n)
}

// hang records that the block was stopped because it continues forever: where
// its threads are, and what the conditions of their loop compare.
func (b *block) hang(why string) {
	if stopCause(why) == trace.CauseNoProgress && b.starves() {
		return
	}
	f := &trace.Fault{Kind: trace.FaultBudget, Cause: stopCause(why), Block: b.env.Block.Index, Message: why, Host: b.r.host(), Endless: why == endless || why == noWayOut}
	var loop *program.Loop
	var in *warp.Warp
	for k, w := range b.warps {
		if b.done[k] {
			continue
		}
		w.Places(func(p warp.Place) {
			x := b.r.prog.Loops().Waiting(p.PC)
			if p.Barrier || p.Waits || p.Registers || f.Mask != 0 && (loop != nil || x == nil) {
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
		f.Notes = append(f.Notes, conditions(loop, in, f.Mask)...)
		var notes []string
		notes, f.Phases = b.phases(loop, in, f.Mask)
		if f.Notes = append(f.Notes, notes...); len(f.Phases) > 0 {
			f.Object, f.Space = &f.Phases[0].Object, trace.SpaceShared
		}
		f.Waits = b.awaited(in.Awaited(loop, f.Mask), f.Endless)
		b.findEnded(f.Waits)
	}
	f.NotBegun, f.Resident = b.r.notBegun(), b.r.deviceBlocks
	f.Notes = append(b.whereabouts(maxPlaces), f.Notes...)
	b.env.Fault = f
}

// notBegun counts the blocks that no worker has taken.
func (r *run) notBegun() uint64 {
	if r.deviceBlocks == 0 {
		return 0
	}
	return (r.units - min(r.next.Load(), r.units)) * r.launch.ClusterSize()
}

// awaited are those of some words that threads wait for. A loop that gets on need not wait for what it
// reads by plain reads, though that decides when it ends: bounds of loops are such words.
func (b *block) awaited(list []trace.Wait, endless bool) []trace.Wait {
	return slices.DeleteFunc(list, func(w trace.Wait) bool {
		return !endless && w.Site.Kind == trace.Read && w.Site.Order == trace.OrderWeak && !b.r.prog.PlainPolls(w.Site.ID)
	})
}

// findEnded notes which writers of the block have ended.
func (b *block) findEnded(waits []trace.Wait) {
	for i := range waits {
		if by := waits[i].Writer; by != nil && by.Block == b.env.Block.Index {
			by.Ended = b.warps[by.Warp].Live>>by.Lane&1 == 0
		}
	}
}

// stopCause is the cause of a stop for which why is the message.
func stopCause(why string) trace.Cause {
	switch why {
	case endless:
		return trace.CauseNoProgress
	case noWayOut:
		return trace.CauseNoWayOut
	case overTime:
		return trace.CauseTime
	}
	return trace.CauseSteps
}

// conditions says what the conditions of a loop compare, in the first of the
// lanes and, where it is something else, in the last.
func conditions(loop *program.Loop, w *warp.Warp, mask uint32) (notes []string) {
	lo, hi := bits.TrailingZeros32(mask), 31-bits.LeadingZeros32(mask)
	first, last := w.Conditions(loop, lo), w.Conditions(loop, hi)
	for i, c := range first {
		if i < len(last) && last[i] != c {
			_, other, _ := strings.Cut(last[i], ": ")
			c = fmt.Sprintf("%s in lane %d, %s in lane %d", c, lo, other, hi)
		}
		notes = append(notes, "condition "+c)
	}
	return notes
}

// phases says what the mbarriers lack that lanes test in a loop.
func (b *block) phases(loop *program.Loop, w *warp.Warp, mask uint32) (notes []string, list []trace.Phase) {
	for _, p := range w.Tested(loop, mask) {
		m := trace.Memory{Base: p.Offset, Size: mbarrierBytes, Kind: mem.Symbol.String()}
		name := fmt.Sprintf("the mbarrier at offset %d of shared memory", p.Offset)
		for i := range b.r.launch.Shared {
			if v := &b.r.launch.Shared[i]; p.Offset >= v.Addr && p.Offset-v.Addr < v.Size {
				name, m.Name = "the mbarrier "+v.Name, v.Name
				if p.Offset > v.Addr {
					name = fmt.Sprintf("the mbarrier %d bytes into %s", p.Offset-v.Addr, v.Name)
				}
			}
		}
		lacks := fmt.Sprintf("%s of %d", plural(int(p.Pending), "arrival"), p.Expected)
		switch {
		case p.Bytes > 0:
			lacks += fmt.Sprintf(" and %d bytes of copies", p.Bytes)
		case p.Bytes < 0:
			lacks += fmt.Sprintf("; copies have brought %d bytes more than the phase expects", -p.Bytes)
		}
		notes = append(notes, name+" still waits for "+lacks)
		notes = append(notes, b.arrivals(&p)...)
		list = append(list, trace.Phase{Object: m, Pending: p.Pending, Expected: p.Expected, Bytes: p.Bytes})
	}
	return notes, list
}

// arrivals says who arrived at an mbarrier in its phase, and who did in earlier ones only.
func (b *block) arrivals(p *async.Phase) (notes []string) {
	list := func(masks []uint32) (out []string) {
		for k, m := range masks {
			if m != 0 {
				out = append(out, fmt.Sprintf("warp %d %s", k, lanes(m, b.exist[k])))
			}
		}
		if n := len(out) - maxWarps; n > 0 {
			out = append(out[:maxWarps], fmt.Sprintf("%d more warps", n))
		}
		return out
	}
	came := list(p.Arrived)
	if p.FromOthers > 0 {
		came = append(came, fmt.Sprintf("%s from other blocks", plural(p.FromOthers, "arrival")))
	}
	if len(came) == 0 {
		came = []string{"none"}
	}
	notes = append(notes, "arrived there in this phase: "+strings.Join(came, ", "))
	if gone := list(p.Missing); len(gone) > 0 {
		notes = append(notes, "arrived there in earlier phases, but not in this one: "+strings.Join(gone, ", "))
	}
	return notes
}

// mbarrierBytes is the size of an mbarrier (PTX ISA, "Size and alignment of mbarrier
// object").
const mbarrierBytes = 8

// endless is the message of a block whose state repeats, noWayOut that of one with a
// loop that no step leaves.
const (
	endless  = "the remaining threads repeat the same steps forever without changing memory"
	noWayOut = "a loop that no thread can leave"
)

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
	// rounds counts those of all blocks, next is the one whose state is compared
	// with others, by sum. words is how large it was.
	rounds, next uint64
	sum          uint64
	words        int
	loop         cycle
}

// calmRounds and calmSteps are how many rounds, or warp instructions, there are
// without progress before states are compared: most blocks that wait do not wait
// for long.
const (
	calmRounds = 8
	calmSteps  = 1 << 14
)

// stuck reports why block b, which made no progress, never will: all blocks
// that run are in a state in which they were before, with nothing written
// since. "" where that is not certain: threads that compute may take any time.
func (r *run) stuck(s *spinning, b *block, steps uint64, active int, more bool) string {
	if now := r.progress.Load(); now != s.progress {
		*s = spinning{worker: s.worker, progress: now, next: calmRounds}
	}
	s.steps += steps
	compared := s.rounds >= s.next
	if compared {
		h, n := b.hash()
		s.sum, s.words = s.sum*31+h, s.words+n
	}
	if s.turns++; s.turns < active {
		return ""
	}
	h := s.sum
	s.endRound(compared)
	if !compared || more && !r.hung.Load() || !s.loop.repeats(h) || !r.allStuck(s) {
		return ""
	}
	return endless
}

// endRound decides which round is compared next. Where that costs more than what
// the warps do, some are left out, about as many each time: what repeats
// does so in those that are left, too.
func (s *spinning) endRound(compared bool) {
	s.rounds++
	switch perRound := s.steps / s.rounds; {
	case compared:
		const wordsPerStep, most = 16, 64
		s.next = s.rounds + min(uint64(s.words)/(wordsPerStep*perRound+1), most)
	case s.steps > calmSteps:
		s.next = min(s.next, s.rounds)
	}
	s.turns, s.sum, s.words = 0, 0, 0
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
