// Package jit runs machine code that is made while programs run: an assembler of
// the few forms of x86-64 instructions with AVX-512 that generated code needs (asm.go,
// evex.go), a linker of object files that a compiler made (object.go), executable memory,
// and calls into it (code.go). What to generate, package native decides.
//
// Encodings follow the Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2, chapter 2 ("Instruction Format"; EVEX in 2.7).
package jit
