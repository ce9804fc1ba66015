package race

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// What strong operations hand from thread to thread (PTX ISA, "Memory Consistency
// Model"). A release pattern synchronizes with an acquire pattern if a read of this
// one observes a write of that one and the first operation of the one and the last
// of the other, fences or releases and acquires, have scopes that include each
// other's thread. A scope is therefore asked for twice: along the sequence of
// operations on the word, and between the two ends, whatever lies between them.

// reach is how far a scope goes.
type reach uint8

const (
	overBlock reach = iota
	overCluster
	overDevice
	reaches
)

func reachOf(s trace.Scope) reach {
	switch s {
	case trace.ScopeCTA:
		return overBlock
	case trace.ScopeCluster:
		return overCluster
	}
	return overDevice
}

// party is the block of a thread and its cluster.
type party struct{ block, cluster uint32 }

// to is the reach that an operation needs to include a thread of another party.
func (p party) to(o party) reach {
	switch {
	case p.block == o.block:
		return overBlock
	case p.cluster == o.cluster:
		return overCluster
	}
	return overDevice
}

// sequence is a word's release sequence: a strong write and the read-modify-writes
// that observe it.
type sequence struct {
	// n numbers the strong writes to the word, head is the sequence's first.
	n, head uint32
	// size, by and reach are those of the last write; size is 0 after a plain one,
	// which no strong read observes.
	size  int
	by    party
	reach reach
	// all is released to whoever acquires with the reach of the device, cluster and
	// block to those of one that acquire with less.
	all            *know
	cluster, block map[uint32]*know
	last           [reaches]*know
}

// maxParties bounds the blocks and the clusters of which a word remembers what they
// released, for acquires that reach no farther.
const maxParties = 64

// observed reports whether a strong access reads what was written last as the memory
// model's observation order has it: both are strong and reach each other, on the same
// bytes.
func (q *sequence) observed(by party, in *siteInfo) bool {
	d := q.by.to(by)
	return q.size != 0 && q.size == in.elem && q.reach >= d && reachOf(in.scope) >= d
}

// offer is what a thread may acquire from a word, by the reach that it takes.
type offer [reaches]*know

func (q *sequence) offered(by party) offer {
	return offer{overBlock: q.block[by.block], overCluster: q.cluster[by.cluster], overDevice: q.all}
}

// write adds a strong write with what it releases.
func (q *sequence) write(by party, in *siteInfo, continues bool, released offer) {
	q.n++
	if !continues {
		q.head, q.all, q.cluster, q.block, q.last = q.n, nil, nil, nil, offer{}
	}
	q.size, q.by, q.reach = in.elem, by, reachOf(in.scope)
	if released == q.last {
		return
	}
	q.last = released
	q.all = q.all.join(released[overDevice])
	q.cluster = share(q.cluster, by.cluster, released[overCluster])
	q.block = share(q.block, by.block, released[overBlock])
}

func share(m map[uint32]*know, of uint32, k *know) map[uint32]*know {
	if k == nil || m[of] == nil && len(m) >= maxParties {
		return m
	}
	if m == nil {
		m = map[uint32]*know{}
	}
	m[of] = m[of].join(k)
	return m
}

// pendings are what a thread has read, by word, and acquires at its next fence.
type pendings []pending

type pending struct {
	word  uint64
	offer offer
}

// maxPending bounds the words that are told apart.
const maxPending = 16

func (ps pendings) add(word uint64, of offer) pendings {
	i := slices.IndexFunc(ps, func(p pending) bool { return p.word == word })
	if i < 0 && len(ps) == maxPending {
		i = 0
	}
	if i < 0 {
		return append(ps, pending{word, of})
	}
	for r := range of {
		ps[i].offer[r] = ps[i].offer[r].join(of[r])
	}
	return ps
}

// threadWord is a thread, or a warp that runs in step, and a word.
type threadWord struct {
	thread int
	word   uint64
}

// threadPlace is a word to a thread, and the bytes of an element there.
type threadPlace struct {
	threadWord
	elem int
}

