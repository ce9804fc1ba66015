package static

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Part is a scalar parameter, by its index, or a member of a structure, by the
// bytes before it as well.
type Part struct{ Param, Offset int }

// Compare orders parts as they lie in memory.
func (p Part) Compare(o Part) int { return cmp.Or(p.Param-o.Param, p.Offset-o.Offset) }

// Value is that of a part of so many bytes.
func (l Launch) Value(p Part, size int) (bits uint64, ok bool) {
	if size > 8 {
		return 0, false
	}
	before := 0
	if bits, ok = l.Params[p]; !ok {
		before = p.Offset % 8
		bits, ok = l.words[Part{p.Param, p.Offset - before}]
	}
	return bits >> (8 * before) & (1<<(8*size) - 1), ok && before+size <= 8
}

// param is a parameter: a root, a value that the user gave, or a variable.
func (c *encoder) param(v *ssa.Value) *solve.Term {
	s := sortOf(v.Type)
	if c.roots && c.k.isRoot[v.ID] {
		return solve.BV(0, int(s))
	}
	p := Part{c.k.paramIndex(v.Name), int(v.Const)}
	if s != solve.Bool {
		if bits, ok := c.shape.launch.Value(p, int(s)/8); ok {
			return solve.BV(bits, int(s))
		}
	}
	name := paramName(p, int(s))
	t := solve.Var(name, s)
	if s != solve.Bool {
		if given := c.shape.launch.facts.param(p, int(s)); given != nil {
			c.given[name] = solve.Eq(t, given)
		}
	}
	return t
}

// paramName is the name of the variable for a part of the parameters of so many bits.
func paramName(p Part, bits int) string {
	return fmt.Sprintf("%s%d+%d:%d", paramPrefix, p.Param, p.Offset, bits)
}

// partOf is the part of the parameters that a variable's name stands for.
func partOf(name string) (p Part, ok bool) {
	p, _, ok = partAndBits(name)
	return p, ok
}

// partAndBits is partOf with the variable's bits.
func partAndBits(name string) (p Part, bits int, ok bool) {
	if !strings.HasPrefix(name, paramPrefix) {
		return p, 0, false
	}
	n, _ := fmt.Sscanf(name, paramPrefix+"%d+%d:%d", &p.Param, &p.Offset, &bits)
	return p, bits, n == 3
}
