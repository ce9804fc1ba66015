package taint

import (
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// What becomes of undefined bits in arithmetic? Of most operations each result bit may
// depend on all bits of all operands. Exact are those with which programs take values
// apart and put them together, choose and compare: there a defined operand, or a defined
// bit, can make the others irrelevant.

// operands are an operation's values and their undefined bits.
type operands struct {
	v, u [4]uint64
	n    int
}

// any reports whether a bit of the operands in mask is undefined.
func (x *operands) any(mask uint) bool {
	for k := range x.n {
		if mask>>k&1 != 0 && x.u[k] != 0 {
			return true
		}
	}
	return false
}

// narrow cuts the first two operands to n bits: a register may be wider.
func (x *operands) narrow(n int) {
	for k := range 2 {
		x.v[k] &= vec.LowBits(uint(n))
		x.u[k] &= vec.LowBits(uint(n))
	}
}

// valueOf is an operation's first result.
func valueOf(op *alu.Op, v [4]uint64) uint64 {
	r, _ := op.Fn(v[0], v[1], v[2], v[3])
	return r & whole(op.Dst)
}

// flow is an operation's rule: the undefined bits of the result, and whether that is
// computed, and not only moved or joined.
type flow func(op *alu.Op, x *operands) (u uint64, computed bool)

var flows sync.Map // of *alu.Op to flow

func flowOf(op *alu.Op) flow {
	if f, ok := flows.Load(op); ok {
		return f.(flow)
	}
	f := newFlow(op)
	flows.Store(op, f)
	return f
}

// newFlow chooses the rule by the opcode.
func newFlow(op *alu.Op) flow {
	name, _, _ := strings.Cut(op.Name, ":")
	parts := strings.Split(name, ".")
	typ := parts[len(parts)-1]
	integer := isInteger(typ)
	n, _ := strconv.Atoi(strings.TrimLeft(typ, "usbf"))
	switch parts[0] {
	case "mov", "not", "brev",
		"ld", "st": // of a function's parameters, which live in registers: their bytes are taken out and put in
		return wires(0)
	case "and", "or", "xor":
		return bitwise
	case "lop3":
		if op.Dst2 == alu.None && len(op.Args) <= 4 {
			return lop3
		}
	case "shl", "shr":
		return wires(1 << 1)
	case "shf", "prmt":
		return wires(1 << 2)
	case "bfe", "szext":
		return wires(1<<1 | 1<<2)
	case "bfi":
		return wires(1<<2 | 1<<3)
	case "selp":
		return selected
	case "slct":
		return wires(1 << 2)
	case "cvt":
		if from := parts[len(parts)-1]; len(parts) >= 3 && isInteger(from) && isInteger(parts[len(parts)-2]) && !strings.Contains(name, ".sat") {
			return wires(0)
		}
	case "add", "sub", "neg":
		if integer && !strings.Contains(name, "sat") && n >= 16 && op.Dst2 == alu.None && len(op.Args) <= 2 {
			return sum
		}
	case "mul", "mul24", "mad", "mad24":
		if integer && (parts[1] == "lo" || parts[1] == "wide") && !op.CarryIn && op.Dst2 == alu.None {
			return product
		}
	case "min", "max":
		if integer && len(parts) == 2 {
			return monotone(typ[0] == 's', n)
		}
	case "setp":
		return comparison(parts, integer, typ[0] == 's', n)
	}
	switch parts[0] {
	case "add", "sub", "mul", "fma", "min", "max", "abs", "neg":
		if strings.HasSuffix(typ, "x2") {
			return byHalves
		}
	}
	return allBits
}

func isInteger(t string) bool {
	return t != "" && strings.Trim(t[1:], "0123456789") == "" && (t[0] == 'u' || t[0] == 's' || t[0] == 'b')
}

// allBits makes the whole result undefined.
func allBits(op *alu.Op, x *operands) (uint64, bool) {
	if !x.any(^uint(0)) {
		return 0, false
	}
	return whole(op.Dst), true
}

// wires is for operations of which each result bit is one operand bit or its inverse, as
// long as the operands in control are defined.
func wires(control uint) flow {
	return func(op *alu.Op, x *operands) (uint64, bool) {
		if x.any(control) {
			return whole(op.Dst), true
		}
		return valueOf(op, x.v) ^ valueOf(op, flipped(x, ^uint(0))), false
	}
}

// flipped are the values with the undefined bits of the operands in mask inverted.
func flipped(x *operands, mask uint) [4]uint64 {
	v := x.v
	for k := range x.n {
		if mask>>k&1 != 0 {
			v[k] ^= x.u[k]
		}
	}
	return v
}

// bitwise is for operations of which a result bit depends on one bit of each operand.
func bitwise(op *alu.Op, x *operands) (u uint64, computed bool) {
	first := valueOf(op, x.v)
	for mask := uint(1); mask < 1<<x.n; mask++ {
		u |= first ^ valueOf(op, flipped(x, mask))
	}
	return u, false
}

func lop3(op *alu.Op, x *operands) (uint64, bool) {
	if x.n == 4 && x.u[3] != 0 {
		return whole(op.Dst), true
	}
	return bitwise(op, x)
}

// selected is selp: where the choice is undefined, what differs is.
func selected(_ *alu.Op, x *operands) (uint64, bool) {
	switch {
	case x.u[2] != 0:
		return x.v[0] ^ x.v[1] | x.u[0] | x.u[1], true
	case x.v[2] != 0:
		return x.u[0], false
	}
	return x.u[1], false
}

// sum is for additions and subtractions: from the lowest and the highest values that the
// operands can have (Nethercote, Seward, "Building Workload Characterization Tools with
// Valgrind": the exact rule).
func sum(op *alu.Op, x *operands) (uint64, bool) {
	u := x.u[0] | x.u[1]
	if u == 0 {
		return 0, false
	}
	lo, hi := x.v, x.v
	for k := range 2 {
		lo[k], hi[k] = x.v[k]&^x.u[k], x.v[k]|x.u[k]
	}
	if op.Name[0] != 'a' { // what is subtracted goes the other way
		k := x.n - 1
		lo[k], hi[k] = hi[k], lo[k]
	}
	return (valueOf(op, lo) ^ valueOf(op, hi) | u) & whole(op.Dst), !(op.Name[0] == 'a' && joins(x.v[0]|x.u[0], x.v[1]|x.u[1]))
}

// joins reports whether a sum only puts two halves of 64 bits together.
func joins(a, b uint64) bool {
	const low = 1<<32 - 1
	return a&low == 0 && b&^low == 0 && a != 0 || b&low == 0 && a&^low == 0 && b != 0
}

// product is for mul and mad: a result bit depends on those below and at it.
func product(op *alu.Op, x *operands) (uint64, bool) {
	u, computed := factors(x)
	if x.n == 3 {
		rest := x.v
		rest[2] = 0
		y := operands{v: [4]uint64{valueOf(op, rest), x.v[2]}, u: [4]uint64{u & whole(op.Dst), x.u[2]}, n: 2}
		u |= y.u[1]
		lo, hi := y.v[0]&^y.u[0]+y.v[1]&^y.u[1], (y.v[0]|y.u[0])+(y.v[1]|y.u[1])
		computed = computed || u != 0 && !joins(y.v[0]|y.u[0], y.v[1]|y.u[1])
		u |= lo ^ hi
	}
	return u & whole(op.Dst), computed && u&whole(op.Dst) != 0
}

// factors are the undefined bits of a product.
func factors(x *operands) (uint64, bool) {
	if x.u[0]|x.u[1] == 0 {
		return 0, false
	}
	for k := range 2 {
		a, b := x.v[k], 1-k
		if x.u[k] != 0 || x.u[b] == 0 {
			continue
		}
		if a == 0 {
			return 0, false
		}
		return upward(x.u[b]) << bits.TrailingZeros64(a), a&(a-1) != 0
	}
	return upward(x.u[0] | x.u[1]), true
}

// extremes are the values with undefined bits such that they are least and greatest.
func extremes(x *operands, signed bool, n int) (lo, hi [4]uint64) {
	lo, hi = x.v, x.v
	for k := range 2 {
		u, sign := x.u[k], uint64(0)
		if signed {
			sign = u & (1 << (n - 1))
		}
		lo[k] = x.v[k]&^u | sign
		hi[k] = (x.v[k] | u) &^ sign
	}
	return lo, hi
}

// monotone is for min and max: between the least and the greatest result the bits agree
// down to the first one that differs.
func monotone(signed bool, n int) flow {
	return func(op *alu.Op, x *operands) (uint64, bool) {
		x.narrow(n)
		lo, hi := extremes(x, signed, n)
		d := valueOf(op, lo) ^ valueOf(op, hi)
		return 1<<bits.Len64(d) - 1, true
	}
}

// comparison is for setp without and with a Boolean operand: whether the relation can hold
// and can fail.
func comparison(parts []string, integer, signed bool, n int) flow {
	join := len(parts) > 3 && (parts[2] == "and" || parts[2] == "or" || parts[2] == "xor")
	return func(op *alu.Op, x *operands) (uint64, bool) {
		var tries [][4]uint64
		x.narrow(n)
		switch {
		case !x.any(1<<0 | 1<<1):
			tries = [][4]uint64{x.v}
		case !integer:
			return undecided(x, join, parts)
		case parts[1] == "eq" || parts[1] == "ne":
			tries = equalOrNot(x)
		default:
			lo, hi := extremes(x, signed, n)
			tries = [][4]uint64{{lo[0], hi[1], x.v[2]}, {hi[0], lo[1], x.v[2]}}
		}
		return differs(op, x, tries), true
	}
}

// differs reports whether the results of the tries differ, with all values of an
// undefined third operand.
func differs(op *alu.Op, x *operands, tries [][4]uint64) uint64 {
	first := valueOf(op, tries[0])
	for _, v := range tries {
		for flip := uint64(0); flip <= x.u[2]&1; flip++ {
			w := v
			w[2] ^= flip
			if valueOf(op, w) != first {
				return 1
			}
		}
	}
	return 0
}

// equalOrNot are values of which some are equal, if they can be, and some not.
func equalOrNot(x *operands) [][4]uint64 {
	same := x.v
	same[0] = x.v[0]&^x.u[0] | x.v[1]&x.u[0]
	same[1] = x.v[1]&^x.u[1] | same[0]&x.u[1]
	other := same
	other[0] ^= x.u[0] & -x.u[0]
	if x.u[0] == 0 {
		other[1] ^= x.u[1] & -x.u[1]
	}
	return [][4]uint64{same, other}
}

// undecided is a comparison that may be true or false: a Boolean operand can decide.
func undecided(x *operands, join bool, parts []string) (uint64, bool) {
	if join && x.u[2] == 0 && (parts[2] == "and" && x.v[2] == 0 || parts[2] == "or" && x.v[2] != 0) {
		return 0, false
	}
	return 1, true
}

// byHalves is for vectors of two: each half of the result depends on that of the operands.
func byHalves(op *alu.Op, x *operands) (uint64, bool) {
	var all, u uint64
	for k := range x.n {
		all |= x.u[k]
	}
	half := uint(16)
	if op.Dst == alu.W64 {
		half = 32
	}
	if op.Dst != alu.W32 && op.Dst != alu.W64 {
		return allBits(op, x)
	}
	low := uint64(1)<<half - 1
	if all&low != 0 {
		u |= low
	}
	if all>>half != 0 {
		u |= low << half
	}
	return u, u != 0
}
