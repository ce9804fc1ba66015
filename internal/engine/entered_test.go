package engine_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// TestEntered runs a loop that reads and writes global memory under an observer with states:
// code enters whole warps by itself where nothing in the states is in the way, and sends the others.
func TestEntered(t *testing.T) {
	if err := warp.UseExecutor("always"); err != nil {
		t.Skip(err)
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
		before  shadow.Before
		entered bool
	}{
		{"none", 63 | 63<<32, shadow.Before{}, true},
		{"write", 5<<6 | 3, shadow.Before{}, false},
		{"ordered write", 5<<6 | 3, shadow.Before{First: 5 << 6, N: 1 << 6}, true},
		{"write below what is ordered", 4<<6 | 63, shadow.Before{First: 5 << 6, N: 1 << 6}, false},
		{"write above what is ordered", 6 << 6, shadow.Before{First: 5 << 6, N: 1 << 6}, false},
		{"read", (5<<6 | 3) << 32, shadow.Before{}, false},
		{"ordered read", (5<<6 | 32) << 32, shadow.Before{First: 5 << 38, N: 1 << 38}, true},
	} {
		var live shadow.Live
		var states [shadow.PageUnits]uint64
		var pages [shadow.Pages]shadow.Page
		var wrote uint64
		events := 0
		out := newBuffer(t, 4*read+4*32*warps+4)
		first := out.Base / 4 % shadow.PageUnits
		if first+read+32*warps >= shadow.PageUnits {
			t.Fatal("the buffer ends in another page")
		}
		for i := range states {
			states[i] = c.foreign
		}
		n := out.Base / 4 / shadow.PageUnits
		pages[n%shadow.Pages] = shadow.Page{Number: n, States: unsafe.Pointer(&states)}
		points := [warps]shadow.WarpRefs{}
		for w := range points {
			at := uint64(now + w<<6)
			points[w] = shadow.WarpRefs{Now: at | at<<32, Since: now<<32 | 1<<32 - 1}
		}
		o := &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
			sites := slices.Repeat([]shadow.Before{c.before}, len(l.Sites))
			live = shadow.Live{Size: 4, None: none, Pages: &pages, Warps: unsafe.Pointer(&points), Sites: unsafe.Pointer(&sites[0]), Wrote: &wrote}
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
			at := s >> 32 % shadow.RefLanes
			if one := i == 0 || i == 32*warps; !one && at != shadow.RefSeveral || one && at != uint64(i/(32*warps)*31) {
				t.Errorf("%s: state %d after the reads is %#x", c.name, i, s)
			}
		}
	}
}

