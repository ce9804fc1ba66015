package report

import (
	"fmt"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/finding"
)

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
		s.frames(f)
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
	s.frames(f)
}

// frames writes the calls that the place was inlined at.
func (s *sanitizer) frames(f *finding.Finding) {
	if s.style.NoFrames {
		return
	}
	for _, at := range f.Primary.Loc.InlinedAt {
		s.detail("Device Frame: %s in %s:%d", or(s.kernel(f), "device"), s.path(at.File), at.Line)
	}
}

func (s *sanitizer) initialized(f *finding.Finding) {
	var d accessDetails
	decode(f.Details, &d)
	s.where(fmt.Sprintf("Uninitialized %s memory read of size %s", spaceName(d.Space), bytesOf(d.Size)), f)
	if d.Address != nil {
		s.detail("Address %#x", *d.Address)
	}
	s.frames(f)
}

// unused writes an allocation of which bytes were never written.
func (s *sanitizer) unused(f *finding.Finding) {
	var d struct {
		Address, Allocation, Unwritten, Offset uint64
		Contiguous                             bool
	}
	decode(f.Details, &d)
	s.line("Unused __global__ memory in allocation %#x of size %s bytes", d.Address, thousands(d.Allocation))
	if d.Unwritten == d.Allocation {
		s.detail("Not written any memory.")
	} else {
		s.detail("Not written %s bytes at offset %#x (%#x)", thousands(d.Unwritten), d.Offset, d.Address+d.Offset)
	}
	s.detail("%s%% of allocation were unused.", strconv.FormatFloat(100*float64(d.Unwritten)/float64(max(d.Allocation, 1)), 'g', 4, 64))
	s.detail("allocated at %s", s.place(f, &f.Primary))
}

// failedDetails are those of a call that returned an error.
type failedDetails struct {
	Call, Error, Text string
	Code              int
}

// failed writes a call that returned an error.
func (s *sanitizer) failed(f *finding.Finding) {
	var d failedDetails
	decode(f.Details, &d)
	if f.Kind != "failed" {
		s.where(severity(f.Level)+": "+f.Message, f)
		return
	}
	s.line("Program hit %s (error %d) due to %q on CUDA API call to %s.", printable(d.Error), d.Code, printable(d.Text), printable(d.Call))
	s.detail("at %s", s.place(f, &f.Primary))
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
		s.detail("launching %s", s.kernel(f))
	}
	s.notes(f)
}

// race writes a pair of places as racecheck's analysis does, or the hazard between its two
// threads; a hazard is a pair of threads here.
func (s *sanitizer) race(f *finding.Finding) {
	first, then := &f.Related[0], &f.Primary
	if first.Access == finding.Read { // it names a write first
		first, then = then, first
	}
	if s.style.Hazards || s.style.Both {
		s.hazard(f)
	}
	if s.style.Hazards {
		return
	}
	if s.style.Both {
		s.end()
	}
	s.line("%s: Race reported between %s access at %s", severity(f.Level), accessName(first), s.place(f, first))
	s.detail("and %s access at %s [%s]", accessName(then), s.place(f, then), count(f.Count, "hazard", "hazards"))
}

// hazard writes the two threads of a race that were seen first, the earlier one first.
func (s *sanitizer) hazard(f *finding.Finding) {
	var d struct {
		Space   string
		Address uint64
	}
	decode(f.Details, &d)
	block := finding.Coord{}
	if t := f.Primary.Thread; t != nil {
		block = s.coord(t.Block)
	}
	s.line("%s: Potential %s hazard detected at %s %#x in block %v :", severity(f.Level), or(f.Kind, "WAW"), spaceName(d.Space), d.Address, block)
	for _, p := range []*finding.Place{&f.Related[0], &f.Primary} {
		thread := "?"
		if p.Thread != nil {
			thread = s.coord(p.Thread.Thread).String()
		}
		s.detail("%s Thread %s at %s", accessName(p), thread, s.place(f, p))
	}
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

// thousands puts commas between groups of three digits, as compute-sanitizer and the page's
// script do.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
