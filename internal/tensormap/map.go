package tensormap

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Size is the size of a tensor map, and Align the alignment of one in memory, in bytes (CUDA
// driver API, "CUtensorMap").
const (
	Size  = 128
	Align = 64
)

// Magic marks a tensor map that cuTensorMapEncode... made. One that a kernel makes of zeros, by
// tensormap.replace alone, has zero there.
const Magic = 0x4d544757

// Mode says how an access goes over the tensor.
type Mode uint8

// The modes. Gather and scatter use tile maps.
const (
	Tile Mode = iota
	Im2col
	Im2colW
	Im2colW128
)

// Type is the type of an element, as tensormap.replace.elemtype counts (PTX ISA,
// "tensormap.replace": new_val).
type Type uint8

// The types.
const (
	U8 Type = iota
	U16
	U32
	S32
	U64
	S64
	F16
	F32
	F32Ftz
	F64
	BF16
	TF32
	TF32Ftz
	B4x16
	B4x16P64
	B6x16P32
	numTypes
)

var typeNames = [numTypes]string{"u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "ftz.f32", "f64", "bf16", "f32", "ftz.f32", "b4x16", "b4x16_p64", "b6x16_p32"}

// String names the type as PTX does, with tf32 as f32.
func (t Type) String() string { return typeNames[t] }

// group is how many elements lie together: 16 of those of 4 and 6 bits, else 1.
func (t Type) group() int {
	if t >= B4x16 {
		return 16
	}
	return 1
}

// bytes are the sizes of a group in global and in shared memory; what is more there is padding.
func (t Type) bytes() (global, shared int) {
	switch t {
	case U8:
		return 1, 1
	case U16, F16, BF16:
		return 2, 2
	case U64, S64, F64, B4x16:
		return 8, 8
	case B4x16P64:
		return 8, 16
	case B6x16P32:
		return 12, 16
	}
	return 4, 4
}

// Map is a tensor map. Dimension 0 is the innermost.
type Map struct {
	Mode       Mode
	Type       Type
	Rank       int
	Interleave uint8
	Swizzle    uint8
	Atom       uint8
	NaN        bool
	Address    uint64
	// Dim are sizes in elements, Stride distances in bytes, of which the first has no use.
	Dim, Stride [5]uint64
	Box         [5]int
	// Step are the traversal strides in elements.
	Step [5]int
	// Lower and Upper are the corners of the bounding box, of W, H and D.
	Lower, Upper     [3]int
	Channels, Pixels int
}

// Errors of Decode.
var (
	ErrMagic = errors.New("the 128 bytes are not a tensor map that cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col or tensormap.replace made")
	ErrField = errors.New("a field of the tensor map has a value that is not valid")
)

// Decode reads a tensor map.
func Decode(b *[Size]byte) (*Map, error) {
	magic := binary.LittleEndian.Uint32(b[:])
	if magic != Magic && magic != 0 {
		return nil, ErrMagic
	}
	m := &Map{
		Rank: int(b[4]), Mode: Mode(b[5]), Type: Type(b[6]), Interleave: b[7], Swizzle: b[8], Atom: b[9], NaN: b[10] != 0,
		Address: word(b, 16, 8), Channels: int(word(b, 104, 2)), Pixels: int(word(b, 106, 2)),
	}
	for i := range 5 {
		if i > 0 {
			m.Stride[i] = word(b, 16+8*i, 8)
		}
		m.Dim[i] = word(b, 56+4*i, 4) + 1
		m.Box[i] = int(word(b, 76+2*i, 2))
		m.Step[i] = int(b[86+i])
	}
	for i := range 3 {
		m.Lower[i] = int(int16(word(b, 92+2*i, 2)))
		m.Upper[i] = int(int16(word(b, 98+2*i, 2)))
	}
	err := m.check()
	switch {
	case err != nil && magic == 0:
		return nil, ErrMagic
	case err != nil:
		return nil, err
	}
	return m, nil
}

func word(b *[Size]byte, at, n int) (v uint64) {
	for i := n - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[at+i])
	}
	return v
}

