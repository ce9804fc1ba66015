package engine

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// A launch all of whose threads wait for a change of memory that none of them makes is
// not stuck for good while something outside may change it: the host, or a launch of
// another stream. Launch.Await asks. The worker that finds out asks for all; the others
// rest meanwhile, so that nothing of the launch runs.
//
//	running ── all workers' blocks repeat themselves ──► asking ── all others rest ──► Await
//	   ▲                                                                                │
//	   ├──────────────────────────── nil: memory may have changed ──────────────────────┤
//	   hang ◄────────────── what the host does: nothing will change it ─────────────────┘

// longLaunch is after how many long turns a launch lets others continue although its threads
// get on: they may wait, and write as they do. Only launches on one worker have such turns,
// so that the moment does not depend on time.
const longLaunch = 32

// pause lets one worker of a run stop the others.
type pause struct {
	await   func(progressed bool) *trace.HostState
	host    *trace.HostState // what await returned; guarded by run.mu
	at      uint64           // run.progress when the last one returned
	asking  bool             // guarded by run.mu, like resting
	resting int
	changed sync.Cond // asking, resting or the number of workers
}

// awaits stops all workers until something outside has changed memory, and returns true;
// false if nothing will.
func (r *run) awaits() bool {
	p := &r.pause
	if p.await == nil {
		return false
	}
	r.mu.Lock()
	if p.asking { // another worker was first
		r.mu.Unlock()
		r.rest()
		return true
	}
	p.asking = true
	r.resting.Store(true)
	for p.resting < r.working-1 {
		p.changed.Wait()
	}
	r.mu.Unlock()
	r.repeat.waits()
	host := p.await(r.progress.Load() != p.at)
	r.mu.Lock()
	defer r.mu.Unlock()
	p.host = host
	clear(r.stuckAt)
	p.at = r.progress.Add(1)
	p.asking = false
	r.resting.Store(false)
	p.changed.Broadcast()
	return host == nil
}

// host is what the host does if nothing will release the launch, else nil.
func (r *run) host() *trace.HostState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pause.host
}

// rest waits until the worker that asks has its answer.
func (r *run) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pause.resting++
	r.pause.changed.Broadcast()
	for r.pause.asking {
		r.pause.changed.Wait()
	}
	r.pause.resting--
}
