// Package formula has the elementary functions of 32-bit floats as straight-line
// programs over float64, written once for everything that executes them.
//
//	builder ──► Formula ──► Eval       one value, in Go: the definition
//	                  └───► alu/body   a program of primitives, which asmgen and warp/native render
//
// Each node is one operation of IEEE 754 in binary64, rounded once, or one on 64-bit
// patterns. All executors do the nodes in their order and therefore give the same bits, on
// every processor. The arguments are floats, which are exact in binary64; the result is
// rounded to a float by the caller. With errors of about 2^-45 the result is the correctly
// rounded one but in some of a million cases, within the bounds of the CUDA C++ Programming
// Guide, "Mathematical Functions".
//
// Trigonometric functions reduce their argument by two parts of pi/2, which holds up to
// Limit. Beyond it the caller computes by other means.
package formula
