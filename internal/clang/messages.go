package clang

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// What clang writes
//
// clang writes a diagnostic as "FILE:LINE:COLUMN: warning: TEXT [-WGROUP]" (Clang
// Compiler User's Manual, "Formatting of Diagnostics"), then its notes in the same form; what has no
// place begins with the severity, or with the name of the tool. A line "fix-it:..." gives a change that a
// note proposes. The group says what kind of mistake it is; the text is for people. Lines of source, which
// could look like anything, are left out by messageFlags.

// messageFlags fix the form of what clang writes, for ParseMessages.
var messageFlags = []string{
	"-fdiagnostics-show-option", "-fno-color-diagnostics", "-fdiagnostics-format=clang", "-fno-caret-diagnostics",
	"-fdiagnostics-parseable-fixits",
}

// Severity is how serious a message of clang's is, in its own word; "" is that of lines that are not diagnostics.
type Severity string

// The severities. What is fatal ends the compilation at once.
const (
	Fatal   Severity = "fatal error"
	Error   Severity = "error"
	Warning Severity = "warning"
	Remark  Severity = "remark"
	note    Severity = "note"
)

// Message is a diagnostic of clang's.
type Message struct {
	// Position is zero where it has none.
	Position
	Severity Severity
	// Group is the warning's option without its dash and W: "array-bounds".
	Group string
	Text  string
	// Header is the header that was not found, as the source names it; "" for other messages.
	Header string
	Notes  []Note
	// Output is all that clang wrote of it.
	Output string
}

// Position is a place in a file; the file's name is absolute.
type Position struct {
	File      string
	Line, Col int
}

// Note is what clang says about another place.
type Note struct {
	Position
	Text string
	// Proposes is set if it is there for a change that it proposes.
	Proposes bool
}

var (
	messageLine  = regexp.MustCompile(`^(?:(.+?):(\d+):(\d+): |clang[^ :]*: )?(warning|error|fatal error|note|remark): (.*)$`)
	groupOption  = regexp.MustCompile(`^(.*) \[(?:-Werror,)?-W([^\],]+)\]$`)
	includedFrom = regexp.MustCompile(`^In file included from .+:\d+:$`)
	// absentHeader is the text for a header that is not found; clang has no option that names this kind.
	absentHeader = regexp.MustCompile(`^'([^']+)' file not found`)
)

// linkLine matches what GNU ld, gold, lld and mold write of a program that they cannot link: the place is that of the source where the
// object has debug information, else a part of an object.
var linkLine = regexp.MustCompile(`^(?:\S*\bld(?:\.\w+)?: |mold: )?(?:(\S.*?):(?:(\d+)|\(\.\S+\)): )?(?:error: )?((?:undefined (?:reference to|symbol:)|multiple definition of|duplicate symbol:|cannot find|unable to find library) .+)$`)

// LinkErrors reads what a linker wrote, with one error for each line and text.
func LinkErrors(text string) (list []Message) {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		m := linkLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		out := Message{Severity: Error, Text: m[3], Output: line}
		if n, err := strconv.Atoi(m[2]); err == nil {
			out.Position = Position{File: m[1], Line: n}
		}
		if key := out.File + ":" + m[2] + ":" + out.Text; !seen[key] {
			seen[key] = true
			list = append(list, out)
		}
	}
	return list
}

// ParseMessages reads what clang wrote, with names of files relative to dir. The Output of all of them is the text.
func ParseMessages(text, dir string) []Message {
	var list []Message
	path := "" // how clang came to the file of the next one
	for line := range strings.Lines(text) {
		bare := strings.TrimSuffix(line, "\n")
		if includedFrom.MatchString(bare) {
			path += line
			continue
		}
		m := messageLine.FindStringSubmatch(bare)
		last := len(list) - 1
		switch {
		case m != nil && (Severity(m[4]) != note || last < 0):
			list = append(list, newMessage(m, dir))
			last++
		case last < 0:
			list = append(list, Message{})
			last++
		case m != nil:
			list[last].Notes = append(list[last].Notes, Note{Position: positionOf(m, dir), Text: m[5]})
		case strings.HasPrefix(line, "fix-it:") && len(list[last].Notes) > 0:
			list[last].Notes[len(list[last].Notes)-1].Proposes = true
			continue
		}
		list[last].Output += path + line
		path = ""
	}
	if path != "" {
		list = append(list, Message{Output: path})
	}
	return list
}

func newMessage(m []string, dir string) Message {
	d := Message{Position: positionOf(m, dir), Severity: Severity(m[4]), Text: m[5]}
	if g := groupOption.FindStringSubmatch(d.Text); g != nil {
		d.Text, d.Group = g[1], g[2]
	}
	if h := absentHeader.FindStringSubmatch(d.Text); h != nil && d.Severity == Fatal {
		d.Header = h[1]
	}
	return d
}

func positionOf(m []string, dir string) Position {
	p := Position{File: m[1]}
	if p.File == "" {
		return p
	}
	if !filepath.IsAbs(p.File) {
		p.File = filepath.Join(dir, p.File)
	}
	p.File = filepath.Clean(p.File)
	p.Line, _ = strconv.Atoi(m[2])
	p.Col, _ = strconv.Atoi(m[3])
	return p
}
