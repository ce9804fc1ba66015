package lower

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Which kernel parameters can an address come from? The address of an element
// is that of an array, a parameter, plus something. Where this can be followed
// through the kernel's registers, a rule knows from the parameters' values
// which allocations an instruction may access.

// roots is a set of parameters, by number in rootSets.offsets; the highest bit
// stands for anything else.
type roots uint64

const anyRoot roots = 1 << 63

type rootSets struct {
	// offsets are the parameters' places in the parameter buffer.
	offsets []uint32
	byReg   []roots
	// escaped are the parameters whose values, or addresses made of them, are stored or given to
	// something that can do anything with them.
	escaped roots
}

// rootFlow is set if the roots of registers go to others.
type rootFlow struct {
	from, to []*reg
	more     roots
}

// rootSets finds the roots of all registers of the kernel.
func (e *emitter) rootSets() *rootSets {
	s := &rootSets{byReg: make([]roots, len(e.f.byID()))}
	flows := e.rootFlows(s)
	for changed := true; changed; {
		changed = false
		for i := range flows {
			f := &flows[i]
			set := f.more
			for _, r := range f.from {
				set |= s.byReg[r.id]
			}
			for _, r := range f.to {
				changed = changed || set&^s.byReg[r.id] != 0
				s.byReg[r.id] |= set
			}
		}
	}
	s.escaped = e.escapedRoots(s)
	return s
}

// escapedRoots returns the roots of the values that stores, atomic operations and calls are given, besides
// their addresses.
func (e *emitter) escapedRoots(s *rootSets) (set roots) {
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			if _, reads := results(in); in.Flow() == inst.Opaque {
				reads = slices.DeleteFunc(slices.Clone(reads), func(o ptx.Operand) bool { _, ok := o.(*ptx.Address); return ok })
				for _, r := range e.f.wide(reads) {
					set |= s.byReg[r.id]
				}
			}
		}
	}
	return set
}

// rootFlows lists the instructions with results that can be pointers.
func (e *emitter) rootFlows(s *rootSets) (flows []rootFlow) {
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			writes, reads := results(in)
			to := e.f.wide(writes)
			if len(to) == 0 {
				continue
			}
			f := rootFlow{to: to, more: e.rootsOf(s, in, reads)}
			if f.more&anyRoot == 0 && in.Flow() != inst.Opaque {
				f.from = e.f.wide(reads)
			}
			flows = append(flows, f)
		}
	}
	return flows
}

// rootsOf returns the roots of what an instruction computes, besides those of
// the registers that it reads.
func (e *emitter) rootsOf(s *rootSets, in *ptx.Instr, reads []ptx.Operand) (set roots) {
	if in.OnParam(inst.Load) && !in.Has("v2") && !in.Has("v4") && len(reads) == 1 {
		return e.parameter(s, reads[0])
	}
	if in.Flow() == inst.Opaque {
		return anyRoot
	}
	for _, o := range reads {
		switch o.(type) {
		case *ptx.RegRef, *ptx.Imm:
		default:
			set = anyRoot // a symbol's address, or parts put together
		}
	}
	return set
}

// parameter returns the root of a value loaded from a parameter.
func (e *emitter) parameter(s *rootSets, o ptx.Operand) roots {
	k, ok := e.paramKey(o)
	if !ok {
		return anyRoot
	}
	at, ok := e.parameterPlace(k)
	if !ok {
		return anyRoot
	}
	n := slices.Index(s.offsets, at)
	if n < 0 {
		n = len(s.offsets)
		s.offsets = append(s.offsets, at)
	}
	if n < 63 {
		return 1 << n
	}
	return anyRoot
}

// markRoots tells in a site which parameters its address, in register r, may
// come from.
func (e *emitter) markRoots(site *trace.Site, r *reg) {
	if site == nil || e.f.index != 0 {
		return
	}
	if e.f.roots == nil {
		e.f.roots = e.rootSets()
	}
	if r.id >= len(e.f.roots.byReg) {
		return
	}
	if set := e.f.roots.byReg[r.id]; set&anyRoot == 0 {
		site.Roots = e.f.roots.of(set)
	}
}

// of lists the parameters of a set, by their places.
func (s *rootSets) of(set roots) (places []uint32) {
	for m := uint64(set &^ anyRoot); m != 0; m &= m - 1 {
		places = append(places, s.offsets[bits.TrailingZeros64(m)])
	}
	return places
}

// wide lists the registers in operands that have room for a pointer.
func (f *fn) wide(ops []ptx.Operand) []*reg {
	return slices.DeleteFunc(f.regsIn(ops), func(r *reg) bool { return r.bits() < 64 })
}

// regsIn lists the registers that operands name.
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
