package memory

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
)

// hostAccess is an object that host code accesses through a pointer.
type hostAccess struct {
	s    *code.Statement
	node *syntax.Node
	// pointer is the variable that leads to it.
	pointer *syntax.Node
	// reads and writes tell how it is accessed.
	reads, writes bool
}

// CopyToHost lets the host access a copy of an object in the device's memory, or managed memory, and copies and fills by
// functions of CUDA.
func CopyToHost(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, all := p.InLine(f.Primary.Loc.Pos)
	var out, managed []*code.Patch
	for _, s := range all {
		if s.Outer == nil || s.IsList() || s.Node.Begin.Macro {
			continue
		}
		out = append(out, throughCUDA(s)...)
		for _, a := range hostAccesses(s) {
			out = append(out, a.copied())
			managed = append(managed, allocateManaged(fn, s.Text(a.pointer))...)
		}
	}
	return code.Distinct(append(out, managed...))
}

// hostAccesses are the objects that a statement accesses through pointers.
func hostAccesses(s *code.Statement) (out []hostAccess) {
	var visit func(n, parent *syntax.Node)
	visit = func(n, parent *syntax.Node) {
		if n == nil || s.IsInner(n) {
			return
		}
		var pointer *syntax.Node
		switch {
		case n.Kind == "ArraySubscriptExpr":
			pointer = code.Uncast(n.Child(0))
		case n.Kind == "UnaryOperator" && n.Opcode == "*":
			if pointer = code.Uncast(n.Child(0)); guard.Offset(pointer) != nil {
				for _, side := range pointer.Inner {
					if side != guard.Offset(pointer) {
						pointer = code.Uncast(side)
					}
				}
			}
		}
		if pointer != nil && code.IsPointer(pointer) && s.Text(pointer) != "" && s.Text(n) != "" {
			a := hostAccess{s: s, node: n, pointer: pointer}
			switch {
			case parent == nil:
			case parent.Kind == "ImplicitCastExpr" && parent.Cast == "LValueToRValue":
				a.reads = true
			case parent.Kind == "BinaryOperator" && parent.Opcode == "=" && parent.Child(0) == n:
				a.writes = true
			case parent.Kind == "CompoundAssignOperator" && parent.Child(0) == n, parent.Kind == "UnaryOperator" && (parent.Opcode == "++" || parent.Opcode == "--"):
				a.reads, a.writes = true, true
			}
			if a.reads || a.writes {
				out = append(out, a)
			}
		}
		for _, c := range n.Inner {
			visit(c, n)
		}
	}
	visit(s.Node, nil)
	return out
}

// copied lets the statement access a copy, which it takes before and writes back after.
func (a hostAccess) copied() *code.Patch {
	s := a.s
	if s.IsLoop() || s.Node.Kind == "SwitchStmt" || a.writes && (len(s.Inner) > 0 || s.Node.Kind == "DeclStmt" || code.Leaves(s)) {
		return nil
	}
	text := s.Text(a.node)
	name := s.Unused(fmt.Sprintf("copy%d", s.File.Line(s.From)))
	before := []string{strings.TrimPrefix(a.node.Type, "const ") + " " + name + ";"}
	if a.reads {
		before = append(before, s.Checked("cudaMemcpy(&"+name+", &"+text+", sizeof("+name+"), cudaMemcpyDeviceToHost)")+";")
	}
	var after []string
	if a.writes {
		after = append(after, s.Checked("cudaMemcpy(&"+text+", &"+name+", sizeof("+name+"), cudaMemcpyHostToDevice)")+";")
	}
	use := s.File.Replace(a.node.Begin.Off, a.node.End.End(), name)
	patch := &code.Patch{What: fmt.Sprintf("copy %s between the device and the host for line %d", text, s.File.Line(s.From))}
	edits := func(sep, more string, at int) []code.Edit {
		end := ""
		if !s.Outer.IsList() {
			end, sep = sep+"}", sep+more
		}
		first, last := strings.Join(before, sep)+sep, ""
		for _, text := range after {
			last += sep + text
		}
		if end != "" {
			first, last = "{"+sep+first, last+end
		}
		out := []code.Edit{s.Insert(s.From, first), use}
		if last != "" {
			out = append(out, s.Insert(at, last))
		}
		return out
	}
	patch.Edits, patch.Inline = edits("\n"+s.Indent(), s.Unit(), s.LineEnd()), edits(" ", "", s.To)
	return patch
}

// allocateManaged allocates managed memory for a pointer that the host follows.
func allocateManaged(fn *code.Function, pointer string) (out []*code.Patch) {
	eachAllocating(fn, pointer, func(owner *code.Statement, call *syntax.Node) {
		if code.Callee(call) != "cudaMalloc" || len(call.Inner) != 3 {
			return
		}
		rename := code.Rewrite(owner, code.Stripped(call.Child(0)), "cudaMallocManaged")
		if rename == nil {
			return
		}
		rename.What = fmt.Sprintf("allocate %s as managed memory in line %d", pointer, owner.File.Line(owner.From))
		out = append(out, rename)
	})
	return out
}

// throughCUDA copies and fills by functions of CUDA instead of those of C.
func throughCUDA(s *code.Statement) (out []*code.Patch) {
	of := map[string]string{"memcpy": "cudaMemcpy", "memmove": "cudaMemcpy", "memset": "cudaMemset"}
	for _, call := range code.Calling(s.Node, func(name string) bool { return of[name] != "" }) {
		if len(call.Inner) != 4 || s.Text(call) == "" {
			continue
		}
		name := of[code.Callee(call)]
		arguments := s.Text(call.Child(1)) + ", " + s.Text(call.Child(2)) + ", " + s.Text(call.Child(3))
		if name == "cudaMemcpy" {
			arguments += ", cudaMemcpyDefault"
		}
		patch := code.Rewrite(s, call, name+"("+arguments+")")
		out = append(out, patch)
	}
	return code.Distinct(out)
}
