#include "textflag.h"

// Registers of fragments of the form that program.NewFrag describes, as rows of 32-bit elements or
// back. A register has, of each of eight rows (columns of B), 16 bytes that follow each other. The
// orders of elements are made in fragment_amd64.go.

// ROWS begins a function that does eight rows, NEXTROW ends its loop and the function.
#define ROWS \
	MOVQ dst+0(FP), DI \
	MOVQ src+8(FP), SI \
	MOVQ step+16(FP), DX \
	MOVQ $8, CX

#define NEXTROW \
	ADDQ $16, SI \
	ADDQ DX, DI \
	DECQ CX \
	JNZ  next \
	VZEROUPPER \
	RET

// COLUMNS loads the 128 bytes of a register of B.
#define COLUMNS \
	MOVQ      dst+0(FP), DI \
	MOVQ      src+8(FP), SI \
	VMOVDQU32 (SI), Z0 \
	VMOVDQU32 64(SI), Z1

// UPPER makes K1 the upper halves of 32-bit elements, PAIR the words of pair q of rows of B there, in Z2.
#define UPPER \
	MOVL  $0xaaaaaaaa, AX \
	KMOVD AX, K1

#define PAIR(q) \
	VMOVDQU32  ·columnPairs+64*q(SB), Z2 \
	VPERMI2W.Z Z1, Z0, K1, Z2

// func rowsOfBF16(dst *float32, src *row32, step int)
TEXT ·rowsOfBF16(SB), NOSPLIT, $0-24
	ROWS

next:
	VPMOVZXWD (SI), Y0
	VPSLLD    $16, Y0, Y0
	VMOVDQU   Y0, (DI)
	NEXTROW

// func rowsOfF16(dst *float32, src *row32, step int)
TEXT ·rowsOfF16(SB), NOSPLIT, $0-24
	ROWS

next:
	VCVTPH2PS (SI), Y0
	VMOVUPS   Y0, (DI)
	NEXTROW

// func rowsOfTF32(dst *float32, src *row32, step int)
TEXT ·rowsOfTF32(SB), NOSPLIT, $0-24
	ROWS
	MOVL         $0xffffe000, AX
	VMOVD        AX, X1
	VPBROADCASTD X1, X1

next:
	VPAND   (SI), X1, X0
	VMOVDQU X0, (DI)
	NEXTROW

// func rowsOfS8(dst *int32, src *row32, step int)
TEXT ·rowsOfS8(SB), NOSPLIT, $0-24
	ROWS

next:
	VPMOVSXBD (SI), Z0
	VMOVDQU32 Z0, (DI)
	NEXTROW

// func rowsOfU8(dst *int32, src *row32, step int)
TEXT ·rowsOfU8(SB), NOSPLIT, $0-24
	ROWS

next:
	VPMOVZXBD (SI), Z0
	VMOVDQU32 Z0, (DI)
	NEXTROW

// func columnsOfBF16(dst *float32, src *row32)
TEXT ·columnsOfBF16(SB), NOSPLIT, $0-16
	COLUMNS
	UPPER
	PAIR(0)
	VMOVDQU32 Z2, 0(DI)
	PAIR(1)
	VMOVDQU32 Z2, 64(DI)
	PAIR(2)
	VMOVDQU32 Z2, 128(DI)
	PAIR(3)
	VMOVDQU32 Z2, 192(DI)
	VZEROUPPER
	RET

// FOUR is four rows of B of f16.
#define FOUR(q) \
	VMOVDQU32     ·columnFours+64*q(SB), Z2 \
	VPERMI2W      Z1, Z0, Z2 \
	VEXTRACTI64X4 $1, Z2, Y3 \
	VCVTPH2PS     Y2, Z2 \
	VCVTPH2PS     Y3, Z3 \
	VMOVUPS       Z2, 128*q(DI) \
	VMOVUPS       Z3, 128*q+64(DI)

// func columnsOfF16(dst *float32, src *row32)
TEXT ·columnsOfF16(SB), NOSPLIT, $0-16
	COLUMNS
	FOUR(0)
	FOUR(1)
	VZEROUPPER
	RET

