// What the compiler may call: nothing.
#![no_std]
#![feature(compiler_builtins)]
#![compiler_builtins]
