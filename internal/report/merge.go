package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Job is the piece of a suite that a report is the result of.
type Job struct {
	// ID is the same for the same work, and for nothing else; "" stands for name and contents.
	// Name is for people.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Suite is the ID of the suite that the job is of, "" for none.
	Suite string `json:"suite,omitempty"`
}

// Suite is work that is divided into shards, and which of them have a result.
type Suite struct {
	ID string `json:"id"`
	// Jobs is how many there are in all shards together; 0 where the program divides its
	// tests by itself. Count is the number of shards, Have those with a result, from 0 and in
	// rising order; both are left out once all jobs have a result.
	Jobs  int   `json:"jobs,omitempty"`
	Count int   `json:"count,omitempty"`
	Have  []int `json:"have,omitempty"`
}

// maxShards bounds the shards of a suite.
const maxShards = 1 << 20

// Missing lists the shards of s without a result.
func (s *Suite) Missing() []int {
	var out []int
	for i := range min(s.Count, maxShards) {
		if _, have := slices.BinarySearch(s.Have, i); !have {
			out = append(out, i)
		}
	}
	return out
}

// merger joins results. It holds them as sets, so that the outcome depends neither on the order
// nor on how often or in which groups they come.
type merger struct {
	parts   map[string]*part   // by content
	suites  map[division][]int // the shards that there are
	sources map[string]Source
}

// division is how a suite is divided: the fields of Suite.
type division struct {
	id          string
	jobs, count int
}

// part is one result. text is its content in one form, without its job.
type part struct {
	r    *Report
	text []byte
}

// Merge joins the results of runs, replays and checks, and merged ones, into the report of all
// of them; names are those of the files, and rules order the findings. The same results give
// the same report, whatever their order and grouping, and also where some come more than once.
// Of several results of one job the one that finished counts. in is not changed.
func Merge(in []*Report, names []string, rules finding.Rules) *Report {
	m := &merger{parts: map[string]*part{}, suites: map[division][]int{}, sources: map[string]Source{}}
	for i, r := range in {
		m.add(r, names[i])
	}
	return m.report(rules)
}

func (m *merger) add(r *Report, name string) {
	for _, s := range r.Sources {
		if was, ok := m.sources[s.File]; !ok || s.Text < was.Text {
			m.sources[s.File] = s
		}
	}
	for _, s := range r.Suites {
		id := division{s.ID, s.Jobs, s.Count}
		m.suites[id] = append(m.suites[id], s.Have...)
	}
	if len(r.Parts) == 0 && !r.Merged {
		m.addPart(r, name)
	}
	for _, p := range r.Parts {
		m.addPart(p, name)
	}
}

// addPart adds one result without what differs between equal runs.
func (m *merger) addPart(r *Report, name string) {
	p := *r
	p.Sources, p.Suites, p.Parts, p.Job = nil, nil, nil, nil
	if p.Run != nil {
		run := *p.Run
		run.Command, run.Started = nil, time.Time{}
		p.Run = &run
	}
	if r.Job != nil && r.Job.Suite != "" { // of a job, which may run anywhere, and of many too much
		p.Run, p.Code = nil, nil
	}
	text, err := json.Marshal(&p)
	if err != nil {
		return // what was read can be written
	}
	named := text
	if r.Job != nil { // tests of other names are others
		named = append(text[:len(text):len(text)], r.Job.Name...)
	}
	sum := sha256.Sum256(named)
	id := hex.EncodeToString(sum[:8])
	switch p.Job = r.Job; {
	case r.Job == nil:
		p.Job = &Job{ID: id, Name: nameOf(r, name)}
	case r.Job.ID == "":
		p.Job = &Job{ID: id, Name: r.Job.Name, Suite: r.Job.Suite}
	}
	key := p.Job.ID + "\x00" + p.Job.Suite + "\x00" + id
	if was := m.parts[key]; was == nil || p.Job.Name < was.r.Job.Name {
		m.parts[key] = &part{&p, text}
	}
}

