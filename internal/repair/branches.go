package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// Barriers between two accesses in branches, which all threads of the block come to: the branch ends before the barrier and continues after
// it.

// inBranches are barriers between the places of a repair that are in branches, or after threads have returned.
func inBranches(p *Program, r *finding.Repair) []*Patch {
	_, from := p.at(r.From.Pos)
	_, to := p.at(r.To.Pos)
	return append(branched(r, from, to), afterReturn(p, r)...)
}

// branchEnded are barriers between two accesses that only some threads come to, outside of the branch. Of two in the arms of one branch the
// arm that writes comes first.
func branchEnded(p *Program, f *finding.Finding) []*Patch {
	r := f.Repair
	var arms []*Patch
	if r.Placed() && r.Call == finding.Syncwarp {
		arms = writesFirst(p, f, r)
	}
	return append(arms, p.around(f)...)
}

// writesFirst executes two branches one after the other, the one that writes first: that is what the other is to read. Of two writes nothing
// says which is to be the last, nor does it where the branch that reads comes first in the text and in time.
func writesFirst(p *Program, f *finding.Finding, r *finding.Repair) []*Patch {
	_, from := p.at(r.From.Pos)
	_, to := p.at(r.To.Pos)
	wrote := slices.ContainsFunc(places(f), func(at finding.Place) bool { return at.Loc.Pos == r.From.Pos && at.Access == finding.Write })
	if !wrote || from == nil || to == nil || f.Kind == "WAW" || f.Kind == "WAR" && from.from > to.from {
		return nil
	}
	return alternatives(r.Call, from, to)
}

// branched are the patches that add a barrier between two statements of which a branch keeps some threads away.
func branched(r *finding.Repair, from, to *statement) (out []*Patch) {
	if from == nil || to == nil {
		return nil
	}
	if from == to {
		return append(valueFirst(r.Call, from), conditionFirst(r.Call, from)...)
	}
	if to.outer != nil && from == to.outer { // the condition reads what the branch writes
		out = conditionFirst(r.Call, to)
	}
	return out
}

// branchOf is the if without else whose only statement is s, with the text of its condition, which can be evaluated again; nil for none.
func branchOf(s *statement) (*statement, string) {
	branch := s.outer
	if branch != nil && branch.isList() && len(branch.inner) == 1 {
		branch = branch.outer
	}
	if branch == nil || branch.node.Kind != "IfStmt" || branch.node.Else || len(branch.node.Inner) != 2 || branch.outer == nil || !branch.outer.isList() || branch.node.Begin.Macro {
		return nil, ""
	}
	if cond := branch.node.Child(0); !acts(cond) {
		return branch, branch.text(cond)
	}
	return nil, ""
}

// conditionRead reports whether an access of a finding is in the condition of the branch that a statement is in.
func conditionRead(p *Program, f *finding.Finding, s *statement) bool {
	branch, _ := branchOf(s)
	return branch != nil && slices.ContainsFunc(places(f), func(at finding.Place) bool {
		_, o := p.at(at.Loc.Pos)
		return o == branch
	})
}

// valueFirst lets an assignment in a branch compute its value before the barrier, and store it after it.
func valueFirst(call string, s *statement) []*Patch {
	n := s.node
	branch, condition := branchOf(s)
	if condition == "" || n.Kind != "CompoundAssignOperator" && (n.Kind != "BinaryOperator" || n.Opcode != "=") {
		return nil
	}
	object, value := s.text(n.Child(0)), s.text(n.Child(1))
	kind := strings.TrimPrefix(strings.TrimPrefix(n.Child(0).Desugared, "const "), "volatile ")
	if object == "" || value == "" || !arithmetic[kind] {
		return nil
	}
	line := s.file.line(s.from)
	name := s.unused(fmt.Sprintf("next%d", line))
	parts := slices.Concat([]string{kind + " " + name + " = 0;", "if (" + condition + ") " + name + " = " + value + ";"}, callLines(call),
		[]string{"if (" + condition + ") " + object + " " + n.Opcode + " " + name + ";"})
	return []*Patch{instead(branch, fmt.Sprintf("add %s between the read and the write of line %d, for all threads", inOneLine(call), line), parts...)}
}

// outlived are declarations, before a branch, of the variables that a list of statements declares before one of them and uses from there
// on, and the edits that make assignments of theirs. ok is false where one cannot be declared so.
func outlived(list, s *statement) (declared []string, edits []Edit, ok bool) {
	i := slices.Index(list.inner, s)
	for _, d := range list.inner[:max(i, 0)] {
		if d.node.Kind != "DeclStmt" {
			continue
		}
		used := false
		for _, v := range d.node.Inner {
			used = used || v != nil && slices.ContainsFunc(list.inner[i:], func(o *statement) bool { return mentions(o.node, map[string]bool{v.ID: true}) })
		}
		v := d.node.Child(0)
		if !used || v.Has("CUDASharedAttr") {
			continue
		}
		if len(d.node.Inner) != 1 || v.Kind != "VarDecl" || !arithmetic[v.Desugared] || v.Loc.Macro || len(v.Inner) == 0 {
			return nil, nil, false
		}
		declared = append(declared, strings.TrimPrefix(v.Desugared, "const ")+" "+v.Name+" = 0;")
		edits = append(edits, Edit{d.file.Name, d.from, v.Loc.Off, ""})
	}
	return declared, edits, true
}

