package race

import (
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Static reports the pairs of accesses that race, proved or for some values of
// what is not known (GRace, section 3.2).
func Static(ctx context.Context, cfg check.Config, u *static.Unit) []*finding.Finding {
	model := map[check.RaceModel]static.Model{check.ITS: static.ITS, check.Lockstep: static.Lockstep, check.Threads: static.Threads}[cfg.RaceModel]
	var set finding.Set
	for _, p := range u.Races(ctx, model).Pairs {
		if p.Verdict == static.Possible || p.Verdict == static.Proved {
			set.Add(staticFinding(u, &p))
		}
	}
	return set.Sorted()
}

// StaticDetails is the rule's part of a static finding in JSON.
type StaticDetails struct {
	// Variable is the variable, or the parameter that points to the memory; "" if unknown.
	Variable string `json:"variable,omitempty"`
	// IntraWarp, InterWarp and InterBlock say between which threads.
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
	what, name := variable(u, p)
	f := &finding.Finding{
		Rule: "race", Kind: "read-write", Level: finding.Error, Kernel: u.F.Name,
		Message: "race on " + what + name, Count: 1, Unit: "place pair",
		Key: "static\x00" + check.StaticKey(a.Value) + "\x00" + check.StaticKey(b.Value),
	}
	if a.Writes && b.Writes {
		f.Kind = "write-write"
	}
	switch {
	case p.Verdict == static.Possible:
		f.Level = finding.Warning
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
	return f
}

// pointedTo is what a parameter's memory is called.
const pointedTo = "global memory at "

// variable names what the two threads share: what it is, and the name that the source has
// for it.
func variable(u *static.Unit, p *static.Pair) (what, name string) {
	r := p.A.Root
	object := p.Evidence.Variable
	if object == nil && r != nil && r.Op == ssa.Addr {
		object = r.Object
	}
	switch {
	case object != nil && p.A.Mem.Space == ptx.Shared:
		return "shared variable ", check.VariableName(object.Name)
	case object != nil:
		return "global variable ", check.VariableName(object.Name)
	case r == nil:
		return "memory", ""
	}
	i := slices.IndexFunc(u.F.PTX.Params, func(v *ptx.Variable) bool { return v.Name == r.Name })
	return pointedTo, u.Param(i)
}

// staticObject is the variable, or what the parameter points to, that two accesses share.
func staticObject(u *static.Unit, p *static.Pair) *finding.Object {
	what, name := variable(u, p)
	if name == "" {
		return nil
	}
	o := &finding.Object{Kind: finding.Variable, Space: trace.SpaceGlobal.String(), Name: name}
	switch {
	case p.A.Mem.Space == ptx.Shared:
		o.Space = trace.SpaceShared.String()
	case what == pointedTo:
		o.Kind = finding.Allocation
	}
	return o
}

func staticNotes(u *static.Unit, p *static.Pair) []string {
	e := p.Evidence
	notes := []string{fmt.Sprintf("both at byte %d of it%s", e.Offset, staticBetween(p))}
	for i, what := range []string{"the first", "the second"} {
		if n := e.Rounds[i]; len(n) > 0 {
			notes = append(notes, fmt.Sprintf("%s in round %s of its loops, from 0", what, check.Numbers(n)))
		}
	}
	notes = append(notes, check.ForParams(u, e)...)
	if p.SameValue {
		notes = append(notes, "both write the same value")
	}
	return notes
}

// staticBetween says which threads can meet.
func staticBetween(p *static.Pair) string {
	var who []string
	if p.IntraWarp {
		who = append(who, "threads of one warp")
	}
	if p.InterWarp {
		who = append(who, "threads of different warps")
	}
	if p.InterBlock {
		who = append(who, "threads of different blocks")
	}
	text := ""
	for i, w := range who {
		switch {
		case i == 0:
			text = ": " + w
		case i == len(who)-1:
			text += " and " + w
		default:
			text += ", " + w
		}
	}
	return text
}

// staticRepair orders two accesses, of which early comes first in the program.
func staticRepair(u *static.Unit, p *static.Pair, first, then *static.Access) mend {
	early, late := staticSite(first), staticSite(then)
	switch at, then := inOneFunction(early, late); {
	case p.InterBlock && !p.IntraWarp && !p.InterWarp:
		return blocksRepair(early, late, at.Line == then.Line)
	case p.A == p.B:
		return by(OwnElement, "let one thread write it, give each thread its own element, or use an atomic")
	case !p.InterWarp && p.IntraWarp:
		return adding(AddSyncwarp, finding.Syncwarp, early, late)
	}
	m := anywhere
	if a, _, guessed := u.Analysis(); !guessed {
		m = (&ways{common: a.Common()}).meet(first.Value, then.Value, goesBetween(early, late).Next)
	}
	return barrierFor(m, early, late)
}

// blocksRepair is for accesses of different blocks; an update has both in one line.
func blocksRepair(early, late *trace.Site, update bool) mend {
	switch {
	case early.Kind == late.Kind || update:
		return by(OwnElement, "give each block its own elements, or use atomics")
	case early.Kind == trace.Read:
		return by(SplitKernel, "write the results to another array, or split the kernel in two launches "+between(early, late))
	case late.Kind == trace.Read:
		return by(SplitKernel, "split the kernel in two launches "+between(early, late)+", or order the blocks (grid.sync() of a cooperative launch, a flag with __threadfence)")
	}
	return by(OwnElement, "give each block its own elements, or use atomics")
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
	at, other := inOneFunction(x, y)
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
	_, name := variable(u, p)
	d := StaticDetails{Variable: name, IntraWarp: p.IntraWarp, InterWarp: p.InterWarp, InterBlock: p.InterBlock, Rounds: p.Evidence.Rounds}
	for i, v := range p.Evidence.Params {
		if d.Params == nil {
			d.Params = map[string]uint64{}
		}
		d.Params[u.Part(i)] = v
	}
	return d
}
