package repair

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// hostAccess is an object that host code accesses through a pointer.
type hostAccess struct {
	s    *statement
	node *syntax.Node
	// pointer is the variable that leads to it.
	pointer *syntax.Node
	// reads and writes tell how it is accessed.
	reads, writes bool
}

// copiedToHost lets the host access a copy of an object in the device's memory, or managed memory, and copies and fills by
// functions of CUDA.
func (p *Program) copiedToHost(f *finding.Finding) []*Patch {
	fn, all := p.inLine(f.Primary.Loc.Pos)
	var out, managed []*Patch
	for _, s := range all {
		if s.outer == nil || s.isList() || s.node.Begin.Macro {
			continue
		}
		out = append(out, throughCUDA(s)...)
		for _, a := range hostAccesses(s) {
			out = append(out, a.copied())
			managed = append(managed, fn.managed(s.text(a.pointer))...)
		}
	}
	return distinct(append(out, managed...))
}

// hostAccesses are the objects that a statement accesses through pointers.
func hostAccesses(s *statement) (out []hostAccess) {
	var visit func(n, parent *syntax.Node)
	visit = func(n, parent *syntax.Node) {
		if n == nil || s.isInner(n) {
			return
		}
		var pointer *syntax.Node
		switch {
		case n.Kind == "ArraySubscriptExpr":
			pointer = uncast(n.Child(0))
		case n.Kind == "UnaryOperator" && n.Opcode == "*":
			if pointer = uncast(n.Child(0)); offset(pointer) != nil {
				for _, side := range pointer.Inner {
					if side != offset(pointer) {
						pointer = uncast(side)
					}
				}
			}
		}
		if pointer != nil && isPointer(pointer) && s.text(pointer) != "" && s.text(n) != "" {
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
	visit(s.node, nil)
	return out
}

// copied lets the statement access a copy, which it takes before and writes back after.
func (a hostAccess) copied() *Patch {
	s := a.s
	if s.isLoop() || s.node.Kind == "SwitchStmt" || a.writes && (len(s.inner) > 0 || s.node.Kind == "DeclStmt" || leaves(s)) {
		return nil
	}
	text := s.text(a.node)
	name := s.unused(fmt.Sprintf("copy%d", s.file.line(s.from)))
	before := []string{strings.TrimPrefix(a.node.Type, "const ") + " " + name + ";"}
	if a.reads {
		before = append(before, s.checked("cudaMemcpy(&"+name+", &"+text+", sizeof("+name+"), cudaMemcpyDeviceToHost)")+";")
	}
	var after []string
	if a.writes {
		after = append(after, s.checked("cudaMemcpy(&"+text+", &"+name+", sizeof("+name+"), cudaMemcpyHostToDevice)")+";")
	}
	use := Edit{s.file.Name, a.node.Begin.Off, a.node.End.End(), name}
	patch := &Patch{What: fmt.Sprintf("copy %s between the device and the host for line %d", text, s.file.line(s.from))}
	edits := func(sep, more string, at int) []Edit {
		end := ""
		if !s.outer.isList() {
			end, sep = sep+"}", sep+more
		}
		first, last := strings.Join(before, sep)+sep, ""
		for _, text := range after {
			last += sep + text
		}
		if end != "" {
			first, last = "{"+sep+first, last+end
		}
		out := []Edit{s.insert(s.from, first), use}
		if last != "" {
			out = append(out, s.insert(at, last))
		}
		return out
	}
	patch.Edits, patch.Inline = edits("\n"+s.indent(), s.unit(), s.lineEnd()), edits(" ", "", s.to)
	return patch
}

// managed allocates managed memory for a pointer that the host follows.
func (fn *function) managed(pointer string) (out []*Patch) {
	fn.allocating(pointer, func(owner *statement, call *syntax.Node) {
		if callee(call) != "cudaMalloc" || len(call.Inner) != 3 {
			return
		}
		rename := rewrite(owner, stripped(call.Child(0)), "cudaMallocManaged")
		if rename == nil {
			return
		}
		rename.What = fmt.Sprintf("allocate %s as managed memory in line %d", pointer, owner.file.line(owner.from))
		out = append(out, rename)
	})
	return out
}

// throughCUDA copies and fills by functions of CUDA instead of those of C.
func throughCUDA(s *statement) (out []*Patch) {
	of := map[string]string{"memcpy": "cudaMemcpy", "memmove": "cudaMemcpy", "memset": "cudaMemset"}
	for _, call := range calling(s.node, func(name string) bool { return of[name] != "" }) {
		if len(call.Inner) != 4 || s.text(call) == "" {
			continue
		}
		name := of[callee(call)]
		arguments := s.text(call.Child(1)) + ", " + s.text(call.Child(2)) + ", " + s.text(call.Child(3))
		if name == "cudaMemcpy" {
			arguments += ", cudaMemcpyDefault"
		}
		patch := rewrite(s, call, name+"("+arguments+")")
		out = append(out, patch)
	}
	return distinct(out)
}
