package code

import (
	"bytes"
)

// conditional is a part of a file from the line of an #if to that of its #endif, with its end behind that line's text.
type conditional struct{ begin, end int }

// conditionals are those of a file, inner ones before those around them.
func (f *File) conditionals() (out []conditional) {
	var open []int
	for _, begin := range f.Lines {
		line := f.Text[begin:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		word, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("#"))
		if !ok {
			continue
		}
		word = bytes.TrimLeft(word, " \t")
		switch {
		case bytes.HasPrefix(word, []byte("if")):
			open = append(open, begin)
		case bytes.HasPrefix(word, []byte("endif")) && len(open) > 0:
			out = append(out, conditional{open[len(open)-1], begin + len(bytes.TrimRight(line, "\r"))})
			open = open[:len(open)-1]
		}
	}
	return out
}

// around returns the outermost of the parts around an offset that do not hold all of some others; ok is false for none.
func (f *File) around(at int, ends []int) (c conditional, ok bool) {
	if len(ends) == 0 {
		return c, false
	}
	for _, part := range f.conditionals() {
		holds := func(off int) bool { return part.begin <= off && off < part.end }
		if !holds(at) {
			continue
		}
		all := true
		for _, e := range ends {
			all = all && holds(e)
		}
		if !all {
			c, ok = part, true
		}
	}
	return c, ok
}

// conditionalEnd is the end of the part around an offset that does not hold all of some others, 0 for none; conditionalBegin is its beginning,
// -1 for none.
func (f *File) conditionalEnd(at int, ends []int) int {
	if c, ok := f.around(at, ends); ok {
		return c.end
	}
	return 0
}

func (f *File) conditionalBegin(at int, ends []int) int {
	if c, ok := f.around(at, ends); ok {
		return c.begin
	}
	return -1
}
