// Package suppress leaves findings out of a report that the user has said to be
// known: by a line of a file, or by a comment in the source.
package suppress

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/pattern"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Entry is one suppression. What is not given matches everything.
type Entry struct {
	// At is where it was written.
	At source.Pos
	// Text is the line, without its comment.
	Text string
	// Reason is its comment.
	Reason string
	// Used counts the findings that it suppressed.
	Used int
	// Match decides where the entry is not a line of fields; nil where it is.
	Match func(*finding.Finding) bool

	rule, kind  string
	kernel      *pattern.Pattern
	file        *pattern.Pattern
	function    *pattern.Pattern
	first, last int // lines; 0 means any
	stack       []frame
	object      *pattern.Pattern
	texts       []string // of lines, all of which the finding must have
}

// frame is a place that the finding's chain of inlined calls must have.
type frame struct {
	file        pattern.Pattern
	first, last int
}

// List is the suppressions of a file or of several.
type List struct{ Entries []*Entry }

// Read adds the suppressions of a file. Each is a line of fields, those with
// spaces in double quotes, and a comment:
//
//	rule=race kind=RAW kernel="scan*" function=swap file=scan.cu line=10-14 stack=a.cuh:7,a.cu:30 # reason
//	rule=race file=scan.cu object=s text="s[t] = x;" text="y = s[t + 1];"
//
// rule is needed and may be *. kernel, function, file and object are patterns, see
// package pattern. function, file and line match any place of the finding. stack lists places
// that the calls inlined at one of its places pass through, innermost first. object is the variable that the finding is about, text
// a line of one of its places without the spaces around it; several must all be there. In quotes \" is a quotation mark.
// Empty lines and lines of only a comment mean nothing. Errors have file and line.
func (l *List) Read(name string, in io.Reader) error {
	sc, n := bufio.NewScanner(in), 1
	for ; sc.Scan(); n++ {
		fields, comment, err := cut(sc.Text())
		if err == nil && len(fields) > 0 {
			e := &Entry{At: source.Pos{File: name, Line: n}, Text: strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(sc.Text()), "#"+comment)), Reason: strings.TrimSpace(comment)}
			if err = e.parse(fields); err == nil {
				l.Entries = append(l.Entries, e)
			}
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, n, err)
	}
	return nil
}

