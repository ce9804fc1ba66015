package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// defect reports a misused warp-level operation.
func (w *Warp) defect(k trace.DefectKind, s *program.Sync, m, others, named, came uint32) {
	if f := w.Env.On.Defect; f != nil {
		f(&trace.Defect{Kind: k, Site: s.Site, Warp: w.Index, Mask: m, Others: others, Named: named, Came: came, Exist: w.Exist, Callers: w.callers(m)})
	}
}

// checkMask reports lanes m of an operation that their member mask leaves out.
func (w *Warp) checkMask(s *program.Sync, m, want uint32) {
	if out := m &^ want; out != 0 && w.Env.On.Defect != nil && s.Kind != program.Converge {
		w.defect(trace.DefectExcluded, s, out, 0, want, m)
	}
}

// owes returns the lanes of a mask that have not reached an operation and could
// still. Those that go straight to the kernel's end count as ended: the
// member mask may name them.
func (w *Warp) owes(want, came uint32) uint32 {
	if rest := want & w.Live &^ came; rest != 0 && w.Env.On.Defect != nil {
		return rest &^ w.ending()
	}
	return 0
}

// checkOwed reports lanes that ended while others waited for them, and
// returns them. An instruction of whole warps says so itself.
func (w *Warp) checkOwed(s *program.Sync, want, came, owed uint32) uint32 {
	never := owed &^ came &^ w.Live
	if never != 0 && s.Kind != program.Converge {
		w.defect(trace.DefectNeverCame, s, came, never, want, came)
	}
	return never
}

// ending returns the lanes with nothing left to do but to exit.
func (w *Warp) ending() (m uint32) {
	for i := range w.groups {
		g := &w.groups[i]
		if g.state == groupFree {
			continue
		}
		if g.state == groupReady && g.frame < 0 && w.endsAt(g.pc) {
			m |= g.mask
		}
		for k := g.join; k >= 0; k = w.joins[k].parent {
			if j := &w.joins[k]; j.frame < 0 && j.rpc >= 0 && w.endsAt(j.rpc) {
				m |= j.arrived
			}
		}
	}
	return m
}

// endsAt reports whether the kernel only ends from a step on.
func (w *Warp) endsAt(pc int32) bool {
	for range 8 {
		in := &w.Prog.Code[pc]
		switch in.Op {
		case program.OpEnter, program.OpNop:
			pc++
		case program.OpJump:
			pc = w.Prog.Branches[in.X].Target
		case program.OpExit, program.OpReturn:
			return in.Guard == program.NoSlot
		default:
			return false
		}
	}
	return false
}
