#include "textflag.h"

// func call(code, ctx unsafe.Pointer) int32
TEXT ·call(SB), NOSPLIT, $16-20
	MOVQ code+0(FP), AX
	MOVQ ctx+8(FP), SI
	CALL AX
	MOVL AX, ret+16(FP)
	RET
