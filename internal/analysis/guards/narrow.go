package guards

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Narrow returns the bytes of the element, 1 or 2, for which a compare-and-swap of 4 bytes
// stands: what it writes has the other bytes of what it expects, by a mask with a hole of
// that size. 0 is for any other operation. So do compilers and libraries make atomic
// operations of sizes that PTX has none for.
func (x *Facts) Narrow(swap Site) (bytes int) {
	if x == nil {
		return 0
	}
	for _, v := range x.at[swap] {
		if v.Op != ssa.Atomic || !v.Does.IsCAS() || v.Mem.Elem.Size() != 4 {
			return 0
		}
		ops := operands(v)
		n := leavesOut(ops[1], ops[0], map[*ssa.Value]bool{})
		if n == 0 || bytes != 0 && n != bytes {
			return 0
		}
		bytes = n
	}
	return bytes
}

// leavesOut returns the size of the hole in a mask by which v keeps the other bytes of what
// expected is, or is made from.
func leavesOut(v, expected *ssa.Value, seen map[*ssa.Value]bool) int {
	if seen[v] || v == expected || v.Op == ssa.Load || v.Op == ssa.Atomic {
		return 0
	}
	seen[v] = true
	if v.Op == ssa.And {
		for i, a := range v.Args {
			from := finds(expected, map[*ssa.Value]bool{}, func(e *ssa.Value) bool { return e == a })
			if n := hole(v.Args[1-i]); n > 0 && from {
				return n
			}
		}
	}
	for _, a := range v.Args {
		if n := leavesOut(a, expected, seen); n > 0 {
			return n
		}
	}
	return 0
}

// hole returns the bytes that a mask leaves out, 0 unless it is 1 or 2.
func hole(mask *ssa.Value) int {
	if c, ok := mask.IsConst(); ok {
		return field(^uint32(c))
	}
	switch mask.Op {
	case ssa.Not:
		return shifted(mask.Args[0])
	case ssa.Xor:
		for i, a := range mask.Args {
			if c, ok := a.IsConst(); ok && uint32(c) == ^uint32(0) {
				return shifted(mask.Args[1-i])
			}
		}
	}
	return 0
}

// shifted returns the bytes of a constant that is shifted to its place.
func shifted(v *ssa.Value) int {
	if c, ok := v.IsConst(); ok {
		return field(uint32(c))
	}
	if v.Op != ssa.Shl {
		return 0
	}
	if c, ok := v.Args[0].IsConst(); ok {
		return field(uint32(c))
	}
	return 0
}

// field returns the bytes of a mask of one aligned element.
func field(mask uint32) int {
	switch {
	case slices.Contains([]uint32{0xff, 0xff00, 0xff0000, 0xff000000}, mask):
		return 1
	case mask == 0xffff || mask == 0xffff0000:
		return 2
	}
	return 0
}
