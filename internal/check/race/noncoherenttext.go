package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// finding describes a read through the read-only path of what the launch writes. Where
// every read came before the write, the value is right and only the contract is broken.
func (r *readOnlyPath) finding(p *stale) *finding.Finding {
	l, first, then := r.launch, r.launch.Sites[p.a], r.launch.Sites[p.z]
	var m trace.Memory
	known := false
	if l.Memory != nil {
		m, known = l.Memory(p.addr)
	}
	d := r.details(p)
	f := &finding.Finding{
		Rule: Rule.ID, Kind: p.hazard.String(), Level: finding.Error, Kernel: l.Kernel, Launches: finding.InLaunch(l.ID),
		Message: fmt.Sprintf("%v through the read-only path on %s", p.hazard, memoryName(&m, known, p.addr, max(min(first.Elem, then.Elem), 1))),
		Notes:   []string{d.Reason}, Count: p.count, Unit: "access", Details: d,
		Key:     pairName("read-only", first, then),
		Primary: check.Place(then, check.Role(then.Kind), r.thread(p.then)),
		Related: []finding.Place{check.Place(first, check.Role(first.Kind), r.thread(p.first))},
		Witness: [4]uint64{uint64(p.hazard), uint64(l.ID), p.then.block, p.addr},
	}
	if p.hazard != raw {
		f.Level = finding.Warning
		f.Notes = append(f.Notes, "here each read comes before the write, and finds the right value")
	}
	d.facts(f, by(CoherentLoad, "read it by an ordinary load: without __ldg, const __restrict__ or a texture; or write to other memory"))
	if known {
		f.Object, f.Range = check.ObjectOf(trace.SpaceGlobal, &m), check.Range(p.addr, m.Base, p.bytes)
	}
	return f
}

// reason says why the read need not see the write.
func (r *readOnlyPath) reason(p *stale) string {
	const path = "the read-only path need not see what the same kernel writes, whatever barrier or fence lies between"
	if r.launch.Sites[p.a].Restricted || r.launch.Sites[p.z].Restricted {
		return "a compiler may read a const __restrict__ parameter through the read-only path (ld.global.nc): " + path
	}
	return path
}

func (r *readOnlyPath) thread(by reader) *finding.Thread {
	return check.Thread(r.launch, by.block, by.warp, by.lane)
}

func (r *readOnlyPath) details(p *stale) Details {
	d := Details{Space: trace.SpaceGlobal.String(), Address: p.addr, Bytes: p.bytes, Index: -1, Cause: ReadOnlyPath, Repair: CoherentLoad,
		Reason: r.reason(p),
		First:  r.side(p.a, p.first), Then: r.side(p.z, p.then)}
	if p.hazard == raw {
		d.RAW = p.count
	} else {
		d.WAR = p.count
	}
	return d
}

func (r *readOnlyPath) side(site int, by reader) Side {
	s := r.launch.Sites[site]
	return Side{Kind: s.Kind.String(), Thread: r.thread(by), Size: s.Size, Order: s.Order.String()}
}
