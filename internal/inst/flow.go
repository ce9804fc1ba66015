package inst

// Flow is how a computed value comes from its operands, for those who follow pointers.
type Flow uint8

// The flows. In all but Opaque the result comes from the operands alone.
const (
	Opaque     Flow = iota // not known, or from something else
	Same                   // the operand itself, in another register or state space
	Converted              // the operand, as another type
	Sum                    // of two
	Difference             // of two
	Bitwise                // and, or, xor: of the bits of two
	ProductSum             // of two multiplied and a third
	Choice                 // one of the first two
	Number                 // another function, whose result is not a pointer
)
