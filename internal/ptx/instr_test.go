package ptx

import "testing"

func TestCallParts(t *testing.T) {
	cases := []struct {
		src, callee, targets string
		ret, args            int
		ok                   bool
	}{
		{"call plain;", "plain", "", 0, 0, true},
		{"call plain, (a);", "plain", "", 0, 1, true},
		{"call (d), callee, (a, l);", "callee", "", 1, 2, true},
		{"call (d), l, (a), pr;", "l", "pr", 1, 1, true},
		{"call l, pr;", "l", "pr", 0, 0, true},
		{"call (d);", "", "", 1, 0, false},
		{"call plain, (a), (b);", "plain", "", 0, 1, false},
		{"ret;", "", "", 0, 0, false},
	}
	for _, c := range cases {
		m := mustParse(t, wrap("pr: .callprototype (.param .b32 _) _ (.param .b32 _); "+c.src))
		walk(m, func(in *Instr) {
			got, ok := in.Call()
			callee := ""
			if got.Callee != nil {
				callee = FormatOperand(got.Callee)
			}
			if ok != c.ok || callee != c.callee || got.Targets != c.targets || len(got.Ret) != c.ret || len(got.Args) != c.args {
				t.Errorf("%s: %+v %v", c.src, got, ok)
			}
		})
	}
}

func TestDest(t *testing.T) {
	cases := []struct{ src, want string }{
		{"add.s32 d, a, b;", "d"}, {"setp.eq.s32 p|q, a, b;", "p|q"}, {"ld.v2.f32 {x, y}, [l];", "{x, y}"},
		{"st.b32 [l], a;", ""}, {"atom.add.u32 _, [l], 1;", "_"}, {"red.add.u32 [l], 1;", ""}, {"bar.sync 0;", ""},
		{"bar.red.popc.u32 d, 0, p;", "d"}, {"ret;", ""}, {"bra L; L:", ""}, {"nanosleep.u32 a;", ""},
		{"bar.warp.sync a;", ""}, {"cvta.to.global.u64 l, m;", "l"}, {"mbarrier.arrive.shared.b64 _, [bar];", "_"},
		{"mbarrier.expect_tx.shared.b64 [bar], 8;", ""}, {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {a}, [dyn];", "{a}"},
		{"prefetch.global.L1 [l];", ""}, {"activemask.b32 d;", "d"}, {"stackrestore.u64 l;", ""}, {"call (d), callee, (a, l);", ""},
	}
	for _, c := range cases {
		walk(mustParse(t, wrap(c.src)), func(in *Instr) {
			got := ""
			if d := in.Dest(); d != nil {
				got = FormatOperand(d)
			}
			if got != c.want {
				t.Errorf("%s writes %q, want %q", c.src, got, c.want)
			}
		})
	}
}
