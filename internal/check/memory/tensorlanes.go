package memory

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// otherLanes adds an access with an address in the first lanes of tensor memory by a warp that has
// others: a warning, since GPUs access the warp's own lanes and kernels rely on it.
func (b *blockObserver) otherLanes(d *trace.Defect) {
	k := strayKey{site: d.Site}
	if f := b.seen[k]; f != nil {
		f.Count++
		return
	}
	l, first := b.in.launch, 32*(d.Warp%4)
	b.seen[k] = &finding.Finding{
		Rule: Rule.ID, Kind: "tensor-lanes", Level: finding.Warning, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "access",
		Message: fmt.Sprintf("address in the first 32 lanes of tensor memory by warp %d, which may access lanes %d to %d", d.Warp, first, first+31),
		Notes:   []string{"the access is to the warp's own lanes, as on a GPU; the PTX ISA does not promise that"},
		Cause:   finding.Cause(trace.CauseTensorLanes), Repair: &finding.Repair{Kind: finding.OwnLanes}, Help: helps[finding.OwnLanes],
		Primary: check.Place(d.Site, check.Role(d.Site.Kind), check.Thread(l, b.block, d.Warp, 0)),
		Key:     "tensor lanes\x00" + check.SiteKey(d.Site),
		Witness: [4]uint64{uint64(l.ID), b.block, uint64(d.Warp)},
	}
}