// fencePoint is where a thread has executed a fence, and what it knew there.
type fencePoint struct {
	interval, stamp uint32
	from            *know
	threads         []threadStamp // of its own block, in the interval
	know            *know         // all of it, once it is asked for
}

// strong lets thread t follow a strong access to a word: it acquires what it observes,
// and releases what it knows. It returns the number of the write.
func (o *order) strong(t int, word uint64, in *siteInfo) uint32 {
	q := o.words[word]
	if q == nil {
		if in.kind == trace.Read {
			return 0
		}
		q = &sequence{}
		o.words[word] = q
	}
	observed := in.kind != trace.Write && q.observed(o.by, in)
	if observed {
		o.observe(t, word, q, in)
	}
	if in.kind == trace.Read {
		return 0
	}
	q.write(o.by, in, observed, o.release(t, word, in))
	if len(o.sizes) > 1 {
		o.overwrite(word, in.elem, false)
	}
	return q.n
}

// observe lets a thread learn what it reads, or take note of it until a fence. Nothing
// depends on what a reduction finds, so that it might as well have come first.
func (o *order) observe(t int, word uint64, q *sequence, in *siteInfo) {
	if in.kind == trace.Atomic && !in.result {
		return
	}
	a := acquired{word: word, heard: numbers{q.head, q.n}}
	if in.kind == trace.Atomic && o.model != check.Lockstep { // its own write comes next
		a.heard.to++
	}
	of := q.offered(o.by)
	if !in.acquires {
		o.acquire(t, a)
		o.pend(t, word, of)
		return
	}
	r := reachOf(in.scope)
	who := o.knower(t)
	for i, p := range o.pending[who] { // an earlier read of the word and this one are a pattern too
		if p.word == word {
			for x := overBlock; x <= r; x++ {
				of[x] = of[x].join(p.offer[x])
				o.pending[who][i].offer[x] = nil
			}
		}
	}
	for x := overBlock; x <= r; x++ {
		a.know = a.know.join(of[x])
		of[x] = nil
	}
	o.acquire(t, a)
	o.pend(t, word, of)
}

func (o *order) pend(t int, word uint64, of offer) {
	if of != (offer{}) {
		who := o.knower(t)
		o.pending[who] = o.pending[who].add(word, of)
	}
}

// resolve lets a thread learn what it has read, as far as a fence reaches.
func (o *order) resolve(t int, r reach) {
	who := o.knower(t)
	ps := o.pending[who]
	if len(ps) == 0 {
		return
	}
	k, rest := o.knowOf(t), ps[:0]
	for _, p := range ps {
		for x := overBlock; x <= r; x++ {
			k = k.join(p.offer[x])
			p.offer[x] = nil
		}
		if p.offer != (offer{}) {
			rest = append(rest, p)
		}
	}
	o.own[who], o.pending[who] = k, rest
	if len(rest) == 0 {
		delete(o.pending, who)
	}
}

// release is what thread t hands on when it writes to a word: what it knew at the last
// fence of each reach, and now if the write, or one to the same word before, releases
// by itself.
func (o *order) release(t int, word uint64, in *siteInfo) (of offer) {
	who := o.knower(t)
	if f := o.fences[who]; f != nil {
		for r, p := range f {
			of[r] = o.at(who, p)
		}
	}
	for r := range of {
		of[r] = of[r].join(o.fenced[who][r]).join(o.fencedByAll[r])
	}
	at := threadPlace{threadWord{who, word}, in.elem}
	if before, ok := o.ops[at]; ok {
		for r := range of {
			of[r] = of[r].join(before[r])
		}
	}
	if in.releases {
		k := o.whole(t)
		for r := overBlock; r <= reachOf(in.scope); r++ {
			of[r] = of[r].join(k)
		}
		o.ops[at] = of
	}
	return of
}

