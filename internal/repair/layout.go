package repair

import (
	"bytes"
	"slices"
	"strings"
)

// How patches are laid out: in the file's own way, so that a reviewer sees what changes and nothing else.

// written is an edit with the line ends of its file.
func (e Edit) written(text []byte) Edit {
	if end := lineEndOf(text); end != "\n" {
		e.Text = strings.ReplaceAll(strings.ReplaceAll(e.Text, end, "\n"), "\n", end)
	}
	return e
}

// lineEndOf is what ends the first line of a text.
func lineEndOf(text []byte) string {
	if n := bytes.IndexByte(text, '\n'); n > 0 && text[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// unit is what the statements of a list are indented by: in the function around the statement, else anywhere in the file.
func (s *statement) unit() string {
	body := s.path()[0]
	for _, in := range body.inner {
		unit, ok := strings.CutPrefix(in.indent(), body.indent())
		if ok && unit != "" && in.file.line(in.from) != in.file.line(body.from) {
			return unit
		}
	}
	return s.file.unit()
}

// unit is what the first line after an opening brace at the end of a line is indented by, beyond the line with the brace.
func (f *File) unit() string {
	blank := " \t\r"
	indent, opens := "", false // of the line before
	for line := range strings.Lines(string(f.Text)) {
		text := strings.Trim(line, blank+"\n")
		if text == "" {
			continue
		}
		own := line[:len(line)-len(strings.TrimLeft(line, blank))]
		if unit, ok := strings.CutPrefix(own, indent); opens && ok && unit != "" {
			return unit
		}
		indent, opens = own, strings.HasSuffix(text, "{")
	}
	return "    "
}

// inNest reports whether the statement's list and one around it begin in its line: lines of its own would leave several braces in one.
func (s *statement) inNest() bool {
	line, lists := s.file.line(s.from), 0
	for o := s.outer; o != nil && s.file.line(o.from) == line; o = o.outer {
		lists += boolean(o.isList())
	}
	return lists > 1
}

// ownLine are the edits that put a statement of a list, and what follows it, on lines of their own, where others share its line.
// A list in one line becomes one of several lines.
func (s *statement) ownLine() (out []Edit) {
	list := s.outer
	i, text, indent := slices.Index(list.inner, s), s.file.Text, s.indent()
	line := s.file.line(s.from)
	opens := s.file.line(list.from) == line
	if opens {
		indent = list.indent() + s.unit()
	}
	apart := func(from, to int, indent string) {
		if from > to { // of what a macro makes
			return
		}
		if gap := text[from:to]; len(bytes.TrimSpace(gap)) == 0 && bytes.IndexByte(gap, '\n') < 0 {
			out = append(out, Edit{s.file.Name, from, to, "\n" + indent})
		}
	}
	for k, in := range list.inner {
		switch {
		case s.file.line(in.from) != line:
		case k > 0 && (opens || k == i || k == i+1):
			apart(list.inner[k-1].to, in.from, indent)
		case k == 0 && opens:
			apart(list.from+1, in.from, indent)
		}
	}
	if last := list.inner[len(list.inner)-1]; s.file.line(list.to-1) == s.file.line(last.to-1) && (last == s || opens) {
		apart(last.to, list.to-1, list.indent())
	}
	return out
}

// listIndent is the white space before the statement once it has a line of its own.
func (s *statement) listIndent() string {
	if s.labels() && len(s.inner) > 0 {
		in := s.inner[len(s.inner)-1]
		if s.file.line(in.from) == s.file.line(s.from) {
			return s.indent() + s.unit()
		}
		return in.indent()
	}
	if s.outer != nil && s.outer.isList() && s.file.line(s.outer.from) == s.file.line(s.from) {
		return s.outer.indent() + s.unit()
	}
	return s.indent()
}