// nameOf is the name of a result that has none: the program with its arguments, or the file.
func nameOf(r *Report, file string) string {
	if r.Run == nil || len(r.Run.Program) == 0 {
		return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	return strings.Join(append([]string{filepath.Base(r.Run.Program[0])}, r.Run.Args...), " ")
}

// jobs lists the results in the order of their names, one for each job.
func (m *merger) jobs() []*Report {
	best := map[[2]string]*part{}
	for _, k := range slices.Sorted(maps.Keys(m.parts)) {
		p := m.parts[k]
		id := [2]string{p.r.Job.ID, p.r.Job.Suite}
		if was := best[id]; was == nil || p.better(was) {
			best[id] = p
		}
	}
	var out []*Report
	for _, p := range best {
		out = append(out, p.r)
	}
	slices.SortFunc(out, func(a, b *Report) int {
		return cmp.Or(strings.Compare(a.Job.Name, b.Job.Name), strings.Compare(a.Job.ID, b.Job.ID), strings.Compare(a.Job.Suite, b.Job.Suite))
	})
	return out
}

// better reports whether p counts, and not another result of its job: one that finished, then
// one that found more.
func (p *part) better(than *part) bool {
	a, b := p.r, than.r
	return cmp.Or(compareBool(b.failed(), a.failed()), len(a.Findings)-len(b.Findings), bytes.Compare(than.text, p.text)) > 0
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// exitNothing is the exit code of a run in which no kernel ran, exitUnfinished that of a check
// that did not finish; session has them all.
const (
	exitFindings   = 1
	exitNothing    = 4
	exitUnfinished = 7
)

// failed reports whether the run was not a whole check.
func (r *Report) failed() bool { return r.Exit > exitFindings && r.Exit != exitNothing }

// report makes the report of all parts.
func (m *merger) report(rules finding.Rules) *Report {
	out := &Report{Schema: Schema, Merged: true, Parts: m.jobs()}
	var versions, builds, archs, models []string
	for _, p := range out.Parts {
		versions, builds = addNew(versions, p.Version), addNew(builds, p.Build)
		archs, models = addNew(archs, p.Arch), addNew(models, p.RaceModel)
		for _, t := range p.Tools {
			out.Tools = addNew(out.Tools, t)
		}
		out.include(p)
	}
	out.Version, out.Build = strings.Join(versions, ", "), strings.Join(builds, ", ")
	out.Arch, out.RaceModel = strings.Join(archs, ", "), strings.Join(models, ", ")
	for _, f := range slices.Sorted(maps.Keys(m.sources)) {
		out.Sources = append(out.Sources, m.sources[f])
	}
	out.Findings = joinParts(out.Parts, func(r *Report) []*finding.Finding { return r.Findings })
	Sort(out.Findings, rules)
	out.Suppressed = joinSuppressed(out.Parts)
	out.Summary.Suppressed = len(out.Suppressed)
	out.Code = joinCode(out.Parts)
	out.Suites = m.joinSuites(out.Parts)
	out.CountLevels()
	out.conclude()
	return out
}

// addNew adds s to the set in order, unless it is "".
func addNew(set []string, s string) []string {
	if i, has := slices.BinarySearch(set, s); !has && s != "" {
		return slices.Insert(set, i, s)
	}
	return set
}

// include adds the numbers of a part.
func (r *Report) include(p *Report) {
	s, q := &r.Summary, &p.Summary
	s.Tests++
	s.Launches += q.Launches
	s.NotRun += q.NotRun
	s.InOrder += q.InOrder
	s.Unchecked += q.Unchecked
	s.UncheckedBlocks += q.UncheckedBlocks
	s.SkippedBlocks += q.SkippedBlocks
	s.Operators += q.Operators
	s.Instructions += q.Instructions
	s.Accesses += q.Accesses
	if q.Static != nil {
		if s.Static == nil {
			s.Static = &StaticSummary{}
		}
		s.Static.Kernels += q.Static.Kernels
		s.Static.Accesses += q.Static.Accesses
		s.Static.Pairs += q.Static.Pairs
		s.Static.Safe += q.Static.Safe
		s.Static.Watched += q.Static.Watched
	}
	r.ProgramFailed = r.ProgramFailed || p.ProgramFailed
	r.Fidelity = r.Fidelity.add(p.Fidelity)
	r.Coverage = coverage.Merge(r.Coverage, p.Coverage)
	for _, l := range p.Launches {
		r.AddLaunch(l)
	}
	for _, d := range p.Diagnostics {
		if !slices.Contains(r.Diagnostics, d) {
			r.Diagnostics = append(r.Diagnostics, d)
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(p.Stats)) {
		if r.Stats == nil {
			r.Stats = map[string]any{}
		}
		r.Stats[rule] = addStats(r.Stats[rule], p.Stats[rule])
	}
}

// joinSuites lists the suites. One whose jobs have all a result is complete, however they were
// divided.
func (m *merger) joinSuites(parts []*Report) []Suite {
	done := map[string]int{}
	for _, p := range parts {
		done[p.Job.Suite]++
	}
	out := map[division][]int{}
	for d, have := range m.suites {
		if d.jobs > 0 && done[d.id] >= d.jobs {
			d.count, have = 0, nil
		}
		out[d] = append(out[d], have...)
	}
	var list []Suite
	for d, have := range out {
		slices.Sort(have)
		list = append(list, Suite{ID: d.id, Jobs: d.jobs, Count: d.count, Have: slices.Compact(have)})
	}
	slices.SortFunc(list, func(a, b Suite) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), a.Jobs-b.Jobs, a.Count-b.Count)
	})
	return list
}

