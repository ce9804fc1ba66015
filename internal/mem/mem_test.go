package mem

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

func newArena(t *testing.T, size uint64) *Arena {
	t.Helper()
	a, err := New(size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func mustAlloc(t *testing.T, a *Arena, size uint64, kind Kind) *Allocation {
	t.Helper()
	al, err := a.Alloc(size, 0, kind, "")
	if err != nil {
		t.Fatalf("Alloc(%d): %v", size, err)
	}
	return al
}

func TestDefaultSizeAndPlace(t *testing.T) {
	a := newArena(t, 0)
	if a.Size() < minSize {
		t.Errorf("size %d", a.Size())
	}
	d, p := mustAlloc(t, a, 100, Device), mustAlloc(t, a, 100, Managed)
	if d.Base < ArenaBase || d.Base >= a.HostBase() || p.Base < a.HostBase() {
		t.Errorf("device at %x, managed at %x, halves meet at %x", d.Base, p.Base, a.HostBase())
	}
	if a.Find(SharedWindow) != nil || a.Find(0) != nil || a.Contains(SharedWindow, 1) {
		t.Error("something lies at a window or at null")
	}
	if _, err := New(0); err == nil {
		t.Error("a second arena at the same address")
	}
}

// TestSizeIsSealed holds that a program cannot take the arena's pages from under the engine.
func TestSizeIsSealed(t *testing.T) {
	a := newArena(t, 0)
	for _, size := range []int64{0, pageSize, int64(a.Size()) + pageSize} {
		if err := unix.Ftruncate(int(a.File().Fd()), size); err == nil {
			t.Fatalf("the memory file of %d bytes has %d now", a.Size(), size)
		}
	}
	if _, err := unix.FcntlInt(a.File().Fd(), unix.F_ADD_SEALS, unix.F_SEAL_FUTURE_WRITE); err == nil {
		t.Error("a program can end writes to the memory file")
	}
}

func TestAlignmentAndRedZones(t *testing.T) {
	a := newArena(t, 1<<30)
	var prev *Allocation
	for _, size := range []uint64{0, 1, 255, 256, 4095, 4096, 1 << 20, 3} {
		for _, align := range []uint64{0, 256, 1 << 16} {
			al, err := a.Alloc(size, align, Device, "")
			if err != nil {
				t.Fatal(err)
			}
			if al.Base%max(align, MinAlign) != 0 {
				t.Errorf("size %d align %d: at %x", size, align, al.Base)
			}
			if a.Find(al.Base) != al || (size > 0 && a.Find(al.End()-1) != al) {
				t.Errorf("size %d: not found", size)
			}
			for _, addr := range []uint64{al.Base - 1, al.Base - RedZone, al.End() + 1, al.End() + RedZone - 1} {
				if got := a.Find(addr); got != nil && got != prev {
					t.Errorf("size %d: %x lies in %+v", size, addr, got)
				}
			}
			prev = al
		}
	}
}

func TestFreeErrors(t *testing.T) {
	a := newArena(t, 1<<30)
	al := mustAlloc(t, a, 1000, Device)
	var fe *FreeError
	if _, err := a.Free(al.Base + 8); !errors.As(err, &fe) || fe.Double || fe.Alloc != al {
		t.Errorf("inside: %v", err)
	}
	if _, err := a.Free(0x1234); !errors.As(err, &fe) || fe.Alloc != nil {
		t.Errorf("elsewhere: %v", err)
	}
	if got, err := a.Free(al.Base); err != nil || got != al {
		t.Errorf("free: %v", err)
	}
	if _, err := a.Free(al.Base); !errors.As(err, &fe) || !fe.Double || fe.Alloc != al {
		t.Errorf("again: %v", err)
	}
	if got, freed := a.Nearest(al.Base + 10); got != al || !freed {
		t.Errorf("nearest of freed: %v %v", got, freed)
	}
	if mustAlloc(t, a, 1000, Device).Base == al.Base {
		t.Error("freed range used again at once")
	}
}

func TestNearest(t *testing.T) {
	a := newArena(t, 1<<30)
	if al, _ := a.Nearest(ArenaBase); al != nil {
		t.Error("nearest in an empty arena")
	}
	x, y := mustAlloc(t, a, 100, Device), mustAlloc(t, a, 100, Device)
	for _, c := range []struct {
		addr uint64
		want *Allocation
	}{{0, x}, {x.Base, x}, {x.End() + 3, x}, {y.Base - 1, y}, {y.End() + 1<<30, y}} {
		if got, freed := a.Nearest(c.addr); got != c.want || freed {
			t.Errorf("Nearest(%x) = %v", c.addr, got)
		}
	}
}

func TestLimit(t *testing.T) {
	a := newArena(t, 1<<30)
	a.SetLimit(1 << 20)
	x := mustAlloc(t, a, 600<<10, Device)
	if _, err := a.Alloc(600<<10, 0, Device, ""); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("over the limit: %v", err)
	}
	mustAlloc(t, a, 2<<20, Pinned)
	if used, limit := a.Usage(); used != 600<<10 || limit != 1<<20 {
		t.Errorf("usage %d of %d", used, limit)
	}
	a.Free(x.Base)
	mustAlloc(t, a, 1<<20, Device)
	if _, err := a.Alloc(^uint64(0), 0, Managed, ""); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("absurd size: %v", err)
	}
}

