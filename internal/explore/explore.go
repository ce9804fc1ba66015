package explore

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Config is what an exploration may do.
type Config struct {
	// Executions bounds those of a launch.
	Executions int
	// Checkers makes the checkers of one execution.
	Checkers func() []check.Checker
}

// Explorer explores the launches of a run.
type Explorer struct {
	cfg     Config
	seed    maphash.Seed
	results []*Result
	all     []*exploration
}

// New makes an explorer.
func New(cfg Config) *Explorer { return &Explorer{cfg: cfg, seed: maphash.MakeSeed()} }

// Result is what came of one launch.
type Result struct {
	Launch *trace.Launch
	// Refused is why it was not explored, "" if it was.
	Refused string
	// Executions counts those that are different, Complete is set if they are all. Left are steps that were still to be tried.
	Executions int
	Complete   bool
	Left       int
	// Cut is set if an execution was not finished: the run was ended, or the execution exceeded MaxSteps.
	Cut bool
	// Teams is set if a barrier that counts a part of a block's warps had different warps in two phases. Which of them meet may
	// depend on the order in which they arrive, and orders of arrivals are not tried: Complete is not set then.
	Teams bool
	// Outcomes are what memory was at the end, and what ended the launch, each once.
	Outcomes []*Outcome
	// Findings are of all executions, each cause once; those of the first one come first. Shown has the orders of the
	// executions that had a new one, by their numbers.
	Findings []*finding.Finding
	Shown    map[int]Order
}

// Outcome is one way in which a launch may end.
type Outcome struct {
	Order Order
	// Executions are those that end so.
	Executions int
	Fault      *trace.Fault
	// Words is how many words are not as in the first outcome. First names the first of them, Was and Now are what it is
	// there and here.
	Words    int
	First    string
	Was, Now uint32

	hash uint64
}

// Observer is for the run.
func (e *Explorer) Observer() *trace.Observer { return &trace.Observer{Launch: e.launch} }

// Results are those of the launches, in their order, when the run has ended, be it before all was explored.
func (e *Explorer) Results() []*Result {
	for _, x := range e.all {
		if !x.result.Complete {
			x.result.Left = x.search.left()
		}
	}
	return e.results
}

// MaxSteps bounds the warp instructions of an execution.
const MaxSteps = 1 << 24

func (e *Explorer) launch(l *trace.Launch) []*trace.LaunchObserver {
	r := &Result{Launch: l, Refused: refuses(l), Shown: map[int]Order{}}
	e.results = append(e.results, r)
	if r.Refused != "" {
		return nil
	}
	x := &exploration{Explorer: e, result: r, warps: l.Warps(), known: map[string]bool{}, teams: newTeams()}
	x.search = newSearch(x.warps * int(l.Grid.Size()))
	e.all = append(e.all, x)
	return []*trace.LaunchObserver{{Trial: x.next}}
}

// refuses returns why a launch cannot be explored, "" if it can.
func refuses(l *trace.Launch) string {
	switch n := l.Grid.Size() * uint64(l.Warps()); {
	case n > maxProcs:
		return fmt.Sprintf("it has %d warps, and at most %d can be explored", n, maxProcs)
	case l.ClusterSize() > 1:
		return "blocks of clusters are not explored"
	case l.Nests:
		return "launches of child grids are not explored"
	case !l.Repeatable:
		return "it cannot be run again: it allocates, the host sees what it writes, or it may write too much memory"
	}
	for _, s := range l.Sites {
		if !slices.Contains(explored, s.Op.Kind) {
			return fmt.Sprintf("orders of %s are not explored", s.Op.Kind)
		}
	}
	return ""
}

// explored are the kinds of instructions whose orders are explored, or have none.
var explored = []inst.Kind{inst.Compute, inst.Load, inst.Store, inst.Atomic, inst.Barrier, inst.BarrierArrive, inst.BarrierReduce, inst.WarpSync,
	inst.Fence, inst.Shuffle, inst.Vote, inst.Match, inst.Redux, inst.Elect, inst.ActiveMask,
	inst.Hint, inst.StackSave, inst.StackSet, inst.StackAlloc, inst.Branch, inst.Call, inst.Return, inst.Exit, inst.Trap}

