package static

import (
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Unit is a kernel with the facts about one launch of it: what static rules
// look at.
type Unit struct {
	F *ssa.Func
	// Launch is the launch, filled in by the kernel's directives.
	Launch Launch
	// Names are the parameters' names in the source, nil where not known.
	Names []string
	// Solver decides about races.
	Solver *solve.Solver
	// Drano selects GPUDrano's analysis of uncoalesced accesses as published.
	Drano bool
	// Progress is told what is worked on, in a word and as a part of the whole;
	// it may be nil.
	Progress func(what string, done, all int)
	// Smallest asks for examples with small launches, which are run.
	Smallest bool

	most    uint32 // threads of a block
	givenUp int    // questions that z3 did not answer
	work    uint64 // of z3
	parts   int    // of questions
	looked  int    // executions of accesses that were examined one by one
	// oneBlock is set if the kernel never asks for its block, and nothing is
	// known of the grid: it is most likely one block.
	oneBlock bool
	// within is set if only threads of one block are compared.
	within bool
	races  map[Model]*Races
	open   map[openKey]int
	// symbolic is the analysis of addresses.
	weighed  bool // the facts of the host code
	unsized  int
	symbolic *analysis.Analysis
	drano    *Drano
}

// NewUnit prepares a kernel for the rules.
func NewUnit(f *ssa.Func, l Launch, names []string, s *solve.Solver) *Unit {
	u := &Unit{F: f, Names: names, Solver: s, races: map[Model]*Races{}, open: map[openKey]int{}}
	if len(names) != len(f.PTX.Params) {
		u.Names = nil
	}
	u.Launch, u.most = l.BoundBy(f)
	u.assume()
	u.oneBlock = u.Launch.Grid[0] == 0 && !specials(f)["%ctaid.x"]
	return u
}

// Races decides the pairs of accesses, once for each model.
func (u *Unit) Races(ctx context.Context, m Model) *Races {
	r := u.races[m]
	if r == nil {
		r = findRaces(ctx, u, m)
		u.races[m] = r
	}
	return r
}

// Published is GPUDrano's analysis of the kernel.
func (u *Unit) Published() *Drano {
	if u.drano == nil {
		u.drano = RunDrano(u.F)
	}
	return u.drano
}

// Param names a parameter for people: by its name, or "parameter 2".
func (u *Unit) Param(i int) string {
	if i >= 0 && i < len(u.Names) && u.Names[i] != "" {
		return u.Names[i]
	}
	return fmt.Sprintf("parameter %d", i+1)
}

// Part names a part of the parameters: a parameter, or "byte 4 of dims".
func (u *Unit) Part(p Part) string {
	if p.Offset == 0 && (p.Param >= len(u.F.PTX.Params) || !structure(u.F.PTX.Params[p.Param])) {
		return u.Param(p.Param)
	}
	return fmt.Sprintf("byte %d of %s", p.Offset, u.Param(p.Param))
}

// Need is something that a verdict depends on.
type Need struct {
	Kind NeedKind
	// Part is the part of the parameters.
	Part
}

// NeedKind says what a verdict depends on.
type NeedKind uint8

// What a verdict may depend on.
const (
	NeedsParam NeedKind = iota
	NeedsBlock
	NeedsGrid
	NeedsData
	NeedsHost
)

// sortNeeds puts needs in order, each once.
func sortNeeds(ns []Need) []Need {
	slices.SortFunc(ns, func(a, b Need) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return a.Part.Compare(b.Part)
	})
	return slices.Compact(ns)
}

// Decide says what would decide a verdict with these needs, as "--param
// n=VALUE"; "" for what only a run tells.
func (u *Unit) Decide(ns []Need) string {
	text := ""
	for _, n := range ns {
		flag := ""
		switch n.Kind {
		case NeedsParam:
			name := fmt.Sprint(n.Param + 1)
			if n.Param < len(u.Names) && u.Names[n.Param] != "" {
				name = u.Names[n.Param]
			}
			if n.Param < len(u.F.PTX.Params) && structure(u.F.PTX.Params[n.Param]) {
				name += fmt.Sprintf("+%d", n.Offset)
			}
			flag = "--param " + name + "=VALUE"
		case NeedsBlock:
			flag = "--block X,Y,Z"
		case NeedsGrid:
			flag = "--grid X,Y,Z"
		default:
			return ""
		}
		if text != "" {
			text += " "
		}
		text += flag
	}
	return text
}

// Describe lists needs for people: "n, the block's extents".
func (u *Unit) Describe(ns []Need) string {
	text := ""
	for _, n := range ns {
		if text != "" {
			text += ", "
		}
		switch n.Kind {
		case NeedsParam:
			text += u.Part(n.Part)
		case NeedsBlock:
			text += "the extents of the block"
		case NeedsGrid:
			text += "the extents of the grid"
		case NeedsHost:
			text += "values of the host code"
		default:
			text += "data in memory"
		}
	}
	return text
}