// func columnsOfTF32(dst *float32, src *row32)
TEXT ·columnsOfTF32(SB), NOSPLIT, $0-16
	COLUMNS
	MOVL         $0xffffe000, AX
	VPBROADCASTD AX, Z3
	VPANDD       Z0, Z3, Z0
	VPANDD       Z1, Z3, Z1
	VMOVDQU32    ·columnWords+0(SB), Z2
	VPERMI2D     Z1, Z0, Z2
	VMOVDQU32    Z2, (DI)
	VMOVDQU32    ·columnWords+64(SB), Z2
	VPERMI2D     Z1, Z0, Z2
	VMOVDQU32    Z2, 64(DI)
	VZEROUPPER
	RET

// BYTES is four rows of B of bytes, which a shift to the right extends.
#define BYTES(q, SHIFT) \
	PAIR(q) \
	VPSLLD        $8, Z2, Z3 \
	SHIFT         $24, Z2, Z2 \
	SHIFT         $24, Z3, Z3 \
	VEXTRACTI64X4 $1, Z2, Y4 \
	VEXTRACTI64X4 $1, Z3, Y5 \
	VMOVDQU       Y3, 128*q(DI) \
	VMOVDQU       Y2, 128*q+32(DI) \
	VMOVDQU       Y5, 128*q+64(DI) \
	VMOVDQU       Y4, 128*q+96(DI)

// func columnsOfS8(dst *int32, src *row32)
TEXT ·columnsOfS8(SB), NOSPLIT, $0-16
	COLUMNS
	UPPER
	BYTES(0, VPSRAD)
	BYTES(1, VPSRAD)
	BYTES(2, VPSRAD)
	BYTES(3, VPSRAD)
	VZEROUPPER
	RET

// func columnsOfU8(dst *int32, src *row32)
TEXT ·columnsOfU8(SB), NOSPLIT, $0-16
	COLUMNS
	UPPER
	BYTES(0, VPSRLD)
	BYTES(1, VPSRLD)
	BYTES(2, VPSRLD)
	BYTES(3, VPSRLD)
	VZEROUPPER
	RET

