package engine_test

import (
	"encoding/binary"
	"math/bits"
	"math/rand"
	"reflect"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// marked is an observer with marks: elements by site, as they are marked by code and as they are sent.
type marked struct {
	t          *testing.T
	base, size uint64
	words      map[int][]uint64
	pages      map[int][]byte
	sent       map[int]map[uint64]bool
	events     int
}

func (m *marked) of(s *trace.Site, base, size uint64) (shadow.Marks, bool) {
	if base != m.base || size != m.size {
		m.t.Fatalf("marks of %#x, %d bytes", base, size)
	}
	if m.words[s.ID] == nil {
		n := int(size) / s.Size
		m.words[s.ID], m.pages[s.ID] = make([]uint64, n/64+2), make([]byte, n/shadow.MarkPage+2)
	}
	return shadow.Marks{Bits: unsafe.Pointer(&m.words[s.ID][0]), Pages: unsafe.Pointer(&m.pages[s.ID][0])}, true
}

func (m *marked) access(a *trace.Access) {
	m.events++
	for b := a.Mask; b != 0; b &= b - 1 {
		m.send(a.Site, (a.Addr[bits.TrailingZeros32(b)]-m.base)/uint64(a.Site.Size))
	}
}

func (m *marked) send(s *trace.Site, n uint64) {
	if m.sent[s.ID] == nil {
		m.sent[s.ID] = map[uint64]bool{}
	}
	m.sent[s.ID][n] = true
}

// newMarked watches what is accessed in a buffer.
func newMarked(t *testing.T, out *buffer) *marked {
	return &marked{t: t, base: out.Base, size: out.Size, words: map[int][]uint64{}, pages: map[int][]byte{}, sent: map[int]map[uint64]bool{}}
}

func (m *marked) observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Block: func() *trace.BlockObserver {
		return &trace.BlockObserver{Global: m.access, Marks: &trace.MarkObserver{Takes: func(*trace.Site) bool { return true }, Of: m.of}}
	}}
}

// all adds what code has marked to what was sent, and checks the pages.
func (m *marked) all() map[int]map[uint64]bool {
	for id, words := range m.words {
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				n := uint64(64*i + bits.TrailingZeros64(w))
				m.send(&trace.Site{ID: id}, n)
				if m.pages[id][n/shadow.MarkPage] == 0 {
					m.t.Fatalf("site %d: element %d is marked, and its page is not", id, n)
				}
			}
		}
	}
	return m.sent
}

// TestMarks runs random accesses of random lanes under an observer with marks: those that code makes by itself are
// marked, the others are sent.
func TestMarks(t *testing.T) {
	defer useOwnExecutor()
	const threads, blocks, rounds, words = 64, 2, 12, 1 << 17
	src := simple("", `
	mul.wide.u32 %d1, %r29, 4;
	add.u64 %d1, %d1, %base;
	mov.u64 %d4, %d1;
	mov.u32 %r1, 0;
LOOP:
	ld.global.u32 %r2, [%d1+524288];
	add.u64 %d1, %d1, 512;
	shr.u32 %r3, %r2, 8;
	shl.b32 %r3, %r3, 2;
	cvt.u64.u32 %d2, %r3;
	add.u64 %d2, %d2, %base;
	and.b32 %r4, %r2, 7;
	setp.eq.u32 %p1, %r4, 1;
	@!%p1 bra NOREAD;
	ld.global.u32 %r5, [%d2];
NOREAD:
	setp.eq.u32 %p1, %r4, 2;
	@!%p1 bra NOATOMIC;
	atom.global.add.u32 %r5, [%d2], 1;
NOATOMIC:
	setp.eq.u32 %p1, %r4, 3;
	@!%p1 bra NOWRITE;
	st.global.u32 [%d2], %r4;
NOWRITE:
	setp.eq.u32 %p1, %r4, 4;
	@!%p1 bra NOBYTE;
	ld.global.u8 %r5, [%d2+3];
NOBYTE:
	setp.eq.u32 %p1, %r4, 5;
	@!%p1 bra NOVECTOR;
	and.b64 %d3, %d2, -16;
	ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%d3];
NOVECTOR:
	setp.eq.u32 %p1, %r4, 6;
	@!%p1 bra NOWIDE;
	and.b64 %d3, %d2, -8;
	st.global.u64 [%d3], %d2;
NOWIDE:
	setp.eq.u32 %p1, %r4, 7;
	@!%p1 bra NOROW;
	ld.global.u32 %r5, [%d4+1036];
NOROW:
	ld.global.u32 %r5, [%d4+8];
	st.global.u16 [%d4+2000], %r1;
	add.u64 %d4, %d4, 1024;
	ld.global.u32 %r5, [%base+4092];
	bar.sync 0;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 12;
	@%p1 bra LOOP;`)
	by := [2]int{}
	seeds := int64(100)
	if alu.ISA() != "avx512" { // a compiler takes its time for each
		seeds = 15
	}
	for seed := range seeds {
		rng := rand.New(rand.NewSource(seed))
		out := newBuffer(t, 4*words+4*threads*blocks*rounds)
		plan := make([]uint32, threads*blocks*rounds)
		for i := range plan {
			at := rng.Intn(words - 16)
			if seed%3 == 0 { // neighbors
				at = 10000*(i/(threads*blocks)) + i%(threads*blocks)
			}
			do := uint32(rng.Intn(8))
			if seed%5 == 0 {
				do = uint32(i / (threads * blocks) % 8)
			}
			plan[i] = uint32(at)<<8 | do
		}
		var sets [2]map[int]map[uint64]bool
		for k, executor := range []string{"always", "off"} {
			if err := warp.UseExecutor(executor); err != nil {
				t.Skip(err)
			}
			clear(out.bytes()[:4*words])
			for i, x := range plan {
				binary.LittleEndian.PutUint32(out.bytes()[4*words+4*i:], x)
			}
			m := newMarked(t, out)
			o := &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver { return []*trace.LaunchObserver{m.observer()} }}
			mustRun(t, launch{src: src, grid: blocks, block: threads, params: []any{out}, observers: []*trace.Observer{o}})
			sets[k] = m.all()
			by[k] += m.events
		}
		if !reflect.DeepEqual(sets[0], sets[1]) {
			for id, want := range sets[1] {
				got := sets[0][id]
				for n := range want {
					if !got[n] {
						t.Errorf("seed %d: site %d: element %d is not marked", seed, id, n)
					}
				}
				t.Errorf("seed %d: site %d: %d elements, want %d", seed, id, len(got), len(want))
			}
			t.FailNow()
		}
	}
	if t.Logf("%d accesses were sent, %d by the interpreter alone", by[0], by[1]); by[0] > by[1]/4 {
		t.Error("too many were sent")
	}
}
