// Curandgen writes the tables with which curand_kernel.h skips ahead: powers of
// MRG32k3a's matrices, and for XORWOW z^(2^i) modulo the generator's
// characteristic polynomial.
//
// XORWOW's five words (Marsaglia, "Xorshift RNGs", 2003, section 3.1; without
// the counter) are a linear map A of 160 bits over GF(2). With c(z) = z^n
// modulo the characteristic polynomial of A, A^n x is the sum of those A^j x
// for which c has the term z^j: 160 ordinary steps for any n.
package main

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
)

const (
	bits = 160
	// The last entry is for 2^130: bit 63 of a subsequence number, a
	// subsequence being 2^67 numbers.
	entries = 131
)

func main() {
	dir := os.Args[1]
	for name, text := range map[string]string{
		"curand_xorwow_powers.h": render(powers(characteristic())),
		"curand_mrg_powers.h":    renderMRG(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// step is one step of the linear part.
func step(v *[5]uint32) {
	t := v[0] ^ v[0]>>2
	v[0], v[1], v[2], v[3] = v[1], v[2], v[3], v[4]
	v[4] = v[4] ^ v[4]<<4 ^ t ^ t<<1
}

// characteristic finds the polynomial from one bit of 2*160 outputs by the
// Berlekamp-Massey algorithm; bit j is the coefficient of z^j.
func characteristic() *big.Int {
	v := [5]uint32{1, 2, 3, 4, 5}
	s := make([]uint, 2*bits)
	for i := range s {
		step(&v)
		s[i] = uint(v[4] & 1)
	}
	c, b := big.NewInt(1), big.NewInt(1) // connection polynomials
	length, gap := 0, uint(1)
	for n := range s {
		var d uint
		for i := 0; i <= length; i++ {
			d ^= c.Bit(i) & s[n-i]
		}
		if d == 0 {
			gap++
			continue
		}
		old := new(big.Int).Set(c)
		c.Xor(c, new(big.Int).Lsh(b, gap))
		if 2*length <= n {
			length, b, gap = n+1-length, old, 1
		} else {
			gap++
		}
	}
	if length != bits {
		panic("the sequence's linear complexity is not 160")
	}
	p := new(big.Int)
	for i := 0; i <= bits; i++ {
		p.SetBit(p, bits-i, c.Bit(i))
	}
	return p
}

// powers gives z^(2^i) modulo p.
func powers(p *big.Int) []*big.Int {
	r := []*big.Int{big.NewInt(2)}
	for len(r) < entries {
		r = append(r, square(r[len(r)-1], p))
	}
	return r
}

func square(a, p *big.Int) *big.Int {
	r := new(big.Int)
	for i := 0; i < bits; i++ {
		r.SetBit(r, 2*i, a.Bit(i))
	}
	for i := 2 * bits; i >= bits; i-- {
		if r.Bit(i) == 1 {
			r.Xor(r, new(big.Int).Lsh(p, uint(i-bits)))
		}
	}
	return r
}

func render(table []*big.Int) string {
	var b strings.Builder
	b.WriteString("/* Made by internal/shim/curandgen; do not edit.\n" +
		" * Entry i: z^(2^i) modulo the characteristic polynomial of XORWOW's 160\n" +
		" * bits, the coefficient of z^0 in the lowest bit of the first word. */\n")
	fmt.Fprintf(&b, "static __device__ const unsigned int __wg_xorwow_powers[%d][5] = {\n", entries)
	word := big.NewInt(0xffffffff)
	for _, e := range table {
		b.WriteString("  {")
		for k := uint(0); k < bits; k += 32 {
			w := new(big.Int).And(new(big.Int).Rsh(e, k), word)
			fmt.Fprintf(&b, "0x%08x", w)
			if k+32 < bits {
				b.WriteString(", ")
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("};\n")
	return b.String()
}
