package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// Options control the form of a report.
type Options struct {
	// Color uses ANSI escape sequences.
	Color bool
	// Width is the number of columns; 0 means 80. Source lines are cut to it, notes are
	// wrapped.
	Width int
	// Dir is the directory that paths are written relative to. Root is the root
	// of the repository, or "": where it is known, paths of SARIF, JUnit and
	// GitHub's annotations are relative to it, as their readers expect.
	Dir, Root string
	// FullNames shows the names of kernels whole in text, whatever their length.
	FullNames bool
	// Limits lists the instructions that are not supported or executed approximately.
	Limits bool
	// Limit is how many findings are written; 0 means all.
	Limit int
	// Files gives the source lines; nil means none are shown.
	Files *source.Files
	// Rules document the rules, for formats that hold it.
	Rules []finding.Rule
	// Sanitizer shapes the lines of compute-sanitizer.
	Sanitizer SanitizerOptions
	// Fixes are changes of the source that remove a finding and were run, for SARIF.
	Fixes map[*finding.Finding]Fix
	// Before is an earlier run to compare with; nil for none.
	Before *Report
}

// absolute undoes what relative did.
func (o Options) absolute(file string) string {
	if o.Dir == "" || strings.HasPrefix(file, "/") {
		return file
	}
	return o.Dir + "/" + file
}

// fromWorkplace is a path, absolute or relative to Dir, from the root of the repository, or else from Dir.
func (o Options) fromWorkplace(file string) string {
	return o.fromRoot(relative(o.absolute(file), o.Dir))
}

