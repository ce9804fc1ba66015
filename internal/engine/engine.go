// Package engine runs the launches of kernels: the grid's blocks on a number of workers,
// each block's warps, its barriers and its shared memory. It sends trace events to
// observers and depends on none of them.
//
// Workers take blocks from the grid. A worker keeps a few blocks resident, as a
// multiprocessor does, and gives them turns; a slot (block) is used for many blocks of
// a launch, one after the other.
//
//	          take                      every warp has ended, or a fault
//	idle slot ----> active: in turns ---------------------------------> finished --> idle slot
//	                ^      |
//	                |      | run: each warp that is ready has a turn, until
//	                |      v
//	                |  the warps only wait for other blocks, or read   (waits)
//	                |  it ran for long and may be waiting              (stays)
//	                |  a lane computes its way back to a state it had  --> hang
//	                |  all warps wait at barriers                      --> deadlock
//	                +------+
//
// A block that waits is set aside and the next one begins, so that blocks which wait for
// each other get on. When all blocks of all workers only wait, and come back to states
// that they had, the launch hangs (stuck.go); where the host or another stream may still
// help, the launch rests instead until memory changes.
//
// Within a block a warp runs until it waits, its turn is over or it ends. Where all warps are
// converged at one step, a sweep runs them one after the other in native code from barrier
// to barrier. Barriers collect the lanes that arrive and are complete when all live
// threads, or as many as the instruction says, have come.
//
// Where an observer asks for it, the first blocks end before others begin (lead.go).
//
// The order of blocks, warps and lanes is fixed by Schedule: equal programs and flags give
// equal events, at any number of workers, but for launches whose blocks race; those that
// depend on the order (program.Ordered) run one block after the other.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/devrt"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Config is what all launches of an engine share.
type Config struct {
	Arena *mem.Arena
	Arch  *arch.Arch
	// Workers is how many blocks run at once; 0 means one per core.
	Workers int
	// MaxSteps bounds the instructions of one warp; 0 means the default.
	MaxSteps  uint64
	Observers []*trace.Observer
	// GoOn lets a launch continue after invalid accesses, which read zeros and write
	// nothing. Otherwise a block ends at the first one.
	GoOn     bool
	Schedule Schedule
	Sample   Sample
	// Slow is told when the first block of a launch has run for 30 seconds, and
	// each time that this has doubled; nil for none. It is called from several goroutines.
	Slow func(Slow)
	// Keeps lets launches run again that may write much memory.
	Keeps bool
	// Steer returns what chooses the steps of a launch's warps, nil for a launch that the engine runs in
	// the order of Schedule; see trace.Turn. It may be nil.
	Steer func(*trace.Launch) func(ready []trace.Turn) int
	// Meet reports that what the blocks of a launch do is known to depend on their
	// order, so that they have to run one after the other; nil for never. It is
	// called from another goroutine than Run, for launches that take a while.
	Meet func(*trace.Launch) bool
}

// Defaults of Config. MaxSteps is some minutes of one core: what comes so far
// computes, since loops that repeat a state are found long before.
const (
	DefaultMaxSteps uint64 = 1 << 36
)

// Engine runs launches, one at a time: another may begin where one asks whether to continue
// (Launch.Await), or for child grids.
type Engine struct {
	cfg     Config
	Totals  Counts
	current atomic.Pointer[run]
	// spare is room for what launches may write, as it was before; see repeat.
	spare []byte
	// did has the instructions of threads that the last launch of a program executed.
	did map[*program.Program]uint64
	// journals is the room that the last launch left to the next, nil while one has it.
	journals *recall.Room
	// irregular are the programs of which a launch had barrier intervals that did not repeat.
	irregular map[*program.Program]bool
}

// Counts sums what was executed.
type Counts struct {
	Launches     int
	ThreadInstrs uint64
	WarpInstrs   uint64
	Accesses     uint64
	// Blocks of all launches, those that observers saw, and those that were not executed.
	Blocks, Observed, Skipped uint64
}

// add adds the counts of a launch, which is counted when it begins.
func (c *Counts) add(o Counts) {
	c.ThreadInstrs += o.ThreadInstrs
	c.WarpInstrs += o.WarpInstrs
	c.Accesses += o.Accesses
	c.Blocks += o.Blocks
	c.Observed += o.Observed
	c.Skipped += o.Skipped
}

