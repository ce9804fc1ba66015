package solve

import "math/bits"

// What z3 does before its own count begins costs time too: it turns operations
// on bit-vectors into gates. Measured with z3 4.8.12, a million of its units
// take a third of a second, and a question as much as these units beside.
const (
	perQuestion = 10_000
	perGate     = 80 // of products and quotients, of which there are width² gates
)

// mostWeight bounds the weight of a question that is asked at all, and
// gatesPerStep that of one that may take few steps.
const (
	mostWeight   = 2_000_000
	gatesPerStep = 10
)

// weigh is what translating a term to gates costs, in z3's units.
func weigh(t *Term) uint64 {
	sum := uint64(perQuestion)
	for _, x := range postorder(t) {
		if x.sort <= 0 {
			continue
		}
		w, rows := uint64(x.sort), uint64(x.sort)
		switch x.op {
		case OpMul:
			if y := x.args[1]; y.op == OpConst {
				rows = uint64(max(min(bits.OnesCount64(y.value), bits.OnesCount64(-y.value&mask(y.sort)))-1, 0))
			}
		case OpUDiv, OpURem, OpSDiv, OpSRem:
		default:
			continue
		}
		sum += perGate * w * rows
	}
	return sum
}
