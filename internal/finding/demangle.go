package finding

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// unit is what the linker of device code adds to a static name that several
// sources have.
var unit = regexp.MustCompile(`\$unit\d+$`)

// tag is an ABI tag (Itanium C++ ABI, "ABI tags"). Numba puts the version and the options of a kernel
// into some, which say nothing to a reader.
var tag = regexp.MustCompile(`\[abi:[^\]]*\]`)

// Demangle returns the C++ declaration of a mangled function, "scan(int*)", or
// the name itself where it is not mangled. A kernel template's return type,
// which is always void, and ABI tags are left out.
func Demangle(name string) string { return demangled(name) }

// DemangleName is Demangle without the parameters: "scan".
func DemangleName(name string) string { return demangled(name, demangle.NoParams) }

func demangled(name string, options ...demangle.Option) string {
	text := demangle.Filter(unit.ReplaceAllString(name, ""), options...)
	return strings.TrimPrefix(tag.ReplaceAllString(text, ""), "void ")
}
