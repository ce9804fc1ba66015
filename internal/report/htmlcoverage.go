package report

import (
	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// pageCoverage is the coverage of a source file on the page.
type pageCoverage struct {
	Name string `json:"name"`
	coverage.Totals
	List []pageFunction `json:"list"`
	// At and Conditions are the file's lines and branches, for the columns beside the source.
	At         []coverage.Line        `json:"at"`
	Conditions []coverage.BranchCount `json:"conditions"`
	// Missed are the lines of launched kernels that were never executed, as ranges.
	Missed []string `json:"missed"`
}

// pageFunction is the coverage of a function. Its totals are those of its own lines, without the functions inside of it.
type pageFunction struct {
	Name string `json:"name"`
	Line int    `json:"line"`
	coverage.Count
	coverage.Totals
	Launched  bool           `json:"launched"`
	Instances []pageInstance `json:"instances,omitempty"`
}

// pageInstance is an instance of a template.
type pageInstance struct {
	Name string `json:"name"`
	coverage.Count
}

// pageCoverages is the coverage of all files, nil where the run measured none.
func pageCoverages(c *coverage.Result, o Options) []pageCoverage {
	if c == nil {
		return nil
	}
	out := []pageCoverage{}
	c = c.Moved(func(file string) string { return relative(file, o.Dir) })
	for i := range c.Files {
		f := &c.Files[i]
		out = append(out, pageCoverage{f.Path, f.Totals(), pageFunctions(f), f.Lines, f.Branches, missedRanges(f.Lines)})
	}
	return out
}

func pageFunctions(f *coverage.File) []pageFunction {
	out := []pageFunction{}
	names, totals := functionNames(f), f.FunctionTotals()
	for i, n := range f.Functions {
		p := pageFunction{Name: names[i], Line: n.Line, Count: n.Count, Totals: totals[i], Launched: n.Launched}
		if len(n.Instances) > 1 {
			for _, x := range n.Instances {
				p.Instances = append(p.Instances, pageInstance{finding.Demangle(x.Symbol), x.Count})
			}
		}
		out = append(out, p)
	}
	return out
}
