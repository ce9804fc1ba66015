package finding

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// unit is what the linker of device code adds to a static name that several
// sources have.
var unit = regexp.MustCompile(`\$unit\d+$`)

// tag is an ABI tag (Itanium C++ ABI, "ABI tags").
var tag = regexp.MustCompile(`\[abi:[^\]]*\]`)

// Demangle returns the C++ declaration of a mangled function, "scan(int*)", or
// the name itself where it is not mangled. A kernel template's return type,
// which is always void, and ABI tags are left out. Functions of Numba have their
// names in Python, "make.<locals>.scan(float32[::1])".
func Demangle(name string) string {
	if name, params, ok := numba(name); ok {
		return name + "(" + strings.Join(params, ", ") + ")"
	}
	return demangled(name)
}

// DemangleName is Demangle without the parameters: "scan".
func DemangleName(name string) string {
	if name, _, ok := numba(name); ok {
		return name
	}
	return demangled(name, demangle.NoParams)
}

// Plain is DemangleName without the arguments of a template: the name in the source.
func Plain(name string) string {
	if name, _, ok := numba(name); ok {
		return name
	}
	plain, _, _ := strings.Cut(DemangleName(name), "<")
	return plain
}

func demangled(name string, options ...demangle.Option) string {
	text := demangle.Filter(unit.ReplaceAllString(name, ""), options...)
	return strings.TrimPrefix(tag.ReplaceAllString(text, ""), "void ")
}
