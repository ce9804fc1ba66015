package program

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// TensorKind is the kind of types of tcgen05.mma.
type TensorKind uint8

// The kinds.
const (
	TensorF16 TensorKind = iota
	TensorTF32
	TensorF8F6F4
	TensorI8
	TensorMXF8F6F4
	TensorMXF4
	TensorMXF4NVF4
)

var tensorKinds = [...]string{"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"}

// String is the modifier without "kind::".
func (k TensorKind) String() string { return tensorKinds[k] }

// ParseTensorKind finds a kind by that.
func ParseTensorKind(word string) (TensorKind, bool) {
	for k, w := range tensorKinds {
		if w == word {
			return TensorKind(k), true
		}
	}
	return 0, false
}

// TensorProduct is tcgen05.mma: D = A*B + D (PTX ISA, "TensorCore 5th Generation of MMA
// Instructions"). Arithmetic is that of MMA; a product of scaled elements is summed up for each
// block of the scale, multiplied by both scales, and added.
type TensorProduct struct {
	// Site is the write of D, SiteA and SiteB are the reads of shared memory (SiteA is nil if A
	// is in tensor memory), Reads those of tensor memory.
	Site, SiteA, SiteB, Reads *trace.Site

	Kind TensorKind
	// Pair is set for .cta_group::2, Stationary for .ws, Sparse for .sp, Shift for .ashift.
	Pair, Stationary, Sparse, Shift bool
	// ScaleVec is the number of scales for each row, 0 if the kind decides; Block the number of
	// elements for each scale, 0 if ScaleVec decides.
	ScaleVec, Block int

	D, A, Meta, ScaleA, ScaleB TensorAddr
	// DescA and DescB are the slots of the matrix descriptors, Desc that of the instruction
	// descriptor.
	DescA, DescB, Desc int32
	// Disabled are the slots of the mask of lanes of D that are not written.
	Disabled []int32
	// Enable is the slot of the predicate without which D starts at zero; if it is NoSlot,
	// Fresh tells whether it does.
	Enable           int32
	EnableNot, Fresh bool
	// Down is n in D * 2^-n.
	Down int
	// Zeros is the slot of the zero-column mask descriptor.
	Zeros int32
}

// Slots implements Step.
func (s *TensorProduct) Slots(f SlotFunc) {
	for _, a := range []*TensorAddr{&s.D, &s.A, &s.Meta, &s.ScaleA, &s.ScaleB} {
		a.slots(f)
	}
	f(&s.DescA, alu.W64, Reads)
	f(&s.DescB, alu.W64, Reads)
	f(&s.Desc, alu.W32, Reads)
	f(&s.Enable, alu.Pred, Reads)
	f(&s.Zeros, alu.W64, Reads)
	for i := range s.Disabled {
		f(&s.Disabled[i], alu.W32, Reads)
	}
}

// BlockScaled reports whether k is one of the kinds with scales.
func (k TensorKind) BlockScaled() bool { return k >= TensorMXF8F6F4 }

// TensorDesc is an instruction descriptor, unpacked.
type TensorDesc struct {
	Sparse, Saturate bool
	D, A, B          Elem
	NegA, NegB       bool
	TransA, TransB   bool
	M, N, K          int
	Selector         int
	ScaleA, ScaleB   int // the scales' byte in a word
	E8M0             bool
	Scales           int // for each row
}

var tensorFloats = map[uint32]Elem{0: ElemE4M3, 1: ElemE5M2, 3: ElemE2M3, 4: ElemE3M2, 5: ElemE2M1}

// tensorTypes are the types of A and B by kind and number.
var tensorTypes = [...]map[uint32]Elem{
	TensorF16:      {0: ElemF16, 1: ElemBF16},
	TensorTF32:     {2: ElemTF32},
	TensorF8F6F4:   tensorFloats,
	TensorI8:       {0: ElemU8, 1: ElemS8},
	TensorMXF8F6F4: tensorFloats,
	TensorMXF4:     {1: ElemF4},
	TensorMXF4NVF4: {1: ElemF4},
}

// DeepTensor is what Unpack returns for a K of 96, whose scales are where only figures of the ISA have
// them.
const DeepTensor = "a K of 96"

// Unpack unpacks an instruction descriptor (PTX ISA, "Instruction descriptor"); bad is what it
// has that the instruction does not take, "" for nothing.
func (s *TensorProduct) Unpack(v uint32) (d TensorDesc, bad string) {
	bit := func(n int) bool { return v>>n&1 != 0 }
	d = TensorDesc{Sparse: bit(2), NegA: bit(13), NegB: bit(14), TransA: bit(15), TransB: bit(16), N: int(v >> 17 & 63 * 8)}
	typeB := v >> 10 & 7
	if s.Kind.BlockScaled() {
		d.M, d.D, d.E8M0 = int(v>>27&3*128), ElemF32, bit(23)
		d.ScaleA, d.ScaleB = int(v>>29&3), int(v>>4&3)
		if s.Kind != TensorMXF8F6F4 {
			typeB = v >> 10 & 3
		}
	} else {
		d.M, d.Selector, d.Saturate = int(v>>24&31*16), int(v&3), bit(3)
		switch format := v >> 4 & 3; {
		case format == 0 && (s.Kind == TensorF16 || s.Kind == TensorF8F6F4):
			d.D = ElemF16
		case format == 1 && s.Kind != TensorI8:
			d.D = ElemF32
		case format == 2 && s.Kind == TensorI8:
			d.D = ElemS32
		default:
			return d, "a type of D that .kind::" + s.Kind.String() + " does not have"
		}
	}
	var okA, okB bool
	d.A, okA = tensorTypes[s.Kind][v>>7&7]
	d.B, okB = tensorTypes[s.Kind][typeB]
	switch {
	case !okA || !okB:
		return d, "a type of A or B that .kind::" + s.Kind.String() + " does not have"
	case d.D == ElemF16 && (d.A == ElemBF16 || d.B == ElemBF16), s.Kind == TensorF16 && d.A != d.B && d.D == ElemF16:
		return d, "types that do not go together"
	case d.Sparse != s.Sparse:
		return d, "a sparsity that is not that of the instruction"
	}
	d.K = s.depth()
	if s.Kind >= TensorMXF4 && bit(31) {
		return d, DeepTensor
	}
	return d, s.shapes(&d)
}