// conditionFirst evaluates the condition of a branch before the barrier, and executes the branch after it.
func conditionFirst(call string, s *statement) []*Patch {
	branch, condition := branchOf(s)
	if condition == "" || !readsShared(branch.node.Child(0)) {
		return nil
	}
	line := s.file.line(branch.from)
	name := branch.unused(fmt.Sprintf("taken%d", line))
	cond := branch.node.Child(0)
	before := append([]string{"bool " + name + " = " + condition + ";"}, callLines(call)...)
	edits := func(sep string) []Edit {
		return []Edit{branch.insert(branch.from, strings.Join(before, sep)+sep), {branch.file.Name, cond.Begin.Off, cond.End.End(), name}}
	}
	return []*Patch{{Edits: edits("\n" + branch.indent()), Inline: edits(" "), What: fmt.Sprintf("add %s between the condition of line %d and its branch", inOneLine(call), line)}}
}

// readsShared reports whether an expression reads memory that threads may share.
func readsShared(n *syntax.Node) bool {
	return n != nil && (readsMemory(n) || n.Ref != nil && n.Ref.Kind == "VarDecl" || slices.ContainsFunc(n.Inner, readsShared))
}

// alternatives executes the two branches of an if one after the other, with a barrier between them: the one that writes first.
func alternatives(call string, from, to *statement) []*Patch {
	if from == nil || to == nil {
		return nil
	}
	a, b, common := fork(from, to)
	if common == 0 || common >= len(a) || common >= len(b) {
		return nil
	}
	branch := a[common-1]
	n := branch.node
	if n.Kind != "IfStmt" || !n.Else || len(n.Inner) != 3 || len(branch.inner) != 2 || branch.outer == nil || !branch.outer.isList() || n.Begin.Macro || acts(n.Child(0)) {
		return nil
	}
	condition := branch.text(n.Child(0))
	if condition == "" || hasBarrier(branch) {
		return nil
	}
	first, then := branch.inner[0], branch.inner[1]
	whole, other := "if ("+condition+") ", "if (!("+condition+")) "
	if a[common] == then {
		first, then, whole, other = then, first, other, whole
	}
	text := func(s *statement) string { return string(s.file.Text[s.from:s.to]) }
	return []*Patch{instead(branch, fmt.Sprintf("execute line %d before line %d, with %s between the branches", from.file.line(from.from), to.file.line(to.from), inOneLine(call)),
		slices.Concat([]string{whole + text(first)}, callLines(call), []string{other + text(then)})...)}
}

// callLines are the statements of a call, which has a new line between two.
func callLines(call string) []string { return strings.Split(call+";", "\n") }

// inOneLine is a call for people.
func inOneLine(call string) string { return strings.ReplaceAll(call, "\n", " ") }

// instead puts statements in the place of one.
func instead(s *statement, what string, parts ...string) *Patch {
	return &Patch{Edits: []Edit{{s.file.Name, s.from, s.to, strings.Join(parts, "\n"+s.indent())}},
		Inline: []Edit{{s.file.Name, s.from, s.to, strings.Join(parts, " ")}}, What: what}
}

// afterReturn adds a barrier between two statements of which some threads have returned before: these come to it, and to those that
// follow.
func afterReturn(p *Program, r *finding.Repair) []*Patch {
	fn, from := p.at(r.From.Pos)
	_, to := p.at(r.To.Pos)
	if from == nil || to == nil || from == to || !fn.void {
		return nil
	}
	list := fn.body.inner
	holds := func(s *statement) func(*statement) bool {
		return func(o *statement) bool { return o.holds(s.from) }
	}
	i, k := slices.IndexFunc(list, holds(from)), slices.IndexFunc(list, holds(to))
	if i < 0 || k <= i {
		return nil
	}
	for at, e := range list[:i] {
		condition := earlyReturn(e)
		if condition == "" {
			continue
		}
		name := e.unused(fmt.Sprintf("active%d", fn.file.line(e.from)))
		before, after := &later{name: name}, &later{name: name}
		if !before.list(list[at+1:k]) || !after.list(list[k:]) {
			continue
		}
		edits := func(sep string) []Edit {
			out := append([]Edit{{fn.file.Name, e.from, e.to, "bool " + name + " = !(" + condition + ");"}}, before.edits...)
			return slices.Concat(out, []Edit{list[k].insert(list[k].from, strings.Join(callLines(r.Call), sep)+sep)}, after.edits)
		}
		return []*Patch{{Edits: edits("\n" + list[k].indent()), Inline: edits(" "),
			What: fmt.Sprintf("add %s before line %d, and let threads that return in line %d come to it", inOneLine(r.Call), fn.file.line(list[k].from), fn.file.line(e.from))}}
	}
	return nil
}

// earlyReturn is the condition under which a statement returns and does nothing else; "" for others.
func earlyReturn(e *statement) string {
	if e.node.Kind != "IfStmt" || e.node.Else || len(e.node.Inner) != 2 || len(e.inner) != 1 || !returnsOnly(e.inner[0]) {
		return ""
	}
	return e.text(e.node.Child(0))
}
