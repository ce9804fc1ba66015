package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Races with asynchronous operations of the async proxy.

func asyncFault(f evidence.AsyncFault) func(*diagnosis) bool {
	return func(d *diagnosis) bool { return d.w.Async == f }
}

// operation is the asynchronous one of two accesses, other the other one: the first one where
// an operation is in flight, the second one where it is issued too early.
func (d *diagnosis) operation() (operation, other *trace.Site) {
	switch d.w.Async {
	case evidence.Unfinished, evidence.Unobserved, evidence.Unfenced:
		return d.w.First.Site, d.w.Then.Site
	}
	return d.w.Then.Site, d.w.First.Site
}

func whyNoProxyFence(d *diagnosis) string {
	operation, store := d.operation()
	does := "reads it"
	if operation.Kind.Writes() {
		does = "overwrites it"
	}
	return fmt.Sprintf("%s writes it by an ordinary store and %s %s by the async proxy; no fence.proxy.async between", d.where(store), d.where(operation), does)
}

func helpNoProxyFence(d *diagnosis) string {
	operation, store := d.operation()
	fence := "cuda::ptx::fence_proxy_async, cutlass::arch::fence_view_async_shared"
	if !d.run.Shared {
		fence = "cuda::ptx::fence_proxy_async(cuda::ptx::space_global)"
	}
	before := "the barrier that comes before " + d.where(operation)
	if d.inOneWarp() && d.w.First.Lane == d.w.Then.Lane {
		before = d.where(operation)
	}
	return fmt.Sprintf("add fence.proxy.async (%s) after %s and before %s", fence, d.where(store), before)
}

func whyNoMapAcquire(d *diagnosis) string {
	operation, store := d.operation()
	return fmt.Sprintf("%s writes the tensor map and %s uses it by the tensormap proxy; no fence.proxy.tensormap::generic.acquire of it between", d.where(store), d.where(operation))
}

func helpNoMapAcquire(d *diagnosis) string {
	operation, _ := d.operation()
	return fmt.Sprintf("add fence.proxy.tensormap::generic.acquire.gpu [map], 128 (cuda::ptx::fence_proxy_tensormap_generic with sem_acquire, cute::tma_descriptor_fence_acquire) before %s, after what orders it behind the write",
		d.where(operation))
}

func whyNoMapRelease(d *diagnosis) string {
	operation, store := d.operation()
	return fmt.Sprintf("%s writes the tensor map that %s uses by the tensormap proxy; no fence.proxy.tensormap::generic.release follows the write", d.where(store), d.where(operation))
}

func helpNoMapRelease(d *diagnosis) string {
	_, store := d.operation()
	return fmt.Sprintf("add fence.proxy.tensormap::generic.release.gpu (cuda::ptx::fence_proxy_tensormap_generic with sem_release) after %s, or change a copy in shared memory and publish it by tensormap.cp_fenceproxy", d.where(store))
}

func originMapRelease(d *diagnosis) string {
	operation, _ := d.operation()
	return d.originAt("map release", operation)
}

func originMapAcquire(d *diagnosis) string {
	operation, _ := d.operation()
	return d.originAt("map acquire", operation)
}

func whyUnfinished(d *diagnosis) string {
	operation, _ := d.operation()
	return fmt.Sprintf("the asynchronous operation of %s may still be in flight: no thread has waited for it", d.where(operation))
}

func whyUnobserved(d *diagnosis) string {
	operation, _ := d.operation()
	return fmt.Sprintf("this thread has not waited for the asynchronous operation of %s, nor synchronized with a thread that has", d.where(operation))
}

// awaitAsync is the repair where an operation of the async proxy may be in flight.
func awaitAsync(d *diagnosis) mend {
	operation, other := d.operation()
	if d.w.Async == evidence.Unobserved && operation.Op.Kind == inst.ProductAsync && !d.inOneWarp() { // only its own warp can wait for it, and has
		return d.adding(finding.AddBarrier, finding.Syncthreads, operation, other)
	}
	m := by(finding.WaitForCopy, helpAwaitAsync(d))
	if d.w.Owner > 0 && d.w.Owner-1 != d.w.Then.Block && !operation.Op.IsTensorPipe() {
		m.Then = finding.ClusterSync // which threads of the owner come to behind their wait
		return m.instead(fmt.Sprintf("let the block whose memory it is wait for the mbarrier of the operation, and then all by a barrier of the cluster (cluster.sync()), before %s", d.where(other)))
	}
	if !d.storesInBulk(operation) {
		return m
	}
	m.Call = awaitBulk
	const how = "cp.async.bulk.wait_group (with .read it waits only until the source has been read)"
	if d.w.First.Lane == d.w.Then.Lane && d.inOneWarp() {
		m.At = point(other)
		return m.instead(fmt.Sprintf("wait by %s before %s", how, d.where(other)))
	}
	if bar := d.passes(operation, other); bar != nil {
		m.At = bar
		return m.instead(fmt.Sprintf("let the thread of %s wait by %s before the barrier of %s", d.where(operation), how, bar.InWords(d.file())))
	}
	m.From = point(operation)
	return m.instead(fmt.Sprintf("let the thread of %s wait by %s before it synchronizes with that of %s", d.where(operation), how, d.where(other)))
}

// awaitBulk waits for the thread's bulk stores.
const awaitBulk = `asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")`

// storesBehind: two bulk stores of a block go to the same place, and the thread of the first has not waited for it. A barrier alone
// does not complete it.
func storesBehind(d *diagnosis) bool {
	return !d.across() && d.storesInBulk(d.w.First.Site) && d.storesInBulk(d.w.Then.Site) && d.w.First.Site.Kind == d.w.Then.Site.Kind
}

