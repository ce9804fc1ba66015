package initialized

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// localMemory has, for each byte offset in local memory, the lanes of a warp
// that have written that byte.
type localMemory struct{ lanes []uint32 }

func (m *localMemory) reset() { clear(m.lanes) }

func (m *localMemory) grow(n uint64) {
	if more := int(n) - len(m.lanes); more > 0 {
		m.lanes = append(m.lanes, make([]uint32, more)...)
	}
}

func (m *localMemory) write(lanes uint32, off uint64, n int) {
	m.grow(off + uint64(n))
	for i := range n {
		m.lanes[off+uint64(i)] |= lanes
	}
}

// unwritten returns those of lanes that have not written all of n bytes.
func (m *localMemory) unwritten(lanes uint32, off uint64, n int) uint32 {
	m.grow(off + uint64(n))
	have := ^uint32(0)
	for i := range n {
		have &= m.lanes[off+uint64(i)]
	}
	return lanes &^ have
}

// missing returns which of n bytes lane has not written.
func (m *localMemory) missing(lane int, off uint64, n int) (bytes uint64) {
	for i := range n {
		bytes |= uint64(^m.lanes[off+uint64(i)]>>lane&1) << i
	}
	return bytes
}

func (b *blockObserver) localOf(warp int) *localMemory {
	for len(b.local) <= warp {
		b.local = append(b.local, localMemory{})
	}
	return &b.local[warp]
}

// LocalWritten is for trace.BlockObserver.
func (b *blockObserver) LocalWritten(warp, bytes int) []uint32 {
	m := b.localOf(warp)
	m.grow(uint64(bytes))
	return m.lanes
}

// localAccess goes through the lanes, all at once where they are at one
// offset.
func (b *blockObserver) localAccess(a *trace.Access) {
	if v := a.Site.Local; v != nil && v.Part != trace.NoPart {
		return // an index is meant, and no value
	}
	if register(a.Site) && !b.in.unset {
		return
	}
	mem := b.localOf(a.Warp)
	var bad uint32
	for m := a.Mask; m != 0; {
		l := bits.TrailingZeros32(m)
		same := uint32(1) << l
		if a.Regular && a.Step == 0 {
			same = m
		}
		if writesOnly(a) {
			mem.write(same, a.Addr[l], a.Site.Size)
		} else {
			bad |= mem.unwritten(same, a.Addr[l], a.Site.Size)
		}
		m &^= same
	}
	if bad != 0 {
		b.badLocal(a, mem, bad)
	}
}

func (b *blockObserver) badLocal(a *trace.Access, mem *localMemory, lanes uint32) {
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		b.missing[l] = mem.missing(l, a.Addr[l], a.Site.Size)
	}
	var origin [32]uint32
	i := b.tracker.read(readKey{a.Site.ID, trace.SpaceLocal, -1}, a.Warp, lanes, a.Addr, &b.missing, nil, &origin, trace.Memory{})
	b.tracker.confirm(i, lanes)
	if u := a.Undefined; u != nil {
		u.Mask, u.Missing, u.Origin = lanes, b.missing, origin
	}
}
