package passes

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// finisher turns llc's output into the final PTX.
type finisher struct {
	out  bytes.Buffer
	locs *irtext.Locations
	keep bool
	// system holds prefixes of the compiler's own headers.
	system []string
	files  map[string]int
	order  []string
	names  map[string]int
	funcs  []string
	// inAsm is set between the markers around inline assembly.
	inAsm bool
	// last is the .loc that was written last in the function.
	last string
}

// FinishPTX puts the real source positions into llc's output and, if the
// build keeps the source's accesses, takes off the .volatile that kept them.
// Inline assembly stays as it is: there .volatile is the source's. What was
// inlined from files whose names begin with one of system counts as standing
// where it was called: atomicAdd is a function of the language to its user.
func (s *State) FinishPTX(ptx []byte, system []string) []byte {
	f := &finisher{locs: s.Locations, keep: s.KeepSource, system: system, files: map[string]int{}, names: map[string]int{}}
	f.out.Grow(len(ptx))
	for len(ptx) > 0 {
		var line []byte
		line, ptx, _ = bytes.Cut(ptx, []byte("\n"))
		f.line(line)
	}
	f.tables()
	return f.out.Bytes()
}

func (f *finisher) line(line []byte) {
	s := bytes.TrimLeft(line, " \t")
	switch {
	case bytes.HasPrefix(s, []byte("// begin inline asm")):
		f.inAsm = true
	case bytes.HasPrefix(s, []byte("// end inline asm")):
		f.inAsm = false
	case f.inAsm && (bytes.HasPrefix(s, []byte(".loc\t")) || bytes.HasPrefix(s, []byte(".loc "))):
		return // a line of the assembly's text, counted on from a number of ours
	case f.inAsm || len(s) == 0:
	case s[0] == '.':
		if f.directive(s) {
			return
		}
	case s[0] == '$' && isDebugLabel(s):
		return
	case f.keep && (s[0] == 'l' || s[0] == 's' || s[0] == '@'):
		line = stripVolatile(line, s)
	}
	f.out.Write(line)
	f.out.WriteByte('\n')
}

// directive handles a line that begins with a dot; true drops it.
func (f *finisher) directive(s []byte) bool {
	switch {
	case bytes.HasPrefix(s, []byte(".loc\t")) || bytes.HasPrefix(s, []byte(".loc ")):
		f.loc(s)
		return true
	case bytes.HasPrefix(s, []byte(".file")):
		return true
	case bytes.HasPrefix(s, []byte(".section")) && bytes.HasSuffix(s, []byte("}")):
		return true // an empty debug section
	case bytes.HasPrefix(s, []byte(".visible")), bytes.HasPrefix(s, []byte(".func")),
		bytes.HasPrefix(s, []byte(".entry")), bytes.HasPrefix(s, []byte(".weak")):
		f.last = ""
	}
	return false
}

// isDebugLabel recognizes the labels that only debug sections use.
func isDebugLabel(s []byte) bool {
	return bytes.HasPrefix(s, []byte("$L__tmp")) || bytes.HasPrefix(s, []byte("$L__func_begin")) ||
		bytes.HasPrefix(s, []byte("$L__func_end"))
}

// stripVolatile takes .volatile off a load or store.
func stripVolatile(line, s []byte) []byte {
	if s[0] == '@' {
		i := bytes.IndexByte(s, ' ')
		if t := bytes.IndexByte(s, '\t'); i < 0 || t >= 0 && t < i {
			i = t
		}
		if i < 0 {
			return line
		}
		s = bytes.TrimLeft(s[i:], " \t")
	}
	if !bytes.HasPrefix(s, []byte("ld.volatile")) && !bytes.HasPrefix(s, []byte("st.volatile")) {
		return line
	}
	at := len(line) - len(s) + 2
	return append(append([]byte{}, line[:at]...), line[at+len(".volatile"):]...)
}

// loc writes the place and the call sites of a numbered location.
func (f *finisher) loc(s []byte) {
	w := strings.Fields(string(s))
	if len(w) < 3 {
		return
	}
	number, err := strconv.Atoi(w[2])
	if err != nil || number == 0 {
		return
	}
	var prev irtext.Place
	for i, p := range f.locs.Chain(number) {
		if p.Line == 0 {
			continue
		}
		if i > 0 && hasAnyPrefix(p.File, f.system) {
			break
		}
		text := fmt.Sprintf("\t.loc\t%d %d %d", f.file(p.File), p.Line, p.Col)
		if i > 0 && prev.Line > 0 {
			text += fmt.Sprintf(", function_name %s, inlined_at %d %d %d", f.function(p.Function), f.file(prev.File), prev.Line, prev.Col)
		}
		prev = p
		if text != f.last {
			f.out.WriteString(text + "\n")
			f.last = text
		}
	}
}

// file returns the index of a file, from 1.
func (f *finisher) file(name string) int {
	n, ok := f.files[name]
	if !ok {
		f.order = append(f.order, name)
		n = len(f.order)
		f.files[name] = n
	}
	return n
}

// function returns the label of a function's name in .debug_str.
func (f *finisher) function(name string) string {
	n, ok := f.names[name]
	if !ok {
		n = len(f.funcs)
		f.funcs = append(f.funcs, name)
		f.names[name] = n
	}
	return "$L__info_string" + strconv.Itoa(n)
}

// tables writes the files and function names that .loc refers to.
func (f *finisher) tables() {
	for i, name := range f.order {
		fmt.Fprintf(&f.out, "\t.file\t%d %s\n", i+1, ptx.Quote(name))
	}
	if len(f.funcs) == 0 {
		return
	}
	f.out.WriteString("\t.section\t.debug_str\n\t{\n")
	for i, name := range f.funcs {
		fmt.Fprintf(&f.out, "$L__info_string%d:\n", i)
		for _, c := range append([]byte(name), 0) {
			fmt.Fprintf(&f.out, ".b8 %d\n", c)
		}
	}
	f.out.WriteString("\t}\n")
}
