package race_test

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The oracle: which accesses of a recorded run race, straight from the definitions
// of the PTX ISA's memory consistency model. It knows nothing of clocks, intervals
// or shadow memory: it makes a graph of all operations of all threads and closes it.

// op is an operation of one thread, or a point at which threads meet (thread -1).
type op struct {
	thread, block int
	site          *trace.Site
	step          int // of the run: lanes of one instruction have the same
	fence         bool
	barrier       bool // a barrier that its thread waited at
	inWarp        bool // it is that of lanes of a warp
	scope         trace.Scope
	space         trace.Space
	addr          uint64 // shared memory of a block has addresses of its own
	size          int    // 0 for what is not an access
	value         []byte // of a write, nil where it is not known
	// before are the operations that come right before it; past, once closed, all, and
	// inBlock those that program order and barriers alone put there.
	before        []int
	past, inBlock set
}

// set is a set of operations.
type set []uint64

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// recording is all that the threads of a launch did, in the order of the run.
type recording struct {
	ops  []*op
	step int
	// last is each thread's last operation, inWarp each warp's.
	last, inWarp map[[2]int]int
	// arrived are operations of threads that arrived at a barrier and continued.
	arrived map[[3]int]int
	// writer is the last write to each byte.
	writer map[[2]uint64]int
	// blocksWait means that what a block does may depend on others. Elsewhere the order
	// in which they ran says nothing.
	blocksWait bool
}

func newRecording() *recording {
	return &recording{last: map[[2]int]int{}, inWarp: map[[2]int]int{}, arrived: map[[3]int]int{}, writer: map[[2]uint64]int{}}
}

// add puts an operation after its thread's last one.
func (r *recording) add(o op) int {
	i := len(r.ops)
	if o.thread >= 0 {
		k := [2]int{o.block, o.thread}
		if l, ok := r.last[k]; ok {
			o.before = append(o.before, l)
		}
		r.last[k] = i
		r.inWarp[[2]int{o.block, o.thread / 32}] = i
	}
	o.step = r.step
	r.ops = append(r.ops, &o)
	return i
}

// access adds an access, unless its thread only repeats what it did last, as it does
// where it waits, and nothing has been written in between; an atomic may release what
// its warp has done in between.
func (r *recording) access(o op) {
	w, written := r.writer[[2]uint64{uint64(o.space), o.addr}]
	if l, ok := r.last[[2]int{o.block, o.thread}]; ok {
		p := r.ops[l]
		alone := o.site.Kind == trace.Read || r.inWarp[[2]int{o.block, o.thread / 32}] == l
		if p.site == o.site && p.addr == o.addr && p.space == o.space && o.site.Kind != trace.Write && (!written || w <= l) && alone {
			return
		}
	}
	i := r.add(o)
	for b := 0; b < o.size && o.site.Kind != trace.Read; b++ {
		r.writer[[2]uint64{uint64(o.space), o.addr + uint64(b)}] = i
	}
}

// meet joins the threads of arrived into those of synced.
func (r *recording) meet(block, id int, arrived, synced []uint32, inWarp bool) {
	r.step++
	var came []int
	for w, m := range arrived {
		for ; m != 0; m &= m - 1 {
			t := 32*w + bits.TrailingZeros32(m)
			k := [3]int{block, id, t}
			if i, early := r.arrived[k]; early && !inWarp {
				came = append(came, i)
				delete(r.arrived, k)
			} else {
				came = append(came, r.add(op{thread: t, block: block, barrier: true, scope: trace.ScopeSys, inWarp: inWarp}))
			}
		}
	}
	r.step++
	point := r.add(op{thread: -1, block: block, inWarp: inWarp})
	r.ops[point].before = append(r.ops[point].before, came...)
	r.step++
	for w, m := range synced {
		for ; m != 0; m &= m - 1 {
			i := r.add(op{thread: 32*w + bits.TrailingZeros32(m), block: block, inWarp: inWarp})
			r.ops[i].before = append(r.ops[i].before, point)
		}
	}
}

// model closes the graph under a race model, and answers.
type model struct {
	race check.RaceModel
	// lax is the policy that atomics acquire, and that a barrier after a read does.
	lax bool
	ops []*op
	// seen are the writes that each read observes.
	seen       map[int][]int
	blocksWait bool
}

func newModel(r *recording, m check.RaceModel, lax bool) *model {
	x := &model{race: m, lax: lax, seen: map[int][]int{}, blocksWait: r.blocksWait}
	for _, o := range r.ops {
		c := *o
		c.before = append([]int(nil), o.before...)
		if m == check.Threads && o.inWarp {
			c.barrier = false
			if o.thread < 0 {
				c.before = nil // it knows no warps
			}
		}
		x.ops = append(x.ops, &c)
	}
	x.observe()
	x.close()
	for _, o := range x.ops {
		o.inBlock = o.past
	}
	x.synchronize()
	x.close()
	return x
}

func strong(o *op) bool {
	return o.size > 0 && (o.site.Kind == trace.Atomic || o.site.Order != trace.OrderWeak)
}

