// Package pattern matches names of kernels and files as users write them.
package pattern

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Pattern matches names. The zero Pattern matches none.
type Pattern struct{ alternatives []*regexp.Regexp }

// Compile reads a pattern: names with * for any text and ? for any character,
// several separated by commas outside of brackets, or "regex:" and a regular
// expression that matches anywhere in the name.
func Compile(s string) (Pattern, error) {
	if expr, ok := strings.CutPrefix(s, "regex:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return Pattern{}, fmt.Errorf("pattern %q: %w", s, err)
		}
		return Pattern{[]*regexp.Regexp{re}}, nil
	}
	var p Pattern
	for _, part := range split(s) {
		if part = strings.TrimSpace(part); part == "" {
			return Pattern{}, fmt.Errorf("pattern %q: an empty name", s)
		}
		expr := regexp.QuoteMeta(part)
		expr = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(expr)
		p.alternatives = append(p.alternatives, regexp.MustCompile(`^(?s:`+expr+`)$`))
	}
	return p, nil
}

// split cuts at commas that are in no bracket: "k(int, int),g" has two parts.
func split(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '(', '<':
			depth++
		case ')', '>':
			depth--
		case ',':
			if depth <= 0 {
				out, from = append(out, s[from:i]), i+1
			}
		}
	}
	return append(out, s[from:])
}

// Match reports whether the pattern matches the whole name.
func (p Pattern) Match(name string) bool {
	for _, re := range p.alternatives {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}

// MatchKernel reports whether the pattern matches one of a kernel's names:
// "_Z4scanIfEvPT_", "scan<float>(float*)", "scan<float>" or "scan".
func (p Pattern) MatchKernel(mangled string) bool {
	return p.Match(mangled) || p.Match(finding.Demangle(mangled)) || p.Match(finding.DemangleName(mangled)) || p.Match(finding.Plain(mangled))
}

// MatchFile reports whether the pattern matches a path or its end, from any
// directory on: "scan.cu" and "src/*.cu" match "/home/me/src/scan.cu".
func (p Pattern) MatchFile(path string) bool {
	for {
		if p.Match(path) {
			return true
		}
		_, rest, ok := strings.Cut(path, "/")
		if !ok {
			return false
		}
		path = rest
	}
}
