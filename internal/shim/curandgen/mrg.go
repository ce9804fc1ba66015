package main

import (
	"fmt"
	"strings"
)

// matrix is one of MRG32k3a's two recurrences as a map of its three words.
type matrix [9]uint64

func (a matrix) squared(m uint64) matrix {
	var r matrix
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				r[3*i+j] = (r[3*i+j] + a[3*i+k]*a[3*k+j]%m) % m
			}
		}
	}
	return r
}

// renderMRG writes both recurrences (L'Ecuyer 1999, table II) to the powers
// 1, 2^76 and 2^127.
func renderMRG() string {
	moduli := [2]uint64{4294967087, 4294944443}
	steps := [2]matrix{
		{0, 1, 0, 0, 0, 1, moduli[0] - 810728, 1403580, 0},
		{0, 1, 0, 0, 0, 1, moduli[1] - 1370589, 0, 527612},
	}
	var b strings.Builder
	b.WriteString("/* Made by internal/shim/curandgen; do not edit. */\n" +
		"static __device__ const unsigned int __wg_mrg_powers[3][2][9] = {\n")
	for _, log := range []int{0, 76, 127} {
		b.WriteString("  {")
		for k, a := range steps {
			for range log {
				a = a.squared(moduli[k])
			}
			b.WriteString("{" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(a)), "u, "), "[]") + "u}")
			if k == 0 {
				b.WriteString(",\n   ")
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("};\n")
	return b.String()
}