// TestEnteredReferences makes reads and writes by a warp to units with random references: code enters the lanes for which shadow.Refs.Join has
// a state, and leaves an access with others to the observer.
func TestEnteredReferences(t *testing.T) {
	if err := warp.UseExecutor("always"); err != nil {
		t.Skip(err)
	}
	defer useOwnExecutor()
	const none, now, since, sites = 20 << 6, 60 << 6, 50 << 6, 24
	var text strings.Builder
	text.WriteString("\tmov.u32 %r2, 0;\nLOOP:\n") // code learns in the first round where accesses go
	for i := range sites {
		if i%2 == 0 {
			fmt.Fprintf(&text, "\tld.global.u32 %%r1, [%%o+%d];\n", 128*i)
		} else {
			fmt.Fprintf(&text, "\tst.global.u32 [%%o+%d], %%r1;\n", 128*i)
		}
	}
	text.WriteString("\tadd.u32 %r2, %r2, 1;\n\tsetp.lt.u32 %p1, %r2, 2;\n\t@%p1 bra LOOP;")
	rng := rand.New(rand.NewSource(1))
	outcomes := map[bool]int{}
	for range 20 {
		out := newBuffer(t, 128*sites)
		first := out.Base / 4 % shadow.PageUnits
		if first+32*sites >= shadow.PageUnits {
			t.Fatal("the buffer ends in another page")
		}
		var states [shadow.PageUnits]uint64
		odd := 1 + rng.Intn(40)
		for i := range states[:32*sites] {
			r := func() uint64 { // what is of an earlier launch, mostly
				if rng.Intn(odd) > 0 {
					return uint64(rng.Intn(none))
				}
				at := []int{21, 30, 31, 40, since >> 6, now >> 6, 70}[rng.Intn(7)]
				return uint64(at<<6 + []int{i % 32, rng.Intn(32), shadow.RefSeveral, 62}[rng.Intn(4)])
			}
			states[int(first)+i] = r() | r()<<32
		}
		want := states
		n := out.Base / 4 / shadow.PageUnits
		var pages [shadow.Pages]shadow.Page
		pages[n%shadow.Pages] = shadow.Page{Number: n, States: unsafe.Pointer(&states)}
		point := shadow.WarpRefs{Now: now | now<<32, Since: since<<32 | 1<<32 - 1}
		before := shadow.Before{First: 30<<6 | 30<<38, N: uint64(rng.Intn(3))<<6 | uint64(rng.Intn(3))<<38}
		var wrote uint64
		var live shadow.Live
		failing, wantFailing := map[int]uint64{}, map[int]uint64{}
		o := &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
			befores, access := slices.Repeat([]shadow.Before{before}, len(l.Sites)), 0
			live = shadow.Live{Size: 4, None: none, Pages: &pages, Warps: unsafe.Pointer(&point), Sites: unsafe.Pointer(&befores[0]), Wrote: &wrote}
			refs := shadow.Refs{None: none, WarpRefs: point, Before: before}
			for _, s := range l.Sites {
				if s.Space != trace.SpaceGlobal || s.Size == 0 {
					continue
				}
				for lane := range 32 {
					unit := &want[int(first)+32*access+lane]
					next, ok := refs.Join(*unit, uint32(lane), s.Kind == trace.Write)
					if outcomes[ok]++; ok {
						*unit = next
					} else {
						wantFailing[s.ID] |= 1 << lane
					}
				}
				access++
			}
			if access != sites {
				t.Fatalf("%d sites", access)
			}
			return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
				return &trace.BlockObserver{Global: func(a *trace.Access) {
					if live.Failing != 0 && live.FailingSite == uint64(a.Site.ID) {
						failing[a.Site.ID] = live.Failing
					}
				}, Plain: &trace.PlainObserver{Takes: func(*trace.Site) bool { return true }, Live: &live}}
			}}}
		}}
		mustRun(t, launch{src: simple("", text.String()), block: 32, params: []any{out}, observers: []*trace.Observer{o}})
		if !maps.Equal(failing, wantFailing) || int(live.Looked)+len(failing) != sites {
			t.Fatalf("%d accesses entered, others %v, want %v", live.Looked, failing, wantFailing)
		}
		for i := range states {
			if states[i] != want[i] {
				t.Fatalf("unit %d of access %d: %#x, want %#x", (i-int(first))%32, (i-int(first))/32, states[i], want[i])
			}
		}
	}
	if outcomes[true] < 2000 || outcomes[false] < 500 {
		t.Errorf("%v", outcomes)
	}
}

// quickStates are the states of a quick look as code sees them, and a plain way to enter an access.
type quickStates struct {
	live      shadow.Live
	pages     [shadow.Pages]shadow.Page
	states    [shadow.PageUnits]uint64
	events    int
	suspected bool
}

func (q *quickStates) begin(b *trace.Block) { q.live.Who = (b.Index + 5) << shadow.QuickBlockShift }

func (q *quickStates) barrier(*trace.Barrier) { q.live.Who += 1 << shadow.QuickIntervalShift }

func (q *quickStates) access(a *trace.Access) {
	if a.Site.Order != trace.OrderWeak && a.Site.Kind == trace.Read {
		return
	}
	q.events++
	kind := map[trace.Kind]uint64{trace.Read: shadow.QuickRead, trace.Write: shadow.QuickWrite, trace.Atomic: shadow.QuickAtomic}[a.Site.Kind]
	for l := range 32 {
		if a.Mask>>l&1 != 0 && !q.suspected && !q.enter(&q.states[a.Addr[l]/4%shadow.PageUnits], q.live.Who|uint64(32*a.Warp+l)<<shadow.QuickThreadShift, kind) {
			q.suspected, q.live.Size = true, 0
		}
	}
}

