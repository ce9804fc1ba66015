package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// arrival is a call of a barrier in two parts: of the group's member barrier_arrive or barrier_wait.
type arrival struct {
	s     *statement
	group string
	waits bool
	// token is what the arrival's token is stored in, or the wait takes; "" if that has no text.
	token string
}

// arrivals are the calls of barriers in two parts in a function, in their order.
func (fn *function) arrivals() (out []arrival) {
	var visit func(s *statement)
	visit = func(s *statement) {
		for _, in := range s.inner {
			visit(in)
		}
		if len(s.inner) > 0 {
			return
		}
		for _, call := range memberCalls(s.node, "barrier_arrive", "barrier_wait") {
			m := stripped(call.Child(0))
			a := arrival{s: s, group: s.text(m.Child(0)), waits: m.Name == "barrier_wait"}
			switch {
			case a.waits:
				a.token = s.text(uncastConstructor(call.Child(1)))
			case s.node.Kind == "DeclStmt" && s.node.Child(0) != nil:
				a.token = s.node.Child(0).Name
			default:
				a.token = s.text(assigned(s.node))
			}
			if a.group != "" {
				out = append(out, a)
			}
		}
	}
	visit(fn.body)
	return out
}

// memberCalls are the calls of member functions of some names in an expression or a statement.
func memberCalls(n *syntax.Node, names ...string) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if m := stripped(n.Child(0)); n.Kind == "CXXMemberCallExpr" && m != nil && slices.Contains(names, m.Name) {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, memberCalls(c, names...)...)
	}
	return out
}

// assigned is the left side of an assignment, nil for other statements.
func assigned(n *syntax.Node) *syntax.Node {
	for n != nil && n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	switch {
	case n == nil:
	case n.Kind == "BinaryOperator" && n.Opcode == "=":
		return n.Child(0)
	case n.Kind == "CXXOperatorCallExpr" && callee(n) == "operator=":
		return n.Child(1)
	}
	return nil
}

// arrivedOnce lets the threads arrive once, and wait once, for each phase of a barrier in two parts: it takes an arrival
// out, or adds the wait or the arrival that is missing.
func (p *Program) arrivedOnce(f *finding.Finding) []*Patch {
	var out []*Patch
	for _, fn := range p.functionsOf(f) {
		all := fn.arrivals()
		for i, a := range all {
			if a.waits {
				if a.token != "" {
					c := calls{text: strings.TrimSuffix(strings.TrimPrefix(a.token, "std::move("), ")") + " = " + a.group + ".barrier_arrive();"}
					c.before(a.s)
					out = append(out, c.patches...)
				}
				continue
			}
			if a.token != "" {
				c := calls{text: a.group + ".barrier_wait(static_cast<decltype(" + a.token + ") &&>(" + a.token + "));"}
				if i+1 == len(all) || !all[i+1].waits {
					c.behind(a.s)
					out = append(out, c.patches...)
				}
			}
			if i > 0 && !all[i-1].waits && a.s.node.Kind != "DeclStmt" {
				out = append(out, removed(a.s, "the arrival"))
			}
		}
	}
	if _, s := p.at(f.Primary.Loc.Pos); s != nil { // the statement at fault first
		slices.SortStableFunc(out, func(a, b *Patch) int { return apartFrom(s, a) - apartFrom(s, b) })
	}
	return distinct(out)
}

// apartFrom is 0 for a patch at a statement, else 1.
func apartFrom(s *statement, patch *Patch) int {
	if slices.ContainsFunc(patch.Inline, func(e Edit) bool { return e.File == s.file.Name && s.from <= e.From && e.From <= s.to }) {
		return 0
	}
	return 1
}

// removed takes a statement out.
func removed(s *statement, what string) *Patch {
	take := Edit{s.file.Name, s.from, s.to, ""}
	if !s.outer.isList() {
		take.Text = ";"
	}
	return &Patch{Edits: []Edit{s.lines(take)}, Inline: []Edit{take}, What: fmt.Sprintf("remove %s in line %d", what, s.file.line(s.from))}
}

// arrivedAt arrives at the mbarrier that a loop waits for, before it: all threads, or the first of the block.
func (p *Program) arrivedAt(f *finding.Finding) []*Patch {
	var out []*Patch
	for _, at := range places(f) {
		_, s := p.at(at.Loc.Pos)
		if s == nil || s.outer == nil {
			continue
		}
		for !s.outer.isList() && s.outer.outer != nil && s.outer.isLoop() { // of the loop that waits
			s = s.outer
		}
		for _, text := range arrivesAt(s) {
			who := []string{"", "if (threadIdx.x == 0) "}
			if f.Repair.Arrivals == 1 {
				slices.Reverse(who)
			}
			for _, who := range who {
				c := calls{text: who + text}
				c.before(s)
				out = append(out, c.patches...)
			}
		}
	}
	return distinct(out)
}

// mbarrierWaits are the functions of cuda::ptx that test an mbarrier (libcu++, "cuda::ptx", "mbarrier").
var mbarrierWaits = []string{"mbarrier_try_wait", "mbarrier_test_wait", "mbarrier_try_wait_parity", "mbarrier_test_wait_parity"}

