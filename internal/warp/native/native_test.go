package native

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestTranslate generates code for each operation, whether the processor can run it or
// not.
func TestTranslate(t *testing.T) {
	for _, op := range Operations() {
		code := program.OpVec
		if op.Dst == alu.Pred {
			code = program.OpCmp
		}
		p := &program.Program{Slab: 4096, Uniform: 64, StackTop: program.NoSlot, Funcs: []program.Func{{}}, Code: []program.Instr{
			{Op: program.OpEnter, Guard: program.NoSlot, N: 1},
			{Op: code, ALU: op, Dst: op.Dst, Guard: program.NoSlot, D: 64, D2: program.NoSlot, A: 512, B: 1024, C: 1536, E: 2048},
			{Op: program.OpReturn, Guard: program.NoSlot},
		}}
		pl, err := newPlan(p)
		if err != nil {
			t.Fatalf("%s: %v", op.Name, err)
		}
		text, entry, _ := generate(pl, 0)
		for form := range entry {
			if len(text) == 0 || entry[form][0] == 0 {
				t.Errorf("%s: no code in form %d", op.Name, form)
			}
		}
	}
}
