package link

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

const header = ".version 7.5\n.target sm_80\n.address_size 64\n"

func part(name, text string) Part { return Part{name, []byte(header + text)} }

func link(t *testing.T, parts ...Part) (*Linked, *ptx.Module) {
	t.Helper()
	l, err := Link(parts)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse("linked", l.Text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, l.Text)
	}
	return l, m
}

const caller = `.extern .func (.param .b32 r) _Z1fi (.param .b32 p);
.extern .global .align 4 .u32 counter;
.visible .entry k() {
	.loc 1 7 3
	ld.global.u32 %r1, [counter];
	{ call.uni (retval0), _Z1fi, (param0); }
}
.file 1 "a.cu"
`

func TestAcrossParts(t *testing.T) {
	a := strings.Replace(caller, ".loc", ".reg .b32 %r<3>; .param .b32 param0; .param .b32 retval0;\n.loc", 1)
	_, m := link(t, part("a", a), part("b", `.file 1 "b.cu"
.visible .global .align 4 .u32 counter = 5;
.visible .func (.param .b32 r) _Z1fi(.param .b32 p) { .reg .b32 %r<3>;
	.loc 1 9 1
	.loc 1 3 2, function_name $L__info_string0, inlined_at 1 9 1
	ld.param.u32 %r1, [p]; st.param.b32 [r], %r1; ret; }
.section .debug_str
{
$L__info_string0:
.b8 103,0
}
`))
	f, v := m.Func("_Z1fi"), m.Variable("counter")
	if f == nil || f.Body == nil || f.Linkage != ptx.Visible || v == nil || v.Init == nil {
		t.Fatalf("function %+v, variable %+v", f, v)
	}
	var locs []string
	for _, name := range []string{"k", "_Z1fi"} {
		for _, s := range m.Func(name).Body.Stmts {
			if i, ok := s.(*ptx.Instr); ok {
				at := i.Loc.Pos.String() + " " + i.Loc.Func
				for _, p := range i.Loc.InlinedAt {
					at += " < " + p.String()
				}
				locs = append(locs, at)
				break
			}
		}
	}
	want := []string{"a.cu:7:3 k", "b.cu:3:2 g < b.cu:9:1"}
	if !reflect.DeepEqual(locs, want) {
		t.Errorf("locations %q, want %q", locs, want)
	}
}

func TestLocalNames(t *testing.T) {
	text := `.global .align 4 .u32 hidden = 1;
.visible .global .align 4 .u32 _ZL4priv = 2;
.weak .func _Z3tplv() { ret; }
.visible .entry NAME() { .reg .b64 %rd<2>; mov.u64 %rd1, hidden; mov.u64 %rd1, _ZL4priv; ret; }
`
	l, m := link(t, part("a", strings.ReplaceAll(text, "NAME", "a")), part("b", strings.ReplaceAll(text, "NAME", "b")))
	want := []map[string]string{{}, {"hidden": "hidden$unit1", "_ZL4priv": "_ZL4priv$unit1"}}
	if !reflect.DeepEqual(l.Renamed, want) {
		t.Errorf("renamed %v", l.Renamed)
	}
	for _, name := range []string{"hidden", "_ZL4priv", "hidden$unit1", "_ZL4priv$unit1"} {
		if m.Variable(name) == nil {
			t.Errorf("no variable %s", name)
		}
	}
	if got := strings.Count(string(l.Text), ".func"); got != 1 {
		t.Errorf("%d functions, want the weak one once", got)
	}
	// It may be declared first.
	l, m = link(t, part("a", ".entry k();\n.visible .entry j() { .reg .b64 %rd<2>; mov.u64 %rd1, k; ret; }\n.entry k() { ret; }"), part("b", ""))
	if f := m.Func("k"); len(l.Renamed[0]) > 0 || f == nil || f.Body == nil {
		t.Errorf("renamed %v, k is %+v", l.Renamed, f)
	}
	// A local name gives way to one that all parts share.
	l, m = link(t, part("a", ".global .u32 x = 1;"), part("b", ".extern .global .u32 x;"), part("c", ".visible .global .u32 x = 3;"))
	if l.Renamed[0]["x"] == "" || m.Variable("x").Init.List != nil || m.Variable("x").Init.Value.(*ptx.Imm).Value != 3 {
		t.Errorf("renamed %v, x is %+v", l.Renamed, m.Variable("x").Init)
	}
}

func TestDuplicates(t *testing.T) {
	tests := []struct {
		a, b string
		want string // the symbol, or ""
	}{
		{".visible .global .u32 x;", ".visible .global .u32 x;", "x"},
		{".visible .func f() { ret; }", ".visible .func f() { ret; }", "f"},
		{".visible .entry f() { ret; }", ".visible .entry f() { ret; }", "f"},
		{".weak .func f() { ret; }", ".visible .func f() { ret; }", ""},
		{".visible .global .u32 x;", ".weak .global .u32 x;", ""},
		{".common .global .u32 x;", ".common .global .u32 x;", ""},
		{".func f() { ret; }", ".visible .func f() { ret; }", ""},
		{".extern .shared .align 4 .b8 s[];", ".extern .shared .align 16 .b8 s[];", ""},
	}
	for _, tt := range tests {
		_, err := Link([]Part{part("a", tt.a), part("b", tt.b)})
		var dup *DuplicateError
		got := ""
		if errors.As(err, &dup) {
			got = dup.Symbol
		} else if err != nil {
			t.Errorf("%s | %s: %v", tt.a, tt.b, err)
		}
		if got != tt.want {
			t.Errorf("%s | %s: duplicate %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
	if _, err := Link([]Part{part("a", "nonsense")}); err == nil {
		t.Error("a part that is not PTX is linked")
	}
}

func TestScan(t *testing.T) {
	s, err := Scan(part("a", `.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func (.param .b64 r) __nv_sin (.param .b64 a);
.extern .func _Z1fv ();
.extern .global .u32 x;
.extern .shared .align 4 .b8 s[];
.visible .func _Z1gv () { ret; }
.weak .func _Z1hv () { ret; }
.func local () { ret; }
.visible .global .u32 _ZL1y;
`))
	want := &Symbols{Defined: []string{"_Z1gv"}, Weak: []string{"_Z1hv"}, Undefined: []string{"_Z1fv", "x"}}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("symbols %+v, %v", s, err)
	}
}

func TestInternalNames(t *testing.T) {
	tests := map[string]bool{
		"counter": false, "_Z1fv": false, "_ZL1f": true, "_ZN2nsL1xE": true, "_ZN2ns1xE": false, "_ZN3abc4Lx12E": false,
		"_ZN12_GLOBAL__N_11fEv": true, "_Z1kIL1e0EEvv": false, "_Z1kIXadL_ZL1fvEEEvv": true, "_ZN": false, "_ZN9": false, "_ZN99999999999999999999L1": false,
	}
	for name, want := range tests {
		if got := isInternalName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
