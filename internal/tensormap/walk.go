package tensormap

import (
	"encoding/binary"
	"fmt"
)

// Run is a row of an access: Bytes bytes of shared memory from offset Shared of the tile on,
// before swizzling, of which those from From to before To are in the tensor; these begin at
// Global. The others are filled, and not written to global memory. Where groups are padded in
// shared memory, the row is one group.
type Run struct {
	Shared, Bytes, From, To int
	Global                  uint64
}

// Access is one access by a tensor map.
type Access struct {
	*Map
	// At are coordinates in elements. Offsets are those of im2col, of W, H and D. Rows are the
	// rows of gather4 and scatter4, nil for other accesses.
	At      [5]int64
	Offsets [3]int64
	Rows    []int64
	// Store is set for copies and reductions to global memory.
	Store bool
}

// Bytes is the size of the tile in shared memory, and Data the bytes of it that an mbarrier
// counts: padding is not among them.
func (a *Access) Bytes() int { return a.rowPitch() * a.rows() }

// Data counts the bytes that are copied: those filled are among them, padding is not.
func (a *Access) Data() int {
	global, _ := a.Type.bytes()
	return a.inner() / a.Type.group() * global * a.rows()
}

// inner is the number of elements of a row.
func (a *Access) inner() int {
	if a.Mode != Tile {
		return a.Channels
	}
	return a.Box[0]
}

// rowPitch is the distance of rows in shared memory, which is at least the swizzle's (CUDA C++
// Programming Guide, "TMA Swizzle").
func (a *Access) rowPitch() int {
	_, shared := a.Type.bytes()
	return max(a.inner()/a.Type.group()*shared, a.span())
}

// span is the width of the swizzle, 0 for none.
func (m *Map) span() int { return [...]int{0, 32, 64, 128, 96}[m.Swizzle] }

// count is how many elements of dimension i an access has: the box, in traversal strides
// (PTX ISA, "Traversal-Stride").
func (a *Access) count(i int) int { return (a.Box[i] + a.Step[i] - 1) / a.Step[i] }

func (a *Access) rows() int {
	switch {
	case a.Rows != nil:
		return len(a.Rows)
	case a.Mode != Tile:
		return a.Pixels
	}
	n := 1
	for i := 1; i < a.Rank; i++ {
		n *= a.count(i)
	}
	return n
}

// CoordinateError is an error of Check about where the access begins.
type CoordinateError string

func (e CoordinateError) Error() string { return string(e) }

// Check says what is wrong with an access of so many coordinates and offsets, nil for nothing.
func (a *Access) Check() error {
	if err := a.checkMap(); err != nil {
		return err
	}
	return a.checkStart()
}

// checkStart tests the first element of an access. What no guide says was measured on GPUs of
// sm_90, where such an instruction is an illegal one.
func (a *Access) checkStart() error {
	if size, _ := a.Type.bytes(); a.Type.group() == 1 && a.At[0]*int64(size)%16 != 0 {
		return CoordinateError(fmt.Sprintf("innermost coordinate %d, which is %d bytes into a row: tiles begin at multiples of 16 bytes", a.At[0], a.At[0]*int64(size)))
	}
	if !a.Store {
		return nil
	}
	for i := range a.Rank { // CUDA C++ Programming Guide, "Using TMA to transfer multi-dimensional arrays"
		if a.Mode == Tile && a.Rows == nil && a.At[i] < 0 {
			return CoordinateError(fmt.Sprintf("coordinate %d in dimension %d: a store cannot begin before the tensor", a.At[i], i))
		}
	}
	for i := range max(a.Rank-2, 0) {
		if a.Mode == Im2col && (a.Lower[i] < 0 || a.Upper[i] > 0) {
			return fmt.Errorf("a store needs a bounding box within the tensor, and its corners are %d and %d in dimension %d", a.Lower[i], a.Upper[i], i+1)
		}
	}
	return nil
}

// checkMap tests the fields that encoding or tensormap.replace leaves open.
func (a *Access) checkMap() error {
	row := a.inner() / a.Type.group()
	_, shared := a.Type.bytes()
	switch group := a.Type.group(); {
	case a.Interleave != 0:
		return fmt.Errorf("its interleaved layout is not supported")
	case a.Swizzle == 4 || a.Mode == Im2colW || a.Mode == Im2colW128:
		return fmt.Errorf("its mode is not supported")
	case a.inner()%group != 0 || a.At[0]%int64(group) != 0:
		return fmt.Errorf("the innermost coordinate %d and box size %d are not multiples of %d elements", a.At[0], a.inner(), group)
	case row*shared%16 != 0:
		return fmt.Errorf("a row of the box has %d bytes, which is not a multiple of 16", row*shared)
	case a.span() != 0 && row*shared > a.span():
		return fmt.Errorf("a row of the box has %d bytes, more than the %d of its swizzle", row*shared, a.span())
	case a.Address%16 != 0:
		return fmt.Errorf("its global address %#x is not a multiple of 16", a.Address)
	}
	for i := 1; i < a.Rank; i++ {
		if a.Stride[i]%16 != 0 || a.Stride[i] >= 1<<40 {
			return fmt.Errorf("the stride of %d bytes of dimension %d is not a multiple of 16 below 2^40", a.Stride[i], i)
		}
	}
	return nil
}

