package ptx

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/source"
)

const locModule = header + `
.entry before { ret; }
	.loc 1 3 1
.entry k
{
	.reg .b32 a;
	mov.b32 a, 0;
	.loc 1 21 3
	.loc 1 9 4, function_name info_string0, inlined_at 1 21 3
	mov.b32 a, 1;
	.loc 1 27 3
	.loc 1 10 5, function_name info_string1, inlined_at 1 27 3
	.loc 2 15 6, function_name .debug_str+7, inlined_at 1 10 5
	{ mov.b32 a, 2; }
	.loc 1 30 1
	mov.b32 a, 3;
	.loc 1 0 2
	ret;
}
.entry after { ret; }
.file 1 "dir/a.cu"
.file 2 "b.h"
.section .debug_str {
info_string0:
	.b8 95 // _
	.b8 102,0x6f,111,0
second: .b8 '0'
info_string1: .b8 0 .b8 98 .b8 97, 114
	.b8 0
}
`

// TestLoc follows the ISA's example for .loc with inlined_at: a chain of
// several levels is built from the .loc's that name its links.
func TestLoc(t *testing.T) {
	m := mustParse(t, locModule)
	var got []source.Location
	walk(m, func(in *Instr) { got = append(got, in.Loc) })
	pos := func(f string, l, c int) source.Pos { return source.Pos{File: f, Line: l, Col: c} }
	want := []source.Location{
		{Func: "before"},
		{Pos: pos("dir/a.cu", 3, 1), Func: "k"},
		{Pos: pos("dir/a.cu", 9, 4), Func: "_foo", InlinedAt: []source.Pos{pos("dir/a.cu", 21, 3)}},
		{Pos: pos("b.h", 15, 6), Func: "ar", InlinedAt: []source.Pos{pos("dir/a.cu", 10, 5), pos("dir/a.cu", 27, 3)}},
		{Pos: pos("dir/a.cu", 30, 1), Func: "k"},
		{Pos: pos("dir/a.cu", 0, 2), Func: "k"},
		{Func: "after"},
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("instruction %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	roundTrip(t, m)
}

// TestLocChainBounded makes a chain that grows with each .loc: it stays short.
func TestLocChainBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(header + ".file 1 \"a\"\n.entry k {\n.loc 1 1 0\n")
	for i := range 2000 {
		fmt.Fprintf(&b, ".loc 1 %d 0, function_name .debug_str, inlined_at 1 %d 0\n", i+2, i+1)
	}
	b.WriteString("ret; }")
	m := mustParse(t, b.String())
	walk(m, func(in *Instr) {
		if n := len(in.Loc.InlinedAt); n < 1 || n > maxChain {
			t.Errorf("chain of %d", n)
		}
	})
}

// TestClangLocs checks line information that clang wrote, whose .file comes
// last.
func TestClangLocs(t *testing.T) {
	for name, src := range testFiles(t) {
		if !strings.HasPrefix(name, "features.O") {
			continue
		}
		m := mustParse(t, string(src))
		lines := map[int]bool{}
		walk(m, func(in *Instr) {
			if in.Loc.Line > 0 {
				if in.Loc.File != "/src/features.cu" {
					t.Fatalf("%s: file %q", name, in.Loc.File)
				}
				lines[in.Loc.Line] = true
			}
		})
		if len(lines) < 20 {
			t.Errorf("%s: only %d lines", name, len(lines))
		}
	}
}

// TestAssemblyLocs: LLVM numbers the lines of inline assembly on from the line that it
// stands at; all of its instructions stand at that line, and so does what follows
// without a .loc of its own.
func TestAssemblyLocs(t *testing.T) {
	const text = `.version 8.4
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<4>; .reg .b64 %rd<2>;
	.loc	1 11 17
	ld.param.u64 	%rd1, [p];
	.loc	1 12 9                          // add.py:12:9
	// begin inline asm
	.loc	1 12 9                          // add.py:12:9
	mov.u32 %r1, 0x0;
	.loc	1 13 9                          // add.py:13:9
	ld.global.b32 { %r1 }, [ %rd1 + 0 ];
	// end inline asm
	// begin inline asm
	.loc	1 12 9                          // add.py:12:9
	mov.u32 %r2, 0x0;
	.loc	1 13 9                          // add.py:13:9
	ld.global.b32 { %r2 }, [ %rd1 + 4 ];
	// end inline asm
	add.s32 %r3, %r1, %r2;
	.loc	1 13 9
	st.global.u32 [%rd1], %r3;
	ret;
}
.file	1 "add.py"
`
	m, err := Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, s := range m.Func("k").Body.Stmts {
		if in, ok := s.(*Instr); ok {
			got = append(got, in.Loc.Line)
		}
	}
	if want := []int{11, 12, 12, 12, 12, 12, 13, 13}; !slices.Equal(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}
