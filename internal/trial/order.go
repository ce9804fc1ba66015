package trial

import (
	"sort"
	"sync"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// LaunchOrder is in which order a run launches kernels, those that CUDA refuses counted.
type LaunchOrder struct {
	mu    sync.Mutex
	Steps []launchStep
}

// launchStep is a launch of the host, or one that is refused.
type launchStep struct {
	kernel  string
	refused bool
}

func (o *LaunchOrder) observer() *trace.Observer {
	add := func(s launchStep) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.Steps = append(o.Steps, s)
	}
	return &trace.Observer{
		Launch: func(l *trace.Launch) []*trace.LaunchObserver {
			add(launchStep{l.Kernel, false})
			return nil
		},
		Rejected: func(r *trace.RejectedLaunch) {
			if !r.Maybe && !r.Wait {
				add(launchStep{r.Kernel, true})
			}
		},
	}
}

// Alignment tells which launch of another run one of this run is, where a patch lets some be executed that were refused.
type Alignment struct {
	Was   []launchStep
	mu    sync.Mutex
	at    int
	added []int // the launches that were refused, in order
}

func (a *Alignment) Observer() *trace.Observer {
	return &trace.Observer{
		Launch: func(l *trace.Launch) []*trace.LaunchObserver {
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.at < len(a.Was) && a.Was[a.at] == (launchStep{l.Kernel, true}) {
				a.added = append(a.added, l.ID)
			}
			a.at++
			return nil
		},
		Rejected: func(r *trace.RejectedLaunch) {
			if !r.Maybe && !r.Wait {
				a.mu.Lock()
				defer a.mu.Unlock()
				a.at++
			}
		},
	}
}

// Launch is the number that a launch has in the other run; ok is false for one that was refused there.
func (a *Alignment) Launch(id int) (other int, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := sort.SearchInts(a.added, id)
	return id - n, n == len(a.added) || a.added[n] != id
}

// Comparing lets buffers be compared with those after the same launch of the other run.
func (a *Alignment) Comparing(compare func(buffers.Moment, *mem.Arena) []buffers.Difference) func(buffers.Moment, *mem.Arena) []buffers.Difference {
	return func(at buffers.Moment, arena *mem.Arena) []buffers.Difference {
		other, ok := a.Launch(at.Launch)
		if !ok {
			return nil
		}
		at.Work -= uint64(at.Launch - other)
		at.Launch = other
		return compare(at, arena)
	}
}
