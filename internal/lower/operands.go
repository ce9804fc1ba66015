package lower

import (
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// walk calls f for an operand and all that it consists of.
func walk(o ptx.Operand, f func(ptx.Operand)) {
	f(o)
	var parts []ptx.Operand
	switch o := o.(type) {
	case *ptx.Address:
		if o.Base != nil {
			walk(o.Base, f)
		}
		parts = o.More
	case *ptx.Vector:
		parts = o.Elems
	case *ptx.List:
		parts = o.Elems
	case *ptx.Pair:
		walk(o.A, f)
		walk(o.B, f)
	}
	for _, p := range parts {
		walk(p, f)
	}
}

// walkSymbols calls f for every symbol in an operand.
func walkSymbols(o ptx.Operand, f func(*ptx.SymbolRef)) {
	walk(o, func(o ptx.Operand) {
		if s, ok := o.(*ptx.SymbolRef); ok {
			f(s)
		}
	})
}

// walkRegs calls f for every register in an operand.
func walkRegs(o ptx.Operand, f func(*ptx.RegRef)) {
	walk(o, func(o ptx.Operand) {
		if r, ok := o.(*ptx.RegRef); ok {
			f(r)
		}
	})
}

// results returns the operands that an instruction writes and those that it
// reads.
func results(in *ptx.Instr) (writes, reads []ptx.Operand) {
	if in.Kind() == inst.Call {
		c := parseCall(in)
		return c.rets, append(append([]ptx.Operand{}, c.args...), c.reads()...)
	}
	switch {
	case in.Dest() == nil:
		return nil, in.Args
	case in.Kind() == inst.ProductAsync: // the accumulator is both
		return in.Args[:1], in.Args
	}
	return in.Args[:1], in.Args[1:]
}

// callParts are the operands of a call: call (rets), target, (args), proto.
type callParts struct {
	rets, args []ptx.Operand
	// target is nil for an indirect call through pointer.
	target  *ptx.SymbolRef
	pointer *ptx.RegRef
}

func (c *callParts) reads() []ptx.Operand {
	if c.pointer != nil {
		return []ptx.Operand{c.pointer}
	}
	return nil
}

func parseCall(in *ptx.Instr) *callParts {
	call, _ := in.Call()
	c := &callParts{rets: call.Ret, args: call.Args}
	switch f := call.Callee.(type) {
	case *ptx.SymbolRef:
		c.target = f
	case *ptx.RegRef:
		c.pointer = f
	}
	return c
}

// takenAddresses lists the functions that are named elsewhere than as the
// target of a call: their addresses are taken.
func takenAddresses(m *ptx.Module) []string {
	seen := map[string]bool{}
	var out []string
	note := func(s *ptx.SymbolRef) {
		if f := m.Func(s.Name); f != nil && !seen[s.Name] {
			seen[s.Name] = true
			out = append(out, s.Name)
		}
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ptx.Variable:
			walkInit(it.Init, note)
		case *ptx.Func:
			if it.Body != nil {
				walkBody(it.Body, note)
			}
		}
	}
	return out
}

func walkInit(i *ptx.Init, f func(*ptx.SymbolRef)) {
	if i == nil {
		return
	}
	for _, e := range i.List {
		walkInit(e, f)
	}
	if i.Value != nil {
		walkSymbols(i.Value, f)
	}
}

func walkBody(b *ptx.Block, f func(*ptx.SymbolRef)) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			walkBody(s, f)
		case *ptx.Instr:
			if s.Kind() == inst.Call {
				for _, a := range parseCall(s).args {
					walkSymbols(a, f)
				}
				continue
			}
			for _, a := range s.Args {
				walkSymbols(a, f)
			}
		}
	}
}