// New makes an engine.
func New(cfg Config) *Engine {
	if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.MaxSteps == 0 {
		cfg.MaxSteps = DefaultMaxSteps
	}
	return &Engine{cfg: cfg, did: map[*program.Program]uint64{}, irregular: map[*program.Program]bool{}}
}

// Launch is one kernel launch. Limits have been checked.
type Launch struct {
	// ID is its number in the run.
	ID          int
	Module      string
	Grid, Block trace.Dim3
	// Cluster is the extent of clusters in blocks, zero for none. The grid is a
	// multiple of it.
	Cluster trace.Dim3
	// Blocks are those that run, by linear index in rising order; nil for all. There are no
	// clusters then.
	Blocks        []uint64
	SharedDynamic uint32
	// GridWorkspace is the address of a cooperative launch's barrier, else 0.
	GridWorkspace uint64
	// Params is the parameter buffer, laid out as Program.Params says.
	Params []byte
	// Resident is how many blocks the device keeps at once, which may then wait
	// for each other; 0 means 128 a worker.
	Resident int
	// Stack is the bytes of stack that the program gives each thread; 0 means
	// as much as a thread can have.
	Stack uint64
	// Heap is the bytes that device-side malloc has; 0 for no bound.
	Heap uint64
	// Printf is the bytes that the buffer of device-side printf holds; 0 means
	// 1 MiB, as on a device.
	Printf uint64
	// ChildGrids is for kernels that use the device runtime.
	ChildGrids ChildGrids
	// Await is called when no thread can continue before something outside of the launch
	// has changed memory, with whether any has got on since the last call. It returns nil
	// when that may have happened, and what the host does if it never will. A nil function
	// means that nothing else runs.
	Await func(progressed bool) *trace.HostState
	// Dependent is as in trace.Launch.
	Dependent bool
	// Unseen reports whether nothing outside of the launch accesses managed memory while it runs; nil is never.
	Unseen func() bool
}

// Result is what a launch leaves besides memory.
type Result struct {
	// Output is what the kernel printed, in the order of the blocks, and Lost how
	// many bytes before it found no room.
	Output []byte
	Lost   uint64
	// Fault is what stopped the kernel, or would have stopped it on a GPU, or nil: of
	// several the first one.
	Fault *trace.Fault
	// ChildWork are the child grids, copies and fills that its threads asked for,
	// in the order of the blocks.
	ChildWork []devrt.ChildWork
	// Where says what its threads did when the launch was ended from outside.
	Where []string
	// Counts are those of this launch alone.
	Counts Counts
}

// Run executes a launch to its end. The error is ctx's if it ended first;
// what is wrong with the kernel is a Fault.
func (e *Engine) Run(ctx context.Context, p *program.Program, l Launch) (Result, error) {
	if l.Grid.Size() == 0 || l.Block.Size() == 0 || l.Block.Size() > 1024 {
		return Result{}, fmt.Errorf("launch of %s with %d blocks of %d threads", p.Name, l.Grid.Size(), l.Block.Size())
	}
	t := e.describe(p, l)
	steer := e.steer(t)
	var observers []*trace.LaunchObserver
	for _, o := range e.cfg.Observers {
		if o.Launch != nil {
			observers = append(observers, o.Launch(t)...)
		}
	}
	r := e.newRun(ctx, p, l, t, observers)
	r.countsBlocks()
	if err := ctx.Err(); err != nil { // it ended while the observers got ready
		return Result{}, err
	}
	r.repeat = e.keep(r, l)
	if steer != nil {
		r.steer(steer)
	} else {
		r.execute()
	}
	r.repeat.ended(r)
	r.repeat.tries()
	res, err := r.end()
	e.did[p] = res.Counts.ThreadInstrs
	if r.irregular {
		e.irregular[p] = true
	}
	return res, err
}

