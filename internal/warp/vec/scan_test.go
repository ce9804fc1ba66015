package vec

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestScanAssembly compares the assembly with the plain code.
func TestScanAssembly(t *testing.T) {
	if !UseAVX512 {
		t.Skip("this processor has no AVX-512")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 20000 {
		var src, dst, want Row64
		base, step := r.Uint64(), r.Uint64N(64)
		if n%3 == 0 {
			step = -r.Uint64N(9)
		}
		off := r.Uint64N(1 << 20)
		for i := range src {
			src[i] = base + uint64(i)*step
			if n%5 == 0 && r.IntN(40) == 0 || n%7 == 0 {
				src[i] = r.Uint64()
			}
			want[i] = src[i] + off
		}
		var got, wantSpan Span
		scan64(&dst, &src, off, &got)
		wantSpan.Measure(&want, ^uint32(0))
		if dst != want || got != wantSpan {
			t.Fatalf("scan64 %d: %+v, want %+v", n, got, wantSpan)
		}
		var src32 Row32
		for i := range src32 {
			src32[i] = uint32(src[i])
			want[i] = uint64(src32[i] + uint32(off))
		}
		scan32(&dst, &src32, uint32(off), &got)
		wantSpan.Measure(&want, ^uint32(0))
		if dst != want || got != wantSpan {
			t.Fatalf("scan32 %d: %+v, want %+v", n, got, wantSpan)
		}
	}
}

func TestGatherAssembly(t *testing.T) {
	if !UseAVX512 {
		t.Skip("this processor has no AVX-512")
	}
	data := make([]uint32, 4096)
	for i := range data {
		data[i] = rand.Uint32()
	}
	for range 1000 {
		var addr Row64
		var got, want Row32
		for i := range addr {
			addr[i] = 4 * rand.Uint64N(4096)
			want[i] = data[addr[i]/4]
		}
		if gather32(&got, unsafe.Pointer(&data[0]), &addr); got != want {
			t.Fatalf("gather32: %v, want %v", got, want)
		}
	}
}

func BenchmarkScan64(b *testing.B) {
	if !UseAVX512 {
		b.Skip("this processor has no AVX-512")
	}
	var src, dst Row64
	var s Span
	for b.Loop() {
		scan64(&dst, &src, 64, &s)
	}
}
