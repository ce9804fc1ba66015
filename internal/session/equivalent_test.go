package session

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/warpgrind/warpgrind/internal/analysis/equivalent"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// twins is a checker that holds the proofs that blocks are equivalent against what
// these do: the accesses of each thread to shared memory, and what orders them;
// and, where lanes are said to run together in the same way, those of each warp.
type twins struct {
	prove     func(*trace.Launch) *equivalent.Proof
	launches  uint64
	different []string
}

func (w *twins) Findings() []*finding.Finding { return nil }

func (w *twins) Observer() *trace.Observer { return &trace.Observer{Launch: w.launch} }

func (w *twins) launch(l *trace.Launch) []*trace.LaunchObserver {
	p := w.prove(l)
	if p == nil {
		return nil
	}
	w.launches++
	o := &twinLaunch{twins: w, launch: l, proof: p, did: map[uint64]string{}}
	return []*trace.LaunchObserver{{Block: o.newBlock, End: o.End}}
}

type twinLaunch struct {
	twins  *twins
	launch *trace.Launch
	proof  *equivalent.Proof
	mu     sync.Mutex
	// did says in short what each block did.
	did map[uint64]string
}

func (o *twinLaunch) newBlock() *trace.BlockObserver {
	b := &twinBlock{launch: o}
	return &trace.BlockObserver{Begin: b.Begin, End: b.End, Shared: b.Access, Barrier: b.Barrier, WarpSync: b.WarpSync, Fence: b.Fence}
}

func (o *twinLaunch) End() {
	first, from := "", uint64(0)
	for i := range o.launch.Grid.Size() {
		switch did, ok := o.did[i]; {
		case !ok:
		case first == "":
			first, from = did, i
		case did != first:
			o.twins.different = append(o.twins.different,
				fmt.Sprintf("%s, launch %d: blocks %d and %d are not equivalent", o.launch.Kernel, o.launch.ID, from, i))
			return
		}
	}
}

// twinBlock keeps a hash of what each thread did, and of what each warp did.
type twinBlock struct {
	launch  *twinLaunch
	block   *trace.Block
	threads [1024]uint64
	warps   [32]uint64
}

func (b *twinBlock) Begin(x *trace.Block) { *b = twinBlock{launch: b.launch, block: x} }

func (b *twinBlock) End() {
	o, c := b.launch, b.block.Coord
	if b.block.Cut || !o.proof.Has([3]uint32{c.X, c.Y, c.Z}) {
		return
	}
	did := fmt.Sprint(b.threads)
	if o.proof.Straight {
		did += fmt.Sprint(b.warps)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.did[b.block.Index] = did
}

func mix(h *uint64, xs ...uint64) {
	for _, x := range xs {
		*h = bits.RotateLeft64((*h^x)*0x9e3779b97f4a7c15, 29)
	}
}

// each calls f for the threads of lanes m of a warp.
func (b *twinBlock) each(warp int, m uint32, f func(lane int, h *uint64)) {
	for ; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		f(lane, &b.threads[32*warp+lane])
	}
}

func (b *twinBlock) Access(a *trace.Access) {
	mix(&b.warps[a.Warp], 1, uint64(a.Site.ID), uint64(a.Mask))
	b.each(a.Warp, a.Mask, func(lane int, h *uint64) { mix(h, 1, uint64(a.Site.ID), uint64(a.Async), a.Addr[lane]) })
}

func (b *twinBlock) Barrier(e *trace.Barrier) {
	for w := range e.Arrived {
		b.each(w, e.Arrived[w], func(_ int, h *uint64) { mix(h, 2, uint64(e.Site.ID), uint64(e.ID)) })
	}
}

func (b *twinBlock) WarpSync(e *trace.WarpSync) {
	b.each(e.Warp, e.Mask, func(_ int, h *uint64) { mix(h, 3, uint64(e.Site.ID), uint64(e.Mask)) })
}

func (b *twinBlock) Fence(*trace.Fence) {}
