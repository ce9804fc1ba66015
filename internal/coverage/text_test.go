package coverage

import (
	"strings"
	"testing"
)

// TestCodeLines marks the lines that have code with "+", the others with "-".
func TestCodeLines(t *testing.T) {
	const marked = `- 
-   // a comment
+   x = 1; // and code
- /* several
-    lines; x = 1;
+ */ y = 2;
- /* a */ /* b */ }
+ /* a */ z = 3; /* b
- c */
+ s = "// no comment"; /*
- */
+ c = '"'; // "
-   }
-   });
+   } else {
- {
- #pragma unroll
- #include <x.h>
+ #define M(a) \
+   f(a); \
-   }
+   return;
-   # endif
+   a = b /* in it */ + c;
`
	var text strings.Builder
	var want []bool
	for line := range strings.Lines(marked) {
		want = append(want, line[0] == '+')
		text.WriteString(line[2:])
	}
	for i, got := range codeLines(text.String()) {
		if got != want[i] {
			t.Errorf("line %d has code: %v; want %v", i+1, got, want[i])
		}
	}
}
