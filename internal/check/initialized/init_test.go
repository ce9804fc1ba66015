package initialized

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

const full = ^uint32(0)

// player plays events of one block to the rule.
type player struct {
	check  check.Checker
	launch *trace.Launch
	lo     *launchObserver
	bo     *blockObserver
}

const (
	st   = iota // line 10
	ld          // line 11
	exch        // line 12
	add         // line 13
	lst         // line 14, local
	lld         // line 15, local
	sites
)

func newPlayer() *player {
	l := &trace.Launch{Kernel: "_Z1kv", Grid: trace.Dim3{X: 4, Y: 1, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1}, SharedStatic: 512,
		Shared: []trace.Variable{{Name: "a", Size: 256}, {Name: "b", Addr: 256, Size: 256}}}
	kinds := [sites]trace.Kind{trace.Write, trace.Read, trace.Atomic, trace.Atomic, trace.Write, trace.Read}
	for i, k := range kinds {
		s := &trace.Site{ID: i, Space: trace.SpaceShared, Kind: k, Size: 4, Elem: 4, PTX: "atom.shared.add.u32", Op: inst.Op{Kind: inst.Atomic, Fn: inst.FnAdd},
			Loc: source.Location{Pos: source.Pos{File: "k.cu", Line: 10 + i, Col: 1}}}
		if i >= lst {
			s.Space = trace.SpaceLocal
		}
		if i == exch {
			s.PTX, s.Op.Fn = "atom.shared.exch.b32", inst.FnExch
		}
		l.Sites = append(l.Sites, s)
	}
	p := &player{check: New(check.Config{}), launch: l}
	p.lo = &launchObserver{checker: p.check.(*checker), launch: l, needs: needs{shared: true, local: true}, slots: map[*trace.Block]*tracker{}}
	p.bo = p.lo.newBlock()
	return p
}

func (p *player) begin(i uint64) {
	p.bo.Begin(&trace.Block{Launch: p.launch, Index: i, Shared: make([]byte, 512)})
}

// access plays a site for warp and mask, lane l at from + l*step.
func (p *player) access(site, warp int, mask uint32, from, step uint64) {
	a := &trace.Access{Site: p.launch.Sites[site], Space: p.launch.Sites[site].Space, Warp: warp, Mask: mask, Addr: new([32]uint64),
		Regular: mask == full, Step: int64(step)}
	for l := range a.Addr {
		a.Addr[l] = from + uint64(l)*step
	}
	a.Undefined = &trace.Undefined{}
	p.bo.Access(a)
	if u := a.Undefined; u.Mask != 0 {
		p.bo.Used(&trace.Used{Site: a.Site, Purpose: trace.StoredInGlobal, Warp: warp, Mask: u.Mask, Origin: &u.Origin})
	}
}

func (p *player) barrier() { p.bo.Barrier(&trace.Barrier{Full: true}) }

func (p *player) end() string {
	p.bo.End()
	p.lo.End()
	var out []string
	for _, f := range p.check.Findings() {
		d := f.Details.(Details)
		out = append(out, fmt.Sprintf("%s line %d %s[%d] x%d", f.Kind, f.Primary.Loc.Line, d.Variable, d.Index, f.Count))
	}
	return strings.Join(out, "; ")
}