// newRun prepares a run of a launch for its observers.
func (e *Engine) newRun(ctx context.Context, p *program.Program, l Launch, t *trace.Launch, observers []*trace.LaunchObserver) *run {
	r := &run{e: e, ctx: ctx, prog: p, total: l.Grid.Size(), launch: t, observers: observers, sieved: e.irregular[p]}
	r.params = append(append([]byte(nil), l.Params...), make([]byte, max(0, p.ParamSize-len(l.Params)))...)
	r.units = r.total / t.ClusterSize()
	if r.only = l.Blocks; r.only != nil {
		r.units = uint64(len(r.only))
	}
	r.workers = uint64(e.cfg.Workers)
	if t.Ordered {
		r.workers = 1
	}
	r.workers = min(r.workers, r.units)
	r.working, r.stuckAt = 1, map[int]uint64{}
	r.stack, r.childGrids, r.printf = l.Stack, l.ChildGrids, l.Printf
	r.pause.await, r.pause.changed.L = l.Await, &r.mu
	if r.printf == 0 {
		r.printf = DefaultPrintf
	}
	if l.Heap > 0 && p.Ordered { // otherwise it does not allocate
		r.heap, r.heapSize = devrt.NewHeap(l.Heap, e.cfg.Arena), l.Heap
	}
	if r.journals, e.journals = e.journals, nil; r.journals == nil {
		r.journals = recall.NewRoom()
	}
	r.lead = newLead(t, observers, r.units)
	r.deviceBlocks = uint64(max(l.Resident, 0))
	r.resident = max(residentPerWorker(l.Resident, int(r.workers)), int(t.ClusterSize()))
	r.portion = min(max(r.total/(32*r.workers), leastPortion), maxPortion)
	return r
}

// execute runs all blocks.
func (r *run) execute() {
	r.started = time.Now()
	defer r.e.current.Store(r.e.current.Swap(r)) // of a child grid: the parent continues
	done, wg := make(chan struct{}), sync.WaitGroup{}
	if r.workers > 1 {
		wg.Go(func() { r.recruit(int(r.workers), &wg, done) })
	}
	r.work(0) // here: a small launch needs no other goroutine
	close(done)
	wg.Wait()
	r.journals.Renew()
	r.e.journals = r.journals
}

// recruitAfter is how long a launch has one worker. Most end within it, and need
// no proof that their blocks may run at once.
const recruitAfter = 500 * time.Microsecond

// recruit adds the other ones of n workers to a launch that takes a while and
// whose blocks do not depend on their order.
func (r *run) recruit(n int, wg *sync.WaitGroup, done <-chan struct{}) {
	t := time.NewTimer(recruitAfter)
	defer t.Stop()
	select {
	case <-done:
		return
	case <-t.C:
	}
	if meet := r.e.cfg.Meet; meet != nil && meet(r.launch) {
		return
	}
	r.mu.Lock()
	r.working += n - 1
	r.mu.Unlock()
	for i := 1; i < n; i++ {
		wg.Go(func() { r.work(i) })
	}
}

func (e *Engine) describe(p *program.Program, l Launch) *trace.Launch {
	t := &trace.Launch{
		ID: l.ID, Kernel: p.Name, Module: l.Module, Grid: l.Grid, Block: l.Block,
		SharedStatic: p.SharedStatic, SharedDynamic: l.SharedDynamic, GridWorkspace: l.GridWorkspace, SM: e.cfg.Arch.SM, Sites: p.Sites,
		Cluster: l.Cluster, Ordered: p.Ordered || l.Cluster.Size() > 1, Nests: p.Nests, Groups: p.Groups, Memory: e.memory, Live: e.cfg.Arena.Meets, Textures: e.textures, Peek: e.peek, Params: l.Params, Subarrays: p.Subarrays, SharedUnit: p.SharedUnit(),
		Dependent: l.Dependent, PlainPolls: p.PlainPolls,
	}
	if l.Blocks != nil {
		t.Skipped = l.Grid.Size() - uint64(len(l.Blocks))*t.ClusterSize()
	}
	e.Totals.Launches++
	t.Shared = launchShared(p.Shared, uint64(l.SharedDynamic))
	t.Repeatable = e.repeatable(t, l.Unseen, e.did[p])
	return t
}

// launchShared is the shared memory of a launch with so many dynamic bytes.
// All dynamic arrays begin at the same place; they are one, with all the names.
func launchShared(vars []trace.Variable, dynamic uint64) []trace.Variable {
	var list []trace.Variable
	for _, v := range vars {
		if v.Dynamic {
			v.Size = dynamic
			if i := len(list) - 1; i >= 0 && list[i].Dynamic {
				list[i].Name += trace.NameSeparator + v.Name
				continue
			}
		}
		list = append(list, v)
	}
	return list
}

