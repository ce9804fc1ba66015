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
)

// Sanitizer writes r in the lines of NVIDIA's compute-sanitizer, which people's
// scripts search (Compute Sanitizer User Manual, "Memcheck", "Racecheck",
// "Initcheck" and "Synccheck Tool"). Each pair of places has a record, as the
// tool's analysis report has. The offset in a function is the line of the PTX,
// since there is no machine code.
func Sanitizer(w io.Writer, r *Report, o Options) error {
	b := bufio.NewWriter(w)
	s := &sanitizer{w: b}
	s.line("COMPUTE-SANITIZER")
	errors := 0
	races := map[finding.Level]int{}
	for i, f := range Ungroup(r.Findings) {
		shown := o.Limit <= 0 || i < o.Limit
		if f.Rule == "race" {
			races[f.Level]++
		} else if f.Level == finding.Error {
			errors++
			if f.Kind == "leak" { // each allocation is one
				errors += max(int(f.Count), 1) - 1
			}
		}
		if shown {
			s.finding(relativeTo(f, o.Dir))
		}
	}
	for _, m := range r.Messages {
		s.line("%s", printable(m))
	}
	s.summary(r, errors, races)
	return b.Flush()
}

type sanitizer struct {
	w *bufio.Writer
	// leaks counts the allocations that are not freed, leaked their bytes.
	leaks, leaked uint64
}

func (s *sanitizer) line(format string, args ...any) {
	fmt.Fprintf(s.w, "========= "+format+"\n", args...)
}

func (s *sanitizer) detail(format string, args ...any) {
	s.line("    "+format, args...)
}

func (s *sanitizer) end() { fmt.Fprintln(s.w, "=========") }

// leakDetails are those of a leak.
type leakDetails struct {
	Leaked []struct{ Address, Size uint64 }
}

// leak writes a record for each allocation; the last is ended by its caller.
func (s *sanitizer) leak(f *finding.Finding) {
	var d leakDetails
	decode(f.Details, &d)
	for i, l := range d.Leaked {
		if i > 0 {
			s.end()
		}
		s.line("Leaked %s bytes at %#x", thousands(l.Size), l.Address)
		s.detail("allocated at %s", s.place(f, &f.Primary))
		s.leaks++
		s.leaked += l.Size
	}
}

