package perf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// Pad makes the patches for rows of shared memory that begin at one bank.
func Pad(p *code.Program, f *finding.Finding) []*code.Patch {
	return slices.Concat(padRows(p, f), swizzled(p, f), membersSplit(p, f))
}

// Exchange makes the patches for threads that walk down columns.
func Exchange(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(Pad(p, f), exchangeAxes(p, f)...)
}

// padRows makes the rows of an array in shared memory longer by one element, which two rows then begin at
// different banks.
func padRows(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Object == nil || f.Object.Space != "shared" {
		return nil
	}
	fn, _ := p.At(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	s, v := fn.Body.Declaration(f.Object.Name)
	if v == nil {
		return nil
	}
	from, to := lastExtentOf(s, v)
	if to <= from {
		return nil
	}
	own := string(s.File.Text[from:to])
	edits := []code.Edit{s.Insert(to, " + 1")}
	return []*code.Patch{{Edits: edits, Inline: edits, What: fmt.Sprintf("give rows of %s %s + 1 elements in line %d", v.Name, own, s.File.Line(from))}}
}

// lastExtentOf is where the length of the rows of an array with several dimensions stands.
func lastExtentOf(s *code.Statement, v *syntax.Node) (from, to int) {
	m := code.Extents.FindStringSubmatch(v.Desugared)
	if m == nil || strings.Count(m[2], "[") < 2 || v.Loc.Macro || v.End.Macro || v.End.End() > s.To || v.Loc.Off < s.From {
		return 0, 0
	}
	to = v.End.End() - 1
	open := strings.LastIndexByte(string(s.File.Text[v.Loc.Off:to]), '[')
	if open < 0 || s.File.Text[to] != ']' {
		return 0, 0
	}
	return v.Loc.Off + open + 1, to
}

// exchanges are what may be exchanged in a kernel, so that neighboring threads access neighboring elements: x and
// y of all, or of the threads only, and the thread and the block. What is not square changes results.
var exchanges = []struct {
	what string
	with map[string]string
}{
	{"x and y of threads and blocks", map[string]string{"threadIdx.x": "threadIdx.y", "blockIdx.x": "blockIdx.y", "blockDim.x": "blockDim.y", "gridDim.x": "gridDim.y"}},
	{"x and y of threads", map[string]string{"threadIdx.x": "threadIdx.y", "blockDim.x": "blockDim.y"}},
	{"threads and blocks", map[string]string{"threadIdx.x": "blockIdx.x", "blockDim.x": "gridDim.x"}},
}

// exchangeAxes exchanges built-in variables in a kernel.
func exchangeAxes(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, _ := p.At(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	uses := map[int]string{} // by where they stand
	axesIn(fn, fn.Body.Node, uses)
	var out []*code.Patch
	for _, x := range exchanges {
		var edits []code.Edit
		used := map[string]bool{}
		for _, at := range slices.Sorted(maps.Keys(uses)) {
			own := uses[at]
			for a, b := range x.with {
				if own == a || own == b {
					edits = append(edits, fn.File.Replace(at, at+len(own), map[bool]string{true: b, false: a}[own == a]))
					used[own] = true
				}
			}
		}
		if used["threadIdx.x"] && used[x.with["threadIdx.x"]] {
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("exchange %s in the kernel of line %d", x.what, fn.File.Line(fn.Body.From))})
		}
	}
	return code.Distinct(out)
}

// axesIn finds the uses of x and y of the built-in variables.
func axesIn(fn *code.Function, n *syntax.Node, out map[int]string) {
	if n == nil {
		return
	}
	switch n.Kind {
	case "MemberExpr", "PseudoObjectExpr", "MSPropertyRefExpr":
		if text := fn.Body.Text(n); text != "" {
			if variable, member, ok := strings.Cut(text, "."); ok && builtIn[variable] && (member == "x" || member == "y") {
				out[n.Begin.Off] = text
			}
		}
	}
	for _, c := range n.Inner {
		axesIn(fn, c, out)
	}
}

var builtIn = map[string]bool{"threadIdx": true, "blockIdx": true, "blockDim": true, "gridDim": true}
