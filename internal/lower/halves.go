package lower

import "github.com/warpgrind/warpgrind/internal/ptx"

// half is the upper or the lower 32 bits of a register; what is narrower is a
// lower half. Compilers copy two members of a structure, or a member and its
// padding, in one register.
type half struct {
	r     *reg
	upper bool
}

// halves says how halves of registers move: by mov, by conversions between 32
// and 64 bits, by shifts and masks of 32 bits, and by or, where no two halves
// meet.
type halves struct {
	f     *fn
	moves [][2]half // from, to
	moved map[*ptx.Instr]bool
	// defs counts the instructions that write a register, zeros those of them
	// that write a zero to a half.
	defs  map[*reg]int
	zeros map[half]int
}

func (f *fn) halves() *halves {
	h := &halves{f: f, moved: map[*ptx.Instr]bool{}, defs: map[*reg]int{}, zeros: map[half]int{}}
	var ors []*ptx.Instr
	f.instrs(func(in *ptx.Instr) {
		switch {
		case in.Op == "mov":
			h.mov(in)
			h.moved[in] = true
		case in.Op == "or" && in.Has("b64"):
			ors = append(ors, in)
		case in.Op == "ld":
			h.extended(in)
		case h.part(in):
			h.moved[in] = true
		}
	})
	if len(ors) == 0 {
		return h
	}
	f.instrs(func(in *ptx.Instr) {
		writes, _ := results(in)
		for _, r := range f.regsIn(writes) {
			h.defs[r]++
		}
	})
	for _, in := range ors {
		if h.join(in) {
			h.moved[in] = true
		}
	}
	return h
}

func (f *fn) instrs(do func(*ptx.Instr)) {
	for _, b := range f.g.Blocks {
		for _, in := range b.Instrs {
			do(in)
		}
	}
}

// mov takes notes of a mov; of one that joins or splits registers of 32 bits,
// which half becomes which.
func (h *halves) mov(in *ptx.Instr) {
	writes, reads := results(in)
	to, from := h.f.regsIn(writes), h.f.regsIn(reads)
	wide := in.Has("b64")
	for i, x := range from {
		for j, y := range to {
			switch {
			case len(from) == 1 && len(to) == 1:
				h.move(half{x, false}, half{y, false})
				h.move(half{x, true}, half{y, true})
			case wide && len(from) == 2:
				h.move(half{x, false}, half{y, i == 1})
			case wide && len(to) == 2:
				h.move(half{x, j == 1}, half{y, false})
			default:
				for _, u := range []bool{false, true} {
					h.move(half{x, u}, half{y, false})
					h.move(half{x, u}, half{y, true})
				}
			}
		}
	}
}

func (h *halves) move(from, to half) { h.moves = append(h.moves, [2]half{from, to}) }

// part reports whether an instruction takes a half of a register, and nothing
// else, to a half of its result; the other half is zero then.
func (h *halves) part(in *ptx.Instr) bool {
	from, to, ok := false, false, true
	if in.Op != "cvt" && in.Op != "shl" && in.Op != "shr" && in.Op != "and" {
		return false
	}
	switch in.Opcode() {
	case "cvt.u64.u32", "cvt.u32.u64":
	case "shl.b64":
		to, ok = true, immediate(in, 32)
	case "shr.u64", "shr.b64":
		from, ok = true, immediate(in, 32)
	case "and.b64":
		if from = immediate(in, 0xffffffff<<32); !from {
			ok = immediate(in, 0xffffffff)
		}
		to = from
	default:
		ok = false
	}
	x, y := h.register(in, 1), h.register(in, 0)
	if !ok || x == nil || y == nil {
		return false
	}
	h.move(half{x, from}, half{y, to})
	h.zeros[half{y, !to}]++
	return true
}

// extended takes notes of a load of at most 32 bits without a sign: the upper
// half of its register is zero.
func (h *halves) extended(in *ptx.Instr) {
	types := in.Types()
	if len(types) == 0 || types[0].Size() > 4 || types[0].IsSigned() {
		return
	}
	writes, _ := results(in)
	for _, r := range h.f.regsIn(writes) {
		h.zeros[half{r, true}]++
	}
}

// join reports whether an instruction is an or of registers whose halves do not
// meet.
func (h *halves) join(in *ptx.Instr) bool {
	x, y, to := h.register(in, 1), h.register(in, 2), h.register(in, 0)
	if x == nil || y == nil || to == nil {
		return false
	}
	var moves [][2]half
	for _, u := range []bool{false, true} {
		zeroX, zeroY := h.zero(half{x, u}), h.zero(half{y, u})
		if !zeroX && !zeroY {
			return false
		}
		if !zeroX {
			moves = append(moves, [2]half{{x, u}, {to, u}})
		}
		if !zeroY {
			moves = append(moves, [2]half{{y, u}, {to, u}})
		}
	}
	h.moves = append(h.moves, moves...)
	return true
}

// zero reports whether a half is always zero.
func (h *halves) zero(x half) bool { return h.defs[x.r] > 0 && h.zeros[x] == h.defs[x.r] }

// immediate reports whether the last of three arguments is a number.
func immediate(in *ptx.Instr, value uint64) bool {
	if len(in.Args) != 3 {
		return false
	}
	n, ok := in.Args[2].(*ptx.Imm)
	return ok && n.Value == value
}

// register is the register that an instruction has as an argument, or nil.
func (h *halves) register(in *ptx.Instr, arg int) *reg {
	if arg >= len(in.Args) {
		return nil
	}
	r, ok := in.Args[arg].(*ptx.RegRef)
	if !ok {
		return nil
	}
	return h.f.reg(r)
}
