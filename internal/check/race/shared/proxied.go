package shared

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// An asynchronous operation may access memory at any time between its issue and its end.
// Its accesses therefore
//   - are compared with all accesses before, in the name of the thread that issues it:
//     what that thread is not ordered after races with them, and
//   - stay in the history of their words, whatever barriers are passed: an access of a
//     thread that has not observed the end races with them.
//
// What threads have written by ordinary stores must also have been made visible to the
// async proxy, by a fence that comes after the write and before the issue.

// proxied has what asynchronous operations do in the shared memory of a block.
type proxied struct {
	words []proxyWord
	// accesses has for words what threads did to them; valid where the word says so.
	accesses []ordinaries
	ops      []asyncOp // operations with accesses in this memory; index 0 means none
	ended    map[hb.AsyncOp]struct{}
	// sets are sets of operations that read, by number; with has those that come of adding
	// an operation to a set.
	sets [][]int32
	with map[[2]int32]int32
	// fences are those for the async proxy that threads of the block have executed, in order.
	fences []proxyFence
	// piped has the last number of those that have ended, by block and pipe.
	piped map[[2]uint32]uint32
	// issues are the last operations of a pipe, with what happens before their issue.
	issues map[uint32][]pipeIssue
	// acc is an access in the name of a thread that issues an operation, addr its addresses.
	acc  trace.Access
	addr [32]uint64
	near *neighbors
	// remote is what threads of other blocks have done to words.
	remote map[uint32]remoteWord
	lifetime
}

// proxyWord is the history of a word across barriers: the operation that wrote it last, or the
// set of reductions since, which may come in any order; the set of operations that have read
// it since; whether threads have stored to it or loaded from it since (proxied.access).
type proxyWord struct {
	write, updates, reads int32
	writeBytes            uint8
	readBytes             uint8
	stored, loaded        bool
}

// ordinaries are the last ordinary store to a word and, in clusters, the last ordinary load.
type ordinaries struct{ store, load ordinary }

// ordinary is an access by a thread of the block, at number time of its accesses; 0 for none.
type ordinary struct {
	key             key
	time            uint64
	warp, lane      int16
	interval, stamp uint32
}

// asyncOp is an operation in the history, as its thread issued it. One that is not proxied is
// asynchronous, but accesses memory as threads do (PTX ISA, "st.async", "red.async").
type asyncOp struct {
	hb.AsyncOp
	proxied bool
	// reduces: it is a reduction, which others may precede or follow.
	reduces     bool
	key         key
	warp, lane  int
	stamp, tick uint32
	// interval is that of the issue; pipe is trace.AsyncAccess.Pipe.
	interval, pipe uint32
	// raced is set once it was found to race.
	raced bool
	// clock and phases are those of its thread at the issue, where that is of another block.
	clock  *hb.Clock
	phases uint64
}

// proxyFence is a fence by lanes of a warp.
type proxyFence struct {
	warp     int
	mask     uint32
	time     uint64
	interval uint32
	// from are clocks of the lanes that executed it, of what happens before.
	from []*hb.Clock
}

// proxying is a block's observer as far as asynchronous operations go.
type proxying struct{ *blockObserver }

// neighbors are the blocks of a cluster that run, by their index, and its barrier.
type neighbors struct {
	blocks  map[uint64]*blockObserver
	barrier hb.GroupBarrier
}

func (b proxying) begin() {
	d, p := b.launch, &b.proxied
	if !d.async && !d.clusters {
		return
	}
	n := len(b.shadow.words)
	if d.tensor {
		n += trace.TensorUnits
	}
	if len(p.words) != n {
		p.words, p.accesses = make([]proxyWord, n), make([]ordinaries, len(b.shadow.words))
	} else {
		clear(p.words)
	}
	p.ops, p.sets, p.with = append(p.ops[:0], asyncOp{}), append(p.sets[:0], nil), map[[2]int32]int32{}
	p.fences, p.piped, p.ended = p.fences[:0], map[[2]uint32]uint32{}, map[hb.AsyncOp]struct{}{}
	p.remote, p.issues, p.lifetime = nil, nil, lifetime{}
	number, _ := d.launch.ClusterOf(b.block.Index)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running == nil {
		d.running = map[uint64]*neighbors{}
	}
	if p.near = d.running[number]; p.near == nil {
		p.near = &neighbors{blocks: map[uint64]*blockObserver{}}
		d.running[number] = p.near
	}
	p.near.blocks[b.block.Index] = b.blockObserver
}

func (b proxying) end() {
	d, p := b.launch, &b.proxied
	if p.near == nil {
		return
	}
	b.exits()
	number, _ := d.launch.ClusterOf(b.block.Index)
	d.mu.Lock()
	defer d.mu.Unlock()
	if delete(p.near.blocks, b.block.Index); len(p.near.blocks) == 0 {
		delete(d.running, number)
	}
	p.near = nil
}

