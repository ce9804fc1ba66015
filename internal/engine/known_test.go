package engine_test

import (
	"encoding/binary"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// TestKnown: where an observer knows what undefined reads of a site in an allocation cause, code
// that was generated reads there; other sites, writes and other allocations are seen as before.
func TestKnown(t *testing.T) {
	arena.TrackWrites()
	generated := warp.UseExecutor("always") == nil
	defer useOwnExecutor()
	const rounds, grid = 500, 4
	in, out, other := newBuffer(t, 4*32*grid), newBuffer(t, 4*32*grid), newBuffer(t, 4*32*grid)
	for i := range 32 * grid {
		binary.LittleEndian.PutUint32(in.bytes()[4*i:], uint32(i))
		binary.LittleEndian.PutUint32(other.bytes()[4*i:], uint32(1000*i))
	}
	seen := map[int]int{} // events by site
	var reads []int       // the sites that read
	known := func(s *trace.Site, allocation int) bool { return allocation == in.ID && s.ID == reads[0] }
	o := &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		for _, s := range l.Sites {
			if s.Kind == trace.Read && s.Space == trace.SpaceGlobal {
				reads = append(reads, s.ID)
			}
		}
		return []*trace.LaunchObserver{{MarksWritten: true, Block: func() *trace.BlockObserver {
			return &trace.BlockObserver{
				Begin: func(*trace.Block) {}, End: func() {},
				Unwritten: func(e *trace.Unwritten) { seen[e.Site.ID]++ },
				Undefined: &trace.UndefinedObserver{Unset: func(*trace.UnsetRegister) {}, Reread: func(*trace.Reread) {},
					Mixed: func(uint32, uint32) {}, Used: func(*trace.Used) {}, Lasting: func(o uint32) uint32 { return o }, Known: known},
			}
		}}}
	}}
	// The first read is by a pointer that alternates between the two.
	src := header + `
.visible .entry k(.param .u64 k_in, .param .u64 k_out, .param .u64 k_other)
{
	.reg .pred %p; .reg .b32 %i, %n, %v, %s; .reg .b64 %in, %out, %other, %at, %d;
	ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; ld.param.u64 %other, [k_other];
	mov.u32 %i, %ctaid.x; mov.u32 %n, %tid.x; mad.lo.u32 %i, %i, 32, %n; mul.wide.u32 %d, %i, 4;
	add.u64 %in, %in, %d; add.u64 %other, %other, %d; add.u64 %out, %out, %d;
	mov.u32 %s, 0; mov.u32 %n, 0; mov.u64 %at, %in;
L:	ld.global.u32 %v, [%at];
	add.u32 %s, %s, %v;
	ld.global.u32 %v, [%in];
	add.u32 %s, %s, %v;
	add.u32 %n, %n, 1;
	setp.eq.u32 %p, %n, 400;
	selp.b64 %at, %other, %at, %p;
	setp.lt.u32 %p, %n, 500; @%p bra L;
	st.global.u32 [%out], %s;
	st.global.u32 [%in], %s;
	ret;
}
`
	if _, err := tryRun(t, launch{src: src, grid: grid, workers: 1, params: []any{in, out, other}, observers: []*trace.Observer{o}}); err != nil {
		t.Fatal(err)
	}
	for i := range uint32(32 * grid) {
		if got, want := binary.LittleEndian.Uint32(out.bytes()[4*i:]), rounds*i+400*i+100*1000*i; got != want {
			t.Fatalf("thread %d has %d, want %d", i, got, want)
		}
	}
	if len(reads) != 2 {
		t.Fatalf("%d sites read", len(reads))
	}
	// The first site goes to other memory in a fifth of its rounds; what the interpreter reads is
	// told in any case.
	if n, want := seen[reads[0]], 100*grid; n < want || generated && n > want+50*grid {
		t.Errorf("%d events of the known site, want %d of other memory and a few", n, want)
	}
	if n, want := seen[reads[1]], rounds*grid; n != want {
		t.Errorf("%d events of the other site, want %d", n, want)
	}
	if n := uint64(4 * 32 * grid); !in.Written.Has(0, n) || !out.Written.Has(0, n) {
		t.Error("what the kernel wrote does not count as written")
	}
}
