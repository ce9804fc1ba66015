package evidence

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Lanes is how many lanes of a warp executed a site at once.
type Lanes uint8

// Lanes.
const (
	None Lanes = iota
	Alone
	Together
)

// LanesOf is that of a mask.
func LanesOf(mask uint32) Lanes {
	if mask&(mask-1) == 0 {
		return Alone
	}
	return Together
}

// OneAddress reports whether all lanes access one element.
func OneAddress(a *trace.Access) bool {
	at := a.Addr[bits.TrailingZeros32(a.Mask)]
	for m := a.Mask; m != 0; m &= m - 1 {
		if a.Addr[bits.TrailingZeros32(m)] != at {
			return false
		}
	}
	return true
}

// Operand is what a lane writes, or an atomic's operand; 0 where that is unknown.
func Operand(a *trace.Access, lane int) uint64 {
	if a.Data == nil || !a.Site.Kind.Writes() {
		return 0
	}
	return a.Data.Value(lane, 0)
}
