// Package tensor executes the instructions of warpgroups and of tensor memory: wgmma, tcgen05 and
// setmaxnreg (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions",
// "TensorCore 5th Generation Family Instructions").
//
// A Block has what the warps of a block share: tensor memory with its allocations, the log by which
// the four warps of a warpgroup are compared, the pool of registers. A Unit has what one warp has on
// its way: products that no wait has ended, loads and stores of tensor memory, and the registers
// that they still work on.
//
// A product is computed when it is issued; observers hear when it begins and ends, and decide by that
// what races. What a program must do between (fences, commits, waits) is checked by steps that
// lowering has put where registers are accessed:
//
//	RegisterChange, LocalChange   what has changed registers since the last wgmma.fence
//	ProductCheck, LocalFlight     registers of operations that may be on their way
//
// The warps of a warpgroup are run one after the other. A wait for a product that another warp has
// not issued stops the warp (Unit.Waits) until that one comes (Warp.StepAgain).
//
// Matrices are multiplied with the functions of package matrix; commits complete on mbarriers of
// package async. What is needed of the warp and of its block are the interfaces Warp and Home in unit.go.
package tensor
