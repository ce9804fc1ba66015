package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// The types below are those parts of a SARIF log that warpgrind has something
// to say for (OASIS, "Static Analysis Results Interchange Format (SARIF)
// Version 2.1.0", section 3).
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  *sarifAutomation  `json:"automationDetails,omitempty"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
	Properties  map[string]any    `json:"properties,omitempty"`
}

// sarifAutomation tells runs apart that are uploaded together; its ID is a category and ends
// with a slash.
type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string        `json:"id"`
	Name             string        `json:"name"`
	ShortDescription sarifMessage  `json:"shortDescription"`
	FullDescription  *sarifMessage `json:"fullDescription,omitempty"`
	Help             *sarifMessage `json:"help,omitempty"`
	HelpURI          string        `json:"helpUri,omitempty"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	CommandLine   string              `json:"commandLine,omitempty"`
	Successful    bool                `json:"executionSuccessful"`
	ExitCode      int                 `json:"exitCode"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations,omitempty"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
	Occurrences  uint64             `json:"occurrenceCount,omitempty"`
	CodeFlows    []sarifFlow        `json:"codeFlows,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Fixes        []sarifFix         `json:"fixes,omitempty"`
	Properties   map[string]any     `json:"properties,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification,omitempty"`
}

type sarifFlow struct {
	ThreadFlows []sarifThreadFlow `json:"threadFlows"`
}

type sarifThreadFlow struct {
	ID        string              `json:"id,omitempty"`
	Locations []sarifFlowLocation `json:"locations"`
}

type sarifFlowLocation struct {
	Location sarifLocation `json:"location"`
	Order    int           `json:"executionOrder"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI    string `json:"uri"`
	BaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine   int           `json:"startLine"`
	StartColumn int           `json:"startColumn,omitempty"`
	EndLine     int           `json:"endLine,omitempty"`
	EndColumn   int           `json:"endColumn,omitempty"`
	Snippet     *sarifSnippet `json:"snippet,omitempty"`
}

type sarifSnippet struct {
	Text string `json:"text"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	DecoratedName      string `json:"decoratedName,omitempty"`
	Kind               string `json:"kind"`
}

const (
	home     = "https://github.com/warpgrind/warpgrind"
	rulesURI = home + "/blob/main/docs/rules/"
	sarifURI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// fingerprintName says how fingerprints are made; the number is for the
	// day when that changes.
	fingerprintName = "warpgrindCause/v1"
)

// SARIF writes r as a SARIF 2.1.0 log of one run. o.Rules gives the rules'
// documentation; rules that it lacks are named only.
func SARIF(w io.Writer, r *Report, o Options) error {
	s := &sarifWriter{o: o, index: map[string]int{}}
	if i := slices.IndexFunc(r.Findings, func(f *finding.Finding) bool { return f.Primary.Loc.IsValid() }); i >= 0 {
		s.file = relative(r.Findings[i].Primary.Loc.File, o.Dir)
	}
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "warpgrind", Version: r.Version, InformationURI: home, Rules: s.rules(r),
		}},
		Automation:  automation(r),
		Invocations: s.invocations(r),
		Results:     []sarifResult{},
		ColumnKind:  "unicodeCodePoints",
		Properties: map[string]any{"arch": r.Arch, "raceModel": r.RaceModel, "build": r.Build,
			"launches": r.Summary.Launches, "instructions": r.Summary.Instructions, "accesses": r.Summary.Accesses},
	}
	for _, f := range r.Findings {
		run.Results = append(run.Results, s.result(f))
	}
	for _, q := range r.Suppressed {
		res := s.result(q.Finding)
		res.Suppressions = []sarifSuppression{{"external", q.Reason}}
		if q.InSource {
			res.Suppressions[0].Kind = "inSource"
		}
		run.Results = append(run.Results, res)
	}
	e := json.NewEncoder(visible.JSONWriter(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{Schema: sarifURI, Version: "2.1.0", Runs: []sarifRun{run}})
}

