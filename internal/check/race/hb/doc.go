// Package hb is the happens-before relation of the race rule. docs/RACES.md defines it.
//
// An Order is that of one block: what barriers, __syncwarp, fences and strong operations
// order before what each of its threads does next. It has two parts, each no more
// expensive than the kernel makes necessary:
//
//   - within one barrier interval, an interval clock (interval.go, rows.go): a number a
//     warp, a matrix for a warp whose lanes synchronize apart, or a row for each group of
//     threads with the same knowledge;
//   - between blocks and by release and acquire, a Clock for each thread (clock.go),
//     immutable and shared, with the release sequence of each word (sequence.go).
//
// A Site is what matters of an instruction for all that (site.go); mbarriers and the
// barriers of clusters and grids have phases of their own (mbarrier.go, group.go).
//
// Files in the order in which they depend on each other: clock.go, interval.go and rows.go,
// site.go, order.go and sequence.go, mbarrier.go, group.go.
package hb
