package nvrtc

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// NVRTC's log
//
// Programs read it: jitify finds out from it which header to load, others show the line of the first error. So it has
// the form of NVIDIA's: "NAME(LINE): error: TEXT", the line of the source and a caret, and the number of errors at the
// end. Headers have the names that the program gave them. The texts are clang's but for a header that is not found.

// runtimeLog writes a log.
type runtimeLog struct {
	source runtimeSource
	// name is the program's.
	name  string
	out   strings.Builder
	lines map[string][]string // of files
	// wrong are the name expressions that an error was said of.
	wrong map[int]bool
	// errors and catastrophes count the errors that end the compilation at its end and at once.
	errors, catastrophes int
}

// logOf is the log for what clang wrote.
func logOf(text, name string, source runtimeSource) string {
	l := &runtimeLog{source: source, name: name, lines: map[string][]string{}, wrong: map[int]bool{}}
	for _, m := range clang.ParseMessages(text, "") {
		l.message(m)
	}
	l.end()
	return l.out.String()
}

func (l *runtimeLog) message(m clang.Message) {
	text, severity := m.Text, string(m.Severity)
	switch m.Severity {
	case "":
		l.out.WriteString(m.Output)
		return
	case clang.Fatal:
		severity = "catastrophic error"
		l.catastrophes++
	case clang.Error:
		l.errors++
	}
	if m.Header != "" {
		text = fmt.Sprintf("cannot open source file %q", m.Header)
	}
	if m.Group != "" {
		text += " [-W" + m.Group + "]"
	}
	l.line(m.Position, severity, text)
	for _, n := range m.Notes {
		l.line(n.Position, "note", n.Text)
	}
	l.out.WriteByte('\n')
	if m.File == nameMap && m.Severity == clang.Error {
		l.expression(m.Line)
	}
}

// expression says which name expression an error is in, once for each.
func (l *runtimeLog) expression(line int) {
	i := line - firstName
	if i < 0 || i >= len(l.source.names) || l.wrong[i] {
		return
	}
	l.wrong[i] = true
	l.errors++
	l.line(clang.Position{File: nameMap, Line: line}, "error",
		fmt.Sprintf("Error in parsing name expression for lowered name lookup. Input name expression was: %q", l.source.names[i]))
	l.out.WriteByte('\n')
}

// line writes what is at a place, and the line of source there.
func (l *runtimeLog) line(p clang.Position, severity, text string) {
	if p.File == "" {
		fmt.Fprintf(&l.out, "%s: %s\n", severity, text)
		return
	}
	fmt.Fprintf(&l.out, "%s(%d): %s: %s\n", l.source.shown(p.File, l.name), p.Line, severity, text)
	if lines := l.textOf(p.File); p.Line >= 1 && p.Line <= len(lines) && p.Col >= 1 && p.Col <= len(lines[p.Line-1])+1 {
		line := lines[p.Line-1]
		fmt.Fprintf(&l.out, "  %s\n  %s^\n", line, blanks(line[:p.Col-1]))
	}
}

// textOf are the lines of a file as its diagnostics count them.
func (l *runtimeLog) textOf(file string) []string {
	lines, ok := l.lines[file]
	if !ok {
		text := l.source.text
		if file != l.source.file {
			data, _ := userfile.Read(file) // what a #line directive names need not exist
			text = string(data)
		}
		lines = strings.Split(text, "\n")
		l.lines[file] = lines
	}
	return lines
}

// blanks is white space as wide as a text.
func blanks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, text)
}

// end writes how many errors there were.
func (l *runtimeLog) end() {
	var counts []string
	if l.errors > 0 {
		counts = append(counts, count(l.errors, "error"))
	}
	if l.catastrophes > 0 {
		counts = append(counts, count(l.catastrophes, "catastrophic error"))
	}
	if len(counts) == 0 {
		return
	}
	fmt.Fprintf(&l.out, "%s detected in the compilation of %q.\n", strings.Join(counts, " and "), l.name)
	if l.catastrophes > 0 {
		l.out.WriteString("Compilation terminated.\n")
	}
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// shown is how the program calls a file; its source is called name.
func (w *runtimeSource) shown(file, name string) string {
	if file == w.file {
		return name
	}
	if rel, err := filepath.Rel(w.root, file); err == nil && w.headers[rel] {
		return rel
	}
	return file
}
