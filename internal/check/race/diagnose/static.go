package diagnose

import (
	"context"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Static reports the pairs of accesses that race, proved or for some values of
// unknowns (GRace, section 3.2).
func Static(ctx context.Context, cfg check.Config, u *static.Unit) []*finding.Finding {
	model := map[check.RaceModel]static.Model{check.ITS: static.ITS, check.Lockstep: static.Lockstep, check.Threads: static.Threads}[cfg.RaceModel]
	var set finding.Set
	for _, p := range u.Races(ctx, model).Pairs {
		if p.Verdict == static.Possible || p.Verdict == static.Proved {
			set.Add(staticFinding(u, &p))
		}
	}
	for _, e := range u.BeforeGridWait() {
		set.Add(earlyFinding(u, &e))
	}
	return set.Sorted()
}

// earlyFinding reports an access that may come before the wait of a programmatic dependent launch. Reads
// of what no earlier grid writes are what such launches are for, so that a read is only pointed out.
func earlyFinding(u *static.Unit, e *static.Early) *finding.Finding {
	f := &finding.Finding{Rule: "race", Kind: "early-read", Level: finding.Info, Kernel: u.F.Name, Count: 1, Unit: "place",
		Key: "early\x00" + check.StaticKey(e.Value), Confidence: finding.Possible, Cause: GridUnordered}
	what, other := "read of global memory before the kernel waits for the grid before it", "writes"
	if e.Writes {
		f.Kind, f.Level = "early-write", finding.Warning
		what, other = "write to global memory before the kernel waits for the grid before it", "reads or writes"
	}
	f.Message = what
	f.Primary = check.StaticPlace(e.Value, check.StaticRole(e.Value, e.Writes), nil)
	f.Related = []finding.Place{check.StaticPlace(e.Wait, "waits for the grid before", nil)}
	f.Notes = []string{"possible: in a programmatic dependent launch it races with the grid before if that one " + other + " the same memory; decided by running the program"}
	m := by(finding.GridWait, "move it behind cudaGridDependencySynchronize() (griddepcontrol.wait), unless no earlier grid "+other+" that memory")
	f.Repair, f.Help = &m.Repair, m.help
	return f
}

// StaticDetails is the rule's part of a static finding in JSON.
type StaticDetails struct {
	// Variable is the variable, or the parameter that points to the memory; "" if unknown.
	Variable string `json:"variable,omitempty"`
	// IntraWarp, InterWarp and InterBlock are set for the threads that can meet.
	IntraWarp  bool `json:"intra_warp"`
	InterWarp  bool `json:"inter_warp"`
	InterBlock bool `json:"inter_block"`
	// Rounds are the rounds, from 0, of the loops around each of the two places.
	Rounds [2][]uint64 `json:"rounds"`
	// Params are the values of parameters that the example is for.
	Params map[string]uint64 `json:"params,omitempty"`
}

func staticFinding(u *static.Unit, p *static.Pair) *finding.Finding {
	e := p.Evidence
	a, b, order := p.A, p.B, [2]int{0, 1}
	if !comesLater(p) {
		a, b, order = b, a, [2]int{1, 0}
	}
	f := &finding.Finding{
		Rule: "race", Kind: "read-write", Level: finding.Error, Kernel: u.F.Name,
		Count: 1, Unit: "place pair",
		Key: "static\x00" + check.StaticKey(a.Value) + "\x00" + check.StaticKey(b.Value),
	}
	if a.Writes && b.Writes {
		f.Kind = "write-write"
	}
	message := staticMessage(u, p)
	f.Message = message
	switch {
	case p.Verdict == static.Possible:
		f.Level, f.Message = finding.Warning, "possible "+message
	case p.SameValue:
		f.Level = finding.Info
	}
	thread := func(i int) *finding.Thread {
		return check.StaticThread(e.Block[order[i]], e.Thread[order[i]], e.Shape)
	}
	f.Primary = check.StaticPlace(a.Value, check.StaticRole(a.Value, a.Writes), thread(0))
	f.Related = []finding.Place{check.StaticPlace(b.Value, check.StaticRole(b.Value, b.Writes), thread(1))}
	f.Notes = staticNotes(u, p)
	check.Confident(f, u, p.Needs)
	m := staticRepair(u, p, b, a)
	f.Repair, f.Help = &m.Repair, m.help
	f.Object = staticObject(u, p)
	f.Details = details(u, p)
	if f.Example = check.Example(u, e); f.Example != nil {
		f.Example.Message = message
	}
	return f
}

// variable names what the two threads share, "" if unknown; pointedTo: it is what a
// parameter points to.
func variable(u *static.Unit, p *static.Pair) (name string, pointedTo bool) {
	r := p.A.Root
	object := p.Evidence.Variable
	if object == nil && r != nil && r.Op == ssa.Addr {
		object = r.Object
	}
	switch {
	case object != nil:
		return check.VariableName(object.Name), false
	case r == nil:
		return "", false
	}
	i := slices.IndexFunc(u.F.PTX.Params, func(v *ptx.Variable) bool { return v.Name == r.Name })
	return u.Param(i), true
}

// staticObject is the variable, or what the parameter points to, that two accesses share.
func staticObject(u *static.Unit, p *static.Pair) *finding.Object {
	name, pointedTo := variable(u, p)
	if name == "" {
		return nil
	}
	o := &finding.Object{Kind: finding.Variable, Space: trace.SpaceGlobal.String(), Name: name}
	switch {
	case p.A.Mem.Space == ptx.Shared:
		o.Space = trace.SpaceShared.String()
	case pointedTo:
		o.Kind = finding.Allocation
	}
	return o
}

// staticRepair orders two accesses, of which early comes first in the program.
func staticRepair(u *static.Unit, p *static.Pair, first, then *static.Access) mend {
	early, late := staticSite(first), staticSite(then)
	at := staticWay(first, then, early, late, !p.InterBlock)
	switch {
	case p.InterBlock: // a barrier orders no two blocks, whatever it does for threads of one
		return blocksRepair(early, late, at)
	case p.A == p.B:
		return by(finding.OwnElement, ownElement)
	case !p.InterWarp && p.IntraWarp:
		return added(at, finding.AddSyncwarp, finding.Syncwarp, late)
	}
	m := anywhere
	if a, _, guessed := u.Analysis(); !guessed {
		m = (&ways{common: a.Common()}).meet(first.Value, then.Value, at.Next)
	}
	return barrierFor(at, m, early, late)
}

// staticWay is a repair on the way from one access to another.
func staticWay(first, then *static.Access, early, late *trace.Site, stops bool) finding.Repair {
	r := routeBetween(first.Value, then.Value, stops)
	return r.between(early, late)
}

// blocksRepair is for accesses of different blocks; an update has both in one line.
func blocksRepair(early, late *trace.Site, at finding.Repair) mend {
	update := at.From.Line == at.To.Line
	where := at.Between(late.Loc.File)
	switch {
	case early.Kind == late.Kind || update:
		return by(finding.OwnElement, ownBlocks)
	case early.Kind == trace.Read:
		return by(finding.SplitKernel, otherArray+where)
	case late.Kind == trace.Read:
		return by(finding.SplitKernel, splitKernel+where+orGridSync)
	}
	return by(finding.OwnElement, ownBlocks)
}

// staticSite is an access as the run sees it.
func staticSite(a *static.Access) *trace.Site {
	s := &trace.Site{Loc: a.Value.Loc, Kind: trace.Read}
	switch {
	case a.Atomic:
		s.Kind = trace.Atomic
	case a.Writes:
		s.Kind = trace.Write
	}
	if a.Value.Instr != nil {
		s.PTXLine = a.Value.Instr.Pos.Line
	}
	return s
}

// comesLater reports whether the first access of a pair comes later in the program than
// the second: in a later round of the loops around both, or else behind it.
func comesLater(p *static.Pair) bool {
	a, b := loopsOf(p.A.Value.Block), loopsOf(p.B.Value.Block)
	r := p.Evidence.Rounds
	for i := range min(len(a), len(b), len(r[0]), len(r[1])) {
		if a[i] != b[i] {
			break
		}
		if r[0][i] != r[1][i] {
			return r[0][i] > r[1][i]
		}
	}
	x, y := staticSite(p.A), staticSite(p.B)
	at, other := evidence.InOneFunction(x, y)
	if at.Line != other.Line {
		return at.Line > other.Line
	}
	return x.PTXLine > y.PTXLine
}

// loopsOf are the loops around a block, outermost first.
func loopsOf(b *ssa.Block) (ls []*ssa.Loop) {
	for l := b.Loop; l != nil; l = l.Parent {
		ls = append([]*ssa.Loop{l}, ls...)
	}
	return ls
}

func details(u *static.Unit, p *static.Pair) StaticDetails {
	name, _ := variable(u, p)
	d := StaticDetails{Variable: name, IntraWarp: p.IntraWarp, InterWarp: p.InterWarp, InterBlock: p.InterBlock, Rounds: p.Evidence.Rounds}
	for i, v := range p.Evidence.Params {
		if d.Params == nil {
			d.Params = map[string]uint64{}
		}
		d.Params[u.Part(i)] = v
	}
	return d
}