// func rowsOfPairs(dst *uint32, even, odd *row32, step int)
// Two registers have the even and the odd columns of eight rows.
TEXT ·rowsOfPairs(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ even+8(FP), SI
	MOVQ odd+16(FP), BX
	MOVQ step+24(FP), DX
	MOVQ $8, CX

next:
	VMOVUPS   (SI), X0
	VMOVUPS   (BX), X1
	VUNPCKLPS X1, X0, X2
	VUNPCKHPS X1, X0, X3
	VMOVUPS   X2, (DI)
	VMOVUPS   X3, 16(DI)
	ADDQ      $16, SI
	ADDQ      $16, BX
	ADDQ      DX, DI
	DECQ      CX
	JNZ       next
	VZEROUPPER
	RET

// func pairsOfRows(even, odd *row32, src *float32, step int)
// The reverse; NaN becomes canonicalNaN.
TEXT ·pairsOfRows(SB), NOSPLIT, $0-32
	MOVQ         even+0(FP), SI
	MOVQ         odd+8(FP), BX
	MOVQ         src+16(FP), DI
	MOVQ         step+24(FP), DX
	MOVL         $0x7fffffff, AX
	VPBROADCASTD AX, Y5
	MOVQ         $8, CX

next:
	VMOVUPS      (DI), Y0
	VCMPPS       $3, Y0, Y0, K1
	VMOVAPS      Y5, K1, Y0
	VEXTRACTF128 $1, Y0, X1
	VSHUFPS      $0x88, X1, X0, X2
	VSHUFPS      $0xdd, X1, X0, X3
	VMOVUPS      X2, (SI)
	VMOVUPS      X3, (BX)
	ADDQ         $16, SI
	ADDQ         $16, BX
	ADDQ         DX, DI
	DECQ         CX
	JNZ          next
	VZEROUPPER
	RET

// func halvesOfRows(dst *row32, src *float32, step int)
// Eight columns of eight rows become f16, rounded to nearest even; NaN becomes 0x7fff.
TEXT ·halvesOfRows(SB), NOSPLIT, $0-24
	MOVQ         dst+0(FP), SI
	MOVQ         src+8(FP), DI
	MOVQ         step+16(FP), DX
	MOVL         $0x7fff, AX
	VPBROADCASTW AX, X5
	MOVQ         $8, CX

next:
	VMOVUPS   (DI), Y0
	VCMPPS    $3, Y0, Y0, K1
	VCVTPS2PH $0, Y0, X1
	VMOVDQU16 X5, K1, X1
	VMOVDQU   X1, (SI)
	ADDQ      $16, SI
	ADDQ      DX, DI
	DECQ      CX
	JNZ       next
	VZEROUPPER
	RET

// ROWSOFC makes two rows of C, of their even and odd columns.
#define ROWSOFC(p, ROW0, ROW1) \
	VMOVUPD   64*p(DX), Z22 \
	VMOVUPD   64*p(CX), Z23 \
	VMOVAPD   Z30, ROW0 \
	VMOVAPD   Z31, ROW1 \
	VPERMI2PD Z23, Z22, ROW0 \
	VPERMI2PD Z23, Z22, ROW1

// ADD adds the products of column k of A and a row of B.
#define ADD(k, ROW) \
	VBROADCASTSD 8*k+0(SI), Z8 \
	VBROADCASTSD 8*k+32(SI), Z9 \
	VBROADCASTSD 8*k+64(SI), Z10 \
	VBROADCASTSD 8*k+96(SI), Z11 \
	VBROADCASTSD 8*k+128(SI), Z12 \
	VBROADCASTSD 8*k+160(SI), Z13 \
	VBROADCASTSD 8*k+192(SI), Z14 \
	VBROADCASTSD 8*k+224(SI), Z15 \
	VFMADD231PD ROW, Z8, Z0 \
	VFMADD231PD ROW, Z9, Z1 \
	VFMADD231PD ROW, Z10, Z2 \
	VFMADD231PD ROW, Z11, Z3 \
	VFMADD231PD ROW, Z12, Z4 \
	VFMADD231PD ROW, Z13, Z5 \
	VFMADD231PD ROW, Z14, Z6 \
	VFMADD231PD ROW, Z15, Z7

// ROWSOFD stores the even and odd columns of two rows.
#define ROWSOFD(p, ROW0, ROW1) \
	VMOVAPD   Z30, Z8 \
	VMOVAPD   Z31, Z9 \
	VPERMI2PD ROW1, ROW0, Z8 \
	VPERMI2PD ROW1, ROW0, Z9 \
	VMOVUPD   Z8, 64*p(DI) \
	VMOVUPD   Z9, 64*p(R8)

// func multiplyDoubles884(d0, d1, a, b, c0, c1 *row64)
// D = A*B + C of a fragment of mma.m8n8k4 with f64: a chain of fma for each element. D may be C.
TEXT ·multiplyDoubles884(SB), NOSPLIT, $0-48
	MOVQ d0+0(FP), DI
	MOVQ d1+8(FP), R8
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), BX
	MOVQ c0+32(FP), DX
	MOVQ c1+40(FP), CX

	// Z16 to Z19 become the rows of B.
	VMOVUPD    ·columnHalves+0(SB), Z20
	VMOVUPD    ·columnHalves+64(SB), Z21
	VMOVUPD    (BX), Z22
	VMOVUPD    64(BX), Z23
	VMOVUPD    128(BX), Z24
	VMOVUPD    192(BX), Z25
	VMOVAPD    Z20, Z26
	VMOVAPD    Z21, Z27
	VPERMI2PD  Z23, Z22, Z26
	VPERMI2PD  Z23, Z22, Z27
	VPERMI2PD  Z25, Z24, Z20
	VPERMI2PD  Z25, Z24, Z21
	VSHUFF64X2 $0x44, Z20, Z26, Z16
	VSHUFF64X2 $0xee, Z20, Z26, Z17
	VSHUFF64X2 $0x44, Z21, Z27, Z18
	VSHUFF64X2 $0xee, Z21, Z27, Z19

	// Z0 to Z7 are the rows of C.
	VMOVUPD ·pairRow+0(SB), Z30
	VMOVUPD ·pairRow+64(SB), Z31
	ROWSOFC(0, Z0, Z1)
	ROWSOFC(1, Z2, Z3)
	ROWSOFC(2, Z4, Z5)
	ROWSOFC(3, Z6, Z7)

	ADD(0, Z16)
	ADD(1, Z17)
	ADD(2, Z18)
	ADD(3, Z19)

	VMOVUPD ·evensOdds+0(SB), Z30
	VMOVUPD ·evensOdds+64(SB), Z31
	ROWSOFD(0, Z0, Z1)
	ROWSOFD(1, Z2, Z3)
	ROWSOFD(2, Z4, Z5)
	ROWSOFD(3, Z6, Z7)
	VZEROUPPER
	RET
