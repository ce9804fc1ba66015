package shared

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/diagnose"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
)

// player plays synthetic events to the rule and keeps shared memory as an
// engine would.
type player struct {
	t      testing.TB
	config evidence.Config
	set    finding.Set
	launch *trace.Launch
	lo     *Detector
	bo     *blockObserver
	// to gets the events: bo, or a group that it is in.
	to    *trace.BlockObserver
	block *trace.Block
	// group is what stands before the observer, with the shapes that it knows; nil for nothing.
	group  *recall.Group
	shapes *trace.Shapes
}

// Sites of the player's kernel: line is the site's line.
const (
	wr    = iota // line 7, s[..] = ..
	rd           // line 8
	wr2          // line 9
	at           // line 10, atomic
	vrd          // line 11, volatile read
	vwr          // line 12, volatile write
	rd1          // line 13, one byte
	wr1          // line 14, one byte
	rd16         // line 15, 16 bytes
	wr8          // line 16, 8 bytes
	bar          // line 20
	fence        // line 21
	nsites
)

func newPlayer(t testing.TB, model check.RaceModel, threads, blocks int) *player {
	return newPlayerOf(t, model, threads, blocks, nsites)
}

// newPlayerOf has a kernel with the first sites only.
func newPlayerOf(t testing.TB, model check.RaceModel, threads, blocks, sites int) *player {
	site := func(id, line int, k trace.Kind, o trace.Order, size, elem int, ptx string) *trace.Site {
		opcode, _, _ := strings.Cut(ptx, " ")
		op, _ := isa.What(strings.TrimSuffix(opcode, ";"))
		return &trace.Site{ID: id, Op: op, Loc: source.Location{Pos: source.Pos{File: "k.cu", Line: line, Col: 5}},
			PTX: ptx, PTXLine: 100 + line, Space: trace.SpaceShared, Kind: k, Order: o, Size: size, Elem: elem}
	}
	l := &trace.Launch{
		Kernel: "_Z6kernelPi", Grid: trace.Dim3{X: uint32(blocks), Y: 1, Z: 1},
		Block: trace.Dim3{X: uint32(threads), Y: 1, Z: 1}, SharedStatic: 8192, SM: 80,
		Shared: []trace.Variable{{Name: "_ZZ6kernelPiE1s", Addr: 0, Size: 4096}, {Name: "_ZZ6kernelPiE1u", Addr: 4096, Size: 4096}},
		Sites: []*trace.Site{
			site(wr, 7, trace.Write, trace.OrderWeak, 4, 4, "st.shared.u32 [%rd1], %r1;"),
			site(rd, 8, trace.Read, trace.OrderWeak, 4, 4, "ld.shared.u32 %r1, [%rd1];"),
			site(wr2, 9, trace.Write, trace.OrderWeak, 4, 4, "st.shared.u32 [%rd1], %r1;"),
			site(at, 10, trace.Atomic, trace.OrderRelaxed, 4, 4, "atom.shared.add.u32 %r1, [%rd1], %r2;"),
			site(vrd, 11, trace.Read, trace.OrderVolatile, 4, 4, "ld.volatile.shared.u32 %r1, [%rd1];"),
			site(vwr, 12, trace.Write, trace.OrderVolatile, 4, 4, "st.volatile.shared.u32 [%rd1], %r1;"),
			site(rd1, 13, trace.Read, trace.OrderWeak, 1, 1, "ld.shared.u8 %rs1, [%rd1];"),
			site(wr1, 14, trace.Write, trace.OrderWeak, 1, 1, "st.shared.u8 [%rd1], %rs1;"),
			site(rd16, 15, trace.Read, trace.OrderWeak, 16, 4, "ld.shared.v4.u32 {..}, [%rd1];"),
			site(wr8, 16, trace.Write, trace.OrderWeak, 8, 4, "st.shared.v2.u32 [%rd1], {..};"),
			site(bar, 20, trace.Read, trace.OrderWeak, 0, 0, "bar.sync 0;"),
			site(fence, 21, trace.Read, trace.OrderWeak, 0, 0, "membar.cta;"),
		},
	}
	l.Sites = l.Sites[:sites]
	p := &player{t: t, launch: l, config: evidence.Config{Model: model, Facts: func(*trace.Launch) *guards.Facts { return nil }}}
	diagnoser := diagnose.New(&p.config)
	p.config.Report = func(run *evidence.Run) map[evidence.Key]bool {
		fs, reported := diagnoser.Launch(run)
		for _, f := range fs {
			p.set.Add(f)
		}
		return reported
	}
	p.config.ReportLifetime = func(*evidence.Lifetime) {}
	p.lo = New(&p.config, l, check.NewExemplars[uint64](check.Config{RaceModel: model}))
	p.watch(p.lo.newBlock())
	return p
}

