package matrix

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// matrixRow is a row of an 8x8 matrix of 16-bit elements, 16 bytes.
type matrixRow [4]uint32

func (s *matrixRows) exec(u *Unit, m uint32) bool {
	if !u.together(s.Mem.Site, m) {
		return false
	}
	t := u.made()
	lanes := ^uint32(0) >> (32 - 8*len(s.Regs))
	var shadows *rowShadows
	if u.warp.Following() {
		if shadows = new(rowShadows); s.Store && u.taint.Undefined() {
			s.rowsOf(u, shadows)
		}
	}
	if s.Store {
		for i, r := range s.Regs {
			s.toRows(&t.rows, i, u.regs.V32(r))
		}
		t.data = matrixData{rows: &t.rows}
	} else {
		u.did.Reads++
	}
	addr, sp := u.warp.AddressesOf(&s.Mem, lanes)
	for rest := lanes; rest != 0; {
		space, same := sp.NextSpace(&s.Mem, rest, addr)
		if !s.access(u, space, same, addr, sp, shadows) {
			return false
		}
		if rest &^= same; rest != 0 {
			sp.Measure(addr, rest)
		}
	}
	if s.Store {
		return true
	}
	if shadows != nil {
		s.shadeRows(u, shadows)
	}
	for i, r := range s.Regs {
		if r != program.NoSlot {
			s.fromRows(u.regs.V32(r), &t.rows, i)
		}
	}
	return true
}

// access moves the rows of lanes m between memory and scratch.
func (s *matrixRows) access(u *Unit, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span, shadows *rowShadows) bool {
	if space != trace.SpaceShared {
		return u.warp.WrongSpace(&s.Mem, space, m, addr, "shared")
	}
	base, ok := u.warp.Access(&s.Mem, space, m, addr, sp, s.data(u), trace.Sync)
	if !ok {
		return false
	}
	switch {
	case shadows == nil:
	case s.Store:
		s.storedRows(u, shadows, space, m, addr)
	default:
		s.loadedRows(u, shadows, space, m, addr)
	}
	rows := &u.scratch.rows
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		p := (*matrixRow)(unsafe.Add(base, addr[l]))
		if s.Store {
			*p = rows[l]
		} else {
			rows[l] = *p
		}
	}
	if s.Store {
		u.did.Progress++
	}
	return true
}

// data is what observers see of what is stored, nil for a load.
func (s *matrixRows) data(u *Unit) trace.Data {
	if s.Store {
		return &u.scratch.data
	}
	return nil
}

// fromRows gives register i its elements of the rows of all matrices.
func (s *matrixRows) fromRows(d *vec.Row32, rows *[32]matrixRow, i int) {
	switch s.Shape {
	case program.Matrix8x8:
		fromRows(d, (*[8]matrixRow)(rows[8*i:]), s.Trans)
		return
	case program.Matrix8x16: // lane l has four bytes of row l/4
		for l := range d {
			d[l] = s.bytesOf(&rows[8*i+l/4], l%4*4, 4)
		}
		return
	}
	for l := range d { // rows l/4 and l/4+8 of a matrix of 16 columns: bytes of four rows in memory
		d[l] = 0
		for e := range 4 {
			d[l] |= s.bytesOf(&rows[i/2*16+l%4*4+e], l/4+8*(i%2), 1) << (8 * e)
		}
	}
}

// bytesOf are n bytes of a row, unpacked.
func (s *matrixRows) bytesOf(row *matrixRow, at, n int) (v uint32) {
	var b [PieceBytes]byte
	for i, x := range row {
		binary.LittleEndian.PutUint32(b[4*i:], x)
	}
	if s.Packed != 0 {
		if b = UnpackElements(b, s.Packed); s.Packed == 4 { // in the lower bits here
			for i := range b {
				b[i] >>= 2
			}
		}
	}
	for i := range n {
		v |= uint32(b[at+i]) << (8 * i)
	}
	return v
}

// toRows puts register i into the rows of all matrices.
func (s *matrixRows) toRows(rows *[32]matrixRow, i int, from *vec.Row32) {
	if s.Shape == program.Matrix8x8 {
		toRows((*[8]matrixRow)(rows[8*i:]), from, s.Trans)
		return
	}
	clear(rows[8*i : 8*i+8])
	for l, v := range from { // columns 2*(l%4) and the next one, of rows l/4 and l/4+8
		for e := range 4 {
			at := l/4 + e/2*8
			rows[8*i+l%4*2+e%2][at/4] |= v >> (8 * e) & 0xff << (at % 4 * 8)
		}
	}
}

