package ownership_test

import (
	"encoding/binary"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isatest"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// TestEffects holds the proof to the instruction table: a store to an array that
// any instruction accesses at another place is not the thread's own.
func TestEffects(t *testing.T) {
	if !ownStore(t, isatest.Example{Op: "nothing", Text: "mov.u32 %r9, 0;"}) {
		t.Error("the store is not the thread's own without another access")
	}
	list, _ := isatest.Examples()
	for _, e := range list {
		if e.Does.Touches()&inst.Global != 0 && ownStore(t, e) {
			t.Errorf("%s: the store to global memory before it is the thread's own", e.Text)
		}
	}
}

// ownStore reports whether the example's store to global memory is proved to be
// the thread's own.
func ownStore(t *testing.T, e isatest.Example) bool {
	t.Helper()
	m, err := ptx.Parse(e.Op, []byte(e.Module(false)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ssa.Build(m, m.Func("k"), ssa.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	array := ownership.Memory{ID: 1, Base: 1 << 32, Size: 1 << 20}
	p := ownership.Prove(f, ownership.Launch{
		Block: [3]uint32{64, 1, 1}, Grid: [3]uint32{2, 1, 1}, Params: binary.LittleEndian.AppendUint64(nil, array.Base),
		Memory: func(addr uint64) (ownership.Memory, bool) { return array, addr-array.Base < array.Size },
	})
	return p.Safe[ownership.Site{Func: "k", Line: isatest.GlobalLine}]
}
