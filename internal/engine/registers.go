package engine

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// starves records, for a block in which no thread gets on, that a warp waits for registers. It reports whether one does.
func (b *block) starves() bool {
	x := b.env.RegisterWait()
	if x == nil {
		return false
	}
	f := &trace.Fault{Kind: trace.FaultBudget, Cause: trace.CauseNoRegisters, Site: x.Site, Block: b.env.Block.Index, Warp: x.Warp, Mask: b.exist[x.Warp], Endless: true}
	f.Message = fmt.Sprintf("setmaxnreg.inc waits forever for %d registers per thread: the block has no free ones left", x.Want)
	if x.Free > 0 {
		f.Message = fmt.Sprintf("setmaxnreg.inc waits forever for %d registers per thread: the block has too few free ones", x.Want)
	}
	f.Notes = append(b.whereabouts(maxPlaces),
		fmt.Sprintf("warp %d has %d registers per thread and needs %d more: %d for its 32 threads; %d of the block's are free", x.Warp, x.Has, x.Want-x.Has, (x.Want-x.Has)*32, x.Free),
		fmt.Sprintf("the block has %d registers: %d threads started with %d each", x.All, 32*len(b.warps), x.Start),
		"registers per thread now: "+strings.Join(b.registers(), ", "))
	b.env.Fault = f
	return true
}

// registers says how many registers the warps have, by ranges of warps.
func (b *block) registers() (out []string) {
	has := b.env.Registers()
	for first := 0; first < len(has); {
		last := first
		for last+1 < len(has) && has[last+1] == has[first] {
			last++
		}
		name := fmt.Sprintf("warps %d-%d", first, last)
		if last == first {
			name = fmt.Sprintf("warp %d", first)
		}
		out = append(out, fmt.Sprintf("%s %d", name, has[first]))
		first = last + 1
	}
	return out
}
