package engine_test

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// quietNotes hears of quiet intervals that they were, of all others every access with what it
// stores and what was there. precise ones hear all.
type quietNotes struct {
	notes
	shared  []byte
	written []uint64
	precise bool
	// what the interval did so far, by byte: the threads that read, wrote or updated it.
	// noisy is set once it matters.
	read, wrote, updated map[uint64]map[int]bool
	noisy                bool
	accesses             int
}

func (n *quietNotes) observer() *trace.BlockObserver {
	o := &trace.BlockObserver{Begin: n.Begin, End: n.End, Shared: n.Access, Barrier: n.Barrier, WarpSync: n.WarpSync}
	o.Interval = &trace.IntervalObserver{Settled: func() bool { return false }}
	if !n.precise {
		o.Interval.Quiet = &trace.QuietObserver{Written: func() []uint64 { return n.written }, Passed: n.Passed}
	}
	return o
}

func (n *quietNotes) Begin(b *trace.Block) {
	n.notes.Begin(b)
	n.shared, n.written = b.Shared, make([]uint64, len(b.Shared)/64)
	n.next()
}

func (n *quietNotes) next() {
	n.read, n.wrote, n.updated = map[uint64]map[int]bool{}, map[uint64]map[int]bool{}, map[uint64]map[int]bool{}
	n.noisy, n.accesses = false, 0
}

func (n *quietNotes) Barrier(e *trace.Barrier) {
	if n.precise && e.Full {
		n.add("noisy %v, %d accesses", n.noisy, n.accesses)
	}
	n.notes.Barrier(e)
	if e.Full {
		n.next()
	}
}

func (n *quietNotes) Passed(q *trace.Quiet) {
	count := 0
	q.Each(func(*trace.Site, uint32) { count++ })
	n.add("quiet, %d accesses", count)
}

func (n *quietNotes) Access(a *trace.Access) {
	n.accesses++
	var b strings.Builder
	fmt.Fprintf(&b, "site %d warp %d:", a.Site.ID, a.Warp)
	for l := range 32 {
		if a.Mask>>l&1 == 0 {
			continue
		}
		fmt.Fprintf(&b, " %d@%x", l, a.Addr[l])
		for k := range a.Site.Size {
			n.judge(a, 32*a.Warp+l, a.Addr[l]+uint64(k))
		}
		for k := range max(a.Site.Size/4, 1) {
			if a.Site.Kind == trace.Read {
				continue
			}
			before := binary.LittleEndian.Uint32(n.shared[a.Addr[l]&^3+uint64(4*k):])
			if a.Past != nil {
				before = a.Past.Before(l, k)
			}
			fmt.Fprintf(&b, " %x", before)
		}
		if a.Site.Kind == trace.Write {
			for k := range a.Site.Size / a.Site.Elem {
				fmt.Fprintf(&b, "=%x", a.Data.Value(l, k))
			}
		}
	}
	n.add("%s", &b)
}

// judge notes a thread's access to a byte, and whether it matters by the definition of quiet
// intervals.
func (n *quietNotes) judge(a *trace.Access, thread int, at uint64) {
	has := n.written[at/64]>>(at%64)&1 != 0
	n.noisy = n.noisy || a.Site.Kind != trace.Write && !a.Site.Exchange() && !has
	for i, m := range []map[uint64]map[int]bool{n.read, n.wrote, n.updated} {
		mine := trace.Kind(i) == a.Site.Kind
		for other := range m[at] {
			if other != thread && (!mine || a.Site.Kind == trace.Write) {
				n.noisy = true
			}
		}
		if mine {
			if m[at] == nil {
				m[at] = map[int]bool{}
			}
			m[at][thread] = true
		}
	}
	if a.Site.Kind != trace.Read {
		n.written[at/64] |= 1 << (at % 64)
	}
}

