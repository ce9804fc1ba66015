package mem

import (
	"math/rand/v2"
	"testing"
)

// TestWrittenAgainstModel compares marks and questions with a slice of bools.
func TestWrittenAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		size := r.Uint64N(400) + 1
		w, src := newWritten(size, &changes{}), newWritten(size, &changes{})
		model, from := make([]bool, size), make([]bool, size)
		for range 40 {
			off := r.Uint64N(size)
			n := r.Uint64N(min(size-off, 150)) + 1
			switch n = min(n, size-off); r.IntN(4) {
			case 0:
				src.Mark(off, n)
				fill(from, off, n)
			case 1:
				w.Copy(off, src, 0, min(n, size-off))
				for i := range n {
					model[off+i] = model[off+i] || from[i]
				}
			default:
				w.Mark(off, n/3)
				fill(model, off, n/3)
			}
			compareWritten(t, w, model, off, n)
		}
	}
}

func fill(b []bool, off, n uint64) {
	for i := range n {
		b[off+i] = true
	}
}

func compareWritten(t *testing.T, w *Written, model []bool, off, n uint64) {
	t.Helper()
	var start, length, total, missing uint64
	for i := range n {
		if model[off+i] {
			continue
		}
		if total == 0 {
			start = off + i
		}
		if start+length == off+i {
			length++
		}
		total++
		if i < 64 {
			missing |= 1 << i
		}
	}
	if got := w.Has(off, n); got != (total == 0) {
		t.Fatalf("Has(%d, %d) = %v, %d missing", off, n, got, total)
	}
	if s, l, sum := w.Gap(off, n); s != start || l != length || sum != total {
		t.Fatalf("Gap(%d, %d) = %d, %d, %d, want %d, %d, %d", off, n, s, l, sum, start, length, total)
	}
	if got := w.Missing(off, int(min(n, 64))); got != missing {
		t.Fatalf("Missing(%d, %d) = %x, want %x", off, n, got, missing)
	}
}

func TestSettle(t *testing.T) {
	a := newArena(t, 1<<30)
	a.TrackWrites()
	al := mustAlloc(t, a, 100, Device)
	w := al.Written
	if w.Has(0, 1) || w.Full() || mustAlloc(t, a, 100, Managed).Written != nil {
		t.Fatal("a new allocation is written, or managed memory is watched")
	}
	w.MarkLater(0, 60)
	if w.Has(0, 1) {
		t.Error("counts before Settle")
	}
	a.Settle()
	if !w.Has(0, 60) || w.Has(0, 61) || w.Full() {
		t.Error("wrong after Settle")
	}
	w.Mark(60, 40)
	if a.Settle(); !w.Full() || len(a.changed.list) != 0 {
		t.Error("not full")
	}
	b := mustAlloc(t, a, 100, Device)
	if b.Written.Mark(0, 100); !b.Written.Full() {
		t.Error("not full after one mark")
	}
	a.Free(al.Base)
	if a.Settle(); len(a.changed.list) != 0 {
		t.Error("what was settled is kept")
	}
}

func BenchmarkMark(b *testing.B) {
	w := newWritten(1<<20, &changes{})
	for i := 0; b.Loop(); i++ {
		w.Mark(uint64(i%8191)*128, 128)
	}
}

func BenchmarkHas(b *testing.B) {
	w := newWritten(1<<20, &changes{})
	w.Mark(0, 1<<20-1)
	for i := 0; b.Loop(); i++ {
		w.Has(uint64(i%8191)*128, 128)
	}
}
