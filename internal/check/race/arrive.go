package race

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// arrival is a wait for other blocks that does not order two accesses of theirs.
type arrival struct {
	// wait is where one block waits, tell where the other one tells that it has come,
	// after its access; access is that of the block that waits.
	wait, tell, access *trace.Site
	// alone says that only another thread of the block waits.
	alone bool
}

// blockHearings are the last strong reads of each block, by site; the lists are never
// changed once they are shared.
type blockHearings map[uint32][]hearing

// maxHearings bounds a block's list.
const maxHearings = 8

// note adds a read, which has a loop's interval and word in common with those that
// are not worth a note.
func (hs blockHearings) note(block uint32, h hearing) {
	list := hs[block]
	i := slices.IndexFunc(list, func(o hearing) bool { return o.site == h.site })
	switch {
	case i >= 0 && list[i].word == h.word && list[i].interval == h.interval:
		return
	case i >= 0:
		list = slices.Delete(slices.Clone(list), i, i+1)
	case len(list) == maxHearings:
		list = list[1:]
	}
	hs[block] = append(slices.Clone(list), h)
}

// arrival looks for one where no flag orders the two accesses: a block that goes on
// before the other one has come, or a thread of it that does not wait with
// it. It returns nil for none.
func (st *globalStory) arrival() *arrival {
	x := &st.w.why
	first, then := st.w.first, st.w.then
	lanes := [2]int{st.w.firstLane, st.w.thenLane}
	if x.swapped {
		first, then, lanes = then, first, [2]int{lanes[1], lanes[0]}
	}
	if x.link.ok || !st.g.sync || first.block == then.block {
		return nil
	}
	for _, h := range slices.Backward(x.waited) {
		if a := st.waitOfBlock(h, &first, lanes[0], &then); a != nil {
			return a
		}
	}
	for _, h := range slices.Backward(st.g.heard[then.block]) {
		if a := st.waitOfBlock(h, &then, lanes[1], &first); a != nil && a.alone {
			return a
		}
	}
	return nil
}

// waitOfBlock looks at what the block of an access has read last, and at what the
// block of the other one has said since.
func (st *globalStory) waitOfBlock(h hearing, access *span, lane int, other *span) *arrival {
	g := st.g
	site := g.launch.Sites[access.site]
	if h.site == nil || takes(h.site) || h.interval > access.interval || !g.checker.factsOf(g.launch).Waits(guardSite(h.site)) || !follows(h.site, site) {
		return nil
	}
	said, ok := g.said[saying{h.word, other.block}]
	if !ok || said.interval < other.interval || said.interval == other.interval && said.tick <= other.tick {
		return nil
	}
	return &arrival{h.site, said.site, site, h.interval == access.interval && h.thread != 32*int(access.warp)+lane}
}

func (a *arrival) reason(file string) (Cause, string) {
	wait, tell := check.Where(a.wait, file), check.Where(a.tell, file)
	if a.alone {
		return NoBarrier, fmt.Sprintf("another thread of its block waits at %s for what the other block tells at %s, but no barrier lets this one wait for that", wait, tell)
	}
	return NotArrived, fmt.Sprintf("its block waits at %s, but goes on before the other block has come to %s", wait, tell)
}

func (a *arrival) repair() mend {
	if a.alone {
		return adding(AddBarrier, finding.Syncthreads, a.wait, a.access)
	}
	return by(WaitForAll, fmt.Sprintf("let %s wait until all blocks have come (is the number that it waits for too small?)", check.Where(a.wait, a.access.Loc.File)))
}