// exploration is that of one launch.
type exploration struct {
	*Explorer
	result *Result
	search *search
	// warps are those of a block, block is the one at work.
	warps   int
	started bool
	// stopped: an execution did not come to its end: the run was ended, or the execution took too long or was another one
	// than before.
	stopped  bool
	turns    []trace.Turn
	first    [][]byte
	checkers []check.Checker
	known    map[string]bool
	// arrived are the warps that reached a phase of the grid's barrier.
	arrived map[uint64]procs
	teams   teams
}

// next is the next execution, nil for none.
func (x *exploration) next(trace.Work) *trace.Trial {
	r := x.result
	if x.stopped {
		return nil
	}
	if x.started && !x.search.next() {
		r.Complete = !r.Teams
		return nil
	}
	x.started = true
	if r.Executions >= x.cfg.Executions {
		return nil
	}
	x.turns, x.arrived = nil, map[uint64]procs{}
	l := *r.Launch
	l.Repeatable = false // what a checker suspects it has to see at once
	observers := []*trace.LaunchObserver{{Block: x.newBlock}}
	x.checkers = x.cfg.Checkers()
	for _, c := range x.checkers {
		if f := c.Observer().Launch; f != nil {
			observers = append(observers, f(&l)...)
		}
	}
	return &trace.Trial{Observers: observers, Steer: x.choose, Limit: MaxSteps, End: func(trace.Work) {}, Ended: x.ended}
}

func (x *exploration) proc(block uint64, warp int) int { return int(block)*x.warps + warp }

// choose is for trace.Trial.
func (x *exploration) choose(ready []trace.Turn) int {
	var enabled procs
	for _, t := range ready {
		enabled.add(x.proc(t.Block, t.Warp))
	}
	p := x.search.choose(enabled)
	if p < 0 {
		return -1
	}
	i := slices.IndexFunc(ready, func(t trace.Turn) bool { return x.proc(t.Block, t.Warp) == p })
	x.turns = append(x.turns, ready[i])
	return i
}

// newBlock observes the accesses of the blocks of a slot.
func (x *exploration) newBlock() *trace.BlockObserver {
	var b *trace.Block
	access := func(a *trace.Access) { x.access(b, a) }
	all := func(masks []uint32) (s procs) {
		for w, m := range masks {
			if m != 0 {
				s.add(x.proc(b.Index, w))
			}
		}
		return s
	}
	return &trace.BlockObserver{
		Begin: func(block *trace.Block) { b = block }, Shared: access, Global: access,
		Barrier: func(e *trace.Barrier) {
			x.search.joins(all(e.Arrived), all(e.Synced))
			if !e.Full {
				x.teams.meet(barrier{b.Index, e.ID}, all(e.Arrived))
			}
		},
		Arrived:      func(e *trace.Arrival) { x.teams.arrive(barrier{b.Index, e.ID}, 1<<x.proc(b.Index, e.Warp)) },
		GroupArrived: func(e *trace.GroupSync) { x.arrived[e.Phase] |= 1 << x.proc(b.Index, e.Warp) },
		GroupPassed:  func(e *trace.GroupSync) { x.search.joins(x.arrived[e.Phase], 1<<x.proc(b.Index, e.Warp)) },
	}
}

func (x *exploration) access(b *trace.Block, a *trace.Access) {
	owner := uint64(0)
	if a.Space == trace.SpaceShared {
		owner = b.Index + 1
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		addr, is := a.Addr[lane], effectOf(a.Site)
		if is == writes && x.fails(b, a, lane) {
			is = reads
		}
		for w := addr / wordBytes; w <= (addr+uint64(a.Site.Size)-1)/wordBytes; w++ {
			if y := (access{place{owner, w}, is}); !slices.Contains(x.search.current(), y) {
				x.search.access(y)
			}
		}
	}
}

// fails reports whether a lane's compare-and-swap, which takes effect next, finds another value than it expects.
func (x *exploration) fails(b *trace.Block, a *trace.Access, lane int) bool {
	n := a.Site.Size
	if !a.Site.Op.IsCAS() || a.Data == nil || n > 8 {
		return false
	}
	addr := a.Addr[lane]
	var is []byte
	if a.Space == trace.SpaceShared {
		is = b.Shared[addr:min(addr+uint64(n), uint64(len(b.Shared)))]
	} else {
		is, _ = x.result.Launch.Peek(addr, n)
	}
	var want [8]byte
	binary.LittleEndian.PutUint64(want[:], a.Data.Value(lane, 0))
	return len(is) == n && !bytes.Equal(is, want[:n])
}

