package report

import (
	"crypto/sha256"
	_ "embed" // for the page's parts
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

//go:embed html/page.html
var pageHTML string

//go:embed html/page.css
var pageCSS string

//go:embed html/page.js
var pageJS string

//go:embed html/draw.js
var drawJS string

//go:embed html/kernels.js
var kernelsJS string

//go:embed html/source.js
var sourceJS string

//go:embed html/coverage.js
var coverageJS string

// pageData is what the page's script draws from.
type pageData struct {
	Version  string                  `json:"version"`
	Summary  string                  `json:"summary"`
	Checked  string                  `json:"checked"`
	Messages []string                `json:"messages"`
	Rules    map[string]finding.Rule `json:"rules"`
	Findings []pageFinding           `json:"findings"`
	// Gone are findings of the earlier run that this one does not have;
	// Compared says what has changed since, "" where there was no earlier run.
	Gone     []pageFinding `json:"gone"`
	Compared string        `json:"compared"`
	Files    []pageFile    `json:"files"`
	Launches []Launch      `json:"launches"`
	// Run is a line about the program, its arguments and the date.
	Run     string       `json:"run"`
	Metrics []pageMetric `json:"metrics"`
	Kernels []pageKernel `json:"kernels"`
	Code    []pageCode   `json:"code"`
	// Coverage is null where the run measured none.
	Coverage []pageCoverage `json:"coverage"`
}

// pageMetric describes a metric.
type pageMetric struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Nsight string `json:"nsight,omitempty"`
}

// pageKernel is a kernel's metrics, Before those of the earlier run.
type pageKernel struct {
	KernelMetrics
	Before map[string]float64 `json:"before,omitempty"`
}

// pageCode is the PTX of a kernel.
type pageCode struct {
	Kernel string `json:"kernel"`
	Name   string `json:"name"`
	// Lines are the PTX, its line, the number of the source file (-1 for none) and the
	// line there, and the executions by warps and by threads.
	Lines [][6]any `json:"lines"`
}

// pageFinding is a finding without what the page does not show.
type pageFinding struct {
	ID      string      `json:"id,omitempty"` // its fingerprint
	Rule    string      `json:"rule"`
	Kind    string      `json:"kind,omitempty"`
	Level   string      `json:"level"`
	Kernel  string      `json:"kernel,omitempty"`
	Where   string      `json:"where"`
	Message string      `json:"message"`
	Places  []pagePlace `json:"places,omitempty"`
	Notes   []string    `json:"notes,omitempty"`
	Help    string      `json:"help,omitempty"`
	Count   uint64      `json:"count,omitempty"`
	Unit    string      `json:"unit,omitempty"`
	State   string      `json:"state,omitempty"`
	// Was is the count of the earlier run where it differs.
	Was     *uint64        `json:"was,omitempty"`
	Details map[string]any `json:"details,omitempty"`
	Members []pageFinding  `json:"members,omitempty"`
	More    int            `json:"more,omitempty"`
}

