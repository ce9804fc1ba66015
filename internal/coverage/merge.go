package coverage

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/source"
)

// Merge adds up results; those that are nil count as none. The result is nil if all are.
func Merge(list ...*Result) *Result {
	m := map[string]*fileMerger{}
	any := false
	for _, r := range list {
		if r == nil {
			continue
		}
		any = true
		for i := range r.Files {
			f := m[r.Files[i].Path]
			if f == nil {
				f = &fileMerger{lines: map[int]Line{}, functions: map[place]*FunctionCount{}, branches: map[mergedBranch]*BranchCount{}}
				m[r.Files[i].Path] = f
			}
			f.add(&r.Files[i])
		}
	}
	if !any {
		return nil
	}
	out := &Result{Files: []File{}}
	for _, path := range slices.Sorted(maps.Keys(m)) {
		out.Files = append(out.Files, m[path].file(path))
	}
	return out
}

// fileMerger has a file's counts.
type fileMerger struct {
	lines     map[int]Line
	functions map[place]*FunctionCount
	branches  map[mergedBranch]*BranchCount
}

// mergedBranch tells branches of a file apart.
type mergedBranch struct {
	place
	macro source.Pos
	order int
}

func (m *fileMerger) add(f *File) {
	for _, l := range f.Lines {
		was := m.lines[l.Line]
		l.add(was.Count)
		l.Launched = l.Launched || was.Launched
		m.lines[l.Line] = l
	}
	for i := range f.Functions {
		n := &f.Functions[i]
		at := place{line: n.Line, col: n.Col, endLine: n.EndLine}
		if m.functions[at] == nil {
			m.functions[at] = &FunctionCount{Line: n.Line, Col: n.Col, EndLine: n.EndLine}
		}
		m.functions[at].add(n)
	}
	seen := map[mergedBranch]int{}
	for i := range f.Branches {
		n := &f.Branches[i]
		at := mergedBranch{place: place{n.Line, n.Col, n.EndLine, n.EndCol}}
		if n.Macro != nil {
			at.macro = *n.Macro
		}
		seen[at]++
		at.order = seen[at]
		if m.branches[at] == nil {
			m.branches[at] = &BranchCount{Line: n.Line, Col: n.Col, EndLine: n.EndLine, EndCol: n.EndCol, Macro: n.Macro}
		}
		m.branches[at].add(n)
	}
}

func (m *fileMerger) file(path string) File {
	f := File{Path: path, Lines: []Line{}, Functions: []FunctionCount{}, Branches: []BranchCount{}}
	for _, n := range slices.Sorted(maps.Keys(m.lines)) {
		f.Lines = append(f.Lines, m.lines[n])
	}
	for _, at := range slices.SortedFunc(maps.Keys(m.functions), comparePlaces) {
		f.Functions = append(f.Functions, *m.functions[at])
	}
	order := func(a, b mergedBranch) int {
		return cmp.Or(comparePlaces(a.place, b.place), cmp.Compare(a.macro.File, b.macro.File), cmp.Compare(a.macro.Line, b.macro.Line), cmp.Compare(a.macro.Col, b.macro.Col), cmp.Compare(a.order, b.order))
	}
	for _, at := range slices.SortedFunc(maps.Keys(m.branches), order) {
		f.Branches = append(f.Branches, *m.branches[at])
	}
	return f
}
