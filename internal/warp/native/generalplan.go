package native

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// General is an operation on integers that is one or two instructions on general registers. All others are done
// on vectors, of which the lowest element counts.
type General struct {
	Args []body.Kind
	Op   body.Op // Arg for one that moves or extends its operand
	Wide bool
	// Plus is set for a product to which the third operand is added.
	Plus bool
}

// General is the operation of a step, nil if it is done on vectors. Shifts are by constants less than the width:
// x86 takes counts modulo the width, PTX limits them.
func (pl *Plan) General(in *program.Instr) *General {
	o := generalOf(BodyOf(in.ALU))
	if o == nil || !isShift(o.Op) {
		return o
	}
	if n, ok := pl.Values[in.B]; !ok || n >= uint64(WidthOf(o.Args[0]).Bytes())*8 {
		return nil
	}
	return o
}

func generalOf(b *body.Body) *General {
	if b == nil || b.Args[0] == body.KHalf {
		return nil
	}
	o, n := &General{Args: b.Args, Wide: b.Dst == body.K64}, b.Nodes[len(b.Args):]
	switch {
	case len(n) == 0:
		return o // op is Arg
	case len(n) == 1:
		o.Op = n[0].Op
		if isGeneral(o.Op) {
			return o
		}
	case len(n) == 2 && n[0].Op == body.Mul && n[1].Op == body.Add:
		o.Op, o.Plus = body.Mul, true
		return o
	case len(n) == 2 && len(b.Args) == 1 && n[0].Op == body.Const:
		o.Op = n[1].Op
		if o.Op == body.Sub && n[0].Bits == 0 || o.Op == body.Xor && n[0].Bits == 1<<(8*n[0].Width)-1 {
			return o // the opposite and the complement
		}
	}
	return nil
}

// isGeneral reports whether a primitive is an operation on general registers.
func isGeneral(op body.Op) bool {
	switch op {
	case body.Add, body.Sub, body.Mul, body.And, body.Or, body.Xor, body.WideU, body.WideS, body.MinS, body.MaxS, body.MinU, body.MaxU:
		return true
	}
	return isShift(op)
}

func isShift(op body.Op) bool { return op == body.Shl || op == body.ShrU || op == body.ShrS }

// Moves reports whether the operation only copies.
func (o *General) Moves() bool {
	return o.Op == body.Arg && (o.Args[0] == body.K64) == o.Wide && o.Args[0] <= body.K64
}

// isGeneralTest reports whether b is a comparison of two integers as they are.
func isGeneralTest(b *body.Body) bool {
	return len(b.Nodes) == 3 && b.Test && (b.Result().Op == body.CompareS || b.Result().Op == body.CompareU)
}
