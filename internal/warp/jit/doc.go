// Package jit encodes x86-64 machine code with AVX-512 and runs it: an
// assembler of the few instruction forms that generated code needs, executable
// memory, and the call into it. What to generate, package native decides.
//
// Encodings follow the Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2, chapter 2 ("Instruction Format"; EVEX in 2.7).
package jit