// memory describes the allocation at an address.
func (e *Engine) memory(addr uint64) (trace.Memory, bool) {
	al := e.cfg.Arena.Find(addr)
	if al == nil {
		return trace.Memory{}, false
	}
	return al.Describe(), true
}

// textures is for trace.Launch.Textures.
func (e *Engine) textures(written bool) (list []trace.Memory, ok bool) {
	for _, h := range e.cfg.Arena.Textures.Handles() {
		t := e.cfg.Arena.Textures.Get(h)
		if written && !t.Surface {
			continue
		}
		al := t.Alloc
		if l := &t.Levels[0]; al == nil {
			size := uint64(max(l.Height, 1)-1)*l.Pitch + uint64(l.Width)*t.Format.Bytes()
			if al = e.cfg.Arena.Find(l.Base); al == nil {
				continue // it is read by no valid access
			}
			if size > al.End()-l.Base {
				return nil, false
			}
		}
		list = append(list, al.Describe())
	}
	return list, true
}

// peek returns bytes of global memory, nil outside of allocations.
func (e *Engine) peek(addr uint64, n int) (b []byte, written bool) {
	al := e.cfg.Arena.Find(addr)
	if al == nil || addr-al.Base+uint64(n) > al.Size {
		return nil, false
	}
	return e.cfg.Arena.Bytes(addr, uint64(n)), al.Written == nil || al.Written.Has(addr-al.Base, uint64(n))
}

// run is a launch in progress.
type run struct {
	e      *Engine
	ctx    context.Context
	prog   *program.Program
	params []byte
	launch *trace.Launch
	total  uint64
	// units is how many blocks, or clusters of them, can be taken, workers how many are at
	// work at most.
	units, workers uint64
	// only are the blocks that run, nil for all.
	only []uint64
	// portion is how many blocks a worker takes at a time: neighbors use
	// neighboring memory.
	portion uint64
	// What all workers write lies apart from what they only read. next is the
	// first block, or cluster, that nothing has taken. progress changes whenever a block
	// changes memory or ends.
	_        [64]byte
	next     atomic.Uint64
	progress atomic.Uint64
	// For Progress: the blocks that are done, and the instructions of threads.
	blocks atomic.Uint64
	instrs atomic.Uint64
	_      [64]byte
	// hung is set when a block was stopped because it would continue forever, ended
	// when a child grid failed, so that the launch is over.
	hung, ended atomic.Bool
	// resting is set while the workers have to rest; see pause.
	resting atomic.Bool
	// sieved: intervals are neither learned nor followed, as those of an earlier launch did not
	// repeat; irregular: those of this one did not.
	sieved, irregular bool
	// limit bounds the warp instructions of all blocks, 0 for no bound; did are those so far.
	limit, did uint64
	// repeat is for launches that may run again, else nil.
	repeat    *repeat
	observers []*trace.LaunchObserver
	lead      *lead
	// journals is the room for what long barrier intervals do.
	journals *recall.Room
	// executed has the counts of basic blocks, nil where nothing wants them.
	executed []trace.Executed
	// decided has those of conditions.
	decided []trace.Decided
	// deviceBlocks is Launch.Resident, how many blocks the device keeps at once, 0 if that is not known.
	deviceBlocks uint64
	// resident is how many blocks a worker keeps at once, stack Launch.Stack.
	resident   int
	stack      uint64
	heap       *devrt.Heap
	heapSize   uint64
	childGrids ChildGrids
	printf     uint64
	started    time.Time
	// warned is the longest time, in nanoseconds, that Config.Slow heard of.
	warned atomic.Int64
	// writers is that of the blocks of an ordered launch.
	writers warp.Writers
	// grid is the group of all blocks, made by the first one of a kernel that uses its
	// barrier in two parts.
	grid *group

	mu sync.Mutex
	// working counts the workers, stuckAt has those whose blocks repeat themselves:
	// the value of progress then, by worker.
	working int
	stuckAt map[int]uint64
	pause   pause
	counts  Counts
	// slots are all of the launch.
	slots     []*block
	faults    faults
	where     []string // for Result
	bug       error
	output    []blockOutput
	childWork []blockChildren
	bytes     uint64 // of output
	lost      uint64
}

