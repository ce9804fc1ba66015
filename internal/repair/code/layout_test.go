package code

import "testing"

// TestUnit: a file's statements are indented by what its first function with lines of its own indents them by.
func TestUnit(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"__global__ void k() { }\nint main() {\n  return 0;\n}\n", "  "},
		{"__global__ void k() { }\nint main()\n{\n\treturn 0;\n}\n", "\t"},
		{"namespace n {\nextern \"C\" {\n\nvoid f() {\r\n   g();\r\n}\n}\n}\n", "   "},
		{"namespace n {\n  struct S {\n      int x;\n  };\n}\n", "  "},
		{"__global__ void k() { }\nint main() { return 0; }\n", "    "},
		{"", "    "},
	} {
		f := &File{Text: []byte(c.text)}
		if got := f.unit(); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
