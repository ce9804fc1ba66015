package body

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// table has the bodies by their PTX opcodes.
var table = sync.OnceValue(func() map[string]*Body {
	t := entries{}
	t.integers()
	t.logic()
	t.small()
	t.divisions()
	t.floats()
	t.conversions()
	t.tests()
	return t
})

// Of returns the body of an operation, nil if it has none.
func Of(opcode string) *Body { return table()[opcode] }

// All lists the opcodes that have bodies.
func All() []string { return slices.Sorted(maps.Keys(table())) }

type entries map[string]*Body

// builder collects the nodes of a body; val is the number of one.
type builder struct{ nodes []Node }

type val = int16

// text writes a body: the arguments' values in, the result's out.
type text = func(b *builder, x []val) val

// enter adds an operation under opcodes as names expands them.
func (t entries) enter(args []Kind, dst Kind, f text, opcodes ...string) *Body {
	b := &builder{}
	var x []val
	for i, k := range args {
		x = append(x, b.node(Arg, k.inRegisters(), uint64(i)))
	}
	f(b, x)
	body := &Body{Args: args, Dst: dst, Nodes: b.nodes, Test: b.nodes[len(b.nodes)-1].IsMask()}
	for _, name := range names(opcodes...) {
		t[name] = body
	}
	return body
}

// one, two and three enter operations of operands and a result of one width.
func (t entries) one(w int, f text, opcodes ...string) *Body {
	return t.enter(shape(w, 1), KindOf(w), f, opcodes...)
}

func (t entries) two(w int, f text, opcodes ...string) *Body {
	return t.enter(shape(w, 2), KindOf(w), f, opcodes...)
}

func (t entries) three(w int, f text, opcodes ...string) *Body {
	return t.enter(shape(w, 3), KindOf(w), f, opcodes...)
}

// inRegisters is the bytes of an element of the kind in a register.
func (k Kind) inRegisters() int {
	switch k {
	case K64, KZero, KSign, KLower:
		return 8
	}
	return 4
}

// KindOf is the kind of whole elements of w bytes, 4 or 8.
func KindOf(w int) Kind {
	if w == 4 {
		return K32
	}
	return K64
}

func shape(w, n int) []Kind { return slices.Repeat([]Kind{KindOf(w)}, n) }

// names expands "add.{s32,u32}" into its alternatives.
func names(patterns ...string) (out []string) {
	for _, p := range patterns {
		head, rest, ok := strings.Cut(p, "{")
		if !ok {
			out = append(out, p)
			continue
		}
		list, tail, _ := strings.Cut(rest, "}")
		for _, alt := range strings.Split(list, ",") {
			out = append(out, names(head+alt+tail)...)
		}
	}
	return out
}

// node adds a node.
func (b *builder) node(op Op, w int, bits uint64, x ...val) val {
	n := Node{Op: op, Width: uint8(w), Bits: bits}
	copy(n.X[:], x)
	b.nodes = append(b.nodes, n)
	return val(len(b.nodes) - 1)
}

// width is the bytes of an element of a value.
func (b *builder) width(x val) int { return int(b.nodes[x].Width) }

// op is a primitive of operands of one width.
func (b *builder) op(op Op, x ...val) val { return b.node(op, b.width(x[0]), 0, x...) }

// num is a constant of 4 bytes, wide one of 8; like is one as wide as x.
func (b *builder) num(v uint32) val         { return b.node(Const, 4, uint64(v)) }
func (b *builder) wide(v uint64) val        { return b.node(Const, 8, v) }
func (b *builder) like(x val, v uint64) val { return b.node(Const, b.width(x), v) }

// by is a shift by a constant.
func (b *builder) by(op Op, x val, n uint64) val { return b.node(op, b.width(x), n, x) }

// convert is a conversion from a type; the result has w bytes.
func (b *builder) convert(op Op, w int, from Type, x val) val { return b.node(op, w, uint64(from), x) }

// compare is a mask.
func (b *builder) compare(op Op, r Relation, x, y val) val {
	return b.node(op, b.width(x), uint64(r), x, y)
}

// isNaN is the mask of NaN.
func (b *builder) isNaN(x val) val { return b.compare(CompareF, Unordered, x, x) }

// choose is x where the mask m is set, else y.
func (b *builder) choose(m, x, y val) val { return b.node(Select, b.width(x), 0, m, x, y) }

// flushed makes subnormal numbers of 4 bytes zeros of the same sign.
func (b *builder) flushed(x val) val {
	m := b.op(Disjoint, x, b.num(0x7f800000))
	return b.choose(m, b.op(And, x, b.num(1<<31)), x)
}

// primitive is the text of one primitive.
func primitive(op Op) text {
	return func(b *builder, x []val) val { return b.op(op, x...) }
}

// same is the text of an operation that its kinds do.
func same(_ *builder, x []val) val { return x[0] }
