package guards

import "github.com/warpgrind/warpgrind/internal/ssa"

// Retried reports whether read is one whose value a compare-and-swap of the same place expects
// to find there: should another thread have changed it, the swap fails and tells so.
func (x *Facts) Retried(read Site) bool {
	return x.verified(read, func(Site) bool { return true })
}

// Rebuilt reports whether read is retried by a swap for an element of the word: of the other
// bytes nothing is used but that the swap leaves them as they are.
func (x *Facts) Rebuilt(read Site) bool {
	return x.verified(read, func(swap Site) bool { return x.Narrow(swap) > 0 })
}

func (x *Facts) verified(read Site, by func(swap Site) bool) bool {
	if x == nil {
		return false
	}
	for _, r := range x.at[read] {
		for _, v := range x.swaps {
			if !by(siteOf(x.f, v)) {
				continue
			}
			if r.Op == ssa.Load && sameAddress(r, v, 0) && (&search{want: r}).in(operands(v)[0]) {
				return true
			}
		}
	}
	return false
}
