package repair_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/order"
	"github.com/warpgrind/warpgrind/internal/source"
)

// orderText has what repairs of the order of threads change, and what looks like it.
const orderText = `#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;
typedef unsigned long long u64;
typedef unsigned u32;
__device__ u32 address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__global__ void passes(int *out)
{
    __shared__ int data, flag;
    if (threadIdx.x == 0) {
        /*put*/ data = 7;
        /*set*/ flag = 1;
    } else if (threadIdx.x == 32) {
        while (/*seen*/ flag == 0) {}
        /*got*/ out[0] = data;
    }
}
__global__ void sets_early(int *out, int n)
{
    __shared__ int data, flag, list[4];
    if (threadIdx.x == 0) {
        /*early*/ flag = 1;
        /*late*/ data = 7;
        n = 3;
        /*variable*/ data = n;
        /*filled*/ for (int i = 0; i < 4; i++) list[i] = n;
    } else if (threadIdx.x == 32) {
        __threadfence();
        /*fenced*/ flag = 2;
        /*behind*/ data = 9;
    }
    out[1] = data + list[0] + flag;
}
__global__ void relaxed(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x == 0) {
        data[0] = 1;
        /*published*/ ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {}
        /*observed*/ out[0] = data[0];
        ready.fetch_add(1, cuda::memory_order_seq_cst);
    }
}
__global__ void waits(int *out, volatile int *done, int *data)
{
    if (threadIdx.x == 0) {
        done[0] = 1;
        /*signaled*/ data[0] = 7;
        out[8] = 1;
        out[9] = 2;
        /*unsignaled*/ data[1] = 8;
    } else if (threadIdx.x == 1) {
        /*toosoon*/ out[0] = data[0];
        /*itswait*/ while (done[0] == 0) {}
    } else {
        done[2] = 1;
        int value = data[3];
        /*valued*/ data[2] = value;
        int next = 0;
        /*used*/ next = data[4];
        out[2] = next;
        /*nextwait*/ for (; done[next] == 0;) {}
        /*named*/ out[1] = data[1];
        volatile int *own = done + 1;
        /*ownwait*/ while (*own == 0) {}
    }
}
__global__ void fewer(int *count, int n, int *out)
{
    while (atomicAdd(count, 0) < n - 1) {}
    int i = 0;
    while (i < n - 1) { i++; }
    /*allhere*/ out[0] = i;
}
__global__ void strides(float *out, int n)
{
    __shared__ float s[64];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        /*evenfrom*/ s[i % 64] = out[i];
        /*evento*/ out[i] = s[(i + 1) % 64];
    }
    for (int i = threadIdx.x; i < n; i += i + 1) {
        /*oddfrom*/ s[i % 64] = out[i];
        /*oddto*/ out[i] = s[(i + 1) % 64];
    }
}
__global__ void shuffles(int *out, int x)
{
    int y = x * 2, z = 0;
    if (threadIdx.x < 16) {
        /*shuffled*/ z = __shfl_sync(0xffff, y, 20);
    }
    if (threadIdx.x < 8) {
        int own = x + 3;
        /*local*/ z += __shfl_sync(0xff, own, 20);
    }
    if (threadIdx.x < 4) {
        y = z + 1;
        /*changed*/ z += __shfl_sync(0xf, y, 20);
    }
    if (threadIdx.x < 2) /*synced*/ __syncwarp(3);
    /*masked*/ __syncwarp(0xffff);
    out[threadIdx.x] = z;
}
__global__ void locks(int *lock, int *total, int n)
{
    if (n > 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        /*held*/ total[0] += n;
        __threadfence();
        atomicExch(lock, 0);
    }
    /*unheld*/ total[1] = total[0];
}
__global__ void uninitialized(int *out)
{
    __shared__ u64 bar;
    u64 own = 1;
    /*arrives*/ asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&bar)) : "memory");
    out[0] = own;
}
__global__ void tensors(u32 *out)
{
    __shared__ u64 bar;
    u32 v = 0, b = address(&bar);
    /*loaded*/ asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(0));
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra W; }" ::"r"(b) : "memory");
    /*stored*/ asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(0), "r"(v));
    out[0] = v;
}
__global__ void registers(u32 *out)
{
    u32 unset, v;
    __shared__ u32 common;
    /*unsetread*/ asm volatile("add.u32 %0, %1, %2;" : "=r"(v) : "r"(unset), "r"(common));
    out[0] = v;
}
__global__ void groups(float *out, int n)
{
    if (threadIdx.x < 64) {
        /*product*/ asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    }
    out[0] = n;
}
__global__ void initializes(int *out, int n)
{
    __shared__ u64 bar, bars[4];
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) /*again*/ asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&bar)), "r"(1) : "memory");
        out[i] = 1;
    }
    for (int i = 0; i < 4; i++) {
        /*each*/ asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&bars[i])), "r"(2) : "memory");
    }
}
__global__ void deallocates(int *out, u32 at)
{
    out[threadIdx.x] = at;
    if (threadIdx.x < 32) /*frees*/ asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(at));
    out[threadIdx.x] = 2;
    if (threadIdx.x < 32) /*refrees*/ asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(at));
}
__global__ void phases(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto token = block.barrier_arrive();
    /*twice*/ token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    out[0] = 1;
    /*unarrived*/ block.barrier_wait(std::move(token));
}
__device__ void mbarrier_init(u64 *bar, u32 count) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory"); }
__global__ void expects(int *out, u32 n)
{
    __shared__ u64 bar, other;
    if (threadIdx.x == 0) mbarrier_init(&bar, n > 1 ? n : 1);
    if (threadIdx.x == 1) mbarrier_init(&other, n);
    /*expected*/ out[0] = 1;
}
__global__ void awaits(int *out)
{
    __shared__ u64 bar;
    /*awaited*/ asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra W; }" ::"r"(address(&bar)) : "memory");
    while (/*spins*/ out[0] == 0) {}
}
__global__ void __cluster_dims__(2, 1, 1) joins(int *out)
{
    /*remote*/ out[threadIdx.x] = 1;
}
__global__ void __cluster_dims__(2, 1, 1) returns(int *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    /*returning*/ out[threadIdx.x] = cluster.block_rank();
    return;
}
__global__ void counts(int *out)
{
    if (threadIdx.x < 32) {
        /*counted*/ asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
    out[0] = 1;
}
__global__ void mixed(int *a, int *out, int n)
{
    /*atomically*/ atomicAdd(&a[n], 1);
    /*plainly*/ a[n] = 3;
    int was = /*plainread*/ a[n];
    /*update*/ a[n] += 2;
    int old = a[n];
    /*twosteps*/ a[n] = old + 5;
    if (a[n] == 4) /*tested*/ a[n] = 6;
    out[0] = was + old;
}
__global__ void dependent(int *out, const int *in)
{
    /*primary*/ out[threadIdx.x] = in[threadIdx.x];
}
__global__ void issues(int *out)
{
    __shared__ int s[32];
    /*before*/ out[threadIdx.x] = s[threadIdx.x];
    if (threadIdx.x == 0) {
        /*issued*/ asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(s)), "l"(out) : "memory");
    }
}
__global__ void proxies(int *out)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;
    /*proxied*/ asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    out[threadIdx.x] = tile[31 - threadIdx.x];
}
__global__ void halves(int *out)
{
    __shared__ int tile[64];
    if (threadIdx.x < 32) {
        /*written*/ tile[threadIdx.x] = 1;
    } else {
        /*readthere*/ out[threadIdx.x] = tile[threadIdx.x - 32];
    }
    /*rewritten*/ tile[threadIdx.x] = 2;
    /*reread*/ out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void sums(int *out, int n)
{
    /*partial*/ out[blockIdx.x] = n;
    /*total*/ if (blockIdx.x == 0) out[0] += out[1];
}
__global__ void diverges(int *out)
{
    if (threadIdx.x < 32) {
        out[0] = 1;
        /*thisarm*/ __syncthreads();
    } else {
        __syncthreads();
    }
    out[1] = 2;
}
__global__ void endless(int *out, int *lock, unsigned n)
{
    for (int i = 0; i != 7; i += 2) /*passes*/ out[i] = 1;
    for (unsigned k = n; k >= 0; k--) /*wraps*/ out[k] = 2;
    for (int j = 0; j < 9; j++) /*ends*/ out[j] = 3;
    while (/*taken*/ atomicCAS(lock, 0, 1) != 0) {}
    out[0]++;
}
void launches(float *out, int n)
{
    sums<<<n, 32, 16>>>((int *)out, 6);
    groups<<<1, 96>>>(out, 1);
    groups<<<1, 256>>>(out, 2);
    groups<<<1, n>>>(out, 3);
    groups<<<1, n > 99 ? n : 100>>>(out, 4);
    groups<<<1, dim3(32, 3)>>>(out, 5);
}
`

