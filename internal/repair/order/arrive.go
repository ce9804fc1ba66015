package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// arrival is a call of a barrier in two parts: of the group's member barrier_arrive or barrier_wait.
type arrival struct {
	s     *code.Statement
	group string
	waits bool
	// token is what the arrival's token is stored in, or the wait takes; "" if that has no text.
	token string
}

// arrivalsIn are the calls of barriers in two parts in a function, in their order.
func arrivalsIn(fn *code.Function) (out []arrival) {
	var visit func(s *code.Statement)
	visit = func(s *code.Statement) {
		for _, in := range s.Inner {
			visit(in)
		}
		if len(s.Inner) > 0 {
			return
		}
		for _, call := range memberCalls(s.Node, "barrier_arrive", "barrier_wait") {
			m := code.Stripped(call.Child(0))
			a := arrival{s: s, group: s.Text(m.Child(0)), waits: m.Name == "barrier_wait"}
			switch {
			case a.waits:
				a.token = s.Text(code.UncastConstructor(call.Child(1)))
			case s.Node.Kind == "DeclStmt" && s.Node.Child(0) != nil:
				a.token = s.Node.Child(0).Name
			default:
				a.token = s.Text(code.Assigned(s.Node))
			}
			if a.group != "" {
				out = append(out, a)
			}
		}
	}
	visit(fn.Body)
	return out
}

// memberCalls are the calls of member functions of some names in an expression or a statement.
func memberCalls(n *syntax.Node, names ...string) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if m := code.Stripped(n.Child(0)); n.Kind == "CXXMemberCallExpr" && m != nil && slices.Contains(names, m.Name) {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, memberCalls(c, names...)...)
	}
	return out
}

// ArriveOnce lets the threads arrive once, and wait once, for each phase of a barrier in two parts: it takes an arrival
// out, or adds the wait or the arrival that is missing.
func ArriveOnce(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, fn := range code.FunctionsOf(p, f) {
		all := arrivalsIn(fn)
		for i, a := range all {
			if a.waits {
				if a.token != "" {
					c := code.Calls{Text: strings.TrimSuffix(strings.TrimPrefix(a.token, "std::move("), ")") + " = " + a.group + ".barrier_arrive();"}
					c.Before(a.s)
					out = append(out, c.Patches...)
				}
				continue
			}
			if a.token != "" {
				c := code.Calls{Text: a.group + ".barrier_wait(static_cast<decltype(" + a.token + ") &&>(" + a.token + "));"}
				if i+1 == len(all) || !all[i+1].waits {
					c.Behind(a.s)
					out = append(out, c.Patches...)
				}
			}
			if i > 0 && !all[i-1].waits && a.s.Node.Kind != "DeclStmt" {
				out = append(out, removed(a.s, "the arrival"))
			}
		}
	}
	if _, s := p.At(f.Primary.Loc.Pos); s != nil { // the statement at fault first
		slices.SortStableFunc(out, func(a, b *code.Patch) int { return apartFrom(s, a) - apartFrom(s, b) })
	}
	return code.Distinct(out)
}

// apartFrom is 0 for a patch at a statement, else 1.
func apartFrom(s *code.Statement, patch *code.Patch) int {
	if slices.ContainsFunc(patch.Inline, func(e code.Edit) bool { return e.File == s.File.Name && s.From <= e.From && e.From <= s.To }) {
		return 0
	}
	return 1
}

// removed takes a statement out.
func removed(s *code.Statement, what string) *code.Patch {
	take := s.File.Replace(s.From, s.To, "")
	if !s.Outer.IsList() {
		take.Text = ";"
	}
	return &code.Patch{Edits: []code.Edit{s.Lines(take)}, Inline: []code.Edit{take}, What: fmt.Sprintf("remove %s in line %d", what, s.File.Line(s.From))}
}

// ArriveAt arrives at the mbarrier that a loop waits for, before it: all threads, or the first of the block.
func ArriveAt(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, at := range code.Places(f) {
		_, s := p.At(at.Loc.Pos)
		if s == nil || s.Outer == nil {
			continue
		}
		for !s.Outer.IsList() && s.Outer.Outer != nil && s.Outer.IsLoop() { // of the loop that waits
			s = s.Outer
		}
		for _, text := range arrivesAt(s) {
			who := []string{"", "if (threadIdx.x == 0) "}
			if f.Repair.Arrivals == 1 {
				slices.Reverse(who)
			}
			for _, who := range who {
				c := code.Calls{Text: who + text}
				c.Before(s)
				out = append(out, c.Patches...)
			}
		}
	}
	return code.Distinct(out)
}

// mbarrierWaits are the functions of cuda::ptx that test an mbarrier (libcu++, "cuda::ptx", "mbarrier").
var mbarrierWaits = []string{"mbarrier_try_wait", "mbarrier_test_wait", "mbarrier_try_wait_parity", "mbarrier_test_wait_parity"}

