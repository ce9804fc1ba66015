package race

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// order is a block's happens-before: its own clock, and what strong operations hand to
// its threads from each other and from other blocks. The rules of shared and of global
// memory have one each.
type order struct {
	*clock
	model check.RaceModel
	// fencesOnly says that barriers do not make pending knowledge known: each
	// thread needs a fence of its own.
	fencesOnly bool
	interval   uint32
	by         party
	// begin has the warps' stamps when the interval began.
	begin []uint32
	// words are the release sequences, which blocks share that may wait for each other.
	words map[uint64]*sequence
	// sizes are those of elements that are accessed by strong operations.
	sizes []int
	// all is what every thread knows, own what some know besides, fresh what they have
	// acquired lately, pending what they learn at their next fence or barrier (all by
	// knower).
	all     *know
	own     map[int]*know
	fresh   map[int][]acquired
	pending map[int]pendings
	// fences are the last ones of each thread, by reach, fenced those of others that a
	// barrier of a part of the block came after, fencedByAll those before the last full
	// one; ops what threads released by writes to a word (all by knower).
	fences      map[int]*[reaches]*fencePoint
	fenced      map[int]offer
	fencedByAll offer
	ops         map[threadPlace]offer
	// early is what threads knew that arrived at a barrier, by its number, and went on.
	early map[int]map[int]leftAt
	// lastFence tells the reasons of races.
	lastFence map[int]fenced
}

// leftAt is what a thread knew, and had fenced, when it arrived at a barrier.
type leftAt struct {
	know   *know
	fenced offer
}

// fenced is a thread's last fence.
type fenced struct {
	interval, stamp uint32
	scope           trace.Scope
}

func newOrder(threads int, c *checker) *order {
	k := newClock(threads)
	return &order{clock: k, model: c.model, fencesOnly: c.policy.FenceToAcquire, begin: make([]uint32, k.warps)}
}

// reset is for a new block.
func (o *order) reset(by party) {
	o.by, o.interval = by, 0
	o.forget()
	o.newInterval()
}

// forget drops all that strong operations handed to the block.
func (o *order) forget() {
	o.all, o.fencedByAll = nil, offer{}
	o.own, o.fresh, o.pending = map[int]*know{}, map[int][]acquired{}, map[int]pendings{}
	o.fences, o.fenced, o.ops = map[int]*[reaches]*fencePoint{}, map[int]offer{}, map[threadPlace]offer{}
	o.early, o.lastFence = nil, map[int]fenced{}
}

func (o *order) nextInterval() {
	o.interval++
	o.newInterval()
}

func (o *order) newInterval() {
	o.fullBarrier()
	copy(o.begin, o.now)
}

// acquired is what a thread has acquired from a word and not yet made use of:
// a thread that spins on a lock acquires it many times.
type acquired struct {
	word  uint64
	heard numbers // of writes to the word
	know  *know
}

func (a *acquired) all() *know {
	return a.know.join(&know{words: map[uint64][]numbers{a.word: {a.heard}}})
}

// knower is the thread in whose name it is kept what thread t knows: in lockstep
// the lanes of a warp know the same.
func (o *order) knower(t int) int {
	if o.model == check.Lockstep {
		return t &^ 31
	}
	return t
}

// knowOf returns what thread t knows of what others handed to it.
func (o *order) knowOf(t int) *know {
	who := o.knower(t)
	k := o.own[who]
	if k == nil {
		k = o.all
	}
	list := o.fresh[who]
	if len(list) == 0 {
		return k
	}
	for i := range list {
		k = k.join(list[i].all())
	}
	o.own[who] = k
	delete(o.fresh, who)
	return k
}

// learn adds k to what thread t knows.
func (o *order) learn(t int, k *know) { o.own[o.knower(t)] = o.knowOf(t).join(k) }

