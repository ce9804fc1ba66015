package ptx

import (
	"errors"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	deep := strings.Repeat("{", 100000)
	cases := []struct{ name, src, want string }{
		{"empty", "", "t.ptx:1:1: no .version directive: this is not PTX"},
		{"not PTX", "#include <x>\nint main() {}", "t.ptx:2:1: unexpected \"int\", expected a directive"},
		{"version", ".version x", "t.ptx:1:10: unexpected \"x\", expected a version such as 7.8"},
		{"directive", header + ".foo 1", "t.ptx:4:1: unknown directive \".foo\""},
		{"comment", header + "/* x", "t.ptx:4:1: comment not closed"},
		{"string", header + ".file 1 \"x\n", "t.ptx:4:9: string not closed"},
		{"byte", header + ".entry k { \x01 }", `t.ptx:4:12: unexpected character "\x01"`},
		{"end", header + ".entry k { ret;", "t.ptx:4:16: unexpected end of file, expected an instruction"},
		{"section", header + ".section .x {", "t.ptx:4:13: section not closed"},
		{"opcode", header + ".entry k { frob.b32; }", "t.ptx:4:12: unknown instruction \"frob.b32\""},
		{"modifier", header + ".entry k { bar.sink 0; }", "t.ptx:4:12: bar.sink: modifier .sink does not fit"},
		{"missing type", header + ".entry k { .reg .b32 a; add a, a, a; }",
			"t.ptx:4:25: add: missing modifier: one of .u16 .u32 .u64 .s16 .s32 .s64"},
		{"few operands", header + ".entry k { .reg .b32 a; add.s32 a, a; }", "t.ptx:4:25: add.s32: too few operands: 2"},
		{"many operands", header + ".entry k { ret 1; }", "t.ptx:4:12: ret: too many operands: 1, expected 0"},
		{"operand kind", header + ".entry k { .reg .b32 a; add.s32 5, a, a; }",
			"t.ptx:4:25: add.s32: operand 1: got integer, expected register or vector or _"},
		{"undeclared", header + ".entry k {\n  .reg .b32 %r<3>;\n  add.s32 %r0, %r1, %r3;\n}", "t.ptx:6:21: \"%r3\" is not declared"},
		{"undeclared label", header + ".entry k { bra L; }", "t.ptx:4:16: \"L\" is not declared"},
		{"undeclared guard", header + ".entry k { @p ret; }", "t.ptx:4:13: predicate \"p\" is not declared"},
		{"label twice", header + ".entry k { L: L: ret; }", "t.ptx:4:15: label \"L\" is defined twice"},
		{"scope ends", header + ".entry k { { .reg .b32 a; } mov.b32 a, 1; }", "t.ptx:4:37: \"a\" is not declared"},
		{"component", header + ".entry k { .reg .b32 a; mov.u32 a, %laneid.x; }", "t.ptx:4:43: %laneid has no component \".x\""},
		{"alignment", header + ".global .align 3 .b32 a;", "t.ptx:4:16: alignment must be a power of two"},
		{"division", header + ".global .b32 a = 1/0;", "t.ptx:4:19: this operator is not defined on these constants"},
		{"number", header + ".global .b32 a = 0x;", "t.ptx:4:18: bad number \"0x\""},
		{"big number", header + ".global .b64 a = 18446744073709551616;", "t.ptx:4:18: bad number \"18446744073709551616\""},
		{"count", header + ".entry k { .reg .b32 %r<4000000000>; }", "t.ptx:4:25: count out of range, at most 16777216"},
		{"extent", header + ".global .b8 a[1000000][1000000][1000000];", "t.ptx:4:13: variable \"a\" is too big"},
		{"parameter", header + ".entry k(.param .b8 x[1073741824]) { }", "t.ptx:4:21: parameter \"x\" has 1073741824 bytes, at most 65536"},
		{"parameter of a function", header + ".func f(.param .b8 x[1073741824]) { }", "t.ptx:4:20: parameter \"x\" has 1073741824 bytes, at most 65536"},
		{"parameters", header + ".func f(.param .b8 x<8>[2097152]) { }", "t.ptx:4:20: parameter \"x\" has 16777216 bytes, at most 65536"},
		{"parameter in a body", header + ".entry k() { .param .b32 x<16385>; }", "t.ptx:4:26: parameter \"x\" has 65540 bytes, at most 65536"},
		{"negative extent", header + ".global .b8 a[-1];", "t.ptx:4:15: array extent out of range"},
		{"type", header + ".global .b33 a;", "t.ptx:4:9: \".b33\" is not a type or attribute of a variable"},
		{"predicate in memory", header + ".global .pred a;", "t.ptx:4:1: a predicate cannot be in memory"},
		{"deep blocks", header + ".entry k " + deep, "t.ptx:4:210: nested too deeply"},
		{"deep expression", header + ".global .b32 a = " + strings.Repeat("(", 1000), "nested too deeply"},
		{"deep unary", header + ".global .b32 a = " + strings.Repeat("-", 100000), "nested too deeply"},
		{"deep list", header + ".global .b32 a = " + strings.Repeat("{", 100000), "nested too deeply"},
		{"deep vector", header + ".entry k { mov.b32 " + strings.Repeat("{", 100000), "nested too deeply"},
		{"long name", header + ".entry k { .reg .b32 %r<9>; mov.b32 %r1, %r" + strings.Repeat("1", 1<<20) + "; }",
			"t.ptx:4:42: \"%r" + strings.Repeat("1", 58) + "...\" is not declared"},
		{"unsigned offset", header + ".entry k { ld.b32 _, [1.5]; }", "t.ptx:4:23: an address must be an integer"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("t.ptx", []byte(c.src))
			if err == nil {
				t.Fatal("no error")
			}
			if got := err.Error(); got != c.want && !strings.HasSuffix(got, ": "+c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	_, err := Parse("t.ptx", []byte(header+".entry k { frob.b32; }"))
	var u *Unknown
	if !errors.As(err, &u) || u.Opcode != "frob.b32" {
		t.Errorf("%T %v", err, err)
	}
	var e *Error
	if !errors.As(err, &e) || e.Pos != (Pos{4, 12}) {
		t.Errorf("no *Error in %v", err)
	}
}

// TestHostile parses inputs that naive code takes quadratic time for.
func TestHostile(t *testing.T) {
	const n = 1 << 18
	for name, src := range map[string]string{
		"modifiers":        header + ".entry k { add" + strings.Repeat(".x", n) + "; }",
		"spaced modifiers": header + ".entry k { add" + strings.Repeat(" .x", n) + "; }",
		"section comments": header + ".section .x {" + strings.Repeat("a/**/", n) + "}",
		"digits":           header + ".entry k { .reg .b32 %r<9>; " + strings.Repeat("mov.b32 %r1, %r1"+strings.Repeat("1", 500)+";", n/500) + "}",
		"expression":       header + ".global .b32 a = 1" + strings.Repeat("+1", n) + ";",
		"hashes":           header + strings.Repeat("#", n) + "\n" + strings.Repeat("# \n", n),
		"zeros":            header + strings.Repeat("\x00", n) + "x",
		"labels":           header + ".entry k {" + strings.Repeat("{L:}", n) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Parse("t.ptx", []byte(src))
			if err == nil {
				roundTrip(t, m)
			}
		})
	}
}