func whyStoresBehind(d *diagnosis) string {
	return fmt.Sprintf("the bulk store of %s may still be in flight: its thread has not waited for it, and nothing orders the two threads", d.where(d.w.First.Site))
}

// finishStore lets a thread wait for its bulk store before it synchronizes with the next.
func finishStore(d *diagnosis) mend {
	m := mend{d.goesBetween(d.early.Site, d.late.Site), ""}
	m.Kind, m.Call, m.Then = finding.WaitForCopy, finishBulk, finding.Syncthreads
	if d.warpOnly() && !d.mayLeaveWarp() {
		m.Then = finding.Syncwarp
	}
	return m.instead(fmt.Sprintf("let the thread of %s wait by cp.async.bulk.commit_group and cp.async.bulk.wait_group 0, and then all by %s, %s",
		d.where(d.w.First.Site), m.Then, m.Between(d.file())))
}

// finishBulk completes the thread's bulk stores.
const finishBulk = `asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory")`

// storesInBulk: the operation copies from shared memory to global memory, for which its thread waits by a group.
func (d *diagnosis) storesInBulk(operation *trace.Site) bool {
	kind := operation.Op.Kind
	return (kind == inst.BulkCopy || kind == inst.BulkReduce) && operation.Kind.Writes() && !d.run.Shared
}

func helpAwaitAsync(d *diagnosis) string {
	operation, other := d.operation()
	switch kind := operation.Op.Kind; {
	case kind == inst.TensorLoad || kind == inst.TensorStore:
		wait := "tcgen05.wait::ld"
		if kind == inst.TensorStore {
			wait = "tcgen05.wait::st"
		}
		return fmt.Sprintf("add %s after %s; if another warp executes %s, synchronize with it afterwards", wait, d.where(operation), d.where(other))
	case operation.Op.IsTensorPipe():
		return fmt.Sprintf("let tcgen05.commit after %s arrive at an mbarrier, and wait for its phase before %s", d.where(operation), d.where(other))
	}
	return fmt.Sprintf("wait for the mbarrier or the group of the operation before %s (mbarrier.try_wait with the parity of its phase, cp.async.bulk.wait_group, wgmma.wait_group)", d.where(other))
}

func whyUnfenced(d *diagnosis) string {
	operation, other := d.operation()
	return fmt.Sprintf("the threads have synchronized by relaxed operations between %s and %s; these order tensor memory only behind a tcgen05.fence::before_thread_sync and before a tcgen05.fence::after_thread_sync",
		d.where(operation), d.where(other))
}

func helpTensorFence(d *diagnosis) string {
	operation, other := d.operation()
	if operation.Op.IsTensorPipe() {
		return fmt.Sprintf("add tcgen05.fence::after_thread_sync between the wait and %s; where no tcgen05.commit signals the waiting thread, also tcgen05.fence::before_thread_sync between %s and the arrival",
			d.where(other), d.where(operation))
	}
	return fmt.Sprintf("add tcgen05.fence::before_thread_sync between %s and the arrival, and tcgen05.fence::after_thread_sync between the wait and %s", d.where(operation), d.where(other))
}

func originTensorFence(d *diagnosis) string {
	operation, _ := d.operation()
	return d.originAt("tensor fence", operation)
}

func whyIssuedEarly(d *diagnosis) string {
	operation, other := d.operation()
	return fmt.Sprintf("the asynchronous operation of %s is issued while other threads may not be done with %s", d.where(operation), d.where(other))
}

// issueLater lets the thread that issues an operation wait for the others.
func issueLater(d *diagnosis) mend {
	operation, other := d.operation()
	m := mend{d.goesBetween(other, operation), ""}
	m.Kind, m.Then = finding.WaitThere, finding.Syncthreads
	barrier := "a barrier"
	if d.across() {
		m.Then, barrier = finding.ClusterSync, "a barrier of the cluster (cluster.sync())"
	}
	return m.instead(fmt.Sprintf("let the thread that issues it wait for the others before %s: at %s, or at an mbarrier at which they arrive after %s", d.where(operation), barrier, d.where(other)))
}

// copiesArrive: what should order the two accesses is the arrival of copies.
func copiesArrive(d *diagnosis) bool {
	return len(d.phases) > 0 && d.phases[0].Arrive.Op.Kind == inst.CopyArrive && d.early.Site.Op.Kind != inst.CopyAsync
}

func whyCopiesOnly(d *diagnosis) string {
	p := d.phases[0]
	return fmt.Sprintf("%s waits at %s for the arrival of %s (cp.async.mbarrier.arrive), which is ordered after the thread's cp.async operations and after none of its ordinary accesses",
		d.where(p.Wait), d.objectName(p.Object), d.where(p.Arrive))
}

func helpCopiesOnly(d *diagnosis) string {
	arrive := d.where(d.phases[0].Arrive)
	return fmt.Sprintf("let each thread also arrive by mbarrier.arrive after %s, and leave .noinc out there so that the count stays as it is; or write zeros by cp.async with a source size of 0", arrive)
}

func originProxyFence(d *diagnosis) string {
	_, store := d.operation()
	return d.originAt("proxy fence", store)
}

func originAsync(d *diagnosis) string {
	operation, _ := d.operation()
	return d.originAt("end", operation)
}

func originIssue(d *diagnosis) string {
	operation, _ := d.operation()
	return d.originAt("issue", operation)
}
