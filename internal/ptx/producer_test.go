package ptx

import "testing"

// TestProducer reads the compiler's name from debug information as LLVM writes it, in the section
// itself and in the section of strings, and none where the information is cut off.
func TestProducer(t *testing.T) {
	const header = ".version 8.4\n.target sm_80\n.address_size 64\n"
	abbrev := func(form string) string {
		return ".section .debug_abbrev\n{\n.b8 1 // Abbreviation Code\n.b8 17 // DW_TAG_compile_unit\n.b8 0 // DW_CHILDREN_no\n.b8 37 // DW_AT_producer\n.b8 " +
			form + "\n.b8 19 // DW_AT_language\n.b8 5 // DW_FORM_data2\n.b8 0\n.b8 0\n.b8 0\n}\n"
	}
	const unit = ".section .debug_info\n{\n.b32 "
	for name, c := range map[string]struct{ text, want string }{
		"string":  {abbrev("8") + unit + "17 // Length of Unit\n.b8 2\n.b8 0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n.b8 116\n.b8 114\n.b8 105,116\n.b8 111\n.b8 110\n.b8 0\n.b8 2\n.b8 0\n}", "triton"},
		"strings": {abbrev("14") + unit + "14\n.b8 2\n.b8 0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n.b32 5\n.b8 2\n.b8 0\n}\n.section .debug_str\n{\ninfo_string0:\n.b8 110,118,99,99,0\n.b8 99,108,97,110,103,0\n}", "clang"},
		"cut off": {abbrev("8") + unit + "90\n.b8 2\n.b8 0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n.b8 116\n}", ""},
		"none":    {"", ""},
	} {
		m, err := Parse("t.ptx", []byte(header+c.text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := m.Producer(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
