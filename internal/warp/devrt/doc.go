// Package devrt is the device runtime: the functions that device code calls and does not contain.
// These are printf, malloc, free and assert, the part of the CUDA runtime API that kernels may
// use (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"), and device math.
//
// A Block has what the threads of one block share: the text that they printed, the heap, child
// grids, copies and fills that they asked for, parameter buffers and each thread's last error. Call and Math run
// one instruction of a warp, lane by lane; a function sees the thread that calls it.
//
// Child grids, copies and fills may run at any time between the call and the end of the parent
// grid, which does not end before they do. Here they run where a thread of their block waits
// for them, else after the parent's last thread; Children is who runs them.
//
// What the functions need of a warp is the interface Warp in block.go: memory by generic address,
// who the thread is, and where events and faults go. Addresses that malloc returns depend on
// the schedule of the blocks; contents do not.
package devrt