// cut splits a line into its fields and the comment.
func cut(line string) (fields []string, comment string, err error) {
	var field strings.Builder
	quoted, began := false, false
	end := func() {
		if began {
			fields = append(fields, field.String())
		}
		field.Reset()
		began = false
	}
	for i, c := range line {
		switch {
		case quoted && c == '"' && strings.HasSuffix(field.String(), `\`):
			kept := strings.TrimSuffix(field.String(), `\`)
			field.Reset()
			field.WriteString(kept + `"`)
		case c == '"':
			quoted, began = !quoted, true
		case quoted:
			field.WriteRune(c)
		case c == '#':
			end()
			return fields, line[i+1:], nil
		case c == ' ' || c == '\t' || c == '\r':
			end()
		default:
			field.WriteRune(c)
			began = true
		}
	}
	if quoted {
		return nil, "", fmt.Errorf("a quotation mark is not closed")
	}
	end()
	return fields, "", nil
}

func (e *Entry) parse(fields []string) error {
	for _, f := range fields {
		key, value, ok := strings.Cut(f, "=")
		if !ok || value == "" {
			return fmt.Errorf("%q: want key=value", f)
		}
		if err := e.set(key, value); err != nil {
			return err
		}
	}
	if e.rule == "" {
		return fmt.Errorf("a suppression needs rule=")
	}
	if e.first > 0 && e.file == nil {
		return fmt.Errorf("line= needs file=")
	}
	return nil
}

func (e *Entry) set(key, value string) (err error) {
	switch key {
	case "rule":
		e.rule = value
	case "kind":
		e.kind = value
	case "kernel":
		e.kernel, err = compile(value)
	case "function":
		e.function, err = compile(value)
	case "file":
		e.file, err = compile(value)
	case "object":
		e.object, err = compile(value)
	case "text":
		e.texts = append(e.texts, normal(value))
	case "line":
		e.first, e.last, err = lineRange(value)
	case "stack":
		for _, s := range strings.Split(value, ",") {
			var f frame
			file, lines, ok := strings.Cut(s, ":")
			if ok {
				f.first, f.last, err = lineRange(lines)
			}
			if err == nil {
				f.file, err = pattern.Compile(file)
			}
			if err != nil {
				return err
			}
			e.stack = append(e.stack, f)
		}
	default:
		return fmt.Errorf("unknown field %q: want rule, kind, kernel, function, file, line, stack, object or text", key)
	}
	return err
}

func compile(s string) (*pattern.Pattern, error) {
	p, err := pattern.Compile(s)
	return &p, err
}

func lineRange(s string) (first, last int, err error) {
	a, b, ranged := strings.Cut(s, "-")
	first, err = strconv.Atoi(a)
	last = first
	if err == nil && ranged {
		last, err = strconv.Atoi(b)
	}
	if err != nil || first < 1 || last < first {
		return 0, 0, fmt.Errorf("line %q: want N or N-M", s)
	}
	return first, last, nil
}

// Apply returns the findings that no entry matches, and the others. files have the sources, for entries with text=.
func (l *List) Apply(fs []*finding.Finding, files *source.Files) (kept []*finding.Finding, suppressed []Hit) {
	for _, f := range fs {
		if e := l.find(f, files); e != nil {
			e.Used++
			suppressed = append(suppressed, Hit{f, e.Reason})
			continue
		}
		kept = append(kept, f)
	}
	return kept, suppressed
}

func (l *List) find(f *finding.Finding, files *source.Files) *Entry {
	for _, e := range l.Entries {
		if e.matches(f, files) {
			return e
		}
	}
	return nil
}

// Unused are the entries that matched nothing.
func (l *List) Unused() []*Entry {
	var out []*Entry
	for _, e := range l.Entries {
		if e.Used == 0 {
			out = append(out, e)
		}
	}
	return out
}

func (e *Entry) matches(f *finding.Finding, files *source.Files) bool {
	if e.Match != nil {
		return e.Match(f)
	}
	if e.rule != "*" && e.rule != f.Rule || e.kind != "" && e.kind != f.Kind {
		return false
	}
	if e.kernel != nil && !e.kernel.MatchKernel(f.Kernel) {
		return false
	}
	if e.object != nil && (f.Object == nil || !e.object.Match(f.Object.Name)) || !e.hasTexts(f, files) {
		return false
	}
	return e.matchesPlace(f)
}

// hasTexts reports whether each text is the line of one of the finding's places.
func (e *Entry) hasTexts(f *finding.Finding, files *source.Files) bool {
	for _, want := range e.texts {
		if !slices.ContainsFunc(places(f), func(p finding.Place) bool { return lineText(files, p.Loc.Pos) == want }) {
			return false
		}
	}
	return true
}

// matchesPlace reports whether a place of the finding is one of those that the entry names.
func (e *Entry) matchesPlace(f *finding.Finding) bool {
	if e.file == nil && e.stack == nil && e.function == nil {
		return true
	}
	for _, p := range places(f) {
		if e.function != nil && !e.function.MatchKernel(p.Loc.Func) {
			continue
		}
		if chain := positions(p); e.atPlace(chain) && e.throughStack(chain) {
			return true
		}
	}
	return false
}

// atPlace reports whether any position of a chain lies in the file and lines.
func (e *Entry) atPlace(chain []source.Pos) bool {
	if e.file == nil {
		return true
	}
	for _, p := range chain {
		if within(p, *e.file, e.first, e.last) {
			return true
		}
	}
	return false
}

// throughStack reports whether the chain begins with the frames.
func (e *Entry) throughStack(chain []source.Pos) bool {
	if len(e.stack) > len(chain) {
		return false
	}
	for i, f := range e.stack {
		if !within(chain[i], f.file, f.first, f.last) {
			return false
		}
	}
	return true
}

func within(p source.Pos, file pattern.Pattern, first, last int) bool {
	return file.MatchFile(p.File) && (first == 0 || first <= p.Line && p.Line <= last)
}

func places(f *finding.Finding) []finding.Place {
	return append([]finding.Place{f.Primary}, f.Related...)
}

// positions is the chain of a place, innermost first.
func positions(p finding.Place) []source.Pos {
	return append([]source.Pos{p.Loc.Pos}, p.Loc.InlinedAt...)
}
