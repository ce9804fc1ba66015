package tensor

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// maxPlaces bounds how many are kept.
const maxPlaces = 256

// descriptor is a matrix descriptor, 0 for none. All lanes have the same.
func (u *Unit) descriptor(slot int32) uint64 {
	if slot == program.NoSlot {
		return 0
	}
	return u.regs.LaneValue(slot, alu.W64, 0)
}

// extents are those of A or B as it is stored, for this warp: rows or columns, and elements
// along K.
func (s *wgmma) extents(isB bool) (outer, k int) {
	switch {
	case isB:
		return s.N, s.K
	case s.Meta != program.NoSlot:
		return 16, s.K / 2
	}
	return 16, s.K
}

// placesOf finds where A or B lies.
func (u *Unit) placesOf(s *wgmma, desc uint64, isB bool) *places {
	elem, mnMajor := s.ElemA, s.TransA
	quarter := u.warp.Number() % 4
	if isB {
		elem, mnMajor, quarter = s.ElemB, s.TransB, 0
	}
	outer, k := s.extents(isB)
	per := matrix.PieceBytes * 8 / elem.Bits()
	key := placesKey{desc: desc, outer: outer, pieces: k / per, major: mnMajor, quarter: quarter}
	if mnMajor {
		key.outer, key.pieces = k, outer/per
	}
	all := u.block.scratch().places
	if p := all[key]; p != nil {
		return p
	}
	if len(all) >= maxPlaces {
		clear(all)
	}
	p := key.find()
	all[key] = p
	return p
}

// find computes the places.
func (key placesKey) find() *places {
	p, m := &places{outer: key.outer}, program.WgmmaMatrix(key.desc)
	if key.tensor {
		m, _ = program.TensorMatrix(key.desc)
	}
	for i := range key.outer {
		for c := range key.pieces {
			var at uint64
			if key.major {
				at = m.MNMajor(key.quarter*key.pieces+c, i)
			} else {
				at = m.KMajor(key.quarter*16+i, c)
			}
			p.at = append(p.at, uint32(at))
		}
	}
	sorted := slices.Clone(p.at)
	slices.Sort(sorted)
	for _, at := range slices.Compact(sorted) {
		if n := len(p.ranges); n > 0 && p.ranges[n-1].Addr+p.ranges[n-1].N == uint64(at) {
			p.ranges[n-1].N += matrix.PieceBytes
		} else {
			p.ranges = append(p.ranges, trace.Range{Addr: uint64(at), N: matrix.PieceBytes})
		}
		p.end = uint64(at) + matrix.PieceBytes
	}
	return p
}

// operands finds A and B in shared memory, checks their bounds and tells observers of the
// reads. A is nil if it is in registers.
func (u *Unit) operands(s *wgmma, op *groupOp, number uint64) (a, b *places, ok bool) {
	if s.DescA != program.NoSlot {
		if a = u.placesOf(s, op.a, false); !u.reads(s.SiteA, a, number) {
			return nil, nil, false
		}
	}
	b = u.placesOf(s, op.b, true)
	return a, b, u.reads(s.SiteB, b, number)
}

// reads checks bounds and emits the event.
func (u *Unit) reads(site *trace.Site, p *places, number uint64) bool {
	u.warp.Count(site, trace.SpaceShared)
	if n := uint64(len(u.block.Place().Shared)); p.end > n {
		return u.beyond(site, p, n)
	}
	if f := u.block.Observer().AsyncBegan; f != nil {
		f(&trace.AsyncAccess{Site: site, Issuer: u.block.Place().Index, Warp: u.warp.Number(), Mask: ^uint32(0), Op: number, Ranges: p.ranges})
	}
	return true
}

// beyond is the fault of a matrix that ends after n bytes of shared memory.
func (u *Unit) beyond(site *trace.Site, p *places, n uint64) bool {
	var addr vec.Row64
	for _, at := range p.at {
		if uint64(at)+matrix.PieceBytes > n {
			addr[0] = uint64(at)
			break
		}
	}
	op := &program.Mem{Site: site, Space: trace.SpaceShared, Elem: matrix.PieceBytes, Count: 1}
	u.warp.OutOfShared(op, 1, &addr, matrix.PieceBytes)
	return false
}

