package report

import (
	"strings"
	"testing"
)

// TestOneBlock: a barrier is offered only between statements of one block.
func TestOneBlock(t *testing.T) {
	for text, want := range map[string]bool{
		"    s[i] = 1;\n    x = s[j];":                                    true,
		"    s[i] = 1;\n\n    // then\n    x = s[j];":                     true,
		"    s[i] = 1;\n    if (c) {\n        y();\n    }\n    x = s[j];": true,
		"        s[i] = 1;\n    x = s[j];":                                false, // in a loop without braces
		"    s[i] = 1;\n        x = s[j];":                                false, // in a branch
		"    s[i] = 1;\n    if (c)\n    x = s[j];":                        false, // the body of if, laid out badly
		"    s[i] =\n    f(\n    s[j]);":                                  false, // one statement
		"    s[i] = 1;\n  }\n  {\n    x = s[j];":                          false, // another block
		"    s[i] = 1;\n#endif\n    x = s[j];":                            false,
		"    s[i] = 1;\n    case 2: y();\n    x = s[j];":                  false,
	} {
		if indent, ok := oneBlock(strings.Split(text, "\n")); ok != want || ok && indent != "    " {
			t.Errorf("%q: %v, indentation %q", text, ok, indent)
		}
	}
}
