// Package shim carries, embedded, what warpgrind brings to a CUDA program's
// compilation: the CUDA headers under include/ and the C++ source of the
// runtime library under runtime/, written from the public documentation.
package shim

import "embed"

//go:generate go run ./curandgen include/warpgrind

// Files holds include/, runtime/ and compat/, the source of the libraries that
// programs of other CUDA versions ask for.
//
//go:embed include runtime compat
var Files embed.FS

// Python holds the modules that PyTorch and JAX load when they start, with their metadata, and the one that Python loads
// itself, for CuPy.
//
//go:embed python/*/*.py python/*.dist-info
var Python embed.FS

// Libraries holds libraries/, the sources of the replacements for NVIDIA's closed libraries: a
// folder each, with host code (.cpp) and modules of device code (.cu). They are compiled when a
// program calls them, against Files.
//
//go:embed libraries
var Libraries embed.FS