// AsyncBegan is the event of that name.
func (b proxying) AsyncBegan(e *trace.AsyncAccess) {
	by := b.proxied.near.blocks[e.Issuer]
	if by == nil || e.Mask == 0 {
		return
	}
	b.time++
	lane := bits.TrailingZeros32(e.Mask)
	p := &b.proxied
	op := asyncOp{AsyncOp: hb.AsyncOp{Block: uint32(e.Issuer), N: uint32(e.Op)}, proxied: e.Site.Op.IsProxied(), reduces: e.Site.Op.IsAsyncReduction(),
		key:  makeKey(e.Site.ID, 0xf, e.Site.Kind),
		warp: e.Warp, lane: lane, stamp: by.order.Stamp(e.Warp), tick: by.ticks[e.Warp], interval: by.order.Interval(), pipe: e.Pipe}
	if by != b.blockObserver {
		op.clock, op.phases = by.order.ClockOf(32*e.Warp+lane), by.proxied.phases
	}
	p.ops = append(p.ops, op)
	at := int32(len(p.ops) - 1)
	if e.Pipe != 0 {
		by.proxied.noteIssue(e.Pipe, op.N, by.order, 32*e.Warp+lane)
	}
	p.acc = trace.Access{Site: e.Site, Space: trace.SpaceShared, Warp: e.Warp, Mask: 1 << lane, Addr: &p.addr}
	b.acc = &p.acc
	issue := issue{b: b, by: by, op: &op, number: at, clock: by.order.ClockOf(32*e.Warp + lane)}
	visit := issue.word
	if e.Tensor {
		visit, issue.clock = issue.unit, issue.clock.ForTensor()
		issue.first = uint32(len(b.shadow.words))
	}
	if e.OnMBarrier {
		b.completesOn(&issue, e.Site, e.MBarrier)
	}
	for _, r := range e.Ranges {
		p.addr[lane] = r.Addr
		eachWordOf(r, uint32(len(p.words)), visit)
	}
}

// eachWordOf calls f for the words of a range below n, with the bytes that are in it.
func eachWordOf(r trace.Range, n uint32, f func(i uint32, bytes uint8)) {
	end := r.Addr + r.N
	for i := r.Addr >> 2; i<<2 < end && i < uint64(n); i++ {
		mask := uint8(0xf)
		if i<<2 < r.Addr {
			mask &= 0xf << (r.Addr & 3)
		}
		if end < i<<2+4 {
			mask &= 0xf >> (i<<2 + 4 - end)
		}
		f(uint32(i), mask)
	}
}

// plainlyFollows reports whether a later fence is of the thread of a store, or of a later interval.
func (f *proxyFence) plainlyFollows(s *ordinary) bool {
	return f.interval > s.interval || f.warp == int(s.warp) && f.mask>>s.lane&1 != 0
}

// follows reports whether a store happens before one of the threads of a later fence, where that
// is not plain.
func (f *proxyFence) follows(s *ordinary, o *hb.Order) bool {
	at := hb.Epoch{Block: o.Party().Block, Interval: s.interval, Stamp: s.stamp}
	return slices.ContainsFunc(f.from, func(c *hb.Clock) bool { return c.Covers(at, uint32(32*int(s.warp)+int(s.lane))) })
}

// Fence completes acquires and begins releases.
func (b proxying) Fence(e *trace.Fence) {
	b.order.Fence(e)
	b.proxied.fence(e)
}

// ProxyFence is the event of that name.
func (b proxying) ProxyFence(e *trace.ProxyFence) {
	if e.Site.Op.Kind == inst.MapFence || e.Site.Space == trace.SpaceGlobal {
		return
	}
	p := &b.proxied
	b.time++
	f := proxyFence{warp: e.Warp, mask: e.Mask, time: b.time, interval: b.order.Interval()}
	n := uint32(len(p.fences) + 1)
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		if c := b.order.Snapshot(t); len(f.from) == 0 || f.from[len(f.from)-1] != c {
			f.from = append(f.from, c)
		}
		b.order.ProxyFence(t, n)
	}
	p.fences = append(p.fences, f)
}

// TensorFence is the event of that name.
func (b proxying) TensorFence(e *trace.TensorFence) { b.order.TensorFence(e) }

// access is one that operations are compared with: by a lane of a block, whose thread has a
// clock, or in its name. issue is that of an operation that makes it, nil for others.
type access struct {
	key   key
	lane  int
	block uint32
	clock *hb.Clock
	ended *endedOp
	issue *issue
	// reduces: it is a reduction by an asynchronous operation, which any other may follow.
	reduces bool
}

