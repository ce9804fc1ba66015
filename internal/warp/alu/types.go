package alu

// kind is the interpretation of a type's bits.
type kind uint8

const (
	kUnsigned kind = iota
	kSigned
	kBits
	kFloat
	kPred
	kMini // 4-, 6- and 8-bit floating-point formats, only packed
)

// typ is a PTX type as it is written in an opcode: lanes elements of bits bits.
type typ struct {
	kind  kind
	bits  uint8
	lanes uint8
	fmt   *format // of an element, for kFloat up to 32 bits and kMini
}

// typeOf gives the type that an opcode's suffix names (PTX ISA 5.2).
func typeOf(s string) (typ, bool) {
	t, ok := typeNames[s]
	return t, ok
}

var typeNames = map[string]typ{
	"u2": {kUnsigned, 2, 1, nil}, "u4": {kUnsigned, 4, 1, nil},
	"u8": {kUnsigned, 8, 1, nil}, "u16": {kUnsigned, 16, 1, nil},
	"u32": {kUnsigned, 32, 1, nil}, "u64": {kUnsigned, 64, 1, nil},
	"s2": {kSigned, 2, 1, nil}, "s4": {kSigned, 4, 1, nil},
	"s8": {kSigned, 8, 1, nil}, "s16": {kSigned, 16, 1, nil},
	"s32": {kSigned, 32, 1, nil}, "s64": {kSigned, 64, 1, nil},
	"b8": {kBits, 8, 1, nil}, "b16": {kBits, 16, 1, nil},
	"b32": {kBits, 32, 1, nil}, "b64": {kBits, 64, 1, nil},
	"u16x2": {kUnsigned, 16, 2, nil}, "s16x2": {kSigned, 16, 2, nil},
	"f16": {kFloat, 16, 1, &fmtF16}, "f16x2": {kFloat, 16, 2, &fmtF16},
	"bf16": {kFloat, 16, 1, &fmtBF16}, "bf16x2": {kFloat, 16, 2, &fmtBF16},
	"f32": {kFloat, 32, 1, &fmtF32}, "f32x2": {kFloat, 32, 2, &fmtF32},
	"tf32": {kFloat, 32, 1, &fmtTF32}, "f64": {kFloat, 64, 1, nil},
	"pred":   {kPred, 1, 1, nil},
	"e4m3x2": {kMini, 8, 2, &fmtE4M3}, "e5m2x2": {kMini, 8, 2, &fmtE5M2},
	"e2m3x2": {kMini, 8, 2, &fmtE2M3}, "e3m2x2": {kMini, 8, 2, &fmtE3M2},
	"e2m1x2": {kMini, 4, 2, &fmtE2M1}, "ue8m0x2": {kMini, 8, 2, &fmtUE8M0},
}

// size is the number of bits of the whole type.
func (t typ) size() uint8 { return t.bits * t.lanes }

// width is the width of a register of the type.
func (t typ) width() Width {
	switch {
	case t.kind == kPred:
		return Pred
	case t.size() == 0:
		return None
	case t.size() <= 32:
		return W32
	}
	return W64
}

// elem is the type of one element.
func (t typ) elem() typ { return typ{t.kind, t.bits, 1, t.fmt} }

func (t typ) isInt() bool     { return t.kind <= kSigned }
func (t typ) isIntBits() bool { return t.kind <= kBits }
func (t typ) isFloat() bool   { return t.kind == kFloat }
func (t typ) isF64() bool     { return t.kind == kFloat && t.bits == 64 }
func (t typ) isF32() bool     { return t.fmt == &fmtF32 && t.lanes == 1 }
func (t typ) isHalf() bool    { return t.kind == kFloat && t.bits == 16 }
func (t typ) signed() bool    { return t.kind == kSigned }

// Types that opcodes leave unsaid.
var (
	tU32  = typ{kUnsigned, 32, 1, nil}
	tS32  = typ{kSigned, 32, 1, nil}
	tB32  = typ{kBits, 32, 1, nil}
	tPred = typ{kPred, 1, 1, nil}
	tF32  = typ{kFloat, 32, 1, &fmtF32}
)

// mask is the n low bits set; n is at most 64.
func mask(n uint8) uint64 { return ^uint64(0) >> (64 - n) }

// sext sign-extends the n low bits of x.
func sext(x uint64, n uint8) int64 { return int64(x<<(64-n)) >> (64 - n) }

// ext extends x by the type's signedness to 64 bits.
func (t typ) ext(x uint64) uint64 {
	if t.signed() {
		return uint64(sext(x, t.bits))
	}
	return x & mask(t.bits)
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