// effectOf is what accesses by a site do.
func effectOf(s *trace.Site) effect {
	switch op := &s.Op; {
	case s.Kind == trace.Read:
		return reads
	case s.Kind == trace.Atomic && !op.Result && op.Type.Class != inst.Float && op.Type.Class != inst.Packed && slices.Contains(commutative, op.Fn):
		return update + effect(op.Fn)<<8 + effect(op.Type.Class)<<4 + effect(bits.Len8(op.Type.Size))
	}
	return writes
}

// commutative are the operations of atomics of which two of a kind leave the same in either order.
var commutative = []inst.Fn{inst.FnAdd, inst.FnAnd, inst.FnOr, inst.FnXor, inst.FnMin, inst.FnMax}

// ended takes what an execution has left.
func (x *exploration) ended(e *trace.Ending) {
	r := x.result
	x.teams.end()
	r.Teams = x.teams.differ
	if x.stopped = e.Cut && !x.search.redundant; x.stopped || x.search.redundant {
		r.Cut = r.Cut || x.stopped
		return
	}
	r.Executions++
	order := Order{r.Launch.ID, x.turns}
	x.outcome(e, order)
	for _, c := range x.checkers {
		for _, f := range c.Findings() {
			if id := f.Rule + "\x00" + f.Kernel + "\x00" + f.Key; !x.known[id] {
				x.known[id] = true
				f.Notes = append(f.Notes, fmt.Sprintf("first seen in execution %d of those explored; to run in its order: --schedule %s", r.Executions, Short(order)))
				if s := order.String(); len(s) <= maxShown {
					f.Schedule = s
				}
				r.Shown[r.Executions] = order
				r.Findings = append(r.Findings, f)
			}
		}
	}
}

// maxShown bounds the text of an order in a note.
const maxShown = 600

// Short is the text of an order for a note.
func Short(o Order) string {
	s := o.String()
	if len(s) > maxShown {
		return "FILE, as --schedules DIR writes it"
	}
	return s
}

func (x *exploration) outcome(e *trace.Ending, order Order) {
	var h maphash.Hash
	h.SetSeed(x.seed)
	for _, m := range e.Memory {
		h.Write(m.Data)
	}
	if f := e.Fault; f != nil {
		fmt.Fprint(&h, f.Kind, f.Cause)
	}
	r, sum := x.result, h.Sum64()
	for _, o := range r.Outcomes {
		if o.hash == sum {
			o.Executions++
			return
		}
	}
	o := &Outcome{Order: order, Executions: 1, Fault: e.Fault, hash: sum}
	if r.Outcomes = append(r.Outcomes, o); len(r.Outcomes) == 1 {
		for _, m := range e.Memory {
			x.first = append(x.first, bytes.Clone(m.Data))
		}
		return
	}
	for i, m := range e.Memory {
		o.compare(r.Launch, m.Base, x.first[i], m.Data)
	}
}

// compare notes where contents differ.
func (o *Outcome) compare(l *trace.Launch, base uint64, was, now []byte) {
	for i := 0; i < len(now); i += 4 {
		a, b := was[i:min(i+4, len(was))], now[i:min(i+4, len(now))]
		if bytes.Equal(a, b) {
			continue
		}
		if o.Words++; o.Words == 1 {
			o.First, o.Was, o.Now = nameOf(l, base+uint64(i)), word(a), word(b)
		}
	}
}

// nameOf names a word of memory.
func nameOf(l *trace.Launch, addr uint64) string {
	if m, ok := l.Memory(addr); ok {
		return check.GlobalElement(&m, int64(addr-m.Base), wordBytes, wordBytes)
	}
	return fmt.Sprintf("the word at 0x%x", addr)
}

const wordBytes = 4

func word(b []byte) (n uint32) {
	for i, x := range b {
		n |= uint32(x) << (8 * i)
	}
	return n
}
