package link

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// symbol is what one part says of a name at module scope.
type symbol struct {
	name           string
	local, defined bool
}

// symbols lists the names of a module's variables and functions. A name of
// internal linkage in C++ is local even where it is .visible: compilers have
// to show it to the host side of the same source, and to that only. A local
// function may be declared before its definition.
func symbols(m *ptx.Module) []symbol {
	var out []symbol
	add := func(name string, l ptx.Linkage, defined bool) {
		if f := m.Func(name); f != nil && f.Body != nil {
			l, defined = f.Linkage, true
		}
		local := defined && (l == ptx.Internal || l == ptx.Visible && isInternalName(name))
		out = append(out, symbol{name, local, defined})
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ptx.Variable:
			add(it.Name, it.Linkage, it.Linkage != ptx.Extern)
		case *ptx.Func:
			add(it.Name, it.Linkage, it.Body != nil)
		case *ptx.Alias:
			add(it.Name, ptx.Visible, true)
		}
	}
	return out
}

// isInternalName recognizes C++ names of internal linkage: static ones and
// those of an anonymous namespace, and templates of them (Itanium C++ ABI,
// "Mangling"; compilers put an L before the former).
func isInternalName(name string) bool {
	rest, mangled := strings.CutPrefix(name, "_Z")
	if !mangled {
		return false
	}
	if strings.HasPrefix(rest, "L") || strings.Contains(name, "_GLOBAL__N_") || strings.Contains(name, "L_ZL") {
		return true
	}
	rest, nested := strings.CutPrefix(rest, "N")
	for nested && rest != "" && isDigit(rest[0]) {
		n := 0
		for rest != "" && isDigit(rest[0]) && n < len(name) {
			n, rest = n*10+int(rest[0]-'0'), rest[1:]
		}
		rest = rest[min(n, len(rest)):]
	}
	return nested && len(rest) > 1 && rest[0] == 'L' && isDigit(rest[1])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// renames gives local symbols that other parts have as well a name of their
// own. Of several that are all local the first keeps its name.
func renames(mods []*ptx.Module) []map[string]string {
	type use struct {
		local bool
		first int
	}
	seen := map[string]*use{}
	defined := make([]map[string]bool, len(mods)) // part: local names
	for i, m := range mods {
		defined[i] = map[string]bool{}
		for _, s := range symbols(m) {
			if s.local {
				defined[i][s.name] = true
			}
			if u := seen[s.name]; u == nil {
				seen[s.name] = &use{s.local, i}
			} else if u.first != i && !s.local {
				u.local = false
			}
		}
	}
	out := make([]map[string]string, len(mods))
	for i := range mods {
		out[i] = map[string]string{}
		for name := range defined[i] {
			if u := seen[name]; !u.local || u.first != i {
				out[i][name] = fmt.Sprintf("%s%s%d", name, Suffix, i)
			}
		}
	}
	return out
}

// Suffix stands between a local symbol's name and its part's number in names
// that Link makes.
const Suffix = "$unit"

// identifier is PTX's ("Parallel Thread Execution ISA", "Identifiers").
var identifier = regexp.MustCompile(`[a-zA-Z_$%][a-zA-Z0-9_$]*`)

// replaceNames renames identifiers throughout a module's text.
func replaceNames(text []byte, names map[string]string) []byte {
	return identifier.ReplaceAllFunc(text, func(word []byte) []byte {
		if to, ok := names[string(word)]; ok {
			return []byte(to)
		}
		return word
	})
}
