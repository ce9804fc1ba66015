package engine

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
)

func asBytes(w [][16]uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*128)
}

// deadlock records that no thread of the block can go on: who waits where,
// and how many did not come.
func (b *block) deadlock() {
	f := &trace.Fault{Kind: trace.FaultDeadlock, Block: b.env.Block.Index}
	threads, exited := int(b.r.launch.Block.Size()), 0
	for k, w := range b.warps {
		exited += bits.OnesCount32(w.Exist &^ w.Live)
		w.Waiting(func(site *trace.Site, mask uint32, barrier bool) {
			if f.Site == nil {
				f.Site, f.Warp, f.Mask, f.Lane = site, k, mask, bits.TrailingZeros32(mask)
			}
		})
	}
	came := map[*trace.Site]int{}
	var order []*trace.Site
	for _, w := range b.warps {
		w.Waiting(func(site *trace.Site, mask uint32, barrier bool) {
			if came[site] == 0 {
				order = append(order, site)
			}
			came[site] += bits.OnesCount32(mask)
		})
	}
	if f.Site != nil {
		f.Message = fmt.Sprintf("%d of %d threads wait for others that never come", came[f.Site], threads)
	} else {
		f.Message = "no thread can go on"
	}
	for _, s := range order {
		f.Notes = append(f.Notes, fmt.Sprintf("%d threads wait at %s (%s)", came[s], s.Loc.Pos, s.PTX))
	}
	if exited > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d threads have exited", exited))
	}
	b.env.Fault = f
}

// hang records that the block was stopped because it goes on for ever.
func (b *block) hang(why string) {
	f := &trace.Fault{Kind: trace.FaultBudget, Block: b.env.Block.Index, Message: why}
	for k, w := range b.warps {
		if !b.done[k] {
			f.Warp, f.Mask = k, w.Live
			f.Site = w.Where()
			f.Lane = bits.TrailingZeros32(w.Live)
			break
		}
	}
	b.env.Fault = f
}
