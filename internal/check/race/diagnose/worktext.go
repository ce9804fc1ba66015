package diagnose

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The sentences for pieces of work: streams, the host, dependent launches, child grids.

func streamName(n evidence.StreamName) string {
	switch {
	case n.Given != "":
		return "stream " + n.Given
	case n.Branch != "":
		return n.Branch
	case n.Library != "":
		return "a stream of " + n.Library
	case n.Number > 0:
		return fmt.Sprintf("stream %d", n.Number)
	case n.Device > 0:
		return fmt.Sprintf("the default stream of device %d", n.Device)
	}
	return "the default stream"
}

// hostWaited is what the host waited for last.
func hostWaited(s evidence.Synced) string {
	if s.For == evidence.ForNothing {
		return "the host has not waited for the device before"
	}
	return "the host waited last for " + synced(s)
}

// bothSynced is what two pieces of work waited for last.
func bothSynced(first, second evidence.Synced) string {
	if first.For == evidence.ForNothing && second.For == evidence.ForNothing {
		return "neither has waited for other work"
	}
	return "synchronized last: the first on " + synced(first) + ", the second on " + synced(second)
}

// synced is what work waited for last.
func synced(s evidence.Synced) string {
	is := ""
	switch s.For {
	case evidence.ForNothing:
		return "nothing"
	case evidence.ForDevice:
		is = "the device"
	case evidence.ForStream:
		is = streamName(s.Stream)
	case evidence.ForEvent:
		is = "an event of " + streamName(s.Stream)
	case evidence.ForCall:
		is = s.Call
	case evidence.ForFlag:
		is = "a flag of kernel " + finding.DemangleName(s.Kernel)
	case evidence.ForValue:
		is = "a value in memory"
	case evidence.ForLaunch:
		return "its launch"
	case evidence.ForBarrier:
		return "a barrier of the block"
	}
	if s.ByHost {
		return "the host's wait for " + is
	}
	return is
}

func kernel(u *evidence.Use) string { return finding.DemangleName(u.Launch.Kernel) }

// callName is what a host's call, or host code, is called.
func callName(u *evidence.Use) string {
	if u.Call == "" {
		return "the host"
	}
	return u.Call
}

// short names a kernel or a call.
func short(u *evidence.Use) string {
	if u.Launch == nil {
		return callName(u)
	}
	return "kernel " + kernel(u)
}

// whole names it with its launch.
func whole(w *evidence.Work) string {
	if w.Launch == nil {
		return callName(w.Use)
	}
	s := fmt.Sprintf("kernel %s (launch %d", kernel(w.Use), w.Launch.ID)
	if w.Piece.Where != "" {
		s += " at " + w.Piece.Where
	}
	return s + ")"
}

// role is what a call does to its place.
func role(u *evidence.Use) string {
	switch {
	case u.Does == trace.Allocates:
		return "allocated by " + callName(u)
	case u.Does == trace.Frees:
		return "freed by " + callName(u)
	case u.Kind == trace.Atomic && !u.Strong: // x += 1 on the host
		return "updated by " + callName(u)
	}
	return check.Role(u.Kind) + " " + callName(u)
}

// workNotes are those of a pair of pieces of work but for children.
func (d workRendering) workNotes() []string {
	a, z := &d.work.First, &d.work.Then
	shared := check.Plural(d.work.Bytes, "byte") + " shared"
	first := fmt.Sprintf("first %s in %s, then ", whole(a), streamName(a.Name))
	if d.work.Between == evidence.WithHost {
		return []string{d.reason, first + hostAccess(z.Use), hostWaited(z.Synced), shared}
	}
	notes := []string{d.reason, first + fmt.Sprintf("%s in %s", whole(z), streamName(z.Name))}
	if d.work.Between == evidence.BetweenStreams {
		return append(notes, bothSynced(a.Synced, z.Synced), shared)
	}
	if t := a.Trigger; t != nil {
		notes = append(notes, fmt.Sprintf("%s lets its dependents begin at %s", short(a.Use), check.Where(t, fileOf(a.Use))))
	}
	return append(notes, shared)
}

// hostAccess is an access of host code.
func hostAccess(u *evidence.Use) string {
	s := "the host's " + [...]string{"read", "write", "update"}[u.Kind]
	if u.Where != "" {
		s += " at " + u.Where
	}
	return s
}

func fileOf(u *evidence.Use) string {
	if u.Site == nil {
		return ""
	}
	return u.Site.Loc.File
}

func whyStreams(*diagnosis) string {
	return "nothing orders the two streams: neither waits for the other by an event, and the host has not waited in between"
}

