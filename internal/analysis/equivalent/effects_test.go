package equivalent_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/equivalent"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isatest"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// TestEffects holds the proof to the instruction table: blocks that access shared
// memory at different places, by any instruction, are not equivalent.
func TestEffects(t *testing.T) {
	if !sameBlocks(t, isatest.Example{Op: "nothing", Text: "mov.u32 %r9, 0;"}) {
		t.Error("the blocks differ without an access")
	}
	list, _ := isatest.Examples()
	for _, e := range list {
		if e.Does.Touches()&inst.Shared != 0 && sameBlocks(t, e) {
			t.Errorf("%s: the blocks are equivalent", e.Text)
		}
	}
}

func sameBlocks(t *testing.T, e isatest.Example) bool {
	t.Helper()
	m, err := ptx.Parse(e.Op, []byte(e.Module(true)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ssa.Build(m, m.Func("k"), ssa.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	return equivalent.Prove(f, equivalent.Launch{Block: [3]uint32{64, 1, 1}, Grid: [3]uint32{2, 1, 1}, Params: make([]byte, 8)}) != nil
}
