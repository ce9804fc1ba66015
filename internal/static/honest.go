package static

import (
	"math/big"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// An example is honest if a program could meet it: an index is computed without running over, and what it takes fits a
// GPU. Questions are about bit-vectors, which run over; the numbers that the same sums and products have tell.

// mostAllocated bounds the allocations of examples, in bytes.
const mostAllocated = 8 << 30

// tooLargeIndex is why an access is left to the run whose only examples run over.
const tooLargeIndex = "not decided: it takes an index that overflows"

// realistic keeps the allocation of an example at what a GPU has.
func realistic(size *solve.Term) []*solve.Term {
	if _, fixed := size.Constant(); fixed || size.Sort() != 64 {
		return nil
	}
	return []*solve.Term{solve.ULe(size, solve.BV(mostAllocated, 64))}
}

// runsOver reports whether an address is computed with overflow in a model: the sum of products that it is has another
// value. Of an address that is no such sum that is not known.
func runsOver(address *solve.Term, m solve.Model) bool {
	p, ok := solve.PolynomialOf(address)
	if !ok || len(p) == 0 {
		return false
	}
	exact := new(big.Int)
	for monomial, factor := range p {
		product := big.NewInt(factor)
		for _, name := range monomial.Factors() {
			v := m[name]
			if v >= 1<<31 { // perhaps a negative number
				return false
			}
			product.Mul(product, new(big.Int).SetUint64(v))
		}
		exact.Add(exact, product)
	}
	w := int(address.Sort())
	if exact.BitLen() < 31 { // not too large: a difference below 0
		return false
	}
	return exact.Cmp(big.NewInt(signedBits(solve.Eval(address, m), w))) != 0
}
