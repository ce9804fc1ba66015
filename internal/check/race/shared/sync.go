package shared

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// syncState is what the threads of the block at work have synchronized by, next to the
// history of their accesses.
type syncState struct {
	launch    *Detector
	model     check.RaceModel
	block     *trace.Block
	order     *hb.Order
	mbarriers hb.MBarriers
	// numbers are those of the last strong writes of threads to words of shared memory,
	// by site.
	numbers map[threadWord]siteNumbers
	// ticks counts each warp's accesses since the last full barrier.
	ticks []uint32
	// passed is what was passed in the interval.
	passed evidence.SyncLog
	// locks and flags are for the reasons of races; nil where not needed.
	locks *evidence.Locks
	flags *evidence.Flags
	// visits are the arrivals and waits of all blocks so far.
	visits evidence.Visits
	// singles is how strong sites were executed; see evidence.Run.
	singles []evidence.Lanes
}

func (b *syncState) beginBlock(blk *trace.Block) {
	b.block = blk
	if b.order == nil {
		b.order = b.launch.config.Order(blk.Launch, b.launch.sites)
		b.order.Unasked = inShared
		b.order.Tensor = b.launch.relaxed
		if b.launch.sharesWords {
			b.order.Words = b.launch.words
		}
		b.ticks = make([]uint32, b.order.Warps)
		b.passed = evidence.NewSyncLog(b.order.Warps)
		b.singles = make([]evidence.Lanes, len(b.launch.sites))
	}
	b.order.Reset(hb.PartyOf(b.launch.launch, blk.Index))
	clear(b.mbarriers)
	if !b.launch.sharesWords {
		b.order.Words.Forget()
	}
	if b.launch.synchronizes {
		b.locks = evidence.NewLocks(b.launch.launch)
		if b.flags == nil {
			b.flags = evidence.NewFlags(b.order.Threads)
		}
		b.flags.Reset()
	}
}

// nextInterval is for a full barrier.
func (b *syncState) nextInterval() {
	clear(b.ticks)
	clear(b.numbers)
	b.passed.Reset()
	b.flags.Reset()
	// Asynchronous operations and other blocks continue across a barrier of the block.
	goesOn := b.launch.async || b.launch.clusters
	if !goesOn {
		clear(b.mbarriers)
	}
	switch {
	case b.launch.sharesWords || goesOn:
		b.order.FullBarrier()
	case b.launch.synchronizes: // what follows depends on nothing before
		b.order.Restart()
	default:
		b.order.NextInterval()
	}
}

// Arrived is the event of that name.
func (b *syncState) Arrived(e *trace.Arrival) {
	if b.launch.synchronizes {
		b.order.ArriveWith(e)
	} else {
		b.order.Arrive(e)
	}
	if trace.GroupOf(e.ID) == trace.NoGroup { // threads that never wait elsewhere are the sync rule's
		b.visits.Arrived(e)
	}
}

func (b *syncState) WarpSync(e *trace.WarpSync) {
	if b.model == check.Threads {
		return
	}
	if b.launch.synchronizes {
		b.order.JoinWarp(e.Warp, e.Mask)
	} else if b.model == check.ITS {
		b.order.SyncWarp(e.Warp, e.Mask)
	}
	if b.model == check.ITS {
		b.passed.SyncWarp(e, b.order.Stamp(e.Warp))
	}
}

// plain notes a plain access for the reasons of races.
func (b *syncState) plain(a *trace.Access) {
	b.locks.Plain(a.Site.ID, uint64(32*a.Warp), a.Mask)
}

// strongAccess acquires and releases for the lanes of a strong access.
func (b *syncState) strongAccess(a *trace.Access) {
	if a.Site.Op.IsMBarrier() {
		b.mbarrier(a)
		return
	}
	one := evidence.OneAddress(a) // as locks and flags are accessed
	in := &b.launch.sites[a.Site.ID]
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t := 32*a.Warp + lane
		for at := 0; at < a.Site.Size; at += max(in.Elem, 1) {
			if one {
				b.note(a, lane, wordOf(a.Space, a.Addr[lane]+uint64(at)))
			}
			place := b.placeOf(a.Space, a.Addr[lane]+uint64(at))
			if n := b.order.Strong(t, place, in); n > 0 && a.Space == trace.SpaceShared {
				b.noteNumber(threadWord{t, place}, siteNumber{a.Site.ID, in.Elem, n})
			}
		}
	}
}

// threadWord is a thread and a word.
type threadWord struct {
	thread int
	word   uint64
}

// siteNumber is the number of a site's last strong write to a word, of elements of a size.
type siteNumber struct {
	site, elem int
	number     uint32
}

type siteNumbers []siteNumber