// watch makes b get the events.
func (p *player) watch(b *blockObserver) {
	p.bo = b
	p.to = &trace.BlockObserver{Begin: b.Begin, End: b.End, Shared: b.Access, Barrier: b.Barrier, Arrived: b.Arrived, WarpSync: b.WarpSync, Fence: proxying{b}.Fence}
}

func (p *player) begin(index uint64) {
	if p.block != nil {
		p.to.End()
	}
	p.block = &trace.Block{Launch: p.launch, Index: index, Coord: p.launch.Grid.At(index), Shared: make([]byte, 8192)}
	p.to.Begin(p.block)
}

// values says what a lane stores.
type values func(lane, elem int) uint64

func (v values) Value(lane, elem int) uint64 { return v(lane, elem) }

// all is a mask of n lanes.
func all(n int) uint32 { return uint32(uint64(1)<<n - 1) }

// access plays site for the lanes of mask, lane l at address addr(l), storing
// val(l) in each element; val nil stores lane numbers.
func (p *player) access(site, warp int, mask uint32, addr func(l int) int, val func(l int) int) {
	s := p.launch.Sites[site]
	a := &trace.Access{Site: s, Space: trace.SpaceShared, Warp: warp, Mask: mask, Addr: new([32]uint64)}
	for l := range 32 {
		if mask>>l&1 != 0 {
			a.Addr[l] = uint64(addr(l))
		}
	}
	if val == nil {
		val = func(l int) int { return 32*warp + l }
	}
	if s.Kind.Writes() {
		a.Data = values(func(l, _ int) uint64 { return uint64(val(l)) })
	}
	if !p.takesRead(a) {
		p.to.Shared(a)
	}
	for l := range 32 {
		if s.Kind == trace.Write && mask>>l&1 != 0 {
			for e := 0; e < s.Size; e += s.Elem {
				var b [8]byte
				binary.LittleEndian.PutUint64(b[:], uint64(val(l)))
				copy(p.block.Shared[addr(l)+e:][:s.Elem], b[:])
			}
		}
	}
}

func (p *player) barrier() {
	m := make([]uint32, p.launch.Warps())
	for i := range m {
		m[i] = ^uint32(0)
	}
	p.to.Barrier(&trace.Barrier{Site: p.launch.Sites[bar], Arrived: m, Synced: m, Full: true})
}

func (p *player) part(arrived, synced []uint32) {
	p.to.Barrier(&trace.Barrier{Site: p.launch.Sites[bar], ID: 1, Arrived: arrived, Synced: synced})
}

func (p *player) fence(warp int, mask uint32) {
	p.to.Fence(&trace.Fence{Site: p.launch.Sites[fence], Warp: warp, Mask: mask, Scope: trace.ScopeCTA})
}

func (p *player) syncwarp(warp int, mask uint32) {
	p.to.WarpSync(&trace.WarpSync{Site: p.launch.Sites[bar], Warp: warp, Mask: mask})
}

func (p *player) end() []*finding.Finding {
	if p.block != nil {
		p.to.End()
		p.block = nil
	}
	p.lo.End()
	return p.set.Sorted()
}

// brief is a finding as the tables write it: "RAW 7-8 x2 error".
func brief(fs []*finding.Finding) string {
	var out []string
	for _, f := range fs {
		a, b := f.Related[0].Loc.Line, f.Primary.Loc.Line
		out = append(out, fmt.Sprintf("%s %d-%d x%d %v", f.Kind, a, b, f.Count, f.Level))
	}
	return strings.Join(out, "; ")
}

func own(w int) func(int) int     { return func(l int) int { return 4 * (32*w + l) } }
func next(w, n int) func(int) int { return func(l int) int { return 4 * ((32*w + l + 1) % n) } }
func fixed(at int) func(int) int  { return func(int) int { return at } }
func bytesOf(w int) func(int) int { return func(l int) int { return 32*w + l } }
func value(v int) func(int) int   { return func(int) int { return v } }
func masks(ms ...uint32) []uint32 { return ms }

