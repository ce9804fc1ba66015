#include "textflag.h"

// func callOn(code, ctx, stack unsafe.Pointer) int32
TEXT ·callOn(SB), NOSPLIT, $16-28
	MOVD code+0(FP), R9
	MOVD ctx+8(FP), R0
	MOVD stack+16(FP), R10
	MOVD RSP, R19 // which C keeps
	MOVD R10, RSP
	CALL (R9)
	MOVD R19, RSP
	MOVW R0, ret+24(FP)
	RET
