package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Progress is how far a launch has come.
type Progress struct {
	// Kernel is its mangled name, Launch its number.
	Kernel string
	Launch int
	// Done and Blocks count the grid's blocks, Instrs the instructions of
	// threads so far.
	Done, Blocks, Instrs uint64
	// Elapsed is the time since the launch began.
	Elapsed time.Duration
}

// Progress tells how far the launch has come that is running; ok is false if
// none is. It can be called at any time from any goroutine.
func (e *Engine) Progress() (p Progress, ok bool) {
	r := e.current.Load()
	if r == nil {
		return p, false
	}
	return Progress{
		Kernel: r.prog.Name, Launch: r.launch.ID, Done: r.blocks.Load(), Blocks: r.total,
		Instrs: r.instrs.Load(), Elapsed: time.Since(r.started),
	}, true
}

// Slow is a block that runs for long.
type Slow struct {
	Kernel  string
	Launch  int
	Block   trace.Dim3
	Elapsed time.Duration
	// Where says what its threads do.
	Where string
}

// slowAfter is when a block counts as slow for the first time.
const slowAfter = 30 * time.Second

// tellEvery is how many instructions of threads are not worth telling of: a
// counter that all workers write is slow.
const tellEvery = 1 << 18

// count adds what the slot did since the last call to the launch's counters, if
// that is much.
func (b *block) count() {
	if n := b.env.ThreadInstrs; n-b.told > tellEvery {
		b.r.instrs.Add(n - b.told)
		b.told = n
	}
}

// tell counts, and warns of a block that takes long.
func (b *block) tell() {
	b.count()
	if b.r.e.cfg.Slow == nil {
		return
	}
	now := time.Now()
	if b.started.IsZero() {
		b.started = now
		return
	}
	if d := now.Sub(b.started); b.r.warns(d) {
		b.r.e.cfg.Slow(Slow{
			Kernel: b.r.prog.Name, Launch: b.r.launch.ID, Block: b.env.Block.Coord,
			Elapsed: d.Round(time.Second), Where: b.whereabouts(1)[0],
		})
	}
}

// firstLook is the number of steps of a block after which loops without end
// are looked for: enough for what else happens in the block to be seen.
const firstLook = 1 << 22

// warns tells whether a block that has run for so long is the first to do so
// since the launch's last warning, and notes it.
func (r *run) warns(d time.Duration) bool {
	last := r.warned.Load()
	return d >= max(2*time.Duration(last), slowAfter) && r.warned.CompareAndSwap(last, int64(d))
}

// sampleEvery is the steps of a block between two looks at its state.
const sampleEvery = 1 << 12

// stepsAfterFault is how many instructions a warp executes at most in a block that continued
// after an invalid access: what it read there may be the bound of a loop. It is some seconds
// of one core.
const stepsAfterFault = 1 << 26

// faulty is why a block is stopped that has executed more.
const faulty = "too many instructions after an invalid access"

// neverEnds reports whether a warp is in a loop without a way out.
func (b *block) neverEnds() bool {
	for k, w := range b.warps {
		if !b.done[k] && w.NeverEnds(b.r.prog.Loops()) {
			return true
		}
	}
	return false
}

// overBudget says why the block is to be stopped; "" if it is not.
func (b *block) overBudget() string {
	if b.steps >= b.look {
		b.look = 2 * b.steps
		if b.neverEnds() {
			return noWayOut
		}
	}
	if len(b.env.Survived()) > 0 && slices.Max(b.spent) > stepsAfterFault {
		return faulty
	}
	for _, n := range b.spent {
		if n > b.r.e.cfg.MaxSteps {
			return fmt.Sprintf("a warp executed more than %d instructions", b.r.e.cfg.MaxSteps)
		}
	}
	return ""
}
