package ptx

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testFiles returns the PTX files of testdata by name.
func testFiles(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(names) == 0 {
		t.Fatal("no test data", err)
	}
	files := map[string][]byte{}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(n)] = b
	}
	return files
}

// roundTrip checks that printing and parsing again gives an equal module and
// the same text.
func roundTrip(t *testing.T, m *Module) {
	t.Helper()
	var a, b bytes.Buffer
	if err := Print(&a, m); err != nil {
		t.Fatal(err)
	}
	m2, err := Parse("printed.ptx", a.Bytes())
	if err != nil {
		t.Fatalf("printed text does not parse: %v\n%s", err, context(a.String(), err))
	}
	if !Equal(m, m2) {
		t.Fatalf("printed and parsed module differs:\n%s", a.String())
	}
	if err := Print(&b, m2); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Fatal("printing is not stable", err)
	}
}

// context returns the line of text that an error points at.
func context(text string, err error) string {
	e, ok := err.(*Error)
	lines := strings.Split(text, "\n")
	if !ok || e.Pos.Line > len(lines) {
		return ""
	}
	return lines[e.Pos.Line-1]
}

func TestRoundTrip(t *testing.T) {
	for name, src := range testFiles(t) {
		t.Run(name, func(t *testing.T) {
			m, err := Parse(name, src)
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, m)
			checkComplete(t, m)
		})
	}
}

// checkComplete wants every instruction to have a row and, where the file has
// line information, a file name.
func checkComplete(t *testing.T, m *Module) {
	n := 0
	walk(m, func(in *Instr) {
		n++
		if in.Desc == nil || in.Op == "" {
			t.Errorf("%d:%d: %s has no row", in.Pos.Line, in.Pos.Col, in.Opcode())
		}
		if in.Loc.Line > 0 && in.Loc.File == "" {
			t.Errorf("%d:%d: line without a file", in.Pos.Line, in.Pos.Col)
		}
	})
	if n == 0 {
		t.Error("no instructions")
	}
}

// walk calls f for each instruction of a module.
func walk(m *Module, f func(*Instr)) {
	var block func(*Block)
	block = func(b *Block) {
		for _, s := range b.Stmts {
			switch s := s.(type) {
			case *Instr:
				f(s)
			case *Block:
				block(s)
			}
		}
	}
	for _, it := range m.Items {
		if fn, ok := it.(*Func); ok && fn.Body != nil {
			block(fn.Body)
		}
	}
}

// TestLineEnds wants CR LF to be the same as LF.
func TestLineEnds(t *testing.T) {
	for name, src := range testFiles(t) {
		a := mustParse(t, string(src))
		b, err := Parse(name, bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		if !Equal(a, b) {
			t.Errorf("%s with CR LF differs", name)
		}
	}
}

// TestEqual changes one thing at a time: Equal sees it.
func TestEqual(t *testing.T) {
	const src = header + ".global .b32 g[2] = {1, 2};\n.entry k { .reg .b32 a; .reg .pred p; L: mov.b32 a, 5; bra L; }"
	a := mustParse(t, src)
	if !Equal(a, mustParse(t, strings.ReplaceAll(src, " ", "\n"))) {
		t.Error("layout counts")
	}
	for _, change := range [][2]string{
		{"{1, 2}", "{1, 3}"}, {"5", "6"}, {"L", "M"}, {"mov.b32", "mov.u32"}, {"k", "l"}, {"9.0", "9.1"},
		{".b32 g", ".align 8 .b32 g"}, {"bra L;", "@!p bra L;"}, {"5", "5U"},
	} {
		other := strings.ReplaceAll(strings.ReplaceAll(src, "@!a", "@a"), change[0], change[1])
		if b, err := Parse("b", []byte(other)); err != nil || Equal(a, b) {
			t.Errorf("%q to %q does not count (%v)", change[0], change[1], err)
		}
	}
}

// TestTruncated cuts real files: the result is an error or a module, and an
// error has a place within the text.
func TestTruncated(t *testing.T) {
	for name, src := range testFiles(t) {
		step := 1
		if len(src) > 8<<10 {
			step = len(src) / 400
		}
		for n := 0; n < len(src); n += step {
			_, err := Parse(name, src[:n])
			if err == nil {
				continue
			}
			if e := asError(err); e == nil || e.Pos.Line < 1 || e.Pos.Line > bytes.Count(src[:n], []byte("\n"))+1 {
				t.Fatalf("%s cut at %d: bad error %v", name, n, err)
			}
		}
	}
}

func asError(err error) *Error {
	switch e := err.(type) {
	case *Error:
		return e
	case *Unknown:
		return e.Err
	}
	return nil
}

// TestMutatedDoesNotPanic damages single bytes of a real file: no panic.
func TestMutatedDoesNotPanic(t *testing.T) {
	src := testFiles(t)["features.O1.ptx"]
	for i := 0; i < len(src); i += 499 {
		for _, c := range []byte("{}()[];.,:\"%/<0a\x00\xff\n") {
			b := bytes.Clone(src)
			b[i] = c
			Parse("mutated.ptx", b)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range testFiles(f) {
		if len(src) < 64<<10 {
			f.Add(src)
		}
	}
	for _, s := range bodies {
		f.Add([]byte(wrap(s.src)))
	}
	for _, s := range modules {
		f.Add([]byte(header + s.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Parse("fuzz.ptx", src)
		if err != nil {
			if asError(err) == nil {
				t.Fatalf("not a typed error: %v", err)
			}
			return
		}
		roundTrip(t, m)
	})
}
