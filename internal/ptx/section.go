package ptx

import (
	"encoding/binary"
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

// sectionData is the content of a section of debug information.
type sectionData struct {
	data   []byte
	labels map[string]int
}

// sectionData reads the bytes and labels of a module's section of that name.
func (m *Module) sectionData(name string) *sectionData {
	d := &sectionData{labels: map[string]int{name: 0}}
	for _, it := range m.Items {
		if s, ok := it.(*Section); ok && s.Name == name {
			for _, line := range s.Lines {
				d.line(line)
			}
		}
	}
	return d
}

// dataSizes are the bytes of a directive's values.
var dataSizes = map[string]int{".b8": 1, ".b16": 2, ".b32": 4, ".b64": 8}

// line takes in "label:", ".b8 1,2,3", or a label and data on one line. Values that are not
// numbers, such as the name of another section, are the start of what they name: zero.
func (d *sectionData) line(line string) {
	for {
		name, rest, ok := strings.Cut(line, ":")
		if !ok {
			break
		}
		d.labels[strings.TrimSpace(name)] = len(d.data)
		line = strings.TrimSpace(rest)
	}
	size := 0
	for _, f := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		if n := dataSizes[f]; n > 0 {
			size = n
			continue
		}
		n, err := strconv.ParseInt(f, 0, 64)
		if err != nil && class[f[0]]&cStart == 0 && f[0] != '.' {
			continue
		}
		d.data = append(d.data, binary.LittleEndian.AppendUint64(nil, uint64(n))[:size]...)
	}
}

// at returns the string that begins at label+offset, "" if there is none.
func (d *sectionData) at(label string, offset int64) string {
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
