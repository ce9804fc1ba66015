package isa

// Type is a PTX fundamental or packed type (PTX ISA, "Types").
type Type uint8

// The types. TypeNone is the zero value.
const (
	TypeNone Type = iota
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	BF16
	BF16x2
	TF32
	F32
	F32x2
	F64
	E4M3
	E5M2
	E4M3x2
	E5M2x2
	U16x2
	S16x2
	U8x4
	S8x4
	Pred
	TexRef
	SamplerRef
	SurfRef
	E4M3x4
	E5M2x4
	E2M1x2
	E2M1x4
	E2M3x2
	E2M3x4
	E3M2x2
	E3M2x4
	UE8M0x2
	S2F6x2
	numTypes
)

var typeInfo = [numTypes]struct {
	name string
	size int
}{
	TypeNone: {"", 0},
	B8:       {"b8", 1}, B16: {"b16", 2}, B32: {"b32", 4}, B64: {"b64", 8}, B128: {"b128", 16},
	U8: {"u8", 1}, U16: {"u16", 2}, U32: {"u32", 4}, U64: {"u64", 8},
	S8: {"s8", 1}, S16: {"s16", 2}, S32: {"s32", 4}, S64: {"s64", 8},
	F16: {"f16", 2}, F16x2: {"f16x2", 4}, BF16: {"bf16", 2}, BF16x2: {"bf16x2", 4},
	TF32: {"tf32", 4}, F32: {"f32", 4}, F32x2: {"f32x2", 8}, F64: {"f64", 8},
	E4M3: {"e4m3", 1}, E5M2: {"e5m2", 1}, E4M3x2: {"e4m3x2", 2}, E5M2x2: {"e5m2x2", 2},
	U16x2: {"u16x2", 4}, S16x2: {"s16x2", 4}, U8x4: {"u8x4", 4}, S8x4: {"s8x4", 4},
	Pred:   {"pred", 0},
	TexRef: {"texref", 8}, SamplerRef: {"samplerref", 8}, SurfRef: {"surfref", 8},
	E4M3x4: {"e4m3x4", 4}, E5M2x4: {"e5m2x4", 4}, E2M1x2: {"e2m1x2", 1}, E2M1x4: {"e2m1x4", 2},
	E2M3x2: {"e2m3x2", 2}, E2M3x4: {"e2m3x4", 4}, E3M2x2: {"e3m2x2", 2}, E3M2x4: {"e3m2x4", 4},
	UE8M0x2: {"ue8m0x2", 2}, S2F6x2: {"s2f6x2", 2},
}

var typeByName = func() map[string]Type {
	m := map[string]Type{}
	for t := B8; t < numTypes; t++ {
		m[typeInfo[t].name] = t
	}
	return m
}()

// ParseType finds a type by its name without the dot; TypeNone if there is none.
func ParseType(name string) Type { return typeByName[name] }

// String returns the name without the dot.
func (t Type) String() string { return typeInfo[t].name }

// Size is the size in bytes in memory; 0 for predicates.
func (t Type) Size() int { return typeInfo[t].size }

// IsSigned reports whether t is a signed integer type.
func (t Type) IsSigned() bool { return t >= S8 && t <= S64 }

// IsFloat reports whether t is a scalar floating-point type of 16, 32 or 64 bits.
func (t Type) IsFloat() bool {
	return t == F16 || t == BF16 || t == TF32 || t == F32 || t == F64
}
