package order

import (
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

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

// KeepConverged leaves out the patches that add a barrier where only some threads may come.
func KeepConverged(p *code.Program, patches []*code.Patch) []*code.Patch {
	return slices.DeleteFunc(patches, func(patch *code.Patch) bool {
		return patch != nil && slices.ContainsFunc(patch.Inline, func(e code.Edit) bool { return addsDivergentBarrier(p, patch, e) })
	})
}

// addsDivergentBarrier reports whether an edit of a patch adds a barrier that only some threads may come to.
func addsDivergentBarrier(p *code.Program, patch *code.Patch, e code.Edit) bool {
	for _, m := range meeting.FindAllStringSubmatchIndex(e.Text, -1) {
		fn, s := enclosingStatement(p, patch, e, e.Text[:m[0]], e.Text[m[1]:])
		if s == nil || !code.OnGPU(fn) {
			continue
		}
		of, group := ofBlock, ""
		switch call := e.Text[m[0]:m[1]]; {
		case m[2] >= 0:
			group = e.Text[m[2]:m[3]]
			i := slices.IndexFunc(fn.Visible(s), func(v *syntax.Node) bool { return v.Name == group })
			known := false
			if i >= 0 {
				of, known = groupsOf[code.Class(fn.Visible(s)[i])]
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

// enclosingStatement is the statement in which the text of an edit stands that lies between two others of it: braces in the one before end lists, and those
// in the one behind end what another edit of the patch begins.
func enclosingStatement(p *code.Program, patch *code.Patch, e code.Edit, before, behind string) (*code.Function, *code.Statement) {
	file := p.File(e.File)
	if opens(behind) < 0 {
		for _, o := range patch.Inline {
			if o.File == e.File && o.From < e.From && opens(o.Text) > 0 {
				e = o
			}
		}
	}
	for _, fn := range p.Functions {
		if fn.File != file || !fn.Body.Holds(e.From) && fn.Body.To != e.From {
			continue
		}
		s := fn.Body.Innermost(e.From)
		for s.Outer != nil && e.From <= s.From && (e.From == e.To || s.To <= e.To) { // the text comes before it, or replaces it
			s = s.Outer
		}
		for range -opens(before) {
			for s.Outer != nil && !s.IsList() {
				s = s.Outer
			}
			if s.Outer == nil {
				break
			}
			if s = s.Outer; s.Outer != nil && !s.IsList() { // the branch whose list it was
				s = s.Outer
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
	p     *code.Program
	patch *code.Patch
	of    participants
}

// mostCallers is through how many calls the ways to a function are followed.
const mostCallers = 4

// at reports whether conditions of single threads decide who comes to an offset in a statement.
func (d divergence) at(fn *code.Function, s *code.Statement, off, depth int) bool {
	apart := d.placedIn(fn, depth)
	for o := s; o != nil; o = o.Outer {
		if d.chooses(o, apart) && !d.meets(o) || d.left(o, off, apart) {
			return true
		}
	}
	return depth < mostCallers && slices.ContainsFunc(d.p.Functions, func(caller *code.Function) bool {
		return caller != fn && code.OnGPU(caller) && HasAnyCall(caller, fn.Node.Name, func(at *code.Statement, _ *syntax.Node) bool { return d.at(caller, at, at.From, depth+1) })
	})
}

// HasAnyCall reports whether a condition holds for a call of a function of a name.
func HasAnyCall(fn *code.Function, name string, holds func(*code.Statement, *syntax.Node) bool) (found bool) {
	fn.Each(func(s *code.Statement) {
		if len(s.Inner) == 0 {
			for _, call := range code.Calling(s.Node, func(n string) bool { return n == name }) {
				found = found || holds(s, call)
			}
		}
	})
	return found
}

// chooses reports whether a statement executes what is in it for some threads only, or more often for some.
func (d divergence) chooses(o *code.Statement, apart func(*syntax.Node) bool) bool {
	switch o.Node.Kind {
	case "IfStmt", "ForStmt", "WhileStmt", "DoStmt", "SwitchStmt":
	default:
		return false
	}
	return slices.ContainsFunc(o.Node.Inner, func(n *syntax.Node) bool { return n != nil && !o.IsInner(n) && apart(n) })
}

// left reports whether some threads have left a list of statements before an offset in it, or leave a loop before its last pass, and the program
// has no barrier there that they miss anyway.
func (d divergence) left(s *code.Statement, off int, apart func(*syntax.Node) bool) bool {
	return slices.ContainsFunc(s.Inner, func(e *code.Statement) bool {
		switch {
		case d.edited(e):
		case s.IsLoop():
			return d.leaves(e, apart, leaving{}) && !d.meets(s)
		case s.IsList() && e.To <= off:
			return d.leaves(e, apart, leaving{passes: true}) && !slices.ContainsFunc(s.Inner, func(o *code.Statement) bool { return o.From > e.From && d.meets(o) })
		}
		return false
	})
}

// leaving says from where a statement is looked at: whether the end of a loop's pass counts, whether some threads only come to it, and whether a loop in between
// is what they leave.
type leaving struct{ passes, chosen, inLoop bool }

// leaves reports whether some threads leave a statement, and what it is in.
func (d divergence) leaves(s *code.Statement, apart func(*syntax.Node) bool, l leaving) bool {
	switch s.Node.Kind {
	case "ReturnStmt":
		return l.chosen
	case "BreakStmt":
		return l.chosen && !l.inLoop
	case "ContinueStmt":
		return l.chosen && l.passes && !l.inLoop
	}
	l.chosen = l.chosen || d.chooses(s, apart)
	l.inLoop = l.inLoop || s.IsLoop() || s.Node.Kind == "SwitchStmt"
	return slices.ContainsFunc(s.Inner, func(in *code.Statement) bool { return d.leaves(in, apart, l) })
}

// meets reports whether the program has a barrier in a statement, which the patch leaves there: what is around it is then meant to be the same
// for all threads.
func (d divergence) meets(s *code.Statement) bool {
	if len(s.Inner) > 0 {
		return slices.ContainsFunc(s.Inner, d.meets)
	}
	return !d.edited(s) && d.barrier(s.Node)
}

// barrier reports whether a node calls a barrier that is for as many threads, or more.
func (d divergence) barrier(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	if d.of == ofMore { // barriers of a block are for fewer
		return code.IsBarrier(n) && groupsOf[groupSynced(n)] == ofMore || slices.ContainsFunc(n.Inner, d.barrier)
	}
	return code.IsBarrier(n) || d.of == ofWarp && code.Callee(n) == "__syncwarp" && len(n.Inner) == 1 || slices.ContainsFunc(n.Inner, d.barrier)
}

// groupSynced is the class of the group whose barrier a node calls, "" for other calls.
func groupSynced(n *syntax.Node) string {
	for n != nil && n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	if n == nil || n.Kind != "CXXMemberCallExpr" {
		return ""
	}
	if of := code.Stripped(code.Stripped(n.Child(0)).Child(0)); of != nil {
		return code.Class(of)
	}
	return ""
}

// edited reports whether the patch changes a statement.
func (d divergence) edited(s *code.Statement) bool {
	return slices.ContainsFunc(d.patch.Inline, func(e code.Edit) bool { return e.From < e.To && e.From < s.To && s.From < e.To })
}

// placedIn tells which expressions of a function differ among the participants of the barrier.
func (d divergence) placedIn(fn *code.Function, depth int) func(*syntax.Node) bool {
	ids := map[string]bool{}
	i := -1
	for _, v := range fn.Node.Inner {
		if v == nil || v.Kind != "ParmVarDecl" {
			continue
		}
		i++
		at := i
		if fn.Node.Has("CUDAGlobalAttr") || depth >= mostCallers {
			continue
		}
		ids[v.ID] = slices.ContainsFunc(d.p.Functions, func(caller *code.Function) bool {
			return caller != fn && HasAnyCall(caller, fn.Node.Name, func(_ *code.Statement, call *syntax.Node) bool {
				return d.placedIn(caller, depth+1)(call.Child(at + 1))
			})
		})
	}
	locals := eachLocal(fn.Body)
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

// eachLocal are the values that the variables of a function get, by initializers and assignments.
func eachLocal(s *code.Statement) (out []local) {
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
	visit(s.Node)
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
		k, ok := code.ConstantValue(d.p, n.Child(1), 0)
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
			if left := code.Stripped(n.Child(0)); ok && k%warp == 0 && (left.Ref != nil || code.Placed(left) && left.Kind != "BinaryOperator") {
				return false
			}
		}
	}
	if n.Kind == "MemberExpr" && code.Ranks[n.Name] {
		return d.of == ofMore || n.Name == "thread_rank" || n.Name == "thread_index"
	}
	if n.Ref != nil && n.Kind == "DeclRefExpr" && (n.Ref.Name == "threadIdx" || d.of == ofMore && n.Ref.Name == "blockIdx" || ids[n.Ref.ID]) {
		return true
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return d.differs(c, ids) })
}
