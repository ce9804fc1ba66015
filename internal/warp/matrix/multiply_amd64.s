#include "textflag.h"

// Four rows of A times eight columns of B at once: Y0 to Y3 are the rows of C, Y4 a row of
// B. DI, SI, DX are A, B, C; R10 and R9 the distances of A's and C's rows in bytes, R8 is k, CX
// the number of rows that are left.

// func multiplyFloats(a, b, c *float32, m, k, n int)
// c (m rows, n apart) += a (m by k) * b (k by 8), each product and each sum rounded.
TEXT ·multiplyFloats(SB), NOSPLIT, $0-48
	MOVQ a+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ c+16(FP), DX
	MOVQ m+24(FP), CX
	MOVQ k+32(FP), R8
	MOVQ n+40(FP), R9
	SHLQ $2, R9
	LEAQ (R8*4), R10

rows:
	LEAQ    (DX)(R9*2), R11
	VMOVUPS (DX), Y0
	VMOVUPS (DX)(R9*1), Y1
	VMOVUPS (R11), Y2
	VMOVUPS (R11)(R9*1), Y3
	MOVQ    SI, BX
	MOVQ    DI, R12
	LEAQ    (DI)(R10*2), R13
	MOVQ    R8, AX

inner:
	VMOVUPS      (BX), Y4
	VBROADCASTSS (R12), Y5
	VBROADCASTSS (R12)(R10*1), Y6
	VBROADCASTSS (R13), Y7
	VBROADCASTSS (R13)(R10*1), Y8
	VMULPS       Y4, Y5, Y5
	VMULPS       Y4, Y6, Y6
	VMULPS       Y4, Y7, Y7
	VMULPS       Y4, Y8, Y8
	VADDPS       Y5, Y0, Y0
	VADDPS       Y6, Y1, Y1
	VADDPS       Y7, Y2, Y2
	VADDPS       Y8, Y3, Y3
	ADDQ         $32, BX
	ADDQ         $4, R12
	ADDQ         $4, R13
	DECQ         AX
	JNZ          inner

	VMOVUPS Y0, (DX)
	VMOVUPS Y1, (DX)(R9*1)
	VMOVUPS Y2, (R11)
	VMOVUPS Y3, (R11)(R9*1)
	LEAQ    (DX)(R9*4), DX
	LEAQ    (DI)(R10*4), DI
	SUBQ    $4, CX
	JNZ     rows
	VZEROUPPER
	RET

// func multiplyInts(a, b, c *int32, m, k, n int)
// The same for integers, which wrap around.
TEXT ·multiplyInts(SB), NOSPLIT, $0-48
	MOVQ a+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ c+16(FP), DX
	MOVQ m+24(FP), CX
	MOVQ k+32(FP), R8
	MOVQ n+40(FP), R9
	SHLQ $2, R9
	LEAQ (R8*4), R10

rows:
	LEAQ    (DX)(R9*2), R11
	VMOVDQU (DX), Y0
	VMOVDQU (DX)(R9*1), Y1
	VMOVDQU (R11), Y2
	VMOVDQU (R11)(R9*1), Y3
	MOVQ    SI, BX
	MOVQ    DI, R12
	LEAQ    (DI)(R10*2), R13
	MOVQ    R8, AX

inner:
	VMOVDQU      (BX), Y4
	VPBROADCASTD (R12), Y5
	VPBROADCASTD (R12)(R10*1), Y6
	VPBROADCASTD (R13), Y7
	VPBROADCASTD (R13)(R10*1), Y8
	VPMULLD      Y4, Y5, Y5
	VPMULLD      Y4, Y6, Y6
	VPMULLD      Y4, Y7, Y7
	VPMULLD      Y4, Y8, Y8
	VPADDD       Y5, Y0, Y0
	VPADDD       Y6, Y1, Y1
	VPADDD       Y7, Y2, Y2
	VPADDD       Y8, Y3, Y3
	ADDQ         $32, BX
	ADDQ         $4, R12
	ADDQ         $4, R13
	DECQ         AX
	JNZ          inner

	VMOVDQU Y0, (DX)
	VMOVDQU Y1, (DX)(R9*1)
	VMOVDQU Y2, (R11)
	VMOVDQU Y3, (R11)(R9*1)
	LEAQ    (DX)(R9*4), DX
	LEAQ    (DI)(R10*4), DI
	SUBQ    $4, CX
	JNZ     rows
	VZEROUPPER
	RET
