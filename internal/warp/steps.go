package warp

import (
	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// step executes a step for lanes m. It returns false after a fault.
func (w *Warp) step(s program.Step, m uint32) bool {
	switch s := s.(type) {
	case *program.MMA, *program.MatrixRows, *program.MatrixMove, *program.Fragment:
		return w.matrix().Exec(s, m)
	case *program.CopyAsync, *program.CopyGroup, *program.MBarrier, *program.Bulk, *program.BulkGroup, *program.Fill,
		*program.MapFence, *program.MapField, *program.MapCopy, *program.LaunchCancel, *program.FirstBlock:
		return w.async.Exec(s, m)
	case *program.Wgmma, *program.WgmmaOrder, *program.RegisterChange, *program.ProductCheck, *program.LocalFlight, *program.LocalChange,
		*program.SetRegisters, *program.TensorManage, *program.TensorMove, *program.TensorWait, *program.TensorCopy,
		*program.TensorShift, *program.TensorProduct, *program.TensorCommit:
		return w.tensor.Exec(s, m)
	case *program.ScopeMark:
		return (*scopeMark)(s).exec(w, m)
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
	case *program.Wgmma, *program.TensorMove:
		w.tensor.Follow(s, m)
	default:
		return false
	}
	return true
}

func (w *Warp) matrix() *matrix.Unit {
	return w.Env.matrix.For(w, &w.Registers, &w.Activity, &w.taint)
}
