package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// mend is a repair with its sentence.
type mend struct {
	finding.Repair
	help string
}

// by is a repair that has no place of its own.
func by(k finding.RepairKind, help string) mend { return mend{finding.Repair{Kind: k}, help} }

// adding is a repair that adds a call between two accesses, in a finding that stands at the second.
func (d *diagnosis) adding(k finding.RepairKind, call string, a, z *trace.Site) mend {
	return added(d.goesBetween(a, z), k, call, z)
}

func added(r finding.Repair, k finding.RepairKind, call string, z *trace.Site) mend {
	r.Kind, r.Call, r.Frontend = k, call, finding.FrontendOf(z.Loc)
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

// goesBetween is a repair that goes where a comes before z: on the way from one to the other, where the
// kernel's static form shows one.
func (d *diagnosis) goesBetween(a, z *trace.Site) finding.Repair {
	w := d.ways(d.run.Launch)
	r := w.route(a, z, !d.across()).between(a, z)
	if r.From.Line == r.To.Line && r.From.File == r.To.File && r.From.IsValid() && w.feeds(z, a) { // what is written is made of what is read: the next read is another pass's
		r.Next = true
	}
	return r
}

// between is a repair on the route, nil for one that is unknown, from a to z.
func (r *route) between(a, z *trace.Site) finding.Repair {
	if r == nil {
		return goesBetween(a, z)
	}
	p, q := r.places()
	between := placed(a, z, p, q)
	between.Next = between.Next || r.loop != nil
	return between
}

// goesBetween is a repair that goes where a comes before z, as far as their lines tell.
func goesBetween(a, z *trace.Site) finding.Repair {
	p, q := evidence.InOneFunction(a, z)
	return placed(a, z, p, q)
}

// placed is a repair between the places of a and z in one function. Within a line z belongs to the next time
// that it runs if the program has it first, or if the line does: only an assignment reads what stands
// behind what it writes.
func placed(a, z *trace.Site, p, q source.Pos) finding.Repair {
	later := p.File == q.File && p.Line > q.Line
	again := p.Line == q.Line && (a.PTXLine >= z.PTXLine || a.Kind != trace.Read && q.Col < p.Col)
	return finding.Repair{From: &finding.Point{Pos: p, PTXLine: a.PTXLine}, To: &finding.Point{Pos: q, PTXLine: z.PTXLine},
		Next: p.IsValid() && q.IsValid() && (later || again && p.File == q.File)}
}

// between puts into words where a repair has to go so that a comes before z, where the finding stands.
func (d *diagnosis) placeBetween(a, z *trace.Site) string {
	r := d.goesBetween(a, z)
	return r.Between(z.Loc.File)
}

// barrier adds the weakest barrier that orders all pairs of a diagnosis.
func (d *diagnosis) barrier() mend {
	a, z := d.early.Site, d.late.Site
	switch {
	case finding.FrontendOf(z.Loc) == finding.WarpLang:
		return by(finding.SplitKernel, "threads of a Warp kernel cannot wait for each other: write into another array, or split the kernel in two")
	case d.warpOnly() && !d.mayLeaveWarp():
		return d.warpBarrier()
	}
	r := d.goesBetween(a, z)
	m := d.ways(d.run.Launch).between(a, z, r.Next)
	if loop, ok := d.ways(d.run.Launch).unevenLoop(a, z); ok && m == oneArm {
		return evenLoop(r, loop, z)
	}
	return barrierFor(r, m, a, z)
}

// evenLoop is a barrier in a loop of which threads make different numbers of passes, once they make the same.
func evenLoop(r finding.Repair, loop source.Pos, z *trace.Site) mend {
	m := added(r, finding.EvenLoop, "", z)
	m.At = &finding.Point{Pos: loop}
	return m.instead(fmt.Sprintf("let all threads of the block make the same number of passes of the loop of %s, with its condition tested again for each thread inside, and then add %s %s",
		m.At.InWords(z.Loc.File), finding.Syncthreads, r.Between(z.Loc.File)))
}

// mayLeaveWarp: that both threads are in one warp is a matter of the data that the indices come from.
func (d *diagnosis) mayLeaveWarp() bool {
	w := d.ways(d.run.Launch)
	return d.run.Launch.Block.Size() > 32 && (w.byData(d.early.Site) || w.byData(d.late.Site))
}

// barrierFor is a barrier of the block between two accesses, of the kind that its threads
// can come to.
func barrierFor(at finding.Repair, m joint, a, z *trace.Site) mend {
	r := added(at, finding.AddBarrier, finding.Syncthreads, z)
	switch m {
	case oneArm:
		r.Kind = finding.SplitBranch
		return r.and(outsideBlockBranch)
	case twoArms:
		r.Kind, r.Call = finding.CountedBarrier, "bar.sync"
		return r.instead(countedBarrierHelp(a, z))
	}
	return r
}

// oneArmFirst executes the two arms of a branch within a warp one after the other. Of two writes nothing tells which is to be the last.
func oneArmFirst(at finding.Repair, a, z *trace.Site) mend {
	if a.Kind == trace.Write && z.Kind == trace.Write {
		return by(finding.CountedBarrier, countedBarrierHelp(a, z))
	}
	r := added(at, finding.SplitBranch, finding.Syncwarp, z)
	return r.instead(fmt.Sprintf("lanes of one warp come to only one of the two places: end the branch, so that all execute first %s, then __syncwarp(), then %s",
		check.Where(a, z.Loc.File), check.Where(z, z.Loc.File)))
}

// warpBarrier is a __syncwarp() between the two accesses of a warp, with a mask where only
// some of its lanes come to both.
func (d *diagnosis) warpBarrier() mend {
	a, z, warp := d.early.Site, d.late.Site, d.w.First.Warp
	w := d.ways(d.run.Launch)
	if w.between(a, z, d.goesBetween(a, z).Next) == twoArms {
		return oneArmFirst(d.goesBetween(a, z), a, z)
	}
	r := d.adding(finding.AddSyncwarp, finding.Syncwarp, a, z)
	first, all := w.active(a, warp)
	then, _ := w.active(z, warp)
	switch {
	case first == 0 || then == 0 || first == all && then == all:
		return r
	case first == then:
		return d.adding(finding.AddSyncwarp, fmt.Sprintf("__syncwarp(0x%08x)", first), a, z)
	}
	return r.and(outsideWarpBranch)
}
