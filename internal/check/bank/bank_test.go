package bank

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

const (
	half = 0xffff
	full = 0xffffffff
)

func mustArch(t *testing.T, name string) *arch.Arch {
	t.Helper()
	a, err := arch.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func addresses(f func(l int) int) *[32]uint64 {
	var a [32]uint64
	for l := range a {
		a[l] = uint64(f(l))
	}
	return &a
}

func every(words int) func(int) int { return func(l int) int { return 4 * words * l } }

// TestCost checks passes, ideal passes and degree of one request. On 1.x the
// mask is a half-warp.
func TestCost(t *testing.T) {
	for _, tc := range []struct {
		name string
		arch string
		wide bool
		mask uint32
		size int
		addr func(l int) int
		want string // passes/ideal/degree
	}{
		{"1.x linear", "sm_13", false, half, 4, every(1), "1/1/1"},
		{"1.x one word", "sm_13", false, half, 4, every(0), "1/1/1"},
		{"1.x stride 2", "sm_13", false, half, 4, every(2), "2/1/2"},
		{"1.x stride 3", "sm_13", false, half, 4, every(3), "1/1/1"},
		{"1.x stride 16", "sm_13", false, half, 4, every(16), "16/1/16"},
		{"1.x two words each twice, one bank", "sm_10", false, 0xf, 4, func(l int) int { return 64 * (l / 2) }, "2/1/2"},
		{"1.x two broadcast words, two banks", "sm_10", false, 0xf, 4, func(l int) int { return 4 * (l / 2) }, "2/1/2"},
		{"1.x chars", "sm_13", false, half, 1, func(l int) int { return l }, "4/1/4"},
		{"1.x doubles", "sm_13", false, half, 8, func(l int) int { return 8 * l }, "4/2/2"},
		{"1.x upper half", "sm_13", false, full &^ half, 4, every(1), "1/1/1"},
		{"2.x linear", "sm_20", false, full, 4, every(1), "1/1/1"},
		{"2.x stride 2", "sm_20", false, full, 4, every(2), "2/1/2"},
		{"8.0 stride 32", "sm_80", false, full, 4, every(32), "32/1/32"},
		{"8.0 stride 33", "sm_80", false, full, 4, every(33), "1/1/1"},
		{"8.0 stride 16", "sm_80", false, full, 4, every(16), "16/1/16"},
		{"8.0 stride 32, one lane", "sm_80", false, 1 << 7, 4, every(32), "1/1/1"},
		{"8.0 multicast of two words in a bank", "sm_80", false, full, 4, func(l int) int { return 128 * (l % 2) }, "2/1/2"},
		{"8.0 multicast of one word a bank", "sm_80", false, full, 4, func(l int) int { return 4 * (l % 8) }, "1/1/1"},
		{"8.0 chars", "sm_80", false, full, 1, func(l int) int { return l }, "1/1/1"},
		{"8.0 halves, stride 2", "sm_80", false, full, 2, func(l int) int { return 4 * l }, "1/1/1"},
		{"8.0 doubles", "sm_80", false, full, 8, func(l int) int { return 8 * l }, "2/2/1"},
		{"8.0 doubles, stride 2", "sm_80", false, full, 8, func(l int) int { return 16 * l }, "4/2/2"},
		{"8.0 doubles, pairs share", "sm_80", false, full, 8, func(l int) int { return 8 * (l / 2) }, "1/1/1"},
		{"8.0 doubles, half a warp", "sm_80", false, half, 8, func(l int) int { return 8 * l }, "1/1/1"},
		{"8.0 float4", "sm_80", false, full, 16, func(l int) int { return 16 * l }, "4/4/1"},
		{"8.0 float4, one for all", "sm_80", false, full, 16, every(0), "2/2/1"},
		{"8.0 float4, stride 8 words", "sm_80", false, full, 16, every(8), "8/4/2"},
		{"3.5 words 32 apart", "sm_35", false, full, 4, func(l int) int { return 4 * (l%2*32 + l/2) }, "1/1/1"},
		{"3.5 stride 64", "sm_35", false, full, 4, every(64), "32/1/32"},
		{"3.5 doubles", "sm_35", false, full, 8, func(l int) int { return 8 * l }, "1/1/1"},
		{"3.5 wide, stride 2", "sm_35", true, full, 4, every(2), "1/1/1"},
		{"3.5 wide, stride 4", "sm_35", true, full, 4, every(4), "2/1/2"},
		{"8.0 has no wide mode", "sm_80", true, full, 4, every(2), "2/1/2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := newGeometry(mustArch(t, tc.arch), tc.wide)
			c := g.request(tc.mask, addresses(tc.addr), tc.size)
			if got := fmt.Sprintf("%d/%d/%d", c.passes, c.ideal, c.degree); got != tc.want {
				t.Errorf("passes/ideal/degree %s, want %s", got, tc.want)
			}
		})
	}
}

