package engine_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// define gives a module's variables addresses and their initial contents.
func define(t testing.TB, m *ptx.Module) lower.Symbols {
	t.Helper()
	syms := lower.Symbols{}
	var vars []*ptx.Variable
	for _, it := range m.Items {
		v, ok := it.(*ptx.Variable)
		if !ok || v.Space != ptx.Global && v.Space != ptx.Const {
			continue
		}
		al, err := arena.AllocSpec(mem.Spec{Size: uint64(v.StorageSize()), Align: uint64(v.Alignment()), Kind: mem.Symbol,
			Name: v.Name, ReadOnly: v.Space == ptx.Const})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { arena.Free(al.Base) })
		syms[v.Name], vars = al.Base, append(vars, v)
	}
	for _, v := range vars {
		b := v.InitialBytes(func(name string) uint64 {
			if a := lower.FuncAddr(m, name); a != 0 {
				return a
			}
			return syms[name]
		})
		copy(arena.Bytes(syms[v.Name], uint64(len(b))), b)
	}
	return syms
}

// withGlobals defines the module's variables for a launch.
func withGlobals(t testing.TB, l launch) launch {
	l.syms = define(t, parse(t, l.src))
	return l
}

func TestInitialized(t *testing.T) {
	decls := `
	.func (.param .b32 r) seven() { st.param.b32 [r], 7; ret; }
	.global .align 4 .u32 a[3] = {10, 20, 30};
	.global .align 8 .u64 p = a+4;
	.global .align 8 .u64 g = generic(a);
	.global .align 8 .u64 f[1] = {seven};
	.const .align 4 .s32 c[2][2] = {{1, 2}, {3, -4}};
	.global .align 4 .f32 x = 0f40000000;
	.global .align 1 .b8 text[] = {65, 66, 0};`
	body := `
	ld.global.u64 %d0, [p]; ld.u32 %r0, [%d0]; ld.global.u64 %d1, [g]; ld.u32 %r1, [%d1+8]; add.u32 %r0, %r0, %r1;
	ld.global.u64 %d2, [f]; P: .callprototype (.param .b32 _) _ (); { .param .b32 y; call (y), %d2, (), P; ld.param.b32 %r1, [y]; } add.u32 %r0, %r0, %r1;
	ld.const.s32 %r1, [c+12]; add.u32 %r0, %r0, %r1; ld.global.f32 %f0, [x]; cvt.rzi.u32.f32 %r1, %f0; add.u32 %r0, %r0, %r1;
	ld.global.u8 %r1, [text+1]; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`
	out := newBuffer(t, 128)
	mustRun(t, withGlobals(t, launch{src: simple(decls, body), params: []any{out}}))
	expect(t, out.u32(), func(uint32) uint32 { return 20 + 30 + 7 - 4 + 2 + 66 })
}

func TestConstantWrite(t *testing.T) {
	out := newBuffer(t, 128)
	src := simple(".const .align 4 .u32 c = 1;", "mov.u64 %d0, c; st.u32 [%d0], 5;")
	mustFault(t, withGlobals(t, launch{src: src, params: []any{out}}), trace.FaultReadOnly)
}

// printing makes a kernel whose first thread prints format with arguments of
// types int, unsigned, int64, double, string (char pointer).
func printing(format string, args []any) string {
	var decls, body strings.Builder
	text := func(name, s string) {
		fmt.Fprintf(&decls, ".global .align 1 .b8 %s[%d] = {", name, len(s)+1)
		for _, c := range []byte(s) {
			fmt.Fprintf(&decls, "%d, ", c)
		}
		decls.WriteString("0};\n")
	}
	text("format", format)
	at := 0
	put := func(size int, store string) {
		at = (at + size - 1) / size * size
		fmt.Fprintf(&body, store+"\n", at)
		at += size
	}
	for i, a := range args {
		switch a := a.(type) {
		case int:
			put(4, fmt.Sprintf("st.local.u32 [args+%%d], %d;", a))
		case int64:
			put(8, fmt.Sprintf("st.local.u64 [args+%%d], %d;", a))
		case float64:
			put(8, fmt.Sprintf("st.local.u64 [args+%%d], %d;", math.Float64bits(a)))
		case string:
			name := fmt.Sprintf("s%d", i)
			text(name, a)
			put(8, fmt.Sprintf("mov.u64 %%%%d0, %s; st.local.u64 [args+%%d], %%%%d0;", name))
		}
	}
	return simple(".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"+decls.String(), `
	.local .align 8 .b8 args[64]; setp.ne.u32 %p0, %t, 0; @%p0 bra DONE;
	`+body.String()+`
	mov.u64 %d1, format; mov.u64 %d2, args; cvta.local.u64 %d2, %d2;
	{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %d1; st.param.b64 [a], %d2; call (r), vprintf, (f, a); ld.param.b32 %r0, [r]; st.global.u32 [%o], %r0; }`)
}

