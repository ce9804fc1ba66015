package lower

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// finish gives every slot its offset in the slab and rewrites the program's
// slot numbers to offsets.
func (u *unit) finish() {
	p := u.prog
	for _, c := range u.lateCopies {
		p.Code[c.code].Bcast = c.d.bcast
	}
	for _, b := range u.lateBcast {
		for i, r := range b.regs {
			if r != nil {
				p.Mems[b.mem].Bcast[i] = r.bcast
			}
		}
	}
	if u.stackTop != 0 {
		p.StackTop = u.stackTop
	}
	for i := range p.Bars {
		b := &p.Bars[i]
		b.Same = u.repeats(b.ID) && u.repeats(b.Count)
	}
	areas := u.layoutSlab()
	u.patch()
	for i := range p.Calls {
		if s := &p.Calls[i].Save; s.Lo < 0 {
			*s = areas[s.Hi]
		}
	}
	p.ChargePolls()
}

// repeats reports whether slot is absent or has the same value in all lanes.
func (u *unit) repeats(slot int32) bool {
	if slot < 0 {
		return true
	}
	k := u.slots[slot].kind
	return k == const32 || k == uniBcast32
}

// patch rewrites all slot numbers of the program.
func (u *unit) patch() {
	p := u.prog
	at := func(s *int32) {
		if *s >= 0 {
			*s = u.slots[*s].offset
		}
	}
	for i := range p.Code {
		in := &p.Code[i]
		for _, s := range []*int32{&in.Guard, &in.D, &in.D2, &in.A, &in.B, &in.C, &in.E, &in.Bcast} {
			at(s)
		}
	}
	for i := range p.Mems {
		m := &p.Mems[i]
		for k := range m.Regs {
			at(&m.Regs[k])
			at(&m.Bcast[k])
		}
		at(&m.Base)
		at(&m.B)
		at(&m.C)
		if m.Wide {
			at(&m.BHigh)
			at(&m.CHigh)
		}
	}
	for i := range p.Packs {
		at(&p.Packs[i].Reg)
		each(p.Packs[i].Elems, at)
	}
	for i := range p.Syncs {
		s := &p.Syncs[i]
		for _, x := range []*int32{&s.Mask, &s.A, &s.B, &s.C, &s.Dst, &s.DstPred} {
			at(x)
		}
	}
	for i := range p.Bars {
		b := &p.Bars[i]
		for _, x := range []*int32{&b.ID, &b.Count, &b.Pred, &b.Dst} {
			at(x)
		}
	}
	for _, s := range p.Steps {
		s.Slots(func(slot *int32, _ alu.Width, _ program.Use) { at(slot) })
	}
	for i := range p.Specials {
		at(&p.Specials[i].Slot)
		at(&p.Specials[i].Bcast)
	}
	for i := range p.Consts {
		at(&p.Consts[i].Slot)
	}
	for i := range p.Zero {
		at(&p.Zero[i].Slot)
	}
	for i := range p.Unset {
		at(&p.Unset[i].Slot)
		at(&p.Unset[i].Bcast)
	}
	at(&p.StackTop)
	u.patchCalls(at)
}

// patchCalls rewrites parameter words. Lists of words are shared between
// calls and functions, so each is copied.
func (u *unit) patchCalls(at func(*int32)) {
	p := u.prog
	words := func(lists [][]int32) [][]int32 {
		out := make([][]int32, len(lists))
		for i, l := range lists {
			out[i] = append([]int32(nil), l...)
			each(out[i], at)
		}
		return out
	}
	for i := range p.Funcs {
		p.Funcs[i].Params, p.Funcs[i].Rets = words(p.Funcs[i].Params), words(p.Funcs[i].Rets)
	}
	for i := range p.Calls {
		p.Calls[i].Args, p.Calls[i].Rets = words(p.Calls[i].Args), words(p.Calls[i].Rets)
	}
	for i := range p.Maths {
		p.Maths[i].Args, p.Maths[i].Rets = words(p.Maths[i].Args), words(p.Maths[i].Rets)
	}
	for i := range p.Hosts {
		p.Hosts[i].Args, p.Hosts[i].Rets = words(p.Hosts[i].Args), words(p.Hosts[i].Rets)
	}
}

func each(list []int32, f func(*int32)) {
	for i := range list {
		f(&list[i])
	}
}
