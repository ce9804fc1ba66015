package irtext

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestRoundTrip parses what clang, opt and the passes print, and renders it: the module
// as a whole, and each load and store from its parts.
func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob("../passes/testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	accesses := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m := Parse(text)
		if !bytes.Equal(m.Bytes(), append(bytes.TrimSuffix(text, []byte("\n")), '\n')) {
			t.Errorf("%s changes", f)
		}
		for _, l := range m.Lines {
			if a, ok := l.Access(); ok {
				accesses++
				if a.String() != l.Text {
					t.Errorf("%s:\n%s becomes\n%s", f, l.Text, a)
				}
			}
		}
	}
	if accesses < 100 {
		t.Errorf("%d loads and stores in the examples", accesses)
	}
}

func TestTypes(t *testing.T) {
	m := Parse([]byte("%struct.P = type { i8, double, [2 x i16] }\n%struct.Q = type <{ i8, %struct.P }>\n"))
	for typ, want := range map[string][2]int64{
		"i32": {4, 4}, "<4 x float>": {16, 16}, "%struct.P": {24, 8}, "%struct.Q": {25, 1}, "[3 x %struct.P]": {72, 8}, "ptr addrspace(3)": {8, 8},
	} {
		if got := m.Types().Of(typ); got == nil || got.Size != want[0] || got.Align != want[1] {
			t.Errorf("%s has the layout %+v, want size and alignment %v", typ, got, want)
		}
	}
	for _, typ := range []string{"%struct.Unknown", "i7", "", "[x i32]"} {
		if got := m.Types().Of(typ); got != nil {
			t.Errorf("%q has the layout %+v", typ, got)
		}
	}
	if off, ok := m.Types().ConstantOffset("%struct.Q", "i64 1, i32 1, i32 2, i64 1"); !ok || off != 25+1+16+2 {
		t.Errorf("offset %d, %v", off, ok)
	}
}

func TestPositions(t *testing.T) {
	m := Parse([]byte(`!1 = !DIFile(filename: "a.cu", directory: "/src")
!2 = distinct !DISubprogram(name: "k", linkageName: "_Z1kv", scope: !1, file: !1, line: 3)
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1)
!4 = !DILexicalBlock(scope: !3, file: !1, line: 1, column: 2)
!5 = distinct !DILocation(line: 4, column: 7, scope: !2)
!6 = !DILocation(line: 2, column: 5, scope: !4, inlinedAt: !5)
`))
	text, ok := m.Locations().Numbered(6)
	if want := "!6 = !DILocation(line: 7, column: 1, scope: !2)"; !ok || text != want {
		t.Errorf("%q, want %q", text, want)
	}
	chain := m.Locations().Chain(7)
	if len(chain) != 2 || chain[0] != (Place{"/src/a.cu", 4, 7, "_Z1kv"}) || chain[1] != (Place{"/src/a.cu", 2, 5, "f"}) {
		t.Errorf("%+v", chain)
	}
}
