package predict

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
)

// Rests follows which holds of a launch are over. Each is for once.
type Rests struct{ holds []check.Hold }

// NewRests returns nil for no holds.
func NewRests(holds []check.Hold) *Rests {
	if len(holds) == 0 {
		return nil
	}
	return &Rests{slices.Clone(holds)}
}

// Left are the holds that were not reached.
func (r *Rests) Left() []check.Hold {
	if r == nil {
		return nil
	}
	return r.holds
}

// At reports whether a block rests before an operation of a warp.
func (r *Rests) At(block uint32, warp int, operation uint32) bool {
	if r == nil {
		return false
	}
	for i, h := range r.holds {
		if h == (check.Hold{Block: block, Warp: warp, Operation: operation}) {
			r.holds = append(r.holds[:i], r.holds[i+1:]...)
			return true
		}
	}
	return false
}
