package engine

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// lead is the blocks with which a launch begins. Where an observer asks for it
// (trace.LaunchObserver.Lead), the other blocks begin when these have ended, whichever worker
// runs them: what the observer does from then on does not depend on how the workers share the
// blocks.
//
//	the first n ──► all have ended: observers are told ──► the rest
//	     └──────► those of a worker only wait, maybe for the rest: nothing is told ──► the rest
type lead struct {
	// units are blocks, or clusters of them; 0 for none. blocks are the blocks in them.
	units, blocks uint64
	tell          []func()
	over          chan struct{}
	once          sync.Once
}

// newLead is the longest lead that observers ask for, if the launch has more than that.
func newLead(t *trace.Launch, observers []*trace.LaunchObserver, units uint64) *lead {
	l := &lead{}
	for _, o := range observers {
		if o.Led != nil {
			l.units, l.tell = max(l.units, o.Lead), append(l.tell, o.Led)
		}
	}
	if l.units >= units {
		return &lead{}
	}
	l.blocks, l.over = l.units*t.ClusterSize(), make(chan struct{})
	return l
}

// passed is called after n blocks have ended, with how many have in all.
func (l *lead) passed(n, all uint64) {
	if all >= l.blocks && all-n < l.blocks {
		l.end(l.tell)
	}
}

// giveUp lets the other blocks begin.
func (l *lead) giveUp() { l.end(nil) }

func (l *lead) end(tell []func()) {
	if l.units == 0 {
		return
	}
	l.once.Do(func() {
		for _, f := range tell {
			f()
		}
		close(l.over)
	})
}

// leads reports whether a block or cluster begins before the lead is over.
func (l *lead) leads(unit uint64) bool { return unit < l.units }

// mayBegin reports whether a worker with some blocks may begin another one. One without blocks
// waits until it may.
func (r *run) mayBegin(unit uint64, active []*block) bool {
	l := r.lead
	if l.units == 0 || l.leads(unit) {
		return true
	}
	if len(active) == 0 {
		select {
		case <-l.over:
		case <-r.ctx.Done():
		}
		return true
	}
	select {
	case <-l.over:
		return true
	default:
		return false
	}
}
