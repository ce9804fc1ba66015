package shared

import (
	"encoding/binary"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/diagnose"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Sites behind those of player: line 30 writes by the async proxy, line 31 reads; line 32
// arrives at an mbarrier, line 33 waits.
const (
	bulkWrite = nsites + iota
	bulkRead
	arrive
	test
)

// proxyPlayer plays asynchronous operations too. tile is 256 bytes from 0; mbarriers are from
// offset 4096.
type proxyPlayer struct {
	*player
	ops uint64
}

func newProxyPlayer(t testing.TB, threads int) *proxyPlayer {
	p := newPlayer(t, check.ITS, threads, 2)
	add := func(line int, kind trace.Kind, size int, order trace.Order, k inst.Kind) {
		p.launch.Sites = append(p.launch.Sites, &trace.Site{ID: len(p.launch.Sites), Op: inst.Op{Kind: k}, Loc: source.Location{Pos: source.Pos{File: "k.cu", Line: line, Col: 5}},
			PTXLine: 100 + line, Space: trace.SpaceShared, Kind: kind, Order: order, Scope: trace.ScopeCTA, Size: size, Elem: size})
	}
	add(30, trace.Write, 0, trace.OrderWeak, inst.BulkCopy)
	add(31, trace.Read, 0, trace.OrderWeak, inst.BulkCopy)
	add(32, trace.Atomic, 8, trace.OrderRelease, inst.MBarrierArrive)
	add(33, trace.Atomic, 8, trace.OrderAcquire, inst.MBarrierTest)
	p.lo = New(&p.config, p.launch, check.NewExemplars[uint64](check.Config{RaceModel: check.ITS}))
	p.bo = p.lo.newBlock()
	p.to = p.bo.observer()
	p.begin(0)
	return &proxyPlayer{player: p}
}

// issue lets lane 0 of a warp issue an operation on n bytes.
func (p *proxyPlayer) issue(site, warp int, from, n uint64) uint64 {
	p.ops++
	p.to.AsyncBegan(&trace.AsyncAccess{Site: p.launch.Sites[site], Warp: warp, Mask: 1, Op: p.ops, Ranges: []trace.Range{{Addr: from, N: n}}})
	return p.ops
}

// complete ends an operation on an mbarrier, whose phase ends.
func (p *proxyPlayer) complete(op, mbarrier uint64) {
	p.to.AsyncEnded(&trace.AsyncEnd{Op: op, OnMBarrier: true, MBarrier: mbarrier})
	p.flip(mbarrier)
}

func (p *proxyPlayer) flip(mbarrier uint64) {
	b := p.block.Shared[mbarrier:]
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)^1<<trace.MBarrierPhaseBit)
}

func (p *proxyPlayer) waited(op uint64, warp int, mask uint32, source bool) {
	p.to.AsyncEnded(&trace.AsyncEnd{Op: op, Warp: warp, Mask: mask, SourceRead: source})
}

func (p *proxyPlayer) proxyFence(warp int, mask uint32) {
	p.to.ProxyFence(&trace.ProxyFence{Site: p.launch.Sites[fence], Warp: warp, Mask: mask})
}

func (p *proxyPlayer) at(site, warp int, mask uint32, mbarrier int) {
	p.access(site, warp, mask, fixed(mbarrier), nil)
}

