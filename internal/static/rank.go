package static

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// A thread's rank in its block, and a block's in its grid, name all three dimensions
// whatever the block is made for: cooperative groups compute them in any kernel. The
// number of threads does too. So a dimension that is named only there is not asked for.

// ranks finds the values of which that is so.
type ranks struct {
	uses [][]*ssa.Value
	// parts are the values that sums and products of ranks and sizes consist of, whole
	// those that are ranks and sizes.
	parts, whole map[*ssa.Value]bool
}

func newRanks(f *ssa.Func) *ranks {
	r := &ranks{uses: f.Uses(), parts: map[*ssa.Value]bool{}, whole: map[*ssa.Value]bool{}}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, of := range []struct{ index, extent string }{{"%tid.", "%ntid."}, {"%ctaid.", "%nctaid."}} {
				r.note(v, rankParts(v, of.index, of.extent))
				r.note(v, sizeParts(v, of.extent))
			}
		}
	}
	return r
}

func (r *ranks) note(v *ssa.Value, parts []*ssa.Value) {
	for _, p := range parts {
		r.parts[p], r.whole[v] = true, true
	}
}

// only reports whether a value is computed for ranks and sizes alone.
func (r *ranks) only(v *ssa.Value) bool {
	for _, u := range r.uses[v.ID] {
		if !r.parts[u] || !r.whole[u] && !r.only(u) {
			return false
		}
	}
	return true
}

// narrow is a value that was widened.
func narrow(v *ssa.Value, parts *[]*ssa.Value) *ssa.Value {
	for v.Op == ssa.Zext || v.Op == ssa.Sext {
		*parts = append(*parts, v)
		v = v.Args[0]
	}
	return v
}

// rankParts are the operations that compute a rank, ((z*ny + y)*nx + x), nil if v is none.
func rankParts(v *ssa.Value, index, extent string) (parts []*ssa.Value) {
	for _, axis := range []string{"x", "y"} {
		v = narrow(v, &parts)
		product := otherThan(v, ssa.Add, index+axis, &parts)
		if product == nil {
			return nil
		}
		parts = append(parts, v)
		if product = narrow(product, &parts); product == nil {
			return nil
		}
		rest := otherThan(product, ssa.Mul, extent+axis, &parts)
		if rest == nil {
			return nil
		}
		parts = append(parts, product)
		v = rest
	}
	if v = narrow(v, &parts); v.Op != ssa.Special || v.Name != index+"z" {
		return nil
	}
	return parts
}

// otherThan is the other operand of a sum or product with a special register, nil if v is
// none.
func otherThan(v *ssa.Value, op ssa.Op, name string, parts *[]*ssa.Value) *ssa.Value {
	if v.Op != op {
		return nil
	}
	for i, a := range v.Args {
		var widened []*ssa.Value
		if a = narrow(a, &widened); a.Op == ssa.Special && a.Name == name {
			*parts = append(*parts, widened...)
			return v.Args[1-i]
		}
	}
	return nil
}

// sizeParts are the operations that multiply the three extents, nil if v does not.
func sizeParts(v *ssa.Value, extent string) (parts []*ssa.Value) {
	var axes []string
	var visit func(v *ssa.Value) bool
	visit = func(v *ssa.Value) bool {
		v = narrow(v, &parts)
		switch {
		case v.Op == ssa.Special && strings.HasPrefix(v.Name, extent) && len(axes) < 3:
			axes = append(axes, v.Name)
			return true
		case v.Op != ssa.Mul || len(parts) > 12:
			return false
		}
		parts = append(parts, v)
		return visit(v.Args[0]) && visit(v.Args[1])
	}
	if v.Op != ssa.Mul || !visit(v) {
		return nil
	}
	slices.Sort(axes)
	if !slices.Equal(axes, []string{extent + "x", extent + "y", extent + "z"}) {
		return nil
	}
	return parts
}
