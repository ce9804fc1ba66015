// Package explore executes a launch in all orders of its warps that can differ, or in as many as it may, and
// tells which results there are.
//
// An order is a list of turns: the warp whose turn it is makes one access to memory, and continues until it stands before its
// next one, waits or ends (trace.Turn). Accesses of different warps commute unless they share a word and one
// writes, so that of the orders of a launch most are the same execution; search.go chooses one of each. Barriers are waited for, and
// a warp that only reads and comes back to a state that it had makes no step until something is written, so
// that loops which wait have an end.
//
//	launch ──► its run ──► trial 1 ──► trial 2 ──► ... ──► Result: executions, outcomes, findings
//	                          each from the memory that the launch began with, with checkers of its own
//
// search.go is the search, explore.go executes, order.go has the text form of an order.
package explore
