package shared

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// quiet lets intervals be left out in which nothing but barriers orders, and no two threads
// access a word in a way that may race.
func (b *blockObserver) quiet() *trace.QuietObserver {
	return &trace.QuietObserver{Takes: b.launch.takes, Passed: b.passedQuiet, Copied: b.copied}
}

// orders reports whether accesses of a site may order others.
func (d *Detector) orders(s *trace.Site) bool {
	return d.synchronizes && d.sites[s.ID].Strength != hb.Weak
}

// takes reports whether accesses of a site are made when they are issued, and do not race
// with those of others if all are atomic operations.
func (d *Detector) takes(s *trace.Site) bool {
	in := &d.sites[s.ID]
	if in.Narrow != nil || d.orders(s) {
		return false
	}
	if s.Kind != trace.Atomic {
		return true
	}
	first := slices.IndexFunc(d.launch.Sites, func(x *trace.Site) bool {
		return x.Kind == trace.Atomic && (x.Space == trace.SpaceShared || x.Space == trace.SpaceGeneric)
	})
	return first < 0 || d.sites[first].Elem == in.Elem && !hb.Conflict(&d.sites[first], in, hb.OverBlock)
}

// passedQuiet counts what an interval did that was left out.
func (b *blockObserver) passedQuiet(q *trace.Quiet) {
	b.time += q.Skipped
	q.Each(func(s *trace.Site, mask uint32) {
		b.time++
		if b.launch.sites[s.ID].Strength != hb.Weak {
			b.singles[s.ID] = max(b.singles[s.ID], evidence.LanesOf(mask))
		}
	})
}