// fromRoot is a path, absolute or relative to Dir, from the root of the
// repository if it lies in there.
func (o Options) fromRoot(file string) string {
	if file == "" || o.Root == "" {
		return file
	}
	if rel := relative(o.absolute(file), o.Root); !filepath.IsAbs(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// Text writes r for people: each finding as a compiler would show it, then the
// summary as the last line. Compared with o.Before only the new findings are
// written in full; those that are gone have a line each. Numbers have one format, without
// separators, as in the rules' messages.
func Text(w io.Writer, r *Report, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	b := bufio.NewWriter(w)
	p := &printer{w: b, o: o}
	findings := r.Findings
	if !o.FullNames {
		p.names = shortNames(kernelNames(findings, r.Limits))
	}
	var c Comparison
	if o.Before != nil {
		c = Compare(o.Before, r)
		findings = c.New
	}
	for i, f := range findings {
		if o.Limit > 0 && i == o.Limit {
			p.line("%d more findings not shown", len(findings)-i)
			p.line("")
			break
		}
		p.finding(f)
	}
	if o.Before != nil {
		p.comparison(&c)
	}
	for _, m := range r.Messages {
		p.wrap("warpgrind: ", strings.Repeat(" ", 11), m)
	}
	p.limits(r.Limits)
	p.context(r)
	p.summary(SummaryLine(r))
	return b.Flush()
}

// comparison writes what is gone or more or less often, and how much is new.
func (p *printer) comparison(c *Comparison) {
	for _, f := range c.Gone {
		p.wrap("gone: ", "      ", p.inOneLine(f))
	}
	for _, x := range c.Changed {
		p.wrap("changed: ", "         ", fmt.Sprintf("%s: %d, was %d", p.inOneLine(x.Now), x.Now.Count, x.Was.Count))
	}
	if len(c.Gone)+len(c.Changed) > 0 {
		p.line("")
	}
	p.wrap("compared with the earlier run: ", strings.Repeat(" ", 31), c.Summary())
}

// inOneLine is the message of a finding and its place.
func (p *printer) inOneLine(f *finding.Finding) string {
	f = relativeTo(f, p.o.Dir)
	message := p.names.prose(f, f.Message)
	if at := place(f); at != "" {
		return message + " (" + at + ")"
	}
	return message
}

// summary writes the last line; where it is too long, the findings have a line
// of their own.
func (p *printer) summary(line string) {
	const name, end = "warpgrind: ", " checked: "
	pad := strings.Repeat(" ", len(name))
	parts := []string{line}
	if i := strings.Index(line, end); i >= 0 && len(line) > p.o.Width {
		parts = []string{line[:i+len(end)-1], pad + line[i+len(end):]}
	}
	for _, part := range parts {
		for i, l := range breakLines(part[len(name):], p.o.Width-len(name)) {
			if i > 0 {
				part = pad
			}
			p.line("%s", p.bold(part[:len(name)]+l))
		}
	}
}

// context lists what was checked, where the report has it.
func (p *printer) context(r *Report) {
	if text := checked(r); text != "" {
		p.wrap("checked: ", "         ", text)
	}
	if text := r.Fidelity.line(); text != "" {
		p.wrap("engine:  ", "         ", text)
	}
	p.coverage(r.Coverage)
	for _, text := range []string{incomplete(r), neverReached(r.Coverage, p.o.Dir)} {
		if text != "" {
			p.wrap("missing: ", "         ", text)
		}
	}
	if text := pruned(r); text != "" {
		p.wrap("pruned:  ", "         ", text)
	}
}

// SummaryLine is the last line of every report.
func SummaryLine(r *Report) string {
	s := &r.Summary
	line := fmt.Sprintf("warpgrind: %s%s: %s", tests(s), done(s), count(uint64(s.Errors+s.Warnings+s.Infos), "finding", "findings"))
	var parts []string
	for _, l := range []struct {
		n         int
		one, many string
	}{{s.Errors, "error", "errors"}, {s.Warnings, "warning", "warnings"}, {s.Infos, "info", "infos"}, {s.Suppressed, "suppressed", "suppressed"}} {
		if l.n > 0 {
			parts = append(parts, count(uint64(l.n), l.one, l.many))
		}
	}
	if len(parts) > 0 {
		line += " (" + strings.Join(parts, ", ") + ")"
	}
	return line
}

// tests is how many results were merged, and how many there should be; "" for one run.
func tests(s *Summary) string {
	if s.Tests+s.MissingShards+s.MissingJobs == 0 {
		return ""
	}
	line := count(uint64(s.Tests), "test", "tests")
	if s.FailedTests > 0 {
		line += fmt.Sprintf(" (%d failed)", s.FailedTests)
	}
	if s.MissingShards > 0 {
		line += ", " + count(uint64(s.MissingShards), "shard", "shards") + " missing"
	}
	if s.MissingJobs > 0 {
		line += ", " + count(uint64(s.MissingJobs), "job", "jobs") + " missing"
	}
	return line + "; "
}

// done is how much was checked.
func done(s *Summary) string {
	if st := s.Static; st != nil {
		return fmt.Sprintf("nothing ran; %s, %s checked", count(uint64(st.Kernels), "kernel", "kernels"),
			count(uint64(st.Accesses), "access", "accesses"))
	}
	line := fmt.Sprintf("%s, %s, %s checked", count(s.Launches, "launch", "launches"),
		count(s.Instructions, "instruction", "instructions"), count(s.Accesses, "access", "accesses"))
	if s.NotRun > 0 {
		line += fmt.Sprintf(", %s not run after a fault", count(s.NotRun, "launch", "launches"))
	}
	if s.Operators > 0 {
		line += fmt.Sprintf(", %s run by the host", count(s.Operators, "operator", "operators"))
	}
	if s.InOrder > 0 {
		line += fmt.Sprintf(", %s run in stream order (overlap needs --arch sm_90)", count(s.InOrder, "programmatic launch", "programmatic launches"))
	}
	return line
}

// count formats "1 launch" or "3136 instructions".
func count(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatUint(n, 10) + " " + many
}

// printer writes text of one report. Write errors stay in w until Flush.
type printer struct {
	w *bufio.Writer
	o Options
	// names are those of kernels as they are shown.
	names names
}

func (p *printer) line(format string, args ...any) {
	_, _ = visible.Fprintf(p.w, format+"\n", args...)
}

// writeFinding writes one finding as the text format has it.
func writeFinding(w io.Writer, f *finding.Finding, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	b := bufio.NewWriter(w)
	(&printer{w: b, o: o}).finding(f)
	return b.Flush()
}

// finding writes one finding and an empty line.
func (p *printer) finding(f *finding.Finding) {
	f = relativeTo(f, p.o.Dir)
	head := fmt.Sprintf("%v[%s]: ", f.Level, f.Rule)
	p.wrapHead(head, p.names.prose(f, f.Message), f.Level)
	gutter := p.gutter(f)
	if f.Primary.Loc.IsValid() || f.Primary.PTXLine > 0 {
		p.place(&f.Primary, gutter, f.Level, true, f.Related...)
	}
	for i := range f.Related {
		if samePlace(&f.Primary, &f.Related[i]) {
			continue // written below the primary one
		}
		p.place(&f.Related[i], gutter, finding.Info, false)
	}
	if f.Kernel != "" {
		p.item(gutter, "", kernelLine(f, p.names))
	}
	for _, n := range p.names.notes(f) {
		if text, ok := strings.CutPrefix(n, "- "); ok {
			first := strings.Repeat(" ", gutter+9)
			p.wrap(first+"- ", first+"  ", text)
			continue
		}
		p.item(gutter, "note: ", n)
	}
	if f.Help != "" {
		p.item(gutter, "help: ", p.names.prose(f, f.Help))
	}
	p.line("")
}

// samePlace reports whether two places show the same line and column.
func samePlace(a, b *finding.Place) bool {
	return a.Loc.Pos == b.Loc.Pos && a.Loc.IsValid() && slices.Equal(a.Loc.InlinedAt, b.Loc.InlinedAt) &&
		a.Library == nil && b.Library == nil
}

// kernelLine says in which kernel and launches it is, and of what was launched by a Python program where: the text of such a
// kernel seldom shows it.
func kernelLine(f *finding.Finding, n names) string {
	name, at := n.of(or(f.KernelName, f.Kernel)), ""
	if filepath.Ext(f.LaunchedAt.File) == ".py" {
		at = " at " + f.LaunchedAt.String()
	}
	switch n := f.Launches.Count(); {
	case n == 1:
		return fmt.Sprintf("in kernel %s, launch %d%s", name, f.Launches.First(), at)
	case n > 1:
		return fmt.Sprintf("in kernel %s, %d launches from %d%s to %d", name, n, f.Launches.First(), at, f.Launches.Last())
	}
	return "in kernel " + name
}

// gutter is the width of the line-number column.
func (p *printer) gutter(f *finding.Finding) int {
	n := len(strconv.Itoa(placeLine(&f.Primary)))
	for i := range f.Related {
		n = max(n, len(strconv.Itoa(placeLine(&f.Related[i]))))
	}
	return n
}

func placeLine(p *finding.Place) int {
	if p.Loc.IsValid() {
		return p.Loc.Line
	}
	return p.PTXLine
}

// item writes " = label text" below the source lines.
func (p *printer) item(gutter int, label, text string) {
	first := strings.Repeat(" ", gutter+1) + "= " + label
	rest := strings.Repeat(" ", gutter+3+len(label))
	p.wrap(first, rest, text)
}

// wrap writes text broken at spaces to the width, the first line after first
// and the others after rest.
func (p *printer) wrap(first, rest, text string) {
	for i, l := range breakLines(text, p.o.Width-len(first)) {
		if i == 0 {
			p.line("%s%s", p.labeled(first), l)
		} else {
			p.line("%s%s", rest, l)
		}
	}
}

// wrapHead writes the first line of a finding.
func (p *printer) wrapHead(head, text string, level finding.Level) {
	for i, l := range breakLines(text, p.o.Width-len(head)) {
		if i > 0 {
			head = strings.Repeat(" ", len(head))
			p.line("%s%s", head, p.bold(l))
			continue
		}
		p.line("%s%s", p.paint(levelColor[level], head), p.bold(l))
	}
}

// breakLines breaks text at spaces into lines of at most width; a word that is
// longer has a line of its own.
func breakLines(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(printable(text)) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// printable makes text of several lines, which a program's own texts (an assertion, a file name) may have, harmless.
func printable(s string) string {
	return visible.Lines(s)
}
