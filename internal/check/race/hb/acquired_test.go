package hb

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// strongSites are operations on words: those that acquire by themselves or at a fence, at several scopes, writes that begin a
// release sequence and reads.
func strongSites() (list []Site) {
	for _, scope := range []trace.Scope{trace.ScopeCTA, trace.ScopeCluster, trace.ScopeGPU} {
		for _, acquires := range []bool{false, true} {
			list = append(list, Site{Kind: trace.Atomic, Strength: Strong, Scope: scope, Acquires: acquires, Result: true, Elem: 4},
				Site{Kind: trace.Read, Strength: Strong, Scope: scope, Acquires: acquires, Result: true, Elem: 4})
		}
		list = append(list, Site{Kind: trace.Write, Strength: Strong, Scope: scope, Releases: true, Elem: 4})
	}
	return list
}

// equalClocks compares what clocks cover.
func equalClocks(a, b *Clock) bool {
	if a == nil || b == nil {
		return a == b
	}
	var x, y []blockClock
	for _, c := range a.blocks.All() {
		x = append(x, *c)
	}
	for _, c := range b.blocks.All() {
		y = append(y, *c)
	}
	same := func(a, b blockClock) bool {
		return a.block == b.block && a.interval == b.interval && maps.Equal(maps.Collect(a.threads.all()), maps.Collect(b.threads.all()))
	}
	var v, w []observed
	for _, o := range a.words.All() {
		v = append(v, *o)
	}
	for _, o := range b.words.All() {
		w = append(w, *o)
	}
	return slices.EqualFunc(x, y, same) && slices.EqualFunc(v, w, func(a, b observed) bool { return a.covers(b) && b.covers(a) })
}

// TestAcquiredAgain compares threads that acquire from the same words again and again with those that take what they
// have acquired into their clocks each time.
func TestAcquiredAgain(t *testing.T) {
	const blocks, threads = 3, 40
	sites := strongSites()
	fence := &trace.Site{}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lazy, eager [blocks]*Order
		for _, all := range []*[blocks]*Order{&lazy, &eager} {
			words := NewWords()
			for i := range all {
				o := New(threads, sites, check.ITS, false)
				o.Words, o.Unasked = words, math.MaxUint64*(seed%2)
				o.Reset(Party{uint32(i), uint32(i / 2)})
				all[i] = o
			}
		}
		for range 40 {
			block, thread, word := r.IntN(blocks), []int{0, 33}[r.IntN(2)], uint64(4*r.IntN(2))
			in, what, scope := &sites[r.IntN(len(sites))], r.IntN(40), []trace.Scope{trace.ScopeCTA, trace.ScopeGPU}[r.IntN(2)]
			for i, o := range []*Order{lazy[block], eager[block]} {
				switch what {
				case 0:
					o.FullBarrier()
				case 1, 2:
					o.Fence(&trace.Fence{Site: fence, Warp: thread / 32, Mask: 1 << (thread % 32), Scope: scope})
				default:
					o.Strong(thread, word, in)
				}
				for x := 0; i == 1 && x < threads; x++ {
					o.ClockOf(x)
				}
			}
		}
		for i := range blocks {
			for x := range threads {
				if !equalClocks(lazy[i].ClockOf(x), eager[i].ClockOf(x)) {
					t.Fatalf("seed %d: thread %d of block %d has acquired something else", seed, x, i)
				}
			}
		}
	}
}

// TestShares compares what parties released with a map, up to the most that a word remembers.
func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var s shares
		want := map[uint32]*Clock{}
		for range r.IntN(200) {
			party := r.Uint32N(150)
			c := ofBlock(&blockClock{block: party, interval: r.Uint32N(9)})
			if _, ok := want[party]; ok || len(want) < maxParties {
				want[party] = want[party].Join(c)
			}
			s.add(new(memo), party, c)
		}
		for party := range uint32(151) {
			if got := s.of(party); got != nil != (want[party] != nil) || !equalClocks(got, want[party]) {
				t.Fatalf("party %d of %d has released something else", party, len(s))
			}
		}
	}
}
