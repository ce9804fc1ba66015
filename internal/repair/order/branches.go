package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// inBranches are barriers between the places of a repair that are in branches, or after threads have returned.
func inBranches(p *code.Program, r *finding.Repair) []*code.Patch {
	_, from := p.At(r.From.Pos)
	_, to := p.At(r.To.Pos)
	return append(branched(r, from, to), afterReturn(p, r)...)
}

// EndBranch are barriers between two accesses that only some threads come to, outside of the branch. Of two in the arms of one branch the
// arm that writes comes first.
func EndBranch(p *code.Program, f *finding.Finding) []*code.Patch {
	r := f.Repair
	var arms []*code.Patch
	if r.Placed() && r.Call == finding.Syncwarp {
		arms = writesFirst(p, f, r)
	}
	return append(arms, CallAround(p, f)...)
}

// writesFirst executes two branches one after the other, the one that writes first: that is what the other is to read. Of two writes nothing
// says which is to be the last, nor does it where the branch that reads comes first in the text and in time.
func writesFirst(p *code.Program, f *finding.Finding, r *finding.Repair) []*code.Patch {
	_, from := p.At(r.From.Pos)
	_, to := p.At(r.To.Pos)
	wrote := slices.ContainsFunc(code.Places(f), func(at finding.Place) bool { return at.Loc.Pos == r.From.Pos && at.Access == finding.Write })
	if !wrote || from == nil || to == nil || f.Kind == "WAW" || f.Kind == "WAR" && from.From > to.From {
		return nil
	}
	return alternatives(r.Call, from, to)
}

// branched are the patches that add a barrier between two statements of which a branch keeps some threads away.
func branched(r *finding.Repair, from, to *code.Statement) (out []*code.Patch) {
	if from == nil || to == nil {
		return nil
	}
	if from == to {
		return append(valueFirst(r.Call, from), conditionFirst(r.Call, from)...)
	}
	if to.Outer != nil && from == to.Outer { // the condition reads what the branch writes
		out = conditionFirst(r.Call, to)
	}
	return out
}

// branchOf is the if without else whose only statement is s, with the text of its condition, which can be evaluated again; nil for none.
func branchOf(s *code.Statement) (*code.Statement, string) {
	branch := s.Outer
	if branch != nil && branch.IsList() && len(branch.Inner) == 1 {
		branch = branch.Outer
	}
	if branch == nil || branch.Node.Kind != "IfStmt" || branch.Node.Else || len(branch.Node.Inner) != 2 || branch.Outer == nil || !branch.Outer.IsList() || branch.Node.Begin.Macro {
		return nil, ""
	}
	if cond := branch.Node.Child(0); !code.Acts(cond) {
		return branch, branch.Text(cond)
	}
	return nil, ""
}

// conditionRead reports whether an access of a finding is in the condition of the branch that a statement is in.
func conditionRead(p *code.Program, f *finding.Finding, s *code.Statement) bool {
	branch, _ := branchOf(s)
	return branch != nil && slices.ContainsFunc(code.Places(f), func(at finding.Place) bool {
		_, o := p.At(at.Loc.Pos)
		return o == branch
	})
}

// valueFirst lets an assignment in a branch compute its value before the barrier, and store it after it.
func valueFirst(call string, s *code.Statement) []*code.Patch {
	n := s.Node
	branch, condition := branchOf(s)
	if condition == "" || n.Kind != "CompoundAssignOperator" && (n.Kind != "BinaryOperator" || n.Opcode != "=") {
		return nil
	}
	object, value := s.Text(n.Child(0)), s.Text(n.Child(1))
	kind := strings.TrimPrefix(strings.TrimPrefix(n.Child(0).Desugared, "const "), "volatile ")
	if object == "" || value == "" || !code.Arithmetic[kind] {
		return nil
	}
	line := s.File.Line(s.From)
	name := s.Unused(fmt.Sprintf("next%d", line))
	parts := slices.Concat([]string{kind + " " + name + " = 0;", "if (" + condition + ") " + name + " = " + value + ";"}, code.CallLines(call),
		[]string{"if (" + condition + ") " + object + " " + n.Opcode + " " + name + ";"})
	return []*code.Patch{instead(branch, fmt.Sprintf("add %s between the read and the write of line %d, for all threads", code.InOneLine(call), line), parts...)}
}

// outlived are declarations, before a branch, of the variables that a list of statements declares before one of them and uses from there
// on, and the edits that make assignments of theirs. ok is false where one cannot be declared so.
func outlived(list, s *code.Statement) (declared []string, edits []code.Edit, ok bool) {
	i := slices.Index(list.Inner, s)
	for _, d := range list.Inner[:max(i, 0)] {
		if d.Node.Kind != "DeclStmt" {
			continue
		}
		used := false
		for _, v := range d.Node.Inner {
			used = used || v != nil && slices.ContainsFunc(list.Inner[i:], func(o *code.Statement) bool { return code.Mentions(o.Node, map[string]bool{v.ID: true}) })
		}
		v := d.Node.Child(0)
		if !used || v.Has("CUDASharedAttr") {
			continue
		}
		if len(d.Node.Inner) != 1 || v.Kind != "VarDecl" || !code.Arithmetic[v.Desugared] || v.Loc.Macro || len(v.Inner) == 0 {
			return nil, nil, false
		}
		declared = append(declared, strings.TrimPrefix(v.Desugared, "const ")+" "+v.Name+" = 0;")
		edits = append(edits, d.File.Replace(d.From, v.Loc.Off, ""))
	}
	return declared, edits, true
}

