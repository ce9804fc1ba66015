/* Declares the functions of a CUDA library that is not included: __WG_C_API(name) for each,
 * with __WG_RESULT as the type that they return. Included once by each library's header.
 * runtime/libraries.cpp includes the headers with a __WG_C_API of its own, which makes the
 * stubs that programs link with. */
#ifndef __WG_C_API
#ifdef __cplusplus
#define __WG_C_API(name) extern "C" __WG_RESULT name(...);
#else
#define __WG_C_API(name) __WG_RESULT name();
#endif
#endif
