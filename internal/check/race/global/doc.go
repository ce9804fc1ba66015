// Package global detects data races in global memory, and in the shared memory that blocks
// of a cluster access of each other, while a kernel runs.
//
// It keeps what lanes of warps did to each line of 128 bytes (field.go). Where a kernel can
// synchronize its blocks, they run one at a time and each access is compared with the
// history by the block's happens-before order (block.go, compare.go, package hb), unless its
// site can conflict with none there (classes.go). Elsewhere nothing orders blocks: they are
// compared when the launch ends (pairs.go), so that the result does not depend on which ran
// first; but first such a launch has a quick look, and only if that suspects something it is
// repeated for the history (quick.go), with less as long as no unit is met twice (touched.go);
// so has one whose blocks run in turn (turns.go). cluster.go has the shared memory of
// clusters, heapfree.go frees by device code, values.go what was written. Reads of allocations
// that a launch does not write to are left out (readonly.go), and what is proved to be each
// thread's own (prune.go). stale.go has reads through the read-only path, of which the order
// does not matter. evidence.go collects the reasons of races.
package global
