package report

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Schema is the version of the JSON form. It grows when a field changes its
// meaning or goes away, not when one is added.
const Schema = 1

// Report is the outcome of a run.
type Report struct {
	Schema int `json:"schema"`
	// Version is warpgrind's own.
	Version string `json:"version"`
	// Build says what code was checked: "source-keeping", "-O3".
	Build     string   `json:"build,omitempty"`
	Arch      string   `json:"arch,omitempty"`
	RaceModel string   `json:"race_model,omitempty"`
	Tools     []string `json:"tools"`
	Summary   Summary  `json:"summary"`
	// Dir is the directory below which paths are shown relative to it, Files have the sources:
	// "" and nil for the current directory and what is on disk.
	Dir   string        `json:"-"`
	Files *source.Files `json:"-"`
	// ProgramFailed is set if the program ended by a signal or with an exit code other than 0.
	ProgramFailed bool `json:"program_failed,omitempty"`
	// Exit is the exit code of the run.
	Exit     int                `json:"exit"`
	Findings []*finding.Finding `json:"findings"`
	// Suppressed are the findings that the user does not want to hear of.
	Suppressed []Suppressed `json:"suppressed,omitempty"`
	// Stats are the rules' numbers that are not findings, by rule ID.
	Stats map[string]any `json:"stats,omitempty"`
	// Messages are lines about the run itself, such as why it stopped early.
	Messages []string `json:"messages,omitempty"`
	// Limits are the instructions of the modules that were loaded that are not executed, or only
	// approximately, nil for none.
	Limits *Limits `json:"limits,omitempty"`
	// Environment is what failed on this machine and was replaced, nil for nothing.
	Environment *Environment `json:"environment,omitempty"`
	// Launches are the launches in their order, equal ones in a row as one.
	Launches []Launch `json:"launches,omitempty"`
	// Code is the PTX of the kernels that ran, in saved reports and on the page.
	Code []Code `json:"code,omitempty"`
	// Fidelity is how closely the engine computes what was executed, where it was asked for.
	Fidelity *Fidelity `json:"fidelity,omitempty"`
	// Coverage is what of the device code was executed, where it was asked for.
	Coverage *coverage.Result `json:"coverage,omitempty"`
	// Diagnostics are the compiler's errors where the program does not compile.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// Run is what was run, and when. It is in saved reports and on the page only: for the
	// rest the same program gives the same report.
	Run *Run `json:"run,omitempty"`
	// Sources are the files that the report is about, where it was saved with
	// them.
	Sources []Source `json:"sources,omitempty"`
	// Job is set where the report is the result of one piece of a suite, Suites where it was
	// made by a shard. Merged is set in a report of several, which are its Parts.
	Job    *Job      `json:"job,omitempty"`
	Suites []Suite   `json:"suites,omitempty"`
	Merged bool      `json:"merged,omitempty"`
	Parts  []*Report `json:"parts,omitempty"`
}

// Run is the run that a report is about.
type Run struct {
	// Command is warpgrind's command line, Program the sources or the executable, Args
	// the program's own arguments.
	Command []string  `json:"command"`
	Program []string  `json:"program,omitempty"`
	Args    []string  `json:"args,omitempty"`
	Started time.Time `json:"started"`
}

// Diagnostic is an error of the compiler, at a place or without one.
type Diagnostic struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Col     int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Code is the PTX of a kernel and of the functions that it calls.
type Code struct {
	Kernel       string        `json:"kernel"`
	KernelName   string        `json:"kernel_name"`
	Instructions []Instruction `json:"instructions"`
}

