package native

import (
	"math"
	"sync"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
)

var formulaBodies sync.Map // of *alu.Op

// BodyOf is the body of an operation, nil if it has none.
func BodyOf(o *alu.Op) *body.Body {
	if o.Formula == nil {
		return body.Of(o.Name)
	}
	b, ok := formulaBodies.Load(o)
	if !ok {
		b, _ = formulaBodies.LoadOrStore(o, body.FromFormula(o.Formula, o.Flush))
	}
	return b.(*body.Body)
}

// valueBody is BodyOf for operations that leave values.
func valueBody(o *alu.Op) *body.Body {
	if b := BodyOf(o); b != nil && !b.Test {
		return b
	}
	return nil
}

// limited reports whether an operation is a formula that does not hold for all arguments.
func limited(o *alu.Op) bool { return o.Formula != nil && !math.IsInf(o.Formula.Limit, 1) }

// LongBody is the number of nodes from which a body counts as long: there are more values than registers.
const LongBody = 30

// WidthOf is the width of an operand's row.
func WidthOf(k body.Kind) alu.Width {
	if k == body.K64 {
		return alu.W64
	}
	return alu.W32
}
