package ssa

// Pointers tells pointers of a function from numbers: the form has integers only.
type Pointers struct{ converted map[int]bool }

// Pointers looks at f for values whose address space is converted: those are pointers.
func (f *Func) Pointers() *Pointers {
	p := &Pointers{map[int]bool{}}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ToGeneric || v.Op == FromGeneric {
				p.converted[v.ID], p.converted[v.Args[0].ID] = true, true
			}
		}
	}
	return p
}

// Roots are the variables, parameters or other pointers that an address is
// computed from by adding: several where a pointer is chosen. nil means that
// they are not known.
func (p *Pointers) Roots(base *Value) (roots []*Value) {
	if base == nil {
		return nil
	}
	seen := map[int]bool{}
	var visit func(v *Value) bool
	visit = func(v *Value) bool {
		if seen[v.ID] {
			return true
		}
		seen[v.ID] = true
		switch v.Op {
		case Addr, Param:
			roots = append(roots, v)
		case Add:
			a, b := p.Likeness(v.Args[0]), p.Likeness(v.Args[1])
			switch {
			case a > b:
				return visit(v.Args[0])
			case b > a:
				return visit(v.Args[1])
			}
			return false
		case Sub:
			return visit(v.Args[0])
		case Phi:
			for _, a := range v.Args {
				if !visit(a) {
					return false
				}
			}
		case Select:
			return visit(v.Args[1]) && visit(v.Args[2])
		case ToGeneric, FromGeneric:
			return visit(v.Args[0])
		default:
			return false
		}
		return true
	}
	if !visit(base) {
		return nil
	}
	return roots
}

// Likeness says how sure it is that a value is the pointer of a sum: 3 for a
// variable's address or what is converted to another space, 2 for a parameter
// of 64 bits, 1 for what a sum or a choice is made of, 0 for numbers.
func (p *Pointers) Likeness(v *Value) int { return p.likeness(v, 0) }

func (p *Pointers) likeness(v *Value, depth int) int {
	switch {
	case v.Op == Addr || p.converted[v.ID]:
		return 3
	case v.Op == Param && v.Width() == 64:
		return 2
	case depth > 20:
		return 0
	}
	best := 0
	switch v.Op {
	case Add, Phi:
		for _, a := range v.Args {
			best = max(best, p.likeness(a, depth+1))
		}
	case Sub:
		best = p.likeness(v.Args[0], depth+1)
	case Select:
		best = max(p.likeness(v.Args[1], depth+1), p.likeness(v.Args[2], depth+1))
	}
	return best
}
