package ptx

import (
	"encoding/binary"
	"math"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// StorageSize is Size, with a flexible array counted by its initializer.
func (v *Variable) StorageSize() int64 {
	if n := v.Size(); n > 0 || v.Init == nil || len(v.Dims) == 0 {
		return n
	}
	n := int64(v.Type.Size()) * int64(max(v.Vec, 1)) * int64(len(v.Init.List))
	for _, d := range v.Dims[1:] {
		n *= d
	}
	return n
}

// InitialBytes returns the variable's initial contents, StorageSize bytes.
// addrOf gives the generic address of a variable or function. (PTX ISA,
// "Initializers".)
func (v *Variable) InitialBytes(addrOf func(string) uint64) []byte {
	b := make([]byte, v.StorageSize())
	if v.Init != nil {
		v.fill(b, v.Init, v.Dims, addrOf)
	}
	return b
}

// fill writes an initializer into b, which has the extents dims; a list in
// braces fills one dimension, a flat list the elements in order.
func (v *Variable) fill(b []byte, i *Init, dims []int64, addrOf func(string) uint64) {
	if i.Value != nil {
		writeInit(b, v.Type, i.Value, addrOf)
		return
	}
	stride := v.Type.Size()
	var inner []int64
	if len(dims) > 0 {
		inner = dims[1:]
		for _, e := range i.List {
			if e.Braces {
				stride *= max(v.Vec, 1)
				for _, d := range inner {
					stride *= int(d)
				}
				break
			}
		}
	}
	for k, e := range i.List {
		if at := k * stride; at >= 0 && at+v.Type.Size() <= len(b) {
			v.fill(b[at:], e, inner, addrOf)
		}
	}
}

func writeInit(b []byte, t isa.Type, o Operand, addrOf func(string) uint64) {
	var x uint64
	switch o := o.(type) {
	case *Imm:
		x = o.Value
	case *FloatImm:
		x = o.Value
		if o.Bits == 64 && t.Size() == 4 {
			x = uint64(math.Float32bits(float32(math.Float64frombits(o.Value))))
		}
		if o.Bits == 32 && t.Size() == 8 {
			x = math.Float64bits(float64(math.Float32frombits(uint32(o.Value))))
		}
	case *SymbolRef:
		x = addrOf(o.Name) + uint64(o.Offset)
		if o.Mask != 0 {
			x = maskedByte(x, o.Mask)
		}
	}
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], x)
	copy(b[:min(len(b), t.Size(), 8)], buf[:])
}

// maskedByte is what 0xFF00(sym) stands for: the bytes of the address that
// the mask selects, moved to the low end.
func maskedByte(x, mask uint64) uint64 {
	x &= mask
	for mask&1 == 0 {
		x, mask = x>>1, mask>>1
	}
	return x
}
