package matrix

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// multiplyScaled computes A times B for each block of a scale, and adds it with the scales of its
// rows and columns (PTX ISA, "Block Scaling").
func (s *mma) multiplyScaled(u *Unit, x *matrices[float32], a []float32) {
	n := s.K / s.Scales
	for k := range s.Scales {
		var left [16 * 64]float32
		for i := range s.M {
			copy(left[i*n:(i+1)*n], a[i*s.K+k*n:])
		}
		sums := x.sums[:s.M*s.N]
		clear(sums)
		Multiply(left[:], x.b[8*k*n:], sums, s.M, s.N, n)
		for i := range s.M {
			row := s.scale(u, &s.ScaleA, i, k)
			for j := range s.N {
				x.c[i*s.N+j] += float32(float64(sums[i*s.N+j]) * row * s.scale(u, &s.ScaleB, j, k))
			}
		}
	}
}

// scale is scale number k of a row of A or a column of B. Of each four lanes a pair has those of
// rows i and i+8, one has those of a column.
func (s *mma) scale(u *Unit, from *program.MMAScale, i, k int) float64 {
	thread := int(u.regs.LaneValue(from.Thread, alu.W32, 0))
	lane := i*4 + thread
	if from == &s.ScaleA {
		lane = i%8*4 + 2*thread + i/8
	}
	at := int(u.regs.LaneValue(from.Byte, alu.W32, 0)) + k
	v := u.regs.LaneValue(from.Data, alu.W32, lane&31) >> (8 * (at & 3)) & 0xff
	return ScaleValue(uint32(v), s.E8M0)
}

// ScaleValue is a scale of type ue8m0 or ue4m3.
func ScaleValue(v uint32, e8m0 bool) float64 {
	switch {
	case !e8m0:
		return float64(Eights(program.ElemE4M3)[v&0x7f])
	case v == 0xff:
		return math.NaN()
	}
	return math.Ldexp(1, int(v)-127)
}
