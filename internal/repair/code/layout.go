package code

import (
	"bytes"
	"slices"
	"strings"
)

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

// Unit is what the statements of a list are indented by: in the function around the statement, else anywhere in the file.
func (s *Statement) Unit() string {
	body := s.path()[0]
	for _, in := range body.Inner {
		unit, ok := strings.CutPrefix(in.Indent(), body.Indent())
		if ok && unit != "" && in.File.Line(in.From) != in.File.Line(body.From) {
			return unit
		}
	}
	return s.File.unit()
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
func (s *Statement) inNest() bool {
	line, lists := s.File.Line(s.From), 0
	for o := s.Outer; o != nil && s.File.Line(o.From) == line; o = o.Outer {
		lists += Boolean(o.IsList())
	}
	return lists > 1
}

// ownLine are the edits that put a statement of a list, and what follows it, on lines of their own, where others share its line.
// A list in one line becomes one of several lines.
func (s *Statement) ownLine() (out []Edit) {
	list := s.Outer
	i, text, indent := slices.Index(list.Inner, s), s.File.Text, s.Indent()
	line := s.File.Line(s.From)
	opens := s.File.Line(list.From) == line
	if opens {
		indent = list.Indent() + s.Unit()
	}
	apart := func(from, to int, indent string) {
		if from > to { // of what a macro makes
			return
		}
		if gap := text[from:to]; len(bytes.TrimSpace(gap)) == 0 && bytes.IndexByte(gap, '\n') < 0 {
			out = append(out, s.File.Replace(from, to, "\n"+indent))
		}
	}
	for k, in := range list.Inner {
		switch {
		case s.File.Line(in.From) != line:
		case k > 0 && (opens || k == i || k == i+1):
			apart(list.Inner[k-1].To, in.From, indent)
		case k == 0 && opens:
			apart(list.From+1, in.From, indent)
		}
	}
	if last := list.Inner[len(list.Inner)-1]; s.File.Line(list.To-1) == s.File.Line(last.To-1) && (last == s || opens) {
		apart(last.To, list.To-1, list.Indent())
	}
	return out
}

// listIndent is the white space before the statement once it has a line of its own.
func (s *Statement) listIndent() string {
	if s.Labels() && len(s.Inner) > 0 {
		in := s.Inner[len(s.Inner)-1]
		if s.File.Line(in.From) == s.File.Line(s.From) {
			return s.Indent() + s.Unit()
		}
		return in.Indent()
	}
	if s.Outer != nil && s.Outer.IsList() && s.File.Line(s.Outer.From) == s.File.Line(s.From) {
		return s.Outer.Indent() + s.Unit()
	}
	return s.Indent()
}
