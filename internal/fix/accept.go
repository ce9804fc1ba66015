package fix

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/study"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// What a patch must not do though the finding is gone with it: let the program do less, or leave it wrong.

// workload is what a run executes of each kernel. A patch that makes less of it may hide a finding rather than repair it.
type workload struct {
	mu sync.Mutex
	// kernels are by name, without parameters, which a patch may add to.
	kernels map[string]*kernelWork
}

// kernelWork is the work of one kernel: launches, their threads, how often a thread waits at a barrier of the block, and the places that read.
type kernelWork struct {
	launches, threads, waits uint64
	reads                    map[source.Pos]bool
}

func newWorkload() *workload { return &workload{kernels: map[string]*kernelWork{}} }

func (w *workload) observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		w.launched(l)
		return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
			var waits uint64
			return &trace.BlockObserver{
				Barrier: func(b *trace.Barrier) {
					for _, m := range b.Synced {
						waits += uint64(bits.OnesCount32(m))
					}
				},
				End: func() {
					w.mu.Lock()
					defer w.mu.Unlock()
					w.kernels[finding.DemangleName(l.Kernel)].waits += waits
					waits = 0
				},
			}
		}}}
	}}
}

// launched notes a launch and what its kernel reads.
func (w *workload) launched(l *trace.Launch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := finding.DemangleName(l.Kernel)
	k := w.kernels[name]
	if k == nil {
		k = &kernelWork{reads: map[source.Pos]bool{}}
		w.kernels[name] = k
	}
	k.launches++
	k.threads += l.Grid.Size() * l.Block.Size()
	for _, s := range l.Sites {
		if at := study.Sources(trial.Own).Place(s.Loc); at.IsValid() && s.Op.Reads != 0 && results[s.Space] && !s.Frees {
			k.reads[at] = true
		}
	}
}

// results are the spaces in which other threads, or the host, can see what a thread does.
var results = map[trace.Space]bool{trace.SpaceGeneric: true, trace.SpaceGlobal: true, trace.SpaceShared: true, trace.SpaceTensor: true}

// waitRepairs are the kinds of repair that change which barriers there are.
var waitRepairs = map[finding.RepairKind]bool{finding.OneBarrier: true, finding.SameBarriers: true, finding.MoveBarrier: true, finding.ReachBarrier: true, finding.ReturnLater: true,
	finding.FewerBarriers: true, finding.ReachGridBarrier: true, finding.ArriveAndWait: true, finding.CountWholeWarps: true, finding.EndLoop: true}

// readRepairs are the kinds of repair that join reads, or make them reads of the thread's own memory.
var readRepairs = map[finding.RepairKind]bool{finding.MakeAtomic: true, finding.CopyParameter: true}

// less names the work that is missing in a run with a patch, "" for none.
func (w *workload) less(now *workload, e *finding.Finding, p *code.Patch) string {
	for name, was := range w.kernels {
		k := now.kernels[name]
		if k == nil {
			k = &kernelWork{}
		}
		switch {
		case k.launches < was.launches:
			return fmt.Sprintf("%s is launched %d times instead of %d", name, k.launches, was.launches)
		case k.threads < was.threads:
			return fmt.Sprintf("%s has %d threads instead of %d", name, k.threads, was.threads)
		case k.waits < was.waits && (e.Rule == "race" || p.Condition != "") && !(e.Repair != nil && waitRepairs[e.Repair.Kind]):
			return fmt.Sprintf("threads of %s wait at barriers %d times instead of %d", name, k.waits, was.waits)
		case len(k.reads) < len(was.reads) && !(e.Repair != nil && readRepairs[e.Repair.Kind]):
			return fmt.Sprintf("%s reads memory at %d places instead of %d", name, len(k.reads), len(was.reads))
		}
	}
	return ""
}

// noteWarnings notes the warnings of a run of the program as it is.
func (f *fixer) noteWarnings(s *session.Session) {
	for _, w := range warningsOf(s) {
		f.warned[identity(w)] = true
	}
}

// newWarning returns a warning of a run with patches that the program as it is has neither as a warning nor as an error, nil for none.
// One of a place where an access or a call fails in the program as it is could not come there, and is none that the patches bring.
func (f *fixer) newWarning(t *trialRun, s *session.Session) *finding.Finding {
	line := func(p source.Pos) source.Pos { return source.Pos{File: p.File, Line: p.Line} } // patches move columns
	failed := map[source.Pos]bool{}
	for _, e := range errorsOf(f.original) {
		if e.Rule == "memory" {
			failed[line(e.Primary.Loc.Pos)] = true
		}
	}
	for _, w := range warningsOf(s) {
		if id := identity(w); !f.warned[id] && !f.known[id] && !failed[line(w.Primary.Loc.Pos)] && !f.beyond(t, w) {
			return w
		}
	}
	return nil
}

// unconfirmed names results that a patch changes and that were the same under all schedules, where nothing in the program confirms the new result:
// where two threads write, the barrier decides who is the last, and where they wait at different barriers, who is the first. It is "" for other patches.
func (f *fixer) unconfirmed(t *trialRun, e *finding.Finding) string {
	if len(t.changed) == 0 || e.Rule != "race" || e.Repair == nil || e.Kind != "WAW" && e.Repair.Kind != finding.CountedBarrier || e.Repair.Kind == finding.MakeAtomic || f.confirmed(t) {
		return ""
	}
	return t.changed[0]
}

// confirmed reports whether the program's own check fails without a patch and not with it.
func (f *fixer) confirmed(t *trialRun) bool {
	return complains(f.original) && !slices.ContainsFunc(t.runs, func(r comparedRun) bool { return complains(r.s) })
}

// unproved takes back that findings are fixed if nothing but the patches' own effect is left to explain why the program's own check still fails.
func (f *fixer) unproved(t *trialRun) bool {
	failed := func(r comparedRun) bool { return complains(r.s) }
	if !complains(f.original) || len(t.left) > 0 || !slices.ContainsFunc(t.runs, failed) {
		return false
	}
	if slices.ContainsFunc(f.report.Results, func(r repair.Result) bool {
		return r.Outcome != repair.Fixed && r.Outcome != repair.Gone
	}) {
		return false
	}
	for i := range f.report.Results {
		if r := &f.report.Results[i]; r.Outcome == repair.Fixed {
			r.Outcome = repair.Unproved
		}
	}
	return true
}

// complaint matches a line in which a program calls its results wrong, innocent one that counts no such results.
var (
	complaint = regexp.MustCompile(`(?i)\b(fail(ed|s|ure|ures)?|wrong|incorrect|mismatch(es|ed)?|errors?|not ok|bad)\b`)
	innocent  = regexp.MustCompile(`(?i)\b(no|0|zero)\s+(fail|wrong|incorrect|mismatch|error|bad)|\b(fail\w*|wrong|incorrect|mismatch\w*|errors?)\s*[:=]?\s*(0|none|no)\b|\b(max|abs|rel|mean|rms)\w*\s+error`)
)

// complains reports whether the program's own check fails: by its exit code or by what it prints.
func complains(s *session.Session) bool {
	if s.Exit != (host.Exit{}) && !s.Exit.Canceled {
		return true
	}
	return slices.ContainsFunc(trial.LinesOf(s), func(line []byte) bool { return complaint.Match(line) && !innocent.Match(line) })
}