// TestRaces plays one block of some threads in each model. want is in the
// order its; lockstep; thread.
func TestRaces(t *testing.T) {
	full := ^uint32(0)
	for _, tc := range []struct {
		name    string
		threads int
		play    func(p *player)
		want    [3]string
	}{
		{"figure 1 of Boyer et al.", 64, func(p *player) {
			for w := range 2 {
				p.access(wr, w, full, own(w), nil)
			}
			for w := range 2 {
				p.access(rd, w, full, next(w, 64), nil)
			}
		}, [3]string{"RAW 7-8 x64 error", "RAW 7-8 x2 error", "RAW 7-8 x64 error"}},
		{"figure 1, warp after warp", 64, func(p *player) {
			for w := range 2 {
				p.access(wr, w, full, own(w), nil)
				p.access(rd, w, full, next(w, 64), nil)
			}
		}, [3]string{"RAW 7-8 x64 error", "RAW 7-8 x2 error", "RAW 7-8 x64 error"}},
		{"figure 1 with the barrier", 64, func(p *player) {
			for w := range 2 {
				p.access(wr, w, full, own(w), nil)
			}
			p.barrier()
			for w := range 2 {
				p.access(rd, w, full, next(w, 64), nil)
			}
		}, [3]string{}},
		{"own element only", 64, func(p *player) {
			for w := range 2 {
				p.access(wr, w, full, own(w), nil)
				p.access(rd, w, full, own(w), nil)
				p.access(wr2, w, full, own(w), nil)
			}
		}, [3]string{}},
		{"one warp and a __syncwarp", 32, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.syncwarp(0, full)
			p.access(rd, 0, full, next(0, 32), nil)
		}, [3]string{"", "", "RAW 7-8 x32 error"}},
		{"__syncwarp of half the warp", 32, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.syncwarp(0, 0xffff)
			p.access(rd, 0, full, next(0, 32), nil)
		}, [3]string{"RAW 7-8 x17 error", "", "RAW 7-8 x32 error"}},
		{"two halves that meet in a third __syncwarp", 32, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.syncwarp(0, 0x0000ffff)
			p.syncwarp(0, 0xffff0000)
			p.syncwarp(0, 0x00018001) // lanes 0, 15, 16
			p.access(rd, 0, 1<<16, fixed(4*3), nil)
			p.access(rd, 0, 1<<15, fixed(4*31), nil)
			p.access(rd, 0, 1<<17, fixed(4*3), nil)
		}, [3]string{"RAW 7-8 x1 error", "", "RAW 7-8 x3 error"}},
		{"__syncwarp in one warp does not order the other", 64, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.syncwarp(0, full)
			p.syncwarp(1, full)
			p.access(rd, 1, 1, fixed(0), nil)
		}, [3]string{"RAW 7-8 x1 error", "RAW 7-8 x1 error", "RAW 7-8 x1 error"}},
		{"lanes of one instruction", 32, func(p *player) {
			p.access(wr, 0, full, fixed(0), nil)
		}, [3]string{"WAW 7-7 x496 error", "WAW 7-7 x496 error", "WAW 7-7 x496 error"}},
		{"lanes of one instruction, two places", 32, func(p *player) {
			p.access(wr, 0, full, func(l int) int { return 4 * (l % 16) }, nil)
		}, [3]string{"WAW 7-7 x16 error", "WAW 7-7 x16 error", "WAW 7-7 x16 error"}},
		{"lanes of one instruction, again", 32, func(p *player) {
			for range 3 {
				p.access(wr, 0, 3, fixed(0), nil)
			}
		}, [3]string{"WAW 7-7 x1 error", "WAW 7-7 x1 error", "WAW 7-7 x1 error"}},
		{"same value by all", 64, func(p *player) {
			p.access(wr, 0, full, fixed(0), value(1))
			p.access(wr, 1, full, fixed(0), value(1))
		}, [3]string{"WAW 7-7 x2016 info", "WAW 7-7 x2016 info", "WAW 7-7 x2016 info"}},
		{"same value, then another by one of them", 64, func(p *player) {
			p.access(wr, 0, 1, fixed(0), value(1))
			p.access(wr, 1, 1, fixed(0), value(1))
			p.access(wr, 1, 1, fixed(0), value(2))
		}, [3]string{"WAW 7-7 x1 error", "WAW 7-7 x1 error", "WAW 7-7 x1 error"}},
		{"same site, next element", 32, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.access(wr, 0, 1, fixed(4), nil)
		}, [3]string{"WAW 7-7 x1 error", "", "WAW 7-7 x1 error"}},
		{"write after read", 64, func(p *player) {
			p.access(rd, 0, full, own(0), nil)
			p.access(wr, 1, full, own(0), nil)
		}, [3]string{"WAR 8-7 x32 error", "WAR 8-7 x32 error", "WAR 8-7 x32 error"}},
		{"reads only", 64, func(p *player) {
			p.access(rd, 0, full, fixed(0), nil)
			p.access(rd, 1, full, fixed(0), nil)
		}, [3]string{}},
		{"many readers, one writer", 96, func(p *player) {
			for w := range 3 {
				p.access(rd, w, full, fixed(0), nil)
			}
			p.access(wr, 1, 1, fixed(0), nil)
		}, [3]string{"WAR 8-7 x95 error", "WAR 8-7 x64 error", "WAR 8-7 x95 error"}},
		{"every pair of sites", 96, func(p *player) {
			p.access(wr, 0, 1, fixed(0), value(5))
			p.access(wr2, 1, 1, fixed(0), value(6))
			p.access(rd, 2, 1, fixed(0), nil)
		}, [3]string{"RAW 7-8 x1 error; RAW 9-8 x1 error; WAW 7-9 x1 error", "RAW 7-8 x1 error; RAW 9-8 x1 error; WAW 7-9 x1 error", "RAW 7-8 x1 error; RAW 9-8 x1 error; WAW 7-9 x1 error"}},
		{"atomics", 64, func(p *player) {
			p.access(at, 0, full, fixed(0), nil)
			p.access(at, 1, full, fixed(0), nil)
		}, [3]string{}},
		{"an atomic and a plain read", 64, func(p *player) {
			p.access(at, 0, 1, fixed(0), nil)
			p.access(rd, 1, 1, fixed(0), nil)
		}, [3]string{"RAW 10-8 x1 error", "RAW 10-8 x1 error", "RAW 10-8 x1 error"}},
		{"an atomic and a volatile read", 64, func(p *player) {
			p.access(at, 0, 1, fixed(0), nil)
			p.access(vrd, 1, 1, fixed(0), nil)
		}, [3]string{}},
		{"volatile between lanes", 32, func(p *player) {
			p.access(vwr, 0, full, own(0), nil)
			p.access(vrd, 0, all(16), func(l int) int { return 4 * (l + 16) }, nil)
		}, [3]string{"RAW 12-11 x16 error", "", "RAW 12-11 x16 error"}},
		{"volatile between warps", 64, func(p *player) {
			p.access(vwr, 0, full, own(0), nil)
			p.access(vrd, 1, full, own(0), nil)
		}, [3]string{"RAW 12-11 x32 warning", "RAW 12-11 x32 warning", "RAW 12-11 x32 error"}},
		{"volatile write, plain read", 64, func(p *player) {
			p.access(vwr, 0, full, own(0), nil)
			p.access(rd, 1, full, own(0), nil)
		}, [3]string{"RAW 12-8 x32 error", "RAW 12-8 x32 error", "RAW 12-8 x32 error"}},
		{"bytes of one word", 32, func(p *player) {
			p.access(wr1, 0, full, bytesOf(0), nil)
			p.access(rd1, 0, full, bytesOf(0), nil)
		}, [3]string{}},
		{"off by one byte", 64, func(p *player) {
			p.access(wr1, 0, 1<<31, fixed(31), nil)
			p.access(rd1, 1, 1, fixed(30), nil)
			p.access(rd1, 1, 2, fixed(31), nil)
		}, [3]string{"RAW 14-13 x1 error", "RAW 14-13 x1 error", "RAW 14-13 x1 error"}},
		{"a byte in a word", 64, func(p *player) {
			p.access(wr1, 0, 1, fixed(7), nil)
			p.access(rd, 1, 3, func(l int) int { return 4 * l }, nil)
		}, [3]string{"RAW 14-8 x1 error", "RAW 14-8 x1 error", "RAW 14-8 x1 error"}},
		{"wide accesses count words", 64, func(p *player) {
			p.access(wr8, 0, 1, fixed(8), nil)
			p.access(rd16, 1, 3, func(l int) int { return 16 * l }, nil)
		}, [3]string{"RAW 16-15 x2 error", "RAW 16-15 x2 error", "RAW 16-15 x2 error"}},
		{"two intervals count twice", 64, func(p *player) {
			for range 2 {
				p.access(wr, 0, 1, fixed(0), nil)
				p.access(rd, 1, 1, fixed(0), nil)
				p.barrier()
			}
		}, [3]string{"RAW 7-8 x2 error", "RAW 7-8 x2 error", "RAW 7-8 x2 error"}},
		{"a loop counts once", 64, func(p *player) {
			for range 5 {
				p.access(wr, 0, 1, fixed(0), nil)
				p.access(rd, 1, 1, fixed(0), nil)
			}
		}, [3]string{"RAW 7-8 x1 error", "RAW 7-8 x1 error", "RAW 7-8 x1 error"}},
		{"named barrier of two warps", 128, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.part(masks(full, full, 0, 0), masks(full, full, 0, 0))
			p.access(rd, 1, full, own(0), nil)
			p.access(rd, 2, 1, fixed(0), nil)
		}, [3]string{"RAW 7-8 x1 error", "RAW 7-8 x1 error", "RAW 7-8 x1 error"}},
		{"arrive orders one way", 64, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.access(rd, 1, 1, fixed(4*40), nil)
			p.part(masks(full, full), masks(0, full))
			p.access(rd, 1, full, own(0), nil)
			p.access(wr2, 0, 1, fixed(4*40), nil)
		}, [3]string{"WAR 8-9 x1 error", "WAR 8-9 x1 error", "WAR 8-9 x1 error"}},
		{"barriers chain", 96, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.part(masks(full, full, 0), masks(full, full, 0))
			p.part(masks(0, full, full), masks(0, full, full))
			p.access(rd, 2, full, own(0), nil)
		}, [3]string{}},
		{"barriers in the wrong order do not chain", 96, func(p *player) {
			p.access(wr, 0, full, own(0), nil)
			p.part(masks(0, full, full), masks(0, full, full))
			p.part(masks(full, full, 0), masks(full, full, 0))
			p.access(rd, 2, 1, fixed(0), nil)
		}, [3]string{"RAW 7-8 x1 error", "RAW 7-8 x1 error", "RAW 7-8 x1 error"}},
		{"producer and consumer", 64, func(p *player) {
			for range 200 {
				p.access(wr, 0, full, own(0), nil)
				p.part(masks(full, full), masks(0, full))
				p.access(rd, 1, full, own(0), nil)
				p.part(masks(full, full), masks(full, 0))
			}
		}, [3]string{}},
		{"__syncwarp then a barrier of one of the lanes' warps", 64, func(p *player) {
			p.access(wr, 0, 2, fixed(0), nil)
			p.syncwarp(0, 3)
			p.part(masks(1, full), masks(1, full))
			p.access(rd, 1, 1, fixed(0), nil)
		}, [3]string{"", "", "RAW 7-8 x1 error"}},
		{"a flag with fences", 64, func(p *player) {
			p.access(wr, 0, 1, fixed(0), nil)
			p.access(vrd, 1, 1, fixed(512), nil)
			p.fence(0, 1)
			p.access(vwr, 0, 1, fixed(512), nil)
			p.access(vrd, 1, 1, fixed(512), nil)
			p.fence(1, 1)
			p.access(rd, 1, 1, fixed(0), nil)
		}, [3]string{"", "", "RAW 7-8 x1 error; WAR 11-12 x1 error"}},
		{"a flag without the writer's fence", 64, func(p *player) {
			p.access(wr, 0, 1, fixed(0), nil)
			p.access(vwr, 0, 1, fixed(512), nil)
			p.access(vrd, 1, 1, fixed(512), nil)
			p.fence(1, 1)
			p.access(rd, 1, 1, fixed(0), nil)
		}, [3]string{"RAW 7-8 x1 error; WAR 11-12 x1 info", "RAW 7-8 x1 error; WAR 11-12 x1 info", "RAW 7-8 x1 error; WAR 11-12 x1 error"}},
		{"a flag without the reader's fence", 64, func(p *player) {
			p.access(wr, 0, 1, fixed(0), nil)
			p.fence(0, 1)
			p.access(vwr, 0, 1, fixed(512), nil)
			p.access(vrd, 1, 1, fixed(512), nil)
			p.access(rd, 1, 1, fixed(0), nil)
		}, [3]string{"RAW 7-8 x1 error", "RAW 7-8 x1 error", "RAW 7-8 x1 error; WAR 11-12 x1 error"}},
		{"a write behind the fence", 64, func(p *player) {
			p.fence(0, 1)
			p.access(wr, 0, 1, fixed(0), nil)
			p.access(vwr, 0, 1, fixed(512), nil)
			p.access(vrd, 1, 1, fixed(512), nil)
			p.fence(1, 1)
			p.access(rd, 1, 1, fixed(0), nil)
		}, [3]string{"RAW 7-8 x1 error", "RAW 7-8 x1 error", "RAW 7-8 x1 error; WAR 11-12 x1 error"}},
		{"a lock", 96, func(p *player) {
			for w := range 3 {
				p.access(at, w, 1, fixed(512), nil)
				p.fence(w, 1)
				p.access(rd, w, 1, fixed(0), nil)
				p.access(wr, w, 1, fixed(0), nil)
				p.fence(w, 1)
				p.access(at, w, 1, fixed(512), nil)
			}
		}, [3]string{"", "", "WAW 7-7 x3 error; WAR 8-7 x6 error"}},
		{"two locks", 64, func(p *player) {
			for w := range 2 {
				p.access(at, w, 1, fixed(512+4*w), nil)
				p.fence(w, 1)
				p.access(wr, w, 1, fixed(0), nil)
				p.fence(w, 1)
				p.access(at, w, 1, fixed(512+4*w), nil)
			}
		}, [3]string{"WAW 7-7 x1 error", "WAW 7-7 x1 error", "WAW 7-7 x1 error"}},
		{"older lanes stay in the history", 32, func(p *player) {
			p.access(wr, 0, 1, fixed(0), nil)
			p.access(wr, 0, 2, fixed(128), nil)
			p.access(rd, 0, 4, fixed(0), nil)
			p.syncwarp(0, 3)
			p.access(wr, 0, 1, fixed(0), nil)
			p.access(rd, 0, 2, fixed(0), nil)
			p.access(rd, 0, 8, fixed(128), nil)
		}, [3]string{"RAW 7-8 x4 error", "", "RAW 7-8 x3 error"}},
	} {
		for m, model := range []check.RaceModel{check.ITS, check.Lockstep, check.Threads} {
			t.Run(tc.name+"/"+model.String(), func(t *testing.T) {
				p := newPlayer(t, model, tc.threads, 1)
				p.begin(0)
				tc.play(p)
				if got := brief(p.end()); got != tc.want[m] {
					t.Errorf("got  %q\nwant %q", got, tc.want[m])
				}
			})
		}
	}
}