// fromRows gives lane l elements 2*(l%4) and the next one of row l/4, or of
// column l/4 if trans.
func fromRows(d *vec.Row32, rows *[8]matrixRow, trans bool) {
	for l := range d {
		i, j := l/4, l%4
		if !trans {
			d[l] = rows[i][j]
			continue
		}
		shift := uint(i%2) * 16
		d[l] = rows[2*j][i/2]>>shift&0xffff | rows[2*j+1][i/2]>>shift<<16
	}
}

// toRows is the inverse of fromRows.
func toRows(rows *[8]matrixRow, s *vec.Row32, trans bool) {
	if trans {
		var t vec.Row32
		transpose(&t, s)
		s = &t
	}
	for l, v := range s {
		rows[l/4][l%4] = v
	}
}

// transpose transposes an 8x8 matrix of 16-bit elements in a register.
func transpose(d, s *vec.Row32) {
	var rows [8]matrixRow
	for l, v := range s {
		rows[l/4][l%4] = v
	}
	fromRows(d, &rows, true)
}

func (s *matrixMove) exec(u *Unit, m uint32) bool {
	if !u.together(s.Site, m) {
		return false
	}
	var t vec.Row32
	transpose(&t, u.regs.V32(s.A))
	if s.D != program.NoSlot {
		*u.regs.V32(s.D) = t
	}
	return true
}

// matrixData shows observers what an instruction is about to store: rows, or
// elements of a fragment's register.
type matrixData struct {
	rows      *[32]matrixRow
	regs      *vec.Registers
	frag      *fragment
	reg, elem int
}

// Value implements trace.Data.
func (d *matrixData) Value(lane, elem int) uint64 {
	if d.rows != nil {
		return uint64(d.rows[lane][elem/2&3] >> (elem % 2 * 16) & 0xffff)
	}
	bits := uint(d.frag.Frag.Elem.Bits())
	v := d.regs.LaneValue(d.frag.Regs[d.reg], d.frag.Frag.Elem.Width(), lane)
	return v >> (uint(d.elem+elem) * bits) & vec.LowBits(bits)
}

func (s *fragment) exec(u *Unit, m uint32) bool {
	if !u.together(s.Mem.Site, m) {
		return false
	}
	if !s.Store {
		u.did.Reads++
	}
	start, sp := u.warp.AddressesOf(&s.Mem, m)
	if pitch, same := s.onePitch(u); same && sp.Regular && sp.Step == 0 {
		done, ok := s.whole(u, start[0], pitch)
		if done && !ok || !done && !s.parts(u, m, start, sp) {
			return false
		}
	} else if !s.parts(u, m, start, sp) {
		return false
	}
	for i := len(s.Frag.Index); i < len(s.Regs) && !s.Store; i++ {
		u.copyReg(s.Regs[i], s.Regs[i%len(s.Frag.Index)])
	}
	return true
}

// onePitch returns the pitch and whether all lanes have the same.
func (s *fragment) onePitch(u *Unit) (uint64, bool) {
	if s.Stride != program.NoSlot {
		row := u.regs.V32(s.Stride)
		for _, n := range row {
			if n != row[0] {
				return 0, false
			}
		}
	}
	return s.pitch(u, 0), true
}

// parts accesses the matrix piece by piece.
func (s *fragment) parts(u *Unit, m uint32, start *vec.Row64, sp *vec.Span) bool {
	u.start = *start
	for l := range u.pitch { // a result may overwrite the operand
		u.pitch[l] = s.pitch(u, l)
	}
	if !s.aligned(u, m, sp) {
		return false
	}
	for r := range s.Frag.Index {
		for e := 0; e < s.Frag.PerReg; e += s.perPiece() {
			if !s.piece(u, m, r, e) {
				return false
			}
		}
	}
	return true
}

// copyReg copies a register of 32 bits.
func (u *Unit) copyReg(d, s int32) {
	if d != program.NoSlot && s != program.NoSlot {
		*u.regs.V32(d) = *u.regs.V32(s)
		if u.taint.Undefined() {
			u.taint.FollowMove(^uint32(0), []int32{d}, alu.W32, []int32{s}, alu.W32, func() { *u.regs.V32(d) = *u.regs.V32(s) })
		}
	}
}

// pitch is the distance of rows or columns of lane l in bytes.
func (s *fragment) pitch(u *Unit, l int) uint64 {
	n := uint64(s.Fixed)
	if s.Stride != program.NoSlot {
		n = uint64(u.regs.V32(s.Stride)[l])
	}
	if s.Packed {
		return n / 8
	}
	return n * uint64(s.Frag.Elem.Bits()) / 8
}

// alignment is what the rows' addresses must be multiples of.
func (s *fragment) alignment() uint64 {
	return min(16, uint64(len(s.Regs)*s.Frag.Elem.RegBits()/8))
}

