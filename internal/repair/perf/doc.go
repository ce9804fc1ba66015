// Package perf makes the patches for performance: rows of shared memory with one more element, other layouts of structures
// and arrays, and built-in variables that are exchanged. fix --perf takes those that make the kernel cheaper.
package perf