// leftOut names what the user's choices left out of a check, for reports without the messages of the runs.
func (s *Summary) leftOut() (lines []string) {
	if s.Unchecked > 0 {
		lines = append(lines, count(s.Unchecked, "launch was", "launches were")+" not checked (--kernel, --launch-skip, --launch-count)")
	}
	if s.UncheckedBlocks > 0 {
		lines = append(lines, count(s.UncheckedBlocks, "block was", "blocks were")+" not checked (--sample)")
	}
	if s.SkippedBlocks > 0 {
		lines = append(lines, count(s.SkippedBlocks, "block was", "blocks were")+" not executed (--only-blocks): results are not those of the whole programs")
	}
	return lines
}

// maxListedFailures bounds the failed tests and missing shards that are named one by one.
const maxListedFailures = 50

// conclude decides the exit code, and names what failed and what is missing.
func (r *Report) conclude() {
	s := &r.Summary
	worst, nothing, found := 0, len(r.Parts) > 0, false
	var lines []string
	for _, text := range r.missing() {
		lines = append(lines, "missing: "+text)
	}
	for _, p := range r.Parts {
		nothing, found = nothing && p.Exit == exitNothing, found || p.Exit == exitFindings
		if p.failed() {
			s.FailedTests++
			worst = worse(worst, p.Exit)
			lines = append(lines, fmt.Sprintf("failed: %s: exit code %d%s", p.Job.Name, p.Exit, because(p.Messages)))
		}
	}
	if n := len(lines) - maxListedFailures; n > 0 {
		lines = append(lines[:maxListedFailures], fmt.Sprintf("and %d more", n))
	}
	r.Messages = append(lines, s.leftOut()...)
	if s.MissingShards+s.MissingJobs > 0 {
		worst = worse(worst, exitUnfinished)
	}
	switch {
	case found:
		r.Exit = exitFindings
	case worst == 0 && nothing:
		r.Exit = exitNothing
	default:
		r.Exit = worst
	}
}

// missing names the shards and counts the jobs without a result, also in the summary.
func (r *Report) missing() []string {
	s := &r.Summary
	s.MissingShards, s.MissingJobs = 0, 0
	var lines []string
	for i := range r.Suites {
		suite := &r.Suites[i]
		for _, k := range suite.Missing() {
			s.MissingShards++
			lines = append(lines, missingShard(suite, k))
		}
		if n := r.missingJobs(suite); n > 0 {
			s.MissingJobs += n
			lines = append(lines, fmt.Sprintf("%d of %d jobs of suite %s have no result", n, suite.Jobs, suite.ID))
		}
	}
	return lines
}

// missingJobs is how many jobs of a suite without shards have no result. A shard that has a
// result has those of all of its jobs.
func (r *Report) missingJobs(s *Suite) int {
	n := s.Jobs
	for _, p := range r.Parts {
		if p.Job != nil && p.Job.Suite == s.ID {
			n--
		}
	}
	if s.Count > 0 {
		return 0
	}
	return max(n, 0)
}

// missingShard names a shard as --shard does.
func missingShard(s *Suite, i int) string {
	return fmt.Sprintf("shard %d/%d of suite %s has no result", i+1, s.Count, s.ID)
}

// because is the last message of a part that failed, which has the reason.
func because(messages []string) string {
	if len(messages) == 0 {
		return ""
	}
	return ": " + messages[len(messages)-1]
}

// worse is the exit code that says more of two: a bug, a check that did not finish, an unsupported
// feature, wrong usage, a program that failed, an interruption.
func worse(a, b int) int {
	order := []int{3, 2, 5, exitUnfinished, 6}
	if cmp.Or(cmp.Compare(slices.Index(order, a), slices.Index(order, b)), cmp.Compare(a, b)) < 0 {
		return b
	}
	return a
}
