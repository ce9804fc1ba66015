package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
)

// someOther is said where nothing more is known.
const someOther = "what should happen instead is not in the program"

// intent is a program as one that says what it is for.
type intent struct{ *code.Program }

// statesNothing reports whether nothing in the program says what should happen instead of what a finding is about: its repair is of
// such a kind, or it is about constants. Nor does it say which of two values is meant that threads write to one element by one
// statement, or in two branches, nor which of two widths atomic operations are to have.
func (p intent) statesNothing(f *finding.Finding) bool {
	switch kind := f.Repair.Kind; {
	case catalog[kind].untold != "":
		return true
	case kind == finding.CheckIndex || kind == finding.MovePart:
		return p.constantIndex(f) || p.byMap(f) || p.untold(f)
	case kind == finding.OwnElement || kind == finding.CountedBarrier:
		return f.Kind == "WAW"
	case f.Cause == "mixed-sizes":
		return true
	case kind == finding.RoundUp || kind == finding.TurnGrid:
		return p.constantLaunch(f)
	}
	return false
}

// byMap reports whether an access is by a tensor map: its sizes may be wrong, or the allocation.
func (p intent) byMap(f *finding.Finding) bool {
	_, s := p.At(f.Primary.Loc.Pos)
	return s != nil && slices.ContainsFunc(code.AssembliesIn(s), func(a *code.Assembly) bool {
		return slices.ContainsFunc(a.Instructions, func(in ptx.Inline) bool {
			return in.Kind() == inst.BulkCopy && slices.ContainsFunc(in.Words, func(w ptx.Span) bool { return w.Of(a.Text) == "tensor" })
		})
	})
}

// untold reports whether a kernel knows nothing of the size of an array in global memory, and cannot get it as a parameter.
func (p intent) untold(f *finding.Finding) bool {
	if f.Object == nil || f.Object.Space != "global" {
		return false
	}
	tells, known := memory.HasSize(p.Program, f, guard.GuardAccess(p.Program, f))
	return known && !tells && len(memory.PassSize(p.Program, f)) == 0
}

// constantIndex reports whether the accesses at a finding's place are to elements whose numbers are constants.
func (p intent) constantIndex(f *finding.Finding) bool {
	_, s, off := p.Place(f.Primary.Loc.Pos)
	if s == nil || s.IsList() {
		return false
	}
	list := guard.AccessesIn(s, off)
	if at := slices.IndexFunc(list, func(a guard.Access) bool { return off < a.Subscript.Begin.Off || a.Subscript.End.End() <= off }); at > 0 {
		list = list[:at] // those that the finding is about
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(a guard.Access) bool { return !code.IsConstant(a.Index) })
}

// constantLaunch reports whether the launches in a finding's line have a grid and a block of constants.
func (p intent) constantLaunch(f *finding.Finding) bool {
	_, all := p.InLine(f.Primary.Loc.Pos)
	n := 0
	for _, s := range all {
		for _, config := range code.Configurations(s.Node) {
			if n++; !code.IsConstant(config.Child(1)) || !code.IsConstant(config.Child(2)) {
				return false
			}
		}
	}
	return n > 0
}
