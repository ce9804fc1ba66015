package nvrtc

import (
	"context"
	"testing"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestRuntimeLog compares logs with the form of NVRTC 13.5's. The texts are chosen to be the same in all versions of clang.
func TestRuntimeLog(t *testing.T) {
	tooltest.NeedsClang(t)
	s := Options{Clang: tooltest.Clang()}
	for _, tt := range []struct {
		what string
		src  host.Source
		want string
		ok   bool
	}{
		{"nothing", host.Source{Name: "k.cu", Text: "__global__ void k() {}\n"}, "", true},
		{"header", host.Source{Name: "prog", Text: "\n  #include \"foo.h\"\nint x;"}, `prog(2): catastrophic error: cannot open source file "foo.h"
    #include "foo.h"
             ^

1 catastrophic error detected in the compilation of "prog".
Compilation terminated.
`, false},
		{"header of a header", host.Source{Name: "d/prog.cu", Text: "#include <sub/a.h>", Headers: map[string]string{"sub/a.h": "\n#include <b/c.h>\n"}},
			`sub/a.h(2): catastrophic error: cannot open source file "b/c.h"
  #include <b/c.h>
           ^

1 catastrophic error detected in the compilation of "d/prog.cu".
Compilation terminated.
`, false},
		{"header named by a macro", host.Source{Name: "k", Text: "#define H \"x.h\"\n#include H\n"}, `k(2): catastrophic error: cannot open source file "x.h"
  #include H
           ^
k(1): note: expanded from macro 'H'
  #define H "x.h"
            ^

1 catastrophic error detected in the compilation of "k".
Compilation terminated.
`, false},
		{"errors, a tab, and the end at once", host.Source{Name: "k", Text: "\tqux a;\nqux b;\n#include \"x.h\"\n"}, `k(1): error: unknown type name 'qux'
  	qux a;
  	^

k(2): error: unknown type name 'qux'
  qux b;
  ^

k(3): catastrophic error: cannot open source file "x.h"
  #include "x.h"
           ^

2 errors and 1 catastrophic error detected in the compilation of "k".
Compilation terminated.
`, false},
		{"warning", host.Source{Name: "k", Text: "#warning old\n__global__ void k() {}\n"}, `k(1): warning: old [-W#warnings]
  #warning old
   ^

`, true},
		{"a variable without a use", host.Source{Name: "k", Text: "__global__ void k() {\n  int y;\n}\n"}, `k(2): warning: unused variable 'y' [-Wunused-variable]
    int y;
        ^

`, true},
		{"no warnings", host.Source{Name: "k", Text: "__global__ void k() {\n  int y;\n}\n", Options: []string{"-w"}}, "", true},
		{"a file that is not there", host.Source{Name: "k", Text: "#line 5 \"made.py\"\nqux a;\n"}, `made.py(5): error: unknown type name 'qux'

1 error detected in the compilation of "k".
`, false},
		{"source that looks like a diagnostic", host.Source{Name: "k", Text: "#if 0\nk:9:1: error: no\n#endif\nqux a; /*\na:1:1: fatal error: 'x' file not found */\n"},
			`k(4): error: unknown type name 'qux'
  qux a; /*
  ^

1 error detected in the compilation of "k".
`, false},
		{"name expression", host.Source{Name: "k", Text: "__global__ void k() {}\n", Names: []string{"k", "qux"}}, `__nv_name_map(3): error: use of undeclared identifier 'qux'

__nv_name_map(3): error: Error in parsing name expression for lowered name lookup. Input name expression was: "qux"

2 errors detected in the compilation of "k".
`, false},
	} {
		c, err := s.Compile(context.Background(), tt.src)
		if err != nil || c.Log != tt.want || (c.PTX != nil) != tt.ok {
			t.Errorf("%s: %v, PTX of %d bytes, log\n%swant\n%s", tt.what, err, len(c.PTX), c.Log, tt.want)
		}
	}
}
