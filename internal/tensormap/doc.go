// Package tensormap knows tensor maps: the opaque objects of 128 bytes that describe a tensor
// in global memory to the bulk tensor copies (PTX ISA, "Tensors"; CUDA driver API, "Tensor Map
// Object Management").
//
// NVIDIA does not publish their layout. This is ours, little-endian; cuTensorMapEncode... in
// internal/shim/runtime/tensormap.cpp writes it, tensormap.replace changes it:
//
//	 0  u32     Magic
//	 4  u8      rank
//	 5  u8      mode: 0 tile, 1 im2col, 2 im2col::w, 3 im2col::w::128
//	 6  u8      element type, as tensormap.replace.elemtype counts
//	 7  u8      interleave: 0 none, 1 16 bytes, 2 32 bytes
//	 8  u8      swizzle: 0 none, 1 32 bytes, 2 64, 3 128, 4 96
//	 9  u8      what swizzling moves: 0 16 bytes, 1 32, 2 32 with halves of 16 exchanged, 3 64
//	10  u8      fill: 0 zeros, 1 NaN
//	11  u8      promotion in the L2 cache, which has no effect here
//	16  u64     address
//	24  4 u64   strides of dimensions 1 to 4 in bytes
//	56  5 u32   sizes of dimensions 0 to 4 in elements, less 1
//	76  5 u16   box of dimensions 0 to 4 in elements
//	86  5 u8    traversal strides
//	92  3 i16   lower corner, of W, H and D
//	98  3 i16   upper corner
//	104 u16     channels per pixel
//	106 u16     pixels per column
package tensormap
