package jit

import "encoding/binary"

// Reg is a general register, by its number in the encoding.
type Reg uint8

// General registers. RSP, RBP and R14 belong to Go, and R15 is to be as it was in the end.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// Mem is a memory operand: Base + Index*Scale + Disp. Index is a vector
// register for gathers and scatters (VSIB). Bcast repeats one element in all
// lanes. Pool, if above 0, is one more than the offset of a constant in the
// code's pool instead.
type Mem struct {
	Base  Reg
	Disp  int32
	Index int8 // -1: none
	Scale uint8
	Bcast bool
	Pool  int
}

// At is the memory at base + disp.
func At(base Reg, disp int32) Mem { return Mem{Base: base, Disp: disp, Index: -1} }

// Label is a place in the code.
type Label int

// Asm collects machine code. The zero value is ready.
type Asm struct {
	Buf    []byte
	pool   []byte
	places []int // by label, -1 unknown
	fixes  []fix
	consts map[[2]uint64]int
}

// fix is a 32-bit displacement to fill in: to a label, or into the pool.
type fix struct {
	at    int
	label Label // -1 for the pool
	pool  int
	end   int // the displacement counts from here
}

// NewLabel makes a label that Bind gives its place.
func (a *Asm) NewLabel() Label {
	a.places = append(a.places, -1)
	return Label(len(a.places) - 1)
}

// Bind puts a label here.
func (a *Asm) Bind(l Label) { a.places[l] = len(a.Buf) }

// Place is the offset of a label, -1 before Bind.
func (a *Asm) Place(l Label) int { return a.places[l] }

func (a *Asm) byte(b ...byte) { a.Buf = append(a.Buf, b...) }
func (a *Asm) u32(v uint32)   { a.Buf = binary.LittleEndian.AppendUint32(a.Buf, v) }
func fitsByte(v int32) bool   { return v == int32(int8(v)) }
func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// Const returns the memory of a constant of width bytes (4 or 8), to be read
// with Bcast set or as a scalar.
func (a *Asm) Const(width int, v uint64) Mem {
	return a.data([2]uint64{uint64(width), v}, width, v)
}

// Data returns the memory of a constant of 64 bytes.
func (a *Asm) Data(v [8]uint64) Mem {
	key := [2]uint64{64, v[0] ^ v[1]*3 ^ v[7]*5}
	for a.consts != nil {
		at, ok := a.consts[key]
		if !ok || a.same(at, v) {
			break
		}
		key[1]++
	}
	return a.data(key, 64, v[:]...)
}

func (a *Asm) same(at int, v [8]uint64) bool {
	for i, x := range v {
		if binary.LittleEndian.Uint64(a.pool[at+8*i:]) != x {
			return false
		}
	}
	return true
}

func (a *Asm) data(key [2]uint64, width int, v ...uint64) Mem {
	if a.consts == nil {
		a.consts = map[[2]uint64]int{}
	}
	at, ok := a.consts[key]
	if !ok {
		for len(a.pool)%width != 0 {
			a.pool = append(a.pool, 0)
		}
		at = len(a.pool)
		for _, x := range v {
			a.pool = binary.LittleEndian.AppendUint64(a.pool, x)
		}
		if width == 4 {
			a.pool = a.pool[:at+4]
		}
		a.consts[key] = at
	}
	return Mem{Pool: at + 1, Index: -1}
}

// Finish appends the pool, fills in all displacements and returns the code.
func (a *Asm) Finish() []byte {
	for len(a.Buf)%64 != 0 {
		a.byte(0xcc)
	}
	base := len(a.Buf)
	a.Buf = append(a.Buf, a.pool...)
	for _, f := range a.fixes {
		to := base + f.pool
		if f.label >= 0 {
			to = a.places[f.label]
		}
		binary.LittleEndian.PutUint32(a.Buf[f.at:], uint32(to-f.end))
	}
	a.fixes = a.fixes[:0]
	return a.Buf
}

