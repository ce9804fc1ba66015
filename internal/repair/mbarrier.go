package repair

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

// mbarriersMade initializes the mbarriers that can be named where one is used that is none: by the block's first thread, for one arrival
// or for one of each thread, before all others come there.
func mbarriersMade(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s := p.at(at)
		if s == nil {
			continue
		}
		for _, v := range fn.visible(s) {
			if !v.Has("CUDASharedAttr") || v.Desugared != "unsigned long" && v.Desugared != "unsigned long long" {
				continue
			}
			d, declared := fn.body.declaration(v.Name)
			if declared == nil || declared.ID != v.ID {
				continue
			}
			for _, count := range []string{"1", "blockDim.x"} {
				c := calls{text: fmt.Sprintf(`if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%%0], %%1;" ::"r"((unsigned)__cvta_generic_to_shared(&%s)), "r"(%s) : "memory");`, v.Name, count) +
					"\n" + finding.Syncthreads + ";"}
				c.behind(d)
				out = append(out, c.patches...)
			}
		}
	}
	return distinct(out)
}

// tensorFences put a fence of tensor memory before what hands it to other threads, and one behind what these wait by: each, all, and
// then wherever one can come between the accesses.
func tensorFences(p *Program, f *finding.Finding) []*Patch {
	var each []*Patch
	for _, fn := range p.functionsOf(f) {
		fn.each(func(s *statement) {
			before, after := calls{text: fenceBefore + ";"}, calls{text: fenceAfter + ";"}
			if synchronizes(p, s, inst.MBarrierArrive, inst.ClusterArrive, inst.Atomic, inst.Store) {
				before.before(s)
			}
			if synchronizes(p, s, inst.MBarrierTest, inst.ClusterWait, inst.Load) {
				after.behind(s)
			}
			each = append(append(each, before.patches...), after.patches...)
		})
	}
	each = p.inOrder(f, distinct(each))
	out := slices.Clone(each)
	if len(each) > 1 {
		out = append(out, Join(each...))
	}
	return append(out, p.around(f)...)
}

// inOrder puts patches first that stand in the kernel's text between the two accesses of a finding, and of those the ones at an arrival at
// an mbarrier or a wait for one.
func (p *Program) inOrder(f *finding.Finding, patches []*Patch) []*Patch {
	if len(f.Related) == 0 {
		return patches
	}
	fn, a := p.at(called(f.Related[0]))
	_, z := p.at(called(f.Primary))
	if a == nil || z == nil || a.file != z.file || a.from >= z.from {
		return patches
	}
	rank := func(patch *Patch) int {
		e := patch.Inline[0]
		if e.File != a.file.Name || e.From < a.to || e.From > z.from {
			return 2
		}
		for _, at := range []int{syntax.SkipBlank(a.file.Text, e.From), e.From - 1} { // the statement behind it, or before
			if s := fn.body.innermost(at); len(s.inner) == 0 && synchronizes(p, s, inst.MBarrierArrive, inst.MBarrierTest) {
				return 0
			}
		}
		return 1
	}
	patches = slices.Clone(patches)
	slices.SortStableFunc(patches, func(x, y *Patch) int { return rank(x) - rank(y) })
	return patches
}

// synchronizes reports whether inline assembly in a statement, or in a function that it calls, has an instruction of some kinds.
func synchronizes(p *Program, s *statement, kinds ...inst.Kind) bool {
	fns := []*function{{file: s.file, node: s.node, body: s}}
	for _, fn := range withCalled(p, fns) {
		for _, a := range assembliesIn(fn.body) {
			if slices.ContainsFunc(a.instructions, func(in ptx.Inline) bool { return slices.Contains(kinds, in.Kind()) }) {
				return true
			}
		}
	}
	return false
}

// mostLater is behind how many of the statements that follow an arrival is tried.
const mostLater = 4

// arrivedLater lets threads arrive at an mbarrier after statements that follow the arrival: those that use what it is for.
func arrivedLater(p *Program, f *finding.Finding) (out []*Patch) {
	for _, fn := range p.functionsOf(f) {
		fn.each(func(s *statement) {
			if !synchronizes(p, s, inst.MBarrierArrive) && len(calling(s.node, func(name string) bool { return name == "mbarrier_arrive" })) == 0 {
				return
			}
			whole := s.conditional()
			if !whole.outer.isList() || whole.node.Kind == "DeclStmt" || whole.node.Begin.Macro {
				return
			}
			text := string(s.file.Text[whole.from:whole.to])
			take := Edit{s.file.Name, whole.from, whole.to, ""}
			n := 0
			for _, to := range whole.outer.inner {
				if to.from < whole.to || leaves(to) {
					continue
				}
				firsts := []string{"", finding.Syncwarp + ";\n"}
				if whole != s { // which one thread does for all lanes
					slices.Reverse(firsts)
				}
				for _, first := range firsts {
					c := calls{text: first + text, edits: []Edit{whole.lines(take)}, inline: []Edit{take}}
					c.behind(to)
					for _, patch := range c.patches {
						patch.Call, patch.What = "", fmt.Sprintf("move the arrival of line %d behind line %d", s.file.line(whole.from), s.file.line(to.to-1))
						if first != "" {
							patch.What += ", after " + finding.Syncwarp
						}
					}
					out = append(out, c.patches...)
				}
				if n++; n == mostLater {
					break
				}
			}
		})
	}
	return distinct(out)
}

// registersSet initializes the variables that a statement's inline assembly, or a function that it calls, reads.
func registersSet(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s := p.at(at)
		if s == nil || s.isList() {
			continue
		}
		var visit func(n *syntax.Node)
		visit = func(n *syntax.Node) {
			if n == nil {
				return
			}
			if n.Ref != nil && n.Ref.Kind == "VarDecl" {
				if d, v := fn.body.declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID && !v.Has("CUDASharedAttr") {
					out = append(out, d.initializer(v)...)
				}
			}
			for _, c := range n.Inner {
				visit(c)
			}
		}
		visit(s.node)
	}
	return distinct(out)
}

// wholeWarpgroups launches a kernel with blocks of whole warpgroups, or takes what all warps of one have to execute out of a branch.
func wholeWarpgroups(p *Program, f *finding.Finding) (out []*Patch) {
	for _, fn := range p.functions {
		for _, l := range fn.launches(f.KernelName) {
			for _, config := range configurations(l.node) {
				block := stripped(config.Child(2))
				const group = 128
				if n, err := strconv.Atoi(l.text(block)); err == nil && n%group == 0 {
					continue
				}
				if text := l.text(block); text != "" {
					out = append(out, rewrite(l, block, "("+text+" + 127) / 128 * 128"))
				}
			}
		}
	}
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		out = append(out, movedOut(p, at, "operation")...)
	}
	return distinct(out)
}
