package x86

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestTranslate generates code for each operation, whether the processor can run it or
// not.
func TestTranslate(t *testing.T) {
	for _, op := range native.Operations() {
		code := program.OpVec
		if op.Dst == alu.Pred {
			code = program.OpCmp
		}
		p := &program.Program{Slab: 4096, Uniform: 64, StackTop: program.NoSlot, Funcs: []program.Func{{}}, Code: []program.Instr{
			{Op: program.OpEnter, Guard: program.NoSlot, N: 1},
			{Op: code, ALU: op, Dst: op.Dst, Guard: program.NoSlot, D: 64, D2: program.NoSlot, A: 512, B: 1024, C: 1536, E: 2048},
			{Op: program.OpReturn, Guard: program.NoSlot},
		}}
		pl, err := native.NewPlan(p)
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

// TestAtomics: the atomic operations that are planned to have code have it, and are bodies, but for two that move values.
func TestAtomics(t *testing.T) {
	if want, got := native.Atomics(), slices.Sorted(maps.Keys(atomics)); !slices.Equal(got, want) {
		t.Errorf("code of %v, want %v", got, want)
	}
	for name := range atomics {
		if !strings.HasPrefix(name, "exch.") && !strings.HasPrefix(name, "cas.") && body.Of(name) == nil {
			t.Errorf("%s has no body", name)
		}
	}
}
