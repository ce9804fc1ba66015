package race

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Happens-before between blocks. A thread knows of another block what was
// released to it: all that the block did before one of its barrier intervals,
// and in that interval what some of its threads did before a stamp.

// view is what is known of a block.
type view struct {
	block    uint32
	interval uint32
	threads  []threadStamp // one a thread, sorted
}

// threadStamp says that what a thread did at a smaller stamp is known.
type threadStamp struct{ thread, stamp uint32 }

// know is what a thread knows of other blocks, and up to which operation it
// has followed the release sequences of which words. It is never changed once
// it is shared.
type know struct {
	blocks map[uint32]*view
	words  map[uint64]uint32
}

// sequence is a word's release sequence: what who reads the word acquires.
type sequence struct {
	scope trace.Scope // the narrowest
	own   bool        // of one block so far
	block uint32
	// n numbers the strong writes to the word.
	n    uint32
	know *know
	// last is what was released to it last.
	last *know
}

// fenced is a thread's last fence.
type fenced struct {
	interval, stamp uint32
	scope           trace.Scope
}

// knows reports whether a thread that knows k is ordered after thread's access
// s of another block.
func (k *know) knows(s *span, thread uint32, word uint64, strong bool) bool {
	if k == nil {
		return false
	}
	if strong && s.val != 0 && s.val <= k.words[word] {
		return true
	}
	v := k.blocks[s.block]
	if v == nil || s.interval > v.interval {
		return false
	}
	return s.interval < v.interval || s.stamp < v.stampOf(thread)
}

func (v *view) stampOf(thread uint32) uint32 {
	i, ok := slices.BinarySearchFunc(v.threads, thread, func(t threadStamp, thread uint32) int { return cmp.Compare(t.thread, thread) })
	if !ok {
		return 0
	}
	return v.threads[i].stamp
}

// join returns what both know.
func (k *know) join(o *know) *know {
	switch {
	case k == o || o == nil || k != nil && k.includes(o):
		return k
	case k == nil || o.includes(k):
		return o
	}
	j := &know{blocks: make(map[uint32]*view, len(k.blocks)+1), words: make(map[uint64]uint32, len(k.words)+1)}
	for _, m := range []*know{k, o} {
		for b, v := range m.blocks {
			j.blocks[b] = v.join(j.blocks[b])
		}
		for w, n := range m.words {
			j.words[w] = max(n, j.words[w])
		}
	}
	return j
}

// includes reports whether k knows all that o does.
func (k *know) includes(o *know) bool {
	for b, v := range o.blocks {
		if w := k.blocks[b]; w != v && (w == nil || !w.includes(v)) {
			return false
		}
	}
	for w, n := range o.words {
		if k.words[w] < n {
			return false
		}
	}
	return true
}

func (v *view) includes(o *view) bool {
	if v.interval != o.interval {
		return v.interval > o.interval
	}
	for _, t := range o.threads {
		if v.stampOf(t.thread) < t.stamp {
			return false
		}
	}
	return true
}

func (v *view) join(o *view) *view {
	switch {
	case o == nil || v == o || v.interval > o.interval:
		return v
	case o.interval > v.interval:
		return o
	}
	return &view{block: v.block, interval: v.interval, threads: merge(v.threads, o.threads)}
}

