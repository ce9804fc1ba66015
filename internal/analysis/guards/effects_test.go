package guards_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isatest"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// TestEffects holds the waiting loops to the instruction table: a loop that writes
// memory, or waits in another way, does not only wait.
func TestEffects(t *testing.T) {
	if !waits(t, isatest.Example{Op: "nothing", Text: "mov.u32 %r8, 0;"}) {
		t.Error("the loop does not wait")
	}
	list, _ := isatest.Examples()
	for _, e := range list {
		acts := e.Does.Writes&(inst.Global|inst.Shared) != 0 || e.Does.Effect().Has(inst.Waits) && e.Does.Kind != inst.WarpSync
		if e.Does.Kind == inst.Atomic { // which a loop can wait with
			continue
		}
		if !e.Does.Effect().Has(inst.Control) && acts && waits(t, e) {
			t.Errorf("%s: a loop with it waits", e.Text)
		}
	}
}

func waits(t *testing.T, e isatest.Example) bool {
	t.Helper()
	text := "LOOP: ld.volatile.global.u32 %r9, [%dg+4096];\nEXAMPLE\nsetp.eq.u32 %q, %r9, 0; @%q bra LOOP;"
	m, err := ptx.Parse(e.Op, []byte(e.Replaced(false, text)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ssa.Build(m, m.Func("k"), ssa.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	return guards.Find(f).Waits(guards.Site{Func: "k", Line: isatest.Line})
}
