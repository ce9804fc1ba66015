package race

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestRepeatedAccess reads what another warp writes, several times in one
// barrier interval: each pair of threads counts once, whoever comes first.
func TestRepeatedAccess(t *testing.T) {
	count := func(reads int, writeFirst bool) uint64 {
		site := func(id int, k trace.Kind) *trace.Site {
			return &trace.Site{ID: id, PTXLine: id + 1, Space: trace.SpaceGlobal, Kind: k, Size: 4, Elem: 4}
		}
		l := &trace.Launch{Kernel: "k", Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1},
			Sites:  []*trace.Site{site(0, trace.Write), site(1, trace.Read)},
			Memory: func(uint64) (trace.Memory, bool) { return trace.Memory{}, false }}
		c := New(check.Config{RaceModel: check.ITS})
		lo := c.Launch(l)
		bo := lo.NewBlock()
		bo.Begin(&trace.Block{Launch: l})
		var addr [32]uint64
		for i := range addr {
			addr[i] = 1<<20 + 4*uint64(i)
		}
		access := func(site, warp int, tick uint32) {
			bo.Access(&trace.Access{Site: l.Sites[site], Space: trace.SpaceGlobal, Warp: warp, Mask: ^uint32(0), Addr: &addr,
				Regular: true, Step: 4, Tick: tick})
		}
		if writeFirst {
			access(0, 0, 1)
		}
		for i := range reads {
			access(1, 1, uint32(i+1))
		}
		if !writeFirst {
			access(0, 0, 1)
		}
		bo.End()
		lo.End()
		f := c.Findings()
		if len(f) != 1 {
			t.Fatalf("%d findings, want 1", len(f))
		}
		return uint64(f[0].Count)
	}
	for _, writeFirst := range []bool{false, true} {
		for _, reads := range []int{1, 2, 5} {
			if n := count(reads, writeFirst); n != 32 {
				t.Errorf("%d reads, write first %v: %d pairs, want 32", reads, writeFirst, n)
			}
		}
	}
}
