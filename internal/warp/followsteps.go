package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// follow looks at the sizes; the copy does the rest.
func (s *copyAsync) follow(w *Warp, m uint32) {
	for _, op := range []*program.Mem{&s.Dst, &s.Src} {
		w.taint.UseRegister(trace.FormsAddress, op.Site, op.Base, op.BaseWidth, op.Scalar, m)
	}
	w.taint.UseRegister(trace.FormsAddress, s.Src.Site, s.SrcSize, alu.W32, false, m)
	w.taint.UseRegister(trace.DecidesGuard, s.Src.Site, s.Ignore, alu.Pred, false, m)
}

// followBulk is for the operands of an operation: the values that st.async stores only move, red.async computes with them.
func (w *Warp) followBulk(s *program.Bulk, m uint32) {
	rest := *s
	rest.Values = nil
	w.taint.UseStep(&rest, m)
	if s.Op == "" {
		return
	}
	for _, slot := range s.Values {
		w.taint.UseRegister(trace.UpdatesMemory, s.Peer.Site, slot, s.Width, false, m)
	}
}
