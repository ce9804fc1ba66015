package program

import "github.com/warpgrind/warpgrind/internal/warp/alu"

// AtomicFunc returns the function of an atomic operation on values of a type:
// "add" and "f32" for example; nil if there is none. Values are bit patterns
// zero-extended to 64 bits. (PTX ISA, "atom".)
func AtomicFunc(op, typ string) func(old, b, c uint64) uint64 {
	bits := typeBits(typ)
	if bits == 0 {
		return nil
	}
	mask := ^uint64(0) >> (64 - bits)
	switch op {
	case "exch":
		return func(_, b, _ uint64) uint64 { return b & mask }
	case "cas":
		return func(old, b, c uint64) uint64 {
			if old == b&mask {
				return c & mask
			}
			return old
		}
	case "inc":
		return func(old, b, _ uint64) uint64 {
			if old >= b&mask {
				return 0
			}
			return old + 1
		}
	case "dec":
		return func(old, b, _ uint64) uint64 {
			if old == 0 || old > b&mask {
				return b & mask
			}
			return old - 1
		}
	}
	if bits == 8 {
		return byteFunc(op, typ)
	}
	o, err := alu.Lookup(atomicALU(op, typ))
	if err != nil {
		return nil
	}
	return func(old, b, _ uint64) uint64 {
		r, _ := o.Fn(old, b, 0, 0)
		return r & mask
	}
}

// byteFunc is the function of an operation on bytes, which have no arithmetic of their
// own.
func byteFunc(op, typ string) func(old, b, c uint64) uint64 {
	less := func(x, y uint64) bool { return uint8(x) < uint8(y) }
	if typ == "s8" {
		less = func(x, y uint64) bool { return int8(x) < int8(y) }
	}
	f := map[string]func(x, y uint64) uint64{
		"add": func(x, y uint64) uint64 { return x + y }, "and": func(x, y uint64) uint64 { return x & y },
		"or": func(x, y uint64) uint64 { return x | y }, "xor": func(x, y uint64) uint64 { return x ^ y },
		"min": func(x, y uint64) uint64 {
			if less(y, x) {
				return y
			}
			return x
		},
		"max": func(x, y uint64) uint64 {
			if less(x, y) {
				return y
			}
			return x
		},
	}[op]
	if f == nil {
		return nil
	}
	return func(old, b, _ uint64) uint64 { return f(old, b) & 0xff }
}

// atomicALU names the arithmetic instruction that an atomic performs: the
// floating-point ones round to nearest even, with subnormals but for "ftz.f32".
func atomicALU(op, typ string) string {
	switch {
	case op == "and" || op == "or" || op == "xor":
		return op + "." + typ
	case op == "add" && typ[0] != 'u' && typ[0] != 's':
		return "add.rn." + typ
	case op == "add" && typ == "u64":
		return "add.u64"
	}
	return op + "." + typ
}

func typeBits(typ string) uint {
	switch typ {
	case "b8", "u8", "s8":
		return 8
	case "b16", "u16", "s16", "f16", "bf16":
		return 16
	case "b32", "u32", "s32", "f32", "ftz.f32", "f16x2", "bf16x2":
		return 32
	case "b64", "u64", "s64", "f64":
		return 64
	}
	return 0
}
