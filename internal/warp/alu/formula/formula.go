package formula

import "math"

// Op is an operation of a Node.
type Op uint8

// Operations. Masks, the results of comparisons, are for Select alone.
const (
	Arg    Op = iota // argument number A
	Const            // Bits
	Add              // A + B
	Sub              // A - B
	Mul              // A * B
	Div              // A / B
	FMA              // A * B + C, rounded once
	Sqrt             // square root of A
	Round            // A rounded to an integer, ties to even
	Min              // A if A < B, else B: B if either is NaN
	Max              // A if A > B, else B
	AddI             // patterns: A + B
	SubI             // A - B
	And              // A and B
	Or               // A or B
	Xor              // A exclusive or B
	Shl              // A shifted left by Bits
	Shr              // A shifted right by Bits, filled with zeros
	Less             // mask of ones or zeros: A < B, false for NaN
	Equal            // mask: A == B, false for NaN
	NaN              // mask: A or B is NaN
	Select           // B where the mask A is set, else C
)

// Node is one operation; A, B and C are indices of earlier nodes, or the number of an
// argument.
type Node struct {
	Op      Op
	A, B, C int
	Bits    uint64
}

// Formula is a function of one or two arguments.
type Formula struct {
	Args int
	// Nodes are in order of evaluation; the last one is the result.
	Nodes []Node
	// Limit is the largest magnitude of arguments for which the formula holds, infinite if
	// it holds for all. NaN gives NaN.
	Limit float64
}

// operands is the number of nodes that an operation reads.
var operands = [...]int{Add: 2, Sub: 2, Mul: 2, Div: 2, FMA: 3, Sqrt: 1, Round: 1, Min: 2, Max: 2, AddI: 2, SubI: 2, And: 2,
	Or: 2, Xor: 2, Shl: 1, Shr: 1, Less: 2, Equal: 2, NaN: 2, Select: 3}

// Operands lists the nodes that n reads.
func (n *Node) Operands() []int { return []int{n.A, n.B, n.C}[:operands[n.Op]] }

// LastUses has by node the last one that reads it, itself if none does. A Select reads
// what its mask compares: masks may be made where they are needed.
func (f *Formula) LastUses() []int {
	last := make([]int, len(f.Nodes))
	for i := range f.Nodes {
		n := &f.Nodes[i]
		last[i] = i
		for _, x := range n.Operands() {
			last[x] = i
		}
		if n.Op == Select {
			for _, x := range f.Nodes[n.A].Operands() {
				last[x] = i
			}
		}
	}
	return last
}

// Holds reports whether the formula holds for arguments.
func (f *Formula) Holds(x, y float64) bool {
	return !(math.Abs(x) > f.Limit) && !(math.Abs(y) > f.Limit)
}

// maxNodes bounds a formula's nodes.
const maxNodes = 128

// Eval computes the formula for one or two arguments; y is ignored by those of one.
func (f *Formula) Eval(x, y float64) float64 {
	var v [maxNodes]uint64
	for i := range f.Nodes {
		n := &f.Nodes[i]
		switch n.Op {
		case Arg:
			v[i] = math.Float64bits([2]float64{x, y}[n.A&1])
		case Const:
			v[i] = n.Bits
		case AddI:
			v[i] = v[n.A] + v[n.B]
		case SubI:
			v[i] = v[n.A] - v[n.B]
		case And:
			v[i] = v[n.A] & v[n.B]
		case Or:
			v[i] = v[n.A] | v[n.B]
		case Xor:
			v[i] = v[n.A] ^ v[n.B]
		case Shl:
			v[i] = v[n.A] << n.Bits
		case Shr:
			v[i] = v[n.A] >> n.Bits
		case Select:
			v[i] = v[n.C]
			if v[n.A] != 0 {
				v[i] = v[n.B]
			}
		case Less, Equal, NaN:
			if compare(n.Op, math.Float64frombits(v[n.A]), math.Float64frombits(v[n.B])) {
				v[i] = math.MaxUint64
			}
		default:
			v[i] = math.Float64bits(arithmetic(n.Op, math.Float64frombits(v[n.A]), math.Float64frombits(v[n.B]), math.Float64frombits(v[n.C])))
		}
	}
	return math.Float64frombits(v[len(f.Nodes)-1])
}

func compare(op Op, a, b float64) bool {
	switch op {
	case Less:
		return a < b
	case Equal:
		return a == b
	}
	return a != a || b != b
}

func arithmetic(op Op, a, b, c float64) float64 {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Div:
		return a / b
	case FMA:
		return math.FMA(a, b, c)
	case Sqrt:
		return math.Sqrt(a)
	case Round:
		return math.RoundToEven(a)
	case Min:
		if a < b {
			return a
		}
		return b
	case Max:
		if a > b {
			return a
		}
		return b
	}
	return 0
}
