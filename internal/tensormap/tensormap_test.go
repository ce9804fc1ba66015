package tensormap

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// randomMap makes a map of a tensor of at most 1 MiB, and its access.
func randomMap(r *rand.Rand) *Access {
	types := []Type{U8, U16, U32, F16, F32, BF16, F64, U64}
	m := &Map{Type: types[r.IntN(len(types))], Rank: 1 + r.IntN(5), Address: 1 << 20, Swizzle: uint8(r.IntN(4)), NaN: r.IntN(3) == 0}
	size, _ := m.Type.bytes()
	if m.Swizzle == 3 {
		m.Atom = uint8(r.IntN(4))
	}
	stride := uint64(size)
	a := &Access{Map: m}
	for i := range 5 {
		m.Dim[i], m.Box[i], m.Step[i] = 1, 1, 1
		if i >= m.Rank {
			continue
		}
		m.Dim[i] = uint64(1 + r.IntN(12))
		m.Box[i] = 1 + r.IntN(5)
		if m.Stride[i] = stride; i > 0 {
			m.Step[i] = 1 + r.IntN(3)
		}
		if i == 0 {
			m.Box[0] = 16 / size * (1 + r.IntN(2))
			m.Dim[0] = uint64(1 + r.IntN(40))
		}
		stride = (stride*m.Dim[i] + 15) &^ 15
		a.At[i] = int64(r.IntN(14)) - 3
	}
	return a
}

// swizzled is the place of byte b of 16-byte unit u of a row: the tables of the PTX ISA
// ("Swizzling Modes") as permutations of the units of each row of 128 bytes.
func swizzled(swizzle, atom uint8, at int) int {
	row, unit, b := at/128, at%128/16, at%16
	switch {
	case swizzle == 1: // rows of 32 bytes, in patterns of 256
		unit = unit&^1 | (unit&1+row%2)%2
	case swizzle == 2:
		unit = unit&^3 | [4][4]int{{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}}[row%4][unit%4]
	case swizzle == 3 && atom == 0:
		unit = [8][8]int{
			{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
			{4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2}, {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0},
		}[row%8][unit]
	case swizzle == 3 && atom == 3:
		unit = (unit + row%2*4) % 8
	case swizzle == 3:
		pair := [4][4]int{{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}}[row%4][unit/2]
		unit = 2*pair + unit%2
		if atom == 2 && row%2 == 1 {
			b = (b + 8) % 16
		}
	}
	return row*128 + unit*16 + b
}

// reference is the tile, element by element.
func reference(a *Access, tensor []byte) []byte {
	m := a.Map
	size, _ := m.Type.bytes()
	pitch := max(m.Box[0]*size, []int{0, 32, 64, 128}[m.Swizzle])
	var count [5]int
	for i := range count {
		count[i] = (m.Box[i] + m.Step[i] - 1) / m.Step[i]
	}
	count[0] = m.Box[0]
	rows := count[1] * count[2] * count[3] * count[4]
	out := make([]byte, (rows*pitch+1023)&^1023)
	for e := range count[0] * rows {
		at, k, inside, off := [5]int64{}, e, true, 0
		for i := range at {
			at[i] = a.At[i] + int64(k%count[i]*m.Step[i])
			k /= count[i]
			if inside = inside && at[i] >= 0 && at[i] < int64(m.Dim[i]); inside {
				off += int(at[i]) * int(max(m.Stride[i], 0))
			}
		}
		fill := make([]byte, size)
		if m.NaN {
			switch m.Type {
			case F16, BF16, F32, F64:
				for i := 0; i < size; i += 2 {
					binary.LittleEndian.PutUint16(fill[i:], 0x7ff7)
				}
			}
		}
		if inside {
			fill = tensor[off:][:size]
		}
		for b := range fill {
			linear := e/count[0]*pitch + e%count[0]*size + b
			out[swizzled(m.Swizzle, m.Atom, linear)] = fill[b]
		}
	}
	return out
}

// TestTile compares the walk over tiles with one that goes element by element.
func TestTile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 3000 {
		a := randomMap(r)
		size, _ := a.Type.bytes()
		a.Stride[0] = uint64(size)
		bytesOf := a.Stride[a.Rank-1] * a.Dim[a.Rank-1]
		tensor := make([]byte, bytesOf)
		for i := range tensor {
			tensor[i] = byte(r.Uint32())
		}
		if a.Check() != nil {
			continue
		}
		want := reference(a, tensor)
		got := make([]byte, len(want))
		a.Each(func(run Run) {
			row := make([]byte, run.Bytes)
			a.Fill(row)
			copy(row[run.From:run.To], tensor[min(run.Global-a.Address, uint64(len(tensor))):])
			for i := 0; i < len(row); i++ {
				got[a.Place(uint64(run.Shared+i))] = row[i]
			}
		})
		if !bytes.Equal(got, want) {
			t.Fatalf("case %d: %+v\n got %x\nwant %x", n, a.Map, got, want)
		}
		b := a.Encode()
		again, err := Decode(&b)
		a.Stride[0] = 0
		if err != nil || *again != *a.Map {
			t.Fatalf("case %d: %v\n%+v\n%+v", n, err, again, a.Map)
		}
	}
}

