package matrix

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// matrices is scratch for one multiplication.
type matrices[T float32 | float64 | int32] struct {
	a, b, c, sums [1024]T
	// whole is a sparse A with its zeros.
	whole [2048]T
}

func (s *mma) exec(u *Unit, m uint32) bool {
	if !u.together(s.Site, m) {
		return false
	}
	t := u.made()
	switch s.Kind {
	case program.MulF32:
		x := &t.f32
		UnpackFloats(u.regs, &x.a, s.A, s.RegsA)
		UnpackFloats(u.regs, &x.b, s.B, s.RegsB)
		UnpackFloats(u.regs, &x.c, s.C, s.RegsC)
		m := wholeA(u, s, x)
		if s.Scales > 0 {
			s.multiplyScaled(u, x, m)
		} else {
			s.each(func(a, b, c int) { Multiply(m[a:], x.b[b:], x.c[c:], s.M, s.N, s.K) })
		}
		if s.Sat {
			saturate(x.c[:s.Count*s.M*s.N], s.D.Elem)
		}
		packFloats(u.regs, &x.c, s.D, s.RegsD)
	case program.MulF64:
		if s.doubles(u) {
			return true
		}
		x := &t.f64
		unpackDoubles(u.regs, &x.a, s.A, s.RegsA)
		unpackDoubles(u.regs, &x.b, s.B, s.RegsB)
		unpackDoubles(u.regs, &x.c, s.C, s.RegsC)
		s.multiplyF64(x)
		packDoubles(u.regs, &x.c, s.D, s.RegsD)
	default:
		x := &t.ints
		UnpackIntegers(u.regs, &x.a, s.A, s.RegsA)
		UnpackIntegers(u.regs, &x.b, s.B, s.RegsB)
		UnpackIntegers(u.regs, &x.c, s.C, s.RegsC)
		s.multiplyInt(u, x)
		packIntegers(u.regs, &x.c, s.D, s.RegsD)
	}
	return true
}

// wholeA is A with the zeros that a sparse one does not store.
func wholeA[T float32 | int32](u *Unit, s *mma, x *matrices[T]) []T {
	if !s.Sparse {
		return x.a[:]
	}
	clear(x.whole[:])
	Spread(x.a[:], x.whole[:], s.A.Elem, s.K, s.Sel, u.regs.V32(s.Meta))
	return x.whole[:]
}

// Multiply adds a (m by k, by rows) times b (k by n, in groups of eight columns)
// to c. Eight columns are done at once: their sums do not wait for each other.
func Multiply[T float32 | int32](a, b, c []T, m, n, k int) {
	for j := 0; j < n; j += 8 {
		if !useAVX2 || m%4 != 0 {
			eightColumns(a, b[j*k:], c[j:], m, n, k)
			continue
		}
		_, _, _ = a[m*k-1], b[(j+8)*k-1], c[(m-1)*n+j+7]
		switch p := any(&a[0]).(type) {
		case *float32:
			multiplyFloats(p, any(&b[j*k]).(*float32), any(&c[j]).(*float32), m, k, n)
		case *int32:
			multiplyInts(p, any(&b[j*k]).(*int32), any(&c[j]).(*int32), m, k, n)
		}
	}
}

// eightColumns is multiply for a group of columns.
func eightColumns[T float32 | int32](a, b, c []T, m, n, k int) {
	cols := b[:8*k]
	for i := range m {
		d := (*[8]T)(c[i*n:])
		s0, s1, s2, s3, s4, s5, s6, s7 := d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
		for x, v := range a[i*k : i*k+k] {
			w := (*[8]T)(cols[8*x:])
			s0 += T(v * w[0]) // the conversion keeps it from becoming an fma
			s1 += T(v * w[1])
			s2 += T(v * w[2])
			s3 += T(v * w[3])
			s4 += T(v * w[4])
			s5 += T(v * w[5])
			s6 += T(v * w[6])
			s7 += T(v * w[7])
		}
		*d = [8]T{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}

func (s *mma) multiplyF64(x *matrices[float64]) {
	for i := range s.M {
		for j := range s.N {
			sum := x.c[i*s.N+j]
			for k := range s.K {
				sum = s.fma(x.a[i*s.K+k], x.b[8*k+j], sum)
			}
			x.c[i*s.N+j] = sum
		}
	}
}

func (s *mma) fma(a, b, c float64) float64 {
	if s.FMA == nil {
		return math.FMA(a, b, c)
	}
	r, _ := s.FMA(math.Float64bits(a), math.Float64bits(b), math.Float64bits(c), 0)
	return math.Float64frombits(r)
}

// multiplyInt sums up to 64 products of 16 bits, or 8 words of bits, exactly
// before it adds C.
func (s *mma) multiplyInt(u *Unit, x *matrices[int32]) {
	n := s.M * s.N
	sums := x.sums[:n]
	clear(sums)
	if s.Kind == program.MulInt {
		Multiply(wholeA(u, s, x), x.b[:], sums, s.M, s.N, s.K)
	} else {
		s.countBits(x)
	}
	for i, c := range x.c[:n] {
		sum := int64(c) + int64(sums[i])
		if s.Sat {
			sum = min(max(sum, math.MinInt32), math.MaxInt32)
		}
		x.c[i] = int32(sum)
	}
}

// countBits counts the ones of a xor b, or of a and b, for each row and column.
func (s *mma) countBits(x *matrices[int32]) {
	for i := range s.M {
		for j := range s.N {
			n := 0
			for k, v := range x.a[i*s.K : (i+1)*s.K] {
				if w := x.b[8*k+j]; s.Kind == program.MulXor {
					n += vec.Popcount(uint32(v ^ w))
				} else {
					n += vec.Popcount(uint32(v & w))
				}
			}
			x.sums[i*s.N+j] = int32(n)
		}
	}
}

// each calls f with the places of each of Count matrices.
func (s *mma) each(f func(a, b, c int)) {
	for i := range s.Count {
		f(i*s.M*s.K, i*s.N*s.K, i*s.M*s.N)
	}
}
