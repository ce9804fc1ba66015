// Package native plans what a program becomes as machine code, and holds what code shares with the interpreter. Its back
// ends only render the plan.
//
//	                                                     ┌─ x86 ──► AVX-512 ───────────────────────────────┐
//	program ── Plan ──► Scope: Step, Run, Sweep, loop ───┤                                                 ├─► Code ─► package warp
//	                                                     └─ llvm ─► LLVM IR ── a compiler ► ELF ── jit.Link ─┘
//
// # Tiers
//
// The interpreter of package warp is the definition. An executor, x86.Executor or llvm.Executor, has the code of a program
// made once the interpreter has done enough of it (Due): with AVX-512 at once, by way of LLVM beside the interpreter, after a draft that
// is there sooner (Code.IsDraft).
// A Maker makes it in two forms, for warps with all lanes and for those with some.
//
// # The contract
//
// Caller and code share a Context: the slab with all registers, the lanes, the budget of the turn, the regions where each
// memory instruction may go, and what was done, to be counted by the caller. Places in it are constants (offsets.go). Code
// may leave before any step that it cannot continue with, with everything that lives in the slab; the interpreter does the
// step and may enter again behind it. Rows that repeat a scalar have only their first lanes written (Code.Full).
// Watched is what observers want to see; there is code for each set of that.
//
// # The plan
//
// A Plan is what holds of a program whatever is watched: rows that are the same in all lanes, where straight runs begin, and
// what lives after each (plan.go). A Scope adds what is watched, and decides:
//
//   - what each step does, as a Step, a sealed type with a variant for each kind; nil is the interpreter's (steps.go, scope.go).
//     An access says what it does for observers first (to follow the group, go through the sieve, be entered or marked), where
//     it goes, and how it is counted; a branch, what becomes of lanes that part; a warp-level operation, how its member
//     mask is compared;
//   - how far a straight run goes, how it ends and what it uses last (Run);
//   - what a sweep does between warps, at barriers and between blocks (SweepPlan, in sweepplan.go);
//   - which loops run for one lane after the other, how their addresses are made, what of them is checked when, where
//     values are kept, and whether that pays (SerialLoop, in serial.go and serial_*.go).
//
// Operations are bodies, of package body; elementary functions are bodies as well, made from formulas (bodies.go).
//
// # What holds it
//
// The tests of package warp do each operation, atomic operation and warp-level operation with both executors and compare
// with the interpreter; those of package engine run whole kernels at each level, and FuzzDifferential random ones, against
// a reference interpreter. TestTranslate and TestIR generate code for all operations on any machine.
package native
