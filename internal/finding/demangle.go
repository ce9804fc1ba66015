package finding

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// unit is what the linker of device code adds to a static name that several
// sources have.
var unit = regexp.MustCompile(`\$unit\d+$`)

// Demangle returns the C++ declaration of a mangled function, "scan(int*)", or
// the name itself where it is not mangled. A kernel template's return type,
// which is always void, is left out.
func Demangle(name string) string {
	return strings.TrimPrefix(demangle.Filter(unit.ReplaceAllString(name, "")), "void ")
}

// DemangleName is Demangle without the parameters: "scan".
func DemangleName(name string) string {
	return strings.TrimPrefix(demangle.Filter(unit.ReplaceAllString(name, ""), demangle.NoParams), "void ")
}
