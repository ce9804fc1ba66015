package lower

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// typeDirective begins the directives in which the front end says which types
// variables have: name and type follow, then a quotation mark.
const typeDirective = `.pragma "warpgrind.type `

// Types returns the types of a module's variables by name, as far as the front
// end says them.
func Types(m *ptx.Module) map[string]*ctype.Type {
	types := map[string]*ctype.Type{}
	for _, it := range m.Items {
		r, ok := it.(*ptx.Raw)
		if !ok {
			continue
		}
		text, ok := strings.CutPrefix(r.Text, typeDirective)
		if name, typ, found := strings.Cut(strings.TrimSuffix(text, `"`), " "); ok && found {
			if t := ctype.Parse(typ); t != nil {
				types[name] = t
			}
		}
	}
	return types
}

// typeShared notes the types of the shared variables.
func (u *unit) typeShared() {
	if len(u.prog.Shared) == 0 {
		return
	}
	types := Types(u.mod)
	for i := range u.prog.Shared {
		v := &u.prog.Shared[i]
		if t := types[v.Name]; t != nil && t.Size == v.Size {
			v.Type = t
		}
	}
}