// meetAsync compares an access with the operations in the history of a word.
func (b proxying) meetAsync(w *proxyWord, i uint32, a access) {
	if w.write != 0 && w.writeBytes&a.key.bytes() != 0 {
		b.meetOperation(w.write, false, i, a)
	}
	if w.updates != 0 && w.writeBytes&a.key.bytes() != 0 && !a.reduces {
		for _, op := range b.proxied.sets[w.updates] {
			b.meetOperation(op, false, i, a)
		}
	}
	if w.reads != 0 && w.readBytes&a.key.bytes() != 0 && a.key.kind() != trace.Read {
		for _, op := range b.proxied.sets[w.reads] {
			b.meetOperation(op, true, i, a)
		}
	}
}

// meetOperation compares an access with one operation: it has to come after the end, or only
// after the operation has read its source.
func (b proxying) meetOperation(number int32, source bool, i uint32, a access) {
	if a.ended.of(&b.proxied, number, source, a.clock) {
		return
	}
	op := &b.proxied.ops[number]
	if a.issue.pipes(op) || op.raced && a.issue.frees() {
		return
	}
	op.raced = true
	fault := evidence.Unfinished
	if _, ended := b.proxied.ended[op.AsyncOp]; ended || op.pipe != 0 && b.proxied.piped[[2]uint32{op.Block, op.pipe}] >= op.N {
		fault = evidence.Unobserved
	}
	if a.issue.unfenced(op, source) {
		fault = evidence.Unfenced
	}
	earlier := makeKey(op.key.site(), a.key.bytes(), op.key.kind())
	b.found(race{earlier: earlier, later: a.key, warp: op.warp, word: i, count: 1, first: op.lane, then: a.lane,
		stamp: op.stamp, tick: op.tick, apart: true, async: fault, observed: b.observed(number, source, a), earlierBlock: op.Block + 1, laterBlock: a.block + 1}, 1<<a.lane)
}

// maxObserved is how many operations before one are looked at.
const maxObserved = 64

// observed reports whether an access knows that an operation has ended which the instruction of another one issued before.
func (b proxying) observed(number int32, source bool, a access) bool {
	ops := b.proxied.ops
	for n := number - 1; n >= max(0, number-maxObserved); n-- {
		if ops[n].key.site() == ops[number].key.site() && ops[n].Block == ops[number].Block && a.ended.of(&b.proxied, n, source, a.clock) {
			return true
		}
	}
	return false
}

// enter puts an operation into the history of a word.
func (b proxying) enter(w *proxyWord, i uint32, bytes uint8, x *issue) {
	switch {
	case x.op.key.kind() == trace.Read:
		w.reads, w.readBytes = x.with(w.reads, true), w.readBytes|bytes
		return
	case x.op.reduces:
		w.updates, w.write, w.writeBytes = x.with(w.updates, false), 0, w.writeBytes|bytes
	default:
		w.updates, w.write, w.writeBytes = 0, x.number, bytes
	}
	w.reads, w.readBytes = 0, 0
	w.stored, w.loaded = false, false
	delete(b.proxied.remote, i)
	if bytes == 0xf && int(i) < len(b.shadow.words) {
		b.supersede(i)
	}
}

// supersede drops what threads have done to a word in the interval: it is ordered before the
// operation that overwrites the word, or was found to race with it.
func (b proxying) supersede(i uint32) {
	if w := &b.shadow.words[i]; w.interval == b.shadow.interval {
		w.interval = 0
	}
	ln, bit := &b.lines.lines[i/32], uint32(1)<<(i%32)
	if ln.interval != b.shadow.interval {
		return
	}
	for at := ln.head; at != 0; at = b.lines.nodes[at].next {
		b.lines.nodes[at].words &^= bit
	}
	ln.read, ln.written, ln.single = ln.read&^bit, ln.written&^bit, ln.single&^bit
}

// with is a set of operations with this one, remembered for the next word: of those that read
// (source), or of reductions.
func (x *issue) with(set int32, source bool) int32 {
	if !x.known || x.from != set {
		x.from, x.to, x.known = set, x.b.proxied.add(set, x, source), true
	}
	return x.to
}

// add is a set of operations with one more, without those that have ended before it, or for
// source have read what they read.
func (p *proxied) add(set int32, x *issue, source bool) int32 {
	at := [2]int32{set, x.number}
	if n, ok := p.with[at]; ok {
		return n
	}
	list := slices.DeleteFunc(slices.Clone(p.sets[set]), func(o int32) bool { return x.clock.Ended(p.ops[o].AsyncOp, source) || x.pipes(&p.ops[o]) })
	p.sets = append(p.sets, append(list, x.number))
	n := int32(len(p.sets) - 1)
	p.with[at] = n
	return n
}

// pipeIssue is an operation of a pipe, and what happens before its issue.
type pipeIssue struct {
	n     uint32
	clock *hb.Clock
}