type blockChildren struct {
	block uint64
	work  []devrt.ChildWork
}

// work runs blocks until none is left. A block that only waits for others is
// set aside, and the next one starts.
func (r *run) work(worker int) {
	defer r.leave(worker)
	defer r.catch()
	debug.SetPanicOnFault(true) // a wild address of ours must not end the process
	var idle []*block
	mine := portion{worker: worker}
	room := make([]*block, 0, maxPortion)
	active := room
	spin := spinning{worker: worker, next: calmRounds}
	waits := 0           // turns in a row in which a block only waited
	stays := 0           // turns that continued for long, maybe of blocks that write while they wait
	long := 0            // long turns of the whole launch
	var resting []*block // see trace.BlockObserver.Rests
	for r.ctx.Err() == nil && !r.ended.Load() {
		if r.resting.Load() {
			r.rest()
			continue
		}
		if had := len(active); stays >= had || !r.holdsBack(&mine, waits, had) {
			if active = r.take(&mine, &idle, active); len(active) == 0 {
				if len(resting) == 0 {
					break
				}
				active, resting = mine.wake(active, resting)
			} else if len(active) > had {
				waits = 0
			}
		}
		b := active[0]
		if active = active[1:]; len(active) == 0 {
			active = room // from the beginning again, without allocating
		}
		before := b.steps
		waits++
		st := b.run()
		r.spend(b.steps - before)
		switch {
		case st == blockRests:
			resting = append(resting, b)
			mine.resting++
			r.progress.Add(1)
			waits = 0
		case st == blockDone:
			r.finish(b)
			idle = append(idle, b)
			r.progress.Add(1)
			waits = 0
		case b.progressed:
			active = append(active, b)
			r.progress.Add(1)
			waits = 0
			if st == blockStays {
				r.lead.giveUp()
				stays++
				if long++; long%longLaunch == 0 && r.repeat == nil {
					r.awaits()
				}
			}
		default:
			active = append(active, b)
			if waits >= len(active) {
				r.lead.giveUp()
			}
			if b.changed {
				r.progress.Add(1)
			}
			if why := r.stuck(&spin, b, b.steps-before, len(active), r.more(&mine, len(active))); why != "" && len(resting) > 0 {
				active, resting = mine.wake(active, resting)
				r.progress.Add(1)
			} else if why != "" && !r.awaits() {
				for _, b := range active {
					b.hang(why)
					r.finish(b)
				}
				idle, active = append(idle, active...), nil
				r.progress.Add(1)
			}
		}
	}
	if r.ctx.Err() != nil || r.ended.Load() || r.hung.Load() { // there may be blocks of the lead that never begin
		r.lead.giveUp()
	}
	active = append(active, resting...)
	for i, b := range active { // the run was cut short
		if i == 0 && !r.ended.Load() {
			r.cut(b)
		}
		r.finish(b)
	}
	r.sum(append(idle, active...))
}

// overTime is the message of a launch that a limit of time ended.
const overTime = "the time limit was exceeded"

// cut notes where a block is when the launch is ended from outside. Too long a
// launch is a fault, an interrupted one is not.
func (r *run) cut(b *block) {
	if errors.Is(context.Cause(r.ctx), context.DeadlineExceeded) {
		why := overTime
		if b.neverEnds() { // how long it was looked at does not matter then
			why = noWayOut
		}
		b.hang(why)
		b.env.Fault.Notes = append(b.env.Fault.Notes, r.howFar())
		return
	}
	where := append(b.whereabouts(4), r.howFar())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.where == nil {
		r.where = where
	}
}

func (r *run) howFar() string {
	return fmt.Sprintf("%d of %d blocks had ended", r.blocks.Load(), r.total)
}

// catch turns a panic of a worker into the run's error.
func (r *run) catch() {
	p := recover()
	if p == nil {
		return
	}
	r.lead.giveUp()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bug == nil {
		r.bug = fmt.Errorf("panic in kernel %s: %v", r.prog.Name, p)
		if os.Getenv("WARPGRIND_DEBUG") != "" {
			r.bug = fmt.Errorf("%w\n%s", r.bug, debug.Stack())
		}
	}
	r.next.Store(r.total)
}

