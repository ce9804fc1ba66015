package sync

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// explainEnd replaces the help of a loop that never ends by one that names what its threads wait for, as far as that is known:
// the blocks that have not begun, the mbarrier and what it lacks, the lock, the word.
func explainEnd(f *finding.Finding, l *trace.Launch, e *trace.Fault) {
	if e.Cause != trace.CauseNoProgress {
		return
	}
	var help []string
	for i := range e.Phases {
		help = append(help, completed(l, &e.Phases[i]))
		f.Repair.Arrivals = max(f.Repair.Arrivals, e.Phases[i].Pending)
	}
	if d, ok := f.Details.(HangDetails); ok && len(help) == 0 {
		help = append(help, d.Waits[0].written())
	}
	if e.NotBegun > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s not begun: the emulated GPU keeps at most %d of this kernel at once", haveBlocks(e.NotBegun), e.Resident))
		help = append(help, "if the threads wait for a block that has not begun, launch no more blocks than the GPU keeps at once (a cooperative launch ensures it), "+
			"or let each block take its number from a counter (atomicAdd) and wait for lower ones only")
	}
	if len(help) > 0 {
		f.Help = strings.Join(help, "; ")
	}
}

func haveBlocks(n uint64) string {
	if n == 1 {
		return "1 block has"
	}
	return check.Plural(n, "block") + " have"
}

// completed says what completes the phase of an mbarrier.
func completed(l *trace.Launch, p *trace.Phase) string {
	at, size := p.Object.Base, int(p.Object.Size)
	name := fmt.Sprintf("the mbarrier at offset %d of shared memory", at)
	if check.SharedVariable(l, at) >= 0 {
		name = check.SharedElement(l, at, size, size)
	}
	var parts []string
	switch came := p.Expected - min(p.Pending, p.Expected); {
	case p.Pending > 0 && came == 0:
		parts = append(parts, fmt.Sprintf("let threads that do not wait yet arrive at %s, which expects %s and has none in this phase, or wait for the parity of the phase before", name, check.Plural(p.Expected, "arrival")))
	case p.Pending > 0:
		parts = append(parts, fmt.Sprintf("let %s be made at %s in each phase, %d more than now, or initialize it with a count of %d", check.Plural(p.Expected, "arrival"), name, p.Pending, came))
	}
	switch {
	case p.Bytes > 0:
		parts = append(parts, fmt.Sprintf("let copies that complete on %s bring the missing %s, or expect fewer (mbarrier.expect_tx)", name, check.Plural(uint64(p.Bytes), "byte")))
	case p.Bytes < 0:
		parts = append(parts, fmt.Sprintf("let the phase of %s expect (mbarrier.expect_tx) all that its copies bring, %s more, and issue no copy of a later phase before this one is complete", name, check.Plural(uint64(-p.Bytes), "byte")))
	}
	if len(parts) == 0 {
		return fmt.Sprintf("wait for the other parity of %s: it lacks neither arrivals nor bytes", name)
	}
	return strings.Join(parts, ", and ")
}

// written says who should write a word that threads wait for.
func (d *WaitDetails) written() string {
	if w := d.Writer; w != nil && w.Holds {
		how := "waits itself"
		if w.Ended {
			how = "has ended"
		}
		return fmt.Sprintf("release %s in the thread that holds it before it ends or waits: %v has taken it and %s", d.Element, w.Thread, how)
	}
	return fmt.Sprintf("no thread that can still run writes %s: write it in a thread that does not wait for this one, before it ends, or correct the value that the loop waits for", d.Element)
}
