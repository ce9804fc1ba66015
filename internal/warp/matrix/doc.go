// Package matrix executes the instructions on matrices that a warp holds in its registers: mma
// in all types, sparse and scaled, wmma's loads and stores, ldmatrix, stmatrix and movmatrix (PTX
// ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
//
// A Unit does one instruction of one warp at a time. It unpacks fragments into flat arrays
// (pack.go, with vectors in tiles.go), multiplies there (multiply.go), and packs the result. An
// array holds 1,024 elements, the most that a fragment has. Sums are formed in the order of K, each product rounded where the type
// of the sum rounds it: results are the same on all processors, with and without assembly.
//
// Loads and stores go piece by piece through the warp's memory, so that observers see the same
// events as for other accesses (memory.go). Where the rows are aligned and lie together, the places of
// the pieces are kept by pitch (fragment.go). What the unit needs of a warp is the interface Warp in
// unit.go. Package tensor multiplies matrices of warpgroups and of tensor memory with the
// functions that are exported here.
package matrix
