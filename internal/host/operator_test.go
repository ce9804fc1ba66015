package host

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestOperator reports operators for memory of which a part is written: what they read that is not, and that what
// they have written, whole or in part, is.
func TestOperator(t *testing.T) {
	v := newVictim(t)
	arena := v.server.cfg.Arena
	var reports []*trace.CopiedUnwritten
	var transfers []*trace.Transfer
	on := &trace.Observer{CopiedUnwritten: func(e *trace.CopiedUnwritten) { reports = append(reports, e) },
		Transfer: func(e *trace.Transfer) { transfers = append(transfers, e) }}
	v.server.cfg.Hooks = observed(on, arena, v.server.cfg.Hooks)
	al, err := arena.Alloc(400, 0, mem.Device, "")
	if err != nil {
		t.Fatal(err)
	}
	part := func(from, to uint64) []protocol.Extent {
		return []protocol.Extent{{Lo: al.Base + from, Hi: al.Base + to}}
	}
	for _, step := range []struct {
		name string
		does protocol.Operator
		want uint64 // bytes
	}{
		{"reads", protocol.Operator{Reads: part(0, 400)}, 400},
		{"writes a part", protocol.Operator{Writes: part(0, 240)}, 0},
		{"reads that part", protocol.Operator{Reads: part(0, 240)}, 0},
		{"reads more", protocol.Operator{Reads: part(200, 248)}, 8},
		{"reads what it writes", protocol.Operator{Reads: part(240, 244), Writes: part(240, 244)}, 4},
		{"reads ranges", protocol.Operator{Reads: append(part(0, 8), part(300, 310)...)}, 10},
		{"writes some elements", protocol.Operator{Marks: part(0, 400)}, 0},
		{"reads all", protocol.Operator{Reads: part(0, 400)}, 0},
	} {
		reports, transfers = nil, nil
		step.does.Name, step.does.Where = "aten::mul", "x.py:3"
		if code, err := send(v.conn, step.does, nil); code != Success || err != nil {
			t.Fatalf("%s: %v, %v", step.name, code, err)
		}
		got := uint64(0)
		for _, r := range reports {
			got += r.Total
			if !r.Operator || r.Call != "aten::mul" || r.Where != "x.py:3" || r.Memory.Base != al.Base {
				t.Errorf("%s: %+v", step.name, r)
			}
		}
		if got != step.want || len(reports) > 1 {
			t.Errorf("%s: %d uninitialized bytes in %d reports, want %d", step.name, got, len(reports), step.want)
		}
		if len(transfers) != 1 || transfers[0].Waits || len(transfers[0].Reads) != len(step.does.Reads) || len(transfers[0].Writes) != len(step.does.Writes) {
			t.Errorf("%s: %+v", step.name, transfers)
		}
	}
}