// between sets the places of a repair.
func between(from, to string) func(*finding.Finding, func(string) *finding.Point) {
	return func(f *finding.Finding, at func(string) *finding.Point) {
		f.Repair.From, f.Repair.To = at(from), at(to)
	}
}

// accesses sets what happens at a finding's place, and where another access is.
func accesses(here finding.Access, other string, there finding.Access) func(*finding.Finding, func(string) *finding.Point) {
	return func(f *finding.Finding, at func(string) *finding.Point) {
		f.Primary.Access = here
		if other != "" {
			f.Related = []finding.Place{{Access: there, Loc: source.Location{Pos: at(other).Pos}}}
		}
	}
}

// fencesAround are the fences of a flag.
func fencesAround(f *finding.Finding, at func(string) *finding.Point) {
	f.Repair.Adds = []finding.Addition{{Call: order.BlockFence, Before: at("set")}, {Call: order.BlockFence, After: at("seen")}}
}

// writesLater sets the places of a write that comes after its flag.
func writesLater(flag, write string) func(*finding.Finding, func(string) *finding.Point) {
	return func(f *finding.Finding, at func(string) *finding.Point) {
		f.Repair.At, f.Repair.From, f.Repair.Then = at(flag), at(write), order.BlockFence
	}
}

// readsEarly sets the places of an access that comes before its wait.
func readsEarly(access, wait string) func(*finding.Finding, func(string) *finding.Point) {
	return func(f *finding.Finding, at func(string) *finding.Point) {
		f.Repair.To, f.Repair.At, f.Repair.Then = at(access), at(wait), order.BlockFence
	}
}

