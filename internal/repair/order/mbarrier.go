package order

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// InitMbarriers initializes the mbarriers that can be named where one is used that is none: by the block's first thread, for one arrival
// or for one of each thread, before all others come there.
func InitMbarriers(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s := p.At(at)
		if s == nil {
			continue
		}
		for _, v := range fn.Visible(s) {
			if !v.Has("CUDASharedAttr") || v.Desugared != "unsigned long" && v.Desugared != "unsigned long long" {
				continue
			}
			d, declared := fn.Body.Declaration(v.Name)
			if declared == nil || declared.ID != v.ID {
				continue
			}
			for _, count := range []string{"1", "blockDim.x"} {
				c := code.Calls{Text: fmt.Sprintf(`if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%%0], %%1;" ::"r"((unsigned)__cvta_generic_to_shared(&%s)), "r"(%s) : "memory");`, v.Name, count) +
					"\n" + finding.Syncthreads + ";"}
				c.Behind(d)
				out = append(out, c.Patches...)
			}
		}
	}
	return code.Distinct(out)
}

// AddTensorFences puts a fence of tensor memory before what hands it to other threads, and one behind what these wait by: each, all, and
// then wherever one can come between the accesses.
func AddTensorFences(p *code.Program, f *finding.Finding) []*code.Patch {
	var each []*code.Patch
	for _, fn := range code.FunctionsOf(p, f) {
		fn.Each(func(s *code.Statement) {
			before, after := code.Calls{Text: fenceBefore + ";"}, code.Calls{Text: fenceAfter + ";"}
			if synchronizes(p, s, inst.MBarrierArrive, inst.ClusterArrive, inst.Atomic, inst.Store) {
				before.Before(s)
			}
			if synchronizes(p, s, inst.MBarrierTest, inst.ClusterWait, inst.Load) {
				after.Behind(s)
			}
			each = append(append(each, before.Patches...), after.Patches...)
		})
	}
	each = putBetweenFirst(p, f, code.Distinct(each))
	out := slices.Clone(each)
	if len(each) > 1 {
		out = append(out, code.Join(each...))
	}
	return append(out, CallAround(p, f)...)
}

// putBetweenFirst puts patches first that stand in the kernel's text between the two accesses of a finding, and of those the ones at an arrival at
// an mbarrier or a wait for one.
func putBetweenFirst(p *code.Program, f *finding.Finding, patches []*code.Patch) []*code.Patch {
	if len(f.Related) == 0 {
		return patches
	}
	fn, a := p.At(called(f.Related[0]))
	_, z := p.At(called(f.Primary))
	if a == nil || z == nil || a.File != z.File || a.From >= z.From {
		return patches
	}
	rank := func(patch *code.Patch) int {
		e := patch.Inline[0]
		if e.File != a.File.Name || e.From < a.To || e.From > z.From {
			return 2
		}
		for _, at := range []int{syntax.SkipBlank(a.File.Text, e.From), e.From - 1} { // the statement behind it, or before
			if s := fn.Body.Innermost(at); len(s.Inner) == 0 && synchronizes(p, s, inst.MBarrierArrive, inst.MBarrierTest) {
				return 0
			}
		}
		return 1
	}
	patches = slices.Clone(patches)
	slices.SortStableFunc(patches, func(x, y *code.Patch) int { return rank(x) - rank(y) })
	return patches
}

// synchronizes reports whether inline assembly in a statement, or in a function that it calls, has an instruction of some kinds.
func synchronizes(p *code.Program, s *code.Statement, kinds ...inst.Kind) bool {
	fns := []*code.Function{{File: s.File, Node: s.Node, Body: s}}
	for _, fn := range WithCalled(p, fns) {
		for _, a := range code.AssembliesIn(fn.Body) {
			if slices.ContainsFunc(a.Instructions, func(in ptx.Inline) bool { return slices.Contains(kinds, in.Kind()) }) {
				return true
			}
		}
	}
	return false
}

// mostLater is behind how many of the statements that follow an arrival is tried.
const mostLater = 4

// arrivedLater lets threads arrive at an mbarrier after statements that follow the arrival: those that use what it is for.
func arrivedLater(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, fn := range code.FunctionsOf(p, f) {
		fn.Each(func(s *code.Statement) {
			if !synchronizes(p, s, inst.MBarrierArrive) && len(code.Calling(s.Node, func(name string) bool { return name == "mbarrier_arrive" })) == 0 {
				return
			}
			whole := conditionalAround(s)
			if !whole.Outer.IsList() || whole.Node.Kind == "DeclStmt" || whole.Node.Begin.Macro {
				return
			}
			text := string(s.File.Text[whole.From:whole.To])
			take := s.File.Replace(whole.From, whole.To, "")
			n := 0
			for _, to := range whole.Outer.Inner {
				if to.From < whole.To || code.Leaves(to) {
					continue
				}
				firsts := []string{"", finding.Syncwarp + ";\n"}
				if whole != s { // which one thread does for all lanes
					slices.Reverse(firsts)
				}
				for _, first := range firsts {
					c := code.Calls{Text: first + text, Edits: []code.Edit{whole.Lines(take)}, Inline: []code.Edit{take}}
					c.Behind(to)
					for _, patch := range c.Patches {
						patch.Call, patch.What = "", fmt.Sprintf("move the arrival of line %d behind line %d", s.File.Line(whole.From), s.File.Line(to.To-1))
						if first != "" {
							patch.What += ", after " + finding.Syncwarp
						}
					}
					out = append(out, c.Patches...)
				}
				if n++; n == mostLater {
					break
				}
			}
		})
	}
	return code.Distinct(out)
}

// SetRegisters initializes the variables that a statement's inline assembly, or a function that it calls, reads.
func SetRegisters(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s := p.At(at)
		if s == nil || s.IsList() {
			continue
		}
		var visit func(n *syntax.Node)
		visit = func(n *syntax.Node) {
			if n == nil {
				return
			}
			if n.Ref != nil && n.Ref.Kind == "VarDecl" {
				if d, v := fn.Body.Declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID && !v.Has("CUDASharedAttr") {
					out = append(out, code.Initializer(d, v)...)
				}
			}
			for _, c := range n.Inner {
				visit(c)
			}
		}
		visit(s.Node)
	}
	return code.Distinct(out)
}

// LaunchWholeWarpgroups launches a kernel with blocks of whole warpgroups, or takes what all warps of one have to execute out of a branch.
func LaunchWholeWarpgroups(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, fn := range p.Functions {
		for _, l := range code.LaunchesIn(fn, f.KernelName) {
			for _, config := range code.Configurations(l.Node) {
				block := code.UncastConstructor(config.Child(2))
				const group = 128
				text := l.Argument(block)
				if n, err := strconv.Atoi(text); err == nil && n%group == 0 || text == "" || !code.Whole[block.Desugared] {
					continue
				}
				out = append(out, code.Rewrite(l, block, "("+code.Factor(text)+" + 127) / 128 * 128"))
			}
		}
	}
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		out = append(out, movedOut(p, at, "operation")...)
	}
	return code.Distinct(out)
}
