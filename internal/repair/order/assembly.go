package order

import (
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// rewording makes patches of an instruction in inline assembly.
type rewording func(a *code.Assembly, in *ptx.Inline) []*code.Patch

// strengthening gives instructions of some kinds a stronger order, or a wider scope.
func strengthening(role isa.Role, kinds ...inst.Kind) rewording {
	return func(a *code.Assembly, in *ptx.Inline) (out []*code.Patch) {
		if kinds != nil && !slices.Contains(kinds, in.Kind()) {
			return nil
		}
		at, words := isa.Stronger(in.Opcode, role)
		for _, w := range words {
			if w != "sc" || role != isa.Order {
				out = append(out, a.Reword(in, in.Words[at], w))
			}
		}
		return out
	}
}

// The arrivals and waits of barriers in two parts, accesses, and what has a scope.
var (
	ArrivesRelaxed = strengthening(isa.Order, inst.MBarrierArrive, inst.ClusterArrive)
	WaitsRelaxed   = strengthening(isa.Order, inst.MBarrierTest)
	Ordered        = strengthening(isa.Order, inst.Load, inst.Store, inst.Atomic)
	Scoped         = strengthening(isa.Scope)
)

// countedLanes rounds the number of threads of a barrier up to whole warps.
func countedLanes(a *code.Assembly, in *ptx.Inline) []*code.Patch {
	const warp = 32
	at, ok := in.Threads()
	if !ok {
		return nil
	}
	if n, ok := a.Number(in.Args[at]); ok && n > 0 && n%warp != 0 {
		return []*code.Patch{a.Reword(in, in.Args[at], strconv.Itoa((n+warp-1)/warp*warp))}
	}
	if n := a.Operand(in.Args[at]); n != nil && a.S.Text(n) != "" {
		return []*code.Patch{code.Rewrite(a.S, n, "(("+a.S.Text(n)+") + 31) / 32 * 32")}
	}
	return nil
}

// ReuseBarriers takes a barrier that a block has instead of one that it has not: its number modulo 16.
func ReuseBarriers(a *code.Assembly, in *ptx.Inline) []*code.Patch {
	const barriers = 16
	at, ok := in.BarrierID()
	if !ok {
		return nil
	}
	if n, ok := a.Number(in.Args[at]); ok && n >= barriers {
		return []*code.Patch{a.Reword(in, in.Args[at], strconv.Itoa(n%barriers))}
	}
	if n := a.Operand(in.Args[at]); n != nil && a.S.Text(n) != "" {
		return []*code.Patch{code.Rewrite(a.S, n, "("+a.S.Text(n)+") % 16")}
	}
	return nil
}

// countedNone lets a barrier be for all threads of the block.
func countedNone(a *code.Assembly, in *ptx.Inline) []*code.Patch {
	at, ok := in.Threads()
	if !ok || in.Kind() != inst.Barrier {
		return nil
	}
	if id, ok := in.BarrierID(); ok {
		if _, fixed := a.Number(in.Args[id]); !fixed && isOperandVariable(a, in.Args[id]) {
			return nil // threads of one statement come to several barriers, so none is for all
		}
	}
	return []*code.Patch{a.Reword(in, ptx.Span{From: in.Args[at-1].To, To: in.Args[at].To}, "")}
}

// isOperandVariable reports whether an argument is an operand and not a constant.
func isOperandVariable(a *code.Assembly, arg ptx.Span) bool {
	n := a.Operand(arg)
	return n != nil && !code.IsConstant(n)
}

// otherPhase waits for the other of the two phases that a parity names.
func otherPhase(a *code.Assembly, in *ptx.Inline) []*code.Patch {
	at, ok := in.Parity()
	if !ok {
		return nil
	}
	if n, ok := a.Number(in.Args[at]); ok {
		return []*code.Patch{a.Reword(in, in.Args[at], strconv.Itoa(n&1^1))}
	}
	if n := a.Operand(in.Args[at]); n != nil && a.S.Text(n) != "" {
		return []*code.Patch{code.Rewrite(a.S, n, "("+a.S.Text(n)+") ^ 1")}
	}
	return nil
}

// Reword changes the instructions in the inline assembly of the functions of a finding: all of them, each in the first of its ways or
// in the last, and one by one.
func Reword(p *code.Program, f *finding.Finding, how ...rewording) []*code.Patch {
	return rewordedIn(WithCalled(p, code.FunctionsOf(p, f)), how...)
}

// rewordedIn does so in some functions.
func rewordedIn(fns []*code.Function, how ...rewording) []*code.Patch {
	var weakest, strongest, each []*code.Patch
	for _, fn := range fns {
		for _, a := range code.AssembliesIn(fn.Body) {
			for i := range a.Instructions {
				for _, h := range how {
					made := h(a, &a.Instructions[i])
					if len(made) > 0 {
						weakest, strongest = append(weakest, made[0]), append(strongest, made[len(made)-1])
					}
					each = append(each, made...)
				}
			}
		}
	}
	var out []*code.Patch
	for _, all := range [][]*code.Patch{code.Distinct(weakest), code.Distinct(strongest)} {
		if len(all) > 1 {
			out = append(out, code.Join(all...))
		}
	}
	return code.Distinct(append(out, each...))
}

// WithCalled are functions and those of the project that they call, directly or not.
func WithCalled(p *code.Program, fns []*code.Function) []*code.Function {
	out := slices.Clone(fns)
	for i := 0; i < len(out); i++ {
		for _, fn := range p.Functions {
			if code.OnGPU(fn) && !slices.Contains(out, fn) && len(code.Calling(out[i].Body.Node, func(name string) bool { return name == fn.Node.Name })) > 0 {
				out = append(out, fn)
			}
		}
	}
	return out
}

// CountArrivals lets a phase of an mbarrier end with the arrivals that it is for: each releases, the wait is for that phase, and
// the mbarrier counts one arrival more.
func CountArrivals(p *code.Program, f *finding.Finding) []*code.Patch {
	out := append(Reword(p, f, ArrivesRelaxed, WaitsRelaxed), arrivedLater(p, f)...)
	for _, fn := range code.FunctionsOf(p, f) {
		for _, a := range code.AssembliesIn(fn.Body) {
			for i := range a.Instructions {
				out = append(out, otherPhase(a, &a.Instructions[i])...)
			}
		}
		fn.Each(func(s *code.Statement) {
			for _, call := range code.Calling(s.Node, func(name string) bool { return name == "mbarrier_init" }) {
				if count := s.Text(call.Child(2)); count != "" {
					out = append(out, code.Rewrite(s, call.Child(2), code.Summand(count)+" + 1"))
				}
			}
		})
	}
	return code.Distinct(out)
}

// CountBarriers gives barriers in inline assembly a number of threads that a block can have: whole warps, or all threads.
func CountBarriers(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(Reword(p, f, countedLanes), Reword(p, f, countedNone)...)
}

// CountThreads gives the numbered barriers of a repair the numbers of threads that it names, in all places together: with one of
// them alone, threads wait for others that the count leaves out.
func CountThreads(p *code.Program, f *finding.Finding) []*code.Patch {
	all := Reword(p, f, func(a *code.Assembly, in *ptx.Inline) []*code.Patch {
		id, ok := in.BarrierID()
		at, counts := in.Threads()
		if !ok || !counts {
			return nil
		}
		n, ok := a.Number(in.Args[id])
		i := slices.IndexFunc(f.Repair.Counts, func(c finding.BarrierCount) bool { return ok && c.ID == n })
		if i < 0 {
			return nil
		}
		return []*code.Patch{a.Reword(in, in.Args[at], strconv.Itoa(f.Repair.Counts[i].Threads))}
	})
	return all[:min(1, len(all))]
}
