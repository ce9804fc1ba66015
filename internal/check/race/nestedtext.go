package race

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// kinStory is what the texts of a race between a grid and its children are made
// from.
type kinStory struct {
	*kinRace
	p     *kin
	model check.RaceModel
}

// kinFinding makes the finding of a race between a grid and a child, or between
// two children.
func (c *checker) kinFinding(p *kin, r *kinRace) *finding.Finding {
	st := kinStory{r, p, c.model}
	h := hazardOf(r.first.use.kind, r.then.use.kind)
	sr := &streamRace{u: r.first.use, v: r.then.use, first: extent{r.at, r.at + 1}, n: r.bytes}
	d := Details{Space: "global", Address: r.at, Bytes: int(r.bytes), Index: -1, First: st.side(r.first), Then: st.side(r.then)}
	f := sr.finding(h, "nested")
	f.Message = fmt.Sprintf("%v on %s, between %s", h, sr.object(&d), st.between())
	d.Cause, d.Repair, d.Reason, f.Help = st.why()
	f.Primary, f.Related = st.place(r.then), []finding.Place{st.place(r.first)}
	for _, t := range []touch{r.first, r.then} {
		if t.child != nil {
			f.Notes = append(f.Notes, st.launched(t))
		}
	}
	f.Notes = append(f.Notes, d.Reason, check.Plural(r.bytes, "byte")+" shared")
	d.facts(f, by(d.Repair, f.Help))
	f.Details = d
	return f
}

// between names the two, the grid first.
func (st kinStory) between() string {
	switch {
	case st.first.child == nil:
		return st.first.use.short() + " and its " + st.then.what()
	case st.then.child == nil:
		return st.then.use.short() + " and its " + st.first.what()
	case st.first.what() == st.then.what():
		return "two " + strings.Replace(st.first.what(), "child grid", "child grids", 1)
	}
	return st.first.what() + " and " + st.then.what()
}

// what names a child's work.
func (t touch) what() string {
	if t.use.launch == nil {
		return t.use.call
	}
	return "child grid " + t.use.kernel()
}

// launched says where a child came from.
func (st kinStory) launched(t touch) string {
	verb := "launched"
	if t.use.launch == nil {
		verb = "called"
	}
	s := t.what() + " was " + verb
	if t.child.work.where != "" {
		s += " at " + t.child.work.where
	}
	r := st.request(t)
	return s + fmt.Sprintf(" by thread %d of block %d", 32*r.Warp+r.Lane, r.Child.Block)
}

func (st kinStory) request(t touch) *request {
	if t.child == nil {
		return nil
	}
	return st.p.watch.requests[t.child.child]
}

func (st kinStory) thread(t touch) *finding.Thread {
	if t.access == nil {
		return nil
	}
	return check.Thread(st.p.watch.launch, t.access.block, t.access.warp, st.lane)
}

func (st kinStory) place(t touch) finding.Place {
	if t.access == nil {
		return t.use.place()
	}
	return check.Place(t.use.site, check.Role(t.use.kind), st.thread(t))
}

func (st kinStory) side(t touch) Side {
	s := t.use.side(&work{synced: "its launch"})
	if t.access != nil {
		s.Thread, s.Synced = st.thread(t), "nothing"
		if t.access.interval > 0 {
			s.Synced = "a barrier of the block"
		}
	}
	return s
}

// why tells the reason and the smallest change that helps.
func (st kinStory) why() (Cause, Repair, string, string) {
	own, other := st.first, st.then
	if other.child == nil {
		own, other = other, own
	}
	r := st.request(other)
	switch {
	case own.child != nil:
		return st.streams()
	case own.access.block != r.Child.Block:
		return BlocksUnordered, TailLaunch, fmt.Sprintf("nothing orders block %d and the child grid of block %d", own.access.block, r.Child.Block),
			"launch the child into cudaStreamTailLaunch, so that it follows the whole grid, or launch it from the host"
	case own == st.first:
		return st.early(own, r)
	}
	return st.late(own, other, r)
}

// streams is why for two children.
func (st kinStory) streams() (Cause, Repair, string, string) {
	a, b := st.request(st.first), st.request(st.then)
	reason := "nothing orders the two: they are in different streams of their parent grid"
	if a.Stream == trace.NullStream && b.Stream == trace.NullStream {
		reason = "nothing orders the two: each block of the parent grid has a default stream of its own"
	}
	return StreamsUnordered, OrderStreams, reason,
		"launch both from one block into one stream, let the second's stream wait for an event of the first's, or launch the second into cudaStreamTailLaunch"
}

// early is why for an access before the launch.
func (st kinStory) early(own touch, r *request) (Cause, Repair, string, string) {
	reason := fmt.Sprintf("a child grid sees what its launcher, thread %d, knows of, and nothing orders this access before the launch", 32*r.Warp+r.Lane)
	if st.model == check.ITS && own.access.warp == r.Warp {
		return NoSyncwarp, AddSyncwarp, reason, "call __syncwarp() between the access and the launch, or __syncthreads()"
	}
	return NoBarrier, AddBarrier, reason, "call __syncthreads() between the access and the launch"
}

// late is why for an access after the launch.
func (st kinStory) late(own, child touch, r *request) (Cause, Repair, string, string) {
	w := st.p.watch
	for _, j := range w.joins[own.access.block] {
		if r.Child.N >= j.asked || w.first(own.access, st.lane, j.thread, j.interval, j.stamp, j.site) {
			continue
		}
		reason := fmt.Sprintf("thread %d has waited for it, but nothing orders this access after the wait", j.thread)
		if st.model == check.ITS && j.thread/32 == own.access.warp {
			return NoSyncwarp, AddSyncwarp, reason, "call __syncwarp() between the wait and the access, or __syncthreads()"
		}
		return NoBarrier, AddBarrier, reason, "call __syncthreads() between the wait and the access"
	}
	help := "do this in a kernel that is launched into cudaStreamTailLaunch"
	if w.launch.SM < 90 {
		help += ", or call cudaDeviceSynchronize() first, where the version of CUDA still has it in device code"
	}
	return ChildUnordered, ChildWait, child.what() + " may still be on its way: the call does not wait, and nothing else does", help
}
