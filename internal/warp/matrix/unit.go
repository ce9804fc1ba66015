package matrix

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Warp is what instructions on matrices need of the warp that executes them.
type Warp interface {
	// WholeWarp checks that all 32 threads of the warp execute an instruction that wants them together.
	WholeWarp(site *trace.Site, m uint32) bool
	// AddressesOf computes the addresses of lanes m, which are borrowed until the next call.
	AddressesOf(op *program.Mem, m uint32) (*vec.Row64, *vec.Span)
	// Access checks an access and tells observers. It returns the pointer that the addresses are added to, and
	// false after a fault. data is what is written, nil where that is in the registers of op.
	Access(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async) (unsafe.Pointer, bool)
	// TakesRead is Access for a read of shared memory from lo to end by all lanes with a known shape, of which observers need hear
	// no more. It returns nil where Access must be asked.
	TakesRead(op *program.Mem, lo, end uint64, s *vec.Span, at uint64) unsafe.Pointer
	// ShapeOf finds the shape of an access to shared memory by all lanes, nil where it is not looked for.
	ShapeOf(op *program.Mem, addr *vec.Row64, s *vec.Span) *trace.Shape
	// Following reports whether undefined values are followed.
	Following() bool
	// WrongSpace and AccessFault end the block by a fault of an access.
	WrongSpace(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, want string) bool
	AccessFault(kind trace.FaultKind, cause trace.Cause, op *program.Mem, sp trace.Space, l int, m uint32, addr uint64) *trace.Fault
}

// Unit executes the instructions on matrices of a block's warps, one at a time. The zero value is ready.
type Unit struct {
	// warp is the one whose instruction is at work, regs its registers, did its counts and taint its undefined values.
	warp  Warp
	regs  *vec.Registers
	did   *vec.Activity
	taint *taint.Tracker
	// scratch is made for the first instruction.
	scratch *scratch
	// start and pitch are where each lane's rows begin and how far apart they are.
	start, pitch, addr vec.Row64
	span               vec.Span
}

// scratch is what an instruction computes with.
type scratch struct {
	f32  matrices[float32]
	f64  matrices[float64]
	ints matrices[int32]
	rows [32]matrixRow
	data matrixData
	// plans are those of loads and stores of matrices, by site.
	plans []*fragmentPlan
}

func (u *Unit) made() *scratch {
	if u.scratch == nil {
		u.scratch = new(scratch)
	}
	return u.scratch
}

// The steps that are executed here.
type (
	mma        program.MMA
	matrixRows program.MatrixRows
	matrixMove program.MatrixMove
	fragment   program.Fragment
)

// For readies the unit for an instruction of a warp.
func (u *Unit) For(w Warp, regs *vec.Registers, did *vec.Activity, tr *taint.Tracker) *Unit {
	if u.regs != regs { // else it is ready: mostly a warp has the turn for a while
		u.warp, u.regs, u.did, u.taint = w, regs, did, tr
	}
	return u
}

// Exec executes a step for lanes m. It returns false after a fault.
func (u *Unit) Exec(s program.Step, m uint32) bool {
	switch s := s.(type) {
	case *program.MMA:
		return (*mma)(s).exec(u, m)
	case *program.MatrixRows:
		return (*matrixRows)(s).exec(u, m)
	case *program.MatrixMove:
		return (*matrixMove)(s).exec(u, m)
	case *program.Fragment:
		return (*fragment)(s).exec(u, m)
	}
	panic("matrix: a step of another package")
}

// Follow follows undefined values through a step before it is executed.
func (u *Unit) Follow(s program.Step, m uint32) {
	switch s := s.(type) {
	case *program.MMA:
		(*mma)(s).follow(u, m)
	case *program.MatrixRows:
		(*matrixRows)(s).follow(u, m)
	case *program.MatrixMove:
		(*matrixMove)(s).follow(u, m)
	case *program.Fragment:
		(*fragment)(s).follow(u, m)
	}
}

// together checks that all 32 threads of the warp execute an instruction.
func (u *Unit) together(site *trace.Site, m uint32) bool {
	return m == ^uint32(0) || u.warp.WholeWarp(site, m)
}
