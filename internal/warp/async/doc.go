// Package async executes asynchronous operations: cp.async, bulk and tensor copies, reductions and
// fills, changes of tensor maps, clusterlaunchcontrol, and the mbarriers that copies complete on (PTX ISA,
// "Data Movement and Conversion Instructions: Asynchronous copy", "mbarrier").
//
// An operation is issued at once: addresses are checked, and observers hear that it begins. What it does to
// memory happens at the latest moment, as a program that does not wait for it must not see its
// effect:
//
//	cp.async             at a wait for its group, or when its lanes exit
//	to global memory     at a wait for its group, or when its lanes exit
//	to shared memory     when a thread looks at the mbarrier that it completes on
//	mbarrier arrivals    that wait for copies: when the mbarrier is looked at, or the lanes exit
//
// A Unit has what one warp has on its way, a Block what completes on the mbarriers of one block,
// whoever issued it: a Completion of another block of the cluster lies at its owner's. mbarrier.go has the
// object itself, arrivals.go who arrived, for the report of a phase that never ends.
//
// What the package needs of the warp that issues an operation is the interface Warp, and of the
// block that owns memory the interface Home, both in unit.go. Package tensor lets its commits complete
// here.
package async
