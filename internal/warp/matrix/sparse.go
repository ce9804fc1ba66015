package matrix

import (
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Spread puts the elements of a sparse A, 16 rows of k/2, where its metadata has them (PTX
// ISA, "Sparse matrix storage"), in 16 rows of k that are zero so far.
func Spread[T float32 | int32](stored, a []T, e program.Elem, k, sel int, meta *vec.Row32) {
	for i := range 16 {
		SparseRow(stored[i*k/2:(i+1)*k/2], a[i*k:(i+1)*k], e, func(chunk int) uint32 {
			lane, shift := metadata(e, k, sel, i, chunk)
			return meta[lane] >> shift & 15
		})
	}
}

// SparseRow spreads a row. A chunk is four elements of which two are stored, each with its
// place in two bits; of four-bit elements four pairs of which two are stored; of tf32 two elements of
// which one is stored.
func SparseRow[T float32 | int32](stored, row []T, e program.Elem, meta func(chunk int) uint32) {
	if e.Bits() == 32 {
		for c, v := range stored {
			row[2*c+int(meta(c)>>1&1)] = v
		}
		return
	}
	n := 1 // elements that stay together
	if e.Bits() == 4 {
		n = 2
	}
	for c := range len(row) / (4 * n) {
		m, from := meta(c), stored[2*n*c:]
		copy(row[(4*c+int(m&3))*n:], from[:n])
		copy(row[(4*c+int(m>>2))*n:], from[n:2*n])
	}
}

// metadata is the lane and the lowest of the four bits for a chunk of a row, of 16 rows in
// which each has four, eight or 16 chunks (PTX ISA, "Matrix fragments for multiply-accumulate
// operation with sparse matrix A", the figures with the metadata). In a group of four lanes, sel
// chooses one of them, or a pair; for 16 chunks all contribute.
func metadata(e program.Elem, k, sel, row, chunk int) (lane, shift int) {
	chunks := k / 4
	switch e.Bits() {
	case 4:
		chunks = k / 8
	case 32:
		chunks = k / 2
	}
	first := row % 8 * 4
	switch {
	case e.Bits() <= 8 && chunks == 16:
		return first + chunk/8*2 + row/8, chunk % 8 * 4
	case e.Bits() <= 8:
		return first + sel*2 + row/8, chunk * 4
	case chunks == 8:
		return first + sel*2 + chunk/4, row/8*16 + chunk%4*4
	}
	return first + sel, row/8*16 + chunk*4
}
