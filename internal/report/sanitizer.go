package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// SanitizerOptions shape the lines of compute-sanitizer; the zero value is what it prints
// without options.
type SanitizerOptions struct {
	// Prefix begins each line; "" is "=========".
	Prefix string
	// Level is the mildest level that is written; RaceLevel the same of races.
	Level, RaceLevel finding.Level
	// Names are "full", "simple" (without parameters) or "no" (mangled); "" is full.
	Names string
	// Paths are "name" (the file alone) or "full"; "" is relative to Options.Dir.
	Paths string
	// Quiet leaves out all but records.
	Quiet bool
	// Hazards writes each race as the hazard between its two threads, and Both as well as
	// the pair of places.
	Hazards, Both bool
	// OneBased counts threads and blocks from 1, as Fortran does.
	OneBased bool
	// NoFrames leaves out the calls that a place was inlined at.
	NoFrames bool
	// Session are lines about the run, written first.
	Session []string
}

// Sanitizer writes r in the lines of NVIDIA's compute-sanitizer, which people's
// scripts search (Compute Sanitizer User Manual, "Memcheck", "Racecheck",
// "Initcheck" and "Synccheck Tool"). Each pair of places has a record, as the
// tool's analysis report has. The offset in a function is the line of the PTX,
// since there is no machine code.
func Sanitizer(w io.Writer, r *Report, o Options) error {
	s := newSanitizer(o)
	quiet := o.Sanitizer.Quiet
	if !quiet {
		s.line("COMPUTE-SANITIZER")
		for _, l := range o.Sanitizer.Session {
			s.line("%s", printable(l))
		}
	}
	t := s.findings(r)
	for _, m := range r.Messages {
		s.line("%s", printable(m))
	}
	if !quiet {
		s.summary(r, t)
	}
	return s.write(w)
}

// sanitizer collects lines without their prefix.
type sanitizer struct {
	o     Options
	style SanitizerOptions
	lines []string
	// leaks counts the allocations that are not freed, leaked their bytes.
	leaks, leaked uint64
}

func newSanitizer(o Options) *sanitizer {
	style := o.Sanitizer
	style.Prefix = or(style.Prefix, "=========")
	style.RaceLevel = max(style.RaceLevel, style.Level)
	return &sanitizer{o: o, style: style}
}

// totals are what the last lines sum up.
type totals struct {
	errors, unprinted uint64
	races             map[finding.Level]int
}

// findings writes a record for each finding, up to the limit.
func (s *sanitizer) findings(r *Report) totals {
	t := totals{races: map[finding.Level]int{}}
	shown := 0
	for _, f := range s.wanted(r) {
		n := uint64(0)
		switch {
		case f.Rule == "race":
			t.races[f.Level]++
		case f.Level == finding.Error || f.Kind == "unused":
			n = occurrences(f)
		}
		t.errors += n
		if s.o.Limit > 0 && shown >= s.o.Limit {
			t.unprinted += n
			continue
		}
		shown++
		s.finding(relativeTo(f, s.o.Dir))
	}
	return t
}

// occurrences is how many errors compute-sanitizer counts for a finding: each access of a
// thread, each call and each allocation is one.
func occurrences(f *finding.Finding) uint64 {
	var d struct{ Accesses uint64 }
	if f.Rule == "memory" && decode(f.Details, &d) && d.Accesses > 0 {
		return d.Accesses
	}
	return max(f.Count, 1)
}

// wanted are the findings to write. A call that CUDA refuses is there once: as the call that
// returned an error, where these are reported.
func (s *sanitizer) wanted(r *Report) (out []*finding.Finding) {
	failed := map[source.Pos]bool{}
	all := Ungroup(r.Findings)
	for _, f := range all {
		if f.Rule == "api" && f.Kind == "failed" && f.Primary.Loc.IsValid() {
			failed[f.Primary.Loc.Pos] = true
		}
	}
	for _, f := range all {
		level := s.style.Level
		if f.Rule == "race" {
			level = s.style.RaceLevel
		}
		call := f.Rule == "memory" && f.Kernel == "" && f.Kind != "leak"
		if f.Level >= level && !(call && failed[f.Primary.Loc.Pos]) {
			out = append(out, f)
		}
	}
	return out
}

func (s *sanitizer) line(format string, args ...any) {
	s.lines = append(s.lines, visible.Sprintf(format, args...))
}

func (s *sanitizer) detail(format string, args ...any) {
	s.line("    "+format, args...)
}

func (s *sanitizer) end() { s.lines = append(s.lines, "") }