// modrm encodes a register field and a memory operand. scale8 is the unit of
// compressed displacements (EVEX; 1 otherwise), tail the bytes that follow.
func (a *Asm) modrm(reg byte, m Mem, scale8 int32, tail int) {
	reg = reg & 7 << 3
	if m.Pool > 0 {
		a.byte(reg | 5)
		a.fixes = append(a.fixes, fix{at: len(a.Buf), label: -1, pool: m.Pool - 1, end: len(a.Buf) + 4 + tail})
		a.u32(0)
		return
	}
	mod, disp8 := byte(2), m.Disp
	if m.Disp%scale8 == 0 && fitsByte(m.Disp/scale8) {
		mod, disp8 = 1, m.Disp/scale8
	}
	if m.Disp == 0 && m.Base&7 != 5 {
		mod = 0
	}
	if m.Index >= 0 || m.Base&7 == 4 {
		index := byte(4)
		if m.Index >= 0 {
			index = byte(m.Index) & 7
		}
		ss := map[uint8]byte{0: 0, 1: 0, 2: 1, 4: 2, 8: 3}[m.Scale]
		a.byte(mod<<6|reg|4, ss<<6|index<<3|byte(m.Base)&7)
	} else {
		a.byte(mod<<6 | reg | byte(m.Base)&7)
	}
	switch mod {
	case 1:
		a.byte(byte(disp8))
	case 2:
		a.u32(uint32(m.Disp))
	}
}

// rex emits a REX prefix where one is needed; w for 64-bit operands, force for
// byte registers.
func (a *Asm) rex(w bool, reg, index, base byte, force bool) {
	b := byte(0x40) | pick[byte](w, 8, 0) | reg>>3&1<<2 | index>>3&1<<1 | base>>3&1
	if b != 0x40 || force {
		a.byte(b)
	}
}

// rm emits a general instruction with a memory operand.
func (a *Asm) rm(w bool, op []byte, reg Reg, m Mem, tail int) {
	index, base := byte(0), byte(m.Base)
	if m.Index >= 0 {
		index = byte(m.Index)
	}
	if m.Pool > 0 {
		base = 0
	}
	a.rex(w, byte(reg), index, base, false)
	a.byte(op...)
	a.modrm(byte(reg), m, 1, tail)
}

// rr emits a general instruction with two registers: reg field and rm field.
func (a *Asm) rr(w bool, op []byte, reg, rm Reg) {
	a.rex(w, byte(reg), 0, byte(rm), false)
	a.byte(op...)
	a.byte(0xc0 | byte(reg)&7<<3 | byte(rm)&7)
}

// Arith is one of the eight basic operations, by its number in the encoding.
type Arith byte

// Basic operations.
const (
	ADD Arith = iota
	OR
	ADC
	SBB
	AND
	SUB
	XOR
	CMP
)

// Load is a 64-bit load, Load32 one that zero-extends.
func (a *Asm) Load(d Reg, m Mem)   { a.rm(true, []byte{0x8b}, d, m, 0) }
func (a *Asm) Load32(d Reg, m Mem) { a.rm(false, []byte{0x8b}, d, m, 0) }

// LoadX extends an element of n bytes (1, 2 or 4) to 64 bits.
func (a *Asm) LoadX(d Reg, m Mem, n int, signed bool) {
	switch {
	case n == 4 && signed:
		a.rm(true, []byte{0x63}, d, m, 0)
	case n == 4:
		a.Load32(d, m)
	default:
		a.rm(signed, []byte{0x0f, pick[byte](signed, 0xbe, 0xb6) + byte(n-1)}, d, m, 0)
	}
}

// Store and Store32 write a register.
func (a *Asm) Store(m Mem, s Reg)   { a.rm(true, []byte{0x89}, s, m, 0) }
func (a *Asm) Store32(m Mem, s Reg) { a.rm(false, []byte{0x89}, s, m, 0) }