// noteIssue notes what happens before thread t issues an operation of a pipe. tcgen05.commit lets those know who
// wait for its mbarrier, since it includes a fence::before_thread_sync (PTX ISA, "tcgen05.commit"): whoever
// overwrites a tile after the product that read it is also ordered after the copy that the product
// had to wait for.
func (p *proxied) noteIssue(pipe, n uint32, o *hb.Order, t int) {
	if p.issues == nil {
		p.issues = map[uint32][]pipeIssue{}
	}
	list := p.issues[pipe]
	if len(list) > 0 && list[len(list)-1].n == n { // one may access several blocks
		return
	}
	if len(list) >= 2*mostIssues {
		list = append(list[:0], list[len(list)-mostIssues:]...)
	}
	p.issues[pipe] = append(list, pipeIssue{n, o.Snapshot(t)})
}

// mostIssues is how many operations of a pipe the last ones are of which a commit may still be looked
// at: a ring of tiles has fewer.
const mostIssues = 1024

// issuedBefore is what happens before operation n of a pipe was issued; nil where that was not noted. The operations of a pipe
// end in order, but a commit is seen when its mbarrier is looked at: at each block that it signals in that block's time.
func (p *proxied) issuedBefore(pipe, n uint32) *hb.Clock {
	list := p.issues[pipe]
	i, found := slices.BinarySearchFunc(list, n, func(x pipeIssue, n uint32) int { return cmp.Compare(x.n, n) })
	if !found {
		return nil
	}
	return list[i].clock
}

// AsyncEnded is the event of that name.
func (b proxying) AsyncEnded(e *trace.AsyncEnd) {
	op := hb.AsyncOp{Block: uint32(e.Issuer), N: uint32(e.Op), From: uint32(e.From)}
	for _, n := range b.proxied.near.blocks {
		if pipe := trace.PipeOf(e.Op); pipe != 0 {
			n.proxied.piped[[2]uint32{op.Block, pipe}] = op.N
		} else if !e.SourceRead {
			n.proxied.ended[hb.AsyncOp{Block: op.Block, N: op.N}] = struct{}{}
		}
	}
	if e.OnMBarrier {
		b.completes(op, e.MBarrier)
		over := hb.OverBlock
		if e.Issuer != b.block.Index {
			over = hb.OverCluster
		}
		b.mbarriers.End(op, over, e.MBarrier, b.parity(e.MBarrier))
		if by := b.proxied.near.blocks[e.Issuer]; by != nil {
			if c := by.proxied.issuedBefore(trace.PipeOf(e.Op), op.N); c != nil {
				b.mbarriers.Release(c, over, e.MBarrier, b.parity(e.MBarrier))
			}
		}
		return
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		b.order.EndAsync(32*e.Warp+bits.TrailingZeros32(m), op, e.SourceRead)
	}
}

// generic compares an access by threads of the block with asynchronous operations, and notes
// what it stores.
func (b proxying) generic(a *trace.Access) {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t := 32*a.Warp + lane
		var clock *hb.Clock // only where operations have been: it costs
		var ended endedOp
		eachWordOf(trace.Range{Addr: a.Addr[lane], N: uint64(a.Site.Size)}, uint32(len(b.proxied.words)), func(i uint32, bytes uint8) {
			w, k := &b.proxied.words[i], makeKey(a.Site.ID, bytes, a.Site.Kind)
			if w.write != 0 || w.updates != 0 || w.reads != 0 {
				if clock == nil {
					clock = b.order.ClockOf(t)
				}
				b.meetAsync(w, i, access{key: k, lane: lane, block: uint32(b.block.Index), clock: clock, ended: &ended})
			}
			now := ordinary{key: k, time: b.time, warp: int16(a.Warp), lane: int16(lane), interval: b.order.Interval(), stamp: b.order.Stamp(a.Warp)}
			switch {
			case a.Site.Op.IsMBarrier():
			case a.Site.Op.Kind == inst.TensorAlloc:
				// It keeps same-address order with other instructions, those of the async proxy
				// included ("tcgen05 Memory Consistency Model: Asynchronous Operations").
				w.overwritten(bytes)
				w.stored = false
			case a.Site.Kind.Writes():
				w.overwritten(bytes)
				w.stored, b.proxied.accesses[i].store = true, now
			case b.launch.clusters:
				w.loaded, b.proxied.accesses[i].load = true, now
			}
		})
	}
}

// overwritten forgets the operations on bytes that a thread has stored to.
func (w *proxyWord) overwritten(bytes uint8) {
	if w.writeBytes &^= bytes; w.writeBytes == 0 {
		w.write, w.updates = 0, 0
	}
	if w.readBytes &^= bytes; w.readBytes == 0 {
		w.reads = 0
	}
}
