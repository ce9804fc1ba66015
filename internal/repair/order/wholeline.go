package order

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// callForWholeLine puts a barrier between all steps of several assignments in one line, as in the last steps of a reduction within a warp: behind each
// read of a value, and behind each write. A finding names the line, and one barrier of several leaves another race in it.
func callForWholeLine(p *code.Program, r *finding.Repair) []*code.Patch {
	_, from := p.At(r.From.Pos)
	_, to := p.At(r.To.Pos)
	if from == nil || to == nil || from.Outer == nil || from.Outer != to.Outer || !from.Outer.IsList() || from.Node.Begin.Macro {
		return nil
	}
	line := from.File.Line(from.From)
	var all []*code.Statement
	for _, s := range from.Outer.Inner {
		if s.File.Line(s.From) == line {
			all = append(all, s)
		}
	}
	if len(all) < 2 {
		return nil
	}
	var parts []string
	for i, s := range all {
		object, value := s.Text(s.Node.Child(0)), s.Text(s.Node.Child(1))
		if s.Node.Kind != "CompoundAssignOperator" && (s.Node.Kind != "BinaryOperator" || s.Node.Opcode != "=") || object == "" || value == "" {
			return nil
		}
		name := s.Unused(fmt.Sprintf("next%d_%d", line, i+1))
		parts = append(parts, "auto "+name+" = "+value+";", r.Call+";", fmt.Sprintf("%s %s %s;", object, s.Node.Opcode, name))
		if i < len(all)-1 {
			parts = append(parts, r.Call+";")
		}
	}
	return []*code.Patch{onOwnLines(all, fmt.Sprintf("add %s between the steps of line %d", r.Call, line), parts)}
}

// onOwnLines puts statements in the place of those of a line, with the braces of their list on lines of their own if these are in the line.
func onOwnLines(all []*code.Statement, what string, parts []string) *code.Patch {
	one, last := all[0], all[len(all)-1]
	list, file := one.Outer, one.File
	e := file.Replace(one.From, last.To, strings.Join(parts, "\n"+one.Indent()))
	if file.Line(list.From) == file.Line(one.From) && file.Line(list.To-1) == file.Line(last.To-1) && len(all) == len(list.Inner) {
		sep := "\n" + list.Indent() + list.Unit()
		e = file.Replace(list.From+1, list.To-1, sep+strings.Join(parts, sep)+"\n"+list.Indent())
	}
	return &code.Patch{Edits: []code.Edit{e}, Inline: []code.Edit{file.Replace(one.From, last.To, strings.Join(parts, " "))}, What: what}
}
