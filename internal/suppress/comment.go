package suppress

import (
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// comment is "// warpgrind: ignore race, init (reason)". Without rules, or with
// "all", it ignores every rule.
var comment = regexp.MustCompile(`(?://|/\*)\s*warpgrind:\s*ignore\b([^(*]*)`)

// Comments leaves out the findings that a comment in the source asks to ignore:
// in a line of one of the finding's places or of the calls inlined there, or
// alone in the line before.
func Comments(fs []*finding.Finding, files *source.Files) (kept []*finding.Finding, suppressed int) {
	for _, f := range fs {
		if ignored(f, files) {
			suppressed++
			continue
		}
		kept = append(kept, f)
	}
	return kept, suppressed
}

func ignored(f *finding.Finding, files *source.Files) bool {
	for _, p := range places(f) {
		for _, at := range positions(p) {
			if at.IsValid() && lineIgnores(files, at, f.Rule) {
				return true
			}
		}
	}
	return false
}

func lineIgnores(files *source.Files, at source.Pos, rule string) bool {
	if line, ok := files.Line(at.File, at.Line); ok && textIgnores(line, rule) {
		return true
	}
	before, ok := files.Line(at.File, at.Line-1)
	before = strings.TrimSpace(before)
	return ok && (strings.HasPrefix(before, "//") || strings.HasPrefix(before, "/*")) && textIgnores(before, rule)
}

func textIgnores(line, rule string) bool {
	m := comment.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	rules := strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	return len(rules) == 0 || slices.Contains(rules, rule) || slices.Contains(rules, "all")
}