// pagePlace is a place; What says what happens there and who does it.
type pagePlace struct {
	What string `json:"what,omitempty"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
	// From and To are what is accessed, in UTF-16 units of the line.
	From   int    `json:"from,omitempty"`
	To     int    `json:"to,omitempty"`
	PTX    string `json:"ptx,omitempty"`
	Inline string `json:"inline,omitempty"`
}

// pageFile is a source file; Lines are its numbers by line.
type pageFile struct {
	Name  string              `json:"name"`
	Text  string              `json:"text"`
	Lines map[int]*siteNumber `json:"lines"`
}

// HTML writes r as one page that needs nothing but itself: the findings in a
// table, each with a drawing of what happened, the sources with numbers at
// their lines, and the launches. With o.Before it says what is new and what is
// gone.
func HTML(w io.Writer, r *Report, o Options) error {
	t, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return err
	}
	data, err := json.Marshal(page(r, o)) // escapes <, > and &
	if err != nil {
		return err
	}
	js := drawJS + pageJS + kernelsJS + coverageJS + sourceJS + "start();\n"
	// The parts are our own, and the data cannot end its element.
	return t.Execute(w, map[string]any{
		"Title": "warpgrind: " + verdict(r), "Summary": SummaryLine(r), "Policy": policy(pageCSS, js),
		"CSS": template.CSS(pageCSS), "JS": template.JS(js), "Data": template.JS(visible.JSON(data)),
	})
}

// policy lets the page run its own script and use its own style sheet, and load nothing. The script sets
// styles of single elements, which no hash can name.
func policy(css, js string) template.HTMLAttr {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return template.HTMLAttr(`content="default-src 'none'; style-src ` + hash(css) + `; style-src-attr 'unsafe-inline'; script-src ` + hash(js) + `; img-src data:"`)
}

func page(r *Report, o Options) *pageData {
	d := &pageData{
		Version: r.Version, Summary: SummaryLine(r), Checked: checked(r), Messages: r.Messages,
		Rules: map[string]finding.Rule{}, Launches: r.Launches, Findings: []pageFinding{}, Gone: []pageFinding{},
	}
	for _, rule := range o.Rules {
		d.Rules[rule.ID] = rule
	}
	states, was := map[string]string{}, map[string]*uint64{}
	if o.Before != nil {
		c := Compare(o.Before, r)
		d.Compared = "compared with the earlier run: " + c.Summary()
		for _, f := range c.New {
			states[f.Fingerprint] = "new"
		}
		for _, x := range c.Changed {
			states[x.Now.Fingerprint], was[x.Now.Fingerprint] = "changed", &x.Was.Count
		}
		for i, f := range append(c.Gone[:len(c.Gone):len(c.Gone)], c.Unchecked...) {
			g := onPage(f, o)
			if g.State = "gone"; i >= len(c.Gone) {
				g.State = "not checked"
			}
			d.Gone = append(d.Gone, g)
		}
	}
	for _, f := range r.Findings {
		p := onPage(f, o)
		if d.Compared != "" {
			p.State, p.Was = or(states[f.Fingerprint], "same"), was[f.Fingerprint]
		}
		d.Findings = append(d.Findings, p)
	}
	d.Files = pageFiles(r, o)
	d.Run, d.Kernels, d.Code = r.Run.line(), pageKernels(r, o), pageCodes(r, o, d.Files)
	d.Coverage = pageCoverages(r.Coverage, o)
	for _, m := range metrics {
		d.Metrics = append(d.Metrics, pageMetric{m.Name, m.Title, m.Nsight})
	}
	return d
}

// line is the program with its arguments and the date.
func (r *Run) line() string {
	if r == nil {
		return ""
	}
	words := slices.Concat(r.Program, r.Args)
	for i, w := range words {
		if strings.ContainsAny(w, " \t\n\"'\\$*?") || w == "" {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.TrimPrefix(strings.Join(words, " ")+", "+r.Started.Format("2006-01-02 15:04:05 MST"), ", ")
}

func pageKernels(r *Report, o Options) []pageKernel {
	out := []pageKernel{}
	before := map[string]map[string]float64{}
	if o.Before != nil {
		for _, k := range o.Before.KernelMetrics() {
			before[k.Kernel] = k.Values
		}
	}
	for _, k := range r.KernelMetrics() {
		out = append(out, pageKernel{k, before[k.Kernel]})
	}
	return out
}

func pageCodes(r *Report, o Options, files []pageFile) []pageCode {
	out := []pageCode{}
	number := map[string]int{}
	for i, f := range files {
		number[f.Name] = i
	}
	for _, c := range r.Code {
		p := pageCode{Kernel: c.Kernel, Name: c.KernelName, Lines: [][6]any{}}
		for _, i := range c.Instructions {
			file, ok := number[relative(i.File, o.Dir)]
			if !ok {
				file = -1
			}
			p.Lines = append(p.Lines, [6]any{strings.Join(strings.Fields(i.PTX), " "), i.PTXLine, file, i.Line, i.Warps, i.Threads})
		}
		out = append(out, p)
	}
	return out
}

func onPage(f *finding.Finding, o Options) pageFinding {
	f = relativeTo(f, o.Dir)
	p := pageFinding{
		ID: f.Fingerprint, Rule: f.Rule, Kind: f.Kind, Level: f.Level.String(), Kernel: or(f.KernelName, f.Kernel), Message: f.Message,
		Notes: names(nil).notes(f), Help: f.Help, Count: f.Count, Unit: f.Unit, More: f.More,
	}
	decode(f.Details, &p.Details)
	if f.Kernel != "" {
		p.Where = kernelLine(f, nil)
	}
	if f.Primary.Loc.IsValid() || f.Primary.PTXLine > 0 {
		p.Places = append(p.Places, onPagePlace(&f.Primary, o))
	}
	for i := range f.Related {
		p.Places = append(p.Places, onPagePlace(&f.Related[i], o))
	}
	for _, m := range otherMembers(f) {
		p.Members = append(p.Members, onPage(m, o))
	}
	return p
}

func onPagePlace(p *finding.Place, o Options) pagePlace {
	q := pagePlace{What: p.What(), File: p.Loc.File, Line: p.Loc.Line, Col: p.Loc.Col}
	if p.PTXLine > 0 {
		q.PTX = fmt.Sprintf("PTX line %d: %s", p.PTXLine, strings.Join(strings.Fields(p.PTX), " "))
	}
	if o.Files != nil && p.Loc.Col > 0 {
		if line, ok := o.Files.Line(o.absolute(p.Loc.File), p.Loc.Line); ok {
			from, to := Extent(line, p.Loc.Col, writes(p))
			q.From, q.To = UTF16Len(line[:from]), UTF16Len(line[:to])
		}
	}
	var at []string
	for _, in := range p.Loc.InlinedAt {
		at = append(at, in.String())
	}
	q.Inline = strings.Join(at, ", ")
	return q
}

// pageFiles are the sources that the report names, with their numbers.
func pageFiles(r *Report, o Options) []pageFile {
	out := []pageFile{}
	if o.Files == nil {
		return out
	}
	lines := map[string]map[int]*siteNumber{}
	for _, n := range siteNumbers(r.Stats) {
		file := relative(n.file, o.Dir)
		if lines[file] == nil {
			lines[file] = map[int]*siteNumber{}
		}
		lines[file][n.line] = n
	}
	for _, file := range r.files(o.Dir) {
		text, ok := o.Files.Text(o.absolute(file))
		if ok && len(text) <= maxSource {
			out = append(out, pageFile{relative(file, o.Dir), text, lines[relative(file, o.Dir)]})
		}
	}
	return out
}

// checked says what the run was checked with.
func checked(r *Report) string {
	var parts []string
	if len(r.Tools) > 0 {
		parts = append(parts, strings.Join(r.Tools, ", "))
	}
	if r.Arch != "" {
		parts = append(parts, r.Arch)
	}
	if r.RaceModel != "" {
		parts = append(parts, "race model "+r.RaceModel)
	}
	if r.Build != "" {
		parts = append(parts, "build "+r.Build)
	}
	return strings.Join(parts, "; ")
}
