package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestSources has one access to memory in each body, and what it means: the
// places of parameters, "?" if they may be numbers, "shared lo-hi", "local lo-hi" or
// nothing.
func TestSources(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{"ld.param.u64 %a, [p]; add.u64 %a, %a, 8; ld.global.u32 %r, [%a];", "0"},
		{"ld.param.u64 %a, [p]; ld.param.u64 %b, [q]; add.u64 %a, %a, %b; ld.global.u32 %r, [%a];", "0 8"},
		{"ld.param.u64 %a, [p]; ld.global.u64 %b, [%c]; add.u64 %a, %a, %b; ld.global.u32 %r, [%a+4];", "0 ?"},
		{"ld.param.u64 %a, [p]; ld.global.u64 %b, [%c]; sub.u64 %a, %b, %a; ld.global.u32 %r, [%a+4];", ""},
		{"ld.global.u64 %b, [%c]; ld.global.u32 %r, [%b];", ""},
		{"ld.param.u64 %a, [p]; ld.global.u64 %b, [%c]; selp.b64 %a, %a, %b, %p0; ld.global.u32 %r, [%a];", ""},
		{"ld.param.u64 %a, [p]; ld.global.u32 %r, [%a]; mad.wide.u32 %b, %r, 4, %a; ld.global.u32 %r, [%b];", "0"},
		{"mov.u64 %a, x; ld.shared.u32 %r, [%a+4];", "shared 0-64"},
		{"mov.u64 %a, y; add.u64 %a, %a, 400; ld.shared.u32 %r, [%a];", "shared 64-96"},
		{"mov.u64 %a, y; ld.global.u64 %b, [%c]; add.u64 %a, %a, %b; ld.shared.u32 %r, [%a];", "shared 64-96"},
		{"mov.u64 %a, x; mov.u64 %b, y; selp.b64 %a, %a, %b, %p0; ld.shared.u32 %r, [%a];", "shared 0-96"},
		{"mov.u64 %a, x; mov.u64 %b, y; sub.u64 %a, %a, %b; ld.shared.u32 %r, [%a];", ""},
		{"mov.u64 %a, x; shr.u64 %a, %a, 2; ld.shared.u32 %r, [%a];", ""},
		{"ld.shared.u32 %r, [y+4];", "shared 64-96"},
		{"mov.u64 %a, dyn; ld.shared.u32 %r, [%a+4];", "shared 96-"},
		{"mov.u64 %a, depot; add.u64 %b, %a, 16; add.u64 %b, %b, %c; ld.local.u32 %r, [%b];", "local 0-64"},
		{"mov.u64 %a, depot; cvta.local.u64 %d, %a; add.u64 %b, %d, 16; .pragma \"warpgrind.local v a4s4 %b\"; add.u64 %c, %a, 16; add.u64 %c, %c, 400; ld.local.u32 %r, [%c];", "local 16-32 v"},
		{"mov.u64 %a, depot; add.u64 %b, %a, 0; .pragma \"warpgrind.local v a4s4 %b\"; ld.local.u32 %r, [%a+8];", "local 0-16 v"},
		{"mov.u64 %a, depot; cvta.local.u64 %d, %a; add.u64 %b, %d, 16; .pragma \"warpgrind.unset v s4 %b\"; add.u64 %c, %a, 16; mov.b64 %c, %c; ld.local.u32 %r, [%c];", "local 16-20 v register"},
	} {
		src := ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 x[64];\n.shared .align 4 .b8 y[32];\n.extern .shared .align 4 .b8 dyn[];\n" +
			".visible .entry k(.param .u64 p, .param .u64 q)\n{\n.local .align 8 .b8 depot[64];\n.reg .b64 %a, %b, %c, %d;\n.reg .b32 %r;\n.reg .pred %p0;\n" +
			"ld.shared.u32 %r, [x]; ld.shared.u32 %r, [y]; ld.shared.u32 %r, [dyn];\n" +
			tc.body + "\nst.global.u32 [%c], %r;\nret;\n}\n"
		m, err := ptx.Parse("k.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", tc.body, err)
		}
		p, err := Kernel(m, "k", nil)
		if err != nil {
			t.Fatalf("%s: %v", tc.body, err)
		}
		if got := describeSources(p, &p.Mems[len(p.Mems)-2]); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.body, got, tc.want)
		}
	}
}

func describeSources(p *program.Program, m *program.Mem) string {
	if m.From == 0 {
		return ""
	}
	s := &p.Sources[m.From-1]
	var w []string
	if s.Space != 0 {
		hi := ""
		if m.Hi < 1<<40 {
			hi = fmt.Sprint(m.Hi)
		}
		w = append(w, fmt.Sprintf("%v %d-%s", s.Space, m.Lo, hi))
	}
	for _, at := range s.Params {
		w = append(w, fmt.Sprint(at))
	}
	if s.Unsure {
		w = append(w, "?")
	}
	if v := m.Site.Local; v != nil {
		w = append(w, v.Name)
		if v.Register {
			w = append(w, "register")
		}
	}
	return strings.Join(w, " ")
}
