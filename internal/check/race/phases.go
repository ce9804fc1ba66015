package race

import (
	"encoding/binary"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// phases keep what arrivals at an mbarrier hand to those who wait for it (PTX
// ISA, "mbarrier"): a phase that has completed gives what arrived in it, the
// phase in progress nothing yet.
type phases struct {
	parity        uint64
	current, done *know
}

// initialises reports whether a site makes an mbarrier object.
func initialises(s *trace.Site) bool { return s.Op.Kind == inst.MBarrierInit }

// mbarrier releases and acquires for the lanes of an operation on mbarriers.
func (b *blockObserver) mbarrier(a *trace.Access) {
	arrives := a.Site.Op.Arrives()
	waits := a.Site.Op.Kind == inst.MBarrierTest
	if !arrives && !waits {
		return
	}
	b.meetAt(a, arrives)
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		p := b.phaseAt(a.Addr[lane])
		t := 32*a.Warp + lane
		switch {
		case arrives:
			p.current = p.current.join(b.order.whole(t))
		case p.done == nil:
		case a.Site.Order == trace.OrderRelaxed:
			b.order.pend(t, b.placeOf(a.Space, a.Addr[lane]), offer{overBlock: p.done})
		default:
			b.order.learn(t, p.done)
		}
	}
}

// phaseAt returns the phases of the object at an offset of shared memory,
// advanced if one has completed.
func (b *blockObserver) phaseAt(addr uint64) *phases {
	var v uint64
	if addr+8 <= uint64(len(b.block.Shared)) {
		v = binary.LittleEndian.Uint64(b.block.Shared[addr:])
	}
	parity := v >> trace.MBarrierPhaseBit & 1
	p := b.phases[addr]
	if p == nil {
		if b.phases == nil {
			b.phases = map[uint64]*phases{}
		}
		p = &phases{parity: parity}
		b.phases[addr] = p
	}
	if p.parity != parity {
		p.parity, p.done, p.current = parity, p.current, nil
	}
	return p
}