// fence ends acquires and begins releases.
func (o *order) fence(warp int, lanes uint32, scope trace.Scope) {
	lanes &= o.exist[warp]
	if lanes == 0 {
		return
	}
	o.now[warp]++
	r := reachOf(scope)
	for m := lanes; m != 0; m &= m - 1 {
		t := 32*warp + firstLane(m)
		o.lastFence[t] = fenced{o.interval, o.now[warp], scope}
		if who := o.knower(t); who == t || m == lanes {
			o.resolve(t, r)
			p := &fencePoint{interval: o.interval, stamp: o.now[warp], from: o.knowOf(t), threads: o.known(who)}
			f := o.fences[who]
			if f == nil {
				f = new([reaches]*fencePoint)
				o.fences[who] = f
			}
			for x := overBlock; x <= r; x++ {
				f[x] = p
			}
		}
	}
}

// at is what thread t knew and had done at a fence.
func (o *order) at(t int, p *fencePoint) *know {
	if p == nil {
		return nil
	}
	if p.know == nil {
		v := &view{block: o.by.block, interval: p.interval, threads: merge(p.threads, []threadStamp{{uint32(t), p.stamp}})}
		p.know = p.from.join(&know{blocks: map[uint32]*view{v.block: v}})
	}
	return p.know
}

// whole is what thread t knows and has done so far.
func (o *order) whole(t int) *know {
	o.now[t/32]++
	return o.at(t, &fencePoint{interval: o.interval, stamp: o.now[t/32], from: o.knowOf(t), threads: o.known(t)})
}

// extend lets the fences of threads that come to a barrier count for those that wait
// there: what a thread has done before a fence and then a barrier is released by the
// others' writes too.
func (o *order) extend(id int, arrived, synced []uint32) {
	if len(o.fences)+len(o.fenced)+len(o.early[id]) == 0 {
		return
	}
	var of offer
	each(arrived, o.threads, func(t int) {
		if e, ok := o.early[id][t]; ok {
			of = of.join(e.fenced)
			return
		}
		of = of.join(o.fencesOf(t))
	})
	if of != (offer{}) {
		each(synced, o.threads, func(t int) {
			who := o.knower(t)
			o.fenced[who] = o.fenced[who].join(of)
		})
	}
}

func (o *order) fencesOf(t int) offer {
	who := o.knower(t)
	of := o.fenced[who]
	if f := o.fences[who]; f != nil {
		for r, p := range f {
			of[r] = of[r].join(o.at(who, p))
		}
	}
	return of
}

func (a offer) join(b offer) offer {
	for r := range a {
		a[r] = a[r].join(b[r])
	}
	return a
}

// releases reports whether the word holds something that was released.
func (q *sequence) releases() bool { return q != nil && len(q.block) > 0 }

// overwrite notes a write to a place: no strong read of another size, or of any where
// the write is a plain one, observes what it finds there then.
func (o *order) overwrite(addr uint64, size int, plain bool) {
	for _, e := range o.sizes {
		for at := addr &^ uint64(e-1); at < addr+uint64(size); at += uint64(e) {
			if q := o.words[at]; q != nil && q.size == e && (plain || at != addr || e != size) {
				q.size = 0
			}
		}
	}
}

// sizesOf are those of the elements that strong sites access.
func sizesOf(sites []siteInfo) (list []int) {
	for i := range sites {
		if in := &sites[i]; in.strength != weak && in.elem > 0 && !slices.Contains(list, in.elem) {
			list = append(list, in.elem)
		}
	}
	return list
}

// strengthOf is how strong a site is.
func strengthOf(s *trace.Site) strength {
	switch {
	case s.Kind == trace.Atomic || s.Order > trace.OrderVolatile:
		return strong
	case s.Order == trace.OrderVolatile:
		return volatileOnly
	}
	return weak
}

// infoOf is what matters of a site for what is ordered.
func (c *checker) infoOf(s *trace.Site) siteInfo {
	in := siteInfo{kind: s.Kind, scope: s.Scope, elem: s.Elem, strength: strengthOf(s)}
	in.result = s.Kind == trace.Atomic && s.Op.Kind == inst.Atomic && s.Op.Result
	in.acquires = in.result && !c.policy.FenceToAcquire || s.Order == trace.OrderAcquire || s.Order >= trace.OrderAcqRel
	in.releases = s.Order >= trace.OrderRelease && s.Kind != trace.Read
	in.result = in.result || s.Op.Kind == inst.MBarrierTest
	return in
}