// write puts the prefix before each line.
func (s *sanitizer) write(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, l := range s.lines {
		fmt.Fprintln(b, strings.TrimRight(s.style.Prefix+" "+l, " "))
	}
	return b.Flush()
}

// summary writes the line of each tool that was run.
func (s *sanitizer) summary(r *Report, t totals) {
	if s.leaks > 0 {
		s.line("LEAK SUMMARY: %d bytes leaked in %d allocations", s.leaked, s.leaks)
	}
	others := slices.ContainsFunc(r.Tools, func(t string) bool { return t != "race" })
	if others || len(r.Tools) == 0 {
		s.line("ERROR SUMMARY: %s", count(t.errors, "error", "errors"))
	}
	if t.unprinted > 0 {
		s.line("ERROR SUMMARY: %s not printed. Use --print-limit option to adjust the number of printed errors", count(t.unprinted, "error was", "errors were"))
	}
	if slices.Contains(r.Tools, "race") || len(t.races) > 0 {
		n := t.races[finding.Error] + t.races[finding.Warning] + t.races[finding.Info]
		s.line("RACECHECK SUMMARY: %s displayed (%s, %s)", count(uint64(n), "hazard", "hazards"),
			count(uint64(t.races[finding.Error]), "error", "errors"), count(uint64(t.races[finding.Warning]), "warning", "warnings"))
	}
}

func (s *sanitizer) finding(f *finding.Finding) {
	switch {
	case f.Rule == "race" && len(f.Related) > 0:
		s.race(f)
	case f.Rule == "memory" && (f.Kind == "invalid-free" || f.Kind == "double-free"):
		s.free(f)
	case f.Rule == "memory" && f.Kind == "leak":
		s.leak(f)
	case f.Rule == "memory":
		s.memory(f)
	case f.Rule == "init" && f.Kind == "unused":
		s.unused(f)
	case f.Rule == "init" && f.Kernel != "":
		s.initialized(f)
	case f.Rule == "sync":
		s.where("Barrier error detected. "+sentence(f.Message), f)
	case f.Rule == "launch":
		s.launch(f)
	case f.Rule == "api":
		s.failed(f)
	default:
		s.where(severity(f.Level)+": "+f.Message, f)
	}
	s.end()
}

func severity(l finding.Level) string {
	return [...]string{finding.Info: "Info", finding.Warning: "Warning", finding.Error: "Error"}[l]
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// place is "function+0xNN in file:line".
func (s *sanitizer) place(f *finding.Finding, p *finding.Place) string {
	name := or(s.kernel(f), "host")
	if f.Kernel != "" {
		name = fmt.Sprintf("%s+%#x", name, p.PTXLine)
	}
	if !p.Loc.IsValid() {
		return name
	}
	return fmt.Sprintf("%s in %s:%d", name, s.path(p.Loc.File), p.Loc.Line)
}

// kernel is the kernel's name as it is wanted.
func (s *sanitizer) kernel(f *finding.Finding) string {
	switch {
	case s.style.Names == "no" && f.Kernel != "":
		return f.Kernel
	case s.style.Names == "simple" && f.Kernel != "":
		return finding.DemangleName(f.Kernel)
	}
	return or(f.KernelName, f.Kernel)
}

func (s *sanitizer) path(file string) string {
	switch s.style.Paths {
	case "name":
		file = filepath.Base(file)
	case "full":
		file = s.o.absolute(file)
	}
	return filepath.ToSlash(file)
}

// coord is a coordinate, from 1 on where that is wanted.
func (s *sanitizer) coord(c finding.Coord) finding.Coord {
	if s.style.OneBased {
		return finding.Coord{X: c.X + 1, Y: c.Y + 1, Z: c.Z + 1}
	}
	return c
}

// where writes a head, the place, the thread and the calls around the place.
func (s *sanitizer) where(head string, f *finding.Finding) {
	s.line("%s", printable(head))
	s.detail("at %s", s.place(f, &f.Primary))
	if t := f.Primary.Thread; t != nil {
		s.detail("by thread %v in block %v", s.coord(t.Thread), s.coord(t.Block))
	}
	if f.Kind == "deadlock" || f.Rule == "hang" || f.Rule == "assert" {
		s.notes(f)
	}
}

// notes writes a finding's notes, where the nearest allocation is in the words of
// compute-sanitizer.
func (s *sanitizer) notes(f *finding.Finding) {
	notes := f.Notes
	if f.Nearest && f.Object != nil && len(notes) > 0 {
		if line := nearestLine(f.Object, f.Range); line != "" {
			s.detail("%s", line)
			notes = notes[1:]
		}
	}
	for _, n := range notes {
		s.detail("%s", printable(n))
	}
}