func TestMemoryIsGivenBackAndZero(t *testing.T) {
	a := newArena(t, 1<<30)
	for range 50 { // 3.2 GB in all through a gigabyte of addresses
		al := mustAlloc(t, a, 64<<20, Device)
		b := a.Bytes(al.Base, al.Size)
		if b[0] != 0 || b[len(b)-1] != 0 || b[12345] != 0 {
			t.Fatal("not zero")
		}
		for i := 0; i < len(b); i += pageSize {
			b[i] = 1
		}
		b[len(b)-1] = 1
		if _, err := a.Free(al.Base); err != nil {
			t.Fatal(err)
		}
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(a.File().Fd()), &st); err != nil {
		t.Fatal(err)
	}
	if st.Blocks*512 > 1<<20 {
		t.Errorf("%d bytes still held", st.Blocks*512)
	}
}

// TestAgainstModel frees and allocates at random and compares with a map.
func TestAgainstModel(t *testing.T) {
	a := newArena(t, 64<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	var live []*Allocation
	for i := range 50000 {
		if len(live) > 0 && rng.IntN(100) < 49 {
			k := rng.IntN(len(live))
			if _, err := a.Free(live[k].Base); err != nil {
				t.Fatal(i, err)
			}
			live[k] = live[len(live)-1]
			live = live[:len(live)-1]
			continue
		}
		al, err := a.Alloc(uint64(rng.IntN(3000)), 0, Device, "")
		if err != nil {
			t.Fatal(i, err)
		}
		live = append(live, al)
	}
	all := a.Live()
	if len(all) != len(live) {
		t.Fatalf("%d live, want %d", len(all), len(live))
	}
	for i, al := range all {
		if i > 0 && all[i-1].End()+RedZone > al.Base {
			t.Fatalf("%+v and %+v too close", all[i-1], al)
		}
		if a.Find(al.Base+al.Size/2) != al {
			t.Fatalf("%+v not found", al)
		}
	}
	for _, al := range live {
		a.Free(al.Base)
	}
	if used, _ := a.Usage(); used != 0 || len(a.Live()) != 0 {
		t.Errorf("%d bytes used at the end", used)
	}
}

func TestFindWhileAllocating(t *testing.T) {
	a := newArena(t, 1<<30)
	fixed := mustAlloc(t, a, 100, Device)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 500 {
				al, err := a.Alloc(64, 0, Heap, "")
				if err != nil || a.Find(al.Base+63) != al || a.Find(fixed.Base) != fixed {
					t.Error("lost an allocation", err)
					return
				}
				if _, err := a.Free(al.Base); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkFind(b *testing.B) {
	a, err := New(1 << 30)
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	var as []*Allocation
	for range 10000 {
		al, _ := a.Alloc(64, 0, Device, "")
		as = append(as, al)
	}
	for i := 0; b.Loop(); i++ {
		a.Find(as[i%len(as)].Base + 5)
	}
}

func BenchmarkAllocFree(b *testing.B) {
	a, err := New(1 << 32)
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	for b.Loop() {
		al, err := a.Alloc(4<<10, 0, Device, "")
		if err != nil {
			b.Fatal(err)
		}
		a.Free(al.Base)
	}
}

func TestReserve(t *testing.T) {
	a := newArena(t, 1<<30)
	a.TrackWrites()
	a.SetLimit(8 << 20)
	base, err := a.Reserve(a.Size()/4, 2<<20) // far more than the limit
	if err != nil {
		t.Fatal(err)
	}
	if a.Find(base) != nil {
		t.Error("reserved addresses hold memory")
	}
	first, before, err := a.Map(base, Spec{Size: 2 << 20})
	if err != nil || len(before) != 0 || first.Base != base {
		t.Fatalf("Map: %v, %v, %v", first, before, err)
	}
	first.Written.Mark(0, 2<<20)
	both, before, err := a.Map(base+2<<20, Spec{Size: 2 << 20})
	if err != nil || len(before) != 1 || before[0] != first || both.Base != base || both.Size != 4<<20 {
		t.Fatalf("Map beside: %v, %v, %v", both, before, err)
	}
	if !both.Written.Has(0, 2<<20) || both.Written.Has(2<<20, 1) {
		t.Error("what was written is not known any more")
	}
	if _, err := a.Free(base); err == nil {
		t.Error("mapped memory can be freed")
	}
	was, left := a.Unmap(base, 2<<20)
	if was != both || len(left) != 1 || left[0].Base != base+2<<20 || a.Find(base) != nil {
		t.Errorf("Unmap: %v, %v", was, left)
	}
	if _, freed := a.Nearest(base); !freed {
		t.Error("unmapped memory does not count as freed")
	}
	if used, _ := a.Usage(); used != 2<<20 {
		t.Errorf("%d bytes in use", used)
	}
	a.Unmap(base+2<<20, 2<<20)
	a.Unreserve(base)
	if again, err := a.Reserve(a.Size()/4, 2<<20); err != nil || again != base {
		t.Errorf("Reserve again: 0x%x, %v", again, err)
	}
}

// TestClaim holds the place between arenas, so that all lie at the same one.
func TestClaim(t *testing.T) {
	if !Claim() {
		t.Skip("the place is taken")
	}
	for range 3 {
		a := newArena(t, 1<<30)
		if b, err := New(1 << 30); err == nil {
			t.Errorf("a second arena of %d bytes", b.Size())
		}
		clear(a.Bytes(a.HostBase(), 4096))
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if !claimed.held {
			t.Error("the place is not held after an arena")
		}
	}
}

// TestManyAllocations: what an allocation costs does not grow with their number.
func TestManyAllocations(t *testing.T) {
	a := newArena(t, 8<<30)
	a.TrackWrites()
	cost := func(n int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			mustAlloc(t, a, 4, Device)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / uint64(n)
	}
	few := cost(10_000)
	cost(100_000)
	if many := cost(10_000); many > 2*few {
		t.Errorf("an allocation takes %d bytes beside 10,000 others, %d beside 120,000", few, many)
	}
	if n := len(a.changed.list); n != 0 {
		t.Errorf("%d allocations are to be settled, and none was written", n)
	}
}
