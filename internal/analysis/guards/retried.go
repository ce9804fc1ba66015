package guards

import "github.com/warpgrind/warpgrind/internal/ssa"

// Retried reports a read whose value a compare-and-swap of the same place expects
// to find there: should another thread have changed it, the swap fails and tells so.
func (x *Facts) Retried(read Site) bool {
	if x == nil {
		return false
	}
	for _, r := range x.at[read] {
		for _, v := range x.swaps {
			if r.Op == ssa.Load && sameAddress(r, v, 0) && (&search{want: r}).in(operands(v)[0]) {
				return true
			}
		}
	}
	return false
}
