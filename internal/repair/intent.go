package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// stated are the kinds of repair that depend on what the program is for, with what the program does not tell: an assertion rejects a
// value and does not name the one that is right, a trap is reached on purpose, a limit is the user's, and a launch without a
// configuration has none. Others can be made in two ways, which give different results.
var stated = map[finding.RepairKind]string{
	"check-condition":  someOther,
	"find-trap":        someOther,
	"raise-limit":      someOther,
	"configure-launch": someOther,
	"copy-apart":       "the program does not tell whether the elements should move within the array or one of the ranges is wrong",
	"omit-copy":        "the program does not tell whether the copy is superfluous or one of its pointers is wrong",
	"allocate-first":   "the program does not tell whether the memory is used too early or another allocation is meant",
	"outlive-function": "the program does not tell whether the function should return the value or write to a variable of its caller",
	"outlive-scope":    "the program does not tell whether one variable should serve all uses or each use needs its own",
	"read-present":     "the program does not tell whether all lanes should take part or the value of the missing ones should be left out",
}

// someOther is said where nothing more is known.
const someOther = "what should happen instead is not in the program"

// intent is a program as one that says what it is for.
type intent struct{ *Program }

// statesNothing reports whether nothing in the program says what should happen instead of what a finding is about: its repair is of
// such a kind, or it is about constants. Nor does it say which of two values is meant that threads write to one element by one
// statement, or in two branches, nor which of two widths atomic operations are to have.
func (p intent) statesNothing(f *finding.Finding) bool {
	switch kind := f.Repair.Kind; {
	case stated[kind] != "":
		return true
	case kind == "check-index" || kind == "move-part":
		return p.constantIndex(f) || p.byMap(f) || p.untold(f)
	case kind == "own-element" || kind == "counted-barrier":
		return f.Kind == "WAW"
	case f.Cause == "mixed-sizes":
		return true
	case kind == "round-up" || kind == "turn-grid":
		return p.constantLaunch(f)
	}
	return false
}

// byMap reports whether an access is by a tensor map: its sizes may be wrong, or the allocation.
func (p intent) byMap(f *finding.Finding) bool {
	_, s := p.at(f.Primary.Loc.Pos)
	return s != nil && slices.ContainsFunc(assembliesIn(s), func(a *assembly) bool {
		return slices.ContainsFunc(a.instructions, func(in ptx.Inline) bool {
			return in.Kind() == inst.BulkCopy && slices.ContainsFunc(in.Words, func(w ptx.Span) bool { return w.Of(a.text) == "tensor" })
		})
	})
}

// untold reports whether a kernel knows nothing of the size of an array in global memory, and cannot get it as a parameter.
func (p intent) untold(f *finding.Finding) bool {
	if f.Object == nil || f.Object.Space != "global" {
		return false
	}
	tells, known := p.tellsSize(f, p.guarded(f))
	return known && !tells && len(sized(p.Program, f)) == 0
}

// constantIndex reports whether the accesses at a finding's place are to elements whose numbers are constants.
func (p intent) constantIndex(f *finding.Finding) bool {
	_, s, off := p.place(f.Primary.Loc.Pos)
	if s == nil || s.isList() {
		return false
	}
	list := s.accesses(off)
	if at := slices.IndexFunc(list, func(a access) bool { return off < a.subscript.Begin.Off || a.subscript.End.End() <= off }); at > 0 {
		list = list[:at] // those that the finding is about
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(a access) bool { return !isConstant(a.index) })
}

// constantLaunch reports whether the launches in a finding's line have a grid and a block of constants.
func (p intent) constantLaunch(f *finding.Finding) bool {
	_, all := p.inLine(f.Primary.Loc.Pos)
	n := 0
	for _, s := range all {
		for _, config := range configurations(s.node) {
			if n++; !isConstant(config.Child(1)) || !isConstant(config.Child(2)) {
				return false
			}
		}
	}
	return n > 0
}

// isConstant reports whether an expression is made of numbers only.
func isConstant(n *syntax.Node) bool {
	if n == nil {
		return true
	}
	if n.Kind == "DeclRefExpr" || n.Kind == "MemberExpr" || n.Kind == "CallExpr" || n.Kind == "PseudoObjectExpr" {
		return false
	}
	return !slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return !isConstant(c) })
}
