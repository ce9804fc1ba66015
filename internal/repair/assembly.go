package repair

import (
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// rewording makes patches of an instruction in inline assembly.
type rewording func(a *assembly, in *ptx.Inline) []*Patch

// strengthening gives instructions of some kinds a stronger order, or a wider scope.
func strengthening(role isa.Role, kinds ...inst.Kind) rewording {
	return func(a *assembly, in *ptx.Inline) (out []*Patch) {
		if kinds != nil && !slices.Contains(kinds, in.Kind()) {
			return nil
		}
		at, words := isa.Stronger(in.Opcode, role)
		for _, w := range words {
			if w != "sc" || role != isa.Order {
				out = append(out, a.reworded(in, in.Words[at], w))
			}
		}
		return out
	}
}

// The arrivals and waits of barriers in two parts, accesses, and what has a scope.
var (
	arrivesRelaxed = strengthening(isa.Order, inst.MBarrierArrive, inst.ClusterArrive)
	waitsRelaxed   = strengthening(isa.Order, inst.MBarrierTest)
	ordered        = strengthening(isa.Order, inst.Load, inst.Store, inst.Atomic)
	scoped         = strengthening(isa.Scope)
)

// countedLanes rounds the number of threads of a barrier up to whole warps.
func countedLanes(a *assembly, in *ptx.Inline) []*Patch {
	const warp = 32
	at, ok := in.Threads()
	if !ok {
		return nil
	}
	if n, ok := a.number(in.Args[at]); ok && n > 0 && n%warp != 0 {
		return []*Patch{a.reworded(in, in.Args[at], strconv.Itoa((n+warp-1)/warp*warp))}
	}
	if n := a.operand(in.Args[at]); n != nil && a.s.text(n) != "" {
		return []*Patch{rewrite(a.s, n, "(("+a.s.text(n)+") + 31) / 32 * 32")}
	}
	return nil
}

// barriersReused takes a barrier that a block has instead of one that it has not: its number modulo 16.
func barriersReused(a *assembly, in *ptx.Inline) []*Patch {
	const barriers = 16
	at, ok := in.BarrierID()
	if !ok {
		return nil
	}
	if n, ok := a.number(in.Args[at]); ok && n >= barriers {
		return []*Patch{a.reworded(in, in.Args[at], strconv.Itoa(n%barriers))}
	}
	if n := a.operand(in.Args[at]); n != nil && a.s.text(n) != "" {
		return []*Patch{rewrite(a.s, n, "("+a.s.text(n)+") % 16")}
	}
	return nil
}

// countedNone lets a barrier be for all threads of the block.
func countedNone(a *assembly, in *ptx.Inline) []*Patch {
	at, ok := in.Threads()
	if !ok || in.Kind() != inst.Barrier {
		return nil
	}
	if id, ok := in.BarrierID(); ok {
		if _, fixed := a.number(in.Args[id]); !fixed && a.varies(in.Args[id]) {
			return nil // threads of one statement come to several barriers, so none is for all
		}
	}
	return []*Patch{a.reworded(in, ptx.Span{From: in.Args[at-1].To, To: in.Args[at].To}, "")}
}

// varies reports whether an argument is an operand and not a constant.
func (a *assembly) varies(arg ptx.Span) bool {
	n := a.operand(arg)
	return n != nil && !isConstant(n)
}

// otherPhase waits for the other of the two phases that a parity names.
func otherPhase(a *assembly, in *ptx.Inline) []*Patch {
	at, ok := in.Parity()
	if !ok {
		return nil
	}
	if n, ok := a.number(in.Args[at]); ok {
		return []*Patch{a.reworded(in, in.Args[at], strconv.Itoa(n&1^1))}
	}
	if n := a.operand(in.Args[at]); n != nil && a.s.text(n) != "" {
		return []*Patch{rewrite(a.s, n, "("+a.s.text(n)+") ^ 1")}
	}
	return nil
}

// reworded changes the instructions in the inline assembly of the functions of a finding: all of them, each in the first of its ways or
// in the last, and one by one.
func reworded(p *Program, f *finding.Finding, how ...rewording) []*Patch {
	return rewordedIn(withCalled(p, p.functionsOf(f)), how...)
}

// rewordedIn does so in some functions.
func rewordedIn(fns []*function, how ...rewording) []*Patch {
	var weakest, strongest, each []*Patch
	for _, fn := range fns {
		for _, a := range assembliesIn(fn.body) {
			for i := range a.instructions {
				for _, h := range how {
					made := h(a, &a.instructions[i])
					if len(made) > 0 {
						weakest, strongest = append(weakest, made[0]), append(strongest, made[len(made)-1])
					}
					each = append(each, made...)
				}
			}
		}
	}
	var out []*Patch
	for _, all := range [][]*Patch{distinct(weakest), distinct(strongest)} {
		if len(all) > 1 {
			out = append(out, Join(all...))
		}
	}
	return distinct(append(out, each...))
}

// withCalled are functions and those of the project that they call, directly or not.
func withCalled(p *Program, fns []*function) []*function {
	out := slices.Clone(fns)
	for i := 0; i < len(out); i++ {
		for _, fn := range p.functions {
			if onGPU(fn) && !slices.Contains(out, fn) && len(calling(out[i].body.node, func(name string) bool { return name == fn.node.Name })) > 0 {
				out = append(out, fn)
			}
		}
	}
	return out
}

// arrivalsCounted lets a phase of an mbarrier end with the arrivals that it is for: each releases, the wait is for that phase, and
// the mbarrier counts one arrival more.
func arrivalsCounted(p *Program, f *finding.Finding) []*Patch {
	out := append(reworded(p, f, arrivesRelaxed, waitsRelaxed), arrivedLater(p, f)...)
	for _, fn := range p.functionsOf(f) {
		for _, a := range assembliesIn(fn.body) {
			for i := range a.instructions {
				out = append(out, otherPhase(a, &a.instructions[i])...)
			}
		}
		fn.each(func(s *statement) {
			for _, call := range calling(s.node, func(name string) bool { return name == "mbarrier_init" }) {
				if count := s.text(call.Child(2)); count != "" {
					out = append(out, rewrite(s, call.Child(2), count+" + 1"))
				}
			}
		})
	}
	return distinct(out)
}

// barriersCounted gives barriers in inline assembly a number of threads that a block can have: whole warps, or all threads.
func barriersCounted(p *Program, f *finding.Finding) []*Patch {
	return append(reworded(p, f, countedLanes), reworded(p, f, countedNone)...)
}

// threadsCounted gives the numbered barriers of a repair the numbers of threads that it names, in all places together: with one of
// them alone, threads wait for others that the count leaves out.
func threadsCounted(p *Program, f *finding.Finding) []*Patch {
	all := reworded(p, f, func(a *assembly, in *ptx.Inline) []*Patch {
		id, ok := in.BarrierID()
		at, counts := in.Threads()
		if !ok || !counts {
			return nil
		}
		n, ok := a.number(in.Args[id])
		i := slices.IndexFunc(f.Repair.Counts, func(c finding.BarrierCount) bool { return ok && c.ID == n })
		if i < 0 {
			return nil
		}
		return []*Patch{a.reworded(in, in.Args[at], strconv.Itoa(f.Repair.Counts[i].Threads))}
	})
	return all[:min(1, len(all))]
}
