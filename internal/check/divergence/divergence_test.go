package divergence

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

const full = 0xffffffff

func branchAt(line int) *trace.Site {
	return &trace.Site{Loc: source.Location{Pos: source.Pos{File: "k.cu", Line: line, Col: 5}}, PTX: "@%p bra L;", PTXLine: 10 * line}
}

// play sends one block of four warps that part at a branch, by the lanes that
// take it in each warp; both sides have n instructions.
func play(taken [4]uint32, n uint64) check.Checker {
	c := New(check.Config{})
	l := &trace.Launch{Kernel: "_Z1kv", Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 128, Y: 1, Z: 1}}
	lo := c.Observer().Launch(l)[0]
	o := lo.Block()
	o.Begin(&trace.Block{Launch: l})
	b := branchAt(7)
	for w, m := range taken {
		o.Stretch(&trace.Stretch{Warp: w, Mask: full, Instrs: 20})
		if m != 0 && m != full {
			o.Diverged(&trace.Divergence{Branch: b, Warp: w, Mask: full, Taken: m})
			for _, side := range []uint32{m, ^m} {
				o.Stretch(&trace.Stretch{Warp: w, Mask: side, Instrs: n, Idle: []trace.Idle{{Branch: b, Mask: ^side}}})
			}
		}
	}
	lo.End()
	return c
}

func TestFindings(t *testing.T) {
	for _, tc := range []struct {
		name  string
		taken [4]uint32
		n     uint64
		want  string // level and a part of the help
	}{
		{"odd lanes", [4]uint32{0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa}, 50, "warning uniform across a warp"},
		{"by data", [4]uint32{0xffff, 0xff00ff, 0xf0f0f0f0, 0x0ff00ff0}, 50, "warning sort or group"},
		{"one warp", [4]uint32{0xffff, 0, full, full}, 50, "info would not help"},
		{"uniform", [4]uint32{full, 0, full, 0}, 50, ""},
		{"short", [4]uint32{0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa}, 7, ""},
		{"less short", [4]uint32{0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa}, 8, "warning uniform across a warp"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			fs := play(tc.taken, tc.n).Findings()
			if tc.want == "" {
				if len(fs) > 0 {
					t.Errorf("found %+v", fs[0])
				}
				return
			}
			level, help, _ := strings.Cut(tc.want, " ")
			if len(fs) != 1 || fs[0].Level.String() != level || !strings.Contains(fs[0].Help, help) || fs[0].Primary.Loc.Line != 7 {
				t.Errorf("found %+v, want %q", fs, tc.want)
			}
		})
	}
}

func TestShare(t *testing.T) {
	ks := play([4]uint32{0xffff, 0xffff, 0, 0}, 40).(check.Statistician).Statistics().([]KernelStats)
	k := ks[0]
	// Four warps of 20 instructions, two of them 80 more with 16 lanes idle.
	if k.LaneInstructions != 32*(4*20+2*80) || k.Idle != 2*80*16 || len(k.Branches) != 1 || k.Branches[0].Diverged != 2 || k.Branches[0].Instructions != 160 {
		t.Errorf("%+v", k)
	}
}
