package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"regexp"
	"strings"
)

// initializerName matches the constant that clang keeps the initializer of a local
// aggregate in: "@__const.FUNCTION.VARIABLE", with ".N" behind where a function has
// several variables of one name.
var initializerName = regexp.MustCompile(`@__const\.([\w$]+)\.([A-Za-z_]\w*)(?:\.(\d+))?\b`)

// nameInitializers gives these constants the symbol that a static variable of the
// function would have, so that a report names the variable of the source: where the
// program never writes to the aggregate, LLVM lets it read the constant instead. It
// comes last, since other passes know the constants by clang's names.
func nameInitializers(m *irtext.Module, _ *State) {
	symbols := map[string]string{}
	for _, l := range m.Lines {
		if !l.Contains("@__const.") {
			continue
		}
		for _, f := range initializerName.FindAllStringSubmatch(l.Text, -1) {
			symbols[f[0]] = localSymbol(f[1], f[2], f[3])
		}
	}
	for old, symbol := range symbols {
		if m.Contains(symbol) {
			delete(symbols, old)
		}
	}
	if len(symbols) == 0 {
		return
	}
	var b irtext.Builder
	for _, l := range m.Lines {
		b.Line(l, initializerName.ReplaceAllStringFunc(l.Text, func(old string) string {
			if symbol, ok := symbols[old]; ok {
				return "@" + symbol
			}
			return old
		}))
	}
	m.Replace(&b)
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
