package repair

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// wholeLine puts a barrier between all steps of several assignments in one line, as in the last steps of a reduction within a warp: behind each
// read of a value, and behind each write. A finding names the line, and one barrier of several leaves another race in it.
func (p *Program) wholeLine(r *finding.Repair) []*Patch {
	_, from := p.at(r.From.Pos)
	_, to := p.at(r.To.Pos)
	if from == nil || to == nil || from.outer == nil || from.outer != to.outer || !from.outer.isList() || from.node.Begin.Macro {
		return nil
	}
	line := from.file.line(from.from)
	var all []*statement
	for _, s := range from.outer.inner {
		if s.file.line(s.from) == line {
			all = append(all, s)
		}
	}
	if len(all) < 2 {
		return nil
	}
	var parts []string
	for i, s := range all {
		object, value := s.text(s.node.Child(0)), s.text(s.node.Child(1))
		if s.node.Kind != "CompoundAssignOperator" && (s.node.Kind != "BinaryOperator" || s.node.Opcode != "=") || object == "" || value == "" {
			return nil
		}
		name := s.unused(fmt.Sprintf("next%d_%d", line, i+1))
		parts = append(parts, "auto "+name+" = "+value+";", r.Call+";", fmt.Sprintf("%s %s %s;", object, s.node.Opcode, name))
		if i < len(all)-1 {
			parts = append(parts, r.Call+";")
		}
	}
	return []*Patch{onOwnLines(all, fmt.Sprintf("add %s between the steps of line %d", r.Call, line), parts)}
}

// onOwnLines puts statements in the place of those of a line, with the braces of their list on lines of their own if these are in the line.
func onOwnLines(all []*statement, what string, parts []string) *Patch {
	one, last := all[0], all[len(all)-1]
	list, file := one.outer, one.file
	e := Edit{file.Name, one.from, last.to, strings.Join(parts, "\n"+one.indent())}
	if file.line(list.from) == file.line(one.from) && file.line(list.to-1) == file.line(last.to-1) && len(all) == len(list.inner) {
		sep := "\n" + list.indent() + list.unit()
		e = Edit{file.Name, list.from + 1, list.to - 1, sep + strings.Join(parts, sep) + "\n" + list.indent()}
	}
	return &Patch{Edits: []Edit{e}, Inline: []Edit{{file.Name, one.from, last.to, strings.Join(parts, " ")}}, What: what}
}
