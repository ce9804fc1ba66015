package finding

import "github.com/ianlancetaylor/demangle"

// Demangle returns the C++ name of a mangled function without its parameters,
// or the name itself where it is not mangled.
func Demangle(name string) string {
	return demangle.Filter(name, demangle.NoParams)
}

// DemangleFull is Demangle with the parameters.
func DemangleFull(name string) string { return demangle.Filter(name) }
