#include "textflag.h"

DATA lanes<>+0(SB)/8, $0
DATA lanes<>+8(SB)/8, $1
DATA lanes<>+16(SB)/8, $2
DATA lanes<>+24(SB)/8, $3
DATA lanes<>+32(SB)/8, $4
DATA lanes<>+40(SB)/8, $5
DATA lanes<>+48(SB)/8, $6
DATA lanes<>+56(SB)/8, $7
GLOBL lanes<>(SB), RODATA|NOPTR, $64

// func scan64(dst, src *[32]uint64, off uint64, out *span)
// dst[i] = src[i] + off for all 32 lanes; out gets the least and the largest,
// the or of all, and whether lane i is lane 0 plus i steps.
TEXT ·scan64(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ out+24(FP), DX
	MOVQ off+16(FP), AX
	VPBROADCASTQ AX, Z4
	VPADDQ 0(SI), Z4, Z0
	VPADDQ 64(SI), Z4, Z1
	VPADDQ 128(SI), Z4, Z2
	VPADDQ 192(SI), Z4, Z3
	JMP  scan<>(SB)

// func scan32(dst *[32]uint64, src *[32]uint32, off uint32, out *span)
// The same for 32-bit addresses, which wrap at 32 bits.
TEXT ·scan32(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ out+24(FP), DX
	MOVL off+16(FP), AX
	VPBROADCASTD AX, Z4
	VPADDD 0(SI), Z4, Z5
	VPADDD 64(SI), Z4, Z6
	VPMOVZXDQ Y5, Z0
	VEXTRACTI64X4 $1, Z5, Y7
	VPMOVZXDQ Y7, Z1
	VPMOVZXDQ Y6, Z2
	VEXTRACTI64X4 $1, Z6, Y7
	VPMOVZXDQ Y7, Z3
	JMP  scan<>(SB)

// Z0 to Z3 hold the lanes' addresses, DI the destination, DX the result.
TEXT scan<>(SB), NOSPLIT, $0-32
	VMOVDQU64 Z0, 0(DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)

	// Steps: lane i must be lane 0 + i*step.
	MOVQ 0(DI), AX
	MOVQ 8(DI), BX
	SUBQ AX, BX
	MOVQ BX, 24(DX)
	VPBROADCASTQ BX, Z8
	VPBROADCASTQ AX, Z9
	VPMULLQ lanes<>(SB), Z8, Z10
	VPADDQ Z9, Z10, Z10 // lanes 0 to 7 as they should be
	VPSLLQ $3, Z8, Z11  // eight steps
	XORL CX, CX
	VPCMPEQQ Z10, Z0, K1
	VPADDQ Z11, Z10, Z10
	VPCMPEQQ Z10, Z1, K2
	VPADDQ Z11, Z10, Z10
	VPCMPEQQ Z10, Z2, K3
	VPADDQ Z11, Z10, Z10
	VPCMPEQQ Z10, Z3, K4
	KANDB K1, K2, K1
	KANDB K3, K4, K3
	KANDB K1, K3, K1
	KMOVB K1, AX
	CMPB AX, $0xff
	SETEQ CX
	MOVB CX, 32(DX)

	// Least, largest, or.
	VPMINUQ Z0, Z1, Z12
	VPMINUQ Z2, Z3, Z13
	VPMINUQ Z12, Z13, Z12
	VPMAXUQ Z0, Z1, Z14
	VPMAXUQ Z2, Z3, Z15
	VPMAXUQ Z14, Z15, Z14
	VPORQ Z0, Z1, Z16
	VPORQ Z2, Z3, Z17
	VPORQ Z16, Z17, Z16
	VEXTRACTI64X4 $1, Z12, Y13
	VPMINUQ Z12, Z13, Z12
	VEXTRACTI64X4 $1, Z14, Y15
	VPMAXUQ Z14, Z15, Z14
	VEXTRACTI64X4 $1, Z16, Y17
	VPORQ Z16, Z17, Z16
	VSHUFI64X2 $1, Y12, Y12, Y13
	VPMINUQ Z12, Z13, Z12
	VSHUFI64X2 $1, Y14, Y14, Y15
	VPMAXUQ Z14, Z15, Z14
	VSHUFI64X2 $1, Y16, Y16, Y17
	VPORQ Z16, Z17, Z16
	VPSHUFD $0x4e, X12, X13
	VPMINUQ Z12, Z13, Z12
	VPSHUFD $0x4e, X14, X15
	VPMAXUQ Z14, Z15, Z14
	VPSHUFD $0x4e, Z16, Z17
	VPORQ Z16, Z17, Z16
	VMOVQ X12, 0(DX)
	VMOVQ X14, 8(DX)
	VMOVQ X16, 16(DX)
	VZEROUPPER
	RET

// func gather32(dst *[32]uint32, base unsafe.Pointer, addr *[32]uint64)
// dst[i] = the four bytes at base + addr[i].
TEXT ·gather32(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ base+8(FP), SI
	MOVQ addr+16(FP), DX
	VMOVDQU64 0(DX), Z0
	VMOVDQU64 64(DX), Z1
	VMOVDQU64 128(DX), Z2
	VMOVDQU64 192(DX), Z3
	KXNORB K1, K1, K1
	KXNORB K2, K2, K2
	KXNORB K3, K3, K3
	KXNORB K4, K4, K4
	VPXORD Y4, Y4, Y4
	VPXORD Y5, Y5, Y5
	VPXORD Y6, Y6, Y6
	VPXORD Y7, Y7, Y7
	VPGATHERQD (SI)(Z0*1), K1, Y4
	VPGATHERQD (SI)(Z1*1), K2, Y5
	VPGATHERQD (SI)(Z2*1), K3, Y6
	VPGATHERQD (SI)(Z3*1), K4, Y7
	VMOVDQU64 Y4, 0(DI)
	VMOVDQU64 Y5, 32(DI)
	VMOVDQU64 Y6, 64(DI)
	VMOVDQU64 Y7, 96(DI)
	VZEROUPPER
	RET

// func match64(addr, off *[32]uint64, base uint64, mask uint32) bool
// It reports whether addr[i] = base + off[i] for the lanes of mask.
TEXT ·match64(SB), NOSPLIT, $0-33
	MOVQ addr+0(FP), SI
	MOVQ off+8(FP), DX
	MOVQ base+16(FP), AX
	MOVL mask+24(FP), CX
	VPBROADCASTQ AX, Z16
	VPADDQ 0(DX), Z16, Z17
	VPADDQ 64(DX), Z16, Z18
	VPADDQ 128(DX), Z16, Z19
	VPADDQ 192(DX), Z16, Z20
	VPCMPUQ $4, 0(SI), Z17, K1
	VPCMPUQ $4, 64(SI), Z18, K2
	VPCMPUQ $4, 128(SI), Z19, K3
	VPCMPUQ $4, 192(SI), Z20, K4
	KUNPCKBW K1, K2, K2
	KUNPCKBW K3, K4, K4
	KUNPCKWD K2, K4, K4
	KMOVD K4, AX
	TESTL AX, CX
	SETEQ ret+32(FP)
	RET

// func shaped64(dst, src *[32]uint64, add, base uint64, off *[32]uint64, mask uint32) bool
// dst[i] = src[i] + add for all lanes. It reports whether that is base + off[i]
// for the lanes of mask.
TEXT ·shaped64(SB), NOSPLIT, $0-49
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ add+16(FP), AX
	VPBROADCASTQ AX, Z21
	VPADDQ 0(SI), Z21, Z22
	VPADDQ 64(SI), Z21, Z23
	VPADDQ 128(SI), Z21, Z24
	VPADDQ 192(SI), Z21, Z25
	JMP shaped<>(SB)

// func shaped32(dst *[32]uint64, src *[32]uint32, add uint32, base uint64, off *[32]uint64, mask uint32) bool
// The same for 32-bit addresses, which wrap at 32 bits.
TEXT ·shaped32(SB), NOSPLIT, $0-49
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVL add+16(FP), AX
	VPBROADCASTD AX, Z21
	VPADDD 0(SI), Z21, Z26
	VPADDD 64(SI), Z21, Z27
	VPMOVZXDQ Y26, Z22
	VEXTRACTI64X4 $1, Z26, Y28
	VPMOVZXDQ Y28, Z23
	VPMOVZXDQ Y27, Z24
	VEXTRACTI64X4 $1, Z27, Y28
	VPMOVZXDQ Y28, Z25
	JMP shaped<>(SB)

// Z22 to Z25 hold the lanes' addresses, DI the destination.
TEXT shaped<>(SB), NOSPLIT, $0-49
	MOVQ base+24(FP), AX
	MOVQ off+32(FP), DX
	MOVL mask+40(FP), CX
	VMOVDQU64 Z22, 0(DI)
	VMOVDQU64 Z23, 64(DI)
	VMOVDQU64 Z24, 128(DI)
	VMOVDQU64 Z25, 192(DI)
	VPBROADCASTQ AX, Z16
	VPADDQ 0(DX), Z16, Z17
	VPADDQ 64(DX), Z16, Z18
	VPADDQ 128(DX), Z16, Z19
	VPADDQ 192(DX), Z16, Z20
	VPCMPUQ $4, Z22, Z17, K1
	VPCMPUQ $4, Z23, Z18, K2
	VPCMPUQ $4, Z24, Z19, K3
	VPCMPUQ $4, Z25, Z20, K4
	KUNPCKBW K1, K2, K2
	KUNPCKBW K3, K4, K4
	KUNPCKWD K2, K4, K4
	KMOVD K4, AX
	TESTL AX, CX
	SETEQ ret+48(FP)
	RET