// conditionFirst evaluates the condition of a branch before the barrier, and executes the branch after it.
func conditionFirst(call string, s *code.Statement) []*code.Patch {
	branch, condition := branchOf(s)
	if condition == "" || !readsShared(branch.Node.Child(0)) {
		return nil
	}
	line := s.File.Line(branch.From)
	name := branch.Unused(fmt.Sprintf("taken%d", line))
	cond := branch.Node.Child(0)
	before := append([]string{"bool " + name + " = " + condition + ";"}, code.CallLines(call)...)
	edits := func(sep string) []code.Edit {
		return []code.Edit{branch.Insert(branch.From, strings.Join(before, sep)+sep), branch.File.Replace(cond.Begin.Off, cond.End.End(), name)}
	}
	return []*code.Patch{{Edits: edits("\n" + branch.Indent()), Inline: edits(" "), What: fmt.Sprintf("add %s between the condition of line %d and its branch", code.InOneLine(call), line)}}
}

// readsShared reports whether an expression reads memory that threads may share.
func readsShared(n *syntax.Node) bool {
	return n != nil && (code.ReadsMemory(n) || n.Ref != nil && n.Ref.Kind == "VarDecl" || slices.ContainsFunc(n.Inner, readsShared))
}

// alternatives executes the two branches of an if one after the other, with a barrier between them: the one that writes first.
func alternatives(call string, from, to *code.Statement) []*code.Patch {
	if from == nil || to == nil {
		return nil
	}
	a, b, common := code.Fork(from, to)
	if common == 0 || common >= len(a) || common >= len(b) {
		return nil
	}
	branch := a[common-1]
	n := branch.Node
	if n.Kind != "IfStmt" || !n.Else || len(n.Inner) != 3 || len(branch.Inner) != 2 || branch.Outer == nil || !branch.Outer.IsList() || n.Begin.Macro || code.Acts(n.Child(0)) {
		return nil
	}
	condition := branch.Text(n.Child(0))
	if condition == "" || code.HasBarrier(branch) {
		return nil
	}
	first, then := branch.Inner[0], branch.Inner[1]
	whole, other := "if ("+condition+") ", "if (!("+condition+")) "
	if a[common] == then {
		first, then, whole, other = then, first, other, whole
	}
	text := func(s *code.Statement) string { return string(s.File.Text[s.From:s.To]) }
	return []*code.Patch{instead(branch, fmt.Sprintf("execute line %d before line %d, with %s between the branches", from.File.Line(from.From), to.File.Line(to.From), code.InOneLine(call)),
		slices.Concat([]string{whole + text(first)}, code.CallLines(call), []string{other + text(then)})...)}
}

// instead puts statements in the place of one.
func instead(s *code.Statement, what string, parts ...string) *code.Patch {
	return &code.Patch{Edits: []code.Edit{s.File.Replace(s.From, s.To, strings.Join(parts, "\n"+s.Indent()))},
		Inline: []code.Edit{s.File.Replace(s.From, s.To, strings.Join(parts, " "))}, What: what}
}

// afterReturn adds a barrier between two statements of which some threads have returned before: these come to it, and to those that
// follow.
func afterReturn(p *code.Program, r *finding.Repair) []*code.Patch {
	fn, from := p.At(r.From.Pos)
	_, to := p.At(r.To.Pos)
	if from == nil || to == nil || from == to || !fn.Void {
		return nil
	}
	list := fn.Body.Inner
	holds := func(s *code.Statement) func(*code.Statement) bool {
		return func(o *code.Statement) bool { return o.Holds(s.From) }
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
		name := e.Unused(fmt.Sprintf("active%d", fn.File.Line(e.From)))
		before, after := &later{name: name}, &later{name: name}
		if !before.list(list[at+1:k]) || !after.list(list[k:]) {
			continue
		}
		edits := func(sep string) []code.Edit {
			out := append([]code.Edit{fn.File.Replace(e.From, e.To, "bool "+name+" = !("+condition+");")}, before.edits...)
			return slices.Concat(out, []code.Edit{list[k].Insert(list[k].From, strings.Join(code.CallLines(r.Call), sep)+sep)}, after.edits)
		}
		return []*code.Patch{{Edits: edits("\n" + list[k].Indent()), Inline: edits(" "),
			What: fmt.Sprintf("add %s before line %d, and let threads that return in line %d come to it", code.InOneLine(r.Call), fn.File.Line(list[k].From), fn.File.Line(e.From))}}
	}
	return nil
}

// earlyReturn is the condition under which a statement returns and does nothing else; "" for others.
func earlyReturn(e *code.Statement) string {
	if e.Node.Kind != "IfStmt" || e.Node.Else || len(e.Node.Inner) != 2 || len(e.Inner) != 1 || !returnsOnly(e.Inner[0]) {
		return ""
	}
	return e.Text(e.Node.Child(0))
}