// sharedProgram is a random kernel of some barrier intervals on 4 KB of shared memory, most
// of whose threads keep to elements of their own, of so many bytes at least.
func sharedProgram(rng *rand.Rand, least int, matrices bool) string {
	var b strings.Builder
	label := 0
	if matrices { // which read more than anyone has written
		for i := range 3 {
			fmt.Fprintf(&b, "mad.lo.u32 %%r1, %%t, 16, %d; min.u32 %%r1, %%r1, 4080; mov.u32 %%r2, s; add.u32 %%r1, %%r1, %%r2;\n", 1536*i)
			b.WriteString("setp.eq.u32 %p1, %t, 95; @%p1 bra I" + strconv.Itoa(i) + "; st.shared.v4.u32 [%r1], {%t, %ct, %r1, %t}; I" + strconv.Itoa(i) + ":\n")
		}
		b.WriteString("bar.sync 0;\n")
	}
	for range 3 + rng.Intn(5) {
		plan := rng.Intn(3)
		c := rng.Intn(32)
		for range 1 + rng.Intn(6) {
			mode := plan
			if rng.Intn(12) == 0 {
				mode = rng.Intn(6)
			}
			label++
			guard := rng.Intn(3)
			switch guard {
			case 0:
				fmt.Fprintf(&b, "and.b32 %%r9, %%t, %d; setp.eq.u32 %%p1, %%r9, 0; @%%p1 bra S%d;\n", 1<<rng.Intn(6), label)
			case 1:
				fmt.Fprintf(&b, "setp.gt.u32 %%p1, %%t, %d; @%%p1 bra S%d;\n", rng.Intn(90), label)
			}
			sharedAccess(&b, rng, mode, c, least)
			fmt.Fprintf(&b, "S%d:\n", label)
			if rng.Intn(6) == 0 {
				b.WriteString("bar.warp.sync 0xffffffff;\n")
			}
			if matrices && rng.Intn(2) == 0 {
				matrixAccess(&b, rng)
			}
		}
		b.WriteString("bar.sync 0;\n")
	}
	return simple(".shared .align 16 .b8 s[4096];", b.String())
}

// matrixAccess is one by wmma or ldmatrix: mostly a load that all warps do, or a store to rows of the warp's own, at times to those
// of others.
func matrixAccess(b *strings.Builder, rng *rand.Rand) {
	stride, at := []int{8, 16, 16, 24}[rng.Intn(4)], 16*rng.Intn(16)
	own := rng.Intn(3)
	fmt.Fprintf(b, "shr.u32 %%r9, %%t, 5; mul.lo.u32 %%r9, %%r9, %d; add.u32 %%r9, %%r9, %d; mov.u32 %%r2, s; add.u32 %%r9, %%r9, %%r2;\n", []int{0, 1024, 128}[own], at)
	fmt.Fprintf(b, "mov.u32 %%r8, %d; cvt.u64.u32 %%d9, %%r9; cvta.shared.u64 %%d8, %%d9;\n", stride)
	place, space := []string{"[%r9]", "[%d8]"}[rng.Intn(2)], ".shared"
	if place == "[%d8]" {
		space = ""
	}
	eight, layout := "{%r11,%r12,%r13,%r14,%r15,%r16,%r17,%r18}", []string{"row", "col"}[rng.Intn(2)]
	by := []string{"%r8", strconv.Itoa(stride)}[rng.Intn(2)]
	switch rng.Intn(8) {
	case 0, 1:
		fmt.Fprintf(b, "wmma.load.a.sync.aligned.%s.m16n16k16%s.f16 %s, %s, %s;\n", layout, space, eight, place, by)
	case 2:
		fmt.Fprintf(b, "wmma.load.b.sync.aligned.%s.m16n16k8%s.tf32 {%%r11,%%r12,%%r13,%%r14}, %s, %s;\n", layout, space, place, by)
	case 3:
		fmt.Fprintf(b, "wmma.load.a.sync.aligned.%s.m8n8k4%s.f64 {%%g1}, %s, %s;\n", layout, space, place, by)
	case 4:
		fmt.Fprintf(b, "wmma.load.c.sync.aligned.%s.m16n16k16%s.f32 {%%f1,%%f2,%%f3,%%f4,%%f5,%%f6,%%f7,%%f8}, %s, %s;\n", layout, space, place, by)
	case 5:
		fmt.Fprintf(b, "wmma.load.b.sync.aligned.%s.m16n16k16%s.s8 {%%r11,%%r12}, %s, %d;\n", layout, space, place, 2*stride)
	case 6:
		fmt.Fprintf(b, "mad.lo.u32 %%r9, %%lane, 16, %%r9; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%r11,%%r12,%%r13,%%r14}, [%%r9];\n")
	default:
		if own != 1 && rng.Intn(4) > 0 {
			return
		}
		fmt.Fprintf(b, "wmma.store.d.sync.aligned.%s.m16n16k16%s.f16 %s, {%%r11,%%r12,%%r13,%%r14}, %s;\n", layout, space, place, by)
	}
}

