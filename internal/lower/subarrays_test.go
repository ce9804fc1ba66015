package lower

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// TestParts has one access to shared memory in each body, and the part that it means,
// with those that it is computed from.
func TestParts(t *testing.T) {
	const a = ".pragma \"warpgrind.part a f4 1\"; mov.b64 %a, %s;\n"
	const b = ".pragma \"warpgrind.part b i4 2\"; mov.b64 %b, %c;\n"
	for _, tc := range []struct{ body, want string }{
		{a + "ld.shared.f32 %f, [%a+4];", "a"},
		{a + "add.s64 %c, %a, %n; ld.shared.f32 %f, [%c];", "a"},
		{a + "add.s64 %c, %a, %n;\n" + b + "ld.shared.f32 %f, [%b];", "b<a"},
		{"add.s64 %c, %s, %n;\n" + b + "ld.shared.f32 %f, [%b];", "b"},
		{"add.s64 %c, %s, %n;\n" + b + "ld.shared.f32 %f, [%c];", ""},
		{a + "add.s64 %c, %s, %n;\n" + b + "selp.b64 %d, %a, %b, %p0; ld.shared.f32 %f, [%d];", ""},
		{a + "cvta.shared.u64 %d, %a; ld.f32 %f, [%d];", "a"},
		{"mov.u64 %c, x;\n" + b + "ld.shared.f32 %f, [%b];", "b"},
		{"ld.global.u64 %c, [%n];\n" + b + "ld.shared.f32 %f, [%b];", ""},
	} {
		src := ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 x[64];\n.extern .shared .align 4 .b8 dyn[];\n" +
			".visible .entry k(.param .u64 p)\n{\n.reg .b64 %a, %b, %c, %d, %s, %n;\n.reg .f32 %f;\n.reg .pred %p0;\n" +
			"ld.param.u64 %n, [p]; mov.u64 %s, dyn;\n" + tc.body + "\nst.global.f32 [%n], %f;\nret;\n}\n"
		m, err := ptx.Parse("k.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", tc.body, err)
		}
		p, err := Kernel(m, "k", nil)
		if err != nil {
			t.Fatalf("%s: %v", tc.body, err)
		}
		var names []string
		for n := p.Mems[len(p.Mems)-2].Site.Subarray; n > 0; n = p.Subarrays[n-1].Parent {
			names = append(names, p.Subarrays[n-1].Name)
		}
		if got := strings.Join(names, "<"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.body, got, tc.want)
		}
	}
}
