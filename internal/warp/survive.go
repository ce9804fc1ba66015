package warp

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Lanes whose access to memory is invalid may continue, so that one of them does not
// hide what else is wrong in the launch: they read zeros and write nothing. The other
// lanes of the instruction are not affected. CUDA ends the kernel there, so the program
// sees the error in either case.

// maxSurvived bounds the faults that a block keeps.
const maxSurvived = 64

// survival is what a block keeps of invalid accesses after which it continued.
type survival struct {
	// faults has one for each instruction and kind, in the order in which they came.
	faults []*trace.Fault
	// bad are the lanes of the access at work that may not make it.
	bad uint32
	// follows is set if this is not a defect of its own: the lanes were refused the same
	// addresses before, as in a[i] += 1, or the address is one of the zeros they read.
	follows bool
	// refusals counts the instructions of warps that were refused lanes.
	refusals uint64
}

// maxRefusals bounds the instructions with invalid accesses after which a block of a small
// grid continues, leastRefusals those of a block of a large one: each costs about a
// microsecond, and a loop whose bound is garbage makes billions.
const (
	maxRefusals   = 1 << 20
	leastRefusals = 1 << 11
)

// refusalLimit is how many instructions with invalid accesses a block of a launch may
// execute. It depends on nothing but the launch, so that reports do not depend on the
// number of workers.
func refusalLimit(l *trace.Launch) uint64 {
	return max(maxRefusals/max(l.Grid.Size(), 1), leastRefusals)
}

// StopSurvivor ends a block that continued after invalid accesses: the first of them is what
// stopped it. It reports whether there was one.
func (e *Env) StopSurvivor() bool {
	if len(e.survival.faults) == 0 {
		return false
	}
	e.Fault = e.survival.faults[0]
	for _, f := range e.survival.faults { // instructions of one line, as of an unrolled loop, are one finding
		if f.Site.Loc.Pos == e.Fault.Site.Loc.Pos {
			f.Stopped = 1
		}
	}
	return true
}

// Survived are the faults after which the block continued, one for each instruction and
// kind, in the order in which they came.
func (e *Env) Survived() []*trace.Fault { return e.survival.faults }

// ForgetSurvived readies it for the next block.
func (e *Env) ForgetSurvived() { e.survival = survival{} }

// refused notes which lanes of an access are invalid. It returns true where their fault
// was described before: then it is counted, and nothing else is to be done.
func (w *Warp) refused(kind trace.FaultKind, op *program.Mem, bad uint32, addr *vec.Row64) bool {
	x := &w.Env.survival
	x.bad, x.follows = bad, false
	if !w.Env.GoOn {
		return false
	}
	again := bad&^w.refusedLanes == 0
	for b := bad; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		again = again && w.refusedAt[l] == addr[l]
		w.refusedAt[l] = addr[l]
	}
	w.refusedLanes |= bad
	for _, f := range x.faults {
		if f.Site == op.Site && f.Kind == kind {
			f.Times += uint64(vec.Popcount(bad))
			w.Env.Fault = f
			return true
		}
	}
	x.follows = again
	return false
}

// dropRefused drops the lanes of m that an access was refused for, after check returned
// false. It returns those that are left; ok is false where the fault ends the block.
func (w *Warp) dropRefused(op *program.Mem, m uint32) (rest uint32, ok bool) {
	e := w.Env
	x, f := &e.survival, e.Fault
	if !e.GoOn || f == nil || !survivable(f.Kind) {
		return 0, false
	}
	e.Fault = nil
	bad := x.bad
	if op.ScalarRegs {
		bad = m // all have the one address
	}
	if op.Site.Kind != trace.Write {
		w.zeroed |= bad
	}
	if f.Times == 0 && !x.follows && len(x.faults) < maxSurvived {
		f.Times = uint64(vec.Popcount(bad))
		x.faults = append(x.faults, f)
	}
	w.Progress++
	if x.refusals++; x.refusals > refusalLimit(e.Block.Launch) && e.StopSurvivor() {
		return 0, false
	}
	return m &^ bad, true
}

func survivable(k trace.FaultKind) bool {
	return k == trace.FaultOutOfBounds || k == trace.FaultMisaligned || k == trace.FaultReadOnly
}

// checkRest is check after it returned false: it drops lanes until the rest may make
// their access, which may be none.
func (w *Warp) checkRest(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span) (base unsafe.Pointer, rest uint32, ok bool) {
	for {
		w.uncount(op.Site, sp)
		if m, ok = w.dropRefused(op, m); !ok || m == 0 {
			return nil, 0, ok
		}
		s.Measure(addr, m)
		if base, ok = w.check(op, sp, m, addr, s); ok {
			return base, m, true
		}
	}
}

// uncount takes back what count did for an access that is not made.
func (w *Warp) uncount(site *trace.Site, sp trace.Space) {
	w.Env.Accesses--
	if site.Space == trace.SpaceGlobal && !site.Texture {
		w.Env.Global--
	}
	if sp != trace.SpaceLocal || !site.Kind.Writes() {
		w.ticks--
	}
}

// zero clears what lanes m would have read.
func (w *Warp) zero(op *program.Mem, m uint32) {
	if m == 0 || op.Site.Kind == trace.Write {
		return
	}
	for k := range max(op.Count, 1) {
		switch {
		case op.Regs[k] == program.NoSlot:
		case op.ScalarRegs:
			w.SetScalar(op.Regs[k], op.Width, op.Bcast[k], 0)
		default:
			for b := m; b != 0; b &= b - 1 {
				w.SetLane(op.Regs[k], op.Width, vec.Lowest(b), 0)
			}
		}
	}
}
