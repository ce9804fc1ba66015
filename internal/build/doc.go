// Package build makes programs of sources, for checks: with clang, or with NVIDIA's nvcc (Frontend). It knows which inputs are
// sources and which are programs, the architecture that a program was built for, and the environment in which a program that was not built
// for the run finds our libraries in place of NVIDIA's. A UsageError is the user's: a wrong use, or a program that does not compile.
package build
