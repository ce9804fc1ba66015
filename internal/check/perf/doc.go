// Package perf is what the performance rules share: the source places of a
// kernel, a compact record of the addresses that each place accessed, changes
// of the program that are tried on that record, and the choice and the order
// of what is reported.
package perf
