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
	a, b := p.A, p.B
	order := [2]int{0, 1}
	if b.Reads && !b.Writes || a.Writes && b.Writes && b.Value.Loc.Compare(a.Value.Loc.Pos) > 0 {
		a, b, order = b, a, [2]int{1, 0} // the read first, or the later write
	}
	f := &finding.Finding{
		Rule: "race", Kind: "read-write", Level: finding.Error, Kernel: u.F.Name,
		Message: "race on " + variable(u, p), Count: 1, Unit: "place pair",
		Key: "static\x00" + check.StaticKey(a.Value) + "\x00" + check.StaticKey(b.Value),
	}
	if a.Writes {
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
	f.Help = staticHelp(p)
	f.Details = details(u, p)
	return f
}

// variable names what the two threads share.
func variable(u *static.Unit, p *static.Pair) string {
	r := p.A.Root
	switch {
	case p.Evidence.Variable != nil && p.A.Mem.Space == ptx.Shared:
		return "shared variable " + check.VariableName(p.Evidence.Variable.Name)
	case p.Evidence.Variable != nil:
		return "global variable " + check.VariableName(p.Evidence.Variable.Name)
	case r == nil:
		return "memory"
	case r.Op == ssa.Addr && p.A.Mem.Space == ptx.Shared:
		return "shared variable " + check.VariableName(r.Object.Name)
	case r.Op == ssa.Addr:
		return "global variable " + check.VariableName(r.Object.Name)
	}
	i := slices.IndexFunc(u.F.PTX.Params, func(v *ptx.Variable) bool { return v.Name == r.Name })
	return "global memory at " + u.Param(i)
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

func staticHelp(p *static.Pair) string {
	a, b := p.A.Value, p.B.Value
	switch {
	case p.InterBlock && !p.IntraWarp && !p.InterWarp:
		return "give each block its own elements, or use atomics"
	case a == b:
		return "let one thread write it, give each thread its own element, or use an atomic"
	case !p.InterWarp && p.IntraWarp:
		return fmt.Sprintf("add __syncwarp() between %s and %s", check.StaticLine(a.Loc), check.StaticLine(b.Loc))
	}
	return fmt.Sprintf("add __syncthreads() between %s and %s", check.StaticLine(a.Loc), check.StaticLine(b.Loc))
}

func details(u *static.Unit, p *static.Pair) StaticDetails {
	d := StaticDetails{IntraWarp: p.IntraWarp, InterWarp: p.InterWarp, InterBlock: p.InterBlock, Rounds: p.Evidence.Rounds}
	for i, v := range p.Evidence.Params {
		if d.Params == nil {
			d.Params = map[string]uint64{}
		}
		d.Params[u.Part(i)] = v
	}
	return d
}