// aligned checks that rows begin where the instruction wants them: at
// multiples of the fragment's size in bytes (PTX ISA, "Matrix Storage for
// WMMA"), of which CUDA guarantees 16 ("CUDA C++ Programming Guide", "Warp
// Matrix Functions": ldm is a multiple of 16 bytes).
func (s *fragment) aligned(u *Unit, m uint32, sp *vec.Span) bool {
	size := s.alignment()
	pitch := u.pitch[0]
	if (sp.Or|pitch)&(size-1) == 0 {
		return true
	}
	addr := u.start
	space := s.Mem.Space
	if space == trace.SpaceGeneric {
		space = vec.SpaceOf(addr[0])
	}
	f := u.warp.AccessFault(trace.FaultMisaligned, trace.CauseMisaligned, &s.Mem, space, 0, m, addr[0])
	f.Message = s.Mem.Site.Opcode() + misalignedRows(addr[0], pitch, size)
	return false
}

// piece accesses elements e and the following of register r.
func (s *fragment) piece(u *Unit, m uint32, r, e int) bool {
	addr := &u.addr
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		addr[l] = u.start[l] + s.offset(r, l, e, u.pitch[l])
	}
	u.span.Measure(addr, m)
	if s.Store {
		u.made().data = matrixData{regs: u.regs, frag: s, reg: r, elem: e}
	}
	for m != 0 {
		sp, same := u.span.NextSpace(&s.Mem, m, addr)
		if !s.access(u, sp, same, addr, &u.span, r, e) {
			return false
		}
		if m &^= same; m != 0 {
			u.span.Measure(addr, m)
		}
	}
	return true
}

// data is what observers see of what is stored, nil for a load.
func (s *fragment) data(u *Unit) trace.Data {
	if s.Store {
		return &u.scratch.data
	}
	return nil
}

func (s *fragment) access(u *Unit, sp trace.Space, m uint32, addr *vec.Row64, span *vec.Span, r, e int) bool {
	if sp != trace.SpaceShared && sp != trace.SpaceGlobal {
		return u.warp.WrongSpace(&s.Mem, sp, m, addr, "global or shared")
	}
	base, ok := u.warp.Access(&s.Mem, sp, m, addr, span, s.data(u), trace.Sync)
	if !ok {
		return false
	}
	slot := s.Regs[r]
	if slot == program.NoSlot {
		return true
	}
	if u.warp.Following() && u.taint.MustFollow(&s.Mem, sp, span) {
		s.followPiece(u, sp, m, addr, slot, e)
	}
	if s.Store {
		u.did.Progress++
	}
	if m == ^uint32(0) && s.move(u, base, addr, span, slot, e) {
		return true
	}
	s.moveLanes(u, base, m, addr, r, e)
	return true
}

// moveLanes moves the elements of a piece, lane by lane.
func (s *fragment) moveLanes(u *Unit, base unsafe.Pointer, m uint32, addr *vec.Row64, r, e int) {
	slot, width := s.Regs[r], s.Frag.Elem.Width()
	n := s.Mem.Elem * s.Mem.Count
	shift := uint(e * s.Frag.Elem.Bits())
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		p := unsafe.Add(base, addr[l])
		if s.Store {
			vec.WriteElem(p, n, u.regs.LaneValue(slot, width, l)>>shift)
			continue
		}
		v := vec.ReadElem(p, n) << shift
		if e > 0 {
			v |= u.regs.LaneValue(slot, width, l) & vec.LowBits(shift)
		}
		u.regs.SetLane(slot, width, l, v)
	}
}

// perPiece is the number of elements that are accessed at once.
func (s *fragment) perPiece() int { return s.Mem.Elem * s.Mem.Count * 8 / s.Frag.Elem.Bits() }

// misalignedRows says why the rows of a matrix in memory are misaligned.
func misalignedRows(addr, pitch, size uint64) string {
	return fmt.Sprintf(" of a matrix at %#x with rows %d bytes apart: both must be multiples of %d", addr, pitch, size)
}

// PieceBytes is the size of what a descriptor's layout moves as a whole.
const PieceBytes = 16

// UnpackElements makes bytes of 16 elements of six or four bits: of six bits the lower ones, of
// four those in the middle, where the tensor cores have elements of such types (PTX ISA,
// "Optional Decompression", "mma").
func UnpackElements(b [PieceBytes]byte, width int) (out [PieceBytes]byte) {
	lo, hi := binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])
	for i := range out {
		at := i * width
		v := lo >> at
		if at >= 64 {
			v = hi >> (at - 64)
		} else if at > 0 {
			v |= hi << (64 - at)
		}
		if out[i] = byte(v & vec.LowBits(uint(width))); width == 4 {
			out[i] <<= 2
		}
	}
	return out
}