// inputsOf reads A and B from shared memory: A by rows, B in groups of eight columns. convert
// unpacks a piece.
func inputsOf[T float32 | int32](s *wgmma, u *Unit, a, b *places, dstA, dstB []T, convert func(program.Elem, []byte, *[16]T) int) {
	if a != nil {
		_, k := s.extents(false)
		if s.TransA {
			gather(u, a, s.ElemA, convert, func(i, c, per int) (int, int) { return c*per*k + i, k }, k, dstA)
		} else {
			gather(u, a, s.ElemA, convert, func(i, c, per int) (int, int) { return i*k + c*per, 1 }, 16, dstA)
		}
	}
	if s.TransB {
		gather(u, b, s.ElemB, convert, func(i, c, per int) (int, int) { return c*8*s.K + 8*i, 1 }, s.K, dstB)
		return
	}
	gather(u, b, s.ElemB, convert, func(i, c, per int) (int, int) { return i/8*8*s.K + i%8 + c*per*8, 8 }, s.N, dstB)
}

// gather unpacks pieces; place is where the first element goes, and the distance of the next one.
func gather[T float32 | int32](u *Unit, p *places, e program.Elem, convert func(program.Elem, []byte, *[16]T) int,
	place func(outer, chunk, per int) (first, step int), outer int, dst []T) {
	var values [16]T
	chunks := len(p.at) / outer
	shared := u.block.Place().Shared
	for i := range outer {
		for c := range chunks {
			n := convert(e, shared[p.at[i*chunks+c]:][:matrix.PieceBytes], &values)
			at, step := place(i, c, n)
			for _, v := range values[:n] {
				dst[at] = v
				at += step
			}
		}
	}
}

// floatPiece unpacks elements of a type that f32 holds exactly. It returns their number.
func floatPiece(e program.Elem, b []byte, out *[16]float32) int {
	switch e {
	case program.ElemF16:
		t := matrix.Halves()
		for i := range 8 {
			out[i] = t[binary.LittleEndian.Uint16(b[2*i:])]
		}
		return 8
	case program.ElemBF16:
		for i := range 8 {
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		}
		return 8
	case program.ElemTF32: // the low 13 bits are not read
		for i := range 4 {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]) &^ 0x1fff)
		}
		return 4
	}
	t := matrix.Eights(e)
	for i, v := range b {
		out[i] = t[v]
	}
	return 16
}

// intPiece unpacks integers of eight bits, or words of one-bit elements.
func intPiece(e program.Elem, b []byte, out *[16]int32) int {
	switch e {
	case program.ElemB1:
		for i := range 4 {
			out[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		}
		return 4
	case program.ElemS8:
		for i, v := range b {
			out[i] = int32(int8(v))
		}
	default:
		for i, v := range b {
			out[i] = int32(v)
		}
	}
	return 16
}

// undefinedIn finds the rows of A, or columns of B, with an element in the block's shared memory that was stored with an undefined
// value, and its origin. Elements of one piece belong to one of them, or, where the matrix is MN-major, each to another.
func (b *Block) undefinedIn(p *places, e program.Elem, mnMajor bool, origins []uint32) {
	t := b.Taints().Shared
	if p == nil || !b.Taints().Following || t == nil || !t.Any() {
		return
	}
	chunks, per := len(p.at)/p.outer, perPiece(e)
	for n, at := range p.at {
		t.Each(uint64(at), matrix.PieceBytes, func(off uint64, _ uint8, origin uint32) {
			i := n / chunks
			if mnMajor {
				i = n%chunks*per + int(off-uint64(at))*8/e.Bits()
			}
			if i < len(origins) { // else a column that fills the last piece
				origins[i] = origin | trace.Computed
			}
		})
	}
}
