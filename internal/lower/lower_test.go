package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

const header = ".version 8.7\n.target sm_100a\n.address_size 64\n"

func kernel(t *testing.T, decls, body string) *ptx.Module {
	t.Helper()
	src := header + decls + ".visible .entry k(.param .u64 k_p, .param .u32 k_n)\n{\n" +
		".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<8>; .reg .f64 %g<8>;\n" + body + "\n}\n"
	m, err := ptx.Parse("test.ptx", []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return m
}

func mustLower(t *testing.T, m *ptx.Module) *program.Program {
	t.Helper()
	p, err := Kernel(m, "k", Symbols{"glob": 0x1100_0000_1000})
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// uniformRegisters runs the analysis alone.
func uniformRegisters(t *testing.T, m *ptx.Module) []string {
	t.Helper()
	u := &unit{
		mod: m, funcs: map[string]*fn{}, shared: map[string]uint64{},
		prog: &program.Program{FuncAt: map[uint64]int{}}, consts: map[constKey]int32{}, specials: map[string]special{}, slots: make([]slot, 1),
	}
	if err := u.collect(m.Func("k")); err != nil {
		t.Fatal(err)
	}
	u.analyze(u.order[0])
	var names []string
	for _, r := range u.order[0].byID() {
		if !r.varying {
			names = append(names, r.name)
		}
	}
	slices.Sort(names)
	return names
}

func TestUniform(t *testing.T) {
	const varies = "mov.u32 %r9, %tid.x; setp.lt.u32 %p7, %r9, 5;\n"
	for _, c := range []struct{ name, body, want string }{
		{"parameters and arithmetic", "ld.param.u32 %r0, [k_n]; add.u32 %r1, %r0, 1; setp.lt.u32 %p0, %r1, 5;", "%p0 %r0 %r1"},
		{"thread index", varies + "mov.u32 %r0, %ctaid.x; add.u32 %r1, %r0, %r9;", "%r0"},
		{"one address", "ld.param.u64 %d0, [k_p]; ld.global.u32 %r0, [%d0]; ld.u32 %r1, [%d0];", "%d0 %r0"},
		{"loop counter", "mov.u32 %r0, 0; L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 9; @%p0 bra L;", "%p0 %r0"},
		{"loop counter, lanes leave early", varies + "mov.u32 %r0, 0; L: @%p7 bra E; add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 9; @%p0 bra L; E: ret;", "%p0 %r0"},
		{"counter read behind the loop", varies + "mov.u32 %r0, 0; L: @%p7 bra E; add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 9; @%p0 bra L; E: add.u32 %r1, %r0, 1;", ""},
		{"two writes", varies + "mov.u32 %r0, 1; @%p7 bra E; mov.u32 %r0, 2; E: add.u32 %r1, %r0, 1;", ""},
		{"inside one side", varies + "@%p7 bra E; mov.u32 %r0, 2; add.u32 %r1, %r0, 1; E: ret;", "%r0 %r1"},
		{"written here, read there", varies + "mov.u32 %r0, 1; @%p7 bra A; mov.u32 %r0, 2; ret; A: add.u32 %r1, %r0, 1;", ""},
		{"guarded", varies + "mov.u32 %r0, 1; @%p7 mov.u32 %r0, 2;", ""},
		{"perhaps not written", "ld.param.u32 %r1, [k_n]; setp.eq.u32 %p0, %r1, 0; @%p0 bra E; mov.u32 %r0, 1; E: add.u32 %r2, %r0, 1;", "%p0 %r1"},
		{"carry", "ld.param.u32 %r1, [k_n]; add.cc.u32 %r0, %r1, %r1; addc.u32 %r2, %r1, 0;", "%r1"},
		{"vector with one varying part", varies + "ld.param.u64 %d0, [k_p]; mov.u32 %r0, 1; ld.global.v2.u32 {%r0, %r1}, [%d0]; @%p7 bra E; mov.u32 %r0, 5; E: add.u32 %r2, %r0, %r1;", "%d0"},
		{"clock", "mov.u32 %r0, %clock; mov.u32 %r1, %warpid;", "%r1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := kernel(t, "", c.body)
			if got := strings.Join(uniformRegisters(t, m), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			mustLower(t, m)
		})
	}
}

// TestAliases wants registers that copy a special register to cost nothing,
// unless they may be read before.
func TestAliases(t *testing.T) {
	count := func(body string) (n int) {
		for _, in := range mustLower(t, kernel(t, "", body)).Code {
			if in.Op == program.OpVec || in.Op == program.OpScalar {
				n++
			}
		}
		return n
	}
	for body, want := range map[string]int{
		"mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %laneid;":        0,
		"mov.u32 %r0, %tid.x; mov.u32 %r0, %tid.y;":                                2,
		"setp.eq.u32 %p0, %r0, 0; @%p0 bra E; mov.u32 %r0, %tid.x; E: bar.sync 0;": 1,
	} {
		if n := count(body); n != want {
			t.Errorf("%q: %d steps, want %d", body, n, want)
		}
	}
}

// samples are instructions of rows that are more than arithmetic.
var samples = map[string]string{
	"bra": "bra L; L:", "brx.idx": "T: .branchtargets L; brx.idx %r0, T; L:", "call": "call f, ();", "ret": "ret;", "exit": "exit;", "trap": "trap;",
	"bar": "bar.sync 0;", "barrier": "barrier.sync 0;", "bar.warp.sync": "bar.warp.sync -1;", "membar": "membar.gl;", "fence": "fence.acq_rel.gpu;",
	"atom": "atom.global.add.u32 %r0, [%d0], %r1;", "red": "red.global.add.u32 [%d0], %r1;", "griddepcontrol": "griddepcontrol.wait;",
	"shfl": "shfl.idx.b32 %r0, %r1, 0, 31;", "shfl.sync": "shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;", "vote": "vote.ballot.b32 %r0, %p0;",
	"vote.sync": "vote.sync.ballot.b32 %r0, %p0, -1;", "match": "match.any.sync.b32 %r0, %r1, -1;", "activemask": "activemask.b32 %r0;",
	"redux": "redux.sync.add.u32 %r0, %r1, -1;", "elect": "elect.sync %r0|%p0, -1;", "brkpt": "brkpt;", "nanosleep": "nanosleep.u32 5;", "pmevent": "pmevent 1;",
	"ld": "ld.global.u32 %r0, [%d0];", "ldu": "ldu.global.u32 %r0, [%d0];", "st": "st.global.u32 [%d0], %r0;", "prefetch": "prefetch.global.L1 [%d0];",
	"prefetchu": "prefetchu.L1 [%d0];", "applypriority": "applypriority.global.L2::evict_normal [%d0], 128;", "discard": "discard.global.L2 [%d0], 128;",
	"isspacep": "isspacep.shared %p0, %d0;", "cvta": "cvta.to.global.u64 %d0, %d1;", "mov": "mov.u32 %r0, %r1;",
	"fence.proxy": "fence.proxy.async;", "alloca": "alloca.u64 %d0, %r1;", "stacksave": "stacksave.u64 %d0;", "stackrestore": "stackrestore.u64 %d0;",
	"mapa": "mapa.shared::cluster.u32 %r0, %r1, 0;", "getctarank": "getctarank.u64 %r0, %d1;", "barrier.cluster": "barrier.cluster.wait;",
	"createpolicy": "createpolicy.fractional.L2::evict_first.b64 %d0, 1.0;", "setmaxnreg": "setmaxnreg.inc.sync.aligned.u32 64;",
	"lop3": "lop3.b32 %r0, %r1, %r2, %r3, 0x96;", "shl": "shl.b16 %h0, %h1, %r2;", "shr": "shr.b16 %h0, %h1, %r2;", "slct": "slct.b16.s32 %h0, %h1, %h2, %r3;",
}

// TestExecutedRows wants the rows of the instruction table that the engine is
// said to run to be lowered to steps that do.
func TestExecutedRows(t *testing.T) {
	byRow := map[*isa.Desc][]string{}
	for _, name := range alu.All() {
		if !strings.Contains(name, ":") {
			d := isa.Lookup(name)
			byRow[d] = append(byRow[d], name)
		}
	}
	for _, d := range isa.All() {
		if !d.Executed {
			continue
		}
		text, ok := samples[d.Op]
		if !ok && len(byRow[d]) > 0 {
			text = arithmetic(t, byRow[d][0])
			ok = true
		}
		if !ok {
			continue // package engine's tests want a program for each
		}
		m, err := ptx.Parse("test.ptx", []byte(header+".func f() { ret; }\n.visible .entry k() {\n.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<10>; .reg .b64 %d<10>;\n"+text+"\n}\n"))
		if err != nil {
			t.Errorf("%s: %s: %v", d.Op, text, err)
			continue
		}
		for _, in := range mustLower(t, m).Code {
			if in.Op == program.OpUnsupported {
				t.Errorf("%s: %s is not supported", d.Op, text)
			}
		}
	}
}

// arithmetic writes an instruction of the opcode with registers.
func arithmetic(t *testing.T, name string) string {
	t.Helper()
	op, err := alu.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	letter := func(w alu.Width, half bool) string {
		switch {
		case w == alu.Pred:
			return "p"
		case w == alu.W64:
			return "d"
		case half:
			return "h"
		}
		return "r"
	}
	half := strings.HasSuffix(name, "16") && !strings.Contains(name, "x2") || strings.HasSuffix(name, "bf16")
	args := []string{"%" + letter(op.Dst, op.DstBits == 16) + "0"}
	n := len(op.Args)
	if op.CarryIn {
		n--
	}
	for i := range n {
		args = append(args, fmt.Sprintf("%%%s%d", letter(op.Args[i], half), i+1))
	}
	return name + " " + strings.Join(args, ", ") + ";"
}

// TestOrdered tells the kernels whose blocks must run in turn.
func TestOrdered(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"atom.global.add.u32 %r0, [%d0], 1;", false},
		{"atom.global.add.u32 %r0, [%d0], 1; red.global.max.u32 [%d0+8], 7;", false},
		{"atom.global.add.u32 %r0, [%d0], 1; st.global.u32 [%d1], %r0;", true},
		{"red.global.add.f32 [%d0], 0f3F800000;", true},
		{"atom.global.cas.b32 %r0, [%d0], 0, 2;", false},
		{"atom.global.cas.b32 %r0, [%d0], 0, 2; atom.global.cas.b32 %r1, [%d1], 0, 2;", false},
		{"atom.global.cas.b32 %r0, [%d0], 0, 2; st.global.u32 [%d1], %r0;", true},
		{"atom.global.cas.b32 %r0, [%d0], 0, %r1;", true},
		{"atom.global.cas.b32 %r0, [%d0], 0, 2; atom.global.cas.b32 %r1, [%d1], 0, 3;", true},
		{"atom.global.cas.b32 %r0, [%d0], 0, 2; atom.global.cas.b32 %r1, [%d1], 2, 0;", true},
		{"atom.global.cas.b32 %r0, [%d0], 0, 2; red.global.add.u32 [%d0], 1;", true},
		{"red.global.add.u32 [%d0], 1; atom.global.exch.b32 %r1, [%d1], 5;", true},
		{"atom.global.exch.b32 %r0, [%d0], 5; atom.global.exch.b32 %r5, [%d1], 5;", false},
		{"atom.global.exch.b32 %r0, [%d0], 5; atom.global.exch.b64 %d2, [%d1], 5;", true},
		{"atom.shared.cas.b32 %r0, [%d0], %r0, %r1; atom.global.exch.b32 %r5, [%d1], 5;", false},
		{"ld.volatile.global.u32 %r0, [%d0];", true},
	} {
		if got := mustLower(t, kernel(t, "", c.body)).Ordered; got != c.want {
			t.Errorf("%s: ordered %v, want %v", c.body, got, c.want)
		}
	}
}

