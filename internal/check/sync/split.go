package sync

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// splitCauses are the misuses of barriers in two parts after which a kernel continues.
var splitCauses = map[trace.DefectKind]finding.Cause{
	trace.DefectArrivedTwice: ArrivedTwice,
	trace.DefectNeverWaited:  NeverWaited,
	trace.DefectArrivedEarly: ArrivedEarly,
}

// splitTexts put them into words.
var splitTexts = map[finding.Cause]struct{ message, note string }{
	ArrivedTwice: {"threads arrive twice at a barrier without waiting in between",
		"a thread arrives and waits once in each phase; a second arrival before the wait is undefined"},
	NeverWaited: {"threads arrive at a barrier and exit without waiting",
		"every thread that arrives must wait for the phase to complete"},
	ArrivedEarly: {"a thread arrives at an mbarrier whose phase may not have ended",
		"the phase has all of its arrivals and waits for the bytes of asynchronous operations; no thread has waited for it, so this arrival may be one too many"},
}

// split is the finding of a barrier in two parts whose parts do not follow each other.
func (o launchObserver) split(block uint64, d *trace.Defect) *finding.Finding {
	l, lane := o.launch, bits.TrailingZeros32(d.Mask)
	cause := splitCauses[d.Kind]
	text := splitTexts[cause]
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "split", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "block",
		Witness: [4]uint64{uint64(l.ID), block, uint64(d.Warp), uint64(lane)},
		Primary: check.CalledPlace(d.Site, d.Callers, "executed by", check.Thread(l, block, d.Warp, lane)),
		Message: text.message,
		Notes: []string{fmt.Sprintf("%s of warp %d %s", check.Lanes(d.Mask), d.Warp, did(d.Mask)),
			text.note},
		Key:   fmt.Sprintf("split\x00%s\x00%s", cause, check.SiteKey(d.Site)),
		Cause: cause,
	}
	if repair(f, finding.ArriveAndWait); cause == ArrivedEarly {
		repair(f, finding.WaitForPhase)
	}
	return f
}

func did(lanes uint32) string {
	if bits.OnesCount32(lanes) == 1 {
		return "does so"
	}
	return "do so"
}
