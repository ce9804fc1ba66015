package cfg

import (
	"maps"
	"strings"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// Library code asks of a generic address in which space it is, and has another way for the other spaces: a cuda::barrier in shared
// memory is an mbarrier, elsewhere a word and a loop. Where the address is that of a variable in shared memory the answer is known, and
// what nothing reaches then has to be left out: a loop that polls a flag makes the blocks of a launch run in turn.

// fact is a fact about a register.
type fact uint8

const (
	isTrue fact = iota + 1
	isFalse
	isVariable // the address of a variable in its own space
	isShared   // a generic address in shared memory
)

// facts are what holds wherever control comes from, by register.
type facts map[string]fact

// maxFacts bounds what is kept for all blocks of a function.
const maxFacts = 1 << 20

// prune makes branches whose condition is known go one way, and empties the blocks that nothing reaches then.
func (f *Func) prune() {
	asks, sources := false, 0
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			asks = asks || in.Op == "isspacep"
			if in.Op == "isspacep" || in.Op == "cvta" || in.Op == "mov" {
				sources++
			}
		}
	}
	if !asks || sources*len(f.Blocks) > maxFacts {
		return
	}
	at := make([]facts, len(f.Blocks)) // where each begins, nil if nothing reaches it
	at[0] = facts{}
	for list := []int{0}; len(list) > 0; {
		b := f.Blocks[list[len(list)-1]]
		list = list[:len(list)-1]
		end := maps.Clone(at[b.ID])
		for _, in := range b.Instrs {
			end.follow(in)
		}
		for _, to := range b.after(end) {
			if at[to] == nil {
				at[to] = maps.Clone(end)
			} else if !at[to].keep(end) {
				continue
			}
			list = append(list, to)
		}
	}
	f.cut(at)
}

// cut leaves out what facts rule out, if some branch is decided by them.
func (f *Func) cut(at []facts) {
	cut := false
	for _, b := range f.Blocks {
		if at[b.ID] == nil {
			continue
		}
		end := maps.Clone(at[b.ID])
		for _, in := range b.Instrs {
			end.follow(in)
		}
		if in := b.last(); b.decided(end) {
			always := *in
			always.Guard = nil
			b.Targets = b.after(end)
			b.Instrs[len(b.Instrs)-1], b.Next, cut = &always, -1, true
		}
	}
	for _, b := range f.Blocks {
		if cut && at[b.ID] == nil {
			b.Instrs, b.Targets, b.Next = nil, nil, -1
		}
	}
}

// decided reports whether facts tell which way the block's branch goes.
func (b *Block) decided(known facts) bool {
	in := b.last()
	return in != nil && in.Op == "bra" && in.Guard != nil && known.guard(in) != 0
}

// after are the blocks that may follow.
func (b *Block) after(known facts) []int {
	if b.decided(known) {
		if known.guard(b.last()) == isTrue {
			return b.Targets
		}
		return []int{b.Next}
	}
	if b.Next < 0 {
		return b.Targets
	}
	return append(b.Targets[:len(b.Targets):len(b.Targets)], b.Next)
}

// guard is the fact about an instruction's guard, isTrue where it has none, 0 where it is not known.
func (k facts) guard(in *ptx.Instr) fact {
	if in.Guard == nil {
		return isTrue
	}
	known := k[in.Guard.Reg]
	if in.Guard.Not && known != 0 {
		known ^= isTrue ^ isFalse
	}
	return known
}

// keep keeps what others know as well, and reports whether that is less.
func (k facts) keep(others facts) bool {
	n := len(k)
	maps.DeleteFunc(k, func(reg string, is fact) bool { return others[reg] != is })
	return len(k) < n
}

// follow lets an instruction change what is known.
func (k facts) follow(in *ptx.Instr) {
	runs := k.guard(in)
	if runs == isFalse {
		return
	}
	is := k.result(in)
	for _, reg := range written(in) {
		switch {
		case is == 0 || runs == 0 && k[reg] != is:
			delete(k, reg)
		default:
			k[reg] = is
		}
	}
}

// result is the fact about the register that an instruction with one operand writes, 0 for none.
func (k facts) result(in *ptx.Instr) fact {
	if len(in.Args) != 2 || len(in.Mods) == 0 {
		return 0
	}
	if to, ok := in.Args[0].(*ptx.RegRef); !ok || to.Elem != "" {
		return 0
	}
	var from fact
	switch x := in.Args[1].(type) {
	case *ptx.RegRef:
		if x.Elem == "" && !x.Not {
			from = k[x.Name]
		}
	case *ptx.SymbolRef:
		if !x.Generic && x.Mask == 0 {
			from = isVariable
		}
	case *ptx.Imm:
		if from = isTrue; x.Value == 0 {
			from = isFalse
		}
	}
	switch {
	case in.Op == "mov" && (in.Mods[0] == "pred" || from >= isVariable):
		return from
	case in.Op == "cvta" && in.Mods[0] == "shared" && from == isVariable:
		return isShared
	case in.Op == "isspacep" && from == isShared:
		if space, _, _ := strings.Cut(in.Mods[0], "::"); space == "shared" {
			return isTrue
		}
		return isFalse
	}
	return 0
}

// written are the registers that an instruction writes.
func written(in *ptx.Instr) (regs []string) {
	var add func(o ptx.Operand)
	add = func(o ptx.Operand) {
		switch x := o.(type) {
		case *ptx.RegRef:
			regs = append(regs, x.Name)
		case *ptx.Vector:
			for _, e := range x.Elems {
				add(e)
			}
		case *ptx.Pair:
			add(x.A)
			add(x.B)
		}
	}
	if in.Kind() == inst.Call {
		if c, ok := in.Call(); ok {
			for _, o := range c.Ret {
				add(o)
			}
		}
		return regs
	}
	if o := in.Dest(); o != nil {
		add(o)
	}
	return regs
}
