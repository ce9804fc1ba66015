package ssa

import (
	"fmt"
)

// Verify checks the form: blocks and edges fit together, every argument is
// defined before it is used on all paths, phis have an argument for each
// predecessor, and widths agree.
func (f *Func) Verify() error {
	v := verifier{f: f, pos: make([]int, f.NumValues), home: make([]*Block, f.NumValues)}
	for i, b := range f.Blocks {
		if b.ID != i {
			return fmt.Errorf("b%d is number %d", b.ID, i)
		}
		for k, x := range b.Values {
			if x.ID >= f.NumValues || v.home[x.ID] != nil {
				return fmt.Errorf("v%d is there twice", x.ID)
			}
			if x.Block != b {
				return fmt.Errorf("v%d in b%d says it is elsewhere", x.ID, i)
			}
			v.pos[x.ID], v.home[x.ID] = k, b
		}
	}
	for _, b := range f.Blocks {
		if err := v.block(b); err != nil {
			return fmt.Errorf("b%d: %w", b.ID, err)
		}
	}
	return nil
}

type verifier struct {
	f    *Func
	pos  []int
	home []*Block
}

var succCount = map[BlockKind]int{Jump: 1, If: 2, Return: 0, Exit: 0}

func (v *verifier) block(b *Block) error {
	if n, ok := succCount[b.Kind]; ok && len(b.Succs) != n {
		return fmt.Errorf("%d successors", len(b.Succs))
	}
	if (b.Kind == If || b.Kind == Switch) != (b.Control != nil) {
		return fmt.Errorf("control does not fit the kind")
	}
	if b.Control != nil {
		if err := v.defined(b.Control, b, len(b.Values)); err != nil {
			return err
		}
		if b.Kind == If && b.Control.Width() != 1 {
			return fmt.Errorf("v%d is not a predicate", b.Control.ID)
		}
	}
	for _, s := range b.Succs {
		if edges(b.Succs, s) != edges(s.Preds, b) {
			return fmt.Errorf("edges to b%d do not agree", s.ID)
		}
	}
	phis := true
	for k, x := range b.Values {
		if x.Op == Phi && !phis {
			return fmt.Errorf("v%d: a phi behind another value", x.ID)
		}
		phis = phis && (x.Op == Phi || x.Op == Undef)
		if err := v.value(x, k); err != nil {
			return fmt.Errorf("v%d (%s): %w", x.ID, x.Op, err)
		}
	}
	return nil
}

func edges(list []*Block, b *Block) (n int) {
	for _, x := range list {
		if x == b {
			n++
		}
	}
	return n
}

// defined reports an error unless x is defined before place k of b.
func (v *verifier) defined(x *Value, b *Block, k int) error {
	if x == nil {
		return fmt.Errorf("nil argument")
	}
	h := v.home[x.ID]
	switch {
	case h == nil:
		return fmt.Errorf("v%d is not in the function", x.ID)
	case h == b && v.pos[x.ID] >= k, h != b && !v.f.Dominates(h, b):
		return fmt.Errorf("v%d does not come before", x.ID)
	}
	return nil
}

func (v *verifier) value(x *Value, k int) error {
	if x.Op == get || x.Op == set || x.Op == opInvalid {
		return fmt.Errorf("not allowed here")
	}
	if x.Op == Phi {
		return v.phi(x)
	}
	for _, a := range x.Args {
		if err := v.defined(a, x.Block, k); err != nil {
			return err
		}
	}
	if n, ok := arity[x.Op]; ok && len(x.Args) != n {
		return fmt.Errorf("%d arguments", len(x.Args))
	}
	if m := x.Mem; m != nil && m.Base != nil && (len(x.Args) == 0 || x.Args[0] != m.Base) {
		return fmt.Errorf("the base is not the first argument")
	}
	return widths(x)
}

func (v *verifier) phi(x *Value) error {
	if len(x.Args) != len(x.Block.Preds) {
		return fmt.Errorf("%d arguments for %d predecessors", len(x.Args), len(x.Block.Preds))
	}
	for i, a := range x.Args {
		p := x.Block.Preds[i]
		if err := v.defined(a, p, len(p.Values)); err != nil {
			return err
		}
		if a.Width() != x.Width() {
			return fmt.Errorf("v%d has %d bits, not %d", a.ID, a.Width(), x.Width())
		}
	}
	return nil
}

// widths checks the operations on integers.
func widths(x *Value) error {
	w := x.Width()
	same := x.Args
	switch x.Op {
	case Shl, ShrS, ShrU:
		same = x.Args[:1]
	case Select:
		same = x.Args[1:]
		if x.Args[0].Width() != 1 {
			return fmt.Errorf("the condition is not a predicate")
		}
	case Zext, Sext, Trunc:
		if a := x.Args[0].Width(); x.Op == Trunc && a <= w || x.Op != Trunc && a >= w {
			return fmt.Errorf("from %d to %d bits", a, w)
		}
		return nil
	case Eq, Ne, LtS, LeS, LtU, LeU:
		w = x.Args[0].Width()
	default:
		if x.Op < Add || x.Op > Not {
			return nil
		}
	}
	for _, a := range same {
		if a.Width() != w {
			return fmt.Errorf("v%d has %d bits, not %d", a.ID, a.Width(), w)
		}
	}
	return nil
}
