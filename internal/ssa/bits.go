package ssa

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// lowHalves has the lower n bits of each 2n of w: 0x5555..., 0x3333..., 0x0f0f...
func lowHalves(n, w int) uint64 {
	return mask(^uint64(0), w) / (1<<n + 1)
}

// reverse translates brev: groups of 1, 2, 4... bits change places with their
// neighbours. The indices of FFTs are made so.
func (b *builder) reverse(in *ptx.Instr) bool {
	t, _, ok := intType(in)
	if !ok || t == isa.Pred {
		return false
	}
	v, w := b.value(in.Args[1], t), width(t)
	for n := 1; n < w; n *= 2 {
		low, by := b.constant(t, lowHalves(n, w)), b.constant(isa.B32, uint64(n))
		down := b.add(And, t, b.add(ShrU, t, v, by), low)
		v = b.add(Or, t, b.add(Shl, t, b.add(And, t, v, low), by), down)
	}
	b.assign(in.Args[0], v, false)
	return true
}