// mixedWith sets the accesses of a finding where one of them is not atomic.
func mixedWith(other string, there finding.Access) func(*finding.Finding, func(string) *finding.Point) {
	return func(f *finding.Finding, at func(string) *finding.Point) {
		accesses(finding.Atomic, other, there)(f, at)
		f.Cause = "not-atomic"
	}
}

var orderCases = []kindCase{
	// Fences and flags.
	{mark: "got", kernel: "passes", kind: finding.AddFence, maker: order.AddCalls, set: fencesAround,
		want: []string{"/*set*/ __threadfence_block(); flag = 1;…flag == 0) {} __threadfence_block();"}},
	{mark: "got", kernel: "passes", kind: finding.AddFence, set: func(f *finding.Finding, at func(string) *finding.Point) {
		fencesAround(f, at)
		f.Repair.Orders = []finding.Ordering{{At: at("put"), Order: finding.Release}} // where there is no atomic operation
	}, refused: []string{"/*set*/ __threadfence_block(); flag = 1;…flag == 0) {} __threadfence_block();"}},
	{mark: "got", kernel: "passes", kind: finding.MakeVolatile, maker: order.MakeFlagVolatile, set: func(f *finding.Finding, at func(string) *finding.Point) {
		between("set", "seen")(f, at)
		fencesAround(f, at)
	}, want: []string{"/*set*/ __threadfence_block(); *(volatile int *)&flag = 1;…while (/*seen*/ *(volatile int *)&flag == 0) {} __threadfence_block();"}},
	{mark: "got", kernel: "passes", kind: finding.AddFence, maker: order.FenceTwice, set: accesses(finding.Read, "put", finding.Write),
		want: []string{"data = 7; __threadfence();…/*got*/ __threadfence(); out[0] = data;"}},
	{mark: "got", kernel: "passes", kind: finding.AddFence, set: accesses(finding.Read, "got", finding.Write), refused: []string{"__threadfence(); out[0] = data; __threadfence();"}},
	{mark: "late", kernel: "sets_early", kind: finding.AddFence, maker: order.WriteFirst, set: writesLater("early", "late"),
		want: []string{"/*early*/ data = 7; __threadfence_block(); flag = 1;"}},
	{mark: "behind", kernel: "sets_early", kind: finding.AddFence, maker: order.WriteFirst, set: writesLater("fenced", "behind"),
		want: []string{"data = 9; __threadfence();\n        /*fenced*/ flag = 2;"}, refused: []string{"/*fenced*/ data = 9;"}},
	{mark: "variable", kernel: "sets_early", kind: finding.AddFence, set: writesLater("early", "variable"), refused: []string{"/*early*/ data = n;"}},
	{mark: "filled", kernel: "sets_early", kind: finding.AddFence, set: writesLater("early", "filled"), refused: []string{"/*early*/ for"}},
	{mark: "observed", kernel: "relaxed", kind: finding.StrengthenOrder, maker: order.StrengthenOrders,
		want:    []string{"ready.store(1, cuda::memory_order_release)…ready.load(cuda::memory_order_acquire)", "ready.store(1, $)…ready.load(cuda::memory_order_acquire)"},
		refused: []string{"fetch_add(1, cuda::memory_order_acq_rel)"}},
	// Statements at other places.
	{mark: "signaled", kernel: "waits", kind: finding.WaitFirst, maker: order.MoveOver, set: accesses(finding.Write, "", ""), want: []string{"data[0] = 7; done[0] = 1;"}},
	{mark: "unsignaled", kernel: "waits", kind: finding.WaitFirst, set: accesses(finding.Write, "", ""), refused: []string{"data[1] = 8; out[9] = 2;", "data[1] = 8; out[8] = 1;"}},
	{mark: "toosoon", kernel: "waits", kind: finding.WaitFirst, maker: order.MoveOver, set: accesses(finding.Read, "", ""), want: []string{"while (done[0] == 0) {} out[0] = data[0];"}},
	{mark: "toosoon", kernel: "waits", kind: finding.WaitFirst, maker: order.WaitFirst, set: readsEarly("toosoon", "itswait"),
		want: []string{"/*toosoon*/ while (done[0] == 0) {} __threadfence_block(); out[0] = data[0];"}},
	{mark: "named", kernel: "waits", kind: finding.WaitFirst, maker: order.WaitFirst, set: readsEarly("named", "ownwait"),
		want: []string{"/*ownwait*/ while (*own == 0) {} __threadfence_block(); out[1] = data[1];"}, refused: []string{"/*named*/ while"}},
	{mark: "valued", kernel: "waits", kind: finding.WaitFirst, set: accesses(finding.Write, "", ""), refused: []string{"data[2] = value; done[2]"}},
	{mark: "used", kernel: "waits", kind: finding.WaitFirst, set: accesses(finding.Read, "", ""), refused: []string{"{} next = data[4];"}},
	{mark: "used", kernel: "waits", kind: finding.WaitFirst, set: readsEarly("used", "nextwait"), refused: []string{"{} __threadfence_block(); next = data[4];", "/*used*/ for"}},
	{mark: "allhere", kernel: "fewer", kind: finding.WaitForAll, maker: order.AwaitAll, want: []string{"while (atomicAdd(count, 0) < n) {}"}, refused: []string{"while (i < n) { i++; }"}},
	// Barriers.
	{mark: "evento", kernel: "strides", kind: finding.EvenLoop, maker: order.EvenLoops, set: between("evenfrom", "evento"),
		want: []string{"for (int base = 0; base < n; base += blockDim.x) { int i = base + threadIdx.x; if (i < n) {…s[i % 64] = out[i];…} __syncthreads(); if (i < n) {…} __syncthreads(); }"}},
	{mark: "oddto", kernel: "strides", kind: finding.EvenLoop, set: between("oddfrom", "oddto"), refused: []string{"base"}},
	{mark: "counted", kernel: "counts", kind: finding.CountThreads, maker: order.CountThreads, set: func(f *finding.Finding, _ func(string) *finding.Point) {
		f.Repair.Counts = []finding.BarrierCount{{ID: 1, Threads: 96}}
	}, want: []string{`"bar.sync 1, 96;"…"bar.arrive 1, 96;"`}, refused: []string{"bar.sync 2, 96"}},
	{mark: "twice", kernel: "phases", kind: finding.ArriveAndWait, maker: order.ArriveOnce,
		want: []string{"/*twice*/ \n", "token = block.barrier_arrive(); block.barrier_wait(std::move(token));\n}", "auto token = block.barrier_arrive(); block.barrier_wait(static_cast<decltype(token) &&>(token));"}},
	{mark: "remote", kernel: "joins", kind: finding.EndTogether, maker: order.JoinClusterAtEnd, want: []string{"out[threadIdx.x] = 1; cg::this_cluster().sync();"}},
	{mark: "returning", kernel: "returns", kind: finding.EndTogether, maker: order.JoinClusterAtEnd, want: []string{"cluster.sync(); return;"}, refused: []string{"return; "}},
	{mark: "primary", kernel: "dependent", kind: finding.GridWait, want: []string{"/*primary*/ cudaGridDependencySynchronize(); out"}},
	{mark: "issued", kernel: "issues", kind: finding.WaitThere, maker: order.IssueLater, set: func(f *finding.Finding, at func(string) *finding.Point) {
		between("before", "issued")(f, at)
		f.Repair.Then = finding.Syncthreads
	}, want: []string{"__syncthreads();…if (threadIdx.x == 0) {"}, refused: []string{"/*issued*/ __syncthreads();"}},
	{mark: "shuffled", kernel: "shuffles", kind: finding.ReadPresentLane, maker: order.Hoist, want: []string{"auto all…= __shfl_sync(0xffffffff, y, 20); if (threadIdx.x < 16) {…z = all"}},
	{mark: "local", kernel: "shuffles", kind: finding.ReadPresentLane, refused: []string{"auto all"}},
	{mark: "changed", kernel: "shuffles", kind: finding.ReadPresentLane, refused: []string{"auto all"}},
	{mark: "synced", kernel: "shuffles", kind: finding.ReadPresentLane, refused: []string{"auto all"}},
	{mark: "reread", kernel: "halves", kind: finding.AddBarrier, maker: order.CallBetween, set: func(f *finding.Finding, at func(string) *finding.Point) {
		between("rewritten", "reread")(f, at)
		f.Repair.Call = finding.Syncthreads
	}, want: []string{"tile[threadIdx.x] = 2; __syncthreads();"}, refused: []string{"{ __syncthreads();", "/*readthere*/ __syncthreads();"}},
	{mark: "readthere", kernel: "halves", kind: finding.CountedBarrier, maker: order.CallAround, set: func(f *finding.Finding, at func(string) *finding.Point) {
		accesses(finding.Read, "written", finding.Write)(f, at)
		between("written", "readthere")(f, at)
		f.Kind = "RAW"
	}, want: []string{"if (threadIdx.x < 32) {…= 1;…} __syncthreads(); if (!(threadIdx.x < 32)) {…/*readthere*/"}},
	{mark: "readthere", kernel: "halves", kind: finding.CountedBarrier, set: func(f *finding.Finding, at func(string) *finding.Point) {
		accesses(finding.Write, "written", finding.Write)(f, at)
		between("written", "readthere")(f, at)
		f.Kind = "WAW" // the program does not tell which one is the last
	}, refused: []string{"if (!(threadIdx.x < 32))"}},
	{mark: "proxied", kernel: "proxies", kind: finding.AddProxyFence, want: []string{`/*proxied*/ asm volatile("fence.proxy.async;" ::: "memory"); asm`}},
	{mark: "total", kernel: "sums", kind: finding.SplitKernel, set: accesses(finding.Read, "partial", finding.Write),
		want:    []string{"out[blockIdx.x] = n; cg::this_grid().sync();…gridDim = n; config…blockDim = 32; config…dynamicSmemBytes = 16;…cudaLaunchAttributeCooperative;…cooperative = 1;…, sums, (int *)out, 6); }"},
		refused: []string{"if (blockIdx.x == 0) { cg::"}},
	{mark: "thisarm", kernel: "diverges", kind: finding.SameBarriers, maker: order.MoveBarrier, want: []string{"/*thisarm*/ \n…} else {\n        \n    } __syncthreads();"}},
	{mark: "shuffled", kernel: "shuffles", kind: finding.MoveOperation, maker: order.Hoist, want: []string{"auto all…= __shfl_sync(0xffffffff, y, 20); if (threadIdx.x < 16) {…z = all"}},
	{mark: "masked", kernel: "shuffles", kind: finding.AddSyncwarp, maker: order.NameAllLanes, set: func(f *finding.Finding, at func(string) *finding.Point) { f.Repair.At = at("masked") },
		want: []string{"/*masked*/ __syncwarp();"}},
	{mark: "synced", kernel: "shuffles", kind: finding.AddSyncwarp, maker: order.NameAllLanes, set: func(f *finding.Finding, at func(string) *finding.Point) { f.Repair.At = at("synced") },
		want: []string{"/*synced*/ __syncwarp(3); __syncwarp();"}, refused: []string{"/*synced*/ __syncwarp();"}},
	// Loops that do not end.
	{mark: "passes", kernel: "endless", kind: finding.RaiseLimit, want: []string{"i < 7; i += 2)"}},
	{mark: "wraps", kernel: "endless", kind: finding.RaiseLimit, want: []string{"for (int k = n; k >= 0; k--)"}},
	{mark: "ends", kernel: "endless", kind: finding.RaiseLimit, refused: []string{"i < 7", "int k", "j <= 9"}},
	{mark: "taken", kernel: "endless", kind: finding.EndLoop, want: []string{"out[0]++; __threadfence(); atomicExch(lock, 0);"}},
	// Atomics and locks.
	{mark: "unheld", kernel: "locks", kind: finding.TakeLock, maker: order.TakeLock,
		want: []string{"/*unheld*/ while (atomicCAS(lock, 0, 1) != 0) {} __threadfence(); total[1] = total[0]; __threadfence(); atomicExch(lock, 0);"}},
	{mark: "held", kernel: "locks", kind: finding.TakeLock, refused: []string{"/*held*/ while"}},
	{mark: "atomically", kernel: "mixed", kind: finding.MakeAtomic, maker: order.RelaxAlso, set: mixedWith("plainly", finding.Write), want: []string{"@a[n]).store(3, $);"}, refused: []string{"@a[n]).load", "atomicAdd(&@"}},
	{mark: "atomically", kernel: "mixed", kind: finding.MakeAtomic, maker: order.ReadVolatile, set: mixedWith("plainread", finding.Read), want: []string{"int was = /*plainread*/ *(volatile int *)&a[n];"}},
	{mark: "atomically", kernel: "mixed", kind: finding.MakeAtomic, set: mixedWith("plainly", finding.Write), refused: []string{"*(volatile int *)&a[n] = 3"}},
	{mark: "atomically", kernel: "mixed", kind: finding.MakeAtomic, maker: order.ReadAtomically, set: mixedWith("plainread", finding.Read), want: []string{"int was = /*plainread*/ atomicAdd(&a[n], 0);"}},
	{mark: "update", kernel: "mixed", kind: finding.MakeAtomic, maker: order.MakeAtomic, want: []string{"atomicAdd(&a[n], 2);"}},
	{mark: "twosteps", kernel: "mixed", kind: finding.MakeAtomic, maker: order.WriteOut, want: []string{"int old = atomicAdd(&a[n], 5);\n    /*twosteps*/ \n"}},
	{mark: "tested", kernel: "mixed", kind: finding.MakeAtomic, maker: order.TestAndSet, want: []string{"    atomicCAS(&a[n], 4, 6);\n"}},
	{mark: "update", kernel: "mixed", kind: finding.TakeLock, maker: order.UpdateAtomically, set: accesses(finding.Write, "update", finding.Read), want: []string{"atomicAdd(&a[n], 2);"}},
	{mark: "update", kernel: "mixed", kind: finding.TakeLock, set: accesses(finding.Write, "plainread", finding.Read), refused: []string{"atomicAdd(&a[n], 2);"}},
	// Mbarriers, tensor memory and warpgroups.
	{mark: "arrives", kernel: "uninitialized", kind: finding.InitMBarrier, maker: order.InitMbarriers,
		want: []string{"__shared__ u64 bar; if (threadIdx.x == 0) asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\" ::\"r\"((unsigned)__cvta_generic_to_shared(&bar)), \"r\"(1) : \"memory\"); __syncthreads();",
			"\"r\"(blockDim.x) : \"memory\"); __syncthreads();"}, refused: []string{"_shared(&own)"}},
	{mark: "again", kernel: "initializes", kind: finding.InvalidateFirst, maker: order.InitializeOnce, want: []string{"if (threadIdx.x == 0) /*again*/ asm…: \"memory\"); for (int i = 0; i < n; i++) {\n        \n"}},
	{mark: "each", kernel: "initializes", kind: finding.InvalidateFirst, refused: []string{"asm…: \"memory\"); for (int i"}},
	{mark: "expected", kernel: "expects", kind: finding.CountArrivals, maker: order.CountArrivals, want: []string{"mbarrier_init(&bar, (n > 1 ? n : 1) + 1);", "mbarrier_init(&other, n + 1);"}},
	{mark: "awaited", kernel: "awaits", kind: finding.EndLoop, maker: order.ArriveAt,
		want: []string{`/*awaited*/ if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&bar)) : "memory"); asm`, `/*awaited*/ asm volatile("mbarrier.arrive`}},
	{mark: "spins", kernel: "awaits", kind: finding.EndLoop, refused: []string{"mbarrier.arrive…out[0] == 0"}},
	{mark: "stored", kernel: "tensors", kind: finding.AddTensorFence, maker: order.AddTensorFences,
		want:    []string{`fence::before_thread_sync;" ::: "memory"); asm volatile("mbarrier.arrive…bra W; }" ::"r"(b) : "memory"); asm volatile("tcgen05.fence::after_thread_sync;"`},
		refused: []string{`fence::after_thread_sync;" ::: "memory"); asm volatile("mbarrier.arrive`}},
	{mark: "unsetread", kernel: "registers", kind: finding.WriteRegister, maker: order.SetRegisters, want: []string{"u32 unset = {}, v;"}, refused: []string{"common ="}},
	{mark: "product", kernel: "groups", kind: finding.WholeWarpgroups, maker: order.LaunchWholeWarpgroups,
		want:    []string{"groups<<<1, (96 + 127) / 128 * 128>>>", "groups<<<1, (n + 127) / 128 * 128>>>", "((n > 99 ? n : 100) + 127) / 128 * 128", "} asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");"},
		refused: []string{"256 +", "dim3(32, 3) +"}},
	{mark: "refrees", kernel: "deallocates", kind: finding.DeallocLater, maker: order.DeallocateLater,
		want:    []string{"__syncthreads(); if (threadIdx.x < 32) /*frees*/", "out[threadIdx.x] = 2;\n    \n"},
		refused: []string{"{ __syncthreads(); asm"}},
}

// TestOrderKinds: the repairs that order threads.
func TestOrderKinds(t *testing.T) { testKinds(t, orderText, false, orderCases) }