// depth is the extent along K.
func (s *TensorProduct) depth() int {
	k := [...]int{TensorF16: 16, TensorTF32: 8, TensorF8F6F4: 32, TensorI8: 32, TensorMXF8F6F4: 32, TensorMXF4: 64, TensorMXF4NVF4: 64}[s.Kind]
	if s.Sparse {
		k *= 2
	}
	return k
}

// shapes checks M and N (PTX ISA, "Various combinations of .kind and shapes") and the scales
// ("Valid combinations of scale_vectorsize").
func (s *TensorProduct) shapes(d *TensorDesc) string {
	ms, step := []int{64, 128}, 8
	switch {
	case s.Stationary:
		ms = []int{32, 64, 128}
	case s.Kind.BlockScaled() && s.Pair && s.Sparse:
		ms = []int{256}
	case s.Pair:
		ms = []int{128, 256}
	case s.Kind.BlockScaled():
		ms = []int{128}
	}
	if s.Kind == TensorI8 && d.N > 32 {
		step = 16
	}
	if s.Pair {
		step *= 2
	}
	ok := d.N >= step && d.N <= 256 && d.N%step == 0
	if s.Stationary {
		ok = d.N == 64 || d.N == 128 || d.N == 256 && !s.Sparse
	}
	found := false
	for _, m := range ms {
		found = found || m == d.M
	}
	switch {
	case !found || !ok:
		return "a shape that the instruction does not have"
	case s.Shift && d.M < 128:
		return "an M below 128, with .ashift"
	case !s.Kind.BlockScaled():
		return ""
	}
	d.Scales = s.scales(d.K)
	switch want := map[TensorKind][]int{TensorMXF8F6F4: {1}, TensorMXF4: {2}, TensorMXF4NVF4: {2, 4}}[s.Kind]; {
	case d.Scales != want[0] && d.Scales != want[len(want)-1]:
		return "a number of scales that .kind::" + s.Kind.String() + " does not have"
	case d.E8M0 != (s.Kind != TensorMXF4NVF4) && !(d.E8M0 && s.Kind == TensorMXF4NVF4):
		return "a type of the scales that .kind::" + s.Kind.String() + " does not have"
	case !d.E8M0 && d.Scales != 4:
		return "scales of type ue4m3, of which there are four for each row"
	case (d.ScaleA|d.ScaleB)&(d.Scales-1) != 0:
		return "a scale factor ID that is not a multiple of the scales for each row"
	}
	return ""
}

// scales is the number of scales for each row.
func (s *TensorProduct) scales(k int) int {
	dense := k
	if s.Sparse {
		dense /= 2
	}
	switch {
	case s.ScaleVec != 0:
		return s.ScaleVec
	case s.Block != 0:
		return dense / s.Block
	case s.Kind == TensorMXF8F6F4:
		return 1
	}
	return 2
}

// TensorMatrix unpacks a shared memory descriptor of tcgen05 (PTX ISA, "Shared memory
// descriptor"); ok is false for an invalid swizzling mode.
func TensorMatrix(d uint64) (m SharedMatrix, ok bool) {
	m = SharedMatrix{Start: d & 0x3fff << 4, Lead: d >> 16 & 0x3fff << 4, Stride: d >> 32 & 0x3fff << 4, Base: d >> 49 & 7, Swizzle: 16}
	switch d >> 61 {
	case 0:
	case 1:
		m.Swizzle, m.Wide = 128, true
	case 2:
		m.Swizzle = 128
	case 4:
		m.Swizzle = 64
	case 6:
		m.Swizzle = 32
	default:
		return m, false
	}
	return m, true
}

// ZeroColumns are the columns of an N wide B that count as zeros, and how far its columns are
// shifted (PTX ISA, "Zero-Column Mask Descriptor").
func ZeroColumns(desc uint64, m, n int) (zero []bool, shift int) {
	zero = make([]bool, n)
	shift = int(desc >> 56 & 63)
	if desc>>39&1 == 0 {
		return zero, shift
	}
	skip, use := int(desc>>40&255)+1, int(desc>>48&255)+1
	parts := 128 / m
	for p := range parts {
		start, first := int(desc>>(8*p)&255), desc>>(32+p)&1 != 0
		for i := range n / parts {
			at := (i + start) % (skip + use)
			if first {
				zero[p*n/parts+i] = at < skip
			} else {
				zero[p*n/parts+i] = at >= use
			}
		}
	}
	return zero, shift
}
