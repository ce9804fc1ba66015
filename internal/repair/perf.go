package repair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// Faster are patches each of which may remove a finding of a performance rule.
func (p *Program) Faster(f *finding.Finding) []*Patch {
	if f.Repair == nil {
		return nil
	}
	switch f.Repair.Kind {
	case "pad-rows", "pad-index":
		return slices.Concat(p.padded(f), swizzled(p, f), membersSplit(p, f))
	case "exchange-axes", "unit-stride", "swizzle":
		return slices.Concat(p.padded(f), swizzled(p, f), membersSplit(p, f), p.exchanged(f))
	}
	return nil
}

// padded makes the rows of an array in shared memory longer by one element, which two rows then begin at
// different banks.
func (p *Program) padded(f *finding.Finding) []*Patch {
	if f.Object == nil || f.Object.Space != "shared" {
		return nil
	}
	fn, _ := p.at(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	s, v := fn.body.declaration(f.Object.Name)
	if v == nil {
		return nil
	}
	from, to := s.lastExtent(v)
	if to <= from {
		return nil
	}
	own := string(s.file.Text[from:to])
	edits := []Edit{s.insert(to, " + 1")}
	return []*Patch{{Edits: edits, Inline: edits, What: fmt.Sprintf("give rows of %s %s + 1 elements in line %d", v.Name, own, s.file.line(from))}}
}

// lastExtent is where the length of the rows of an array with several dimensions stands.
func (s *statement) lastExtent(v *syntax.Node) (from, to int) {
	m := extents.FindStringSubmatch(v.Desugared)
	if m == nil || strings.Count(m[2], "[") < 2 || v.Loc.Macro || v.End.Macro || v.End.End() > s.to || v.Loc.Off < s.from {
		return 0, 0
	}
	to = v.End.End() - 1
	open := strings.LastIndexByte(string(s.file.Text[v.Loc.Off:to]), '[')
	if open < 0 || s.file.Text[to] != ']' {
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

// exchanged exchanges built-in variables in a kernel.
func (p *Program) exchanged(f *finding.Finding) []*Patch {
	fn, _ := p.at(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	uses := map[int]string{} // by where they stand
	fn.axes(fn.body.node, uses)
	var out []*Patch
	for _, x := range exchanges {
		var edits []Edit
		used := map[string]bool{}
		for _, at := range slices.Sorted(maps.Keys(uses)) {
			own := uses[at]
			for a, b := range x.with {
				if own == a || own == b {
					edits = append(edits, Edit{fn.file.Name, at, at + len(own), map[bool]string{true: b, false: a}[own == a]})
					used[own] = true
				}
			}
		}
		if used["threadIdx.x"] && used[x.with["threadIdx.x"]] {
			out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("exchange %s in the kernel of line %d", x.what, fn.file.line(fn.body.from))})
		}
	}
	return distinct(out)
}

// axes finds the uses of x and y of the built-in variables.
func (fn *function) axes(n *syntax.Node, out map[int]string) {
	if n == nil {
		return
	}
	switch n.Kind {
	case "MemberExpr", "PseudoObjectExpr", "MSPropertyRefExpr":
		if text := fn.body.text(n); text != "" {
			if variable, member, ok := strings.Cut(text, "."); ok && builtIn[variable] && (member == "x" || member == "y") {
				out[n.Begin.Off] = text
			}
		}
	}
	for _, c := range n.Inner {
		fn.axes(c, out)
	}
}

var builtIn = map[string]bool{"threadIdx": true, "blockIdx": true, "blockDim": true, "gridDim": true}
