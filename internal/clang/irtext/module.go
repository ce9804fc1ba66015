// Package irtext is LLVM IR as text, a line at a time: clang and opt print one
// instruction a line, and a line that no pass is about stays as it is, byte for byte.
// Only the shapes that LLVM itself prints are understood.
//
// A Module is parsed once. Its Lines are immutable and remember what was found out
// about them, so that all passes share one reading of each; a pass hands on the lines
// that it leaves alone and writes others with a Builder. Types, debug information and
// kernels of a module are asked of it, too, and are found once for each version.
package irtext

import (
	"bytes"
	"fmt"
	"strings"
)

// Module is a module of LLVM IR.
type Module struct {
	Lines []*Line
	// What was found in Lines, nil until someone asks.
	types     *Types
	nodes     Nodes
	locations *Locations
	kernels   map[string]bool
}

// Code is the text that clang or opt printed, for LLVM to read. A comment before the module has the name of the source as it is: one with
// ends of lines makes the rest of it code, and is left out.
func Code(text []byte) []byte {
	if at := bytes.Index(text, []byte("\nsource_filename = ")); at > 0 && bytes.HasPrefix(text, []byte("; ModuleID")) && bytes.ContainsAny(text[:at], "\r\n") {
		return text[at+1:]
	}
	return text
}

// Parse reads what clang or opt printed.
func Parse(text []byte) *Module {
	text = Code(text)
	lines := make([]*Line, 0, bytes.Count(text, []byte("\n"))+1)
	for line := range strings.Lines(string(text)) {
		lines = append(lines, &Line{Text: strings.TrimSuffix(line, "\n")})
	}
	return &Module{Lines: lines}
}

// Bytes renders the module.
func (m *Module) Bytes() []byte {
	n := 0
	for _, l := range m.Lines {
		n += len(l.Text) + 1
	}
	out := make([]byte, 0, n)
	for _, l := range m.Lines {
		out = append(append(out, l.Text...), '\n')
	}
	return out
}

// Replace gives the module the lines of a builder.
func (m *Module) Replace(b *Builder) { *m = Module{Lines: b.lines()} }

// Contains reports whether a line has a text in it.
func (m *Module) Contains(text string) bool {
	for _, l := range m.Lines {
		if strings.Contains(l.Text, text) {
			return true
		}
	}
	return false
}

// Kernels are the names of the module's kernels: by annotation (up to LLVM 20) or
// calling convention.
func (m *Module) Kernels() map[string]bool {
	if m.kernels != nil {
		return m.kernels
	}
	m.kernels = map[string]bool{}
	for _, l := range m.Lines {
		if before, _, ok := strings.Cut(l.Text, `, !"kernel", i32 1`); ok {
			if at := strings.LastIndexByte(before, '@'); at >= 0 {
				m.kernels[before[at+1:]] = true
			}
		}
		if _, after, ok := strings.Cut(l.Text, " ptx_kernel "); ok {
			if at := strings.IndexByte(after, '@'); at >= 0 {
				m.kernels[after[at+1:at+NameEnd(after[at:])]] = true
			}
		}
	}
	return m.kernels
}

// Body returns the lines of the function whose definition is line i, with it and
// without the brace at its end; none where no function begins.
func (m *Module) Body(i int) []*Line {
	if !m.Lines[i].Defines() {
		return nil
	}
	for k := i; k < len(m.Lines); k++ {
		if m.Lines[k].Text == "}" {
			return m.Lines[i:k]
		}
	}
	return nil
}

// Functions calls f for each function, with its lines from the definition to before the
// closing brace, and keeps all other lines.
func (m *Module) Functions(out *Builder, f func(lines []*Line)) {
	for i := 0; i < len(m.Lines); i++ {
		if body := m.Body(i); body != nil {
			f(body)
			i += len(body)
		}
		out.Keep(m.Lines[i])
	}
}

// Line is one line. It is parsed when something of it is first asked for.
type Line struct {
	Text string // without its newline

	read    reading
	access  Access
	name    string
	def     string
	symbol  string
	args    string
	tail    string
	values  []string
	accepts bool // access is one
	defines bool // name and def are there
}