// sharedAccess is an access to: 0 a place of 16 bytes of the thread's own, 1 its element of a
// row, 2 another thread's place, 3 one element, 4 one of a few, 5 its own in the reverse order of a row.
func sharedAccess(b *strings.Builder, rng *rand.Rand, mode, c, least int) {
	size := max([]int{least, least, 4, 4, 4, 8, 16}[rng.Intn(7)], least)
	switch mode {
	case 0:
		fmt.Fprintf(b, "shl.b32 %%r1, %%t, 4; add.u32 %%r1, %%r1, %d;", size*rng.Intn(16/size))
	case 1:
		fmt.Fprintf(b, "mad.lo.u32 %%r1, %%t, %d, %d;", size, 16*c)
	case 5:
		fmt.Fprintf(b, "sub.u32 %%r1, 127, %%t; mul.lo.u32 %%r1, %%r1, %d; add.u32 %%r1, %%r1, %d;", size, 16*c)
	case 2:
		fmt.Fprintf(b, "xor.b32 %%r1, %%t, %d; shl.b32 %%r1, %%r1, 4;", c)
	case 3:
		fmt.Fprintf(b, "mov.u32 %%r1, %d;", 16*c)
	case 4:
		fmt.Fprintf(b, "mad.lo.u32 %%r1, %%t, %d, %d; and.b32 %%r1, %%r1, 31; shl.b32 %%r1, %%r1, 4;", 2*rng.Intn(8)+1, c)
	}
	b.WriteString(" mov.u32 %r2, s; add.u32 %r1, %r1, %r2;")
	at := "%r1"
	if rng.Intn(2) == 0 {
		b.WriteString(" cvt.u64.u32 %d1, %r1;")
		at = "%d1"
	}
	if rng.Intn(5) == 0 && at == "%d1" {
		op := []string{"red.shared.add.u32 [%d1], %t;", "atom.shared.add.u32 %r5, [%d1], 3;", "atom.shared.exch.b32 %r5, [%d1], %t;", "atom.shared.add.u64 %d5, [%d1], 1;"}[rng.Intn(4)]
		if strings.Contains(op, "u64") {
			b.WriteString(" and.b64 %d1, %d1, -8;")
		} else if least < 4 {
			b.WriteString(" and.b64 %d1, %d1, -4;")
		}
		b.WriteString(" " + op + "\n")
		return
	}
	fmt.Fprintf(b, " mad.lo.u32 %%r4, %%t, 77, %d; cvt.u64.u32 %%d4, %%r4;", rng.Intn(100))
	load, store := elements(size, rng.Intn(2) == 0)
	if rng.Intn(2) == 0 {
		fmt.Fprintf(b, " ld.shared.%s, [%s];\n", load, at)
	} else {
		fmt.Fprintf(b, " st.shared.%s;\n", fmt.Sprintf(store, at))
	}
}

// elements are the operands of a load and a store of so many bytes, maybe of several elements.
func elements(size int, several bool) (load, store string) {
	switch {
	case size == 1:
		return "u8 %r5", "u8 [%s], %%r4"
	case size == 2 && several:
		return "v2.u8 {%r5, %r6}", "v2.u8 [%s], {%%r4, %%t}"
	case size == 2:
		return "u16 %r5", "u16 [%s], %%r4"
	case size == 4 && several:
		return "v4.u8 {%r5, %r6, %r7, %r8}", "v2.u16 [%s], {%%r4, %%t}"
	case size == 4:
		return "u32 %r5", "u32 [%s], %%r4"
	case size == 8 && several:
		return "v4.u16 {%r5, %r6, %r7, %r8}", "v2.u32 [%s], {%%t, %%r4}"
	case size == 8:
		return "u64 %d5", "u64 [%s], %%d4"
	}
	return "v4.u32 {%r5, %r6, %r7, %r8}", "v4.u32 [%s], {%%r4, %%r5, %%t, %%r4}"
}