// enter enters an access of a thread of a block in an interval, which is names.
func (q *quickStates) enter(s *uint64, is, kind uint64) bool {
	old, both := *s, kind|kind<<shadow.QuickEverShift
	block, several := old>>shadow.QuickBlockShift, old&shadow.QuickSeveral != 0
	alike := func(kinds uint64) bool { return kinds == kind && kind != shadow.QuickWrite }
	switch {
	case old < q.live.First:
		*s = is | both
	case block != is>>shadow.QuickBlockShift || several:
		*s |= shadow.QuickSeveral
		return alike(old & shadow.QuickEver >> shadow.QuickEverShift)
	case old&shadow.QuickInterval != is&shadow.QuickInterval:
		*s = is | both | old&shadow.QuickEver
	case old&shadow.QuickThread == is&shadow.QuickThread:
		*s |= both
	default:
		*s |= shadow.QuickThread
		return alike(old & shadow.QuickNow)
	}
	return true
}

// enteredSeeds is how many random programs a test runs: a tenth in short tests, as those for arm64 are.
func enteredSeeds(n int64) int64 {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestEnteredQuick runs random accesses of random lanes under an observer with the states of a quick
// look: code leaves them as the observer would have, and sends what it does not enter.
func TestEnteredQuick(t *testing.T) {
	if err := warp.UseExecutor("always"); err != nil {
		t.Skip(err)
	}
	defer useOwnExecutor()
	const threads, blocks, rounds, words = 64, 2, 12, 1 << 10
	src := simple("", `
	mul.wide.u32 %d1, %r29, 4;
	add.u64 %d1, %d1, %base;
	mov.u32 %r1, 0;
LOOP:
	ld.volatile.global.u32 %r2, [%d1+4096];
	add.u64 %d1, %d1, 512;
	and.b32 %r3, %r2, 0xfff;
	cvt.u64.u32 %d2, %r3;
	add.u64 %d2, %d2, %base;
	shr.u32 %r4, %r2, 12;
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
	ld.global.u32 %r5, [%base+4092];
	bar.sync 0;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 12;
	@%p1 bra LOOP;`)
	entered, suspected := 0, 0
	for seed := range enteredSeeds(60) {
		rng := rand.New(rand.NewSource(seed))
		out := newBuffer(t, 4*words+4*threads*blocks*rounds)
		if out.Base/4%shadow.PageUnits+words > shadow.PageUnits {
			t.Fatal("the buffer ends in another page")
		}
		plan := make([]uint32, threads*blocks*rounds)
		marks := seed%2 == 0 // a second observer wants to know what is accessed
		kind, careless := uint32(1+rng.Intn(2)), rng.Intn(3) == 0
		for i := range plan {
			thread, place := i%(threads*blocks), rng.Intn(3)
			at := uint32(4 * (6*thread + rng.Intn(6))) // the thread's own
			switch do := uint32(rng.Intn(4)); {
			case place == 0 && !careless:
				at, do = uint32(4*(900+rng.Intn(20))), kind // everybody's
				fallthrough
			default:
				if careless && rng.Intn(40) == 0 {
					at = uint32(4 * rng.Intn(words))
				}
				plan[i] = at | do<<12
			}
		}
		var ends [3]*quickStates
		var accessed [3]map[int]map[uint64]bool
		for k, executor := range []string{"always", "always", "off"} {
			if err := warp.UseExecutor(executor); err != nil {
				t.Skip(err)
			}
			clear(out.bytes()[:4*words])
			for i, x := range plan {
				binary.LittleEndian.PutUint32(out.bytes()[4*words+4*i:], x)
			}
			q, m := &quickStates{}, newMarked(t, out)
			n := out.Base / 4 / shadow.PageUnits
			q.pages[n%shadow.Pages] = shadow.Page{Number: n, States: unsafe.Pointer(&q.states)}
			q.live = shadow.Live{Size: 4, Pages: &q.pages, First: 5 << shadow.QuickBlockShift, Shared: k == 1}
			ignores := func(s *trace.Site) bool { return s.Order != trace.OrderWeak && s.Kind == trace.Read }
			o := &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
				list := []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
					return &trace.BlockObserver{Begin: q.begin, Barrier: q.barrier, Global: q.access, Ignores: ignores,
						Plain: &trace.PlainObserver{Takes: func(*trace.Site) bool { return true }, Live: &q.live}}
				}}}
				if marks {
					list = append(list, m.observer())
				}
				return list
			}}
			mustRun(t, launch{src: src, grid: blocks, block: threads, params: []any{out}, observers: []*trace.Observer{o}})
			ends[k], accessed[k] = q, m.all()
		}
		if !reflect.DeepEqual(accessed[0], accessed[2]) || !reflect.DeepEqual(accessed[1], accessed[2]) {
			t.Fatalf("seed %d: not all accesses are marked, or others", seed)
		}
		plain := ends[2]
		for _, code := range ends[:2] {
			if int(code.live.Looked)+code.events != plain.events || code.suspected != plain.suspected {
				t.Fatalf("seed %d: %d entered, %d sent, suspected %v; want %d and %v", seed, code.live.Looked, code.events, code.suspected, plain.events, plain.suspected)
			}
			if !code.suspected && code.states != plain.states {
				for i, s := range code.states {
					if s != plain.states[i] {
						t.Fatalf("seed %d: state %d is %#x, want %#x", seed, i, s, plain.states[i])
					}
				}
			}
			entered += int(code.live.Looked)
			if code.suspected {
				suspected++
			} else if int(code.live.Looked) < plain.events/2 {
				t.Errorf("seed %d: only %d of %d were entered", seed, code.live.Looked, plain.events)
			}
		}
	}
	if n := int(enteredSeeds(60)); suspected < n/10 || suspected > 2*n*9/10 {
		t.Errorf("%d of 400 are suspected", suspected)
	}
	t.Logf("%d entered, %d suspected", entered, suspected)
}

