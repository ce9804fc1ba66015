package lower

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/ptx/isatest"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestEffects holds the lowering to the instruction table: what an instruction reads
// and writes are accesses at its sites, which rules see, or it stops the kernel.
func TestEffects(t *testing.T) {
	list, _ := isatest.Examples()
	for _, e := range list {
		if e.Does.Effect().Has(inst.Control) || !e.Does.Effect().Has(inst.Memory) {
			continue
		}
		m, err := ptx.Parse(e.Op, []byte(e.Module(false)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Kernel(m, "k", nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Messages) > 0 {
			if d := isa.Lookup(e.Op); d.Executed {
				t.Errorf("%s: %s", e.Text, p.Messages[0])
			}
			continue
		}
		reads, writes := false, false
		for _, s := range p.Sites {
			if s.PTXLine == isatest.Line && s.Size > 0 && s.Space != trace.SpaceTensor {
				if s.Op.Kind != e.Does.Kind {
					t.Errorf("%s: its site is a %v", e.Text, s.Op.Kind)
				}
				reads, writes = reads || s.Kind != trace.Write, writes || s.Kind != trace.Read
			}
		}
		if reads != (e.Does.Reads != 0) || writes != (e.Does.Writes != 0) {
			t.Errorf("%s: reads %v, writes %v", e.Text, reads, writes)
		}
	}
}

// TestKinds holds the lowering to the kinds: one of them is lowered, or none of its
// rows is executed.
func TestKinds(t *testing.T) {
	for _, d := range isa.All() {
		if d.Executed && d.Kind != inst.Compute && byKind[d.Kind] == nil {
			t.Errorf("%s is executed, but nothing lowers it", d.Op)
		}
	}
}
