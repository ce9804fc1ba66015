package lower

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// onRegisters are the classes of instructions that package alu computes.
var onRegisters = map[isa.Class]bool{
	isa.Arith: true, isa.Float: true, isa.Compare: true, isa.Logic: true, isa.Move: true, isa.Video: true,
}

// TestVariants compares the instruction table with what package alu has: each
// variant of a form that is marked as executed must be there, and no other.
func TestVariants(t *testing.T) {
	listed := map[string]bool{}
	for _, op := range alu.All() {
		listed[op] = true
	}
	for _, d := range isa.All() {
		if !onRegisters[d.Class] || d.Op == "mov" {
			continue
		}
		runs := map[string]bool{}
		for i := range d.Forms {
			for v := range d.Variants(&d.Forms[i]) {
				runs[v] = runs[v] || d.Forms[i].Executed
			}
		}
		for v, run := range runs {
			_, err := alu.Lookup(aluOpcode(v))
			if (err == nil) != run {
				t.Errorf("%s: executed is %v in the table; package alu: %v", v, run, err)
			}
			if run && !listed[aluOpcode(v)] {
				t.Errorf("%s is not in alu.All", v)
			}
		}
	}
	for op := range listed {
		plain, _, _ := strings.Cut(op, ":")
		if v := isa.Variant(plain); v == "" {
			t.Errorf("%s is in alu.All and not in the table", op)
		}
	}
}

// aluOpcode is what the lowering makes of an opcode of the table.
func aluOpcode(op string) string {
	words := strings.Split(op, ".")
	in := &ptx.Instr{Op: words[0], Mods: words[1:]}
	switch {
	case in.Op == "lop3" && len(words) == 3:
		in.Args = make([]ptx.Operand, 6)
		in.Args[4] = &ptx.Imm{Value: 0x96}
	case (in.Op == "min" || in.Op == "max") && in.Has("abs") && !in.Has("xorsign"):
		in.Args = make([]ptx.Operand, 4)
	}
	return opcode(in, false)
}

// TestSpecialRegisters wants each special register to be readable, whole or by
// component.
func TestSpecialRegisters(t *testing.T) {
	regs := map[isa.Type]string{isa.U32: "%r0", isa.B32: "%r0", isa.U64: "%d0", isa.Pred: "%p0"}
	for _, s := range isa.Specials() {
		for _, name := range s.Names() {
			names := []string{name}
			for _, c := range s.Components {
				names = append(names, name+"."+string(c))
			}
			if s.Components != "" {
				names = names[1:]
			}
			for _, n := range names {
				p := mustLower(t, kernel(t, "", "mov."+s.Type.String()+" "+regs[s.Type]+", "+n+";"))
				if len(p.Messages) > 0 {
					t.Errorf("%s: %s", n, p.Messages)
				}
			}
		}
	}
}
