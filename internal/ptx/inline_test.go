package ptx_test

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// TestInlineInstructions: which instructions a text of inline assembly has, with their operands, and where.
func TestInlineInstructions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"bar.sync 1, 64;", "bar.sync(1|64)"},
		{"bar.sync %0, %1;\n\tmembar.gl;", "bar.sync(%0|%1) membar.gl()"},
		{"bar.sync 1", "bar.sync(1)"}, // the last semicolon may be missing
		{"{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }", "mbarrier.try_wait.parity.shared::cta.b64(p|[%0]|%1) bra(W)"},
		{"// bar.sync 1, 64;\nbar.sync 0; /* bar.sync 2, 3; */", "bar.sync(0)"},
		{"@p bar.sync 1, 64; @!%p1 exit;", "bar.sync(1|64) exit()"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};",
			"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32({%0, %1, %2, %3}|{%4, %5, %6, %7}|{%8, %9}|{%0, %1, %2, %3})"},
		{"cp.async.bulk .commit_group;", "cp.async.bulk.commit_group()"},          // blanks before a modifier
		{"mov.u32 bar_sync, bar.sync;", "mov.u32(bar_sync|bar.sync)"},             // an operand, and no instruction
		{"bar_sync: bar.sync 0;", "bar.sync(0)"},                                  // a label
		{".reg .b32 bar; mov.b32 bar, %0;", "mov.b32(bar|%0)"},                    // a declaration
		{"barsync 1, 64; bar.snyc 1, 64;", "?barsync(1|64) ?bar.snyc(1|64)"},      // no instructions
		{"call (r), f, (a, b);", "call((r)|f|(a, b))"},                            // lists
		{"{ bar.sync 1, 64 }", "bar.sync(1|64)"},                                  // no semicolon before the brace
		{"ld.global.v2.u32 {%0,%1}, [%2+4];", "ld.global.v2.u32({%0,%1}|[%2+4])"}, // a vector and an offset
		{"+ bar.sync 1, 64; bar.sync 2;", "bar.sync(2)"},                          // only a part is a statement
		{"", ""},
		{"\" bar.sync 1;", ""}, // a string that does not end
	} {
		var got []string
		for _, in := range ptx.InlineInstructions(c.text) {
			var args []string
			for _, a := range in.Args {
				args = append(args, a.Of(c.text))
			}
			unknown := map[bool]string{true: "?"}[in.Desc == nil]
			got = append(got, unknown+in.Opcode+"("+strings.Join(args, "|")+")")
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q has %q, want %q", c.text, g, c.want)
		}
	}
}

// TestInlineOperands: which operands are a number of threads, a parity and an mbarrier.
func TestInlineOperands(t *testing.T) {
	for _, c := range []struct{ text, threads, parity, mbarrier string }{
		{text: "bar.sync 1, 64;", threads: "64"},
		{text: "bar.cta.sync 1, 64;", threads: "64"},
		{text: "barrier.sync.aligned 1, %0;", threads: "%0"},
		{text: "barrier.cta.arrive 1, 64;", threads: "64"},
		{text: "barrier.red.popc.aligned.u32 r, 1, 64, p;", threads: "64"},
		{text: "barrier.red.popc.aligned.u32 r, 1, p;"},
		{text: "bar.sync 1;"},
		{text: "bar.warp.sync 1;"},
		{text: "mbarrier.try_wait.parity.b64 p, [a], %1, 64;", parity: "%1", mbarrier: "[a]"},
		{text: "mbarrier.test_wait.b64 p, [a], state;", mbarrier: "[a]"},
		{text: "mbarrier.arrive.b64 s, [a], 64;"},
	} {
		in := ptx.InlineInstructions(c.text)[0]
		arg := func(at int, ok bool) string {
			if !ok {
				return ""
			}
			return in.Args[at].Of(c.text)
		}
		if g := arg(in.Threads()); g != c.threads {
			t.Errorf("%s: threads %q, want %q", c.text, g, c.threads)
		}
		if g := arg(in.Parity()); g != c.parity {
			t.Errorf("%s: parity %q, want %q", c.text, g, c.parity)
		}
		if g := arg(in.MBarrier()); g != c.mbarrier {
			t.Errorf("%s: mbarrier %q, want %q", c.text, g, c.mbarrier)
		}
	}
}

// TestStronger: which modifier is an order or a scope, and what may stand in its place.
func TestStronger(t *testing.T) {
	for _, c := range []struct {
		opcode string
		role   isa.Role
		want   string
	}{
		{"mbarrier.arrive.relaxed.cta.shared::cta.b64", isa.Order, "relaxed: release"},
		{"mbarrier.arrive.shared::cta.b64", isa.Order, ""},
		{"barrier.cluster.arrive.relaxed.aligned", isa.Order, "relaxed: release"},
		{"mbarrier.try_wait.parity.relaxed.cta.b64", isa.Order, "relaxed: acquire"},
		{"atom.relaxed.gpu.global.add.u32", isa.Order, "relaxed: acquire release acq_rel"},
		{"red.relaxed.gpu.global.add.u32", isa.Order, "relaxed: release"},
		{"ld.relaxed.gpu.global.u32", isa.Order, "relaxed: acquire"},
		{"st.relaxed.gpu.global.u32", isa.Order, "relaxed: release"},
		{"fence.acq_rel.cta", isa.Order, "acq_rel: sc"},
		{"fence.sc.cta", isa.Scope, "cta: cluster gpu sys"},
		{"membar.cta", isa.Scope, "cta: gl sys"},
		{"atom.acq_rel.cta.shared.add.u32", isa.Scope, "cta: cluster gpu sys"},
		{"mbarrier.arrive.release.cluster.shared::cluster.b64", isa.Scope, "cluster: gpu sys"},
		{"st.release.sys.u32", isa.Scope, "sys:"},
		{"bar.cta.sync", isa.Scope, ""}, // whose barrier it is
		{"ld.shared::cta.u32", isa.Scope, ""},
		{"no.such.cta", isa.Scope, ""},
	} {
		got := ""
		if at, words := isa.Stronger(c.opcode, c.role); at >= 0 {
			got = strings.TrimSpace(strings.Split(c.opcode, ".")[at] + ": " + strings.Join(words, " "))
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.opcode, got, c.want)
		}
	}
}