// touchedUnits is a bit for each unit as code sees them, the journal, and a plain way to enter an access.
type touchedUnits struct {
	live    shadow.Live
	pages   [shadow.TouchedPages]shadow.Page
	bits    map[uint64]*[shadow.PageUnits / 64]uint64 // by page
	journal [1 << 16]uint32
	events  int
	twice   bool
}

func (q *touchedUnits) begin(b *trace.Block) { q.live.Who = (b.Index + 5) << shadow.QuickBlockShift }

func (q *touchedUnits) access(a *trace.Access) {
	if a.Site.Order != trace.OrderWeak && a.Site.Kind == trace.Read {
		return
	}
	if q.events++; q.twice {
		return
	}
	first := a.Addr[bits.TrailingZeros32(a.Mask)] / 4
	kind := map[trace.Kind]uint32{trace.Read: shadow.QuickRead, trace.Atomic: shadow.QuickAtomic, trace.Write: shadow.QuickWrite}[a.Site.Kind]
	who := q.live.Who | uint64(32*a.Warp)<<shadow.QuickThreadShift
	record := []uint32{a.Mask, kind | 1<<shadow.TouchedCount, uint32(who), uint32(who >> 32), uint32(first), uint32(first >> 32)}
	for m := a.Mask; m != 0; m &= m - 1 {
		unit := a.Addr[bits.TrailingZeros32(m)] / 4
		record = append(record, uint32(unit-first))
		number := unit / shadow.PageUnits
		if q.bits[number] == nil {
			q.bits[number] = new([shadow.PageUnits / 64]uint64)
		}
		q.pages[number%shadow.TouchedPages] = shadow.Page{Number: number, States: unsafe.Pointer(q.bits[number])}
		w, bit := &q.bits[number][unit%shadow.PageUnits/64], uint64(1)<<(unit%64)
		if *w&bit != 0 {
			q.twice, q.live.Size = true, 0
			return
		}
		*w |= bit
	}
	at := q.written()
	copy(q.journal[at:], record)
	q.live.Journal += uintptr(4 * len(record))
	if q.events%8 > 0 { // as if another page had been looked for
		q.pages[(first/shadow.PageUnits+1)%shadow.TouchedPages] = shadow.Page{}
	}
}

// written is how many words of the journal are.
func (q *touchedUnits) written() int {
	return int(q.live.Journal-uintptr(unsafe.Pointer(&q.journal))) / 4
}

