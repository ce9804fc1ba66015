package clang

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// initialiserName matches the constant that clang keeps the initializer of a local
// aggregate in: "@__const.FUNCTION.VARIABLE", with ".N" behind where a function has
// several variables of one name.
var initialiserName = regexp.MustCompile(`@__const\.([\w$]+)\.([A-Za-z_]\w*)(?:\.(\d+))?\b`)

// nameInitialisers gives these constants the symbol that a static variable of the
// function would have, so that a report names the variable of the source: where the
// program never writes to the aggregate, LLVM lets it read the constant instead. It
// comes last, since other passes know the constants by clang's names.
func nameInitialisers(ir []byte) []byte {
	return initialiserName.ReplaceAllFunc(ir, func(old []byte) []byte {
		m := initialiserName.FindSubmatch(old)
		if symbol := localSymbol(string(m[1]), string(m[2]), string(m[3])); !bytes.Contains(ir, []byte(symbol)) {
			return []byte("@" + symbol)
		}
		return old
	})
}

// localSymbol mangles the name of a static variable of a function (Itanium C++ ABI,
// "Scope Encoding"). The number tells variables of one name apart.
func localSymbol(function, variable, number string) string {
	encoding, mangled := strings.CutPrefix(function, "_Z")
	if !mangled {
		encoding = fmt.Sprintf("%d%s", len(function), function)
	}
	symbol := fmt.Sprintf("_ZZ%sE%d%s", encoding, len(variable), variable)
	if number != "" {
		symbol += fmt.Sprintf("__%s_", number)
	}
	return symbol
}
