package lower

import (
	"fmt"
	"testing"
)

// TestRoots wants the parameters that the address of a kernel's last access
// comes from; the pointer k_p is at 0.
func TestRoots(t *testing.T) {
	const p = "ld.param.u64 %d0, [k_p]; mov.u32 %r1, %tid.x; "
	for _, c := range []struct{ name, body, want string }{
		{"itself", p + "st.global.u32 [%d0], %r1;", "[0]"},
		{"an element", p + "cvta.to.global.u64 %d1, %d0; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3+8], %r1;", "[0]"},
		{"in a loop", p + "mov.u64 %d1, %d0; L: add.u64 %d1, %d1, 4; st.global.u32 [%d1], %r1; setp.lt.u32 %p0, %r1, 5; @%p0 bra L;", "[0]"},
		{"loaded", p + "ld.global.u64 %d1, [%d0]; st.global.u32 [%d1], %r1;", "[]"},
		{"perhaps loaded", p + "setp.lt.u32 %p0, %r1, 5; mov.u64 %d1, %d0; @%p0 ld.global.u64 %d1, [%d0]; st.global.u32 [%d1], %r1;", "[]"},
		{"a variable", p + "mov.u64 %d1, glob; st.global.u32 [%d1], %r1;", "[]"},
		{"a variable or a parameter", p + "mov.u64 %d1, glob; selp.b64 %d2, %d0, %d1, %p0; st.global.u32 [%d2], %r1;", "[]"},
		{"put together", p + "mov.b64 {%r2, %r3}, %d0; mov.b64 %d1, {%r2, %r3}; st.global.u32 [%d1], %r1;", "[]"},
		{"shuffled", p + "mov.b64 {%r2, %r3}, %d0; shfl.sync.idx.b32 %r4, %r2, 0, 31, -1; mov.b64 %d1, {%r4, %r3}; st.global.u32 [%d1], %r1;", "[]"},
		{"a number", p + "mov.u64 %d1, 4096; st.global.u32 [%d1], %r1;", "[]"},
		{"an atomic", p + "atom.global.add.u32 %r2, [%d0+4], %r1;", "[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			decls := ".extern .global .u32 glob[4];\n"
			prog := mustLower(t, kernel(t, decls, c.body))
			var got string
			for _, s := range prog.Sites {
				if s.Kind.Writes() && s.Size > 0 {
					got = fmt.Sprint(s.Roots)
				}
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
