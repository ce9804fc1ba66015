package ptx

import (
	"strconv"
	"strings"
)

// section parses .section name { ... } and keeps its lines (PTX ISA,
// "Debugging Directives: .section").
func (p declParser) section() *Section {
	s := &Section{Pos: p.tok.pos}
	p.next()
	s.Name = p.labelName()
	if p.tok.kind != '{' {
		p.unexpected(`"{"`)
		return s
	}
	start := p.tok.pos
	if !p.sectionLines(s) {
		p.errorf(start, "section not closed")
		return s
	}
	p.next()
	return s
}

// sectionLines reads lines up to the closing brace, which it skips; it
// reports false if there is none.
func (p declParser) sectionLines(s *Section) bool {
	l := &p.lex
	var line sectionLine
	start := l.off
	for l.off < len(l.src) {
		c := l.src[l.off]
		if c != '}' && c != '\n' && !l.atComment() {
			l.off++
			continue
		}
		line.add(l.src[start:l.off])
		switch c {
		case '}':
			line.flush(s)
			l.off++
			return true
		case '\n':
			line.flush(s)
			l.newline()
		default:
			l.skipOneComment()
		}
		start = l.off
	}
	return false
}

// sectionLine is a line as the parts between its comments.
type sectionLine struct{ parts []string }

func (l *sectionLine) add(text string) {
	if text = strings.Trim(text, " \t\r\f\v"); text != "" {
		l.parts = append(l.parts, text)
	}
}

func (l *sectionLine) flush(s *Section) {
	if len(l.parts) > 0 {
		s.Lines = append(s.Lines, strings.Join(l.parts, " "))
		l.parts = l.parts[:0]
	}
}

// debugStr is the content of the .debug_str section.
type debugStr struct {
	data   []byte
	labels map[string]int
}

// newDebugStr reads the bytes and labels of a module's .debug_str.
func newDebugStr(m *Module) *debugStr {
	d := &debugStr{labels: map[string]int{".debug_str": 0}}
	for _, it := range m.Items {
		if s, ok := it.(*Section); ok && s.Name == ".debug_str" {
			for _, line := range s.Lines {
				d.line(line)
			}
		}
	}
	return d
}

// line takes in "label:", ".b8 1,2,3", or a label and data on one line.
func (d *debugStr) line(line string) {
	for {
		name, rest, ok := strings.Cut(line, ":")
		if !ok {
			break
		}
		d.labels[strings.TrimSpace(name)] = len(d.data)
		line = strings.TrimSpace(rest)
	}
	for {
		i := strings.Index(line, ".b8")
		if i < 0 {
			return
		}
		line = line[i+len(".b8"):]
		list, _, _ := strings.Cut(line, ".")
		for _, f := range strings.Split(list, ",") {
			if n, err := strconv.ParseInt(strings.TrimSpace(f), 0, 16); err == nil {
				d.data = append(d.data, byte(n))
			}
		}
	}
}

// at returns the string that begins at label+offset, "" if there is none.
func (d *debugStr) at(label string, offset int64) string {
	base, ok := d.labels[label]
	if !ok || offset < 0 || offset >= int64(len(d.data)-base) {
		return ""
	}
	s := d.data[base+int(offset):]
	for i, c := range s {
		if c == 0 {
			return string(s[:i])
		}
	}
	return string(s)
}
