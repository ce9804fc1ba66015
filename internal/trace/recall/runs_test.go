package recall

import (
	"math/rand"
	"slices"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestRuns enters reads of random shapes into random states, by lanes and by runs.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var shapes trace.Shapes
	quick, refused := 0, 0
	for range 5000 {
		shift := uint(r.Intn(3))
		size := 1 << (int(shift) + r.Intn(5-int(shift)))
		sh, base := randomShape(r, &shapes, size), uint64(2048)
		live := shadow.SieveLive{Tag: uint32(1+r.Intn(3)) << shadow.SieveTagShift}
		lanes := &sieve{unit: 1 << shift, shift: shift, live: live, states: randomStates(r, live.Tag)}
		plain := &sieve{unit: 1 << shift, shift: shift, live: live, states: slices.Clone(lanes.states)}
		vector := slices.Clone(lanes.states)
		var addr [32]uint64
		sh.Addresses(base, &addr)
		site := &trace.Site{Kind: trace.Read, Size: size, Elem: min(size, 8)}
		warp := r.Intn(8)
		want := lanes.unsuspected(&trace.Access{Site: site, Warp: warp, Mask: sh.Mask, Addr: &addr}, shadow.SieveRead|looks)
		runs := plain.runs(site, sh)
		if got := plain.readRuns(base>>shift, runs, uint32(32*warp)); got != want {
			t.Fatalf("by runs %v, by lanes %v", got, want)
		}
		if want && !slices.Equal(plain.states, lanes.states) {
			t.Fatal("other states by runs")
		}
		if !vectors {
			continue
		}
		ok := readRuns512(unsafe.Pointer(&vector[base>>shift]), &runs[0], len(runs), live.Tag, uint32(32*warp))
		switch {
		case ok && !want:
			t.Fatal("the assembly takes what is suspected")
		case ok && !slices.Equal(vector, lanes.states):
			t.Fatal("other states by the assembly")
		case ok:
			quick++
			continue
		}
		refused++
		again := &sieve{unit: 1 << shift, shift: shift, live: live, states: vector}
		if got := again.readRuns(base>>shift, runs, uint32(32*warp)); got != want || want && !slices.Equal(vector, lanes.states) {
			t.Fatal("reads that the assembly has begun with end in another way")
		}
	}
	if vectors && (quick < 500 || refused < 500) {
		t.Errorf("the assembly took %d and refused %d", quick, refused)
	}
}

// randomStates are of an older interval, or read in this one; few have other accesses or are not written.
func randomStates(r *rand.Rand, tag uint32) []uint32 {
	states := make([]uint32, 1<<14)
	odd := []int{0, 2000, 40}[r.Intn(3)]
	for i := range states {
		states[i] = tag - uint32(r.Intn(2))<<shadow.SieveTagShift | shadow.SieveWritten
		if states[i] >= tag {
			states[i] |= shadow.SieveRead | uint32(r.Intn(256))
		}
		if odd > 0 && r.Intn(odd) == 0 {
			states[i] = []uint32{tag | shadow.SieveWritten | shadow.SieveWrite | uint32(r.Intn(256)), shadow.SieveFlying, 0, tag | shadow.SieveWritten | shadow.SieveAtomic | 5}[r.Intn(4)]
		}
	}
	return states
}

// randomShape has rows of a matrix, or any places.
func randomShape(r *rand.Rand, shapes *trace.Shapes, size int) *trace.Shape {
	var addr [32]uint64
	mask, rows, pitch := ^uint32(0), 1<<r.Intn(6), uint64(size*r.Intn(20))
	if r.Intn(3) == 0 {
		mask = r.Uint32() | 1
	}
	anywhere := r.Intn(3) == 0
	for l := range addr {
		addr[l] = 2048 + uint64(l/rows)*pitch + uint64(l%rows*size)
		if anywhere {
			addr[l] = 1024 + uint64(r.Intn(1024)/size*size)
		}
	}
	for {
		if sh := shapes.Find(&addr, mask); sh != nil {
			return sh
		}
		*shapes = trace.Shapes{}
	}
}
