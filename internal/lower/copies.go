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

// purposes finds the purpose of each register, by id. What only moves the halves
// of registers (halves.go) hands on the purpose of its result.
func (f *fn) purposes() []purpose {
	p := map[half]purpose{}
	h := f.halves()
	for _, b := range f.g.Blocks {
		for _, in := range b.Instrs {
			_, reads := results(in)
			if in.Guard != nil {
				f.want(p, f.reg(&ptx.RegRef{Name: in.Guard.Reg}), toUse)
			}
			switch {
			case h.moved[in]:
			case in.Op == "st" && len(in.Args) == 2:
				for _, x := range f.regsIn(in.Args[:1]) {
					f.want(p, x, toUse)
				}
				for _, x := range f.regsIn(in.Args[1:]) {
					f.want(p, x, toStore)
				}
			default:
				for _, x := range f.regsIn(reads) {
					f.want(p, x, toUse)
				}
			}
		}
	}
	return f.spread(p, h.moves)
}

func (f *fn) want(p map[half]purpose, r *reg, why purpose) {
	if r != nil {
		p[half{r, false}] |= why
		p[half{r, true}] |= why
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
func (f *fn) spread(p map[half]purpose, moves [][2]half) []purpose {
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
	for h, why := range p {
		out[h.r.id] |= why
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
