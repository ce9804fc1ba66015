// Threads of a block that meet in shared memory: barriers of the block.
#include "../global/run.h"
#define T threadIdx.x
#define OUT(v) a[64 * blockIdx.x + 256 + T] = (v)

__global__ void rotate(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    OUT(s[(T + 1) % 64]); // want RAW no-barrier/syncthreads
}
__global__ void rotate_barrier(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    OUT(s[(T + 1) % 64]);
}
__global__ void other_warp(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    OUT(s[T ^ 32]); // want RAW no-barrier/syncthreads
}
__global__ void own_element(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    s[T] += 2 * s[T];
    OUT(s[T]);
}
__global__ void barrier_before(int *a, int *) {
    __shared__ int s[64];
    s[T] = 0;
    __syncthreads();
    s[T] = T;
    OUT(s[63 - T]); // want RAW no-barrier/syncthreads
}
__global__ void next_round(int *a, int *) {
    __shared__ int s[64];
    int x = 0;
    for (int i = 0; i < 4; i++) {
        s[T] = i + T; // want WAR no-barrier/syncthreads
        __syncthreads();
        x += s[63 - T];
    }
    OUT(x);
}
__global__ void next_round_both(int *a, int *) {
    __shared__ int s[64];
    int x = 0;
    for (int i = 0; i < 4; i++) {
        s[T] = i + T;
        __syncthreads();
        x += s[63 - T];
        __syncthreads();
    }
    OUT(x);
}
__global__ void two_buffers(int *a, int *) {
    __shared__ int s[2][64];
    int x = 0;
    for (int i = 0; i < 6; i++) {
        s[i % 2][T] = i + T;
        __syncthreads();
        x += s[i % 2][63 - T];
    }
    OUT(x);
}
__global__ void three_phases_two_buffers(int *a, int *) {
    __shared__ int s[2][64];
    int x = 0;
    for (int i = 0; i < 6; i++) {
        s[i % 2][T] = i + T;
        if (i % 2) __syncthreads();
        x += s[i % 2][63 - T]; // want RAW no-barrier/syncthreads
    }
    OUT(x);
}
__global__ void tree(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    for (int n = 32; n > 0; n >>= 1) {
        if (T < n) s[T] += s[T + n];
        __syncthreads();
    }
    OUT(s[0]);
}
__global__ void tree_first_barrier(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    for (int n = 32; n > 0; n >>= 1) {
        if (T < n) s[T] += s[T + n]; // want RAW no-barrier/syncthreads
        __syncthreads();
    }
    OUT(s[0]);
}
__global__ void tree_no_barrier(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    for (int n = 32; n > 0; n >>= 1)
        if (T < n) s[T] += s[T + n]; // want RAW no-barrier/syncthreads [thread]; RAW no-syncwarp/syncwarp [its]; WAR no-barrier/syncthreads ?a
    OUT(s[0]); // want RAW no-barrier/syncthreads ?a
}
__global__ void scan_in_place(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    for (int n = 1; n < 64; n *= 2) {
        if (T >= n) s[T] += s[T - n]; // want WAR no-barrier/barrier
        __syncthreads();
    }
    OUT(s[T]);
}
__global__ void scan_by_register(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    __syncthreads();
    for (int n = 1; n < 64; n *= 2) {
        int x = T >= n ? s[T - n] : 0;
        __syncthreads();
        s[T] += x;
        __syncthreads();
    }
    OUT(s[T]);
}
__global__ void one_place(int *a, int *) {
    __shared__ int s;
    s = T; // want WAW one-instruction/own-element
    __syncthreads();
    OUT(s);
}
__global__ void same_value(int *a, int *) {
    __shared__ int found;
    if (T == 0) found = 0;
    __syncthreads();
    if (T % 3 == 0) found = 1; // want info WAW one-instruction/none
    __syncthreads();
    OUT(found);
}
__global__ void sum_plain(int *a, int *) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    if (T % 32 == 0) sum += T; // want WAR no-barrier/atomic; WAW no-barrier/atomic ?b; info WAW no-barrier/none ?b
    __syncthreads();
    OUT(sum);
}
__global__ void sum_written_out(int *a, int *) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    if (T % 32 == 0) {
        int old = sum;
        sum = old + T; // want WAR no-barrier/atomic; WAW no-barrier/atomic ?c; info WAW no-barrier/none ?c
    }
    __syncthreads();
    OUT(sum);
}
__global__ void sum_atomic(int *a, int *) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, T);
    __syncthreads();
    OUT(sum);
}
__global__ void sum_read_early(int *a, int *) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, T);
    OUT(sum); // want RAW no-barrier/syncthreads
}
__global__ void sum_reset_late(int *a, int *) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    atomicAdd(&sum, T); // want WAW no-barrier/syncthreads
    __syncthreads();
    OUT(sum);
}
__global__ void half_atomic(int *a, int *) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    if (T < 32) atomicAdd(&sum, 1); // want WAR not-atomic/atomic ?d
    else if (T == 32) sum += 1; // want RAW not-atomic/atomic ?d; WAW not-atomic/atomic
    __syncthreads();
    OUT(sum);
}
__global__ void bytes_apart(int *a, int *) {
    __shared__ unsigned char s[64];
    s[T] = T;
    OUT(s[T] + 1);
}
__global__ void bytes_shared(int *a, int *) {
    __shared__ unsigned char s[64];
    s[T] = T;
    OUT(s[(T + 1) % 64]); // want RAW no-barrier/syncthreads
}
__global__ void halves_of_word(int *a, int *) {
    __shared__ short s[128];
    s[2 * T] = T;
    s[2 * T + 1] = 1;
    OUT(s[2 * T] + s[2 * T + 1]);
}
__global__ void word_over_bytes(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    OUT(((unsigned char *)s)[(4 * T + 4) % 256]); // want RAW no-barrier/syncthreads
}
__global__ void vector_overlap(int *a, int *) {
    __shared__ __align__(16) int s[64 + 4];
    if (T < 16) *(int4 *)(s + 4 * T) = make_int4(1, 2, 3, T); // want WAW no-barrier/barrier ?e
    else if (T == 40) s[19] = 7; // want WAW no-barrier/barrier ?e
    __syncthreads();
    OUT(s[T]);
}
__global__ void vector_neighbors(int *a, int *) {
    __shared__ __align__(16) int s[64 + 4];
    if (T < 16) *(int4 *)(s + 4 * T) = make_int4(1, 2, 3, T);
    else if (T == 40) s[64] = 7;
    __syncthreads();
    OUT(s[T]);
}
__global__ void overlapping_carve_up(int *a, int *) {
    extern __shared__ int all[];
    int *x = all, *y = all + 63; // one too few
    x[T] = T;
    y[T] = 2 * T; // want WAW overlapping-arrays/move-array [source]; WAW no-barrier/syncthreads [optimized]
    OUT(x[T] + y[T]); // want RAW no-barrier/syncthreads [source]
}
__global__ void barrier_in_half(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    if (T < 32) asm volatile("barrier.sync 1, 32;" ::: "memory");
    OUT(s[T ^ 32]); // want RAW partial-barrier/syncthreads
}
__global__ void named_pair(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    OUT(s[T ^ 32]);
}
__global__ void two_named(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    if (T < 32) asm volatile("barrier.sync 1, 32;" ::: "memory");
    else asm volatile("barrier.sync 2, 32;" ::: "memory");
    OUT(s[T ^ 32]); // want RAW partial-barrier/syncthreads
}
__global__ void arrive_and_sync(int *a, int *) {
    __shared__ int s[32];
    if (T < 32) {
        s[T] = T;
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        OUT(s[T - 32]);
    }
}
__global__ void write_after_arrive(int *a, int *) {
    __shared__ int s[32];
    if (T < 32) {
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
        s[T] = T;
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        OUT(s[T - 32]); // want RAW partial-barrier/syncthreads
    }
}
__global__ void count_of_one_side(int *a, int *) {
    __shared__ int s[32];
    if (T < 32) {
        s[T] = T;
        asm volatile("barrier.arrive 1, 32;" ::: "memory");
    } else {
        asm volatile("barrier.sync 1, 32;" ::: "memory");
        OUT(s[T - 32]); // want RAW partial-barrier/count-threads
    }
}
__global__ void ping_pong(int *a, int *) {
    __shared__ int s[32];
    int x = 0;
    for (int i = 0; i < 5; i++) {
        if (T < 32) {
            if (i) asm volatile("barrier.sync 2, 64;" ::: "memory");
            s[T] = T + i;
            asm volatile("barrier.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("barrier.sync 1, 64;" ::: "memory");
            x += s[T - 32];
            if (i < 4) asm volatile("barrier.arrive 2, 64;" ::: "memory");
        }
    }
    OUT(x);
}
__global__ void ping_no_pong(int *a, int *) {
    __shared__ int s[32];
    int x = 0;
    for (int i = 0; i < 5; i++) {
        if (T < 32) {
            s[T] = T + i; // want WAR no-barrier/barrier ?turn
            asm volatile("barrier.sync 1, 64;" ::: "memory");
        } else {
            asm volatile("barrier.sync 1, 64;" ::: "memory");
            x += s[T - 32]; // want RAW no-barrier/barrier ?turn
        }
    }
    OUT(x);
}
__global__ void vote_barrier(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    int any = __syncthreads_or(T == 5);
    OUT(s[63 - T] + any);
}
__global__ void last_iteration_reads(int *a, int *) {
    __shared__ int s[64];
    for (int i = 0; i < 3; i++) {
        __syncthreads();
        s[T] = i;
    }
    OUT(s[63 - T]); // want RAW no-barrier/syncthreads
}
__device__ int neighbor(const int *s) { return s[(T + 1) % 64]; } // want RAW no-barrier/syncthreads
__global__ void in_function(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    OUT(neighbor(s));
}
struct Pair {
    int key;
    float value;
};
__global__ void members_apart(int *a, int *) {
    __shared__ Pair s[32];
    if (T < 32) s[T].key = T;
    else s[T - 32].value = T;
    __syncthreads();
    OUT(s[T % 32].key);
}
__global__ void members_together(int *a, int *) {
    __shared__ Pair s[32];
    if (T < 32) s[T] = Pair{1, 2}; // want WAW no-barrier/barrier
    else s[T - 32].value = T;
    __syncthreads();
    OUT(s[T % 32].key);
}
__global__ void no_warps_racing(int *a, int *) {
    __shared__ int s[2];
    if (T % 32 == 0) s[T / 32] = T;
    __syncthreads();
    OUT(s[0] + s[1]);
}

int main() {
    auto two = [](void (*k)(int *, int *)) { launch(k, 2, 64, 1024); };
    two(rotate); two(rotate_barrier); two(other_warp); two(own_element); two(barrier_before); two(next_round);
    two(next_round_both); two(two_buffers); two(three_phases_two_buffers); two(tree); two(tree_first_barrier);
    two(tree_no_barrier); two(scan_in_place); two(scan_by_register); two(one_place); two(same_value);
    two(sum_plain); two(sum_written_out); two(sum_atomic); two(sum_read_early); two(sum_reset_late);
    two(half_atomic); two(bytes_apart); two(bytes_shared); two(halves_of_word); two(word_over_bytes);
    two(vector_overlap); two(vector_neighbors); two(overlapping_carve_up); two(barrier_in_half); two(named_pair);
    two(two_named); two(arrive_and_sync); two(write_after_arrive); two(count_of_one_side); two(ping_pong); two(ping_no_pong);
    two(vote_barrier); two(last_iteration_reads); two(in_function); two(members_apart); two(members_together);
    two(no_warps_racing);
}
