package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// noteUnset lists the kernel's registers that may be read before they are written, each with
// the first instruction that reads it. In functions they are 0 at each call.
func (e *emitter) noteUnset() {
	if e.f.index > 0 {
		return
	}
	for _, r := range e.f.zero {
		in := e.firstRead(r)
		if r.slot == program.NoSlot || in == nil {
			continue
		}
		e.in = in
		e.u.prog.Unset = append(e.u.prog.Unset, program.Unset{
			Const: program.Const{Slot: r.slot, Width: r.width, Scalar: !r.varying}, Bcast: r.bcast,
			Site: e.site(trace.Site{Kind: trace.Read, Register: r.name}),
		})
	}
}

// firstRead is the first instruction of the text that reads a register.
func (e *emitter) firstRead(r *reg) *ptx.Instr {
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			_, reads := results(in)
			if in.Guard != nil {
				reads = append(slices.Clone(reads), &ptx.RegRef{Name: in.Guard.Reg})
			}
			if slices.Contains(e.f.regsIn(reads), r) {
				return in
			}
		}
	}
	return nil
}