// StoreX writes the low n bytes (1, 2, 4 or 8) of a register.
func (a *Asm) StoreX(m Mem, s Reg, n int) {
	switch n {
	case 8:
		a.Store(m, s)
	case 4:
		a.Store32(m, s)
	case 2:
		a.byte(0x66)
		a.rm(false, []byte{0x89}, s, m, 0)
	default:
		a.rex(false, byte(s), 0, byte(m.Base), s >= RSP)
		a.byte(0x88)
		a.modrm(byte(s), m, 1, 0)
	}
}

// Move32 is d = the low half of s.
func (a *Asm) Move32(d, s Reg) { a.rr(false, []byte{0x8b}, d, s) }

// Move emits d = s, SignExtend d = the low half of s, extended by its sign.
func Move(a *Asm, d, s Reg)       { a.rr(true, []byte{0x8b}, d, s) }
func SignExtend(a *Asm, d, s Reg) { a.rr(true, []byte{0x63}, d, s) }

// MoveImm loads a constant.
func (a *Asm) MoveImm(d Reg, v uint64) {
	switch {
	case v == 0:
		a.rr(false, []byte{0x33}, d, d)
	case v>>32 == 0:
		a.rex(false, 0, 0, byte(d), false)
		a.byte(0xb8 | byte(d)&7)
		a.u32(uint32(v))
	default:
		a.rex(true, 0, 0, byte(d), false)
		a.byte(0xb8 | byte(d)&7)
		a.Buf = binary.LittleEndian.AppendUint64(a.Buf, v)
	}
}

// Op is d = d op s on 64 bits, or 32 if not wide; CMP only compares.
func (a *Asm) Op(op Arith, wide bool, d, s Reg) { a.rr(wide, []byte{byte(op)*8 + 3}, d, s) }

// OpMem is the same with a memory operand.
func (a *Asm) OpMem(op Arith, wide bool, d Reg, m Mem) { a.rm(wide, []byte{byte(op)*8 + 3}, d, m, 0) }

// OpTo is m = m op s; CMP only compares.
func (a *Asm) OpTo(op Arith, wide bool, m Mem, s Reg) { a.rm(wide, []byte{byte(op)*8 + 1}, s, m, 0) }

// OpImmTo is m = m op v.
func (a *Asm) OpImmTo(op Arith, wide bool, m Mem, v int32) {
	if fitsByte(v) {
		a.rm(wide, []byte{0x83}, Reg(op), m, 1)
		a.byte(byte(v))
		return
	}
	a.rm(wide, []byte{0x81}, Reg(op), m, 4)
	a.u32(uint32(v))
}

// OpImm is d = d op v.
func (a *Asm) OpImm(op Arith, wide bool, d Reg, v int32) {
	a.rex(wide, 0, 0, byte(d), false)
	if fitsByte(v) {
		a.byte(0x83, 0xc0|byte(op)<<3|byte(d)&7, byte(v))
		return
	}
	a.byte(0x81, 0xc0|byte(op)<<3|byte(d)&7)
	a.u32(uint32(v))
}

// CmpMemImm compares 32 bits of memory with a constant.
func (a *Asm) CmpMemImm(m Mem, v int32) {
	a.rm(false, []byte{0x81}, 7, m, 4)
	a.u32(uint32(v))
}

// Test sets the flags of d & s.
func (a *Asm) Test(wide bool, d, s Reg) { a.rr(wide, []byte{0x85}, s, d) }

// TestImm sets the flags of the low 32 bits of d & v.
func (a *Asm) TestImm(d Reg, v int32) {
	a.rex(false, 0, 0, byte(d), false)
	a.byte(0xf7, 0xc0|byte(d)&7)
	a.u32(uint32(v))
}

// Mul is d = low half of d * s.
func (a *Asm) Mul(wide bool, d, s Reg) { a.rr(wide, []byte{0x0f, 0xaf}, d, s) }

// Neg and Not change d in place.
func (a *Asm) Neg(wide bool, d Reg) { a.rr(wide, []byte{0xf7}, 3, d) }
func (a *Asm) Not(wide bool, d Reg) { a.rr(wide, []byte{0xf7}, 2, d) }

// PopCount is d = the number of bits in the low 32 of s (POPCNT).
func (a *Asm) PopCount(d, s Reg) {
	a.byte(0xf3)
	a.rr(false, []byte{0x0f, 0xb8}, d, s)
}

