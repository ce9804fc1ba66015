package warp

import "math/bits"

// add counts a condition p that lanes m evaluate.
func (d *Decisions) add(m, p uint32) {
	yes, no := m&p, m&^p
	d.Yes += uint64(bits.OnesCount32(yes))
	d.No += uint64(bits.OnesCount32(no))
	if yes != 0 {
		d.YesWarps++
	}
	if no != 0 {
		d.NoWarps++
	}
	if yes != 0 && no != 0 {
		d.Both++
	}
}