// automation names the program that was run, so that the logs of several do not replace each
// other in a service that keeps one of each category.
func automation(r *Report) *sarifAutomation {
	if r.Run == nil || len(r.Run.Program) == 0 {
		return nil
	}
	return &sarifAutomation{"warpgrind/" + filepath.Base(r.Run.Program[0]) + "/"}
}

// invocations are those of all tests of a merged report, after one for what failed or is missing.
func (s *sarifWriter) invocations(r *Report) []sarifInvocation {
	out := []sarifInvocation{}
	if !r.Merged || len(r.Messages) > 0 {
		out = append(out, s.invocation(r))
	}
	for _, p := range r.Parts {
		out = append(out, s.invocation(p))
	}
	return out
}

// invocation says how the run ended. Findings are not a failure of the tool. The command line
// is that of the program alone: the same program and flags make the same log, wherever it is
// written and however many blocks run in parallel.
func (s *sarifWriter) invocation(r *Report) sarifInvocation {
	inv := sarifInvocation{Successful: r.Exit <= 1 && r.Summary.MissingShards+r.Summary.MissingJobs+r.Summary.FailedTests == 0, ExitCode: r.Exit}
	if r.Run != nil && len(r.Run.Program) > 0 {
		words := slices.Concat([]string{"warpgrind", "run"}, r.Run.Program)
		if len(r.Run.Args) > 0 {
			words = slices.Concat(words, []string{"--"}, r.Run.Args)
		}
		inv.CommandLine = strings.Join(words, " ")
	}
	level := "note"
	if !inv.Successful {
		level = "error"
	}
	for _, m := range r.Messages {
		inv.Notifications = append(inv.Notifications, sarifNotification{Level: level, Message: sarifMessage{Text: m}})
	}
	for _, d := range r.Diagnostics {
		n := sarifNotification{Level: "error", Message: sarifMessage{Text: d.Message}}
		if d.File != "" {
			region := &sarifRegion{StartLine: d.Line, StartColumn: d.Col}
			n.Locations = []sarifLocation{{Physical: &sarifPhysical{artifact(s.o.fromRoot(relative(d.File, s.o.Dir))), region}}}
		}
		inv.Notifications = append(inv.Notifications, n)
	}
	return inv
}

type sarifWriter struct {
	o     Options
	index map[string]int
	// file stands in where a finding has no place of its own: readers such as
	// GitHub's refuse a log with a result that is nowhere.
	file string
}

// rules lists the rules that were checked and those of the findings.
func (s *sarifWriter) rules(r *Report) []sarifRule {
	out := []sarifRule{}
	add := func(id string) {
		if _, ok := s.index[id]; ok {
			return
		}
		s.index[id] = len(out)
		out = append(out, s.rule(id))
	}
	for _, id := range r.Tools {
		add(id)
	}
	for _, f := range r.Findings {
		add(f.Rule)
	}
	for _, q := range r.Suppressed {
		add(q.Finding.Rule)
	}
	return out
}

func (s *sarifWriter) rule(id string) sarifRule {
	for _, d := range s.o.Rules {
		if d.ID == id {
			return sarifRule{
				ID: id, Name: pascal(d.Title), ShortDescription: sarifMessage{Text: d.Title + "."},
				FullDescription: &sarifMessage{Text: strings.Join(strings.Fields(d.Doc), " ")},
				Help:            &sarifMessage{Text: strings.Join(strings.Fields(d.Fix), " "), Markdown: Markdown(d)},
				HelpURI:         rulesURI + d.ID + ".md",
			}
		}
	}
	return sarifRule{ID: id, Name: pascal(id), ShortDescription: sarifMessage{Text: id + "."}}
}