// LeaLabel is d = the address of l.
func (a *Asm) LeaLabel(d Reg, l Label) {
	a.rex(true, byte(d), 0, 0, false)
	a.byte(0x8d, byte(d)&7<<3|5)
	a.target(l)
}

// Lea is d = the address of m.
func (a *Asm) Lea(d Reg, m Mem) { a.rm(true, []byte{0x8d}, d, m, 0) }

// Prefetch emits an instruction that brings what is at m near, and does nothing where nothing is.
func Prefetch(a *Asm, m Mem) { a.rm(false, []byte{0x0f, 0x18}, 1, m, 0) }

// ShiftKind tells the shifts by a constant, by their number in the encoding.
type ShiftKind byte

// Shifts.
const (
	SHL ShiftKind = 4
	SHR ShiftKind = 5
	SAR ShiftKind = 7
)

// ShiftImm shifts d by n, below the width.
func (a *Asm) ShiftImm(k ShiftKind, wide bool, d Reg, n byte) {
	a.rr(wide, []byte{0xc1}, Reg(k), d)
	a.byte(n)
}

// TrailingZeros is d = the number of the lowest bit of the low 32 of s (TZCNT).
func (a *Asm) TrailingZeros(d, s Reg) {
	a.byte(0xf3)
	a.rr(false, []byte{0x0f, 0xbc}, d, s)
}

// HighestBit is d = the number of the highest bit of the low 32 of s, which are not 0 (BSR).
func (a *Asm) HighestBit(d, s Reg) { a.rr(false, []byte{0x0f, 0xbd}, d, s) }

// BitOp changes one bit; the carry is what it was.
type BitOp byte

// Changes of a bit.
const (
	BitSet   BitOp = 0xab
	BitClear BitOp = 0xb3
)

// Emit changes bit n%64 of d.
func (op BitOp) Emit(a *Asm, d, n Reg) { a.rr(true, []byte{0x0f, byte(op)}, n, d) }

// CompareExchange stores s at m if RAX is what is there, or loads RAX, all at once
// for other processors too (LOCK CMPXCHG).
func (a *Asm) CompareExchange(wide bool, m Mem, s Reg) {
	a.byte(0xf0)
	a.rm(wide, []byte{0x0f, 0xb1}, s, m, 0)
}

// Cond is a condition, by its number in the encoding.
type Cond byte

// Conditions.
const (
	O Cond = iota
	NO
	B
	AE
	E
	NE
	BE
	A
	S
	NS
	P
	NP
	L
	GE
	LE
	G
)

// Set makes the whole of d 0 or 1; it leaves the flags.
func (a *Asm) Set(c Cond, d Reg) {
	a.rex(false, 0, 0, byte(d), true)
	a.byte(0x0f, 0x90|byte(c), 0xc0|byte(d)&7)
	a.rex(false, byte(d), 0, byte(d), true)
	a.byte(0x0f, 0xb6, 0xc0|byte(d)&7<<3|byte(d)&7)
}

// CMov is d = s where the condition holds.
func (a *Asm) CMov(c Cond, wide bool, d, s Reg) { a.rr(wide, []byte{0x0f, 0x40 | byte(c)}, d, s) }

// Jump, JumpIf, JumpTo and Ret change control.
func (a *Asm) Jump(l Label) {
	a.byte(0xe9)
	a.target(l)
}

// JumpIf jumps where the condition holds.
func (a *Asm) JumpIf(c Cond, l Label) {
	a.byte(0x0f, 0x80|byte(c))
	a.target(l)
}

// JumpTo jumps to the address in r.
func (a *Asm) JumpTo(r Reg) { a.rr(false, []byte{0xff}, 4, r) }

// Ret returns.
func (a *Asm) Ret() { a.byte(0xc3) }

func (a *Asm) target(l Label) {
	a.fixes = append(a.fixes, fix{at: len(a.Buf), label: l, end: len(a.Buf) + 4})
	a.u32(0)
}
