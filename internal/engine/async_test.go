package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// shared has a tile of 2 KiB and two mbarriers.
const asyncDecls = ".shared .align 16 .b8 tile[2048];\n.shared .align 8 .b64 bar[2];\n"

// TestCopyAsync checks when a copy lands and what it moves. The kernel's
// output is initialized by the thread's number times 0x01010101 in buffer in.
func TestCopyAsync(t *testing.T) {
	// %d0 is the address of the thread's 16 bytes in "in", %r0 of its place.
	const start = `
	mov.u32 %r0, tile; mad.lo.u32 %r0, %t, 16, %r0;
	ld.param.u64 %d0, [k_in]; mul.wide.u32 %d1, %t, 16; add.u64 %d0, %d0, %d1;
	mov.u32 %r9, 77; st.shared.v4.u32 [%r0], {%r9, %r9, %r9, %r9};
`
	const word = 0x01010101
	tests := []struct {
		name, body string
		want       func(i uint32) uint32
	}{
		{"not yet there", "cp.async.ca.shared.global [%r0], [%d0], 16; ld.shared.u32 %r1, [%r0];",
			func(uint32) uint32 { return 77 }},
		{"committed only", "cp.async.cg.shared.global [%r0], [%d0], 16; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r1, [%r0];",
			func(uint32) uint32 { return 77 }},
		{"waited for the group", "cp.async.cg.shared.global [%r0], [%d0], 16; cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r1, [%r0+12];",
			func(i uint32) uint32 { return i*word + 3 }},
		{"not part of a group", "cp.async.ca.shared.global [%r0], [%d0], 4; cp.async.wait_group 0; ld.shared.u32 %r1, [%r0];",
			func(uint32) uint32 { return 77 }},
		{"waited for all", "cp.async.ca.shared.global [%r0], [%d0], 4; cp.async.wait_all; ld.shared.u32 %r1, [%r0];",
			func(i uint32) uint32 { return i * word }},
		{"eight bytes", "cp.async.ca.shared.global.L2::128B [%r0+8], [%d0+8], 8; cp.async.wait_all; ld.shared.u32 %r1, [%r0+12]; ld.shared.u32 %r2, [%r0+4]; add.u32 %r1, %r1, %r2;",
			func(i uint32) uint32 { return i*word + 3 + 77 }},
		{"part filled with zeros", "cp.async.ca.shared.global [%r0], [%d0], 16, 6; cp.async.wait_all; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r0]; add.u32 %r1, %r2, %r3; add.u32 %r1, %r1, %r4;",
			func(i uint32) uint32 { return (i*word + 1) & 0xffff }},
		{"size by lane", "and.b32 %r5, %t, 3; shl.b32 %r5, %r5, 2; cp.async.cg.shared.global [%r0], [%d0], 16, %r5; cp.async.wait_all; ld.shared.u32 %r1, [%r0+4];",
			func(i uint32) uint32 {
				if i%4 < 2 {
					return 0
				}
				return i*word + 1
			}},
		{"source ignored", "setp.lt.u32 %p1, %t, 16; mov.u64 %d5, 0; @%p1 mov.u64 %d0, %d5; cp.async.ca.shared.global [%r0], [%d0], 8, %p1; cp.async.wait_all; ld.shared.u32 %r1, [%r0];",
			func(i uint32) uint32 {
				if i < 16 {
					return 0
				}
				return i * word
			}},
		{"cache policy", "createpolicy.fractional.L2::evict_last.b64 %d5, 1.0; cp.async.ca.shared.global.L2::cache_hint [%r0], [%d0], 16, %d5; cp.async.wait_all; ld.shared.u32 %r1, [%r0];",
			func(i uint32) uint32 { return i * word }},
		{"two groups, one waited for", `cp.async.ca.shared.global [%r0], [%d0], 4; cp.async.commit_group;
			cp.async.ca.shared.global [%r0+4], [%d0+4], 4; cp.async.commit_group; cp.async.wait_group 1;
			ld.shared.v2.u32 {%r1, %r2}, [%r0]; sub.u32 %r2, %r2, 77; add.u32 %r1, %r1, %r2;`,
			func(i uint32) uint32 { return i * word }},
		{"groups are a thread's own", `setp.lt.u32 %p1, %t, 16;
			cp.async.ca.shared.global [%r0], [%d0], 4; @%p1 cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r1, [%r0];`,
			func(i uint32) uint32 {
				if i < 16 {
					return i * word
				}
				return 77
			}},
		{"the source is read late", `cp.async.ca.shared.global [%r0], [%d0], 4; mov.u32 %r2, 5; st.global.u32 [%d0], %r2; cp.async.wait_all; ld.shared.u32 %r1, [%r0];`,
			func(uint32) uint32 { return 5 }},
		{"another thread's copy lands when it exits", `setp.ge.u32 %p1, %t, 32; @%p1 bra READ;
			cp.async.ca.shared.global [%r0], [%d0], 4; exit;
			READ: bar.sync 0; ld.shared.u32 %r1, [%r0+-512];`,
			func(i uint32) uint32 {
				if i < 32 {
					return 0
				}
				return (i - 32) * word
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := 32
			if strings.Contains(tt.body, "READ") {
				n = 64
			}
			in, out := newBuffer(t, 16*n), newBuffer(t, 4*n)
			for i := range n {
				for k := range 4 {
					putWord(in.bytes()[16*i+4*k:], uint32(i)*word+uint32(k))
				}
			}
			src := simple(asyncDecls, start+tt.body+"\nst.global.u32 [%o], %r1;")
			src = strings.Replace(src, "k(.param .u64 k_out)", "k(.param .u64 k_out, .param .u64 k_in)", 1)
			mustRun(t, launch{src: src, block: n, params: []any{out, in}})
			expect(t, out.u32(), tt.want)
		})
	}
}

