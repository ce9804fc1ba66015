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
var comment = regexp.MustCompile(`(?://|/\*)\s*warpgrind:\s*ignore\b([^(*]*)(?:\((.*)\))?`)

// Hit is a finding that is left out, and the reason that is given for it.
type Hit struct {
	Finding *finding.Finding
	Reason  string
}

// Comments leaves out the findings that a comment in the source asks to ignore:
// in a line of one of the finding's places or of the calls inlined there, or
// alone in the line before.
func Comments(fs []*finding.Finding, files *source.Files) (kept []*finding.Finding, suppressed []Hit) {
	for _, f := range fs {
		if reason, ok := ignored(f, files); ok {
			suppressed = append(suppressed, Hit{f, reason})
			continue
		}
		kept = append(kept, f)
	}
	return kept, suppressed
}

func ignored(f *finding.Finding, files *source.Files) (reason string, ok bool) {
	for _, p := range places(f) {
		for _, at := range positions(p) {
			if !at.IsValid() {
				continue
			}
			if reason, ok = lineIgnores(files, at, f.Rule); ok {
				return reason, true
			}
		}
	}
	return "", false
}

func lineIgnores(files *source.Files, at source.Pos, rule string) (reason string, ok bool) {
	if line, there := files.Line(at.File, at.Line); there {
		if reason, ok = textIgnores(line, rule); ok {
			return reason, true
		}
	}
	before, there := files.Line(at.File, at.Line-1)
	before = strings.TrimSpace(before)
	if there && (strings.HasPrefix(before, "//") || strings.HasPrefix(before, "/*")) {
		return textIgnores(before, rule)
	}
	return "", false
}

func textIgnores(line, rule string) (reason string, ok bool) {
	m := comment.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	rules := strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	return strings.TrimSpace(m[2]), len(rules) == 0 || slices.Contains(rules, rule) || slices.Contains(rules, "all")
}
