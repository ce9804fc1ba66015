// Wrong uses of NCCL between processes: what is wrong is found in the process of each rank, and ranks that do not fit
// together are told instead of a hang.
// concurrent processes
// flags: --devices 2 --hang 4s
// clean: ordered whole moved grouped
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(float *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = 1;
}

__global__ void refill(float *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = 2;  // want(reused) race WAR
}

__global__ void beyond(float *p, int n) {
    p[n + threadIdx.x] = 3;  // want(faults) memory out-of-bounds
}

const char *wanted;
bool is(const char *name) { return strcmp(wanted, name) == 0; }

void run(int rank, const ncclUniqueId &id) {
    const int n = 64;
    float *send, *recv;
    ncclComm_t comm;
    cudaStream_t stream, other;
    cudaEvent_t filled;
    cudaSetDevice(rank);
    if (is("absent") && rank == 1) return;
    ncclCommInitRank(&comm, 2, id, rank);  // want(absent) hang collective
    if (is("absent")) return;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMalloc(&send, n * sizeof(float));
    cudaMalloc(&recv, n * sizeof(float));
    if (!(is("unwritten") || is("moved")) || rank == 0) fill<<<1, n, 0, stream>>>(send, n);
    cudaEventCreate(&filled);
    cudaEventRecord(filled, stream);
    if (!is("early")) cudaStreamWaitEvent(other, filled, 0);
    if (is("whole") || is("unwritten") || is("reused") || is("ordered")) {
        ncclAllReduce(send, recv, n, ncclFloat, ncclSum, comm, stream);  // want(unwritten) init copied
        if (is("ordered")) cudaStreamSynchronize(stream);
        if (is("reused") || is("ordered")) refill<<<1, n, 0, other>>>(send, n);
    }
    // The other stream does not wait for fill.
    if (is("early")) ncclAllReduce(send, recv, n, ncclFloat, ncclSum, comm, other);  // want(early) race RAW
    // What is only moved may be uninitialized.
    if (is("moved")) ncclBroadcast(send, recv, n, ncclFloat, 1, comm, stream);
    // The results of two ranks need twice the memory.
    if (is("short")) ncclAllGather(send, recv, n, ncclFloat, comm, stream);  // want(short) memory bad-copy
    // One element more than rank 1 has.
    if (is("outside")) ncclAllReduce(send, recv, n + 1, ncclFloat, ncclSum, comm, stream);  // want(outside) memory bad-copy
    if (is("overlap") || is("grouped")) {  // calls of a group have no order
        float *to = is("overlap") ? send : recv;
        ncclGroupStart();
        ncclSend(send, n, ncclFloat, 1 - rank, comm, stream);
        ncclRecv(to, n, ncclFloat, 1 - rank, comm, stream);  // want(overlap) race WAR
        ncclGroupEnd();
    }
    if (is("counts")) ncclAllReduce(send, recv, n - rank, ncclFloat, ncclSum, comm, stream);  // want(counts) hang collective
    if (is("types")) ncclAllReduce(send, recv, n / 2, rank ? ncclFloat : ncclInt, ncclSum, comm, stream);  // want(types) hang collective
    if (is("sizes") && rank == 0) ncclSend(send, n, ncclFloat, 1, comm, stream);
    if (is("sizes") && rank == 1) ncclRecv(recv, n - 1, ncclFloat, 0, comm, stream);  // want(sizes) hang collective
    // What follows from a fault is not told.
    if (is("faults") && rank == 1) beyond<<<1, 1, 0, stream>>>(send, n);
    if (is("faults")) ncclAllReduce(send, recv, n, ncclFloat, ncclSum, comm, stream);
    if (is("exits") && rank == 1) _exit(0);
    if (is("left") && rank == 1) ncclCommDestroy(comm);
    if (is("exits") || is("missing") || is("left") && rank == 0) {
        if (rank == 0) ncclAllReduce(send, recv, n, ncclFloat, ncclSum, comm, stream);  // want(exits) hang collective // want(missing) hang collective // want(left) hang collective
        if (rank == 1) ncclAllGather(send, recv, n / 2, ncclFloat, nullptr, stream);
    }
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaEventDestroy(filled);
    cudaFree(send);
    cudaFree(recv);
    if (is("missing") && rank == 1) sleep(30);  // it lives
    if (!(is("left") && rank == 1)) ncclCommDestroy(comm);
}

int main(int, char **argv) {
    wanted = argv[1];
    int ids[2];
    if (pipe(ids)) return 1;
    for (int rank = 0; rank < 2; rank++) {
        if (fork()) continue;
        ncclUniqueId id;
        if (rank == 0) {
            ncclGetUniqueId(&id);
            if (write(ids[1], &id, sizeof id) != sizeof id) return 1;
        } else if (read(ids[0], &id, sizeof id) != sizeof id) {
            return 1;
        }
        run(rank, id);
        exit(0);
    }
    while (wait(nullptr) > 0) {}
}
