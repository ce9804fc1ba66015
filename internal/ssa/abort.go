package ssa

import (
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// A trap or a failed assertion ends the whole program. Analyses that ask what a working program does take it that no
// thread comes there (Options.NeverAbort): a branch with such a side always takes the other one, and an Assume says
// so. Loops then have no exit for each assertion in them, and barriers none around them.

// assertFail is what assert calls where its condition does not hold.
const assertFail = "__assertfail"

// assumeNoAbort makes assumptions of the branches that lead to the end of the program alone. A kernel that always
// ends so stays as it is.
func (f *Func) assumeNoAbort() {
	doomed := f.doomed()
	if doomed[f.Blocks[0]] {
		return
	}
	for _, b := range f.Blocks {
		if b.Kind != If || doomed[b.Succs[0]] == doomed[b.Succs[1]] {
			continue
		}
		stay := 0
		if doomed[b.Succs[0]] {
			stay = 1
		}
		v := &Value{ID: f.NumValues, Op: Assume, Args: []*Value{b.Control}, Const: uint64(1 - stay), Block: b, Instr: b.Instr, Loc: b.Loc}
		f.NumValues++
		b.Values = append(b.Values, v)
		b.Kind, b.Control, b.Succs = Jump, nil, []*Block{b.Succs[stay]}
	}
}

// doomed are the blocks from which all ways end the program.
func (f *Func) doomed() map[*Block]bool {
	doomed := map[*Block]bool{}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			b := f.Blocks[i]
			if doomed[b] {
				continue
			}
			all := len(b.Succs) > 0
			for _, s := range b.Succs {
				all = all && doomed[s]
			}
			if all || b.aborts() {
				doomed[b], changed = true, true
			}
		}
	}
	return doomed
}

// aborts reports whether b is a block that ends the program.
func (b *Block) aborts() bool {
	if b.Kind != Exit || b.Instr == nil {
		return false
	}
	if c, ok := b.Instr.Call(); ok {
		sym, direct := c.Callee.(*ptx.SymbolRef)
		return direct && sym.Name == assertFail
	}
	return b.Instr.Kind() == inst.Trap
}