// Each calls f for each row, in the order of shared memory.
func (a *Access) Each(f func(Run)) {
	row := 0
	next := func(at [5]int64) {
		a.row(row*a.rowPitch(), at, f)
		row++
	}
	switch {
	case a.Rows != nil:
		for _, y := range a.Rows {
			at := a.At
			at[1] = y
			next(at)
		}
	case a.Mode == Tile:
		a.tile(a.Rank-1, a.At, next)
	default:
		a.im2col(next)
	}
}

// tile goes over dimensions i to 1.
func (a *Access) tile(i int, at [5]int64, f func([5]int64)) {
	if i <= 0 {
		f(at)
		return
	}
	for range a.count(i) {
		a.tile(i-1, at, f)
		at[i] += int64(a.Step[i])
	}
}

// im2col goes over the pixels of a column: those of the bounding box, which is moved by the
// offsets, along W, H, D, and then N (PTX ISA, "Im2col mode").
func (a *Access) im2col(f func([5]int64)) {
	at, last := a.At, a.Rank-1
	for range a.Pixels {
		moved := at
		for i := 1; i < last; i++ {
			moved[i] += a.Offsets[i-1]
		}
		f(moved)
		i := 1
		for ; i < last; i++ {
			if at[i] += int64(a.Step[i]); at[i] <= int64(a.Dim[i])-1+int64(a.Upper[i-1]) {
				break
			}
			at[i] = int64(a.Lower[i-1])
		}
		if i == last {
			at[last] += int64(a.Step[last])
		}
	}
}

// row calls f for the row at a coordinate.
func (a *Access) row(shared int, at [5]int64, f func(Run)) {
	group := a.Type.group()
	size, padded := a.Type.bytes()
	n := a.inner() / group
	first, dim := at[0]/int64(group), (int64(a.Dim[0])+int64(group)-1)/int64(group)
	from := min(max(-first, 0), int64(n))
	to := max(min(dim-first, int64(n)), from)
	global := a.Address + uint64((first+from)*int64(size))
	for i := 1; i < a.Rank; i++ {
		if at[i] < 0 || at[i] >= int64(a.Dim[i]) {
			from, to = 0, 0
		}
		global += uint64(at[i]) * a.Stride[i]
	}
	if size == padded {
		f(Run{Shared: shared, Bytes: n * size, From: int(from) * size, To: int(to) * size, Global: global})
		return
	}
	for i := range int64(n) {
		r := Run{Shared: shared + int(i)*padded, Bytes: size}
		if i >= from && i < to {
			r.To, r.Global = size, global+uint64((i-from)*int64(size))
		}
		f(r)
	}
}

// Place returns where the byte at an offset of shared memory goes: swizzling exchanges parts of
// rows of 128 bytes, by the bits of the address (PTX ISA, "Swizzling Modes").
func (m *Map) Place(at uint64) uint64 {
	row := at >> 7
	switch {
	case m.Swizzle == 1:
		return at ^ row&1<<4
	case m.Swizzle == 2:
		return at ^ row&3<<4
	case m.Swizzle != 3:
		return at
	}
	switch m.Atom {
	case 1:
		return at ^ row&3<<5
	case 2:
		return at ^ row&3<<5 ^ row&1<<3
	case 3:
		return at ^ row&1<<6
	}
	return at ^ row&7<<4
}

// Pieces is the size and alignment of what Place moves as a whole.
func (m *Map) Pieces() int {
	if m.Swizzle == 3 && m.Atom == 2 {
		return 8
	}
	return 16
}

// oobNaN is what 16 bits of a number that is not in the tensor get. It is the operand for which
// fma.rn.oob yields 0.
const oobNaN = 0x7ff7

// Fill is what bytes that are not in the tensor get: zeros, or NaNs
// (CUDA driver API, "CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA"; the NaN is that of GPUs).
func (m *Map) Fill(b []byte) {
	clear(b)
	switch m.Type {
	case F16, BF16, F32, F32Ftz, TF32, TF32Ftz, F64:
	default:
		return
	}
	for i := 0; m.NaN && i+2 <= len(b); i += 2 {
		binary.LittleEndian.PutUint16(b[i:], oobNaN)
	}
}

// Convert makes of numbers that a load has read what it writes: those of tf32 are rounded to
// nearest even.
func (m *Map) Convert(b []byte) {
	if m.Type != TF32 && m.Type != TF32Ftz {
		return
	}
	for ; len(b) >= 4; b = b[4:] {
		v := binary.LittleEndian.Uint32(b)
		if v&(1<<31-1) > 0x7f800000 {
			v = 0x7fffe000
		} else {
			v = (v + 0xfff + v>>13&1) &^ 0x1fff
		}
		binary.LittleEndian.PutUint32(b, v)
	}
}
