package lower

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// paramsDirective begins the directives in which the front end says which parameters of a
// kernel are pointers that it promises not to write through: the kernel's name and a
// letter for each parameter follow, then a quotation mark.
const paramsDirective = `.pragma "warpgrind.params `

// paramLetters are those of a kernel, "" for none.
func paramLetters(m *ptx.Module, kernel string) string {
	for _, it := range m.Items {
		r, ok := it.(*ptx.Raw)
		if !ok {
			continue
		}
		text, ok := strings.CutPrefix(r.Text, paramsDirective)
		if name, letters, found := strings.Cut(strings.TrimSuffix(text, `"`), " "); ok && found && name == kernel {
			return letters
		}
	}
	return ""
}

// markRestricted marks the plain loads from global memory whose address is computed from one
// parameter of type const T *__restrict__ and numbers.
func (u *unit) markRestricted() {
	letters := paramLetters(u.mod, u.prog.Name)
	if letters == "" {
		return
	}
	letter := func(root uint32) byte {
		i := slices.IndexFunc(u.prog.Params, func(p program.Param) bool { return p.Offset == int(root) })
		if i < 0 || i >= len(letters) {
			return 'p'
		}
		return letters[i]
	}
	for _, s := range u.prog.Sites {
		if s.Kind != trace.Read || s.Order != trace.OrderWeak || s.Space != trace.SpaceGlobal && s.Space != trace.SpaceGeneric {
			continue
		}
		restricted, other := 0, 0
		for _, root := range s.Roots {
			switch letter(root) {
			case 'r':
				restricted++
			case 'n':
			default:
				other++
			}
		}
		s.Restricted = restricted == 1 && other == 0
	}
}
