package session

import (
	"sort"
	"sync"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// launchOrder is in which order a run launches kernels, those that CUDA refuses counted.
type launchOrder struct {
	mu    sync.Mutex
	steps []launchStep
}

// launchStep is a launch of the host, or one that is refused.
type launchStep struct {
	kernel  string
	refused bool
}

func (o *launchOrder) observer() *trace.Observer {
	add := func(s launchStep) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.steps = append(o.steps, s)
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

// alignment tells which launch of another run one of this run is, where a patch lets some be executed that were refused.
type alignment struct {
	was   []launchStep
	mu    sync.Mutex
	at    int
	added []int // the launches that were refused, in order
}

func (a *alignment) observer() *trace.Observer {
	return &trace.Observer{
		Launch: func(l *trace.Launch) []*trace.LaunchObserver {
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.at < len(a.was) && a.was[a.at] == (launchStep{l.Kernel, true}) {
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

// launch is the number that a launch has in the other run; ok is false for one that was refused there.
func (a *alignment) launch(id int) (other int, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := sort.SearchInts(a.added, id)
	return id - n, n == len(a.added) || a.added[n] != id
}

// comparing lets buffers be compared with those after the same launch of the other run.
func (a *alignment) comparing(compare func(buffers.Moment, *mem.Arena) []buffers.Difference) func(buffers.Moment, *mem.Arena) []buffers.Difference {
	return func(at buffers.Moment, arena *mem.Arena) []buffers.Difference {
		other, ok := a.launch(at.Launch)
		if !ok {
			return nil
		}
		at.Work -= uint64(at.Launch - other)
		at.Launch = other
		return compare(at, arena)
	}
}