// reach is how far an operation's scope goes; the operations of a block reach each
// other by any.
func reach(s trace.Scope) int {
	switch s {
	case trace.ScopeCTA, trace.ScopeCluster: // a block is a cluster of its own
		return 0
	}
	return 1
}

// scoped reports whether two operations have scopes that include each other's thread.
func scoped(a, b *op) bool {
	return a.block == b.block || reach(a.scope) > 0 && reach(b.scope) > 0
}

// morallyStrong is for two operations on memory.
func morallyStrong(a, b *op) bool {
	return strong(a) && strong(b) && scoped(a, b) && a.addr == b.addr && a.size == b.size && a.space == b.space
}

// observe finds what each strong read observes: what was written there last, and, where
// that is a read-modify-write, what that one observes.
func (m *model) observe() {
	last := map[[2]uint64]int{} // by space and byte
	for i, o := range m.ops {
		if o.size == 0 {
			continue
		}
		if o.site.Kind != trace.Write && strong(o) {
			w, same := -1, true
			for b := range uint64(o.size) {
				v, ok := last[[2]uint64{uint64(o.space), o.addr + b}]
				same = same && ok && (w < 0 || w == v)
				w = v
			}
			if same && morallyStrong(m.ops[w], o) {
				m.seen[i] = []int{w}
				if m.ops[w].site.Kind == trace.Atomic {
					m.seen[i] = append(m.seen[i], m.seen[w]...)
				}
			}
		}
		if o.site.Kind != trace.Read {
			for b := range uint64(o.size) {
				last[[2]uint64{uint64(o.space), o.addr + b}] = i
			}
		}
	}
}

func releases(o *op) bool { return o.size > 0 && o.site.Order >= trace.OrderRelease }

// acquires reports whether an operation acquires by itself.
func (m *model) acquires(o *op) bool {
	if o.size == 0 || o.site.Kind == trace.Write || isReduction(o) {
		return false
	}
	return o.site.Order == trace.OrderAcquire || o.site.Order >= trace.OrderAcqRel || m.lax && o.site.Kind == trace.Atomic
}

// isReduction reports whether an atomic operation returns nothing: it does not acquire.
func isReduction(o *op) bool { return o.site.Kind == trace.Atomic && !o.site.Op.Result }

// synchronize adds what release and acquire patterns order.
func (m *model) synchronize() {
	var fences []int
	threads := map[[2]int][]int{}
	who := func(i int) [2]int {
		o := m.ops[i]
		if m.race == check.Lockstep { // a warp is one thread
			return [2]int{o.block, o.thread &^ 31}
		}
		return [2]int{o.block, o.thread}
	}
	for i, o := range m.ops {
		if o.fence {
			fences = append(fences, i)
		}
		if o.thread >= 0 {
			threads[who(i)] = append(threads[who(i)], i)
		}
	}
	precedes := func(a, b int) bool {
		return a == b || a < b && (m.race != check.Lockstep || m.ops[a].step < m.ops[b].step)
	}
	for r, ws := range m.seen {
		if isReduction(m.ops[r]) {
			continue
		}
		for _, last := range threads[who(r)] {
			if !precedes(r, last) || !m.endsAcquire(last, r) {
				continue
			}
			for _, w := range ws {
				for _, first := range threads[who(w)] {
					if first > w {
						break
					}
					if precedes(first, w) && m.beginsRelease(first, w) && scoped(m.ops[first], m.ops[last]) {
						m.ops[last].before = append(m.ops[last].before, first)
					}
				}
				for _, f := range fences { // that a barrier comes after count for all of its threads
					if m.ops[f].block == m.ops[w].block && m.ops[w].inBlock.has(f) && scoped(m.ops[f], m.ops[last]) {
						m.ops[last].before = append(m.ops[last].before, f)
					}
				}
			}
			if scoped(m.ops[last], &op{block: -1, scope: trace.ScopeSys}) && !releases(m.ops[last]) && !m.acquires(m.ops[last]) {
				break // what follows it in program order adds nothing
			}
		}
	}
}

func samePlace(a, b *op) bool { return a.addr == b.addr && a.size == b.size && a.space == b.space }

// beginsRelease: a fence before a strong write, or a release on its location, or it.
func (m *model) beginsRelease(first, w int) bool {
	f := m.ops[first]
	return f.fence || releases(f) && samePlace(f, m.ops[w])
}

// endsAcquire: an acquire by the read itself, or a later one on its location, or a fence.
func (m *model) endsAcquire(last, r int) bool {
	f := m.ops[last]
	return f.fence || m.acquires(f) && samePlace(f, m.ops[r]) || m.lax && f.barrier
}

