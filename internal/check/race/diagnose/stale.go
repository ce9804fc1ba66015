package diagnose

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Stale makes the finding of a read through the read-only path of what the launch writes.
// Where every read came before the write, the value is right and only the contract is
// broken.
func (g *Diagnoser) Stale(p *evidence.Stale) *finding.Finding {
	d := &diagnosis{Diagnoser: g, stale: p, hazard: p.Hazard, run: &evidence.Run{Launch: p.Launch}}
	d.decide()
	l, first, then := p.Launch, p.First.Site, p.Then.Site
	var m trace.Memory
	known := false
	if l.Memory != nil {
		m, known = l.Memory(p.Addr)
	}
	details := Details{Space: trace.SpaceGlobal.String(), Address: p.Addr, Bytes: p.Bytes, Index: -1,
		First: d.staleSide(&p.First), Then: d.staleSide(&p.Then)}
	object := memoryName(&m, known, p.Addr, max(min(first.Elem, then.Elem), 1))
	f := &finding.Finding{
		Rule: "race", Kind: p.Hazard.String(), Level: finding.Error, Kernel: l.Kernel, Launches: finding.InLaunch(l.ID),
		Message: topLine(accesses(first.Kind, then.Kind, false), object, d.cause, "", p.Hazard.String()),
		Notes:   []string{d.reason}, Count: p.Count, Unit: "access",
		Key:     pairName("read-only", first, then),
		Primary: d.place(&p.Then), Related: []finding.Place{d.place(&p.First)},
		Witness: [4]uint64{uint64(p.Hazard), uint64(l.ID), uint64(p.Then.Block), p.Addr},
	}
	if p.Hazard == evidence.RAW {
		details.RAW = p.Count
	} else {
		details.WAR = p.Count
		f.Level = finding.Warning
		f.Notes = append(f.Notes, readsFirst)
	}
	d.fill(f, details)
	if known {
		f.Object, f.Range = check.ObjectOf(trace.SpaceGlobal, &m), check.Range(p.Addr, m.Base, p.Bytes)
	}
	return f
}

func (d *diagnosis) staleSide(a *evidence.Access) Side {
	return Side{Kind: a.Site.Kind.String(), Thread: d.thread(a), Size: a.Site.Size, Order: a.Site.Order.String()}
}
