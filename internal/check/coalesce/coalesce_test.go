package coalesce

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

const (
	full = 0xffffffff
	base = 1 << 20
)

func addresses(f func(l int) int) *[32]uint64 {
	var a [32]uint64
	for l := range a {
		a[l] = uint64(base + f(l))
	}
	return &a
}

func every(bytes, from int) func(int) int { return func(l int) int { return from + bytes*l } }

func way(t testing.TB, name string) geometry {
	t.Helper()
	a, err := arch.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return geometry{a.Coalescing()}
}

// TestCost checks one warp's access: units needed and ideal, bytes used and
// moved, lines of 128 bytes.
func TestCost(t *testing.T) {
	swap := func(l int) int { return 4 * (l ^ 1) }
	for _, tc := range []struct {
		name, arch string
		mask       uint32
		size       int
		addr       func(l int) int
		store      bool
		want       string
	}{
		{"contiguous", "sm_80", full, 4, every(4, 0), false, "4/4 128/128 1"},
		{"one word", "sm_80", full, 4, every(0, 0), false, "1/1 4/32 1"},
		{"misaligned by a word", "sm_80", full, 4, every(4, 4), false, "5/4 128/160 2"},
		{"misaligned by a sector", "sm_80", full, 4, every(4, 32), false, "4/4 128/128 2"},
		{"permuted", "sm_80", full, 4, func(l int) int { return 4 * (l * 5 % 32) }, false, "4/4 128/128 1"},
		{"stride 2", "sm_80", full, 4, every(8, 0), false, "8/4 128/256 2"},
		{"stride 32", "sm_80", full, 4, every(128, 0), false, "32/4 128/1024 32"},
		{"stride 33", "sm_80", full, 4, every(132, 0), false, "32/4 128/1024 32"},
		{"stride -2", "sm_80", full, 4, every(-8, 1024), false, "9/4 128/288 3"},
		{"8 bytes", "sm_80", full, 8, every(8, 0), false, "8/8 256/256 2"},
		{"16 bytes", "sm_80", full, 16, every(16, 0), false, "16/16 512/512 4"},
		{"32 bytes in two steps", "sm_80", full, 32, every(32, 0), false, "64/32 1024/2048 8"},
		{"bytes", "sm_80", full, 1, every(1, 0), false, "1/1 32/32 1"},
		{"bytes by 32", "sm_80", full, 1, every(32, 0), false, "32/1 32/1024 8"},
		{"one lane", "sm_80", 1 << 9, 4, every(4, 0), false, "1/1 4/32 1"},
		{"odd lanes", "sm_80", 0xaaaaaaaa, 4, every(4, 0), false, "4/2 64/128 1"},

		{"contiguous", "sm_20", full, 4, every(4, 0), false, "1/1 128/128 1"},
		{"misaligned by a word", "sm_20", full, 4, every(4, 4), false, "2/1 128/256 2"},
		{"8 bytes", "sm_20", full, 8, every(8, 0), false, "2/2 256/256 2"},
		{"16 bytes", "sm_35", full, 16, every(16, 0), false, "4/4 512/512 4"},
		{"stride 2", "sm_35", full, 4, every(8, 0), false, "2/1 128/256 2"},
		{"contiguous store", "sm_20", full, 4, every(4, 0), true, "4/4 128/128 1"},
		{"misaligned store", "sm_20", full, 4, every(4, 4), true, "5/4 128/160 2"},

		{"contiguous", "sm_13", full, 4, every(4, 0), false, "2/2 128/128 1"},
		{"permuted", "sm_13", full, 4, swap, false, "2/2 128/128 1"},
		{"misaligned by a word", "sm_13", full, 4, every(4, 4), false, "3/2 128/224 2"},
		{"half-warp misaligned in its segment", "sm_13", 0xffff, 4, every(4, 4), false, "1/1 64/128 1"},
		{"half-warp across segments", "sm_13", 0xffff, 4, every(4, 96), false, "2/1 64/64 2"},
		{"stride 2", "sm_13", full, 4, every(8, 0), false, "2/2 128/256 2"},
		{"stride 32", "sm_13", full, 4, every(128, 0), false, "32/2 128/1024 32"},
		{"8 bytes", "sm_13", full, 8, every(8, 0), false, "2/2 256/256 2"},
		{"16 bytes", "sm_13", full, 16, every(16, 0), false, "4/4 512/512 4"},
		{"bytes", "sm_13", full, 1, every(1, 0), false, "2/2 32/64 1"},
		{"2-byte words", "sm_13", full, 2, every(2, 0), false, "2/2 64/64 1"},
		{"one word", "sm_13", full, 4, every(0, 0), false, "2/2 8/64 1"},

		{"contiguous", "sm_10", full, 4, every(4, 0), false, "2/2 128/128 1"},
		{"permuted", "sm_10", full, 4, swap, false, "32/2 128/1024 1"},
		{"misaligned by a word", "sm_10", full, 4, every(4, 4), false, "32/2 128/1024 2"},
		{"some lanes", "sm_11", 0xf0f0f0f0, 4, every(4, 0), false, "2/2 64/128 1"},
		{"8 bytes", "sm_10", full, 8, every(8, 0), false, "2/2 256/256 2"},
		{"8 bytes misaligned", "sm_10", full, 8, every(8, 64), false, "32/2 256/1024 3"},
		{"16 bytes", "sm_10", full, 16, every(16, 0), false, "4/4 512/512 4"},
		{"one word", "sm_10", full, 4, every(0, 0), false, "32/2 8/1024 1"},
		{"bytes", "sm_10", full, 1, every(1, 0), false, "32/2 32/1024 1"},
	} {
		t.Run(tc.arch+" "+tc.name, func(t *testing.T) {
			c := way(t, tc.arch).access(tc.mask, addresses(tc.addr), tc.size, !tc.store)
			if got := fmt.Sprintf("%d/%d %d/%d %d", c.units, c.ideal, c.used, c.moved, c.lines); got != tc.want {
				t.Errorf("units/ideal used/moved lines %s, want %s", got, tc.want)
			}
		})
	}
}

