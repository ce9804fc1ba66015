package body

import (
	"math"
	"math/bits"
)

// eval computes a primitive on elements; x[0] of an Arg is the argument.
func (n *Node) eval(x [3]uint64) uint64 {
	switch {
	case n.Op == Arg:
		return x[0]
	case n.Op == Const:
		return n.Bits
	case n.IsMask():
		return n.compare(x[0], x[1])
	case n.Op == Select:
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	case n.Op >= ToF32 && n.Op <= FitU32:
		return n.convert(x[0])
	case n.Op >= AddF && n.Op <= RoundF || n.Op == Canonical:
		if n.Width == 8 {
			return math.Float64bits(n.number(math.Float64frombits(x[0]), math.Float64frombits(x[1]), math.Float64frombits(x[2])))
		}
		return n.single(x)
	}
	r := n.integer(x[0], x[1])
	if n.Width == 4 {
		r &= 1<<32 - 1
	}
	return r
}

func (n *Node) integer(a, b uint64) uint64 {
	width := uint64(n.Width) * 8
	sa, sb := signed(a, n.Width), signed(b, n.Width)
	switch n.Op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case WideU:
		return a & (1<<32 - 1) * (b & (1<<32 - 1))
	case WideS:
		return uint64(signed(a, 4) * signed(b, 4))
	case HighU:
		return a * b >> 32
	case HighS:
		return uint64(sa * sb >> 32)
	case MinU:
		return min(a, b)
	case MinS:
		return uint64(min(sa, sb))
	case MaxU:
		return max(a, b)
	case MaxS:
		return uint64(max(sa, sb))
	case Abs:
		return uint64(max(sa, -sa))
	case Zeros:
		return uint64(bits.LeadingZeros64(a)) - (64 - width)
	case Ones:
		return uint64(bits.OnesCount64(a))
	case And:
		return a & b
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case ShlBy:
		return a << n.Bits
	case ShrUBy:
		return a >> n.Bits
	case ShrSBy:
		return uint64(sa >> n.Bits)
	case ShrS:
		return uint64(sa >> min(b, width-1))
	}
	if b >= width {
		return 0
	}
	if n.Op == Shl {
		return a << b
	}
	return a >> b
}

func signed(v uint64, width uint8) int64 {
	if width == 4 {
		return int64(int32(v))
	}
	return int64(v)
}

// number computes on numbers of 8 bytes.
func (n *Node) number(a, b, c float64) float64 {
	switch n.Op {
	case AddF:
		return a + b
	case SubF:
		return a - b
	case MulF:
		return a * b
	case DivF:
		return a / b
	case FMA:
		return math.FMA(a, b, c)
	case Sqrt:
		return math.Sqrt(a)
	case MinF:
		if a < b {
			return a
		}
		return b
	case MaxF:
		if a > b {
			return a
		}
		return b
	}
	return [...]func(float64) float64{Nearest: math.RoundToEven, Down: math.Floor, Up: math.Ceil, Zero: math.Trunc}[n.Bits](a)
}

// single computes on numbers of 4 bytes; NaN are passed on as bits where x86 does.
func (n *Node) single(x [3]uint64) uint64 {
	a, b, c := math.Float32frombits(uint32(x[0])), math.Float32frombits(uint32(x[1])), math.Float32frombits(uint32(x[2]))
	var r float32
	switch n.Op {
	case Canonical:
		if a != a {
			return 0x7fffffff
		}
		return x[0]
	case MinF, MaxF:
		if n.Op == MinF && a < b || n.Op == MaxF && a > b {
			return x[0]
		}
		return x[1]
	case AddF:
		r = a + b
	case SubF:
		r = a - b
	case MulF:
		r = a * b
	case DivF:
		r = a / b
	case FMA:
		r = fma32(a, b, c)
	default: // exact, or rounded from a result of 53 bits, which is the same (Figueroa 1995)
		r = float32(n.number(float64(a), float64(b), float64(c)))
	}
	return uint64(math.Float32bits(r))
}

// fma32 rounds the sum to odd first: the product is exact, and so the second rounding is right (Boldo and Melquiond 2008).
func fma32(a, b, c float32) float32 {
	p, d := float64(a)*float64(b), float64(c)
	s := p + d
	t := s - p
	e := (p - (s - t)) + (d - t)
	if w := math.Float64bits(s); e != 0 && w&1 == 0 && !math.IsInf(s, 0) && !math.IsNaN(s) {
		if (e > 0) == (s > 0) {
			w++
		} else {
			w--
		}
		s = math.Float64frombits(w)
	}
	return float32(s)
}

func (n *Node) compare(a, b uint64) uint64 {
	var is Relation
	switch {
	case n.Op == Disjoint:
		return b2i(a&b == 0)
	case n.Op == CompareF && n.Width == 8:
		is = order(math.Float64frombits(a), math.Float64frombits(b))
	case n.Op == CompareF:
		is = order(math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b)))
	case n.Op == CompareS:
		is = order(signed(a, n.Width), signed(b, n.Width))
	default:
		is = order(a, b)
	}
	return b2i(Relation(n.Bits)&is != 0)
}

func order[T uint64 | int64 | float32 | float64](a, b T) Relation {
	switch {
	case a < b:
		return Less
	case a == b:
		return Equal
	case a > b:
		return Greater
	}
	return Unordered
}

func b2i(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (n *Node) convert(a uint64) uint64 {
	var f float64
	switch Type(n.Bits) {
	case S32, S64:
		s := int64(a)
		if Type(n.Bits) == S32 {
			s = int64(int32(a))
		}
		if n.Op == ToF32 {
			return uint64(math.Float32bits(float32(s)))
		}
		return math.Float64bits(float64(s))
	case U32, U64:
		if n.Op == ToF32 {
			return uint64(math.Float32bits(float32(a)))
		}
		return math.Float64bits(float64(a))
	case F32:
		f = float64(math.Float32frombits(uint32(a)))
	case F64:
		f = math.Float64frombits(a)
	}
	switch n.Op {
	case ToF32:
		return uint64(math.Float32bits(float32(f)))
	case ToF64:
		return math.Float64bits(f)
	case ToS32:
		f = math.RoundToEven(f)
	}
	f = math.Trunc(f)
	switch {
	case n.Op >= CutU32 && f >= 0 && f < 1<<32:
		return uint64(f)
	case n.Op >= CutU32:
		return 1<<32 - 1
	case f >= -1<<31 && f < 1<<31:
		return uint64(uint32(int32(f)))
	}
	return 1 << 31
}