func TestShared(t *testing.T) {
	for _, tc := range []struct {
		name string
		play func(p *player)
		want string
	}{
		{"written, then read", func(p *player) {
			p.access(st, 0, full, 0, 4)
			p.barrier()
			p.access(ld, 1, full, 0, 4)
		}, ""},
		{"read of a part that is never written", func(p *player) {
			p.access(st, 0, full>>1, 0, 4)
			p.barrier()
			p.access(ld, 1, full, 0, 4)
		}, "shared line 11 a[31] x1"},
		{"one finding for each variable", func(p *player) {
			p.access(ld, 0, full, 240, 4)
			p.access(ld, 1, full, 256, 4)
		}, "shared line 11 a[60] x4; shared line 11 b[0] x60"},
		{"written later in the interval: a race", func(p *player) {
			p.access(ld, 0, full, 0, 4)
			p.access(st, 1, full, 0, 4)
			p.barrier()
		}, ""},
		{"written after the barrier", func(p *player) {
			p.access(ld, 0, full, 0, 4)
			p.barrier()
			p.access(st, 1, full, 0, 4)
		}, "shared line 11 a[0] x32"},
		{"an exchange does not look", func(p *player) {
			p.access(exch, 0, 1, 4, 0)
			p.access(ld, 0, 1, 4, 0)
		}, ""},
		{"an addition looks", func(p *player) {
			p.access(add, 0, 1, 4, 0)
			p.barrier()
			p.access(ld, 0, 1, 4, 0)
		}, "shared line 13 a[1] x1"},
		{"each block begins anew", func(p *player) {
			p.access(st, 0, full, 0, 4)
			p.bo.End()
			p.begin(1)
			p.access(ld, 0, full, 0, 4)
		}, "shared line 11 a[0] x32"},
		{"scattered", func(p *player) {
			p.access(st, 0, full, 0, 8)
			p.access(ld, 0, 0xff, 0, 8)
			p.access(ld, 0, 0x0f, 4, 8)
		}, "shared line 11 a[1] x4"},
		{"local, of one lane", func(p *player) {
			p.access(lst, 0, full&^4, 8, 0)
			p.access(lld, 0, full, 8, 0)
		}, "local line 15 [-1] x1"},
		{"local of another warp", func(p *player) {
			p.access(lst, 0, full, 8, 0)
			p.access(lld, 1, full, 8, 0)
		}, "local line 15 [-1] x32"},
	} {
		p := newPlayer()
		p.begin(0)
		tc.play(p)
		if got := p.end(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestRepeatable: an interval may be left out only where what it needs was
// written before it.
func TestRepeatable(t *testing.T) {
	p := newPlayer()
	p.begin(0)
	p.access(st, 0, full, 0, 4)
	p.barrier()
	p.access(ld, 0, full, 0, 4)
	p.access(st, 0, full, 128, 4)
	if !p.bo.Settled() {
		t.Fatal("not settled")
	}
	token := p.bo.Keep()
	p.barrier()
	p.begin(1)
	if p.bo.Repeatable(token) {
		t.Error("nothing was written in this block")
	}
	p.access(st, 0, full, 0, 4)
	p.barrier()
	if !p.bo.Repeatable(token) {
		t.Error("all was written")
	}
	p.bo.Repeat(token)
	p.barrier()
	p.access(ld, 0, full, 128, 4)
	if got := p.end(); got != "" {
		t.Errorf("found %s", got)
	}
}

// TestStretch divides random accesses: each lane is in one stretch, and a stretch has the bytes of
// its lanes and no others.
func TestStretch(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	long := 0
	for range 5000 {
		size := 1 << r.Intn(5)
		var addr [32]uint64
		at := uint64(1000)
		for l := range addr {
			switch r.Intn(6) {
			case 0:
				at = uint64(r.Intn(4000))
			case 1:
			default:
				at += uint64(size)
			}
			addr[l] = at
		}
		a := &trace.Access{Site: &trace.Site{Size: size}, Mask: r.Uint32() | r.Uint32(), Addr: &addr}
		for m := a.Mask; m != 0; {
			lo, n, lanes := stretch(a, m)
			if lanes&m != lanes || lanes == 0 {
				t.Fatalf("lanes %#x of %#x", lanes, m)
			}
			m &^= lanes
			if lanes&(lanes-1) != 0 {
				long++
			}
			bytes := map[uint64]bool{}
			for l := range addr {
				for i := range uint64(size) {
					if lanes>>l&1 != 0 {
						bytes[addr[l]+i] = true
					}
				}
			}
			for i := range n {
				if !bytes[lo+i] {
					t.Fatalf("byte %d of the stretch from %d belongs to no lane", i, lo)
				}
			}
			if uint64(len(bytes)) != n {
				t.Fatalf("%d bytes of lanes, %d in the stretch", len(bytes), n)
			}
		}
	}
	if long < 5000 {
		t.Errorf("only %d stretches of several lanes", long)
	}
}
