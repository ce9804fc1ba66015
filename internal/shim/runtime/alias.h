// Another name of an entry point: a jump to it, so that the caller stays the program.
#pragma once

#ifndef __aarch64__
#define JUMP "jmp "
#define PLT "@PLT"
#else
#define JUMP "b "
#define PLT ""
#endif

// Makes name jump to target, in this library or another.
#define JUMP_TO(name, target) \
  __asm__(".text\n.globl " #name "\n.type " #name ",%function\n" #name ": " JUMP #target PLT "\n");