func helpStreams(d *diagnosis) string {
	a, z := &d.work.First, &d.work.Then
	if a.Graph || z.Graph {
		return "let the second's node depend on the first's (cudaGraphAddDependencies, or an event between captured streams); " +
			"if one is not in the graph, let its stream wait for the one that the graph was launched into"
	}
	if a.Name.Library != "" && z.Name.Library != "" {
		return "put the second call into a group of its own after that of the first: calls between ncclGroupStart and ncclGroupEnd " +
			"have no order among each other; let the streams that the calls were given wait for each other if they differ"
	}
	s := "record an event in " + streamName(a.Name) + " after the first and let " + streamName(z.Name) +
		" wait for it (cudaEventRecord, cudaStreamWaitEvent), wait for it on the host, or use one stream for both"
	if isDefault(a.Stream) || isDefault(z.Stream) {
		s += "; a stream made with cudaStreamNonBlocking and the default stream do not wait for each other"
	}
	return s
}

func whyStaged(d *diagnosis) string {
	a, z := &d.work.First, &d.work.Then
	return fmt.Sprintf("%s from pageable memory may return before the data arrives on the device: only %s orders its arrival, and %s does not wait for that",
		short(a.Use), streamName(a.Name), streamName(z.Name))
}

func helpStaged(d *diagnosis) string {
	return "call cudaStreamSynchronize for " + streamName(d.work.First.Name) + " after the copy, or use cudaMemcpyAsync in " + streamName(d.work.Then.Name)
}

func isDefault(s trace.Stream) bool { return s.ID == 0 }

func whyHostNarrow(d *diagnosis) string {
	return "scope too narrow: the operation of " + short(d.work.First.Use) + " is atomic for the threads of the device only"
}

// hostWait names the call that waits for the stream.
func (d *diagnosis) hostWait() string {
	if isDefault(d.work.First.Stream) {
		return "cudaDeviceSynchronize"
	}
	return "cudaStreamSynchronize for " + streamName(d.work.First.Name) + ", or cudaDeviceSynchronize,"
}

func (d *diagnosis) orHostWaits() string { return ", or let the host wait: " + d.hostWait() }

func helpHostNarrow(d *diagnosis) string {
	return "use the atomic of system scope (atomicAdd_system, cuda::thread_scope_system)" + d.orHostWaits()
}

func whyHostPlain(d *diagnosis) string {
	return "the host reads this as a flag, but the write of " + short(d.work.First.Use) + " is a plain one"
}

func helpHostPlain(d *diagnosis) string {
	return "make the flag volatile or a cuda::atomic_ref on both sides, with __threadfence_system() before it is set" + d.orHostWaits()
}

func (d *diagnosis) flagLine() string {
	return check.Where(d.work.First.Flag.Site, fileOf(d.work.First.Use))
}

func whyHostFence(d *diagnosis) string {
	return "scope too narrow: the fence before " + d.flagLine() + ", whose flag the host has read, orders for the threads of the device only"
}

func whyHostNoFence(d *diagnosis) string {
	return "the host has read the flag that " + d.flagLine() + " sets, but no fence of system scope comes before that"
}

func helpHostFence(d *diagnosis) string {
	return "call __threadfence_system() between writing the data and setting the flag" + d.orHostWaits()
}

func whyHost(d *diagnosis) string {
	return "nothing orders the two: the host has not waited for " + short(d.work.First.Use) + ", which may still be running"
}

func helpHost(d *diagnosis) string {
	at := "the host's access"
	if where := d.work.Then.Use.Where; where != "" {
		at = filepath.Base(where)
	}
	return "call " + d.hostWait() + " before " + at
}

func whyDependentEarly(d *diagnosis) string {
	a, z := &d.work.First, &d.work.Then
	reason := fmt.Sprintf("%s is a programmatic dependent launch: it may begin before %s ends, and ", short(z.Use), short(a.Use))
	if w := z.Wait; w != nil {
		return reason + fmt.Sprintf("its wait (%s) does not come before this access", check.Where(w, fileOf(z.Use)))
	}
	return reason + "it never waits for it"
}

func whyDependentReadOnly(d *diagnosis) string {
	a, z := &d.work.First, &d.work.Then
	return fmt.Sprintf("%s is a programmatic dependent launch that may begin before %s ends, and this load may take the read-only path (const __restrict__, __ldg), which its wait (%s) does not order",
		short(z.Use), short(a.Use), check.Where(z.Wait, fileOf(z.Use)))
}

func helpDependentReadOnly(*diagnosis) string {
	return "read it by an ordinary load: without __restrict__ in kernels that are launched so, and without __ldg"
}

func helpDependentEarly(d *diagnosis) string {
	z, at := &d.work.Then, "this access"
	if s := z.Site; s != nil {
		at = check.Where(s, fileOf(z.Use))
	}
	return fmt.Sprintf("call cudaGridDependencySynchronize() (griddepcontrol.wait) before %s, or launch %s without the programmatic attribute", at, short(z.Use))
}

