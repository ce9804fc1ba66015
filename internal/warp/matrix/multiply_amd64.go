package matrix

import "github.com/warpgrind/warpgrind/internal/warp/alu"

// useAVX2 tells that the assembly of multiply_amd64.s can run.
var useAVX2 = alu.ISA() == "avx512" || alu.ISA() == "avx2"

//go:noescape
func multiplyFloats(a, b, c *float32, m, k, n int)

//go:noescape
func multiplyInts(a, b, c *int32, m, k, n int)
