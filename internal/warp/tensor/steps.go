package tensor

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Exec executes a step for lanes m. It returns false after a fault.
func (u *Unit) Exec(s program.Step, m uint32) bool {
	switch s := s.(type) {
	case *program.Wgmma:
		return (*wgmma)(s).exec(u, m)
	case *program.WgmmaOrder:
		return (*wgmmaOrder)(s).exec(u, m)
	case *program.RegisterChange:
		return (*registerChange)(s).exec(u, m)
	case *program.ProductCheck:
		return (*productCheck)(s).exec(u, m)
	case *program.LocalFlight:
		return (*localFlight)(s).exec(u, m)
	case *program.LocalChange:
		return (*localChange)(s).exec(u, m)
	case *program.SetRegisters:
		return (*setRegisters)(s).exec(u, m)
	case *program.TensorManage:
		return (*tensorManage)(s).exec(u, m)
	case *program.TensorMove:
		return (*tensorMove)(s).exec(u, m)
	case *program.TensorWait:
		return (*tensorWait)(s).exec(u, m)
	case *program.TensorCopy:
		return (*tensorCopy)(s).exec(u, m)
	case *program.TensorShift:
		return (*tensorShift)(s).exec(u, m)
	case *program.TensorProduct:
		return (*tensorProduct)(s).exec(u, m)
	case *program.TensorCommit:
		return (*tensorCommit)(s).exec(u, m)
	}
	panic("tensor: a step of another package")
}

// Follow follows undefined values through a step before it is executed.
func (u *Unit) Follow(s program.Step, m uint32) {
	switch s := s.(type) {
	case *program.Wgmma:
		(*wgmma)(s).follow(u, m)
	case *program.TensorMove: // values are followed into and out of tensor memory
		u.taint.UseRegister(trace.FormsAddress, s.Site, s.Addr.Slot, alu.W32, false, m)
	}
}