func putWord(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

// asyncLog is a listener that writes down the asynchronous accesses.
type asyncLog struct {
	lines []string
}

func (a *asyncLog) observer() *trace.Observer {
	return eachBlock(func() *trace.BlockObserver {
		return &trace.BlockObserver{Shared: a.Access, Global: a.Access, Barrier: a.Barrier}
	})
}

func (a *asyncLog) Barrier(*trace.Barrier) { a.lines = append(a.lines, "barrier") }
func (a *asyncLog) Access(e *trace.Access) {
	names := [...]string{"", "issue", "complete"}
	if e.Async == trace.Sync && e.Site.Kind != trace.Atomic {
		return
	}
	line := fmt.Sprintf("%s %s %s %#x", names[e.Async], e.Space, e.Site.Kind, e.Mask)
	if e.Site.Kind == trace.Write {
		line += fmt.Sprintf(" %d", e.Data.Value(31, 0))
	}
	if e.Site.Kind == trace.Atomic {
		line += " " + e.Site.Order.String()
	}
	a.lines = append(a.lines, strings.TrimSpace(line))
}

// TestAsyncEvents: observers hear of a copy when it is issued and when it
// completes, and of arrivals and tests as atomic accesses.
func TestAsyncEvents(t *testing.T) {
	body := `
	mov.u32 %r0, tile; mad.lo.u32 %r0, %t, 4, %r0; mov.u32 %r1, bar;
	setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [%r1], 32;
	bar.sync 0;
	cp.async.ca.shared.global [%r0], [%o], 4;
	bar.sync 0;
	cp.async.wait_all;
	cp.async.ca.shared.global [%r0], [%o], 4;
	cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];
	bar.sync 0;
AGAIN:
	mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 0;
	@!%p2 bra AGAIN;`
	log := &asyncLog{}
	out := newBuffer(t, 128)
	putWord(out.bytes()[124:], 9)
	mustRun(t, launch{src: simple(asyncDecls, body), params: []any{out}, observers: []*trace.Observer{log.observer()}})
	want := []string{
		"barrier", "issue global read 0xffffffff", "issue shared write 0xffffffff 9", "barrier",
		"complete shared write 0xffffffff 9",
		"issue global read 0xffffffff", "issue shared write 0xffffffff 9",
		"shared atomic 0xffffffff relaxed", "barrier",
		"complete shared write 0xffffffff 9", "shared atomic 0xffffffff release", "shared atomic 0xffffffff acquire",
	}
	if !slices.Equal(log.lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(log.lines, "\n"), strings.Join(want, "\n"))
	}
}

