package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// mend is a repair with its sentence.
type mend struct {
	finding.Repair
	help string
}

// by is a repair that has no place of its own.
func by(k Repair, help string) mend { return mend{finding.Repair{Kind: k}, help} }

// adding is a repair that adds a call between two accesses, in a finding that stands at the second.
func adding(k Repair, call string, a, z *trace.Site) mend {
	r := goesBetween(a, z)
	r.Kind, r.Call = k, call
	return mend{r, r.Add(z.Loc.File)}
}

// and adds to the sentence of a repair.
func (m mend) and(more string) mend {
	m.help += more
	return m
}

// instead replaces the sentence of a repair.
func (m mend) instead(help string) mend {
	m.help = help
	return m
}

// goesBetween is a repair that goes where a comes before z. Within a line z belongs to the next time
// that it runs if the program has it first, or if the line does: only an assignment reads what stands
// behind what it writes.
func goesBetween(a, z *trace.Site) finding.Repair {
	p, q := evidence.InOneFunction(a, z)
	later := p.File == q.File && p.Line > q.Line
	again := p.Line == q.Line && (a.PTXLine >= z.PTXLine || a.Kind != trace.Read && q.Col < p.Col)
	return finding.Repair{From: &finding.Point{Pos: p, PTXLine: a.PTXLine}, To: &finding.Point{Pos: q, PTXLine: z.PTXLine},
		Next: p.IsValid() && q.IsValid() && (later || again && p.File == q.File)}
}

// between puts into words where a repair has to go so that a comes before z, where the finding stands.
func between(a, z *trace.Site) string {
	r := goesBetween(a, z)
	return r.Between(z.Loc.File)
}

// barrier adds the weakest barrier that orders all pairs of a diagnosis.
func (d *diagnosis) barrier() mend {
	if d.warpOnly() {
		return d.warpBarrier()
	}
	a, z := d.early.Site, d.late.Site
	return barrierFor(d.ways(d.run.Launch).between(a, z, goesBetween(a, z).Next), a, z)
}

// barrierFor is a barrier of the block between two accesses, of the kind that its threads
// can come to.
func barrierFor(m joint, a, z *trace.Site) mend {
	r := adding(AddBarrier, finding.Syncthreads, a, z)
	switch m {
	case oneArm:
		r.Kind = SplitBranch
		return r.and(outsideBlockBranch)
	case twoArms:
		r.Kind, r.Call = CountedBarrier, "bar.sync"
		return r.instead(countedBarrierHelp(a, z))
	}
	return r
}

// warpBarrier is a __syncwarp() between the two accesses of a warp, with a mask where only
// some of its lanes come to both.
func (d *diagnosis) warpBarrier() mend {
	a, z, warp := d.early.Site, d.late.Site, d.w.First.Warp
	w := d.ways(d.run.Launch)
	r := adding(AddSyncwarp, finding.Syncwarp, a, z)
	first, all := w.active(a, warp)
	then, _ := w.active(z, warp)
	switch {
	case first == 0 || then == 0 || first == all && then == all:
		return r
	case first == then:
		return adding(AddSyncwarp, fmt.Sprintf("__syncwarp(0x%08x)", first), a, z)
	}
	return r.and(outsideWarpBranch)
}