func setWord(b *[Size]byte, at, n int, v uint64) {
	for i := range n {
		b[at+i] = byte(v >> (8 * i))
	}
}

// check tests the fields of which iteration depends.
func (m *Map) check() error {
	if m.Rank < 1 || m.Rank > 5 || m.Mode > Im2colW128 || m.Type >= numTypes || m.Interleave > 2 || m.Swizzle > 4 || m.Atom > 3 {
		return ErrField
	}
	if m.Mode != Tile && m.Rank < 3 {
		return ErrField
	}
	for i := range m.Rank {
		if m.Box[i] < 1 || m.Box[i] > 256 || m.Step[i] < 1 || m.Step[i] > 8 {
			return fmt.Errorf("%w: box %d or traversal stride %d of dimension %d", ErrField, m.Box[i], m.Step[i], i)
		}
	}
	return nil
}

// Encode writes a tensor map.
func (m *Map) Encode() (b [Size]byte) {
	setWord(&b, 0, 4, Magic)
	b[4], b[5], b[6], b[7], b[8], b[9] = byte(m.Rank), byte(m.Mode), byte(m.Type), m.Interleave, m.Swizzle, m.Atom
	if m.NaN {
		b[10] = 1
	}
	setWord(&b, 16, 8, m.Address)
	for i := range 5 {
		if i > 0 {
			setWord(&b, 16+8*i, 8, m.Stride[i])
		}
		setWord(&b, 56+4*i, 4, m.Dim[i]-1)
		setWord(&b, 76+2*i, 2, uint64(m.Box[i]))
		b[86+i] = byte(m.Step[i])
	}
	for i := range 3 {
		setWord(&b, 92+2*i, 2, uint64(m.Lower[i]))
		setWord(&b, 98+2*i, 2, uint64(m.Upper[i]))
	}
	setWord(&b, 104, 2, uint64(m.Channels))
	setWord(&b, 106, 2, uint64(m.Pixels))
	return b
}

// Field is a field that tensormap.replace changes.
type Field uint8

// The fields (PTX ISA, "tensormap.replace").
const (
	GlobalAddress Field = iota
	RankField
	BoxDim
	GlobalDim
	GlobalStride
	ElementStride
	ElemType
	InterleaveLayout
	SwizzleMode
	FillMode
	SwizzleAtomicity
	numFields
)

var fieldNames = [numFields]string{
	"global_address", "rank", "box_dim", "global_dim", "global_stride", "element_stride",
	"elemtype", "interleave_layout", "swizzle_mode", "fill_mode", "swizzle_atomicity",
}

// ParseField finds a field by its modifier.
func ParseField(word string) (Field, bool) {
	for i, n := range fieldNames {
		if n == word {
			return Field(i), true
		}
	}
	return 0, false
}

// Indexed reports whether f is a field that has a value for each dimension.
func (f Field) Indexed() bool { return f >= BoxDim && f <= ElementStride }

// places are offset and size of each field, and of its first value.
var places = [numFields][2]int{{16, 8}, {4, 1}, {76, 2}, {56, 4}, {24, 8}, {86, 1}, {6, 1}, {7, 1}, {8, 1}, {10, 1}, {9, 1}}

// Place returns where tensormap.replace writes the value of a field, of dimension i for an
// indexed one: the offset, the number of bytes, and what is added to the value before. The
// value of the rank is one less than the rank; strides are those of dimension i+1, in bytes.
// It reports false for an index beyond the field.
func (f Field) Place(i int) (at, n int, add uint64, ok bool) {
	at, n = places[f][0], places[f][1]
	limit := 5
	switch f {
	case RankField:
		add = 1
	case GlobalDim:
		add = ^uint64(0)
	case GlobalStride:
		limit = 4
	}
	if !f.Indexed() {
		return at, n, add, true
	}
	return at + i*n, n, add, i >= 0 && i < limit
}