// acquire lets thread t know a.
func (o *order) acquire(t int, a acquired) {
	who := o.knower(t)
	list := o.fresh[who]
	if i := slices.IndexFunc(list, func(f acquired) bool { return f.word == a.word }); i >= 0 {
		if f := &list[i]; f.know != a.know && f.know != nil || f.heard.from != a.heard.from { // else a has more of the same
			a.know = a.all().join(f.all())
		}
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
	for who := range o.fences {
		o.fencedByAll = o.fencedByAll.join(o.fencesOf(who))
	}
	clear(o.fences)
	clear(o.fenced)
	clear(o.own)
	if o.fencesOnly {
		o.pendForAll()
	} else {
		for _, ps := range o.pending {
			for i := range ps {
				o.all = o.all.join(ps[i].offer[overBlock]).join(ps[i].offer[overCluster]).join(ps[i].offer[overDevice])
			}
		}
		clear(o.pending)
	}
	o.nextInterval()
}

// pendForAll lets every thread know at its next fence what any would.
func (o *order) pendForAll() {
	var all pendings
	for _, ps := range o.pending {
		for i := range ps {
			all = all.add(ps[i].word, ps[i].offer)
		}
	}
	for t := range o.threads {
		if all != nil && o.knower(t) == t {
			o.pending[t] = slices.Clone(all)
		}
	}
}

// arrive takes note of what threads know that come to a barrier and do not wait.
func (o *order) arrive(id, warp int, lanes uint32) {
	if o.early == nil {
		o.early = map[int]map[int]leftAt{}
	}
	if o.early[id] == nil {
		o.early[id] = map[int]leftAt{}
	}
	for m := lanes; m != 0; m &= m - 1 {
		t := 32*warp + bits.TrailingZeros32(m)
		o.early[id][t] = leftAt{o.knowOf(t), o.fencesOf(t)}
	}
}

// part is a barrier, with a number, of a part of the block, or of lanes of a warp.
func (o *order) part(id int, arrived, synced []uint32) {
	o.extend(id, arrived, synced)
	if !o.knowing() {
		return
	}
	var k *know
	var later pendings
	each(arrived, o.threads, func(t int) {
		if e, ok := o.early[id][t]; ok {
			k = k.join(e.know)
			return
		}
		if !o.fencesOnly {
			o.resolve(t, overDevice)
		}
		k = k.join(o.knowOf(t))
		for _, p := range o.pending[o.knower(t)] {
			later = later.add(p.word, p.offer)
		}
	})
	each(synced, o.threads, func(t int) {
		if k != nil {
			o.learn(t, k)
		}
		for _, p := range later {
			o.pend(t, p.word, p.offer)
		}
	})
}

// joinWarp is a __syncwarp. Where the warp runs in step it orders nothing more, but what
// lanes have read before it is acquired.
func (o *order) joinWarp(warp int, lanes uint32) {
	if o.model == check.ITS {
		o.syncWarp(warp, lanes)
	}
	masks := make([]uint32, warp+1)
	masks[warp] = lanes
	o.part(noBarrier, masks, masks)
}

// noBarrier is the number of no barrier of the block.
const noBarrier = -1

// knowing reports whether strong operations have handed something to threads.
func (o *order) knowing() bool { return o.all != nil || len(o.own)+len(o.pending)+len(o.fresh) > 0 }

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

// known is what thread t, whose warp begins a new stamp, knows by barriers of others of
// its block in this interval. In step, that includes all that the warp did.
func (o *order) known(t int) (list []threadStamp) {
	w := t / 32
	from, to := t&^31, min(t|31, o.threads-1)+1
	if o.partial {
		from, to = 0, o.threads
	}
	for a := from; a < to; a++ {
		s := uint32(0)
		if o.model == check.Lockstep && a/32 == w {
			s = o.now[w]
		} else {
			s = o.knowsIn(t, a)
		}
		if a != t && s > o.begin[a/32] {
			list = append(list, threadStamp{uint32(a), s})
		}
	}
	return list
}

func firstLane(mask uint32) int { return bits.TrailingZeros32(mask) }
