package analysis

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Access is one operation on memory.
type Access struct {
	Value                 *ssa.Value
	Mem                   *ssa.Mem
	Block                 *ssa.Block
	Addr                  *Address
	Reads, Writes, Atomic bool
}

// Address is where an access goes.
type Address struct {
	// Expr is the whole address. Addresses of variables contain their symbol.
	Expr *Expr
	// Object is the variable that the address is computed from, nil if there is
	// none or more than one.
	Object *ssa.Object
	// Param is the pointer parameter that the address is computed from, and
	// ParamOff the pointer's place in it; "" if there is none or more than one.
	Param    string
	ParamOff int
	// Offset is the address less the start of the variable or the pointer, in
	// bytes; nil if there is neither.
	Offset *Expr
}

// Accesses lists the operations on memory in the order of the blocks; a copy
// gives two, its read first.
func (a *Analysis) Accesses() []*Access {
	var list []*Access
	for _, b := range a.F.Blocks {
		for _, v := range b.Values {
			if v.Mem2 != nil {
				list = append(list, &Access{v, v.Mem2, b, a.Address(v.Mem2, b), true, false, false})
			}
			if v.Mem != nil {
				list = append(list, &Access{v, v.Mem, b, a.Address(v.Mem, b), v.Reads(), v.Writes(), v.IsAtomic()})
			}
		}
	}
	return list
}

// Address is the place of an access in block b.
func (a *Analysis) Address(m *ssa.Mem, b *ssa.Block) *Address {
	e := a.address(m, b)
	if e.W < 64 {
		e = a.extend(ssa.Zext, 64, e)
	}
	ad := &Address{Expr: e}
	base := a.base(e, m)
	if base == nil {
		return ad
	}
	ad.Offset = a.Sub(e, base)
	switch s := base.Sym; s.Kind {
	case ObjectAddr:
		ad.Object = s.Object
	case Param:
		ad.Param, ad.ParamOff = s.Name, s.Off
	}
	return ad
}

// base finds in an address the one symbol that is a variable's start or a
// pointer, with coefficient 1.
func (a *Analysis) base(e *Expr, m *ssa.Mem) *Expr {
	_, terms := parts(e)
	var object, pointer *Expr
	pointers := 0
	for _, t := range terms {
		if t.Coef != 1 || len(t.Factors) != 1 || t.Factors[0].Kind != Symbol {
			continue
		}
		switch f := t.Factors[0]; f.Sym.Kind {
		case ObjectAddr:
			if object != nil {
				return nil
			}
			object = f
		case Param:
			pointer = f
			pointers++
		}
	}
	switch {
	case object != nil:
		return object
	case pointers == 1 && (m.Space == ptx.Global || m.Space == ptx.NoSpace):
		return pointer
	}
	return nil
}
