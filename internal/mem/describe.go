package mem

import "github.com/warpgrind/warpgrind/internal/trace"

// Describe describes an allocation as events do.
func (al *Allocation) Describe() trace.Memory {
	elems := 0
	if al.Written != nil {
		elems = al.Written.ElementSizes()
	}
	return trace.Memory{Elems: elems, ID: al.ID, Base: al.Base, Size: al.Size, Kind: al.Kind.String(), Name: al.Name, Where: al.Where, Call: al.Call, At: al.At, Type: al.Type, ReadOnly: al.ReadOnly,
		Width: al.Rows.Width, Pitch: al.Rows.Pitch}
}