// TestUnit names what loads and stores are counted in.
func TestUnit(t *testing.T) {
	for _, tc := range []struct{ arch, load, store string }{
		{"sm_13", "transaction", "transaction"}, {"sm_20", "line", "sector"}, {"sm_37", "line", "sector"}, {"sm_80", "sector", "sector"},
	} {
		if g := way(t, tc.arch); g.unit(true) != tc.load || g.unit(false) != tc.store {
			t.Errorf("%s: loads in %ss, stores in %ss, want %ss and %ss", tc.arch, g.unit(true), g.unit(false), tc.load, tc.store)
		}
	}
}

// TestMeasure compares the count with sets.
func TestMeasure(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 5000 {
		mask := rng.Uint32() | 1<<rng.Intn(32)
		size := 1 << rng.Intn(5)
		span := 1 + rng.Intn(200)
		addr := addresses(func(int) int { return size * rng.Intn(span) })
		var sets [3]map[uint64]bool
		for i, shift := range []int{0, 5, 7} {
			sets[i] = map[uint64]bool{}
			for m := mask; m != 0; m &= m - 1 {
				sets[i][addr[bits.TrailingZeros32(m)]>>shift] = true
			}
		}
		want := spread{uint32(len(sets[0])), uint32(len(sets[1])), uint32(len(sets[2]))}
		if got := measure(mask, addr); got != want {
			t.Fatalf("mask %x addresses %v: %+v, want %+v", mask, addr, got, want)
		}
		for _, name := range []string{"sm_10", "sm_13", "sm_20", "sm_80"} {
			c := way(t, name).access(mask, addr, size, true)
			if c.units < c.ideal || c.moved < c.used {
				t.Fatalf("%s: %+v", name, c)
			}
		}
	}
}

// player sends accesses to a checker as the engine does.
type player struct {
	t      *testing.T
	c      check.Checker
	launch *trace.Launch
	lo     *trace.LaunchObserver
	slots  []*trace.BlockObserver
}

