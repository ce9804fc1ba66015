package lower

import (
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestEnds has in each body, one instruction a line, a first load and where what
// is computed from it ends: the lines of stores, nil for elsewhere.
func TestEnds(t *testing.T) {
	const first = 15 // the line of the load
	for name, tc := range map[string]struct {
		body string
		want []int
	}{
		"unused":             {"", []int{}},
		"stored":             {"st.global.u32 [%a], %r;", []int{1}},
		"computed, twice":    {"add.u32 %s, %r, 1;\nst.global.u32 [%a], %s;\nst.shared.u32 [x], %s;", []int{2, 3}},
		"in a loop":          {"L:\nadd.u32 %s, %s, %r;\nst.global.u32 [%a], %s;\n@%q bra L;", []int{3}},
		"selected":           {"setp.gt.u32 %p, %r, 1;\nselp.u32 %s, 1, 2, %p;\nst.global.u32 [%a], %s;", []int{3}},
		"added to memory":    {"red.global.add.u32 [%a], %r;", []int{1}},
		"compared in memory": {"atom.global.cas.b32 %s, [%a], %r, 1;", nil},
		"as an address":      {"cvt.u64.u32 %b, %r;\nst.global.u32 [%b], %s;", nil},
		"branched by":        {"setp.gt.u32 %p, %r, 1;\n@%p bra L;\nst.global.u32 [%a], %r;\nL:", nil},
		"guarded by":         {"setp.gt.u32 %p, %r, 1;\n@%p st.global.u32 [%a], %s;", nil},
		"exchanged":          {"shfl.sync.idx.b32 %s, %r, 0, 31, -1;\nst.global.u32 [%a], %s;", nil},
		"carried":            {"add.cc.u32 %s, %r, 1;\naddc.u32 %s, 0, 0;\nst.global.u32 [%a], %s;", nil},
		"generic":            {"st.u32 [%a], %r;", nil},
		"through a local":    {"mov.u64 %b, depot;\nst.local.u32 [%b+4], %r;\nadd.u64 %c, %b, %a;\nld.local.u32 %s, [%c];\nst.global.u32 [%a], %s;", []int{5}},
		"a local handed on":  {"mov.u64 %b, depot;\nst.local.u32 [%b+4], %r;\nst.global.u64 [%a], %b;", nil},
		"a local unknown":    {"mov.u64 %b, depot;\nst.local.u32 [%b+4], %r;\nld.local.u32 %s, [%a];", nil},
	} {
		src := ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 x[64];\n.visible .entry k()\n{\n.local .align 8 .b8 depot[64];\n" +
			".reg .b64 %a, %b, %c;\n.reg .b32 %r, %s, %n;\n.reg .pred %p, %q;\nmov.u64 %a, 0;\nmov.u32 %s, 0;\nsetp.eq.u32 %q, %n, 1;\n\n" +
			"ld.shared.u32 %r, [x];\n" + tc.body + "\nret;\n}\n"
		m, err := ptx.Parse("k.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p, err := Kernel(m, "k", nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		at := slices.IndexFunc(p.Sites, func(s *trace.Site) bool { return s.PTXLine == first })
		var got []int
		if s := p.Sites[at]; s.Ends != nil {
			got = []int{}
			for _, line := range s.Ends {
				got = append(got, line-first)
			}
		}
		if !slices.Equal(got, tc.want) || (got == nil) != (tc.want == nil) {
			t.Errorf("%s: ends at %#v, want %#v", name, got, tc.want)
		}
	}
}
