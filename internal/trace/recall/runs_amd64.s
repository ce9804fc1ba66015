#include "go_asm.h"
#include "textflag.h"

DATA ·counting<>+0(SB)/8, $0x0000000100000000
DATA ·counting<>+8(SB)/8, $0x0000000300000002
DATA ·counting<>+16(SB)/8, $0x0000000500000004
DATA ·counting<>+24(SB)/8, $0x0000000700000006
DATA ·counting<>+32(SB)/8, $0x0000000900000008
DATA ·counting<>+40(SB)/8, $0x0000000b0000000a
DATA ·counting<>+48(SB)/8, $0x0000000d0000000c
DATA ·counting<>+56(SB)/8, $0x0000000f0000000e
GLOBL ·counting<>(SB), RODATA|NOPTR, $64

// func readRuns512(states unsafe.Pointer, runs *run, n int, tag, thread uint32) bool
// Z16 is the tag, Z17 a new state without thread, Z18 the bits of a thread, Z19 the bit of written units, Z20 counts,
// R8 the first thread. In a run K1 are its units, Z0 their states, Z1 the threads.
TEXT ·readRuns512(SB), NOSPLIT, $0-33
	MOVQ         states+0(FP), DI
	MOVQ         runs+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVL         tag+24(FP), AX
	MOVL         thread+28(FP), R8
	VPBROADCASTD AX, Z16
	ORL          $const_readAnew, AX
	VPBROADCASTD AX, Z17
	MOVL         $const_threadBits, AX
	VPBROADCASTD AX, Z18
	MOVL         $const_writtenBit, AX
	VPBROADCASTD AX, Z19
	VMOVDQU32    ·counting<>(SB), Z20

next:
	MOVLQSX      (SI), BX
	MOVWLZX      4(SI), DX
	KMOVW        DX, K1
	MOVBLZX      6(SI), R9
	ADDL         R8, R9
	VPBROADCASTD R9, Z2
	MOVBLZX      7(SI), R10
	VMOVD        R10, X3
	VPSRLD       X3, Z20, Z1
	VPADDD       Z2, Z1, Z1
	LEAQ         (DI)(BX*4), R11
	VMOVDQU32.Z  (R11), K1, Z0

	// K2: written, and of an older interval; K3: read in this one
	VPTESTMD   Z19, Z0, K1, K4
	VPCMPUD    $1, Z16, Z0, K4, K2
	VPANDND    Z0, Z18, Z4
	VPCMPEQD   Z17, Z4, K1, K3
	KORW       K2, K3, K4
	KXORW      K1, K4, K4
	KORTESTW   K4, K4
	JNZ        other

	// K5: read in this interval by another thread
	VPANDD    Z18, Z0, Z5
	VPCMPD    $4, Z1, Z5, K3, K5
	VPORD     Z18, Z0, K5, Z0
	VPORD     Z17, Z1, K2, Z0
	VMOVDQU32 Z0, K1, (R11)
	ADDQ      $8, SI
	DECQ      CX
	JNZ       next
	VZEROUPPER
	MOVB      $1, ret+32(FP)
	RET

other:
	VZEROUPPER
	MOVB $0, ret+32(FP)
	RET