// merge has the threads of both, each with its later stamp.
func merge(a, b []threadStamp) []threadStamp {
	out := make([]threadStamp, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Compare(a[0].thread, b[0].thread); {
		case c < 0:
			out, a = append(out, a[0]), a[1:]
		case c > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, threadStamp{a[0].thread, max(a[0].stamp, b[0].stamp)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// order is a block's happens-before: its own clock, and what its threads know
// of other blocks.
type order struct {
	*clock
	model check.RaceModel
	// fencesOnly says that barriers do not make pending knowledge known: each
	// thread needs a fence of its own.
	fencesOnly bool
	interval   uint32
	// begin has the warps' stamps when the interval began.
	begin []uint32
	// all is what every thread knows, own what some know besides (by knower),
	// pending what they learn at their next fence or barrier, fresh what they
	// have acquired lately (by knower).
	all     *know
	own     map[int]*know
	pending map[int]*know
	fresh   map[int][]acquired
	fences  map[int]fenced
	// handed is what each thread released last.
	handed map[int]handed
}

// handed is what a thread released and what that was made from.
type handed struct {
	from  *know
	fence fenced
	now   uint32
	know  *know
}

func newOrder(threads int, c *checker) *order {
	k := newClock(threads)
	return &order{clock: k, model: c.model, fencesOnly: c.policy.FenceToAcquire, begin: make([]uint32, k.warps)}
}

// reset is for a new block.
func (o *order) reset() {
	o.all, o.interval = nil, 0
	o.own, o.pending, o.fresh = map[int]*know{}, map[int]*know{}, map[int][]acquired{}
	o.fences, o.handed = map[int]fenced{}, map[int]handed{}
	o.newInterval()
}

func (o *order) newInterval() {
	o.fullBarrier()
	copy(o.begin, o.now)
}

// acquired is what a thread has acquired from a word and not yet made use of:
// a thread that spins on a lock acquires it many times.
type acquired struct {
	word uint64
	n    uint32
	know *know
}

// knower is the thread in whose name it is kept what thread t knows: in lockstep
// the lanes of a warp know the same.
func (o *order) knower(t int) int {
	if o.model == check.Lockstep {
		return t &^ 31
	}
	return t
}

// knowOf returns what thread t knows of other blocks.
func (o *order) knowOf(t int) *know {
	o.settle(t, func(acquired) bool { return true })
	return o.settled(t)
}

// settle makes t know what it has acquired lately, as far as now says.
func (o *order) settle(t int, now func(acquired) bool) {
	who := o.knower(t)
	list := o.fresh[who]
	if len(list) == 0 {
		return
	}
	k, rest := o.settled(t), list[:0]
	for _, a := range list {
		if now(a) {
			k = k.join(a.all())
		} else {
			rest = append(rest, a)
		}
	}
	o.fresh[who] = rest
	if len(rest) < len(list) {
		o.own[who] = k
	}
	if len(rest) == 0 {
		delete(o.fresh, who)
	}
}

// learn adds k to what thread t knows.
func (o *order) learn(t int, k *know) { o.own[o.knower(t)] = o.knowOf(t).join(k) }

func (a acquired) all() *know {
	return a.know.join(&know{words: map[uint64]uint32{a.word: a.n}})
}

// settled is knowOf without what t has acquired lately.
func (o *order) settled(t int) *know {
	if k := o.own[o.knower(t)]; k != nil {
		return k
	}
	return o.all
}

// acquire lets thread t know a; later says that it does at its next fence
// only.
func (o *order) acquire(t int, a acquired, later bool) {
	if later {
		o.pending[t] = o.pending[t].join(a.all())
		return
	}
	who := o.knower(t)
	list := o.fresh[who]
	if i := slices.IndexFunc(list, func(f acquired) bool { return f.word == a.word }); i >= 0 {
		list[i] = a
		return
	}
	if len(list) == maxFresh {
		o.knowOf(t)
	}
	o.fresh[who] = append(o.fresh[who], a)
}

// maxFresh bounds the words that a warp or thread has acquired from lately: one
// for each lane.
const maxFresh = 32

// full is a barrier of the whole block.
func (o *order) full() {
	for t := range o.fresh {
		o.knowOf(t)
	}
	for _, k := range o.own {
		o.all = o.all.join(k)
	}
	clear(o.own)
	if o.fencesOnly {
		o.pendForAll()
	} else {
		for _, k := range o.pending {
			o.all = o.all.join(k)
		}
		clear(o.pending)
	}
	o.interval++
	o.newInterval()
}

// pendForAll lets every thread know at its next fence what any would.
func (o *order) pendForAll() {
	var k *know
	for _, p := range o.pending {
		k = k.join(p)
	}
	for t := range o.threads {
		if k != nil {
			o.pending[t] = k
		}
	}
}

// part is a barrier of a part of the block, or of lanes of a warp.
func (o *order) part(arrived, synced []uint32) {
	if !o.knowing() {
		return
	}
	var k, pending *know
	each(arrived, o.threads, func(t int) {
		o.knowOf(t)
		k, pending = k.join(o.own[o.knower(t)]), pending.join(o.pending[t])
	})
	if !o.fencesOnly {
		k, pending = k.join(pending), nil
	}
	each(synced, o.threads, func(t int) {
		if k != nil {
			o.learn(t, k)
		}
		if pending != nil {
			o.pending[t] = o.pending[t].join(pending)
		}
	})
}

// knowing reports whether threads know different things of other blocks.
func (o *order) knowing() bool { return len(o.own)+len(o.pending)+len(o.fresh) > 0 }

// fence ends acquires and begins releases.
func (o *order) fence(warp int, lanes uint32, scope trace.Scope) {
	o.now[warp]++
	for m := lanes & o.exist[warp]; m != 0; m &= m - 1 {
		t := 32*warp + bits.TrailingZeros32(m)
		if k := o.pending[t]; k != nil {
			delete(o.pending, t)
			o.learn(t, k)
		}
		o.fences[t] = fenced{o.interval, o.now[warp], scope}
	}
}

// knowsIn returns how much of thread a's accesses in this interval thread b knows.
func (o *order) knowsIn(b, a int) uint32 {
	w := b / 32
	switch {
	case o.partial:
		return o.rows.row(o.rows.of[b])[a]
	case w != a/32:
		return 0
	case o.model == check.Lockstep:
		return o.now[w] + 1
	case o.inUse[w] == o.clock.interval && o.lanes[w] != nil:
		return max(o.lanes[w][b%32][a%32], o.base[w])
	}
	return o.base[w]
}

// released is what thread t hands on when it writes to a word: what it knew at
// its last fence, or now if the write releases by itself. What it has acquired
// from the same word is left out. ok is false where it has no fence.
func (o *order) released(t int, block uint32, word uint64, byItself bool) (k *know, scope trace.Scope, ok bool) {
	f, ok := o.fences[t]
	if byItself {
		o.now[t/32]++
		f, ok = fenced{o.interval, o.now[t/32], trace.ScopeSys}, true
	}
	if !ok {
		return nil, 0, false
	}
	o.settle(t, func(a acquired) bool { return a.word != word })
	from := o.settled(t)
	if h := o.handed[t]; h.know != nil && h.from == from && h.fence == f && h.now == o.now[t/32] && !o.partial {
		return h.know, f.scope, true
	}
	v := &view{block: block, interval: f.interval, threads: []threadStamp{{uint32(t), f.stamp}}}
	if f.interval == o.interval {
		o.known(t, v)
	} else {
		for a, g := range o.fences {
			if a != t && g.interval == f.interval {
				v.threads = append(v.threads, threadStamp{uint32(a), g.stamp})
			}
		}
	}
	v.sort()
	k = from.join(&know{blocks: map[uint32]*view{block: v}})
	o.handed[t] = handed{from, f, o.now[t/32], k}
	return k, f.scope, true
}

// known adds to a view what thread t knows of others in this interval.
func (o *order) known(t int, v *view) {
	from, to := t&^31, min(t|31, o.threads-1)+1
	if o.partial {
		from, to = 0, o.threads
	}
	for a := from; a < to; a++ {
		if s := o.knowsIn(t, a); a != t && s > o.begin[a/32] {
			v.threads = append(v.threads, threadStamp{uint32(a), s})
		}
	}
}
