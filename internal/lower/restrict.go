package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// paramLetters are those of a kernel, "" for none.
func paramLetters(m *ptx.Module, kernel string) string {
	for _, it := range m.Items {
		if r, ok := it.(*ptx.Raw); ok {
			if d, ok := pragma.ReadParams(r.Text); ok && d.Kernel == kernel {
				return d.Letters
			}
		}
	}
	return ""
}

// markRestricted marks the plain loads from global memory whose address is computed from one
// parameter of type const T *__restrict__ and numbers. A parameter that the kernel writes through, after
// a cast, or whose value it hands on is no such one: a compiler takes the read-only path only where it finds that
// the kernel does neither.
func (u *unit) markRestricted() {
	letters := []byte(paramLetters(u.mod, u.prog.Name))
	if len(letters) == 0 {
		return
	}
	letter := func(root uint32) byte {
		if i := u.paramAt(root); i >= 0 && i < len(letters) {
			return letters[i]
		}
		return pragma.OtherParam
	}
	for _, root := range u.handedOn() {
		if letter(root) == pragma.RestrictedParam {
			letters[u.paramAt(root)] = pragma.OtherParam
		}
	}
	for _, s := range u.prog.Sites {
		if s.Kind != trace.Read || s.Order != trace.OrderWeak || !onGlobal(s) {
			continue
		}
		restricted, other := 0, 0
		for _, root := range s.Roots {
			switch letter(root) {
			case pragma.RestrictedParam:
				restricted++
			case pragma.NumberParam:
			default:
				other++
			}
		}
		s.Restricted = restricted == 1 && other == 0
	}
}

// paramAt is the number of the parameter at a place of the parameter buffer, -1 for none.
func (u *unit) paramAt(place uint32) int {
	return slices.IndexFunc(u.prog.Params, func(p program.Param) bool { return p.Offset == int(place) })
}

// handedOn lists the parameters that the kernel writes through, or whose values are stored or given to functions.
func (u *unit) handedOn() (params []uint32) {
	for _, s := range u.prog.Sites {
		if s.Kind.Writes() && onGlobal(s) {
			params = append(params, s.Roots...)
		}
	}
	if r := u.order[0].roots; r != nil {
		params = append(params, r.of(r.escaped)...)
	}
	return params
}

func onGlobal(s *trace.Site) bool {
	return s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric
}
