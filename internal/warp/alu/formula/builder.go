package formula

import "math"

// builder collects nodes; val is the index of one. Equal constants are one node.
type builder struct {
	nodes  []Node
	consts map[uint64]val
}

type val int

// build makes a formula of n arguments that f writes down.
func build(n int, limit float64, f func(b *builder, x []val) val) *Formula {
	b := &builder{consts: map[uint64]val{}}
	var args []val
	for i := range n {
		args = append(args, b.add(Node{Op: Arg, A: i}))
	}
	r := f(b, args)
	if int(r) != len(b.nodes)-1 || len(b.nodes) > maxNodes {
		panic("formula: the result is not the last node, or there are too many")
	}
	return &Formula{Args: n, Nodes: b.nodes, Limit: limit}
}

func (b *builder) add(n Node) val {
	b.nodes = append(b.nodes, n)
	return val(len(b.nodes) - 1)
}

func (b *builder) bits(v uint64) val {
	if c, ok := b.consts[v]; ok {
		return c
	}
	c := b.add(Node{Op: Const, Bits: v})
	b.consts[v] = c
	return c
}

func (b *builder) num(v float64) val { return b.bits(math.Float64bits(v)) }

func (b *builder) op(op Op, x ...val) val {
	n := Node{Op: op}
	for i, to := range []*int{&n.A, &n.B, &n.C}[:len(x)] {
		*to = int(x[i])
	}
	return b.add(n)
}

func (b *builder) shift(op Op, x val, n uint64) val {
	return b.add(Node{Op: op, A: int(x), Bits: n})
}

// poly evaluates c[0] + c[1] x + c[2] x^2 + ... with fused steps.
func (b *builder) poly(c []float64, x val) val {
	p := b.num(c[len(c)-1])
	for k := len(c) - 2; k >= 0; k-- {
		p = b.op(FMA, x, p, b.num(c[k]))
	}
	return p
}

func (b *builder) abs(x val) val  { return b.op(And, x, b.bits(1<<63-1)) }
func (b *builder) sign(x val) val { return b.op(And, x, b.bits(1<<63)) }
