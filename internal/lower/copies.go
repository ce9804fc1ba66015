package lower

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// purpose says what a function does with the values of a register.
type purpose uint8

const (
	// toStore: they are stored or handed to a function, as they are.
	toStore purpose = 1 << iota
	// toUse: anything else.
	toUse
)

// purposes finds the purpose of each register, by id. A mov, also one that
// joins or splits registers, hands on the purpose of its result.
func (f *fn) purposes() []purpose {
	var moves [][2]*reg // from, to
	p := map[*reg]purpose{}
	for _, b := range f.g.Blocks {
		for _, in := range b.Instrs {
			writes, reads := results(in)
			from, to := f.regsIn(reads), f.regsIn(writes)
			if in.Guard != nil {
				f.want(p, f.reg(&ptx.RegRef{Name: in.Guard.Reg}), toUse)
			}
			switch {
			case in.Op == "mov":
				for _, x := range from {
					for _, y := range to {
						moves = append(moves, [2]*reg{x, y})
					}
				}
			case in.Op == "st" && len(in.Args) == 2:
				for _, x := range f.regsIn(in.Args[:1]) {
					f.want(p, x, toUse)
				}
				for _, x := range f.regsIn(in.Args[1:]) {
					f.want(p, x, toStore)
				}
			default:
				for _, x := range from {
					f.want(p, x, toUse)
				}
			}
		}
	}
	return f.spread(p, moves)
}

func (f *fn) want(p map[*reg]purpose, r *reg, why purpose) {
	if r != nil {
		p[r] |= why
	}
}

func (f *fn) regsIn(ops []ptx.Operand) (list []*reg) {
	for _, o := range ops {
		walkRegs(o, func(rr *ptx.RegRef) {
			if r := f.reg(rr); r != nil {
				list = append(list, r)
			}
		})
	}
	return list
}

// spread takes purposes back along the moves.
func (f *fn) spread(p map[*reg]purpose, moves [][2]*reg) []purpose {
	for changed := true; changed; {
		changed = false
		for i := len(moves) - 1; i >= 0; i-- {
			from, to := moves[i][0], moves[i][1]
			if more := p[to] &^ p[from]; more != 0 {
				p[from] |= more
				changed = true
			}
		}
	}
	out := make([]purpose, len(f.regs))
	for r, why := range p {
		out[r.id] = why
	}
	return out
}

// markCopies tells in a load's site what becomes of its elements.
func (e *emitter) markCopies(s *trace.Site, regs []*reg) {
	if e.f.purpose == nil {
		e.f.purpose = e.f.purposes()
	}
	for i, r := range regs {
		switch {
		case r == nil:
			s.Unused |= 1 << i
		case r.id >= len(e.f.purpose): // named by no instruction
		case e.f.purpose[r.id] == 0:
			s.Unused |= 1 << i
		case e.f.purpose[r.id] == toStore:
			s.Copied |= 1 << i
		}
	}
}
