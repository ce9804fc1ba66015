package coverage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/source"
)

// Result is what was executed of device code.
type Result struct {
	// Files are in the order of their paths, which are absolute but in saved reports.
	Files []File `json:"files"`
}

// File is what was executed of a file.
type File struct {
	Path string `json:"path"`
	// Lines are those with code, in order.
	Lines     []Line          `json:"lines"`
	Functions []FunctionCount `json:"functions"`
	Branches  []BranchCount   `json:"branches"`
}

// Line is how often a line was executed. Launched is set if it belongs to a function of a kernel that was launched.
type Line struct {
	Line int `json:"line"`
	Count
	Launched bool `json:"launched,omitempty"`
}

// FunctionCount is how often a function was entered, over all its instances.
type FunctionCount struct {
	Line    int `json:"line"`
	Col     int `json:"column"`
	EndLine int `json:"end_line"`
	Count
	Launched bool `json:"launched,omitempty"`
	// Instances are those of a template, one for another function.
	Instances []Instance `json:"instances"`
}

// Instance is an instance of a function.
type Instance struct {
	Symbol string `json:"symbol"`
	Count
}

// BranchCount is how often a condition, or a case of a switch, was true and not.
type BranchCount struct {
	Line    int `json:"line"`
	Col     int `json:"column"`
	EndLine int `json:"end_line"`
	EndCol  int `json:"end_column"`
	// Macro is the place in the definition of the macro that is used there, nil for none.
	Macro    *source.Pos `json:"macro,omitempty"`
	Taken    Count       `json:"taken"`
	NotTaken Count       `json:"not_taken"`
	// Diverged counts the executions by warps in which it was true in some threads and false in others.
	Diverged uint64 `json:"diverged"`
	Launched bool   `json:"launched,omitempty"`
}

// Evaluated reports whether the condition was ever evaluated.
func (b *BranchCount) Evaluated() bool { return b.Taken.Threads > 0 || b.NotTaken.Threads > 0 }

// Outcomes is how many of its two outcomes there were.
func (b *BranchCount) Outcomes() int { return one(b.Taken.Threads > 0) + one(b.NotTaken.Threads > 0) }

func (b *BranchCount) add(n *BranchCount) {
	b.Taken.add(n.Taken)
	b.NotTaken.add(n.NotTaken)
	b.Diverged += n.Diverged
	b.Launched = b.Launched || n.Launched
}

func (f *FunctionCount) add(n *FunctionCount) {
	f.Count.add(n.Count)
	f.Launched = f.Launched || n.Launched
	for _, x := range n.Instances {
		at, found := slices.BinarySearchFunc(f.Instances, x, func(a, b Instance) int { return cmp.Compare(a.Symbol, b.Symbol) })
		if found {
			f.Instances[at].add(x.Count)
		} else {
			f.Instances = slices.Insert(f.Instances, at, x)
		}
	}
}

// Moved returns the result with other paths.
func (r *Result) Moved(path func(string) string) *Result {
	if r == nil {
		return nil
	}
	out := &Result{Files: slices.Clone(r.Files)}
	for i := range out.Files {
		f := &out.Files[i]
		f.Path, f.Branches = path(f.Path), slices.Clone(f.Branches)
		for k, b := range f.Branches {
			if b.Macro != nil {
				at := *b.Macro
				at.File = path(at.File)
				f.Branches[k].Macro = &at
			}
		}
	}
	return out
}

// symbolOf is the symbol in a name of clang's, which has the file before it where other units do not see the function.
func symbolOf(name string) string {
	for _, separator := range []string{";", ":"} {
		if at := strings.LastIndex(name, separator); at >= 0 {
			name = name[at+1:]
		}
	}
	return name
}

// Totals counts what there is, and what was executed of it.
type Totals struct {
	Lines          int `json:"lines"`
	LinesHit       int `json:"lines_hit"`
	Functions      int `json:"functions"`
	FunctionsHit   int `json:"functions_hit"`
	Outcomes       int `json:"branches"`
	OutcomesHit    int `json:"branches_hit"`
	LinesMissed    int `json:"lines_missed"`    // of launched kernels
	OutcomesMissed int `json:"branches_missed"` // of launched kernels
}

// Totals of a file: an outcome is one way of a branch.
func (f *File) Totals() (t Totals) {
	for i := range f.Lines {
		t.line(&f.Lines[i])
	}
	for i := range f.Functions {
		t.function(&f.Functions[i])
	}
	for i := range f.Branches {
		t.branch(&f.Branches[i])
	}
	return t
}

// FunctionTotals returns the totals of each function. A line or branch counts for the innermost function around it: for a
// lambda, not for the function that has the lambda in it.
func (f *File) FunctionTotals() []Totals {
	out := make([]Totals, len(f.Functions))
	for i := range f.Functions {
		out[i].function(&f.Functions[i])
	}
	for i := range f.Lines {
		if at := f.innermost(f.Lines[i].Line); at >= 0 {
			out[at].line(&f.Lines[i])
		}
	}
	for i := range f.Branches {
		if at := f.innermost(f.Branches[i].Line); at >= 0 {
			out[at].branch(&f.Branches[i])
		}
	}
	return out
}

// innermost is the number of the last function to begin among those around a line, -1 for none.
func (f *File) innermost(line int) int {
	found := -1
	for i, n := range f.Functions {
		if n.Line <= line && line <= n.EndLine && (found < 0 || n.Line >= f.Functions[found].Line) {
			found = i
		}
	}
	return found
}

func (t *Totals) line(l *Line) {
	t.Lines++
	t.LinesHit += one(l.Threads > 0)
	t.LinesMissed += one(l.Threads == 0 && l.Launched)
}

func (t *Totals) function(n *FunctionCount) {
	t.Functions++
	t.FunctionsHit += one(n.Threads > 0)
}

func (t *Totals) branch(b *BranchCount) {
	for _, n := range []Count{b.Taken, b.NotTaken} {
		t.Outcomes++
		t.OutcomesHit += one(n.Threads > 0)
		t.OutcomesMissed += one(n.Threads == 0 && b.Launched)
	}
}

// Add adds other totals.
func (t *Totals) Add(n Totals) {
	t.Lines, t.LinesHit, t.LinesMissed = t.Lines+n.Lines, t.LinesHit+n.LinesHit, t.LinesMissed+n.LinesMissed
	t.Functions, t.FunctionsHit = t.Functions+n.Functions, t.FunctionsHit+n.FunctionsHit
	t.Outcomes, t.OutcomesHit, t.OutcomesMissed = t.Outcomes+n.Outcomes, t.OutcomesHit+n.OutcomesHit, t.OutcomesMissed+n.OutcomesMissed
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Totals of all files.
func (r *Result) Totals() (t Totals) {
	for i := range r.Files {
		t.Add(r.Files[i].Totals())
	}
	return t
}
