package repair

import (
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// A barrier must not stand where only some of its threads come (CUDA C++ Programming Guide, "Synchronization Functions"). One run cannot
// show that: with other sizes, fewer threads may come.

// participants are the threads that a barrier is for.
type participants int

const (
	ofWarp participants = iota
	ofBlock
	ofMore // blocks of a cluster or of the grid
)

// meeting is a barrier in the text of an edit. The name of a group is a submatch.
var meeting = regexp.MustCompile(`__syncthreads\(\)|__syncwarp\(\)|this_(?:cluster|grid)\(\)\.sync\(\)|(\w+)\.sync\(\)`)

// groupsOf are the classes of groups whose barriers all their threads come to.
var groupsOf = map[string]participants{"thread_block": ofBlock, "cluster_group": ofMore, "grid_group": ofMore}

// converged leaves out the patches that add a barrier where only some threads may come.
func (p *Program) converged(patches []*Patch) []*Patch {
	return slices.DeleteFunc(patches, func(patch *Patch) bool {
		return patch != nil && slices.ContainsFunc(patch.Inline, func(e Edit) bool { return p.diverges(patch, e) })
	})
}

// diverges reports whether an edit of a patch adds a barrier that only some threads may come to.
func (p *Program) diverges(patch *Patch, e Edit) bool {
	for _, m := range meeting.FindAllStringSubmatchIndex(e.Text, -1) {
		fn, s := p.enclosing(patch, e, e.Text[:m[0]], e.Text[m[1]:])
		if s == nil || !onGPU(fn) {
			continue
		}
		of, group := ofBlock, ""
		switch call := e.Text[m[0]:m[1]]; {
		case m[2] >= 0:
			group = e.Text[m[2]:m[3]]
			i := slices.IndexFunc(fn.visible(s), func(v *syntax.Node) bool { return v.Name == group })
			known := false
			if i >= 0 {
				of, known = groupsOf[class(fn.visible(s)[i])]
			}
			if !known {
				continue
			}
		case call == finding.Syncwarp:
			of = ofWarp
		case call != finding.Syncthreads:
			of = ofMore
		}
		if (divergence{p, patch, of}).at(fn, s, e.From, 0) {
			return true
		}
	}
	return false
}

// enclosing is the statement in which the text of an edit stands that lies between two others of it: braces in the one before end lists, and those
// in the one behind end what another edit of the patch begins.
func (p *Program) enclosing(patch *Patch, e Edit, before, behind string) (*function, *statement) {
	file := p.file(e.File)
	if opens(behind) < 0 {
		for _, o := range patch.Inline {
			if o.File == e.File && o.From < e.From && opens(o.Text) > 0 {
				e = o
			}
		}
	}
	for _, fn := range p.functions {
		if fn.file != file || !fn.body.holds(e.From) && fn.body.to != e.From {
			continue
		}
		s := fn.body.innermost(e.From)
		for s.outer != nil && e.From <= s.from && (e.From == e.To || s.to <= e.To) { // the text comes before it, or replaces it
			s = s.outer
		}
		for range -opens(before) {
			for s.outer != nil && !s.isList() {
				s = s.outer
			}
			if s.outer == nil {
				break
			}
			if s = s.outer; s.outer != nil && !s.isList() { // the branch whose list it was
				s = s.outer
			}
		}
		return fn, s
	}
	return nil, nil
}

// opens is how many more braces a text opens than it closes.
func opens(text string) int { return strings.Count(text, "{") - strings.Count(text, "}") }

// divergence finds out whether some threads miss a barrier that a patch adds.
type divergence struct {
	p     *Program
	patch *Patch
	of    participants
}

// mostCallers is through how many calls the ways to a function are followed.
const mostCallers = 4

// at reports whether conditions of single threads decide who comes to an offset in a statement.
func (d divergence) at(fn *function, s *statement, off, depth int) bool {
	apart := d.placedIn(fn, depth)
	for o := s; o != nil; o = o.outer {
		if d.chooses(o, apart) && !d.meets(o) || d.left(o, off, apart) {
			return true
		}
	}
	return depth < mostCallers && slices.ContainsFunc(d.p.functions, func(caller *function) bool {
		return caller != fn && onGPU(caller) && caller.anyCall(fn.node.Name, func(at *statement, _ *syntax.Node) bool { return d.at(caller, at, at.from, depth+1) })
	})
}

// anyCall reports whether a condition holds for a call of a function of a name.
func (fn *function) anyCall(name string, holds func(*statement, *syntax.Node) bool) (found bool) {
	fn.each(func(s *statement) {
		if len(s.inner) == 0 {
			for _, call := range calling(s.node, func(n string) bool { return n == name }) {
				found = found || holds(s, call)
			}
		}
	})
	return found
}

// chooses reports whether a statement executes what is in it for some threads only, or more often for some.
func (d divergence) chooses(o *statement, apart func(*syntax.Node) bool) bool {
	switch o.node.Kind {
	case "IfStmt", "ForStmt", "WhileStmt", "DoStmt", "SwitchStmt":
	default:
		return false
	}
	return slices.ContainsFunc(o.node.Inner, func(n *syntax.Node) bool { return n != nil && !o.isInner(n) && apart(n) })
}

// left reports whether some threads have left a list of statements before an offset in it, or leave a loop before its last pass, and the program
// has no barrier there that they miss anyway.
func (d divergence) left(s *statement, off int, apart func(*syntax.Node) bool) bool {
	return slices.ContainsFunc(s.inner, func(e *statement) bool {
		switch {
		case d.edited(e):
		case s.isLoop():
			return d.leaves(e, apart, leaving{}) && !d.meets(s)
		case s.isList() && e.to <= off:
			return d.leaves(e, apart, leaving{passes: true}) && !slices.ContainsFunc(s.inner, func(o *statement) bool { return o.from > e.from && d.meets(o) })
		}
		return false
	})
}

// leaving says from where a statement is looked at: whether the end of a loop's pass counts, whether some threads only come to it, and whether a loop in between
// is what they leave.
type leaving struct{ passes, chosen, inLoop bool }

// leaves reports whether some threads leave a statement, and what it is in.
func (d divergence) leaves(s *statement, apart func(*syntax.Node) bool, l leaving) bool {
	switch s.node.Kind {
	case "ReturnStmt":
		return l.chosen
	case "BreakStmt":
		return l.chosen && !l.inLoop
	case "ContinueStmt":
		return l.chosen && l.passes && !l.inLoop
	}
	l.chosen = l.chosen || d.chooses(s, apart)
	l.inLoop = l.inLoop || s.isLoop() || s.node.Kind == "SwitchStmt"
	return slices.ContainsFunc(s.inner, func(in *statement) bool { return d.leaves(in, apart, l) })
}

// meets reports whether the program has a barrier in a statement, which the patch leaves there: what is around it is then meant to be the same
// for all threads.
func (d divergence) meets(s *statement) bool {
	if len(s.inner) > 0 {
		return slices.ContainsFunc(s.inner, d.meets)
	}
	return !d.edited(s) && d.barrier(s.node)
}

// barrier reports whether a node calls a barrier that is for as many threads, or more.
func (d divergence) barrier(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	return isBarrier(n) || d.of == ofWarp && callee(n) == "__syncwarp" && len(n.Inner) == 1 || slices.ContainsFunc(n.Inner, d.barrier)
}

// edited reports whether the patch changes a statement.
func (d divergence) edited(s *statement) bool {
	return slices.ContainsFunc(d.patch.Inline, func(e Edit) bool { return e.From < e.To && e.From < s.to && s.from < e.To })
}

// placedIn tells which expressions of a function differ among the participants of the barrier.
func (d divergence) placedIn(fn *function, depth int) func(*syntax.Node) bool {
	ids := map[string]bool{}
	i := -1
	for _, v := range fn.node.Inner {
		if v == nil || v.Kind != "ParmVarDecl" {
			continue
		}
		i++
		at := i
		if fn.node.Has("CUDAGlobalAttr") || depth >= mostCallers {
			continue
		}
		ids[v.ID] = slices.ContainsFunc(d.p.functions, func(caller *function) bool {
			return caller != fn && caller.anyCall(fn.node.Name, func(_ *statement, call *syntax.Node) bool { return d.placedIn(caller, depth+1)(call.Child(at + 1)) })
		})
	}
	locals := fn.body.everyLocal()
	for changed := true; changed; {
		changed = false
		for _, l := range locals {
			if !ids[l.id] && d.differs(l.value, ids) {
				ids[l.id], changed = true, true
			}
		}
	}
	return func(n *syntax.Node) bool { return d.differs(n, ids) }
}

// local is a value that a variable of a function gets.
type local struct {
	id    string
	value *syntax.Node
}

// everyLocal are the values that the variables of a function get, by initializers and assignments.
func (s *statement) everyLocal() (out []local) {
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		switch to := n.Child(0); {
		case n.Kind == "VarDecl" && !n.Has("CUDASharedAttr"):
			for _, c := range n.Inner {
				out = append(out, local{n.ID, c})
			}
		case to != nil && to.Ref != nil && (n.Kind == "CompoundAssignOperator" || n.Kind == "BinaryOperator" && n.Opcode == "="):
			out = append(out, local{to.Ref.ID, n.Child(1)})
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(s.node)
	return out
}

// differs reports whether an expression has another value in other threads that the barrier is for: for those of a warp, its number in the block, and whether
// a thread's number is less than a number of whole warps, is the same.
func (d divergence) differs(n *syntax.Node, ids map[string]bool) bool {
	if n == nil {
		return false
	}
	const warp = 32
	if d.of == ofWarp && n.Kind == "BinaryOperator" {
		k, ok := d.p.value(n.Child(1), 0)
		switch n.Opcode {
		case "/":
			if ok && k > 0 && k%warp == 0 {
				return false
			}
		case ">>":
			if ok && k >= 5 {
				return false
			}
		case "<", ">=":
			if left := stripped(n.Child(0)); ok && k%warp == 0 && (left.Ref != nil || placed(left) && left.Kind != "BinaryOperator") {
				return false
			}
		}
	}
	if n.Kind == "MemberExpr" && ranks[n.Name] {
		return d.of == ofMore || n.Name == "thread_rank" || n.Name == "thread_index"
	}
	if n.Ref != nil && n.Kind == "DeclRefExpr" && (n.Ref.Name == "threadIdx" || d.of == ofMore && n.Ref.Name == "blockIdx" || ids[n.Ref.ID]) {
		return true
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return d.differs(c, ids) })
}
