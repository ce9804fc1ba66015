package finding

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// Demangle returns the C++ declaration of a mangled function, "scan(int*)", or
// the name itself where it is not mangled. A kernel template's return type,
// which is always void, is left out.
func Demangle(name string) string {
	return strings.TrimPrefix(demangle.Filter(name), "void ")
}

// DemangleName is Demangle without the parameters: "scan".
func DemangleName(name string) string {
	return strings.TrimPrefix(demangle.Filter(name, demangle.NoParams), "void ")
}
