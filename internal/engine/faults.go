package engine

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// faults are those of a launch, one for each instruction and kind: that of the block
// with the lowest number, so that they do not depend on the number of workers.
type faults map[faultKey]*trace.Fault

type faultKey struct {
	site *trace.Site
	kind trace.FaultKind
}

func (fs *faults) add(f *trace.Fault) {
	if *fs == nil {
		*fs = faults{}
	}
	k := faultKey{f.Site, f.Kind}
	have := (*fs)[k]
	switch {
	case have == nil:
		(*fs)[k] = f
	case f.Block < have.Block:
		f.Times, f.Stopped = f.Times+have.Times, f.Stopped+have.Stopped
		(*fs)[k] = f
	default:
		have.Times, have.Stopped = have.Times+f.Times, have.Stopped+f.Stopped
	}
}

// addAll adds those of a block that has ended. A deadlock of threads that read zeros is
// their consequence; a block that was stopped for its invalid accesses ends with one of them.
func (fs *faults) addAll(survived []*trace.Fault, last *trace.Fault) {
	for _, f := range survived {
		fs.add(f)
	}
	if last != nil && last.Stopped == 0 && (last.Kind != trace.FaultDeadlock || len(survived) == 0) {
		fs.add(last)
	}
}

// sorted returns the faults in the order of the blocks. Threads that continue forever may
// wait for those that a fault ended: where there is another fault they are left out,
// whatever their block's number is. So are deadlocks where blocks wait for each other
// at barriers (together).
func (fs faults) sorted(together bool) []*trace.Fault {
	list := slices.SortedFunc(maps.Values(fs), func(a, b *trace.Fault) int {
		return cmp.Or(cmp.Compare(late(a), late(b)), cmp.Compare(onlyWaits(a), onlyWaits(b)), cmp.Compare(a.Block, b.Block), cmp.Compare(siteID(a), siteID(b)), cmp.Compare(a.Kind, b.Kind))
	})
	follows := func(f *trace.Fault) bool {
		return f.Kind == trace.FaultBudget || together && f.Kind == trace.FaultDeadlock
	}
	causes := slices.DeleteFunc(slices.Clone(list), follows)
	switch {
	case len(causes) == 0 && len(list) > 0:
		return list[:1]
	case len(causes) > 0 && len(causes) < len(list):
		causes[0].Notes = append(causes[0].Notes, "other threads would then wait forever and were stopped")
	}
	return causes
}

// late puts what the emulator lacks before what is wrong with the program.
func late(f *trace.Fault) int {
	if f.Kind == trace.FaultUnsupported {
		return 0
	}
	return 1
}

// onlyWaits puts a block whose threads run after those of others behind a block whose threads run in a loop, for which
// it waits.
func onlyWaits(f *trace.Fault) int {
	if f.Kind == trace.FaultBudget && f.Site == nil {
		return 1
	}
	return 0
}

func siteID(f *trace.Fault) int {
	if f.Site == nil {
		return -1
	}
	return f.Site.ID
}