// TestPrintf compares with the C library.
func TestPrintf(t *testing.T) {
	cc, err := exec.LookPath("clang-19")
	if err != nil {
		if cc, err = exec.LookPath("cc"); err != nil {
			t.Skip("no C compiler")
		}
	}
	ints := []any{0, 1, -1, 42, math.MaxInt32, math.MinInt32}
	longs := []any{int64(0), int64(-5), int64(1) << 60}
	floats := []any{0.0, 1.0, -1.5, 3.14159265358979, 1e10, 1e-10, 123456789.0, 1e100, math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0.0001, 100000.0, 1e6, 5e-324, 0.5}
	texts := []any{"", "a", "hello world"}
	type one struct {
		format string
		args   []any
	}
	var all []one
	each := func(formats string, values []any) {
		for _, f := range strings.Split(formats, ",") {
			for _, v := range values {
				all = append(all, one{f, []any{v}})
			}
		}
	}
	each("%d,%i,%5d,%-5d|,%05d,%+d,% d,%.3d,%8.3d,%-8.3d|,%+05d,%u,%x,%X,%#x,%o,%#o,%08x,%hd,%hhd,%hu,%.0d,%+u,%+x,% x,%#X,%#08x,%-#8x|,%08.3d,%0-6d|", ints)
	each("%lld,%ld,%llu,%llx,%20lld,%-20lld|,%zu,%jd,%#llx,%lo", longs)
	each("%f,%.2f,%10.3f,%-10.1f|,%e,%.3e,%E,%g,%G,%.3g,%+f,% f,%010.2f,%.0f,%#.0f,%a,%.10g,%+.1e,%-12g|,%#g,%A,%10g,%.0e,%.0g,%F", floats)
	each("%.2a,%12.1a|", floats[:4])
	each("%s,%10s,%-10s|,%.3s,%5.1s", texts)
	each("%c,%3c,%-3c|", []any{65, 48})
	all = append(all, one{"100%% %d", []any{5}}, one{"%*d", []any{6, 42}}, one{"%-*d|", []any{6, 42}}, one{"%*d|", []any{-6, 42}},
		one{"%.*f", []any{2, 3.14159}}, one{"%.*f", []any{-1, 3.14159}}, one{"%d %s %f %c %lld", []any{1, "x", 2.5, 65, int64(7)}}, one{"no arguments", nil},
		one{"%s-%5.1f-%d\n", []any{"row", 2.25, 3}}, one{"%p", []any{int64(0x1234abcd)}}, one{"%p", []any{int64(0)}}, one{"%20p|", []any{int64(4096)}})
	var c strings.Builder
	c.WriteString("#include <stdio.h>\nint main(void){\n")
	for _, p := range all {
		fmt.Fprintf(&c, "printf(%s", strconv.Quote(p.format))
		for _, a := range p.args {
			switch a := a.(type) {
			case int:
				fmt.Fprintf(&c, ", (int)%dLL", a)
			case int64:
				fmt.Fprintf(&c, ", %dLL", a)
			case float64:
				fmt.Fprintf(&c, ", ((union{unsigned long long u;double d;}){%dULL}).d", math.Float64bits(a))
			case string:
				fmt.Fprintf(&c, ", %s", strconv.Quote(a))
			}
		}
		c.WriteString("); putchar(1);\n")
	}
	c.WriteString("return 0;}\n")
	dir := t.TempDir()
	file, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	os.WriteFile(file, []byte(c.String()), 0o644)
	if text, err := exec.Command(cc, "-w", "-o", bin, file).CombinedOutput(); err != nil {
		t.Skipf("cannot compile: %v %s", err, text)
	}
	text, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\x01")
	for i, p := range all {
		out := newBuffer(t, 128)
		res := mustRun(t, withGlobals(t, launch{src: printing(p.format, p.args), params: []any{out}}))
		if string(res.Output) != want[i] {
			t.Errorf("printf(%q, %v): got %q, want %q", p.format, p.args, res.Output, want[i])
		}
		if n := out.u32()[0]; int(n) != len(p.args) && !strings.Contains(p.format, "*") {
			t.Errorf("printf(%q, %v) returns %d", p.format, p.args, n)
		}
	}
}

func TestPrintOrder(t *testing.T) {
	src := strings.Replace(printing("%d;", []any{0}), "setp.ne.u32 %p0, %t, 0; @%p0 bra DONE;", "", 1)
	src = strings.Replace(src, "st.local.u32 [args+0], 0;", "st.local.u32 [args], %r29;", 1)
	want := ""
	for i := range 32 * 6 {
		want += fmt.Sprintf("%d;", i)
	}
	for _, workers := range []int{1, 4} {
		out := newBuffer(t, 4*32*6)
		res := mustRun(t, withGlobals(t, launch{src: src, grid: 6, workers: workers, params: []any{out}}))
		if string(res.Output) != want {
			t.Errorf("%d workers: got %.100q", workers, res.Output)
		}
	}
}

func TestAssert(t *testing.T) {
	decls := `.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
	.global .align 1 .b8 msg[] = {120, 62, 48, 0}; .global .align 1 .b8 file[] = {97, 46, 99, 117, 0}; .global .align 1 .b8 fn[] = {107, 0};`
	body := `setp.ne.u32 %p0, %t, 6; @%p0 bra DONE;
	{ .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s; mov.u64 %d0, msg; st.param.b64 [m], %d0; mov.u64 %d0, file; st.param.b64 [f], %d0;
	st.param.b32 [l], 42; mov.u64 %d0, fn; st.param.b64 [n], %d0; st.param.b64 [s], 1; call __assertfail, (m, f, l, n, s); }`
	out := newBuffer(t, 256)
	res, err := tryRun(t, withGlobals(t, launch{src: simple(decls, body), block: 64, params: []any{out}}))
	if err != nil || res.Fault == nil || res.Fault.Kind != trace.FaultAssert || res.Fault.Lane != 6 {
		t.Fatalf("%+v %v", res.Fault, err)
	}
	if want := "a.cu:42: k: block: [0,0,0], thread: [6,0,0] Assertion `x>0` failed.\n"; string(res.Output) != want {
		t.Errorf("got %q, want %q", res.Output, want)
	}
}
