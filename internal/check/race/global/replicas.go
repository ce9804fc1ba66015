package global

import (
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// findReplicas finds the reads that threads make for nothing: where a tensor has fewer elements
// than a block has threads, Triton has several threads read an element and compute with it, and one of
// them store the result. That one may store before the others read.
func (d *Detector) findReplicas() {
	d.used = make([][]uint32, len(d.sites))
	facts := d.config.Facts(d.launch)
	if !facts.Replicas() || d.config.Policy.SameValue.Set {
		return
	}
	b := d.launch.Block
	for _, s := range d.launch.Sites {
		if d.watched[s.ID] && s.Kind == trace.Read && d.sites[s.ID].Strength == hb.Weak {
			d.used[s.ID] = facts.UsedBy(hb.GuardSite(s), [3]uint32{b.X, b.Y, b.Z})
		}
	}
}

// withoutReplicas leaves out the reads of threads that do nothing with what they read.
func (o *blockObserver) withoutReplicas(a *trace.Access) *trace.Access {
	used := o.launch.used[a.Site.ID]
	if used == nil || a.Mask&^used[a.Warp] == 0 {
		return a
	}
	o.rest = *a
	o.rest.Mask &= used[a.Warp]
	o.rest.Regular, o.rest.Shape = false, nil
	return &o.rest
}
