package race

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// reading is how a warp reads what another warp writes.
type reading struct {
	step int64
	// masks are the lanes of the reads, one after the other.
	masks []uint32
	// writer are the lanes that write.
	writer uint32
}

// pairs returns the thread pairs that race in one barrier interval.
func (r reading) pairs(t *testing.T, writeFirst bool) uint64 {
	t.Helper()
	site := func(id int, k trace.Kind) *trace.Site {
		return &trace.Site{ID: id, PTXLine: id + 1, Space: trace.SpaceGlobal, Kind: k, Size: 4, Elem: 4}
	}
	l := &trace.Launch{Kernel: "k", Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1},
		Sites:  []*trace.Site{site(0, trace.Write), site(1, trace.Read)},
		Memory: func(uint64) (trace.Memory, bool) { return trace.Memory{}, false }}
	c := New(check.Config{RaceModel: check.ITS})
	lo := c.Observer().Launch(l)[0]
	bo := lo.Block()
	bo.Begin(&trace.Block{Launch: l})
	var addr [32]uint64
	for i := range addr {
		addr[i] = 1<<20 + uint64(i)*uint64(r.step)
	}
	access := func(site, warp int, mask, tick uint32) {
		bo.Global(&trace.Access{Site: l.Sites[site], Space: trace.SpaceGlobal, Warp: warp, Mask: mask, Addr: &addr,
			Regular: mask == ^uint32(0), Step: r.step, Tick: tick})
	}
	if writeFirst {
		access(0, 0, r.writer, 1)
	}
	for i, m := range r.masks {
		access(1, 1, m, uint32(i+1))
	}
	if !writeFirst {
		access(0, 0, r.writer, 1)
	}
	bo.End()
	lo.End()
	f := c.Findings()
	if len(f) != 1 {
		t.Fatalf("%d findings, want 1", len(f))
	}
	return uint64(f[0].Count)
}

// TestRepeatedAccess reads what another warp writes, several times in one
// barrier interval: each pair of threads counts once, whoever comes first, and
// also where the lanes read in turns.
func TestRepeatedAccess(t *testing.T) {
	const all, low, high, one = 0xffffffff, 0xffff, 0xffff0000, 1
	for _, c := range []struct {
		name string
		reading
		want uint64
	}{
		{"own elements", reading{4, []uint32{all}, all}, 32},
		{"own elements, twice", reading{4, []uint32{all, all}, all}, 32},
		{"own elements, often", reading{4, []uint32{all, all, all, all, all}, all}, 32},
		{"one element", reading{0, []uint32{all, all}, one}, 32},
		{"one element, halves", reading{0, []uint32{low, high, low, high, low}, one}, 32},
		{"one element, more and more", reading{0, []uint32{one, low, one, low, one}, one}, 16},
	} {
		for _, writeFirst := range []bool{false, true} {
			if n := c.pairs(t, writeFirst); n != c.want {
				t.Errorf("%s, write first %v: %d pairs, want %d", c.name, writeFirst, n, c.want)
			}
		}
	}
}
