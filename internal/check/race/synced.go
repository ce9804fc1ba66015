package race

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// passed is a synchronisation inside a barrier interval that lanes of a warp
// took part in.
type passed struct {
	site *trace.Site
	// stamp is the least that these lanes' later accesses have, lanes are those
	// that waited.
	stamp, lanes uint32
	// part are the participants of a barrier of the block, by warp; nil for a
	// __syncwarp. early are those of them that did not wait, and their stamps.
	part  []uint32
	early map[int]uint32
}

// syncLog has what the warps of a block passed since its last full barrier.
type syncLog struct{ warps [][]passed }

// maxPassed bounds what is remembered of a warp; the older half is forgotten.
const maxPassed = 64

func newSyncLog(warps int) syncLog { return syncLog{make([][]passed, warps)} }

func (l *syncLog) reset() {
	for w := range l.warps {
		l.warps[w] = l.warps[w][:0]
	}
}

func (l *syncLog) add(warp int, p passed) {
	if warp >= len(l.warps) || p.lanes == 0 {
		return
	}
	ps := l.warps[warp]
	if len(ps) >= maxPassed {
		ps = ps[:copy(ps, ps[maxPassed/2:])]
	}
	l.warps[warp] = append(ps, p)
}

// barrier notes a barrier of a part of the block, whose threads have the
// stamps now from then on; early have arrived and gone on.
func (l *syncLog) barrier(e *trace.Barrier, now []uint32, early map[int]uint32) {
	part := append([]uint32(nil), e.Arrived...)
	for w, m := range e.Synced {
		if w < len(now) {
			l.add(w, passed{site: e.Site, stamp: now[w], lanes: m, part: part, early: early})
		}
	}
}

// last returns what a lane passed last before its access at stamp, or nil.
// Only barriers of the block count if blockOnly is set.
func (l *syncLog) last(warp, lane int, stamp uint32, blockOnly bool) *passed {
	ps := l.warps[warp]
	for i := len(ps) - 1; i >= 0; i-- {
		if p := ps[i]; p.lanes>>lane&1 != 0 && p.stamp <= stamp && (p.part != nil || !blockOnly) {
			return &p
		}
	}
	return nil
}

// after returns what a lane passed first after its access at stamp, or nil.
func (l *syncLog) after(warp, lane int, stamp uint32, blockOnly bool) *passed {
	for _, p := range l.warps[warp] {
		if p.lanes>>lane&1 != 0 && p.stamp > stamp && (p.part != nil || !blockOnly) {
			return &p
		}
	}
	return nil
}

// has reports whether a thread took part.
func (p *passed) has(warp, lane int, own bool) bool {
	if p.part != nil {
		return warp < len(p.part) && p.part[warp]>>lane&1 != 0
	}
	return own && p.lanes>>lane&1 != 0
}

// between returns the synchronisation that lies between two accesses of a
// block and does not order them, because one of the two threads did not take
// part in it, or nil. The first one was at stamp, the second is made now; ahead
// says that the program has them the other way round.
func (l *syncLog) between(wa, a int, stamp uint32, wb, b int, ahead bool) *passed {
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
	if p := l.last(wb, b, ^uint32(0), other); p != nil && (!p.has(wa, a, !other) || p.arrivedEarly(wa, a, stamp)) {
		return p
	}
	return nil
}

// arrivedEarly reports whether a thread came to a barrier, without waiting,
// before its access at stamp.
func (p *passed) arrivedEarly(warp, lane int, stamp uint32) bool {
	s, ok := p.early[32*warp+lane]
	return ok && s <= stamp
}

// text names a synchronisation; file is the one that the sentence is about.
func (p *passed) text(file string) string {
	at := check.Where(p.site, file)
	if p.part == nil {
		return fmt.Sprintf("the __syncwarp of %s (mask 0x%08x)", at, p.lanes)
	}
	return fmt.Sprintf("the barrier of %s (%d threads)", at, countLanes(p.part))
}

// name is text in short.
func (p *passed) name(file string) string {
	if p.part == nil {
		return "the __syncwarp of " + check.Where(p.site, file)
	}
	return "the barrier of " + check.Where(p.site, file)
}

// reason says that a synchronisation does not order two accesses in a block of
// so many threads.
func (p *passed) reason(file string, threads uint64) string {
	if p.part == nil {
		return fmt.Sprintf("%s has the mask 0x%08x, which leaves one of the two lanes out", p.name(file), p.lanes)
	}
	return fmt.Sprintf("%s joins %d of %d threads and does not order these two", p.name(file), countLanes(p.part), threads)
}

// cause tells which kind of synchronisation leaves a thread out.
func (p *passed) cause() Cause {
	if p.part == nil {
		return PartialSyncwarp
	}
	return PartialBarrier
}

func countLanes(masks []uint32) int {
	n := 0
	for _, m := range masks {
		n += bits.OnesCount32(m)
	}
	return n
}
