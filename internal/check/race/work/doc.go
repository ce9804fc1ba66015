// Package work finds races between pieces of work: kernels, copies and fills in streams, host functions, accesses by host
// code, and child grids.
//
// Streams, events and the waits of the host give each piece a vector clock (streams.go, values.go, dependent.go, child.go).
// Two pieces that nothing orders race if they share bytes and one of them writes. What a kernel accesses is its footprint:
// sets of bytes by instruction (footprint.go), made from a bit for each element (marks.go), or, where kernels that run at
// once may synchronize through memory, sets by what was acquired before and released after (handover.go, words.go,
// pages.go, handed.go). pieces.go compares the pieces,
// host.go and late.go have the accesses of host code, parent.go and siblings.go what threads do beside their child grids.
package work
