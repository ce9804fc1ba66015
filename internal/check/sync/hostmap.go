package sync

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A tensor map that the host has put into global memory "requires a fence in each thread block
// before any thread in the block uses the updated tensor map" ("CUDA C++ Programming Guide", "Passing
// tensor maps"): it is read by a proxy of its own, whose caches a launch does not empty. Maps in
// constant memory and in parameters need none.

// A tensor map has 128 bytes and is aligned to 64 ("CUDA Driver API", "CUtensorMap").
const (
	mapBytes = 128
	mapAlign = 64
)

// usesTensorMaps reports whether a launch uses tensor maps and makes none itself: those that it
// makes are the race rule's.
func usesTensorMaps(l *trace.Launch) bool {
	makes := func(s *trace.Site) bool { return s.Op.Kind == inst.TensorMap || s.Op.Kind == inst.TensorMapCopy }
	return slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.TensorMap }) && !slices.ContainsFunc(l.Sites, makes)
}

// acquired has the tensor maps for which threads of the block have executed
// fence.proxy.tensormap::generic.acquire, and those that were reported, by units of mapAlign bytes.
type acquired map[uint64]bool

func (m acquired) add(at uint64) {
	for unit := at / mapAlign; unit*mapAlign < at+mapBytes; unit++ {
		m[unit] = true
	}
}

func (m acquired) covers(at uint64) bool { return m[at/mapAlign] }

// ProxyFence is the event of that name.
func (b *blockObserver) ProxyFence(e *trace.ProxyFence) {
	if e.Maps == nil {
		return
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		b.maps.add(e.Maps[bits.TrailingZeros32(m)])
	}
}

// Global reports the first use of a tensor map in the block for which no fence came.
func (b *blockObserver) Global(a *trace.Access) {
	if !a.Site.TensorMap {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		at := a.Addr[lane]
		if b.maps.covers(at) {
			continue
		}
		b.maps.add(at)
		if l := b.in.launch; l.Memory != nil {
			if in, ok := l.Memory(at); ok && in.ReadOnly {
				continue
			}
		}
		b.report(b.in.notAcquired(b.block, a, lane))
	}
}

// notAcquired is the finding of the use of a map. It is a warning: a map that is never changed after its first use
// works without the fence as long as nothing was cached from its place before.
func (o launchObserver) notAcquired(block uint64, a *trace.Access, lane int) *finding.Finding {
	l := o.launch
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "tensor-map", Level: finding.Warning, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "block",
		Witness: [4]uint64{uint64(l.ID), block, uint64(a.Warp), uint64(lane)},
		Primary: check.Place(a.Site, "used by", check.Thread(l, block, a.Warp, lane)),
		Message: "use of a tensor map in global memory without a fence.proxy.tensormap in the block",
		Notes:   []string{"tensor maps are read by a proxy of their own, which may still see what was there before the host or another kernel wrote the map"},
		Key:     "tensor map\x00" + check.SiteKey(a.Site),
		Cause:   NotAcquired,
	}
	repair(f, finding.AcquireMap)
	return f
}