// pascal writes words as the identifier that SARIF wants for a name.
func pascal(title string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(title, func(c rune) bool { return c == ' ' || c == '-' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

var sarifLevel = map[finding.Level]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "note"}

func (s *sarifWriter) result(f *finding.Finding) sarifResult {
	verified := s.verified(f)
	f = relativeTo(f, s.o.Dir)
	res := sarifResult{
		RuleID: f.Rule, RuleIndex: s.index[f.Rule], Level: sarifLevel[f.Level],
		Message: message(f), Occurrences: f.Count,
		Properties: map[string]any{"kind": f.Kind, "count": f.Count, "unit": f.Unit, "help": f.Help},
	}
	if f.Fingerprint != "" {
		res.Fingerprints = map[string]string{fingerprintName: f.Fingerprint}
	}
	primary := s.location(&f.Primary, f)
	primary.ID = 0
	if primary.Physical == nil && s.file != "" {
		primary.Physical = &sarifPhysical{Artifact: artifact(s.o.fromRoot(s.file)), Region: &sarifRegion{StartLine: 1}}
	}
	res.Locations = []sarifLocation{primary}
	for i := range f.Related {
		l := s.location(&f.Related[i], f)
		l.ID = i + 1
		res.Related = append(res.Related, l)
	}
	for _, m := range otherMembers(f) {
		l := s.location(&m.Primary, m)
		l.ID, l.Message = len(res.Related)+1, &sarifMessage{Text: m.Message}
		res.Related = append(res.Related, l)
	}
	res.CodeFlows = s.flows(f)
	res.Fixes = verified
	if s.o.Fixes == nil { // nothing was tried
		res.Fixes = s.fixes(f)
	}
	return res
}

// otherMembers are the members that the finding does not show itself.
func otherMembers(f *finding.Finding) []*finding.Finding {
	if len(f.Members) == 0 {
		return nil
	}
	return f.Members[1:min(len(f.Members), maxMembers)]
}

// message is what a viewer shows: the message, the notes and the fix.
func message(f *finding.Finding) sarifMessage {
	lines := []string{f.Message + "."}
	lines = append(lines, names(nil).notes(f)...)
	if f.Help != "" {
		lines = append(lines, "help: "+f.Help)
	}
	return sarifMessage{Text: strings.Join(lines, "\n")}
}

// flows show two places as the two threads that come there, in the order in
// which the run met them.
func (s *sarifWriter) flows(f *finding.Finding) []sarifFlow {
	if len(f.Related) == 0 || f.Primary.Thread == nil || f.Related[0].Thread == nil {
		return nil
	}
	flow := sarifFlow{}
	for i, p := range []*finding.Place{&f.Related[0], &f.Primary} {
		flow.ThreadFlows = append(flow.ThreadFlows, sarifThreadFlow{
			ID: p.Thread.String(), Locations: []sarifFlowLocation{{s.location(p, f), i + 1}},
		})
	}
	return []sarifFlow{flow}
}

func (s *sarifWriter) location(p *finding.Place, f *finding.Finding) sarifLocation {
	l := sarifLocation{}
	if p.Loc.File != "" {
		l.Physical = &sarifPhysical{Artifact: artifact(s.o.fromRoot(p.Loc.File)), Region: s.region(p)}
	}
	if f.Kernel != "" {
		l.Logical = []sarifLogical{{or(f.KernelName, f.Kernel), f.Kernel, "function"}}
	}
	if text := p.What(); text != "" {
		l.Message = &sarifMessage{Text: text}
	}
	return l
}

// artifact is a file: relative to the root of the sources, which the reader of
// the log knows, or absolute.
func artifact(file string) sarifArtifact {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
		return sarifArtifact{URI: u.String()}
	}
	return sarifArtifact{URI: u.String(), BaseID: "%SRCROOT%"}
}

// region counts columns in code points, the source in bytes.
func (s *sarifWriter) region(p *finding.Place) *sarifRegion {
	if p.Loc.Line <= 0 {
		return nil
	}
	r := &sarifRegion{StartLine: p.Loc.Line, StartColumn: p.Loc.Col}
	if s.o.Files == nil {
		return r
	}
	if text, ok := s.o.Files.Line(s.o.absolute(p.Loc.File), p.Loc.Line); ok {
		r.Snippet = &sarifSnippet{text}
		r.StartColumn, r.EndColumn = mark(text, p)
	}
	return r
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
