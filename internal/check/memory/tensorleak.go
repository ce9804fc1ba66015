package memory

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// leaked adds columns of tensor memory that the block has not deallocated.
func (b *blockObserver) leaked(d *trace.Defect) {
	k := strayKey{site: d.Site, meant: d.Meant.Base}
	if f := b.seen[k]; f != nil {
		f.Count++
		return
	}
	l := b.in.launch
	b.seen[k] = &finding.Finding{
		Rule: Rule.ID, Kind: "leak", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "allocation",
		Message: fmt.Sprintf("%s of tensor memory are not deallocated when the block ends", check.Plural(d.Size, "column")),
		Notes:   []string{"on a GPU the columns stay allocated: later kernels that allocate tensor memory may wait forever"},
		Cause:   TensorLeak, Repair: &finding.Repair{Kind: finding.Deallocate}, Help: helps[finding.Deallocate],
		Primary: check.Place(d.Site, "allocated by", check.Thread(l, b.block, d.Warp, 0)),
		Key:     "tensor leak\x00" + check.SiteKey(d.Site),
		Witness: [4]uint64{uint64(l.ID), b.block, uint64(d.Warp)},
	}
}
