package cfg

import (
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// Register is a declared register's type; Vec is 2 or 4 for a vector.
type Register struct {
	Type isa.Type
	Vec  int
}

// names gives every declaration of a function a unique name, so that scopes
// can be forgotten.
type names struct {
	scopes []scope
	// exact and counted hold all declarations by unique name; counted[p] is
	// for p<N>, which declares p0 to p(N-1).
	exact   map[string]Register
	counted map[string]countedReg
	serial  int
	// vectors is set where the function has vector registers.
	vectors bool
}

type scope struct {
	exact   map[string]string
	counted map[string]string
	renamed bool
}

type countedReg struct {
	Register
	count int
}

func (n *names) init() {
	n.exact = map[string]Register{}
	n.counted = map[string]countedReg{}
	n.push()
}

func (n *names) push() {
	n.scopes = append(n.scopes, scope{map[string]string{}, map[string]string{}, false})
}

func (n *names) pop() { n.scopes = n.scopes[:len(n.scopes)-1] }

func (n *names) declare(name string, count int, t isa.Type) string {
	return n.declareVec(name, count, t, 1)
}

func (n *names) declareVec(name string, count int, t isa.Type, vec int) string {
	sc := &n.scopes[len(n.scopes)-1]
	u := name
	n.vectors = n.vectors || vec > 1
	if count > 0 {
		if n.takenCounted(u, count) {
			u = n.fresh(name)
		}
		n.counted[u] = countedReg{Register{t, vec}, count}
		sc.counted[name] = u
	} else {
		if n.takenExact(u) {
			u = n.fresh(name)
		}
		n.exact[u] = Register{t, vec}
		sc.exact[name] = u
	}
	sc.renamed = sc.renamed || u != name
	return u
}

// takenExact reports whether that very name is declared, or p<N> that has it.
func (n *names) takenExact(name string) bool {
	if _, ok := n.exact[name]; ok {
		return true
	}
	prefix, index := splitIndex(name)
	c, ok := n.counted[prefix]
	return ok && index >= 0 && index < c.count
}

// takenCounted reports whether p<N> is declared, or a name that p<count> has.
func (n *names) takenCounted(p string, count int) bool {
	if _, ok := n.counted[p]; ok {
		return true
	}
	for name := range n.exact {
		if prefix, index := splitIndex(name); prefix == p && index >= 0 && index < count {
			return true
		}
	}
	return false
}

// fresh makes a name that PTX cannot write, so that it collides with none.
func (n *names) fresh(name string) string {
	n.serial++
	return name + "@" + strconv.Itoa(n.serial) + "@"
}

// resolve returns the unique name of the innermost declaration of name, or
// name itself where there is none (module scope, special registers).
func (n *names) resolve(name string) string {
	prefix, index := splitIndex(name)
	for i := len(n.scopes) - 1; i >= 0; i-- {
		sc := &n.scopes[i]
		if u, ok := sc.exact[name]; ok {
			return u
		}
		if index >= 0 {
			if u, ok := sc.counted[prefix]; ok && index < n.counted[u].count {
				return u + name[len(prefix):]
			}
		}
	}
	return name
}

// Register returns the declaration after a unique name.
func (f *Func) Register(name string) (Register, bool) { return f.names.register(name) }

func (n *names) register(name string) (Register, bool) {
	if r, ok := n.exact[name]; ok {
		return r, r.Type != isa.TypeNone
	}
	prefix, index := splitIndex(name)
	if index >= 0 {
		if r, ok := n.counted[prefix]; ok && index < r.count {
			return r.Register, true
		}
	}
	return Register{}, false
}

// splitIndex cuts the decimal number off the end of a name; -1 if there is none.
func splitIndex(name string) (string, int) {
	p := strings.TrimRight(name, "0123456789")
	if p == name {
		return name, -1
	}
	i, err := strconv.Atoi(name[len(p):])
	if err != nil {
		return name, -1
	}
	return p, i
}

// rename returns the instruction with unique names, and with the elements of
// vector registers in their place; the same one if there is nothing to change.
func (n *names) rename(in *ptx.Instr) *ptx.Instr {
	changed := n.vectors
	for i := range n.scopes {
		changed = changed || n.scopes[i].renamed
	}
	if !changed {
		return in
	}
	c := *in
	if in.Guard != nil {
		g := *in.Guard
		g.Reg = n.resolve(g.Reg)
		c.Guard = &g
	}
	c.Args = n.operands(in.Args)
	return &c
}

func (n *names) operands(ops []ptx.Operand) []ptx.Operand {
	out := make([]ptx.Operand, len(ops))
	for i, o := range ops {
		out[i] = n.operand(o)
	}
	return out
}

func (n *names) operand(o ptx.Operand) ptx.Operand {
	switch o := o.(type) {
	case *ptx.RegRef:
		c := *o
		c.Name = n.resolve(o.Name)
		if d, ok := n.register(c.Name); ok && d.Vec > 1 {
			return element(c, d.Vec)
		}
		return &c
	case *ptx.SymbolRef:
		c := *o
		c.Name = n.resolve(o.Name)
		return &c
	case *ptx.Address:
		c := *o
		if o.Base != nil {
			c.Base = n.operand(o.Base)
		}
		c.More = n.operands(o.More)
		return &c
	case *ptx.Vector:
		return &ptx.Vector{Elems: n.operands(o.Elems)}
	case *ptx.Pair:
		return &ptx.Pair{A: n.operand(o.A), B: n.operand(o.B)}
	case *ptx.List:
		return &ptx.List{Elems: n.operands(o.Elems)}
	}
	return o
}

// element is an element of a vector register by its position, whichever way it is
// named, or the list of all for the register as a whole (PTX ISA, "Vectors as
// Operands").
func element(r ptx.RegRef, n int) ptx.Operand {
	const positions, colors = "xyzw", "rgba"
	if i := strings.Index(colors, r.Elem); r.Elem != "" {
		if i >= 0 {
			r.Elem = positions[i : i+1]
		}
		return &r
	}
	v := &ptx.Vector{}
	for i := range min(n, len(positions)) {
		e := r
		e.Elem = positions[i : i+1]
		v.Elems = append(v.Elems, &e)
	}
	return v
}
