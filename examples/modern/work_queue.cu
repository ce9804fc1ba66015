// Persistent threads with a queue of work: as many blocks as fit stay and take
// tasks until none is left. A task is an interval of a function's integral; if
// the estimates of the halves differ too much from that of the whole, the block
// puts both halves into the queue. Slots of the queue are drawn from two
// counters; each slot has a flag that is set once its task has been written.
//
// With -D BUG the threads continue from one estimate to the next without waiting
// until all have read the parts.

#include "../check.h"

const int SLOTS = 1 << 13, THREADS = 64, BLOCKS = 6;

struct Task {
    float from, to, whole;
};

struct Queue {
    Task task[SLOTS];
    int ready[SLOTS];
    int head, tail;
    int open; // tasks that are not finished, those in the queue included
    double result;
};

__device__ float f(float x) { return sinf(10.0f / (x + 0.1f)) + 0.5f * x; }

// simpson estimates an integral from points that the threads of a block share.
__device__ float simpson(float from, float to) {
    __shared__ float part[THREADS / 32];
    const int intervals = 2 * THREADS;
    float h = (to - from) / intervals, x = from + 2 * threadIdx.x * h;
    float sum = f(x) + 4 * f(x + h) + f(x + 2 * h);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum; // want race WAR
    __syncthreads();
    float all = 0;
    for (float p : part) all += p;
#ifndef BUG
    __syncthreads(); // part is used again by the next call
#endif
    return all * h / 3;
}

__device__ void push(Queue *q, const Task &t) {
    atomicAdd(&q->open, 1);
    int slot = atomicAdd(&q->tail, 1);
    q->task[slot] = t;
    __threadfence();
    atomicExch(&q->ready[slot], 1);
}

// pop takes a task; it returns false when all work is done.
__device__ bool pop(Queue *q, Task *t) {
    int slot = atomicAdd(&q->head, 1);
    if (slot >= SLOTS) return false;
    while (atomicAdd(&q->ready[slot], 0) == 0)
        if (atomicAdd(&q->open, 0) == 0) return false;
    __threadfence();
    *t = q->task[slot];
    return true;
}

__device__ void finish(Queue *q, double value) {
    if (value != 0) atomicAdd(&q->result, value);
    __threadfence();
    atomicSub(&q->open, 1);
}

__global__ void __launch_bounds__(THREADS) integrate(Queue *q, float tolerance) {
    __shared__ Task task;
    __shared__ bool more;
    for (;;) {
        if (threadIdx.x == 0) more = pop(q, &task);
        __syncthreads();
        if (!more) return;
        Task t = task; // the barriers below come before the next one is taken
        float middle = (t.from + t.to) / 2;
        float left = simpson(t.from, middle), right = simpson(middle, t.to);
        if (threadIdx.x == 0) {
            float error = fabsf(left + right - t.whole);
            if (error < tolerance * (t.to - t.from) || t.to - t.from < 1e-4f) {
                finish(q, static_cast<double>(left) + right);
            } else {
                push(q, Task{t.from, middle, left});
                push(q, Task{middle, t.to, right});
                finish(q, 0);
            }
        }
    }
}

__global__ void begin(Queue *q, float from, float to, int parts) {
    int i = threadIdx.x;
    float width = (to - from) / parts;
    q->task[i] = Task{from + i * width, from + (i + 1) * width, 1e30f};
    q->ready[i] = 1;
    if (i == 0) {
        q->head = 0;
        q->tail = q->open = parts;
        q->result = 0;
    }
}

double reference(double from, double to) {
    const int n = 2000000;
    double h = (to - from) / n, sum = 0;
    for (int i = 0; i < n; i++) {
        double x = from + (i + 0.5) * h;
        sum += sin(10.0 / (x + 0.1)) + 0.5 * x;
    }
    return sum * h;
}

bool run(float from, float to, float tolerance) {
    Queue *q;
    CHECK(cudaMalloc(&q, sizeof(Queue)));
    CHECK(cudaMemset(q, 0, sizeof(Queue)));
    begin<<<1, 8>>>(q, from, to, 8);
    integrate<<<BLOCKS, THREADS>>>(q, tolerance);
    CHECK_LAUNCH();
    std::vector<Queue> host = toHost(q, 1);
    CHECK(cudaFree(q));
    printf("%d tasks\n", host[0].tail);
    if (host[0].open != 0 || host[0].tail > SLOTS) {
        printf("FAIL: %d tasks left\n", host[0].open);
        return false;
    }
    return same("integral", std::vector<double>{host[0].result}, std::vector<double>{reference(from, to)}, 1e-4);
}

int main() {
    bool ok = run(0, 2, 1e-4f);
    ok = run(0.5f, 1, 1e-5f) && ok;
    return ok ? 0 : 1;
}