// TestQuietIntervals runs random programs with an observer that hears all and one behind a
// sieve, on all executors. What the sieve lets pass as quiet is so by definition, and of all
// else the observer hears the same.
func TestQuietIntervals(t *testing.T) { compareIntervals(t, false) }

// TestQuietMatrices is the same for loads and stores of matrices among other accesses.
func TestQuietMatrices(t *testing.T) { compareIntervals(t, true) }

func compareIntervals(t *testing.T, matrices bool) {
	defer useOwnExecutor()
	defer engine.RetireGroups()()
	n := programs(200)
	if testing.Short() || matrices {
		n = programs(50)
	}
	quiet, noisy := 0, 0
	for seed := range n {
		src := sharedProgram(rand.New(rand.NewSource(seed)), []int{4, 1, 2}[seed%3], matrices)
		var first []string
		for _, mode := range executors() {
			warp.UseExecutor(mode)
			want, got := quietEvents(t, src, true), quietEvents(t, src, false)
			q, n, err := compareQuiet(got, want)
			if err != nil {
				t.Fatalf("seed %d, executor %s: %v\n%s", seed, mode, err, numbered(src))
			}
			if quiet, noisy = quiet+q, noisy+n; first == nil {
				first = got
			}
			if i := firstDifference(got, first); i >= 0 {
				t.Fatalf("seed %d, executor %s: event %d:\n%s\nwant\n%s\n%s", seed, mode, i, at(got, i), at(first, i), numbered(src))
			}
		}
	}
	t.Logf("%d quiet intervals, %d others", quiet, noisy)
	if quiet < int(n) || noisy < int(n) {
		t.Errorf("too few: %d quiet intervals, %d others", quiet, noisy)
	}
}

// quietEvents are the events that an observer gets.
func quietEvents(t *testing.T, src string, precise bool) []string {
	l := &listener{blocks: map[uint64][]string{}}
	o := eachBlock(func() *trace.BlockObserver {
		return (&quietNotes{notes: notes{l: l}, precise: precise}).observer()
	})
	mustRun(t, launch{src: src, grid: 3, block: 96, workers: 1, params: []any{newBuffer(t, 4096)}, observers: []*trace.Observer{o}})
	return slices.Concat(l.blocks[0], l.blocks[1], l.blocks[2])
}

// compareQuiet compares, interval by interval, what came through a sieve with all that
// happened. It counts the quiet intervals and the others.
func compareQuiet(got, want []string) (quiet, noisy int, err error) {
	for len(want) > 0 {
		end := slices.IndexFunc(want, func(s string) bool { return strings.HasPrefix(s, "noisy") })
		if end < 0 {
			end = len(want)
		}
		events := slices.DeleteFunc(slices.Clone(want[:end]), func(s string) bool { return strings.HasPrefix(s, "site") })
		next := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, "barrier") })
		if next < 0 {
			next = len(got)
		}
		last := 0
		if next > 0 && strings.HasPrefix(got[next-1], "quiet") {
			last, quiet = 1, quiet+1
			if _, n, _ := strings.Cut(got[next-1], ", "); end < len(want) && want[end] != "noisy false, "+n {
				return 0, 0, fmt.Errorf("%s, but %s", got[next-1], want[end])
			}
		} else {
			noisy++
			events = want[:end]
		}
		if i := firstDifference(got[:next-last], events); end < len(want) && i >= 0 {
			return 0, 0, fmt.Errorf("event\n%s\nwant\n%s", at(got[:next-last], i), at(events, i))
		}
		if end == len(want) {
			return quiet, noisy, nil
		}
		want, got = want[end+1:], got[next:]
		if len(got) > 0 && len(want) > 0 { // the barrier
			if got[0] != want[0] {
				return 0, 0, fmt.Errorf("%s, want %s", got[0], want[0])
			}
			want, got = want[1:], got[1:]
		}
	}
	return quiet, noisy, nil
}