// TestOrderOfBlocks runs the blocks of a launch on one or two slots in several
// orders: what is found must not depend on it.
func TestOrderOfBlocks(t *testing.T) {
	const blocks = 5
	run := func(order []int, slots int) string {
		p := newPlayer(t, check.ITS, 64, blocks)
		bos := []*blockObserver{p.bo}
		for len(bos) < slots {
			bos = append(bos, p.lo.newBlock())
		}
		for i, blk := range order {
			p.watch(bos[i%slots])
			p.block = nil
			p.begin(uint64(blk))
			same := value(1)
			if blk%2 == 1 {
				same = nil
			}
			p.access(wr, 0, 1, fixed(0), same)
			p.access(wr, 1, 1, fixed(0), same)
			p.access(wr, 1, 1, fixed(0), value(blk))
			p.access(wr2, 0, ^uint32(0), own(0), nil)
			p.access(rd, 0, ^uint32(0), next(0, 32), nil)
			p.to.End()
		}
		p.block = nil
		b, err := json.Marshal(p.end())
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	want := run([]int{0, 1, 2, 3, 4}, 1)
	for seed := range int64(20) {
		order := rand.New(rand.NewSource(seed)).Perm(blocks)
		for slots := 1; slots <= 3; slots++ {
			if got := run(order, slots); got != want {
				t.Fatalf("order %v on %d slots:\n got %s\nwant %s", order, slots, got, want)
			}
		}
	}
}
