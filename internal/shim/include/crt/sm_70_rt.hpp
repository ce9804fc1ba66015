/* clang's intrinsics header asks for this file; nothing is needed from it. */
