package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// The elements of a report of Cobertura, version 4, as GitLab, Jenkins, Azure and Codecov read it.
type coberturaReport struct {
	XMLName         xml.Name           `xml:"coverage"`
	LineRate        string             `xml:"line-rate,attr"`
	BranchRate      string             `xml:"branch-rate,attr"`
	LinesCovered    int                `xml:"lines-covered,attr"`
	LinesValid      int                `xml:"lines-valid,attr"`
	BranchesCovered int                `xml:"branches-covered,attr"`
	BranchesValid   int                `xml:"branches-valid,attr"`
	Complexity      string             `xml:"complexity,attr"`
	Version         string             `xml:"version,attr"`
	Timestamp       int64              `xml:"timestamp,attr"`
	Sources         []string           `xml:"sources>source"`
	Packages        []coberturaPackage `xml:"packages>package"`
}

// coberturaRates are what elements of several kinds have.
type coberturaRates struct {
	LineRate   string `xml:"line-rate,attr"`
	BranchRate string `xml:"branch-rate,attr"`
	Complexity string `xml:"complexity,attr"`
}

// coberturaPackage is a directory, coberturaClass a file.
type coberturaPackage struct {
	Name string `xml:"name,attr"`
	coberturaRates
	Classes []coberturaClass `xml:"classes>class"`
}

type coberturaClass struct {
	Name string `xml:"name,attr"`
	File string `xml:"filename,attr"`
	coberturaRates
	Methods coberturaMethods `xml:"methods"`
	Lines   coberturaLines   `xml:"lines"`
}

type coberturaMethods struct {
	List []coberturaMethod `xml:"method"`
}

type coberturaMethod struct {
	Name      string `xml:"name,attr"`
	Signature string `xml:"signature,attr"`
	coberturaRates
	Lines coberturaLines `xml:"lines"`
}

type coberturaLines struct {
	List []coberturaLine `xml:"line"`
}

type coberturaLine struct {
	Number     int                  `xml:"number,attr"`
	Hits       uint64               `xml:"hits,attr"`
	Branch     bool                 `xml:"branch,attr"`
	Coverage   string               `xml:"condition-coverage,attr,omitempty"`
	Conditions *coberturaConditions `xml:"conditions"`
}

type coberturaConditions struct {
	List []coberturaCondition `xml:"condition"`
}

type coberturaCondition struct {
	Number   int    `xml:"number,attr"`
	Type     string `xml:"type,attr"`
	Coverage string `xml:"coverage,attr"`
}

// Cobertura writes the coverage as Cobertura's XML. Its time is that of the run, since some readers refuse old results.
func Cobertura(w io.Writer, r *Report, o Options) error {
	c := coberturaReport{Complexity: "0", Version: "warpgrind " + r.Version, Sources: []string{"."}, Packages: []coberturaPackage{}}
	var t coverage.Totals
	if r.Coverage != nil {
		t = r.Coverage.Totals()
		c.Packages = packagesOf(r.Coverage.Moved(o.fromWorkplace))
	}
	if r.Run != nil && !r.Run.Started.IsZero() {
		c.Timestamp = r.Run.Started.UnixMilli()
	}
	c.LinesCovered, c.LinesValid, c.BranchesCovered, c.BranchesValid = t.LinesHit, t.Lines, t.OutcomesHit, t.Outcomes
	rates := ratesOf(t)
	c.LineRate, c.BranchRate = rates.LineRate, rates.BranchRate
	b, err := xml.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n%s\n", xml.Header, visible.XML(b))
	return err
}

func ratesOf(t coverage.Totals) coberturaRates {
	rate := func(n, of int) string {
		if of == 0 {
			return "1"
		}
		return strconv.FormatFloat(float64(n)/float64(of), 'f', 4, 64)
	}
	return coberturaRates{rate(t.LinesHit, t.Lines), rate(t.OutcomesHit, t.Outcomes), "0"}
}

// packagesOf has a package for each directory; the files of one follow each other.
func packagesOf(c *coverage.Result) []coberturaPackage {
	list := []coberturaPackage{}
	at := map[string]int{}
	totals := []coverage.Totals{}
	for i := range c.Files {
		f := &c.Files[i]
		dir := path.Dir(f.Path)
		k, ok := at[dir]
		if !ok {
			k = len(list)
			at[dir] = k
			list, totals = append(list, coberturaPackage{Name: dir}), append(totals, coverage.Totals{})
		}
		list[k].Classes = append(list[k].Classes, classOf(f))
		totals[k].Add(f.Totals())
	}
	for k := range list {
		list[k].coberturaRates = ratesOf(totals[k])
	}
	return list
}

func classOf(f *coverage.File) coberturaClass {
	c := coberturaClass{Name: path.Base(f.Path), File: f.Path, coberturaRates: ratesOf(f.Totals())}
	names := functionNames(f)
	for i, n := range f.Functions {
		part := coverage.File{Lines: within(f.Lines, n, lineNumber), Branches: within(f.Branches, n, branchLine)}
		c.Methods.List = append(c.Methods.List, coberturaMethod{
			Name: names[i], coberturaRates: ratesOf(part.Totals()), Lines: coberturaLines{linesIn(&part)},
		})
	}
	c.Lines.List = linesIn(f)
	return c
}

func lineNumber(l coverage.Line) int        { return l.Line }
func branchLine(b coverage.BranchCount) int { return b.Line }

// within are the lines or branches of a function.
func within[T any](list []T, f coverage.FunctionCount, line func(T) int) (out []T) {
	for _, x := range list {
		if n := line(x); n >= f.Line && n <= f.EndLine {
			out = append(out, x)
		}
	}
	return out
}

func linesIn(f *coverage.File) (out []coberturaLine) {
	branches := map[int][]coverage.BranchCount{}
	for _, b := range f.Branches {
		branches[b.Line] = append(branches[b.Line], b)
	}
	for _, l := range f.Lines {
		x := coberturaLine{Number: l.Line, Hits: l.Threads}
		if list := branches[l.Line]; len(list) > 0 {
			x.conditions(list)
		}
		out = append(out, x)
	}
	return out
}

// conditions adds the branches of a line.
func (x *coberturaLine) conditions(list []coverage.BranchCount) {
	x.Branch, x.Conditions = true, &coberturaConditions{}
	all := 0
	for i, b := range list {
		hit := b.Outcomes()
		all += hit
		x.Conditions.List = append(x.Conditions.List, coberturaCondition{i, "jump", fmt.Sprintf("%d%%", 50*hit)})
	}
	x.Coverage = fmt.Sprintf("%d%% (%d/%d)", 100*all/(2*len(list)), all, 2*len(list))
}