// close makes each operation's past. A warp that runs in step has its instructions one
// after the other, and what comes before one of its lanes comes before all.
func (m *model) close() {
	n := (len(m.ops) + 63) / 64
	warps := map[[2]int]set{} // what a warp did so far
	for i := 0; i < len(m.ops); {
		end := i + 1
		if o := m.ops[i]; m.race == check.Lockstep && o.thread >= 0 {
			for end < len(m.ops) && m.ops[end].step == o.step && m.ops[end].thread >= 0 && m.ops[end].thread/32 == o.thread/32 && m.ops[end].block == o.block {
				end++
			}
		}
		past := make(set, n)
		k := [2]int{m.ops[i].block, m.ops[i].thread / 32}
		if m.race == check.Lockstep && m.ops[i].thread >= 0 {
			if warps[k] == nil {
				warps[k] = make(set, n)
			}
			past.join(warps[k])
		}
		for _, o := range m.ops[i:end] {
			for _, b := range o.before {
				if b < i {
					past.join(m.ops[b].past)
					past[b/64] |= 1 << (b % 64)
				}
			}
		}
		for ; i < end; i++ {
			m.ops[i].past = past
			if w := warps[k]; w != nil && m.ops[i].thread >= 0 {
				w.join(past)
				w[i/64] |= 1 << (i % 64)
			}
		}
	}
}

func (s set) join(o set) {
	for i, x := range o {
		s[i] |= x
	}
}

// ordered reports whether x comes before y, which is later in the run. A write is also
// before all that follows a read that observes it, but for a reduction's: nothing depends
// on what that finds, so that it may as well come first. For strong operations on the same bytes
// it does not count: if their scopes include each other they do not race, and else they
// are reported whatever was observed before.
func (m *model) ordered(x, y int) bool {
	if m.race == check.Threads && m.ops[x].space == trace.SpaceShared { // barriers only
		return m.ops[y].inBlock.has(x)
	}
	if m.ops[y].past.has(x) {
		return true
	}
	if !strong(m.ops[x]) || m.ops[x].site.Kind == trace.Read || strong(m.ops[y]) && m.ops[x].size == m.ops[y].size || !m.blocksWait && m.ops[x].block != m.ops[y].block {
		return false
	}
	for r, ws := range m.seen {
		if r < y && m.ops[y].past.has(r) && !isReduction(m.ops[r]) {
			for _, w := range ws {
				if w >= x && m.ops[w].thread == m.ops[x].thread && m.ops[w].block == m.ops[x].block && samePlace(m.ops[w], m.ops[x]) {
					return true // by it, or by what its thread wrote over it
				}
			}
		}
	}
	return false
}

// verdict is what is to be said of two sites.
type verdict struct {
	// race is a data race. differ means that some of its threads do something else than
	// write the same value, same that all write one value each with one size; between
	// these it may count as either.
	race, differ, same bool
	// seen means that it has to be reported. In global memory it is enough that a race of
	// one of the two sites is: histories there keep what stands for others.
	seen bool
	// volatile means that two volatile accesses are not ordered: the policy decides.
	volatile bool
}

// verdicts are those of all pairs of sites of which threads race, by PTX line.
func (m *model) verdicts() map[[2]int]verdict {
	out := map[[2]int]verdict{}
	at := map[[2]uint64][]int{} // by space and word
	for i, o := range m.ops {
		if o.size == 0 {
			continue
		}
		for word := o.addr / 4; word*4 < o.addr+uint64(o.size); word++ {
			k := [2]uint64{uint64(o.space), word}
			near := at[k]
			for _, j := range near {
				m.judge(j, i, out)
			}
			at[k] = append(near, i)
		}
	}
	return out
}

// judge looks at two accesses of a word.
func (m *model) judge(i, j int, out map[[2]int]verdict) {
	x, y := m.ops[i], m.ops[j]
	if x.block == y.block && x.thread == y.thread || x.addr >= y.addr+uint64(y.size) || y.addr >= x.addr+uint64(x.size) ||
		x.site.Kind == trace.Read && y.site.Kind == trace.Read {
		return
	}
	ms := morallyStrong(x, y)
	if ms && !bothVolatile(x, y) || m.ordered(i, j) {
		return
	}
	k := [2]int{min(x.site.PTXLine, y.site.PTXLine), max(x.site.PTXLine, y.site.PTXLine)}
	v, known := out[k]
	if ms {
		v.volatile = true
		out[k] = v
		return
	}
	different := differ(x, y)
	v.differ = v.differ || different
	v.same = (v.same || !known) && !different && x.size == y.size && (x.space == trace.SpaceShared || !strong(x) && !strong(y))
	v.seen = v.seen || x.space == trace.SpaceShared
	v.race = true
	out[k] = v
}

func bothVolatile(x, y *op) bool {
	return x.site.Order == trace.OrderVolatile && y.site.Order == trace.OrderVolatile
}

// differ reports whether two accesses are not writes of the same value.
func differ(x, y *op) bool {
	if x.site.Kind != trace.Write || y.site.Kind != trace.Write || x.value == nil || y.value == nil {
		return true
	}
	for a := max(x.addr, y.addr); a < min(x.addr+uint64(x.size), y.addr+uint64(y.size)); a++ {
		if x.value[a-x.addr] != y.value[a-y.addr] {
			return true
		}
	}
	return false
}
