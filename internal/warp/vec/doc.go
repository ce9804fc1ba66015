// Package vec has what all that works on a warp is written in: registers of 32 lanes, masks of
// lanes, the addresses of an access with their span, and elements in memory.
//
// It knows the layout of a program's registers (package program) and the windows of generic
// addresses (package mem), and no warp: no divergence, no events, no faults. The packages
// below warp that execute a family of instructions work on Registers; what else they need of
// a warp each of them states as an interface of its own.
//
// The functions here are on the interpreter's hottest paths. Those for whole rows have a form
// in assembly for AVX-512 (scan_amd64.s) and a plain one, which a test compares. Methods of
// Registers are small enough to be inlined.
package vec