// reading says which parts of a line have been read.
type reading uint8

const (
	readAccess reading = 1 << iota
	readDefinition
	readCall
	readValues
)

func (l *Line) first(r reading) bool {
	done := l.read&r != 0
	l.read |= r
	return !done
}

// HasPrefix reports how the line begins.
func (l *Line) HasPrefix(prefix string) bool { return strings.HasPrefix(l.Text, prefix) }

// Contains reports whether a text is in the line.
func (l *Line) Contains(text string) bool { return strings.Contains(l.Text, text) }

// Defines reports whether a function begins in the line.
func (l *Line) Defines() bool { return l.HasPrefix("define ") }

// IsInstruction reports whether the line is in a function's body and no label.
func (l *Line) IsInstruction() bool { return l.HasPrefix("  ") }

// Access returns the load or store of the line; ok is false for any other.
func (l *Line) Access() (a Access, ok bool) {
	if l.first(readAccess) {
		l.access, l.accepts = parseAccess(l.Text)
	}
	return l.access, l.accepts
}

// Definition splits "  %x = ..." up.
func (l *Line) Definition() (name, def string, ok bool) {
	if l.first(readDefinition) && l.HasPrefix("  %") {
		l.name, l.def, l.defines = strings.Cut(l.Text[2:], " = ")
		if !l.defines {
			l.def = ""
		}
	}
	return l.name, l.def, l.defines
}

// Op returns the name of the value that the line defines, its operation, and the rest;
// name is "" for a line that defines none.
func (l *Line) Op() (name, op, rest string) {
	name, def, ok := l.Definition()
	if !ok {
		return "", "", ""
	}
	op, rest, _ = strings.Cut(def, " ")
	return name, op, rest
}

// Call returns the function that the line names directly, the text between its
// parentheses, and what follows.
func (l *Line) Call() (name, args, tail string) {
	if l.first(readCall) {
		l.symbol, l.args, l.tail = callee(l.Text)
	}
	return l.symbol, l.args, l.tail
}

// Values are the local values that the line names, with that which it defines.
func (l *Line) Values() []string {
	if l.first(readValues) {
		l.values = Values(l.Text)
	}
	return l.values
}

// Debug is the ", !dbg !N" of the line, or "".
func (l *Line) Debug() string { return DebugOf(l.Text) }

// callee returns the function that a call line names directly, the text between its
// parentheses, and what follows.
func callee(s string) (name, args, tail string) {
	at := strings.IndexByte(s, '@')
	if at < 0 {
		return "", "", ""
	}
	end := at + NameEnd(s[at:])
	if end >= len(s) || s[end] != '(' {
		return "", "", ""
	}
	n := MatchBracket(s[end:])
	if s[end+n-1] != ')' {
		return "", "", ""
	}
	return s[at+1 : end], s[end+1 : end+n-1], s[end+n:]
}

// Builder makes the lines of a module: those that are kept, and written ones.
type Builder struct {
	out     []*Line
	partial []byte
}

// Keep adds a line as it is.
func (b *Builder) Keep(l *Line) { b.out = append(b.out, l) }

// Line adds the line l with another text, l itself if it is the same.
func (b *Builder) Line(l *Line, text string) {
	if l.Text == text {
		b.Keep(l)
		return
	}
	b.WriteString(text + "\n")
}

// WriteString adds text, which ends in a newline or continues with the next call.
func (b *Builder) WriteString(s string) {
	for {
		line, rest, ok := strings.Cut(s, "\n")
		if !ok {
			b.partial = append(b.partial, s...)
			return
		}
		if len(b.partial) > 0 {
			line, b.partial = string(b.partial)+line, b.partial[:0]
		}
		b.out = append(b.out, &Line{Text: line})
		s = rest
	}
}

// Printf adds formatted text, as WriteString does.
func (b *Builder) Printf(format string, args ...any) { b.WriteString(fmt.Sprintf(format, args...)) }

func (b *Builder) lines() []*Line {
	if len(b.partial) > 0 {
		b.WriteString("\n")
	}
	return b.out
}
