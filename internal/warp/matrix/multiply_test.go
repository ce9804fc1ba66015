package matrix

import (
	"math"
	"math/rand"
	"testing"
)

// TestMultiply compares the assembly with the plain loop, bit by bit.
func TestMultiply(t *testing.T) {
	if !useAVX2 {
		t.Skip("no AVX2")
	}
	r := rand.New(rand.NewSource(1))
	for range 200 {
		m, k, n := 4*(1+r.Intn(4)), 1+r.Intn(64), 8*(1+r.Intn(32))
		compareProducts(t, m, k, n, func() float32 { return float32(r.NormFloat64() * math.Pow(2, float64(r.Intn(60)-30))) })
		compareProducts(t, m, k, n, func() int32 { return int32(r.Uint32()) })
	}
}

func compareProducts[T float32 | int32](t *testing.T, m, k, n int, value func() T) {
	t.Helper()
	random := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = value()
		}
		return v
	}
	a, b, c := random(m*k), random(k*n), random(m*n)
	plain := append([]T(nil), c...)
	Multiply(a, b, c, m, n, k)
	for j := 0; j < n; j += 8 {
		eightColumns(a, b[j*k:], plain[j:], m, n, k)
	}
	for i := range c {
		if c[i] != plain[i] {
			t.Fatalf("%d by %d by %d: element %d is %v, want %v", m, n, k, i, c[i], plain[i])
		}
	}
}
