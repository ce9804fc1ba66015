package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// The types below are those of SARIF's fixes (section 3.55).
type sarifFix struct {
	Description sarifMessage  `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion  `json:"deletedRegion"`
	Inserted sarifSnippet `json:"insertedContent"`
}

// Fix is a change of the source, of which the program was run.
type Fix struct {
	// What describes it: "add __syncthreads() after line 5".
	What         string
	Replacements []source.Replacement
}

// verified are the fixes of a finding and of its members with which the program was run.
func (s *sarifWriter) verified(f *finding.Finding) (out []sarifFix) {
	for _, m := range append([]*finding.Finding{f}, f.Members...) {
		x, ok := s.o.Fixes[m]
		if !ok {
			continue
		}
		fix := sarifFix{Description: sarifMessage{Text: x.What + " (verified)"}}
		for _, r := range x.Replacements {
			at := artifact(s.o.fromRoot(relative(r.From.File, s.o.Dir)))
			i := slices.IndexFunc(fix.Changes, func(c sarifChange) bool { return c.Artifact == at })
			if i < 0 {
				i, fix.Changes = len(fix.Changes), append(fix.Changes, sarifChange{Artifact: at})
			}
			fix.Changes[i].Replacements = append(fix.Changes[i].Replacements, sarifReplacement{
				sarifRegion{StartLine: r.From.Line, StartColumn: r.From.Col, EndLine: r.To.Line, EndColumn: r.To.Col}, sarifSnippet{r.Text}})
		}
		out = append(out, fix)
	}
	return out
}

// fixes are the changes of the source that a viewer can make: a barrier between two
// statements of one block. Where the text leaves a doubt, there is none.
func (s *sarifWriter) fixes(f *finding.Finding) []sarifFix {
	r := f.Repair
	if !r.Placed() || r.Next || s.o.Files == nil || r.Kind != finding.AddBarrier && r.Kind != finding.AddSyncwarp ||
		r.From.File != r.To.File || r.From.Line >= r.To.Line {
		return nil
	}
	file := relative(r.To.File, s.o.Dir)
	var lines []string
	for n := r.From.Line; n <= r.To.Line; n++ {
		text, ok := s.o.Files.Line(s.o.absolute(file), n)
		if !ok || len(lines) > maxBetween {
			return nil
		}
		lines = append(lines, text)
	}
	indent, ok := oneBlock(lines)
	if !ok {
		return nil
	}
	call := or(r.Call, map[finding.RepairKind]string{finding.AddBarrier: finding.Syncthreads, finding.AddSyncwarp: finding.Syncwarp}[r.Kind])
	at := sarifRegion{StartLine: r.To.Line, StartColumn: 1, EndLine: r.To.Line, EndColumn: 1}
	return []sarifFix{{
		Description: sarifMessage{Text: or(f.Help, "add "+call)},
		Changes:     []sarifChange{{artifact(s.o.fromRoot(file)), []sarifReplacement{{at, sarifSnippet{indent + call + ";\n"}}}}},
	}}
}

// maxBetween is over how many lines a fix is looked for.
const maxBetween = 200

// oneBlock reports whether the first and the last of some lines are statements of one block,
// by their layout: they are indented alike, nothing between them less, and each ends before
// the next begins. It returns the indentation.
func oneBlock(lines []string) (indent string, ok bool) {
	first, last := lines[0], lines[len(lines)-1]
	indent = first[:len(first)-len(strings.TrimLeft(first, " \t"))]
	if last[:len(last)-len(strings.TrimLeft(last, " \t"))] != indent || strings.TrimSpace(last) == "" {
		return "", false
	}
	before := ""
	for _, l := range lines[:len(lines)-1] {
		code, _, _ := strings.Cut(l, "//")
		if code = strings.TrimSpace(code); code == "" {
			continue
		}
		if !strings.HasPrefix(l, indent) || strings.HasPrefix(code, "#") || strings.HasPrefix(code, "case ") || strings.HasPrefix(code, "default:") {
			return "", false
		}
		before = code
	}
	return indent, strings.HasSuffix(before, ";") || strings.HasSuffix(before, "}")
}

// mark is the part of a line that a place is about, in columns of code points from 1; the end
// is the column behind it.
func mark(text string, p *finding.Place) (from, to int) {
	a, b := Extent(text, p.Loc.Col, p.Access != finding.Read)
	a, b = max(0, min(a, len(text))), max(0, min(b, len(text)))
	return utf8.RuneCountInString(text[:a]) + 1, utf8.RuneCountInString(text[:b]) + 1
}