// TestProxyFences: a fence to the async proxy is an event, one of another kind is none.
func TestProxyFences(t *testing.T) {
	var masks []uint32
	log := eachBlock(func() *trace.BlockObserver {
		return &trace.BlockObserver{ProxyFence: func(e *trace.ProxyFence) { masks = append(masks, e.Mask) }, Fence: func(*trace.Fence) { t.Error("a fence of the generic proxy") }}
	})
	body := `setp.lt.u32 %p1, %t, 8; fence.proxy.async; @%p1 fence.proxy.async.shared::cta; fence.proxy.alias; st.global.u32 [%o], %t;`
	mustRun(t, launch{src: simple(asyncDecls, body), params: []any{newBuffer(t, 128)}, observers: []*trace.Observer{log}})
	if !slices.Equal(masks, []uint32{^uint32(0), 0xff}) {
		t.Errorf("fences by %x", masks)
	}
}

// TestTensorFences: fences of tensor memory are events, and no fences of other memory.
func TestTensorFences(t *testing.T) {
	var got []string
	log := eachBlock(func() *trace.BlockObserver {
		return &trace.BlockObserver{
			TensorFence: func(e *trace.TensorFence) { got = append(got, fmt.Sprintf("%v %x", e.Site.Order, e.Mask)) },
			Fence:       func(*trace.Fence) { t.Error("a fence of the generic proxy") },
			ProxyFence:  func(*trace.ProxyFence) { t.Error("a fence between proxies") },
		}
	})
	body := `setp.lt.u32 %p1, %t, 8; tcgen05.fence::before_thread_sync; @%p1 tcgen05.fence::after_thread_sync; st.global.u32 [%o], %t;`
	mustRun(t, launch{src: simple(asyncDecls, body), params: []any{newBuffer(t, 128)}, observers: []*trace.Observer{log}})
	if want := []string{"release ffffffff", "acquire ff"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMapFences: an acquire of a tensor map tells which maps its lanes name, a release names none.
func TestMapFences(t *testing.T) {
	var got []string
	log := eachBlock(func() *trace.BlockObserver {
		return &trace.BlockObserver{ProxyFence: func(e *trace.ProxyFence) {
			at := []uint64{}
			if e.Maps != nil {
				at = append(at, e.Maps[0], e.Maps[3])
			}
			got = append(got, fmt.Sprintf("%s %v %v %x %x", e.Site.Op.Kind, e.Site.Order, e.Site.Scope, e.Mask, at))
		}}
	})
	body := `mul.wide.u32 %d0, %t, 128; setp.lt.u32 %p1, %t, 8; fence.proxy.tensormap::generic.release.cta;
		@%p1 fence.proxy.tensormap::generic.acquire.gpu [%d0+256], 128; st.global.u32 [%o], %t;`
	mustRun(t, launch{src: simple(asyncDecls, body), params: []any{newBuffer(t, 128)}, observers: []*trace.Observer{log}})
	want := []string{"fence of tensor maps release cta ffffffff []", "fence of tensor maps acquire gpu ff [100 280]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMBarrier checks the operations on mbarrier objects.
func TestMBarrier(t *testing.T) {
	const start = "mov.u32 %r0, bar; setp.eq.u32 %p1, %t, 0; setp.ne.u32 %p9, %t, 0;\n"
	tests := []struct {
		name, body string
		block      int
		want       func(i uint32) uint32
	}{
		{"arrive and wait", `@%p1 mbarrier.init.shared.b64 [%r0], 64; bar.sync 0;
			mbarrier.arrive.shared.b64 %d0, [%r0];
			W: mbarrier.test_wait.shared.b64 %p2, [%r0], %d0; @!%p2 bra W; mov.u32 %r1, 1;`, 64,
			func(uint32) uint32 { return 1 }},
		{"many phases", `@%p1 mbarrier.init.shared.b64 [%r0], 64; bar.sync 0; mov.u32 %r1, 0;
			L: mbarrier.arrive.release.cta.shared::cta.b64 %d0, [%r0];
			W: mbarrier.try_wait.acquire.cta.shared::cta.b64 %p2, [%r0], %d0, 1000; @!%p2 bra W;
			add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 50; @%p3 bra L;`, 64,
			func(uint32) uint32 { return 50 }},
		{"time limit not reached", `@%p1 mbarrier.init.shared.b64 [%r0], 1; bar.sync 0; setp.lt.u32 %p3, %t, 32; mov.u32 %r1, 0; mov.u32 %r2, 0; @%p3 bra W;
			L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 30000; @%p2 bra L; setp.eq.u32 %p2, %t, 40; @%p2 mbarrier.arrive.shared.b64 _, [%r0]; bra E;
			W: mbarrier.try_wait.parity.shared.b64 %p2, [%r0], 0, 10000000; @!%p2 add.u32 %r1, %r1, 1; @!%p2 bra W; E:`, 64,
			func(uint32) uint32 { return 0 }},
		{"time limit without others", `@%p1 mbarrier.init.shared.b64 [%r0], 1; bar.sync 0; mbarrier.try_wait.parity.shared.b64 %p2, [%r0], 0, 1000000; selp.u32 %r1, 1, 0, %p2;`, 64,
			func(uint32) uint32 { return 0 }},
		{"not complete", `@%p1 mbarrier.init.shared.b64 [%r0], 33; bar.sync 0;
			mbarrier.arrive.shared.b64 %d0, [%r0]; mbarrier.test_wait.shared.b64 %p2, [%r0], %d0; selp.u32 %r1, 1, 0, %p2;`, 32,
			func(uint32) uint32 { return 0 }},
		{"parity", `@%p1 mbarrier.init.shared.b64 [%r0], 32; bar.sync 0;
			mbarrier.test_wait.parity.shared.b64 %p2, [%r0], 1; selp.u32 %r1, 1, 0, %p2;
			mbarrier.test_wait.parity.shared.b64 %p2, [%r0], 0; selp.u32 %r2, 2, 0, %p2; add.u32 %r1, %r1, %r2; bar.sync 0;
			mbarrier.arrive.shared.b64 _, [%r0];
			mbarrier.test_wait.parity.shared.b64 %p2, [%r0], 0; selp.u32 %r2, 4, 0, %p2; add.u32 %r1, %r1, %r2;`, 32,
			func(uint32) uint32 { return 5 }},
		{"pending count", `@%p1 mbarrier.init.shared.b64 [%r0], 100; bar.sync 0; mov.u32 %r1, 0; @%p9 bra DONE;
			mbarrier.arrive.shared.b64 %d0, [%r0], 30; mbarrier.arrive.noComplete.shared.b64 %d1, [%r0], 2;
			mbarrier.pending_count.b64 %r1, %d0; mbarrier.pending_count.b64 %r2, %d1; mad.lo.u32 %r1, %r1, 1000, %r2;
			st.global.u32 [%o], %r1; bra DONE;`, 32,
			func(i uint32) uint32 {
				if i == 0 {
					return 100070
				}
				return 0
			}},
		{"drop", `@%p1 mbarrier.init.shared.b64 [%r0], 32; bar.sync 0; setp.ge.u32 %p4, %t, 10;
			@%p4 mbarrier.arrive_drop.shared.b64 %d0, [%r0]; @%p4 bra OUT;
			mbarrier.arrive.shared.b64 %d0, [%r0];
			W: mbarrier.test_wait.shared.b64 %p2, [%r0], %d0; @!%p2 bra W;
			mbarrier.arrive.shared.b64 %d0, [%r0]; mbarrier.pending_count.b64 %r1, %d0;
			V: mbarrier.test_wait.shared.b64 %p2, [%r0], %d0; @!%p2 bra V; setp.le.u32 %p3, %r1, 10; selp.u32 %r1, 1, 0, %p3;
			OUT:`, 32,
			func(i uint32) uint32 {
				if i < 10 {
					return 1
				}
				return 0
			}},
		{"bytes", `@%p1 mbarrier.init.shared.b64 [%r0], 1; bar.sync 0; mov.u32 %r1, 0; @%p9 bra DONE;
			mbarrier.arrive.expect_tx.shared.b64 %d0, [%r0], 128;
			mbarrier.test_wait.shared.b64 %p2, [%r0], %d0; selp.u32 %r1, 1, 0, %p2;
			mbarrier.complete_tx.shared.b64 [%r0], 100; mbarrier.complete_tx.relaxed.cta.shared.b64 [%r0], 28;
			mbarrier.test_wait.shared.b64 %p2, [%r0], %d0; selp.u32 %r2, 2, 0, %p2; add.u32 %r1, %r1, %r2;
			st.global.u32 [%o], %r1; bra DONE;`, 32,
			func(i uint32) uint32 {
				if i == 0 {
					return 2
				}
				return 0
			}},
		{"copies with an increment", `@%p1 mbarrier.init.shared.b64 [%r0], 32; bar.sync 0;
			mov.u32 %r5, tile; mad.lo.u32 %r5, %t, 4, %r5; st.global.u32 [%o], %t;
			cp.async.ca.shared.global [%r5], [%o], 4; cp.async.mbarrier.arrive.shared.b64 [%r0];
			mbarrier.arrive.shared.b64 %d0, [%r0];
			W: mbarrier.test_wait.shared.b64 %p2, [%r0], %d0; @!%p2 bra W; ld.shared.u32 %r1, [%r5];`, 32,
			func(i uint32) uint32 { return i }},
		{"generic address", `cvta.shared.u64 %d5, bar; @%p1 mbarrier.init.b64 [%d5+8], 32; bar.sync 0; add.u64 %d5, %d5, 8;
			mbarrier.arrive.b64 %d0, [%d5]; W: mbarrier.test_wait.b64 %p2, [%d5], %d0; @!%p2 bra W; mov.u32 %r1, 3;`, 32,
			func(uint32) uint32 { return 3 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := outs(t, launch{block: tt.block}, asyncDecls, start+"mov.u32 %r1, 0;\n"+tt.body+"\nst.global.u32 [%o], %r1;")
			expect(t, got, tt.want)
		})
	}
}

// TestAsyncFaults: what is wrong with an operation is said.
func TestAsyncFaults(t *testing.T) {
	tests := []struct {
		name, body, want string
		kind             trace.FaultKind
	}{
		{"no mbarrier", "mov.u32 %r0, bar; mbarrier.arrive.shared.b64 %d0, [%r0];", "mbarrier.arrive.shared.b64 on memory that is not an mbarrier", trace.FaultBarrier},
		{"invalidated", "mov.u32 %r0, bar; setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [%r0], 4; @%p1 mbarrier.inval.shared.b64 [%r0]; bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p2, [%r0], 0;",
			"on memory that is not an mbarrier", trace.FaultBarrier},
		{"too many arrivals", "mov.u32 %r0, bar; setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [%r0], 41; bar.sync 0; mbarrier.arrive.shared.b64 %d0, [%r0], 2;",
			"with a count of 2, but the phase waits for", trace.FaultBarrier},
		{"count of zero", "mov.u32 %r0, bar; mov.u32 %r1, 0; mbarrier.init.shared.b64 [%r0], %r1;", "with a count of 0: it must be from 1 to 1048575", trace.FaultBarrier},
		{"misaligned mbarrier", "mov.u32 %r0, bar; mbarrier.init.shared.b64 [%r0+4], 1;", "misaligned shared write of 8 bytes", trace.FaultMisaligned},
		{"mbarrier in global memory", "mbarrier.init.b64 [%base], 1;", "it must be in shared memory", trace.FaultOutOfBounds},
		{"copy out of bounds", "mov.u32 %r0, 5000; cp.async.ca.shared.global [%r0], [%base], 4;", "shared write of 4 bytes at offset 5000 is out of bounds", trace.FaultOutOfBounds},
		{"source out of bounds", "mov.u32 %r0, tile; cp.async.ca.shared.global [%r0], [%base+8192], 4;", "global read of 4 bytes", trace.FaultOutOfBounds},
		{"misaligned copy", "mov.u32 %r0, tile; cp.async.ca.shared.global [%r0+4], [%base], 8;", "misaligned shared write of 8 bytes", trace.FaultMisaligned},
		{"part of a warp", "setp.lt.u32 %p1, %t, 7; @%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%t];", "by 7 of the 32 threads of a warp", trace.FaultBarrier},
		{"matrix not in shared memory", "ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%base];", "it must be in shared memory", trace.FaultOutOfBounds},
		{"misaligned matrix", "mov.u32 %r0, tile; wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%r0+8], 16;", "both must be multiples of 16", trace.FaultMisaligned},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := newBuffer(t, 128)
			f := mustFault(t, launch{src: simple(asyncDecls, tt.body), params: []any{out}}, tt.kind)
			if !strings.Contains(f.Message, tt.want) {
				t.Errorf("message %q, want it to contain %q", f.Message, tt.want)
			}
		})
	}
}