// TestProxies plays two warps, 64 threads, on a tile of 256 bytes. Lines 7 and 9 write, 8 reads the
// neighbor's word.
func TestProxies(t *testing.T) {
	full := ^uint32(0)
	const full0, empty0 = 4096, 4104
	both := func(f func(w int)) { f(0); f(1) }
	write := func(p *proxyPlayer) { both(func(w int) { p.access(wr, w, full, own(w), nil) }) }
	read := func(p *proxyPlayer) { both(func(w int) { p.access(rd, w, full, next(w, 64), nil) }) }
	wait := func(p *proxyPlayer) { both(func(w int) { p.at(test, w, full, full0) }) }
	for _, tc := range []struct {
		name string
		play func(p *proxyPlayer)
		want string
	}{
		{"a tile that all wait for", func(p *proxyPlayer) {
			p.complete(p.issue(bulkWrite, 0, 0, 256), full0)
			wait(p)
			read(p)
		}, ""},
		{"no thread waits", func(p *proxyPlayer) { p.issue(bulkWrite, 0, 0, 256); read(p) }, "RAW 30-8 x64 error"},
		{"a barrier instead of a wait", func(p *proxyPlayer) { p.issue(bulkWrite, 0, 0, 256); p.barrier(); read(p) }, "RAW 30-8 x64 error"},
		{"one warp waits", func(p *proxyPlayer) {
			p.complete(p.issue(bulkWrite, 0, 0, 256), full0)
			p.at(test, 0, full, full0)
			read(p)
		}, "RAW 30-8 x32 error"},
		{"one thread waits, then a barrier", func(p *proxyPlayer) {
			p.complete(p.issue(bulkWrite, 0, 0, 256), full0)
			p.at(test, 0, 1, full0)
			p.barrier()
			read(p)
		}, ""},
		{"one thread waits, then a part of a barrier", func(p *proxyPlayer) {
			p.complete(p.issue(bulkWrite, 0, 0, 256), full0)
			p.at(test, 0, 1, full0)
			p.part(masks(1, full), masks(0, full))
			p.access(rd, 1, full, next(1, 64), nil)
		}, ""},
		{"the wait is for another mbarrier", func(p *proxyPlayer) {
			p.complete(p.issue(bulkWrite, 0, 0, 256), empty0)
			wait(p)
			read(p)
		}, "RAW 30-8 x64 error"},
		{"bytes beside the operation", func(p *proxyPlayer) {
			p.issue(bulkWrite, 0, 2, 6)
			p.access(rd1, 1, 1, fixed(1), nil)
			p.access(rd1, 1, 1, fixed(8), nil)
			p.access(rd1, 1, 1, fixed(2), nil)
		}, "RAW 30-13 x1 error"},
		{"written before a fence and a barrier", func(p *proxyPlayer) {
			write(p)
			both(func(w int) { p.proxyFence(w, full) })
			p.barrier()
			p.issue(bulkRead, 0, 0, 256)
		}, ""},
		{"written, no fence", func(p *proxyPlayer) { write(p); p.barrier(); p.issue(bulkRead, 0, 0, 256) }, "RAW 7-31 x64 error"},
		{"written, no fence, many barriers later", func(p *proxyPlayer) {
			write(p)
			p.barrier()
			p.barrier()
			p.issue(bulkRead, 0, 0, 256)
		}, "RAW 7-31 x64 error"},
		{"the fence comes before the write", func(p *proxyPlayer) {
			both(func(w int) { p.proxyFence(w, full) })
			write(p)
			p.barrier()
			p.issue(bulkRead, 0, 0, 256)
		}, "RAW 7-31 x64 error"},
		{"the fence after the barrier, by the thread that issues", func(p *proxyPlayer) {
			write(p)
			p.barrier()
			p.proxyFence(0, 1)
			p.issue(bulkRead, 0, 0, 256)
		}, ""},
		{"the fence by another thread after the barrier", func(p *proxyPlayer) {
			write(p)
			p.barrier()
			p.proxyFence(1, 1)
			p.issue(bulkRead, 0, 0, 256)
		}, "RAW 7-31 x64 error"},
		{"one warp has no fence", func(p *proxyPlayer) {
			write(p)
			p.proxyFence(0, full)
			p.barrier()
			p.issue(bulkRead, 0, 0, 256)
		}, "RAW 7-31 x32 error"},
		{"fence, then an mbarrier", func(p *proxyPlayer) {
			p.access(wr, 1, full, own(1), nil)
			p.proxyFence(1, full)
			p.at(arrive, 1, full, full0)
			p.flip(full0)
			p.at(test, 0, 1, full0)
			p.issue(bulkRead, 0, 128, 128)
		}, ""},
		{"an mbarrier, then the fence", func(p *proxyPlayer) {
			p.access(wr, 1, full, own(1), nil)
			p.at(arrive, 1, full, full0)
			p.flip(full0)
			p.at(test, 0, 1, full0)
			p.proxyFence(0, 1)
			p.issue(bulkRead, 0, 128, 128)
		}, ""},
		{"fence, but no order", func(p *proxyPlayer) {
			p.access(wr, 1, full, own(1), nil)
			p.proxyFence(1, full)
			p.issue(bulkRead, 0, 128, 128)
		}, "RAW 7-31 x32 error"},
		{"the thread's own store", func(p *proxyPlayer) {
			p.access(wr, 0, 1, own(0), nil)
			p.issue(bulkRead, 0, 0, 4)
		}, "RAW 7-31 x1 error"},
		{"the thread's own store and a fence", func(p *proxyPlayer) {
			p.access(wr, 0, 1, own(0), nil)
			p.proxyFence(0, 1)
			p.issue(bulkRead, 0, 0, 4)
		}, ""},
		{"overwritten, no fence", func(p *proxyPlayer) { write(p); p.barrier(); p.issue(bulkWrite, 0, 0, 256) }, "WAW 7-30 x64 error"},
		{"read before: no fence is needed", func(p *proxyPlayer) { read(p); p.barrier(); p.issue(bulkWrite, 0, 0, 256) }, ""},
		{"a slot that is still read", func(p *proxyPlayer) {
			p.access(rd, 1, full, own(1), nil)
			p.issue(bulkWrite, 0, 0, 256)
		}, "WAR 8-30 x32 error"},
		{"a slot whose readers have arrived", func(p *proxyPlayer) {
			for range 3 {
				p.complete(p.issue(bulkWrite, 0, 128, 128), full0)
				p.at(test, 1, full, full0)
				p.access(rd, 1, full, own(1), nil)
				p.at(arrive, 1, full, empty0)
				p.flip(empty0)
				p.at(test, 0, 1, empty0)
			}
		}, ""},
		{"one reader arrives before it reads", func(p *proxyPlayer) {
			p.complete(p.issue(bulkWrite, 0, 128, 128), full0)
			p.at(test, 1, full, full0)
			p.at(arrive, 1, full, empty0)
			p.flip(empty0)
			p.access(rd, 1, 2, own(1), nil)
			p.at(test, 0, 1, empty0)
			p.issue(bulkWrite, 0, 128, 128)
		}, "WAR 8-30 x1 error"},
		{"the source is written again after its group", func(p *proxyPlayer) {
			op := p.issue(bulkRead, 0, 0, 256)
			p.waited(op, 0, 1, true)
			p.barrier()
			write(p)
		}, ""},
		{"the source is written again, no wait", func(p *proxyPlayer) { p.issue(bulkRead, 0, 0, 256); p.barrier(); write(p) }, "WAR 31-7 x64 error"},
		{"the wait comes after the barrier", func(p *proxyPlayer) {
			op := p.issue(bulkRead, 0, 0, 256)
			p.barrier()
			p.waited(op, 0, 1, false)
			write(p)
		}, "WAR 31-7 x63 error"},
		{"the source is read: no wait is needed", func(p *proxyPlayer) { p.issue(bulkRead, 0, 0, 256); read(p) }, ""},
		{"the wait for the source is none for the destination", func(p *proxyPlayer) {
			op := p.issue(bulkWrite, 0, 0, 256)
			p.waited(op, 0, 1, true)
			p.access(rd, 0, 1, own(0), nil)
		}, "RAW 30-8 x1 error"},
		{"two operations write one place", func(p *proxyPlayer) { p.issue(bulkWrite, 0, 0, 64); p.issue(bulkWrite, 0, 32, 64) }, "WAW 30-30 x8 error"},
		{"two operations read one place", func(p *proxyPlayer) { p.issue(bulkRead, 0, 0, 64); p.issue(bulkRead, 1, 0, 64) }, ""},
		{"an operation overwrites what two others read", func(p *proxyPlayer) {
			a, b := p.issue(bulkRead, 0, 0, 64), p.issue(bulkRead, 1, 0, 64)
			p.waited(a, 0, 1, false)
			p.waited(b, 1, 1, false)
			p.issue(bulkWrite, 0, 0, 64)
		}, "WAR 31-30 x16 error"},
		{"the next block", func(p *proxyPlayer) { p.issue(bulkWrite, 0, 0, 256); p.begin(1); read(p) }, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newProxyPlayer(t, 64)
			tc.play(p)
			if got := brief(p.end()); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// lifetimes plays f and returns the causes of findings about shared memory that need not be there.
func lifetimes(t *testing.T, f func(p *proxyPlayer)) (causes []string) {
	p := newProxyPlayer(t, 64)
	p.config.ReportLifetime = func(l *evidence.Lifetime) {
		causes = append(causes, string(diagnose.New(&p.config).Lifetime(l).Cause))
	}
	f(p)
	p.end()
	return causes
}

// TestInFlightAtExit has operations that no thread waits for before the block exits.
func TestInFlightAtExit(t *testing.T) {
	full := ^uint32(0)
	for _, tc := range []struct {
		name string
		play func(p *proxyPlayer)
		want int
	}{
		{"a load that no thread waits for", func(p *proxyPlayer) { p.issue(bulkWrite, 0, 0, 256) }, 1},
		{"a load that one warp waits for", func(p *proxyPlayer) {
			p.complete(p.issue(bulkWrite, 0, 0, 256), 4096)
			p.at(test, 1, full, 4096)
		}, 0},
		{"a store that no thread waits for", func(p *proxyPlayer) { p.issue(bulkRead, 0, 0, 256) }, 1},
		{"a store that has read its source", func(p *proxyPlayer) { p.waited(p.issue(bulkRead, 0, 0, 256), 0, 1, true) }, 0},
		{"the block is cut", func(p *proxyPlayer) { p.issue(bulkRead, 0, 0, 256); p.block.Cut = true }, 0},
	} {
		if got := lifetimes(t, tc.play); len(got) != tc.want || tc.want > 0 && got[0] != "in-flight" {
			t.Errorf("%s: %v, want %d", tc.name, got, tc.want)
		}
	}
}