// summary writes the line of each tool that was run.
func (s *sanitizer) summary(r *Report, errors int, races map[finding.Level]int) {
	if s.leaks > 0 {
		s.line("LEAK SUMMARY: %d bytes leaked in %d allocations", s.leaked, s.leaks)
	}
	others := slices.ContainsFunc(r.Tools, func(t string) bool { return t != "race" })
	if others || len(r.Tools) == 0 {
		s.line("ERROR SUMMARY: %s", count(uint64(errors), "error", "errors"))
	}
	if slices.Contains(r.Tools, "race") || len(races) > 0 {
		n := races[finding.Error] + races[finding.Warning] + races[finding.Info]
		s.line("RACECHECK SUMMARY: %s displayed (%s, %s)", count(uint64(n), "hazard", "hazards"),
			count(uint64(races[finding.Error]), "error", "errors"), count(uint64(races[finding.Warning]), "warning", "warnings"))
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
	case f.Rule == "init" && f.Kernel != "":
		s.initialized(f)
	case f.Rule == "sync":
		s.where("Barrier error detected. "+sentence(f.Message), f)
	case f.Rule == "launch":
		s.launch(f)
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
	name := or(or(f.KernelName, f.Kernel), "host")
	if f.Kernel != "" {
		name = fmt.Sprintf("%s+%#x", name, p.PTXLine)
	}
	if !p.Loc.IsValid() {
		return name
	}
	return fmt.Sprintf("%s in %s:%d", name, filepath.ToSlash(p.Loc.File), p.Loc.Line)
}

// where writes a head, the place and the thread.
func (s *sanitizer) where(head string, f *finding.Finding) {
	s.line("%s", printable(head))
	s.detail("at %s", s.place(f, &f.Primary))
	if t := f.Primary.Thread; t != nil {
		s.detail("by thread %v in block %v", t.Thread, t.Block)
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

// accessDetails are those of memory and init that the lines are made from.
type accessDetails struct {
	Space   string  `json:"space"`
	Access  string  `json:"access"`
	Address *uint64 `json:"address"`
	Size    int     `json:"size"`
}

func (s *sanitizer) memory(f *finding.Finding) {
	var d accessDetails
	if !decode(f.Details, &d) || d.Size == 0 {
		s.where(sentence(f.Message), f)
		s.notes(f)
		return
	}
	access := map[string]string{"read": "read", "write": "write", "atomic": "atomic"}[d.Access]
	s.where(fmt.Sprintf("Invalid %s %s of size %s", spaceName(d.Space), or(access, d.Access), bytesOf(d.Size)), f)
	if d.Address != nil {
		what := "is out of bounds"
		if f.Kind == "misaligned" {
			what = "is misaligned"
		}
		s.detail("Address %#x %s", *d.Address, what)
	}
	s.notes(f)
}

func (s *sanitizer) initialized(f *finding.Finding) {
	var d accessDetails
	decode(f.Details, &d)
	s.where(fmt.Sprintf("Uninitialized %s memory read of size %s", spaceName(d.Space), bytesOf(d.Size)), f)
	if d.Address != nil {
		s.detail("Address %#x", *d.Address)
	}
}

func spaceName(space string) string {
	switch space {
	case "constant":
		space = "constant"
	case "", "generic":
		space = "global"
	}
	return "__" + space + "__"
}

// bytesOf is "1 bytes" of one, too, as there.
func bytesOf(n int) string { return fmt.Sprintf("%d bytes", n) }

// nearestLine says where an access lies from the nearest allocation. It counts from the
// last byte of the allocation on, so that the one right after it is 1 byte after it;
// before an allocation it counts to the first one. It is "" for one that begins within.
func nearestLine(o *finding.Object, at finding.Bytes) string {
	n, side := -at.Lo, "before"
	switch end := int64(o.Size); {
	case at.Lo >= end:
		n, side = at.Lo-end+1, "after"
	case at.Lo >= 0:
		return ""
	}
	return fmt.Sprintf("and is %s bytes %s the nearest allocation at %#x of size %d bytes", thousands(uint64(n)), side, o.Address, o.Size)
}

func (s *sanitizer) free(f *finding.Finding) {
	kind := "Invalid pointer to free"
	if f.Kind == "double-free" {
		kind = "Double free"
	}
	s.line("Malloc/Free error encountered : %s", kind)
	s.detail("at %s", s.place(f, &f.Primary))
	s.detail("%s", printable(f.Message))
}

// launchErrors are the codes of what a launch can be refused with (CUDA Runtime
// API, "Data types used by CUDA Runtime": cudaError).
var launchErrors = map[string]int{
	"cudaErrorInvalidValue": 1, "cudaErrorInvalidConfiguration": 9, "cudaErrorInvalidDeviceFunction": 98,
	"cudaErrorLaunchOutOfResources": 701, "cudaErrorCooperativeLaunchTooLarge": 720,
}

// launch writes an invalid kernel launch as the call that returned the error.
func (s *sanitizer) launch(f *finding.Finding) {
	var d struct {
		Error string `json:"error"`
		Limit string `json:"limit"`
	}
	decode(f.Details, &d)
	name := or(d.Error, "an error")
	if code, ok := launchErrors[d.Error]; ok {
		name += fmt.Sprintf(" (error %d)", code)
	}
	s.line("Program hit %s due to %q on CUDA API call to cudaLaunchKernel.", name, printable(or(d.Limit, f.Message)))
	if f.Kernel != "" {
		s.detail("launching %s", or(f.KernelName, f.Kernel))
	}
	s.notes(f)
}

// race writes a pair of places as racecheck's analysis does; a hazard is a pair
// of threads here.
func (s *sanitizer) race(f *finding.Finding) {
	first, then := &f.Related[0], &f.Primary
	if first.Access == finding.Read { // it names a write first
		first, then = then, first
	}
	s.line("%s: Race reported between %s access at %s", severity(f.Level), accessName(first), s.place(f, first))
	s.detail("and %s access at %s [%s]", accessName(then), s.place(f, then), count(f.Count, "hazard", "hazards"))
}

func accessName(p *finding.Place) string {
	switch p.Access {
	case finding.Read:
		return "Read"
	case finding.Atomic:
		return "Atomic"
	}
	return "Write"
}

// thousands puts commas between groups of three digits, as compute-sanitizer does.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
