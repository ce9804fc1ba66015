package lower

import (
	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// Types returns the types of a module's variables by name, as far as the front
// end says them.
func Types(m *ptx.Module) map[string]*ctype.Type {
	types := map[string]*ctype.Type{}
	for _, it := range m.Items {
		r, ok := it.(*ptx.Raw)
		if !ok {
			continue
		}
		if d, ok := pragma.ReadType(r.Text); ok {
			if t := ctype.Parse(d.Type); t != nil {
				types[d.Variable] = t
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