func (b *syncState) noteNumber(at threadWord, is siteNumber) {
	if b.numbers == nil {
		b.numbers = map[threadWord]siteNumbers{}
	}
	list := b.numbers[at]
	if i := slices.IndexFunc(list, func(n siteNumber) bool { return n.site == is.site }); i >= 0 {
		list[i] = is
		return
	}
	b.numbers[at] = append(list, is)
}

// observed reports whether the owner of a clock has observed a site's last write to a
// word, or what the same thread has written over it.
func (list siteNumbers) observed(c *hb.Clock, word uint64, site int) bool {
	i := slices.IndexFunc(list, func(n siteNumber) bool { return n.site == site })
	return i >= 0 && slices.ContainsFunc(list, func(n siteNumber) bool {
		return n.number >= list[i].number && n.elem == list[i].elem && c.Observed(word, n.number)
	})
}

// overwrite notes the places of a plain write.
func (b *syncState) overwrite(a *trace.Access) {
	for m := a.Mask; m != 0; m &= m - 1 {
		b.order.Overwrite(b.placeOf(a.Space, a.Addr[bits.TrailingZeros32(m)]), a.Site.Size)
	}
}

// placeOf names a place for release sequences.
func (b *syncState) placeOf(space trace.Space, addr uint64) uint64 {
	if space == trace.SpaceShared {
		return addr | inShared | b.block.Index<<22
	}
	return addr
}

// inShared is set in the names of places in shared memory.
const inShared = 1 << 63

// wordOf names a word of shared or global memory.
func wordOf(space trace.Space, addr uint64) uint64 {
	if space == trace.SpaceShared {
		return addr>>2 | 1<<63
	}
	return addr >> 2
}

// note notes what a strong access means for locks and flags.
func (b *syncState) note(a *trace.Access, lane int, word uint64) {
	s, t := a.Site, 32*a.Warp+lane
	b.locks.Strong(s, uint64(t), word, evidence.Operand(a, lane))
	stamp := b.order.Stamp(a.Warp)
	if s.Kind != trace.Write {
		b.flags.Acquire(evidence.Acquire{Word: word, Site: s, Thread: t, Stamp: stamp, Polled: b.launch.sites[s.ID].Polls})
	}
	if s.Kind != trace.Read {
		f, fenced := b.order.LastFence(t)
		r := evidence.Release{Thread: uint64(t), Site: s, Stamp: stamp, Tick: b.ticks[a.Warp], Fence: hb.Fence{Stamp: f.Stamp}, Fenced: fenced}
		b.flags.Release(uint32(t), word, r)
		b.flags.Release(evidence.WarpOf(uint32(t)), word, r)
	}
}

// isFlag reports whether two volatile accesses to word are part of a release
// and acquire pattern: then they are what synchronizes, and no race.
func (b *syncState) isFlag(o, k key, word uint32) bool {
	x, y := &b.launch.sites[o.site()], &b.launch.sites[k.site()]
	return hb.FlagPair(x, y) && (hb.Announced(x, y) || b.order.Words.Released(b.placeOf(trace.SpaceShared, 4*uint64(word))))
}

// mbarrier releases and acquires for the lanes of an operation on mbarriers.
func (b *syncState) mbarrier(a *trace.Access) {
	arrives := a.Site.Op.Arrives()
	waits := a.Site.Op.Kind == inst.MBarrierTest
	if !arrives && !waits || a.Site.Op.Kind == inst.CopyArrive && a.Site.Order < trace.OrderRelease { // not yet
		return
	}
	b.visits.MBarrier(a, arrives)
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t, addr := 32*a.Warp+lane, a.Addr[lane]
		parity := b.parity(addr)
		if a.Past != nil {
			parity = uint64(a.Past.Before(lane, 1)) >> (trace.MBarrierPhaseBit - 32) & 1
		}
		switch {
		case a.Site.Op.Kind == inst.CopyArrive:
			b.mbarriers.Copied(b.order, t, addr, parity)
		case arrives:
			b.mbarriers.Arrive(b.order, t, a.Site, hb.OverBlock, addr, parity)
		default:
			b.mbarriers.Wait(b.order, t, a.Site, addr, parity, b.placeOf(a.Space, addr))
		}
	}
}

// parity is that of the phase of the mbarrier object at an offset of shared memory.
func (b *syncState) parity(addr uint64) uint64 {
	if addr+8 > uint64(len(b.block.Shared)) {
		return 0
	}
	return binary.LittleEndian.Uint64(b.block.Shared[addr:]) >> trace.MBarrierPhaseBit & 1
}

// synced reports whether a __syncwarp has joined two threads of a warp between two
// stamps, or warps run in step.
func (b *syncState) synced(a, c int, from, to uint32) bool {
	return b.model == check.Lockstep || b.passed.Joins(a, c, from, to)
}
