package initialized

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// exchange tells which lanes took part in a shuffle, of those that the warp has.
type exchange struct{ came, exist uint32 }

// Absent is for trace.UndefinedObserver: what a shuffle reads in a lane that takes no part is
// followed as uninitialized memory is.
func (b *blockObserver) Absent(e *trace.AbsentLanes) {
	var missing [32]uint64
	for l := range missing {
		missing[l] = 1<<4 - 1
	}
	k := readKey{e.Site.ID, trace.SpaceLane, -1}
	i := b.tracker.read(k, e.Warp, e.Mask, e.Source, &missing, nil, e.Origin, trace.Memory{})
	if i >= 0 && b.tracker.records[i].exchange == (exchange{}) {
		b.tracker.records[i].exchange = exchange{e.Came, e.Exist}
	}
	b.tracker.confirm(i, e.Mask)
}

// shuffles reports whether s is a site that reads registers of other lanes.
func shuffles(s *trace.Site) bool { return s.Op.Kind == inst.Shuffle }

// absentNotes say which lanes took part in a shuffle, and why the others did not.
func (w *witness) absentNotes(site *trace.Site) []string {
	source := uint32(1) << (w.addr & 31)
	notes := []string{fmt.Sprintf("lane %d of warp %d reads lane %d; %s of the warp %s in %s", w.lane, w.warp, w.addr, check.Lanes(w.exchange.came), takePart(w.exchange.came), check.OpName(site))}
	if source&^w.exchange.exist != 0 {
		notes = append(notes, fmt.Sprintf("the block has no thread for lane %d of this warp", w.addr))
	}
	return notes
}

func takePart(lanes uint32) string {
	if bits.OnesCount32(lanes) == 1 {
		return "takes part"
	}
	return "take part"
}

// NotCanceled is for trace.UndefinedObserver: the block that a response names which canceled nothing is followed as
// uninitialized memory is.
func (b *blockObserver) NotCanceled(e *trace.NotCanceled) {
	var at, missing [32]uint64
	for l := range missing {
		missing[l] = 1<<4 - 1
	}
	k := readKey{e.Site.ID, trace.SpaceResponse, -1}
	b.tracker.confirm(b.tracker.read(k, e.Warp, e.Mask, &at, &missing, nil, e.Origin, trace.Memory{}), e.Mask)
}