// TestFigure2 is figure 2 of Boyer et al. with 16 banks: with conflicts all
// sixteen lanes of a half-warp are in bank 0.
func TestFigure2(t *testing.T) {
	c := New(check.Config{Arch: mustArch(t, "sm_10")})
	site := func(id, line int) *trace.Site {
		return &trace.Site{ID: id, Kind: trace.Write, Size: 4, Elem: 4, Space: trace.SpaceShared,
			Loc: source.Location{Pos: source.Pos{File: "fig2.cu", Line: line, Col: 9}}}
	}
	l := &trace.Launch{Kernel: "_Z1kPii", Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 32, Y: 1, Z: 1},
		SharedDynamic: 2048, Shared: []trace.Variable{{Name: "mem", Size: 2048, Dynamic: true}},
		Sites: []*trace.Site{site(0, 21), site(1, 24)}}
	lo := c.Observer().Launch(l)[0]
	bo := lo.Block()
	bo.Begin(&trace.Block{Launch: l, Shared: make([]byte, 2048)})
	for _, s := range l.Sites {
		by := 16 - 15*s.ID
		bo.Shared(&trace.Access{Site: s, Space: trace.SpaceShared, Mask: full, Addr: addresses(every(by))})
	}
	bo.End()
	lo.End()
	fs := c.Findings()
	if len(fs) != 1 || fs[0].Primary.Loc.Line != 21 || fs[0].Kind != "16-way" || fs[0].Count != 30 {
		t.Fatalf("got %d findings: %+v", len(fs), fs)
	}
	if notes := strings.Join(fs[0].Notes, "; "); !strings.Contains(notes, "bank 0: 16") {
		t.Errorf("no histogram in %q", notes)
	}
	ks := c.(check.Statistician).Statistics().([]KernelStats)
	if len(ks) != 1 || ks[0].Requests != 4 || ks[0].Conflicts != 2 || ks[0].ByDegree[16] != 2 || len(ks[0].Sites) != 2 {
		t.Errorf("statistics %+v", ks)
	}
	t.Log(fs[0].Message, fs[0].Notes, fs[0].Help)
}

// TestShortcuts compares the quick answers with the full computation.
func TestShortcuts(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	g := newGeometry(mustArch(t, "sm_80"), false)
	k := newGeometry(mustArch(t, "sm_35"), false)
	for range 20000 {
		mask := rng.Uint32() | 1
		step, mod, base := rng.Intn(40), 1+rng.Intn(64), 4*rng.Intn(64)
		addr := addresses(func(l int) int { return base + 4*(l*step%mod) })
		c, ck := g.request(mask, addr, 4), k.request(mask, addr, 4)
		if (freeOfConflict(mask, addr) || oneWordEach(mask, addr)) && (c.degree != 1 || ck.degree != 1) {
			t.Fatalf("mask %x step %d mod %d: quick answer without conflict, degrees %d and %d", mask, step, mod, c.degree, ck.degree)
		}
		if c.degree == 1 && !oneWordEach(mask, addr) {
			t.Fatalf("mask %x step %d mod %d: no conflict, but the quick answer says so not", mask, step, mod)
		}
	}
}

func TestHistogram(t *testing.T) {
	for want, load := range map[string][]int{
		"worst access: bank 0: 16":              {16, 0, 0, 0},
		"worst access: banks 0-3: 2":            {2, 2, 2, 2},
		"worst access: bank 1: 3, banks 2-3: 1": {0, 3, 1, 1},
		"worst access: banks 0-1: 1, bank 3: 2": {1, 1, 0, 2},
	} {
		if got := histogram(load); got != want {
			t.Errorf("%v: %q, want %q", load, got, want)
		}
	}
}

func BenchmarkAccess(b *testing.B) {
	a, _ := arch.Parse("sm_80")
	for name, addr := range map[string]func(int) int{"linear": every(1), "stride 33": every(33), "stride 32": every(32)} {
		b.Run(name, func(b *testing.B) {
			g := newGeometry(a, false)
			o := &blockObserver{geo: &g, launch: &trace.Launch{Block: trace.Dim3{X: 32, Y: 1, Z: 1}}, sites: make([]*siteStat, 1)}
			e := &trace.Access{Site: &trace.Site{Size: 4, Elem: 4}, Space: trace.SpaceShared, Mask: full, Addr: addresses(addr)}
			for range b.N {
				o.Access(e)
			}
		})
	}
}