// TestPlainPolls tells the loops that wait for a plain read from those that only read.
func TestPlainPolls(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"L: ld.global.u32 %r0, [%d0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", true},
		{"L: add.u64 %d1, %d0, 8; ld.global.u32 %r0, [%d1]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", true},
		{"L: ld.global.u32 %r0, [%d0]; ld.global.u32 %r1, [%d0+4]; or.b32 %r0, %r0, %r1; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", true},
		{"L: nanosleep.u32 40; ld.global.u32 %r0, [%d0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", true},
		{"L: ld.global.u32 %r0, [%d0]; add.u64 %d0, %d0, 4; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", false}, // a search
		{"L: ld.global.u64 %d0, [%d0]; setp.ne.u64 %p0, %d0, 0; @%p0 bra L;", false},                      // a list
		{"L: ld.global.u32 %r0, [%d0]; st.global.u32 [%d1], %r0; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", false},
		{"L: ld.global.u32 %r0, [%d0]; ld.global.u32 %r1, [%d1]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", false}, // reads for something else
		{"mov.u32 %r1, 0; L: ld.global.u32 %r0, [%d0]; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 9; @%p0 bra L;", false},
		{"L: ld.volatile.global.u32 %r0, [%d0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;", false},
		{"ld.global.u32 %r0, [%d0];", false},
	} {
		p := mustLower(t, kernel(t, "", c.body))
		got := false
		for _, s := range p.Sites {
			got = got || p.PlainPolls(s.ID)
		}
		if got != c.want {
			t.Errorf("%s: polls %v, want %v", c.body, got, c.want)
		}
	}
}

// TestUnsupportedSaysWhere wants one message with the opcode for instructions
// that share their first word with others that run.
func TestUnsupportedSaysWhere(t *testing.T) {
	for _, text := range []string{
		"cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [%r0], [%d0, {%r1, %r1, %r1}], [%r2], {%h0, %h1};",
		"cvt.rs.f16x2.f32 %r0, %f0, %f1, %r1;", "add.u8x4 %r0, %r1, %r2;",
	} {
		p := mustLower(t, kernel(t, "", "mov.u32 %r0, 1;\n"+text))
		opcode, _, _ := strings.Cut(strings.TrimSuffix(text, ";"), " ")
		if len(p.Messages) != 1 || !strings.Contains(p.Messages[0], "instruction "+opcode+" is not supported") {
			t.Errorf("%s: messages %q", text, p.Messages)
		}
	}
}

func TestNoKernel(t *testing.T) {
	if _, err := Kernel(kernel(t, "", ""), "other", nil); err == nil || !strings.Contains(err.Error(), `no kernel "other"`) {
		t.Errorf("got %v", err)
	}
}
