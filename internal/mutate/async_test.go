package mutate

import (
	"fmt"
	"strings"
	"testing"
)

const pipeline = `__global__ void k(uint64_t *full, int n) {
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(full, n);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    int phase = 0;
    for (int i = 0; i < n; i++) {
        mbarrier_wait(full, phase);
        use(i);
        if (last) phase ^= 1;
        (void)ready.arrive();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
void host() { __syncthreads(); }
`

func TestAsync(t *testing.T) {
	want := `4 moved: ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
3 count: mbarrier_init(full, n); -> (n) + 1
3 count: mbarrier_init(full, n); -> (n) - 1
4 fence: ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster)
4 scope: scope_cluster -> scope_cta
6 barrier: cluster.sync()
6 scope: cluster.sync() -> __syncthreads
9 wait: mbarrier_wait(full, phase)
9 moved: mbarrier_wait(full, phase);
9 phase: mbarrier_wait(full, phase); -> (phase) ^ 1
12 moved: (void)ready.arrive();
11 phase: phase ^= 1
12 arrival: (void)ready.arrive()
14 wait: ptx::cp_async_bulk_wait_group(ptx::n32_t<0>())
14 wait: cp_async_bulk_wait_group( -> wait_group_read
14 count: wait_group(ptx::n32_t<0> -> (0) + 1
`
	var got strings.Builder
	for _, m := range Async([]byte(pipeline)) {
		fmt.Fprintf(&got, "%d %s: %s", m.Line, m.Kind, m.Removed)
		if m.With != "" {
			fmt.Fprintf(&got, " -> %s", m.With)
		}
		got.WriteByte('\n')
		if a, b := strings.Count(string(m.Text), "\n"), strings.Count(pipeline, "\n"); a != b {
			t.Errorf("%s: %d lines, want %d", m.Removed, a, b)
		}
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// TestMoved has two neighbors that change places, and a text that comes of two edits once.
func TestMoved(t *testing.T) {
	ms := Async([]byte("__global__ void k() { wait_all(); mbarrier_wait(b, 0); fence_proxy_async(); f(x); }"))
	var moved []string
	for _, m := range ms {
		if m.Kind == Moved {
			moved = append(moved, string(m.Text))
		}
	}
	want := []string{"__global__ void k() { wait_all(); fence_proxy_async(); mbarrier_wait(b, 0); f(x); }"}
	if fmt.Sprint(moved) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", moved, want)
	}
}