func newPlayer(t *testing.T, slots int) *player {
	a, _ := arch.Parse("sm_80")
	p := &player{t: t, c: New(check.Config{Arch: a}), launch: &trace.Launch{Kernel: "_Z1kPf",
		Grid: trace.Dim3{X: 8, Y: 1, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1}}}
	for i := range 3 {
		p.launch.Sites = append(p.launch.Sites, &trace.Site{ID: i, Kind: trace.Read, Size: 4, Elem: 4, Space: trace.SpaceGlobal,
			Loc: source.Location{Pos: source.Pos{File: "k.cu", Line: 10 + i, Col: 3}}})
	}
	p.lo = p.c.Observer().Launch(p.launch)[0]
	for range slots {
		p.slots = append(p.slots, p.lo.Block())
	}
	return p
}

// block runs a block: site 0 is good, site 1 has a stride in odd blocks, site 2
// always.
func (p *player) block(slot int, index uint64) {
	o := p.slots[slot]
	o.Begin(&trace.Block{Launch: p.launch, Index: index})
	for warp := range 2 {
		for i, step := range []int{4, 4 + 4*int(index%2), 64} {
			o.Global(&trace.Access{Site: p.launch.Sites[i], Space: trace.SpaceGlobal, Warp: warp, Mask: full,
				Addr: addresses(every(step, int(index)*8192))})
		}
	}
}

func (p *player) findings() []*finding.Finding {
	p.lo.End()
	return p.c.Findings()
}

// TestOrder: the same findings whichever worker has which block, the one with
// the greatest excess first.
func TestOrder(t *testing.T) {
	one := newPlayer(t, 1)
	for i := range uint64(8) {
		one.block(0, i)
	}
	two := newPlayer(t, 2)
	for _, i := range []uint64{2, 0, 3, 1, 6, 4, 5, 7} {
		two.block(int(i/2%2), i)
	}
	a, b := one.findings(), two.findings()
	if len(a) != 2 || a[0].Primary.Loc.Line != 12 || a[1].Primary.Loc.Line != 11 {
		t.Fatalf("findings: %+v", a)
	}
	if got := a[1].Primary.Thread.BlockIndex; got != 1 {
		t.Errorf("the witness is of block %d, want 1", got)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if !bytes.Equal(x, y) {
		t.Errorf("two workers find something else:\n%s\n%s", x, y)
	}
	ks := one.c.(check.Statistician).Statistics().([]KernelStats)
	if len(ks) != 1 || len(ks[0].Sites) != 3 || ks[0].Accesses != 48 || ks[0].Sites[0].Efficiency != 1 {
		t.Errorf("statistics %+v", ks)
	}
}

func TestNoAllocations(t *testing.T) {
	p := newPlayer(t, 1)
	p.block(0, 1)
	o := p.slots[0]
	a := &trace.Access{Site: p.launch.Sites[2], Space: trace.SpaceGlobal, Mask: 0xfffffff0, Addr: addresses(func(l int) int { return 64 * (l * 7 % 32) })}
	o.Begin(&trace.Block{Launch: p.launch, Index: 3})
	if n := testing.AllocsPerRun(100, func() { o.Global(a) }); n != 0 {
		t.Errorf("%v allocations an access", n)
	}
}

func BenchmarkAccess(b *testing.B) {
	for name, f := range map[string]func(int) int{"contiguous": every(4, 0), "stride 32": every(128, 0), "shuffled": func(l int) int { return 4 * (l * 77 % 1024) }} {
		b.Run(name, func(b *testing.B) {
			p := newPlayer(&testing.T{}, 1)
			p.block(0, 1)
			o := p.slots[0]
			o.Begin(&trace.Block{Launch: p.launch, Index: 3})
			a := &trace.Access{Site: p.launch.Sites[2], Space: trace.SpaceGlobal, Mask: full, Addr: addresses(f), Regular: name != "shuffled"}
			a.Step = int64(a.Addr[1] - a.Addr[0])
			for b.Loop() {
				o.Global(a)
			}
		})
	}
}
