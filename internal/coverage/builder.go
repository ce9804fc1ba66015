package coverage

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/source"
)

// builder makes a Result of the regions of all functions.
type builder struct {
	*Collector
	files map[string]*fileBuilder
}

// fileBuilder is what there is in a file.
type fileBuilder struct {
	regions   []area
	functions map[place]*FunctionCount
	branches  map[branchPlace]*BranchCount
}

// place is a part of a file.
type place struct{ line, col, endLine, endCol int }

func (r *region) span() place { return place{r.line, r.col, r.endLine, r.endCol} }

// branchPlace tells branches apart. Those of a macro's argument have the same place there, and differ in their order.
type branchPlace struct {
	place         // in the file itself: where the macro is used
	macro  string // the file of a macro
	inside place  // and the place in it
	order  int
}

func (b *builder) file(name string) *fileBuilder {
	f := b.files[name]
	if f == nil {
		f = &fileBuilder{functions: map[place]*FunctionCount{}, branches: map[branchPlace]*BranchCount{}}
		b.files[name] = f
	}
	return f
}

// function adds a function.
func (b *builder) function(id string, f *counted) {
	e := &evaluator{m: f.mapping, memo: map[int]int64{}, busy: map[int]bool{}, of: func(n int) uint64 {
		return b.counts[pragma.Counter{Function: id, Number: n}].Threads
	}}
	uses := f.uses()
	starts := f.starts()
	for i := range f.regions {
		r := &f.regions[i]
		file := b.file(f.files[r.file])
		switch r.kind {
		case branchRegion:
			continue
		case expansionRegion:
			file.regions = append(file.regions, area{r.span(), r.kind, e.value(starts[r.expanded].count), b.launched[id]})
		default:
			file.regions = append(file.regions, area{r.span(), r.kind, e.value(r.count), b.launched[id]})
		}
	}
	b.branchesOf(id, f, e, uses)
	b.enter(id, f)
}

// starts are the first regions of a function's files, whose counts are those of the expansions that stand for them.
func (m *mapping) starts() []*region {
	list := make([]*region, len(m.files))
	for i := range m.regions {
		if r := &m.regions[i]; list[r.file] == nil {
			list[r.file] = r
		}
	}
	for range list { // an expansion may begin with an expansion
		for i, r := range list {
			if r == nil {
				list[i] = &region{}
			} else if r.kind == expansionRegion && list[r.expanded] != nil {
				list[i] = list[r.expanded]
			}
		}
	}
	return list
}

// uses are the places where files that are expansions are used, in a file that is none; nil for the others.
func (m *mapping) uses() []*region {
	list := make([]*region, len(m.files))
	for i := range m.regions {
		if r := &m.regions[i]; r.kind == expansionRegion {
			list[r.expanded] = r
		}
	}
	for range list {
		for i, r := range list {
			if r != nil && list[r.file] != nil && list[r.file] != r {
				list[i] = list[r.file]
			}
		}
	}
	return list
}

// branchesOf adds a function's branches. Conditions that clang knows are left out.
func (b *builder) branchesOf(id string, f *counted, e *evaluator, uses []*region) {
	seen := map[branchPlace]int{}
	for i := range f.regions {
		r := &f.regions[i]
		if r.kind != branchRegion || r.count == zeroCounter && r.not == zeroCounter && f.Hash != 0 {
			continue
		}
		at, file := branchPlace{place: r.span()}, f.files[r.file]
		if use := uses[r.file]; use != nil {
			at, file = branchPlace{place: use.span(), macro: file, inside: r.span()}, f.files[use.file]
		}
		at.order = seen[at]
		seen[branchPlace{at.place, at.macro, at.inside, 0}]++
		list := b.file(file).branches
		n := list[at]
		if n == nil {
			n = &BranchCount{Line: at.line, Col: at.col, EndLine: at.endLine, EndCol: at.endCol}
			if at.macro != "" {
				n.Macro = &source.Pos{File: at.macro, Line: at.inside.line, Col: at.inside.col}
			}
			list[at] = n
		}
		b.outcomes(n, id, r, e)
	}
}

// outcomes adds how often a branch went each way. A counter of clang's that its condition decides on tells both; where there is
// none, since no kernel was launched or clang knows the condition, they are computed.
func (b *builder) outcomes(n *BranchCount, id string, r *region, e *evaluator) {
	x := BranchCount{Taken: Count{Threads: e.value(r.count)}, NotTaken: Count{Threads: e.value(r.not)}, Launched: b.launched[id]}
	if d, ok := b.decision(id, r.count); ok {
		x.Taken, x.NotTaken, x.Diverged = d.Yes, d.No, d.Diverged
	} else if d, ok := b.decision(id, r.not); ok {
		x.Taken, x.NotTaken, x.Diverged = d.No, d.Yes, d.Diverged
	}
	n.add(&x)
}

// decision returns that of the condition that decides on a counter.
func (b *builder) decision(id string, c counter) (Decision, bool) {
	d, ok := b.decisions[pragma.Counter{Function: id, Number: c.index()}]
	return d, ok && c.tag() == plainCounter
}

// enter adds how often a function was entered.
func (b *builder) enter(id string, f *counted) {
	if len(f.regions) == 0 {
		return
	}
	r := &f.regions[0]
	list := b.file(f.files[r.file]).functions
	n := list[r.span()]
	if n == nil {
		n = &FunctionCount{Line: r.line, Col: r.col, EndLine: r.endLine}
		list[r.span()] = n
	}
	count := b.counts[pragma.Counter{Function: id, Number: 0}]
	n.add(&FunctionCount{Count: count, Launched: b.launched[id], Instances: []Instance{{Symbol: symbolOf(f.Name), Count: count}}})
}

// result puts all in order.
func (b *builder) result() *Result {
	out := &Result{Files: []File{}}
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		f := b.files[name]
		x := File{Path: name, Lines: linesOf(f.regions), Functions: []FunctionCount{}, Branches: []BranchCount{}}
		for i := range x.Lines {
			x.Lines[i].Warps = b.warps[source.Pos{File: name, Line: x.Lines[i].Line}]
		}
		for _, at := range slices.SortedFunc(maps.Keys(f.functions), comparePlaces) {
			x.Functions = append(x.Functions, *f.functions[at])
		}
		for _, at := range slices.SortedFunc(maps.Keys(f.branches), compareBranches) {
			x.Branches = append(x.Branches, *f.branches[at])
		}
		out.Files = append(out.Files, x)
	}
	return out
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col), cmp.Compare(b.endLine, a.endLine), cmp.Compare(b.endCol, a.endCol))
}

func compareBranches(a, b branchPlace) int {
	return cmp.Or(comparePlaces(a.place, b.place), cmp.Compare(a.macro, b.macro), comparePlaces(a.inside, b.inside), cmp.Compare(a.order, b.order))
}