// arrivesAt are statements that arrive at the mbarriers that a statement waits for.
func arrivesAt(s *statement) (out []string) {
	for _, call := range calling(s.node, func(name string) bool { return slices.Contains(mbarrierWaits, name) }) {
		name, bar := s.text(stripped(call.Child(0))), ""
		for _, a := range call.Inner[1:] {
			if text := s.text(stripped(a)); bar == "" && isPointer(stripped(a)) {
				bar = text
			}
		}
		if scope, ok := strings.CutSuffix(name, callee(call)); ok && bar != "" {
			out = append(out, fmt.Sprintf("%[1]smbarrier_arrive(%[1]ssem_release, %[1]sscope_cta, %[1]sspace_shared, %[2]s);", scope, bar))
		}
	}
	for _, a := range assembliesIn(s) {
		for _, in := range a.instructions {
			at, ok := in.MBarrier()
			if !ok {
				continue
			}
			if bar := a.operand(in.Args[at]); bar != nil && a.s.text(bar) != "" {
				kind := "r"
				if isPointer(bar) || wide[bar.Desugared] {
					kind = "l"
				}
				out = append(out, `asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"`+kind+`"(`+a.s.text(bar)+`) : "memory");`)
			}
		}
	}
	return out
}

// wide are the types of 64 bits that an address can have.
var wide = map[string]bool{"long": true, "unsigned long": true, "long long": true, "unsigned long long": true,
	"const long": true, "const unsigned long": true, "const long long": true, "const unsigned long long": true}

// phaseWaits waits for the first phase, or the second, of the mbarriers that can be named at the accesses of a finding.
func phaseWaits(p *Program, f *finding.Finding) []*Patch {
	switch f.Repair.Kind {
	case "wait", "wait-there", "wait-for-all", "wait-for-phase":
	default:
		return nil
	}
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	var out []*Patch
	for _, v := range fn.visible(s) {
		if !v.Has("CUDASharedAttr") || v.Desugared != "unsigned long" && v.Desugared != "unsigned long long" {
			continue
		}
		for parity := range 2 {
			wait := fmt.Sprintf(`asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%%0], %d; @!p bra W; }" ::"r"((unsigned)__cvta_generic_to_shared(&%s)) : "memory");`, parity, v.Name)
			texts := []string{wait}
			if fn.clusterDims() != "" || len(fn.clusterSyncs(s)) > 0 { // each block for its own, and then for the others
				texts = append(texts, wait+"\n"+p.spelled(clusterSync, fn.file.Name)+";")
			}
			order := []int{0, 1}[:len(texts)]
			if f.Repair.Then == clusterSync {
				slices.Reverse(order)
			}
			for _, i := range order {
				text := texts[i]
				named := fmt.Sprintf("a wait for phase %d of %s", parity, v.Name)
				if i > 0 {
					named += " and " + p.spelled(clusterSync, fn.file.Name)
				}
				made := around(s, text, named)
				if i > 0 {
					made = including(p, clusterSync, made)
				}
				out = append(out, made...)
			}
		}
	}
	return distinct(out)
}

// around adds a statement, which has a name for people, before and behind another one, and those around it.
func around(s *statement, text, named string) []*Patch {
	c := calls{text: text, named: named}
	c.before(s)
	for o := s; o.outer != nil; o = o.outer {
		if o.outer.isList() && o != s {
			c.before(o)
		}
		if o.outer.isList() || o == s { // where the block may end before the operation
			c.behind(o)
		}
	}
	return c.patches
}

// joinedAtEnd lets the blocks of a cluster wait for each other at the end of the kernel.
func (p *Program) joinedAtEnd(f *finding.Finding) []*Patch {
	var out []*Patch
	for _, fn := range p.functions {
		if len(fn.body.inner) == 0 || !fn.kernel(f.KernelName) {
			continue
		}
		last := fn.body.inner[len(fn.body.inner)-1]
		for _, text := range append(fn.clusterSyncs(last), p.spelled(clusterSync, fn.file.Name)) {
			c := calls{text: text + ";"}
			if leaves(last) {
				c.before(last)
			} else {
				c.behind(last)
			}
			out = append(out, including(p, text, c.patches)...)
		}
	}
	return distinct(out)
}

// clusterSyncs are the barriers of the groups of a cluster that can be named at a statement.
func (fn *function) clusterSyncs(s *statement) (out []string) {
	for _, v := range fn.visible(s) {
		if class(v) == "cluster_group" {
			out = append(out, v.Name+".sync()")
		}
	}
	return out
}

// kernel reports whether the function is the kernel of a name, as it is demangled.
func (fn *function) kernel(name string) bool {
	own := fn.node.Name
	return fn.node.Has("CUDAGlobalAttr") && own != "" && (name == own || strings.HasPrefix(name, own+"(") || strings.HasPrefix(name, own+"<") ||
		strings.Contains(name, "::"+own+"(") || strings.Contains(name, "::"+own+"<") || strings.Contains(name, " "+own+"<"))
}
