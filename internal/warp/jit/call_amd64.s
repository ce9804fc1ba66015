#include "textflag.h"

// func call(code, ctx unsafe.Pointer) int32
TEXT ·call(SB), NOSPLIT, $16-20
	MOVQ code+0(FP), AX
	MOVQ ctx+8(FP), SI
	CALL AX
	MOVL AX, ret+16(FP)
	RET

// func callOn(code, ctx, stack unsafe.Pointer) int32
TEXT ·callOn(SB), NOSPLIT, $16-28
	MOVQ code+0(FP), AX
	MOVQ ctx+8(FP), DI
	MOVQ stack+16(FP), CX
	MOVQ SP, BX // which C keeps
	MOVQ CX, SP
	CALL AX
	MOVQ BX, SP
	MOVL AX, ret+24(FP)
	RET
