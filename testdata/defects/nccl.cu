// Wrong uses of NCCL: what is found in its copies and kernels is shown at the call, and ranks that do not
// fit together are told instead of a hang.
// flags: --devices 2
// clean: ordered whole grouped
#include <nccl.h>
#include <cstdio>
#include <cstring>

__global__ void fill(float *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = 1;
}

__global__ void refill(float *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = 2;  // want(reused) race WAR
}

int main(int, char **argv) {
    auto is = [&](const char *name) { return strcmp(argv[1], name) == 0; };
    const int n = 64;
    float *send[2], *recv[2];
    ncclComm_t comms[2];
    cudaStream_t streams[2], other;
    cudaEvent_t filled;
    ncclCommInitAll(comms, 2, nullptr);
    for (int r = 0; r < 2; r++) {
        cudaSetDevice(r);
        cudaStreamCreateWithFlags(&streams[r], cudaStreamNonBlocking);
        cudaMalloc(&send[r], n * sizeof(float));
        cudaMalloc(&recv[r], n * sizeof(float));
        if (!is("unwritten")) fill<<<1, 64, 0, streams[r]>>>(send[r], n);
    }
    cudaSetDevice(is("early") ? 0 : 1);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&filled);
    cudaEventRecord(filled, is("early") ? streams[0] : streams[1]);
    if (!is("early")) cudaStreamWaitEvent(other, filled, 0);
    if (is("whole") || is("unwritten") || is("reused") || is("ordered")) {
        ncclGroupStart();
        for (int r = 0; r < 2; r++)
            ncclAllReduce(send[r], recv[r], n, ncclFloat, ncclSum, comms[r], streams[r]);  // want(unwritten) init global // want(unwritten) init global
        ncclGroupEnd();
        if (is("ordered")) cudaStreamSynchronize(streams[1]);
        if (is("reused") || is("ordered")) refill<<<1, 64, 0, other>>>(send[1], n);
    }
    if (is("early")) {  // the other stream does not wait for fill
        ncclGroupStart();
        for (int r = 0; r < 2; r++)
            ncclBroadcast(send[0], recv[r], n, ncclFloat, 0, comms[r], r ? streams[1] : other);  // want(early) race RAW
        ncclGroupEnd();
    }
    if (is("short")) {  // the results of two ranks need twice the memory
        ncclGroupStart();
        for (int r = 0; r < 2; r++)
            ncclAllGather(send[r], recv[r], n, ncclFloat, comms[r], streams[r]);  // want(short) memory bad-copy
        ncclGroupEnd();
    }
    if (is("overlap") || is("grouped")) {  // calls of a group have no order
        ncclGroupStart();
        for (int r = 0; r < 2; r++) {
            float *to = is("overlap") ? send[r] : recv[r];
            ncclSend(send[r], n, ncclFloat, 1 - r, comms[r], streams[r]);
            ncclRecv(to, n, ncclFloat, 1 - r, comms[r], streams[r]);  // want(overlap) race RAW // want(overlap) race WAR
        }
        ncclGroupEnd();
    }
    if (is("counts")) {
        ncclGroupStart();
        for (int r = 0; r < 2; r++)
            ncclAllReduce(send[r], recv[r], n - r, ncclFloat, ncclSum, comms[r], streams[r]);  // want(counts) hang collective
        ncclGroupEnd();
    }
    if (is("missing"))
        ncclAllReduce(send[0], recv[0], n, ncclFloat, ncclSum, comms[0], streams[0]);  // want(missing) hang collective
    for (int r = 0; r < 2; r++) {
        cudaSetDevice(r);
        cudaDeviceSynchronize();
        cudaStreamDestroy(streams[r]);
        cudaFree(send[r]);
        cudaFree(recv[r]);
        ncclCommDestroy(comms[r]);
    }
    cudaStreamDestroy(other);
    cudaEventDestroy(filled);
}