// finish takes over a block's fault and output.
func (r *run) finish(b *block) {
	b.end()
	b.count()
	r.passed(1)
	if b.env.Fault == nil && len(b.env.Survived()) == 0 && len(b.env.Runtime.Out) == 0 && len(b.env.Runtime.Asked()) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := b.env.Runtime.Asked(); len(n) > 0 {
		r.childWork = append(r.childWork, blockChildren{b.env.Block.Index, n})
	}
	if f := b.env.Fault; f != nil && f.Kind == trace.FaultBudget {
		r.hung.Store(true)
	}
	r.faults.addAll(b.env.Survived(), b.env.Fault)
	r.addOutput(b)
}

// passed counts n blocks that have ended.
func (r *run) passed(n uint64) { r.lead.passed(n, r.blocks.Add(n)) }

// leave ends a worker.
func (r *run) leave(worker int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.working--
	delete(r.stuckAt, worker)
	r.pause.changed.Broadcast()
}

func (r *run) sum(blocks []*block) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range blocks {
		r.irregular = r.irregular || b.env.Watched.Group != nil && b.env.Watched.Group.Irregular()
		r.counts.ThreadInstrs += b.env.ThreadInstrs
		r.counts.WarpInstrs += b.env.WarpInstrs
		r.counts.Accesses += b.env.Accesses
		if b.seen != 0 {
			r.launch.GlobalAccesses += b.env.Global
		}
		for i, n := range b.env.Executed {
			r.executed[i].Warps += n.Warps
			r.executed[i].Threads += n.Threads
		}
		for i, n := range b.env.Decided {
			d := &r.decided[i]
			d.Yes, d.No, d.Both = d.Yes+n.Yes, d.No+n.No, d.Both+n.Both
			d.YesWarps, d.NoWarps = d.YesWarps+n.YesWarps, d.NoWarps+n.NoWarps
		}
	}
}

// countsBlocks prepares the counts of basic blocks if an observer wants them.
func (r *run) countsBlocks() {
	if !slices.ContainsFunc(r.observers, func(o *trace.LaunchObserver) bool { return o.Executed != nil }) {
		return
	}
	r.executed = make([]trace.Executed, len(r.prog.Blocks))
	for i, b := range r.prog.Blocks {
		r.executed[i].First, r.executed[i].Last = b.First, b.Last
	}
	r.decided = make([]trace.Decided, len(r.prog.Decisions))
	for i, line := range r.prog.Decisions {
		r.decided[i].Line = line
	}
}

func (r *run) end() (Result, error) {
	if len(r.faults) == 0 && !r.ended.Load() && errors.Is(context.Cause(r.ctx), context.DeadlineExceeded) { // between two blocks
		r.faults.add(&trace.Fault{Kind: trace.FaultBudget, Cause: trace.CauseTime, Warp: trace.NoWarp, Message: overTime, Notes: []string{r.howFar()}})
	}
	list := r.faults.sorted(r.launch.GridWorkspace != 0 || r.launch.ClusterSize() > 1)
	for _, f := range list {
		for _, o := range r.observers {
			if o.Fault != nil {
				o.Fault(f)
			}
		}
	}
	for _, o := range r.observers {
		if o.Executed != nil {
			o.Executed(r.executed)
		}
		if o.Decided != nil {
			o.Decided(r.decided)
		}
		if o.End != nil {
			o.End()
		}
	}
	r.counts.Launches, r.counts.Blocks = 1, r.units*r.launch.ClusterSize()
	r.counts.Skipped = r.launch.Skipped
	if slices.ContainsFunc(r.observers, (*trace.LaunchObserver).Checks) {
		r.counts.Observed = r.observed()
	}
	r.e.Totals.add(r.counts)
	res := Result{Where: r.where, Counts: r.counts, Output: r.printed()}
	res.Lost = r.lost
	if len(list) > 0 {
		res.Fault = list[0]
	}
	sort.Slice(r.childWork, func(i, k int) bool { return r.childWork[i].block < r.childWork[k].block })
	for _, n := range r.childWork {
		res.ChildWork = append(res.ChildWork, n.work...)
	}
	if r.bug != nil {
		return res, r.bug
	}
	return res, r.ctx.Err()
}
