package static

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Member is a part of a structure that a kernel takes as an argument and reads.
type Member struct {
	Part
	// Size is in bytes. Pointer is set if the kernel accesses memory through it.
	Size    int
	Pointer bool
}

// Members are the parts of structures that the kernel reads, as they lie in memory.
func (u *Unit) Members() []Member {
	at := map[string]int{}
	for i, p := range u.F.PTX.Params {
		if structure(p) {
			at[p.Name] = i
		}
	}
	found := map[Part]Member{}
	note := func(v *ssa.Value, pointer bool) {
		i, ok := at[v.Name]
		if v.Op != ssa.Param || !ok {
			return
		}
		m := Member{Part{i, int(v.Const)}, v.Type.Size(), pointer}
		was := found[m.Part]
		m.Size, m.Pointer = max(m.Size, was.Size), m.Pointer || was.Pointer
		found[m.Part] = m
	}
	pointers := u.F.Pointers()
	for _, b := range u.F.Blocks {
		for _, v := range b.Values {
			note(v, false)
			for _, a := range accessesOf(v) {
				for _, root := range pointers.Roots(a.Mem.Base) {
					note(root, true)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Member) int { return a.Part.Compare(b.Part) })
}
