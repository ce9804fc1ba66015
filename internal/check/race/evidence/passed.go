package evidence

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Passed is a synchronization inside a barrier interval that lanes of a warp
// took part in.
type Passed struct {
	Site *trace.Site
	// ID is the number of a barrier of the block.
	ID int
	// Lanes are those that waited; Stamp is the least that their later accesses have.
	Lanes, Stamp uint32
	// Part are the participants of a barrier of the block, by warp; nil for a
	// __syncwarp. early are those of them that did not wait, and their stamps.
	Part  []uint32
	early map[int]uint32
	// Twice is set for a barrier that counted some of its participants twice: they arrived without
	// waiting, and then came to wait in the same phase.
	Twice bool
}

// SyncLog has what the warps of a block passed since its last full barrier.
type SyncLog struct{ warps [][]Passed }

// maxPassed bounds what is remembered of a warp; the older half is forgotten.
const maxPassed = 64

// NewSyncLog makes the log of a block of so many warps.
func NewSyncLog(warps int) SyncLog { return SyncLog{make([][]Passed, warps)} }

// Reset forgets all: the block has passed a full barrier.
func (l *SyncLog) Reset() {
	for w := range l.warps {
		l.warps[w] = l.warps[w][:0]
	}
}

// SyncWarp notes a __syncwarp of a warp, whose lanes have a stamp from then on.
func (l *SyncLog) SyncWarp(e *trace.WarpSync, stamp uint32) {
	l.add(e.Warp, Passed{Site: e.Site, Stamp: stamp, Lanes: e.Mask})
}

func (l *SyncLog) add(warp int, p Passed) {
	if warp >= len(l.warps) || p.Lanes == 0 {
		return
	}
	ps := l.warps[warp]
	if len(ps) >= maxPassed {
		ps = ps[:copy(ps, ps[maxPassed/2:])]
	}
	l.warps[warp] = append(ps, p)
}

// Barrier notes a barrier of a part of the block, whose threads have the
// stamps now from then on; early have arrived and gone on.
func (l *SyncLog) Barrier(e *trace.Barrier, now []uint32, early map[int]uint32) {
	part := append([]uint32(nil), e.Arrived...)
	twice := slices.ContainsFunc(e.Again, func(m uint32) bool { return m != 0 })
	for w, m := range e.Synced {
		if w < len(now) {
			l.add(w, Passed{Site: e.Site, ID: e.ID, Stamp: now[w], Lanes: m, Part: part, early: early, Twice: twice})
		}
	}
}

// Now is later than all stamps.
const Now = ^uint32(0)

// Last returns what a lane passed last before its access at stamp, or nil.
func (l *SyncLog) Last(warp, lane int, stamp uint32) *Passed { return l.last(warp, lane, stamp, false) }

// last is Last; only barriers of the block count if blockOnly is set.
func (l *SyncLog) last(warp, lane int, stamp uint32, blockOnly bool) *Passed {
	ps := l.warps[warp]
	for i := len(ps) - 1; i >= 0; i-- {
		if p := ps[i]; p.Lanes>>lane&1 != 0 && p.Stamp <= stamp && (p.Part != nil || !blockOnly) {
			return &p
		}
	}
	return nil
}

// after returns what a lane passed first after its access at stamp, or nil.
func (l *SyncLog) after(warp, lane int, stamp uint32, blockOnly bool) *Passed {
	for _, p := range l.warps[warp] {
		if p.Lanes>>lane&1 != 0 && p.Stamp > stamp && (p.Part != nil || !blockOnly) {
			return &p
		}
	}
	return nil
}

// has reports whether a thread took part.
func (p *Passed) has(warp, lane int, own bool) bool {
	if p.Part != nil {
		return warp < len(p.Part) && p.Part[warp]>>lane&1 != 0
	}
	return own && p.Lanes>>lane&1 != 0
}

// Between returns the synchronization that lies between two accesses of a
// block and does not order them, because one of the two threads did not take
// part in it, or nil. The first one was at stamp, the second is made now; ahead
// if the program has them the other way round. early reports that the first thread
// took part in it before its access, without waiting.
func (l *SyncLog) Between(wa, a int, stamp uint32, wb, b int, ahead bool) (p *Passed, early bool) {
	p = l.between(wa, a, stamp, wb, b, ahead)
	return p, p != nil && p.arrivedEarly(wa, a, stamp)
}

func (l *SyncLog) between(wa, a int, stamp uint32, wb, b int, ahead bool) *Passed {
	other := wa != wb // then no __syncwarp can order them
	if ahead {
		if p := l.last(wa, a, stamp, other); p != nil && !p.has(wb, b, !other) {
			return p
		}
		return nil
	}
	if p := l.after(wa, a, stamp, other); p != nil && !p.has(wb, b, !other) {
		return p
	}
	if p := l.last(wb, b, Now, other); p != nil && (!p.has(wa, a, !other) || p.arrivedEarly(wa, a, stamp)) {
		return p
	}
	return nil
}

// arrivedEarly reports whether a thread reached a barrier, without waiting,
// before its access at stamp.
func (p *Passed) arrivedEarly(warp, lane int, stamp uint32) bool {
	s, ok := p.early[32*warp+lane]
	return ok && s <= stamp
}

// Joins reports whether a __syncwarp has joined two threads of a warp between two
// stamps.
func (l *SyncLog) Joins(a, b int, from, to uint32) bool {
	for _, p := range l.warps[a/32] {
		if p.Stamp > from && p.Stamp <= to && p.Lanes>>(a%32)&1 != 0 && p.Lanes>>(b%32)&1 != 0 {
			return true
		}
	}
	return false
}

// Threads counts the participants of a barrier of the block.
func (p *Passed) Threads() int { return count(p.Part) }