// TestEnteredTouched runs random accesses of random lanes under an observer with a bit for each unit: code
// leaves the bits and the journal as the observer would have, and sends what it does not enter.
func TestEnteredTouched(t *testing.T) {
	if err := warp.UseExecutor("always"); err != nil {
		t.Skip(err)
	}
	defer useOwnExecutor()
	const threads, blocks, rounds, words = 64, 2, 12, 1 << 12 // odd words are in the second page
	const size = 4*shadow.PageUnits + 4*words
	src := simple("", `
	mul.wide.u32 %d1, %r29, 4;
	add.u64 %d1, %d1, %base;
	mov.u32 %r1, 0;
LOOP:
	ld.volatile.global.u32 %r2, [%d1+1064960];
	add.u64 %d1, %d1, 512;
	and.b32 %r3, %r2, 1;
	shl.b32 %r3, %r3, 18;
	and.b32 %r4, %r2, 0xfff;
	add.u32 %r3, %r3, %r4;
	mul.wide.u32 %d2, %r3, 4;
	add.u64 %d2, %d2, %base;
	shr.u32 %r4, %r2, 12;
	setp.eq.u32 %p1, %r4, 1;
	@!%p1 bra NOREAD;
	ld.global.u32 %r5, [%d2];
NOREAD:
	setp.eq.u32 %p1, %r4, 2;
	@!%p1 bra NOUPDATE;
	red.global.add.u32 [%d2], %r4;
NOUPDATE:
	setp.eq.u32 %p1, %r4, 3;
	@!%p1 bra NOWRITE;
	st.global.u32 [%d2], %r4;
NOWRITE:
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 12;
	@%p1 bra LOOP;`)
	entered, twice := 0, 0
	out := newBuffer(t, size+4*threads*blocks*rounds)
	for seed := range enteredSeeds(200) {
		rng := rand.New(rand.NewSource(seed))
		places, kinds := rng.Perm(words), []uint32{0, 1, 1, 2, 3, 3}
		if rng.Intn(2) == 0 { // neighbors
			slices.Sort(places)
			kinds = kinds[rng.Intn(3):]
		}
		plan := make([]uint32, threads*blocks*rounds)
		for i := range plan {
			plan[i] = uint32(places[i]) | kinds[rng.Intn(len(kinds))]<<12
		}
		if rng.Intn(3) == 0 {
			plan[rng.Intn(len(plan))] = plan[rng.Intn(len(plan))]
		}
		var ends [2]*touchedUnits
		for k, executor := range []string{"always", "off"} {
			if err := warp.UseExecutor(executor); err != nil {
				t.Skip(err)
			}
			clear(out.bytes()[:size])
			for i, x := range plan {
				binary.LittleEndian.PutUint32(out.bytes()[size+4*i:], x)
			}
			q := &touchedUnits{bits: map[uint64]*[shadow.PageUnits / 64]uint64{}}
			q.live = shadow.Live{Size: 4, Touched: &q.pages, Journal: uintptr(unsafe.Pointer(&q.journal))}
			q.live.JournalEnd = q.live.Journal + unsafe.Sizeof(q.journal)
			ignores := func(s *trace.Site) bool { return s.Order != trace.OrderWeak && s.Kind == trace.Read }
			o := &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
				return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
					return &trace.BlockObserver{Begin: q.begin, Global: q.access, Ignores: ignores,
						Plain: &trace.PlainObserver{Takes: func(*trace.Site) bool { return true }, Live: &q.live}}
				}}}
			}}
			mustRun(t, launch{src: src, grid: blocks, block: threads, params: []any{out}, observers: []*trace.Observer{o}})
			ends[k] = q
		}
		code, plain := ends[0], ends[1]
		if int(code.live.Looked)+code.events != plain.events || code.twice != plain.twice {
			t.Fatalf("seed %d: %d entered, %d sent, twice %v; want %d and %v", seed, code.live.Looked, code.events, code.twice, plain.events, plain.twice)
		}
		if n := plain.written(); code.written() != n || !slices.Equal(code.journal[:n], plain.journal[:n]) {
			t.Fatalf("seed %d: %d words of the journal, want %d, or others", seed, code.written(), n)
		}
		for n, p := range plain.bits {
			if *code.bits[n] != *p {
				t.Fatalf("seed %d: other bits in page %d", seed, n)
			}
		}
		entered += int(code.live.Looked)
		if code.twice {
			twice++
		} else if int(code.live.Looked) < plain.events/2 {
			t.Errorf("seed %d: only %d of %d were entered", seed, code.live.Looked, plain.events)
		}
	}
	if n := int(enteredSeeds(200)); twice < n/10 || twice > n*9/10 {
		t.Errorf("in %d of %d a unit was met twice", twice, n)
	}
	t.Logf("%d entered, %d met twice", entered, twice)
}
