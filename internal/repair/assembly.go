package repair

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// rewording changes the text of instructions in inline assembly: to returns a text for a match, or the match itself.
type rewording struct {
	match *regexp.Regexp
	to    func(text string) string
}

// The qualifiers of instructions and the numbers of barriers (PTX ISA, "Memory Consistency Model", "bar").
var (
	arrivesRelaxed = rewording{regexp.MustCompile(`mbarrier\.arrive[\w.:]*\.relaxed|barrier\.cluster\.arrive\.relaxed`),
		func(text string) string { return strings.Replace(text, ".relaxed", ".release", 1) }}
	waitsRelaxed = rewording{regexp.MustCompile(`mbarrier\.(try|test)_wait[\w.:]*\.relaxed`),
		func(text string) string { return strings.Replace(text, ".relaxed", ".acquire", 1) }}
	scopedBlock = rewording{regexp.MustCompile(`\.(release|acquire|acq_rel|relaxed)\.cta\b`),
		func(text string) string { return strings.TrimSuffix(text, "cta") + "cluster" }}
	countedLanes = rewording{regexp.MustCompile(`\b(?:bar|barrier)\.(?:cta\.)?(?:sync|arrive|red)[\w.]* +[^,;"]+, *(\d+)`), wholeWarps}
	countedNone  = rewording{regexp.MustCompile(`\b(?:bar|barrier)\.(?:cta\.)?sync[\w.]* +[^,;"]+, *\d+`),
		func(text string) string { return text[:strings.LastIndexByte(text, ',')] }}
)

// wholeWarps rounds the number of threads of a barrier up to whole warps.
func wholeWarps(text string) string {
	const warp = 32
	at := strings.LastIndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) + 1
	n, err := strconv.Atoi(text[at:])
	if err != nil || n == 0 {
		return text
	}
	return text[:at] + strconv.Itoa((n+warp-1)/warp*warp)
}

// reworded changes the inline assembly in the functions of a finding: all places together, and one by one.
func reworded(p *Program, f *finding.Finding, how ...rewording) []*Patch {
	var each []*Patch
	for _, fn := range p.functionsOf(f) {
		fn.each(func(s *statement) {
			if s.node.Kind != "GCCAsmStmt" || s.node.Begin.Macro {
				return
			}
			text := string(s.file.Text[s.from:s.to])
			for _, h := range how {
				for _, m := range h.match.FindAllStringIndex(text, -1) {
					was := text[m[0]:m[1]]
					now := h.to(was)
					if now == was {
						continue
					}
					edits := []Edit{{s.file.Name, s.from + m[0], s.from + m[1], now}}
					each = append(each, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("write %s for %s in line %d", now, was, s.file.line(s.from+m[0]))})
				}
			}
		})
	}
	if each = distinct(each); len(each) < 2 {
		return each
	}
	return append([]*Patch{Join(each...)}, each...)
}

// arrivalsCounted lets a phase of an mbarrier end with the arrivals that it is for: each releases, the wait is for that phase, and
// the mbarrier counts one arrival more.
func arrivalsCounted(p *Program, f *finding.Finding) []*Patch {
	out := reworded(p, f, arrivesRelaxed, waitsRelaxed)
	for _, fn := range p.functionsOf(f) {
		fn.each(func(s *statement) {
			out = append(out, otherPhase(s)...)
			for _, call := range calling(s.node, func(name string) bool { return name == "mbarrier_init" }) {
				if count := s.text(call.Child(2)); count != "" {
					out = append(out, rewrite(s, call.Child(2), count+" + 1"))
				}
			}
		})
	}
	return distinct(out)
}

// otherPhase waits for the other of the two phases that a parity names.
func otherPhase(s *statement) (out []*Patch) {
	if s.node.Kind != "GCCAsmStmt" || !strings.Contains(string(s.file.Text[s.from:s.to]), "wait.parity") {
		return nil
	}
	operands := slices.DeleteFunc(slices.Clone(s.node.Inner), func(n *syntax.Node) bool { return n == nil || s.text(n) == "" || n.Kind == "StringLiteral" })
	if len(operands) < 2 {
		return nil
	}
	parity := operands[1] // the mbarrier comes first
	return []*Patch{rewrite(s, parity, "("+s.text(parity)+") ^ 1")}
}

// barriersCounted gives barriers in inline assembly a number of threads that a block can have: whole warps, or all threads.
func barriersCounted(p *Program, f *finding.Finding) []*Patch {
	return append(reworded(p, f, countedLanes), reworded(p, f, countedNone)...)
}
