package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// The steps that bring their operands with them, as the interpreter executes them.
type (
	wgmma          program.Wgmma
	wgmmaOrder     program.WgmmaOrder
	productCheck   program.ProductCheck
	registerChange program.RegisterChange
	localFlight    program.LocalFlight
	localChange    program.LocalChange
	setRegisters   program.SetRegisters
)

// step executes a step for lanes m. It returns false after a fault.
func (w *Warp) step(s program.Step, m uint32) bool {
	switch s := s.(type) {
	case *program.MMA, *program.MatrixRows, *program.MatrixMove, *program.Fragment:
		return w.matrix().Exec(s, m)
	case *program.CopyAsync, *program.CopyGroup, *program.MBarrier, *program.Bulk, *program.BulkGroup, *program.Fill,
		*program.MapFence, *program.MapField, *program.MapCopy, *program.LaunchCancel, *program.FirstBlock:
		return w.async.Exec(s, m)
	case *program.Wgmma:
		return (*wgmma)(s).exec(w, m)
	case *program.WgmmaOrder:
		return (*wgmmaOrder)(s).exec(w, m)
	case *program.RegisterChange:
		return (*registerChange)(s).exec(w, m)
	case *program.ProductCheck:
		return (*productCheck)(s).exec(w, m)
	case *program.LocalFlight:
		return (*localFlight)(s).exec(w, m)
	case *program.LocalChange:
		return (*localChange)(s).exec(w, m)
	case *program.ScopeMark:
		return (*scopeMark)(s).exec(w, m)
	case *program.SetRegisters:
		return (*setRegisters)(s).exec(w, m)
	case *program.TensorManage:
		return (*tensorManage)(s).exec(w, m)
	case *program.TensorMove:
		return (*tensorMove)(s).exec(w, m)
	case *program.TensorWait:
		return (*tensorWait)(s).exec(w, m)
	case *program.TensorCopy:
		return (*tensorCopy)(s).exec(w, m)
	case *program.TensorShift:
		return (*tensorShift)(s).exec(w, m)
	case *program.TensorProduct:
		return (*tensorProduct)(s).exec(w, m)
	case *program.TensorCommit:
		return (*tensorCommit)(s).exec(w, m)
	case *program.Tex:
		return w.Env.textures.Exec(w, &w.Registers, &w.Activity, s, m)
	}
	panic("warp: a step of unknown type")
}

// FollowStep follows undefined values through a step before it is executed. It returns
// false for one of which each operand matters.
func (w *Warp) FollowStep(s program.Step, m uint32) bool {
	switch s := s.(type) {
	case *program.MMA, *program.MatrixRows, *program.MatrixMove, *program.Fragment:
		w.matrix().Follow(s, m)
	case *program.CopyAsync, *program.FirstBlock, *program.Bulk:
		w.async.Follow(s, m)
	case *program.Wgmma:
		(*wgmma)(s).follow(w, m)
	case *program.TensorMove: // values are followed into and out of tensor memory
		w.taint.UseRegister(trace.FormsAddress, s.Site, s.Addr.Slot, alu.W32, false, m)
	default:
		return false
	}
	return true
}

func (w *Warp) matrix() *matrix.Unit {
	return w.Env.matrix.For(w, &w.Registers, &w.Activity, &w.taint)
}
