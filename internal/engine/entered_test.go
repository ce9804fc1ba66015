package engine_test

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// TestEntered runs a loop that reads and writes global memory under an observer with states:
// code enters whole warps by itself where nothing in the states is in the way, and sends the others.
func TestEntered(t *testing.T) {
	if alu.ISA() != "avx512" || warp.UseExecutor("always") != nil {
		t.Skip("needs code for AVX-512")
	}
	defer useOwnExecutor()
	const none, now, rounds, warps, read = 1 << 6, 9 << 6, 8, 2, 128
	src := simple("", `
	mov.u32 %r1, 0;
LOOP:
	ld.global.u32 %r2, [%o];
	ld.global.u32 %r3, [%o+512];
	ld.global.u32 %r3, [%o+516];
	add.u32 %r2, %r2, 1;
	st.global.u32 [%o], %r2;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 8;
	@%p1 bra LOOP;`)
	for _, c := range []struct {
		name    string
		foreign uint64 // what the states have
		before  trace.PlainBefore
		entered bool
	}{
		{"none", 63 | 63<<32, trace.PlainBefore{}, true},
		{"write", 5<<6 | 3, trace.PlainBefore{}, false},
		{"ordered write", 5<<6 | 3, trace.PlainBefore{First: 5 << 6, N: 1 << 6}, true},
		{"write below what is ordered", 4<<6 | 63, trace.PlainBefore{First: 5 << 6, N: 1 << 6}, false},
		{"write above what is ordered", 6 << 6, trace.PlainBefore{First: 5 << 6, N: 1 << 6}, false},
		{"read", (5<<6 | 3) << 32, trace.PlainBefore{}, false},
		{"ordered read", (5<<6 | 32) << 32, trace.PlainBefore{First: 5 << 38, N: 1 << 38}, true},
	} {
		var live trace.PlainLive
		var states [trace.PlainUnits]uint64
		var pages [trace.PlainPages]trace.PlainPage
		var wrote uint64
		events := 0
		out := newBuffer(t, 4*read+4*32*warps+4)
		first := out.Base / 4 % trace.PlainUnits
		if first+read+32*warps >= trace.PlainUnits {
			t.Fatal("the buffer ends in another page")
		}
		for i := range states {
			states[i] = c.foreign
		}
		n := out.Base / 4 / trace.PlainUnits
		pages[n%trace.PlainPages] = trace.PlainPage{Number: n, States: unsafe.Pointer(&states)}
		points := [warps]trace.PlainWarp{}
		for w := range points {
			at := uint64(now + w<<6)
			points[w] = trace.PlainWarp{Now: at | at<<32, Since: now<<32 | 1<<32 - 1}
		}
		o := &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
			sites := slices.Repeat([]trace.PlainBefore{c.before}, len(l.Sites))
			live = trace.PlainLive{Size: 4, None: none, Pages: &pages, Warps: unsafe.Pointer(&points), Sites: unsafe.Pointer(&sites[0]), Wrote: &wrote}
			return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
				return &trace.BlockObserver{Global: func(*trace.Access) { events++ },
					Plain: &trace.PlainObserver{Takes: func(*trace.Site) bool { return true }, Live: &live}}
			}}}
		}}
		mustRun(t, launch{src: src, block: 32 * warps, params: []any{out}, observers: []*trace.Observer{o}})
		for i, v := range out.u32()[:32*warps] {
			if v != rounds {
				t.Errorf("%s: element %d is %d", c.name, i, v)
			}
		}
		if int(live.Looked)+events != 4*rounds*warps || (live.Looked > 0) != c.entered || (wrote > 0) != c.entered {
			t.Errorf("%s: %d accesses were entered, %d of them writes, and %d sent", c.name, live.Looked, wrote, events)
		}
		if !c.entered {
			continue
		}
		for i, s := range states[first : first+32*warps] {
			me := uint64(now + i/32<<6 + i%32)
			if s != me { // written last
				t.Errorf("%s: state %d is %#x, want %#x", c.name, i, s, me)
			}
		}
		for i, s := range states[first+read : first+read+32*warps+1] {
			at := s >> 32 % trace.PlainLanes
			if one := i == 0 || i == 32*warps; !one && at != trace.PlainSeveral || one && at != uint64(i/(32*warps)*31) {
				t.Errorf("%s: state %d after the reads is %#x", c.name, i, s)
			}
		}
	}
}