// TestIm2col has the positions of the examples of the PTX ISA ("Im2col mode": Bounding Box,
// Traversal Stride): the bounding box, then the offset of the filter.
func TestIm2col(t *testing.T) {
	type pos struct{ w, h, n int }
	for _, tt := range []struct {
		name          string
		lower, upper  int
		step          int
		offset        int64
		w, h          int
		at            [2]int64
		pixels        int
		first         []pos // the first positions
		wrap, wrapped pos   // the last one in the image, and the first of the next
	}{
		{"example 1", -1, -1, 1, 0, 9, 14, [2]int64{7, 7}, 64, []pos{{7, 7, 0}, {-1, 8, 0}, {0, 8, 0}}, pos{7, 12, 0}, pos{-1, -1, 1}},
		{"example 2", 0, -2, 1, 2, 9, 14, [2]int64{6, 7}, 64, []pos{{8, 9, 0}, {2, 10, 0}, {3, 10, 0}}, pos{8, 13, 0}, pos{2, 2, 1}},
		{"example 3", -1, -1, 2, 1, 8, 14, [2]int64{5, 7}, 32, []pos{{6, 8, 0}, {0, 10, 0}, {2, 10, 0}}, pos{6, 12, 0}, pos{0, 0, 1}},
	} {
		m := &Map{Mode: Im2col, Type: F16, Rank: 4, Channels: 8, Pixels: tt.pixels}
		m.Dim = [5]uint64{64, uint64(tt.w), uint64(tt.h), 64, 1}
		m.Step = [5]int{1, tt.step, tt.step, 1, 1}
		m.Lower, m.Upper = [3]int{tt.lower, tt.lower}, [3]int{tt.upper, tt.upper}
		a := &Access{Map: m, At: [5]int64{0, tt.at[0], tt.at[1], 0}, Offsets: [3]int64{tt.offset, tt.offset}}
		var got []pos
		a.im2col(func(at [5]int64) { got = append(got, pos{int(at[1]), int(at[2]), int(at[3])}) })
		if len(got) != tt.pixels {
			t.Fatalf("%s: %d pixels", tt.name, len(got))
		}
		for i, p := range tt.first {
			if got[i] != p {
				t.Errorf("%s: pixel %d is %v, want %v", tt.name, i, got[i], p)
			}
		}
		for i := 1; i < len(got); i++ {
			if got[i].n == 1 && got[i-1].n == 0 && (got[i-1] != tt.wrap || got[i] != tt.wrapped) {
				t.Errorf("%s: after %v comes %v", tt.name, got[i-1], got[i])
			}
		}
	}
}

// TestPacked has the rows of elements of 4 and 6 bits.
func TestPacked(t *testing.T) {
	for _, tt := range []struct {
		typ         Type
		bytes, data int
		runs        []Run
	}{
		{B4x16, 16, 16, []Run{{0, 16, 0, 8, 8}}},
		{B4x16P64, 32, 16, []Run{{0, 8, 0, 8, 8}, {16, 8, 0, 0, 0}}},
		{B6x16P32, 32, 24, []Run{{0, 12, 0, 12, 12}, {16, 12, 0, 0, 0}}},
	} {
		m := &Map{Type: tt.typ, Rank: 1, Dim: [5]uint64{32, 1, 1, 1, 1}, Box: [5]int{32, 1, 1, 1, 1}, Step: [5]int{1, 1, 1, 1, 1}}
		a := &Access{Map: m, At: [5]int64{16}}
		var runs []Run
		a.Each(func(r Run) { runs = append(runs, r) })
		if a.Bytes() != tt.bytes || a.Data() != tt.data || len(runs) != len(tt.runs) {
			t.Fatalf("%v: %d and %d bytes, %v", tt.typ, a.Bytes(), a.Data(), runs)
		}
		for i := range runs {
			if runs[i] != tt.runs[i] {
				t.Errorf("%v: run %d is %+v", tt.typ, i, runs[i])
			}
		}
	}
}

// FuzzDecode: any bytes are a map or an error.
func FuzzDecode(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		var b [Size]byte
		binary.LittleEndian.PutUint32(b[:], Magic)
		copy(b[4:], data)
		if m, err := Decode(&b); err == nil {
			a := &Access{Map: m}
			if a.Check() == nil && a.Bytes() >= 0 && a.Bytes() < 1<<20 {
				a.Each(func(r Run) {
					if r.From < 0 || r.To > r.Bytes || r.From > r.To || r.Shared+r.Bytes > a.Bytes() {
						t.Errorf("%+v: %+v", m, r)
					}
				})
			}
		}
	})
}

// TestDecodeReplaced reads a map that a kernel made of zeros, setting each field, and refuses
// one with fields that it has not set.
func TestDecodeReplaced(t *testing.T) {
	var b [Size]byte
	set := func(f Field, i int, v uint64) {
		at, n, add, ok := f.Place(i)
		if !ok {
			t.Fatalf("no place for value %d of field %d", i, f)
		}
		setWord(&b, at, n, v+add)
	}
	set(GlobalAddress, 0, 0x1000)
	set(RankField, 0, 1)
	set(ElemType, 0, uint64(F16))
	set(SwizzleMode, 0, 3)
	set(GlobalStride, 0, 512)
	for i, dim := range []uint64{256, 100} {
		set(BoxDim, i, 64)
		set(GlobalDim, i, dim)
		if i == 1 {
			if _, err := Decode(&b); err != ErrMagic {
				t.Errorf("without a traversal stride: %v", err)
			}
		}
		set(ElementStride, i, 1)
	}
	m, err := Decode(&b)
	if err != nil || m.Rank != 2 || m.Type != F16 || m.Swizzle != 3 || m.Dim[0] != 256 || m.Dim[1] != 100 || m.Stride[1] != 512 || m.Box[1] != 64 {
		t.Errorf("%+v, %v", m, err)
	}
	b[0] = 1
	if _, err := Decode(&b); err != ErrMagic {
		t.Errorf("with other bytes before: %v", err)
	}
}
