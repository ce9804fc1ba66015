package async

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// follow looks at the sizes; the copy does the rest.
func (s *copyAsync) follow(u *Unit, m uint32) {
	for _, op := range []*program.Mem{&s.Dst, &s.Src} {
		u.taint.UseRegister(trace.FormsAddress, op.Site, op.Base, op.BaseWidth, op.Scalar, m)
	}
	u.taint.UseRegister(trace.FormsAddress, s.Src.Site, s.SrcSize, alu.W32, false, m)
	u.taint.UseRegister(trace.DecidesGuard, s.Src.Site, s.Ignore, alu.Pred, false, m)
}

// followBulk is for the operands of an operation: the values that st.async stores only move, red.async computes with them.
func (u *Unit) followBulk(s *program.Bulk, m uint32) {
	rest := *s
	rest.Values = nil
	u.taint.UseStep(&rest, m)
	if s.Op == "" {
		return
	}
	for _, slot := range s.Values {
		u.taint.UseRegister(trace.UpdatesMemory, s.Peer.Site, slot, s.Width, false, m)
	}
}