// arrivesAt are statements that arrive at the mbarriers that a statement waits for.
func arrivesAt(s *code.Statement) (out []string) {
	for _, call := range code.Calling(s.Node, func(name string) bool { return slices.Contains(mbarrierWaits, name) }) {
		name, bar := s.Text(code.Stripped(call.Child(0))), ""
		for _, a := range call.Inner[1:] {
			if text := s.Text(code.Stripped(a)); bar == "" && code.IsPointer(code.Stripped(a)) {
				bar = text
			}
		}
		if scope, ok := strings.CutSuffix(name, code.Callee(call)); ok && bar != "" {
			out = append(out, fmt.Sprintf("%[1]smbarrier_arrive(%[1]ssem_release, %[1]sscope_cta, %[1]sspace_shared, %[2]s);", scope, bar))
		}
	}
	for _, a := range code.AssembliesIn(s) {
		for _, in := range a.Instructions {
			at, ok := in.MBarrier()
			if !ok {
				continue
			}
			if bar := a.Operand(in.Args[at]); bar != nil && a.S.Text(bar) != "" {
				kind := "r"
				if code.IsPointer(bar) || wide[bar.Desugared] {
					kind = "l"
				}
				out = append(out, `asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"`+kind+`"(`+a.S.Text(bar)+`) : "memory");`)
			}
		}
	}
	return out
}

// wide are the types of 64 bits that an address can have.
var wide = map[string]bool{"long": true, "unsigned long": true, "long long": true, "unsigned long long": true,
	"const long": true, "const unsigned long": true, "const long long": true, "const unsigned long long": true}

// phaseWaits waits for the first phase, or the second, of the mbarriers that can be named at the accesses of a finding.
func phaseWaits(p *code.Program, f *finding.Finding) []*code.Patch {
	switch f.Repair.Kind {
	case finding.WaitForCopy, finding.WaitThere, finding.WaitForAll, finding.WaitForPhase:
	default:
		return nil
	}
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	var out []*code.Patch
	for _, v := range fn.Visible(s) {
		if !v.Has("CUDASharedAttr") || v.Desugared != "unsigned long" && v.Desugared != "unsigned long long" {
			continue
		}
		for parity := range 2 {
			wait := fmt.Sprintf(`asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%%0], %d; @!p bra W; }" ::"r"((unsigned)__cvta_generic_to_shared(&%s)) : "memory");`, parity, v.Name)
			texts := []string{wait}
			if code.ClusterDimsOf(fn) != "" || len(clusterSyncsIn(fn, s)) > 0 { // each block for its own, and then for the others
				texts = append(texts, wait+"\n"+spellCall(p, clusterSync, fn.File.Name)+";")
			}
			order := []int{0, 1}[:len(texts)]
			if f.Repair.Then == clusterSync {
				slices.Reverse(order)
			}
			for _, i := range order {
				text := texts[i]
				named := fmt.Sprintf("a wait for phase %d of %s", parity, v.Name)
				if i > 0 {
					named += " and " + spellCall(p, clusterSync, fn.File.Name)
				}
				made := around(s, text, named)
				if i > 0 {
					made = including(p, clusterSync, made)
				}
				out = append(out, made...)
			}
		}
	}
	return code.Distinct(out)
}

// around adds a statement, which has a name for people, before and behind another one, and those around it.
func around(s *code.Statement, text, named string) []*code.Patch {
	c := code.Calls{Text: text, Named: named}
	c.Before(s)
	for o := s; o.Outer != nil; o = o.Outer {
		if o.Outer.IsList() && o != s {
			c.Before(o)
		}
		if o.Outer.IsList() || o == s { // where the block may end before the operation
			c.Behind(o)
		}
	}
	return c.Patches
}

// JoinClusterAtEnd lets the blocks of a cluster wait for each other at the end of the kernel.
func JoinClusterAtEnd(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, fn := range p.Functions {
		if len(fn.Body.Inner) == 0 || !code.IsKernel(fn, f.KernelName) {
			continue
		}
		last := fn.Body.Inner[len(fn.Body.Inner)-1]
		for _, text := range append(clusterSyncsIn(fn, last), spellCall(p, clusterSync, fn.File.Name)) {
			c := code.Calls{Text: text + ";"}
			if code.Leaves(last) {
				c.Before(last)
			} else {
				c.Behind(last)
			}
			out = append(out, including(p, text, c.Patches)...)
		}
	}
	return code.Distinct(out)
}

// clusterSyncsIn are the barriers of the groups of a cluster that can be named at a statement.
func clusterSyncsIn(fn *code.Function, s *code.Statement) (out []string) {
	for _, v := range fn.Visible(s) {
		if code.Class(v) == "cluster_group" {
			out = append(out, v.Name+".sync()")
		}
	}
	return out
}
