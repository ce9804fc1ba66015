// Package order makes the patches that order what threads do: barriers and fences between two accesses (around.go,
// insert.go, additions.go) and what all threads come to (divergence.go, branches.go, later.go, move.go, evenloop.go), atomic
// operations and locks (atomic.go, testandset.go, relaxed.go, order.go, lock.go), warp-level functions (mask.go, members.go,
// hoist.go), waits for asynchronous operations (copywait.go, earlier.go, waitfirst.go), mbarriers, clusters and tensor memory
// (arrive.go, mbarrier.go, once.go, cluster.go, tensor.go, assembly.go).
//
// Each function makes the patches of one kind, the likeliest first. It does not know whether one holds: package session
// finds that out by running the program with it.
package order
