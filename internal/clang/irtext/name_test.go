package irtext

import (
	"strings"
	"testing"
)

// TestNameOfSource: the comment with the source's name ends before the module, whatever the name has in it.
func TestNameOfSource(t *testing.T) {
	const rest = "source_filename = \"a\"\ntarget triple = \"nvptx64\"\n"
	for _, name := range []string{"a.cu", "a\rdefine.cu", "a\ndefine void @f() {\n.cu"} {
		out := string(Parse([]byte("; ModuleID = '" + name + "'\n" + rest)).Bytes())
		if want := name == "a.cu"; strings.HasPrefix(out, "; ModuleID") != want || !strings.HasSuffix(out, rest) || strings.Contains(out, "define") {
			t.Errorf("%q: %q", name, out)
		}
	}
}