// Instruction is a PTX instruction, the line of the source that it is of, and how often
// the kernel executed it over all its launches.
type Instruction struct {
	PTX     string `json:"ptx"`
	PTXLine int    `json:"ptx_line"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	// Warps counts executions by warps, Threads those of their active lanes; a lane
	// whose guard is false is active.
	Warps   uint64 `json:"warps"`
	Threads uint64 `json:"threads"`
}

// Suppressed is a finding that the user does not want to hear of. InSource says
// that a comment in the source asks for it, and not a file of suppressions;
// Reason is what is given there for it.
type Suppressed struct {
	Finding  *finding.Finding `json:"finding"`
	InSource bool             `json:"in_source,omitempty"`
	Reason   string           `json:"reason,omitempty"`
}

// Launch is one launch of a kernel, or several equal ones in a row.
type Launch struct {
	// ID is the first one's number, from 0; Count is how many there are.
	ID         int           `json:"id"`
	Count      int           `json:"count"`
	Kernel     string        `json:"kernel"`
	KernelName string        `json:"kernel_name"`
	Grid       finding.Coord `json:"grid"`
	Block      finding.Coord `json:"block"`
	// SharedDynamic is in bytes.
	SharedDynamic uint64 `json:"shared_dynamic,omitempty"`
	// Instructions are thread instructions, Accesses warps' executions of
	// memory instructions, both of all of them.
	Instructions uint64 `json:"instructions"`
	Accesses     uint64 `json:"accesses"`
}

// Source is the text of a file.
type Source struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// maxLaunches bounds what a report keeps; a later launch is counted only.
const maxLaunches = 5000

// AddLaunch appends l, or adds it to the last one where it differs in its
// numbers at most.
func (r *Report) AddLaunch(l Launch) {
	if n := len(r.Launches); n > 0 {
		last := &r.Launches[n-1]
		if last.Kernel == l.Kernel && last.Grid == l.Grid && last.Block == l.Block && last.SharedDynamic == l.SharedDynamic {
			last.Count += l.Count
			last.Instructions += l.Instructions
			last.Accesses += l.Accesses
			return
		}
	}
	if len(r.Launches) < maxLaunches {
		r.Launches = append(r.Launches, l)
	}
}

// maxMembers is how many members of a joined finding a report in a file has. One cause may show
// at every instruction of a kernel; its sums are of all.
const maxMembers = 200

// Prepare makes the report of what the rules found: findings of one cause are
// joined, put in order, and get their fingerprints.
func (r *Report) Prepare(found []*finding.Finding, rules finding.Rules, files *source.Files) {
	r.Findings = Group(found, rules)
	fs := r.Findings
	for _, q := range r.Suppressed {
		fs = append(fs[:len(fs):len(fs)], q.Finding)
	}
	fingerprint(fs, files)
}

// Summary counts what was done and found. Instructions are thread
// instructions; accesses are warps' executions of sites.
type Summary struct {
	Launches uint64 `json:"launches"`
	// NotRun counts launches that CUDA refused since a kernel before them failed:
	// nothing of them was checked.
	NotRun uint64 `json:"launches_not_run,omitempty"`
	// InOrder counts programmatic dependent launches that ran in stream order, since
	// the architecture is older than sm_90: races of their overlap were not checked.
	InOrder uint64 `json:"launches_in_order,omitempty"`
	// Unchecked counts launches that the user's choice left out (--kernel, --launch-skip, --launch-count), UncheckedBlocks blocks that
	// --sample left out, and SkippedBlocks those that --only-blocks did not execute.
	Unchecked       uint64 `json:"launches_not_checked,omitempty"`
	UncheckedBlocks uint64 `json:"blocks_not_checked,omitempty"`
	SkippedBlocks   uint64 `json:"blocks_not_executed,omitempty"`
	// Operators counts those of a framework, PyTorch, that the host executed on the device's memory.
	Operators    uint64 `json:"operators,omitempty"`
	Instructions uint64 `json:"instructions"`
	Accesses     uint64 `json:"accesses"`
	Errors       int    `json:"errors"`
	Warnings     int    `json:"warnings"`
	Infos        int    `json:"infos"`
	// Tests are the results that were merged, FailedTests those of them that were not a whole
	// check, MissingShards and MissingJobs what has no result.
	Tests         int `json:"tests,omitempty"`
	FailedTests   int `json:"tests_failed,omitempty"`
	MissingShards int `json:"shards_missing,omitempty"`
	MissingJobs   int `json:"jobs_missing,omitempty"`
	// Suppressed findings are in none of the other counts.
	Suppressed int `json:"suppressed,omitempty"`
	// Static is set where nothing ran.
	Static *StaticSummary `json:"static,omitempty"`
}

// StaticSummary counts what was examined without running: kernels, the places
// of their accesses, and the pairs of those that could be in conflict, which
// are safe, to be watched when the program runs, or findings.
type StaticSummary struct {
	Kernels  int `json:"kernels"`
	Accesses int `json:"accesses"`
	Pairs    int `json:"pairs"`
	Safe     int `json:"safe"`
	Watched  int `json:"watched"`
}

// CountLevels fills in the summary's counts from the findings.
func (r *Report) CountLevels() {
	s := &r.Summary
	s.Errors, s.Warnings, s.Infos = 0, 0, 0
	for _, f := range r.Findings {
		switch f.Level {
		case finding.Error:
			s.Errors++
		case finding.Warning:
			s.Warnings++
		default:
			s.Infos++
		}
	}
}

// relative returns the path from dir where file lies below it, else file, in
// its shortest form.
func relative(file, dir string) string {
	if file != "" {
		file = filepath.Clean(file)
	}
	if dir == "" || !filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return file
	}
	return rel
}

// relativeTo returns f with its paths, also those in its texts, relative to
// dir; f is not changed.
func relativeTo(f *finding.Finding, dir string) *finding.Finding {
	g := *f
	if dir != "" {
		g.Message = relativeText(f.Message, dir)
		g.Notes = nil
		for _, n := range f.Notes {
			g.Notes = append(g.Notes, relativeText(n, dir))
		}
		g.Details = relativeDetails(f.Details, dir)
	}
	g.Object, g.Hit, g.Repair = relativeObject(f.Object, dir), relativeObject(f.Hit, dir), relativeRepair(f.Repair, dir)
	g.LaunchedAt.File = relative(f.LaunchedAt.File, dir)
	g.Primary = relativePlace(f.Primary, dir)
	g.Related = nil
	for _, p := range f.Related {
		g.Related = append(g.Related, relativePlace(p, dir))
	}
	shown := f.Members[:min(len(f.Members), maxMembers)]
	g.Members, g.More = nil, f.More+len(f.Members)-len(shown)
	for _, m := range shown {
		g.Members = append(g.Members, relativeTo(m, dir))
	}
	return &g
}

// relativeTo returns c with paths relative to dir; c is not changed.
func (c Code) relativeTo(dir string) Code {
	c.Instructions = slices.Clone(c.Instructions)
	for i := range c.Instructions {
		c.Instructions[i].File = relative(c.Instructions[i].File, dir)
	}
	return c
}

func relativeObject(o *finding.Object, dir string) *finding.Object {
	if o == nil || dir == "" {
		return o
	}
	r := *o
	r.Where = relativeText(o.Where, dir)
	return &r
}

func relativeRepair(r *finding.Repair, dir string) *finding.Repair {
	if r == nil {
		return nil
	}
	return r.Moved(func(p source.Pos) source.Pos {
		p.File = relative(p.File, dir)
		return p
	})
}

// relativeText returns text with the paths in it relative to dir.
func relativeText(text, dir string) string {
	prefix := strings.TrimSuffix(dir, "/") + "/"
	if prefix == "/" {
		return text // every path is as short as it can be
	}
	var b strings.Builder
	for {
		i := strings.Index(text, prefix)
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i])
		if s := b.String(); s != "" && inPath(s[len(s)-1]) {
			b.WriteString(prefix) // the end of another path
		}
		text = text[i+len(prefix):]
	}
}

// inPath reports whether c can be in the middle of a path.
func inPath(c byte) bool {
	return isName(c) || strings.IndexByte("./-+~", c) >= 0
}

// relativeDetails returns a structure for JSON with the paths in its texts
// relative to dir.
func relativeDetails(details any, dir string) any {
	if details == nil {
		return nil
	}
	b, err := json.Marshal(details)
	if err != nil || !bytes.Contains(b, []byte(dir)) {
		return details
	}
	return json.RawMessage(relativeText(string(b), dir))
}

func relativePlace(p finding.Place, dir string) finding.Place {
	p.Loc.File = relative(p.Loc.File, dir)
	var at []source.Pos
	for _, q := range p.Loc.InlinedAt {
		q.File = relative(q.File, dir)
		at = append(at, q)
	}
	p.Loc.InlinedAt = at
	return p
}