// kernelBefore is the kernel that the second one waits for only.
func kernelBefore(d *diagnosis) string {
	if l := d.work.Before; l != nil {
		return "kernel " + finding.DemangleName(l.Kernel)
	}
	return "the kernel before it"
}

func whyDependentChained(d *diagnosis) string {
	a, z := &d.work.First, &d.work.Then
	if z.Early {
		return fmt.Sprintf("%s is a programmatic dependent launch: it may begin as soon as %s lets it, which does not wait for %s before that", short(z.Use), kernelBefore(d), short(a.Use))
	}
	return fmt.Sprintf("%s waits for %s only, which may begin before %s ends and does not wait for it", short(z.Use), kernelBefore(d), short(a.Use))
}

func helpDependentChained(d *diagnosis) string {
	return fmt.Sprintf("call cudaGridDependencySynchronize() (griddepcontrol.wait) in %s before it triggers, or launch %s without the programmatic attribute", kernelBefore(d), short(d.work.Then.Use))
}

// related names what the host should have waited for, in the top line.
func (d workRendering) related() string {
	if d.work.Between == evidence.WithHost {
		return " for " + short(d.work.First.Use)
	}
	return ""
}

// family names a grid and its child, or two children.
func family(a, z *evidence.Work) string {
	switch {
	case a.Child == nil:
		return short(a.Use) + " and its " + childName(z)
	case z.Child == nil:
		return short(z.Use) + " and its " + childName(a)
	case childName(a) == childName(z):
		return "two " + strings.Replace(childName(a), "child grid", "child grids", 1)
	}
	return childName(a) + " and " + childName(z)
}

// childName names a child's work.
func childName(w *evidence.Work) string {
	if w.Launch == nil {
		return w.Call
	}
	return "child grid " + kernel(w.Use)
}

// childNotes are those of a pair with a child grid.
func (d workRendering) childNotes() []string {
	notes := []string{d.reason, "between " + family(&d.work.First, &d.work.Then)}
	for _, w := range []*evidence.Work{&d.work.First, &d.work.Then} {
		if w.Child != nil {
			notes = append(notes, launchedBy(w))
		}
	}
	return append(notes, check.Plural(d.work.Bytes, "byte")+" shared")
}

// launchedBy is where a child came from.
func launchedBy(w *evidence.Work) string {
	s, c := childName(w)+" was launched", w.Child
	if w.Launch == nil {
		s = childName(w) + " was called"
	}
	if c.Where != "" {
		s += " at " + c.Where
	}
	return s + fmt.Sprintf(" by thread %d of block %d", 32*c.Warp+c.Lane, c.Block)
}

func whyChildren(d *diagnosis) string {
	if d.work.First.Child.DefaultStream && d.work.Then.Child.DefaultStream {
		return "nothing orders the two: each block of the parent grid has a default stream of its own"
	}
	return "nothing orders the two: they are in different streams of their parent grid"
}

func helpChildren(*diagnosis) string {
	return "launch both from one block into one stream, let the second's stream wait for an event of the first's, or launch the second into cudaStreamTailLaunch"
}

func whyOtherBlock(d *diagnosis) string {
	return fmt.Sprintf("nothing orders block %d and the child grid of block %d", d.parentSide().Thread.Block, d.childSide().Child.Block)
}

func helpOtherBlock(*diagnosis) string {
	return "launch the child into cudaStreamTailLaunch, so that it follows the whole grid, or launch it from the host"
}

func whyBeforeChild(d *diagnosis) string {
	c := d.work.Then.Child
	return fmt.Sprintf("a child grid sees what happens before its launch in thread %d, and nothing orders this access before the launch", 32*c.Warp+c.Lane)
}

const (
	toLaunch = "between the access and the launch"
	toAccess = "between the wait and the access"
)

func helpBeforeChild(*diagnosis) string { return "call __syncthreads() " + toLaunch }
func helpBeforeChildInWarp(*diagnosis) string {
	return "call __syncwarp() " + toLaunch + ", or __syncthreads()"
}
func helpAfterWait(*diagnosis) string { return "call __syncthreads() " + toAccess }
func helpAfterWaitInWarp(*diagnosis) string {
	return "call __syncwarp() " + toAccess + ", or __syncthreads()"
}

func whyAfterWait(d *diagnosis) string {
	return fmt.Sprintf("thread %d has waited for it, but nothing orders this access after the wait", d.work.WaitedBy)
}

func whyChild(d *diagnosis) string {
	return childName(d.childSide()) + " may still be running: the call does not wait, and nothing else does"
}

func helpChild(d *diagnosis) string {
	help := "do this in a kernel that is launched into cudaStreamTailLaunch"
	if d.work.Parent.SM < 90 {
		help += ", or call cudaDeviceSynchronize() first, where the version of CUDA still has it in device code"
	}
	return help
}
