package engine

import (
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// block is a slot in which blocks run, one after the other.
type block struct {
	r     *run
	env   *warp.Env
	warps []*warp.Warp
	done  []bool
	// turns are the lengths of the warps' next turns.
	turns []int64
	left  int
	bars  [program.MaxBarriers]barrier
	// groups are the block's places in the groups whose barriers have two parts.
	groups [trace.NumGroups]member
	// fresh: no thread has come to any of bars since they were reset.
	fresh bool
	// held counts those that wait at barriers.
	held int
	// pos is whose turn it is, in order. sweeper runs all warps together where it
	// can, nil in a random order; together is set if it is worth a try.
	pos      int
	sweeper  *warp.Sweeper
	together bool
	// arrived counts the warps before the one whose turn it is that have reached a barrier and not arrived there yet: if
	// that one comes there, too, a sweep continues with the next.
	arrived warp.Arrived
	// tellStop is for sweeps; see barrierCallback.
	tellStop func(stop int32)
	// since is what the warp whose turn it is had done before its slice.
	since struct{ progress, reads uint64 }
	// polls: the program has loops that wait for what strong operations read; slice is for
	// the turns of such a program.
	polls bool
	slice slice
	exist []uint32
	// gone are the lanes that had exited at the last full barrier, by warp.
	gone []uint32
	// steps counts warp instructions of the running block. progressed says
	// whether the last run ended with progress, changed that it made any.
	steps               uint64
	progressed, changed bool
	loop                cycle
	// waited counts rounds without progress.
	waited int
	// spent are the warps' steps, look is when to look for loops without end,
	// told the thread instructions that Progress knows of.
	spent []uint64
	look  uint64
	told  uint64
	// started is when the block first reached tell.
	started time.Time
	// sample is when the state is next compared with earlier ones.
	sample uint64
	// order is that of the warps' turns, rand what a random schedule draws from.
	order []int
	rand  random
	// seen are the observers that this slot has, see Sample and LaunchObserver.Spares.
	seen seers
	// passing is the event of a barrier that is passed.
	passing trace.Barrier
	// repeats is mayRepeat, mine are the blocks that the slot's worker has taken.
	repeats bool
	mine    *portion
}

func newBlock(r *run, seen seers) *block {
	n := r.launch.Warps()
	b := &block{r: r, env: &warp.Env{Arena: r.e.cfg.Arena, Arch: r.e.cfg.Arch, Params: r.params}, done: make([]bool, n), turns: make([]int64, n), spent: make([]uint64, n), order: make([]int, n), seen: seen}
	b.env.Bars, b.env.SpinLimit, b.env.Stack, b.env.Runtime.Heap = b, spinLimit, r.stack, r.heap
	b.env.Runtime.Printf = r.printf
	b.env.Async.Latency = r.e.cfg.Schedule.Order != RandomOrder // which shows what depends on it
	if r.executed != nil {
		b.env.Executed, b.env.Decided = make([]warp.Executions, len(r.executed)), make([]warp.Decisions, len(r.decided))
	}
	b.env.Writers = &r.writers
	if !r.launch.Ordered {
		b.env.Writers = new(warp.Writers)
	}
	if r.childGrids != nil {
		b.env.Runtime.Children = children{b, r.childGrids}
	}
	b.env.Block.Launch = r.launch
	b.env.Block.Shared = sharedMemory(int(r.launch.SharedStatic + r.launch.SharedDynamic))
	b.polls = r.prog.Polls()
	for range n {
		b.warps = append(b.warps, warp.NewWarp(r.prog, b.env))
	}
	b.env.Warps, b.env.CancelNext = b.warps, r.cancelNext
	for i := range b.bars {
		b.bars[i].arrived = make([]uint32, n)
		b.bars[i].synced = make([]uint32, n)
		b.bars[i].from = make([]arrivedAt, n)
	}
	for k := range b.warps {
		b.exist = append(b.exist, firstLanes(int(r.launch.Block.Size())-32*k))
		b.gone = append(b.gone, 0)
	}
	b.sweepers()
	b.observe()
	b.repeats = series{b}.mayRepeat()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slots = append(r.slots, b)
	return b
}

// firstLanes is the mask of the first n lanes of a warp, all for n from 32 on.
func firstLanes(n int) uint32 {
	if n >= 32 {
		return ^uint32(0)
	}
	return 1<<n - 1
}

// sharedMemory makes n bytes that begin at a multiple of 128, as banks want.
func sharedMemory(n int) []byte {
	words := make([][16]uint64, n/128+1)
	return asBytes(words)[:n]
}

// observe makes this slot's observers and joins them. A slot whose own observers do
// not need it notes what is written where others of the launch do.
func (b *block) observe() {
	var list []*trace.BlockObserver
	env := b.env
	for k, o := range b.r.observers {
		env.MarksWritten = env.MarksWritten || o.MarksWritten
		if o.Block == nil || !b.seen.has(k) {
			continue
		}
		bo := o.Block()
		if bo.Interval != nil && bo.Shared != nil {
			bo = b.join(bo)
		}
		list = append(list, bo)
	}
	env.Watched.Others = trace.JoinBlocks(list).Shared
	if g := env.Watched.Group; g != nil {
		list = append(list, g.Observer())
	}
	env.On = *trace.JoinBlocks(list)
	if rests := env.On.Rests; rests != nil {
		b.sweeper, env.Sweeps = nil, false
		env.Pauses = func(w *warp.Warp, s *trace.Site) bool { return rests(w.Index, s) }
	}
	env.MarksWritten = env.MarksWritten || env.On.Unwritten != nil
}

// join puts an observer of barrier intervals into the slot's group, and returns what
// is left of it.
func (b *block) join(o *trace.BlockObserver) *trace.BlockObserver {
	x := &b.env.Watched
	if x.Group == nil {
		x.Group = recall.New(b.r.launch, &x.Shapes, b.r.journals)
		if retired || b.r.sieved {
			x.Group.Retire()
		}
	}
	return x.Group.Add(o)
}

// start readies the slot for block i of the grid.
func (b *block) start(i uint64) {
	l := b.r.launch
	b.env.Block.Index, b.env.Block.Coord, b.env.Block.Cut = i, l.Grid.At(i), false
	b.env.Fault = nil
	b.env.GoOn = b.r.e.cfg.GoOn
	b.env.ForgetSurvived()
	if !b.r.launch.Ordered {
		b.env.Writers.Reset()
	}
	b.env.Runtime.Reset()
	b.env.Begin, b.env.Ticks = b.env.WarpInstrs, 0
	b.loop, b.waited = cycle{}, 0
	b.begin(i)
	b.env.StartUndefined()
	clear(b.env.Block.Shared)
	b.steps, b.look, b.sample = 0, firstLook, sampleEvery
	b.started = time.Time{}
	clear(b.spent)
	clear(b.gone)
	b.left, b.held = len(b.warps), 0
	b.env.Cluster = nil
	b.joinGroups()
	for k := range b.turns {
		b.turns[k] = b.longest()
	}
	b.pos, b.together, b.arrived, b.env.Holds = 0, true, warp.Arrived{}, false
	for k, w := range b.warps {
		b.done[k] = false
		w.Start(k, b.exist[k])
	}
	b.resetBarriers()
	if f := b.env.On.Begin; f != nil {
		f(&b.env.Block)
	}
	for _, w := range b.warps {
		w.MarkUnset()
	}
}

func (b *block) end() {
	b.leaveGroups()
	b.env.Block.Cut = b.env.Fault != nil || b.left > 0
	if f := b.env.On.End; f != nil {
		f()
	}
}

type blockStatus uint8

const (
	blockDone blockStatus = iota
	blockWaits
	blockStays
	blockCanceled
	// blockRests: a warp is before an access before which the block rests.
	blockRests
)

// The warp instructions that a warp does before the next one's turn: fewer if
// its lanes are diverged, since then some may wait for others. After spinLimit
// turns lanes that wait at a reconvergence point continue. Tests set other values.
var (
	turn         int64 = 1 << 16
	divergedTurn int64 = 1 << 14
	leastTurn    int64 = 1 << 9
	spinLimit          = 1 << 10
	// retired makes groups of observers learn no intervals.
	retired bool
)

// longestStay is how many warp instructions a block does before other blocks have
// their turns, although it gets on.
const longestStay = 1 << 20

// longest is the longest turn. Blocks of a cooperative launch soon wait for each
// other, and what they do while they wait is for nothing.
func (b *block) longest() int64 {
	if b.r.launch.GridWorkspace != 0 {
		return max(leastTurn, turn>>5)
	}
	return turn
}

// run continues with the block until it ends, only waits for other blocks, or has run
// for long.
func (b *block) run() blockStatus {
	b.progressed, b.changed, b.env.Rests = false, false, false
	if b.abandoned() {
		return blockDone
	}
	begun := b.steps
	for {
		before, reads := b.progress()
		ran := false
		order := b.sequence()
		for b.pos = 0; b.pos < len(order); b.pos++ {
			k := order[b.pos]
			if w := b.warps[k]; b.done[k] || !w.Ready() && !w.Reunite() {
				continue
			}
			ran = true
			if !b.turn() {
				return blockDone
			}
			if b.env.Rests {
				return blockRests
			}
		}
		if b.left == 0 {
			return blockDone
		}
		if !ran && (b.unblock() || b.passEarly()) {
			continue
		}
		if !ran && b.awaitsOthers() {
			return blockWaits
		}
		if !ran {
			b.deadlock()
			return blockDone
		}
		if why := b.overBudget(); why != "" {
			if why != faulty || !b.env.StopSurvivor() {
				b.hang(why)
			}
			return blockDone
		}
		if b.r.ctx.Err() != nil || b.r.over(b.steps-begun) {
			return blockCanceled
		}
		b.tell()
		// Threads that compute get on, unless they come back to where they
		// were; those that only read may be waiting.
		after, readsAfter := b.progress()
		switch {
		case after != before:
			b.progressed, b.changed, b.loop, b.waited = true, true, cycle{}, 0
			if b.r.launch.Ordered && readsAfter != reads && b.steps-begun > longestStay { // it may be waiting, and write as it does
				return blockStays
			}
		case readsAfter == reads:
			b.progressed = true
			if b.steps >= b.sample {
				b.sample = b.steps + sampleEvery
				if h, _ := b.hash(); b.loop.repeats(h) {
					b.hang(endless)
					return blockDone
				}
			}
		default:
			b.nudge()
			b.progressed = b.passEarly()
			return blockWaits
		}
	}
}

func (b *block) progress() (progress, reads uint64) {
	for _, w := range b.warps {
		progress += w.Progress
		reads += w.Reads
	}
	return progress, reads
}

// patientRounds is after how many rounds without progress lanes count as spinning
// although their state changes.
const patientRounds = 1 << 12

// nudge lets lanes pass others of their warp that may be spinning.
func (b *block) nudge() {
	if !slices.ContainsFunc(b.warps, func(w *warp.Warp) bool { return w.Live != 0 && w.Diverged() }) {
		return
	}
	h, _ := b.hash()
	b.waited++
	calm := b.loop.repeats(h) || b.waited > patientRounds
	for k, w := range b.warps {
		if !b.done[k] && w.Diverged() && w.Nudge(calm) {
			b.loop, b.waited = cycle{}, 0
		}
	}
}

// unblock lets lanes continue that wait at a reconvergence point for lanes of their
// warp which wait at a barrier. It reports whether there are any.
func (b *block) unblock() bool {
	any := false
	for k, w := range b.warps {
		if !b.done[k] && w.Unblock() {
			any = true
		}
	}
	return any
}

// hash covers all that decides what the block does next, but for memory.
func (b *block) hash() (h uint64, words int) {
	h = b.env.Block.Index
	for k, w := range b.warps {
		if !b.done[k] {
			x, n := w.Hash(b.r.prog.Loops())
			h, words = h*0x9e3779b97f4a7c15+x, words+n
		}
	}
	return h, words
}
