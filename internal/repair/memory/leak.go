package memory

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// FreeAtEnd frees memory that the program still holds at its end: at the end of what declares the pointer, after the
// last statement that names it, or in the pass of a loop that allocated it.
func FreeAtEnd(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, all := p.InLine(f.Primary.Loc.Pos)
	var out []*code.Patch
	for _, s := range all {
		out = append(out, releasedAt(p, fn, s)...)
	}
	if !f.Primary.Loc.IsValid() || f.Object != nil && f.Object.Kind == finding.Heap { // device code allocates it
		for _, fn := range p.Functions {
			if fn.Node.Has("CUDAGlobalAttr") || fn.Node.Has("CUDADeviceAttr") {
				fn.Each(func(s *code.Statement) { out = append(out, releasedAt(p, fn, s)...) })
			}
		}
	}
	return code.Distinct(out)
}

// releasedAt frees what a statement of a function allocates: in the function if the pointer is its own, at the end of main if it is
// one of the program's.
func releasedAt(p *code.Program, fn *code.Function, s *code.Statement) (out []*code.Patch) {
	eachAllocation(s, s.Node, "", func(pointer string, call *syntax.Node) {
		a := allocates[code.Callee(call)]
		texts := []any{pointer}
		if a.stream > 0 {
			stream := s.Argument(code.Stripped(call.Child(a.stream)))
			if stream == "" {
				return
			}
			texts = append(texts, stream)
		}
		at := s.Written()
		c := code.Calls{Text: hostCall{s}.like(call, a.free, texts)}
		list := scopeOfPointer(fn, call, s, at)
		if list == nil {
			list = mainFor(p, pointerVariables(call, s))
		}
		if list == nil {
			return
		}
		if len(list.Inner) > 0 {
			if last := list.Inner[len(list.Inner)-1]; code.Leaves(last) {
				c.Before(last)
			} else {
				c.Behind(last)
			}
			if !list.Holds(at.From) { // the end of main
				for _, patch := range c.Patches {
					patch.What = fmt.Sprintf("free %s: %s", pointer, patch.What)
				}
				out = append(out, c.Patches...)
				return
			}
			var use *code.Statement
			for _, in := range list.Inner {
				if in.From >= at.From && code.Mentions(in.Node, pointerVariables(call, s)) || in.Holds(at.From) {
					use = in
				}
			}
			if use != nil && !code.Leaves(use) {
				c.Behind(use)
			}
		}
		c.Behind(at)
		for _, patch := range c.Patches {
			patch.What = fmt.Sprintf("free %s: %s", pointer, patch.What)
		}
		out = append(out, c.Patches...)
	})
	return out
}

// mainFor is the body of main, if variables are the program's, so that it can name them; else nil.
func mainFor(p *code.Program, ids map[string]bool) *code.Statement {
	named := 0
	for _, v := range p.Variables {
		if ids[v.ID] {
			named++
		}
	}
	if named == 0 || named < len(ids) {
		return nil
	}
	for _, fn := range p.Functions {
		if fn.Node.Name == "main" && fn.Node.Kind == "FunctionDecl" {
			return fn.Body
		}
	}
	return nil
}

// pointerVariables are the IDs of the variables that an allocation stores its pointer in, or by which it finds that place.
func pointerVariables(call *syntax.Node, s *code.Statement) map[string]bool {
	ids := map[string]bool{}
	n := call.Child(allocates[code.Callee(call)].pointer)
	if allocates[code.Callee(call)].pointer == 0 {
		n = s.Node
	}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil || n == call {
			return
		}
		if n.Kind == "VarDecl" {
			ids[n.ID] = true
		}
		if n.Ref != nil && (n.Ref.Kind == "VarDecl" || n.Ref.Kind == "ParmVarDecl") {
			ids[n.Ref.ID] = true
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(n)
	return ids
}

// scopeOfPointer is the list of statements in which all variables can be named by which a call finds the pointer that it sets: the
// innermost one around the call that declares one of them, or that of main. There is none for what is not the function's own.
func scopeOfPointer(fn *code.Function, call *syntax.Node, s, at *code.Statement) *code.Statement {
	ids := pointerVariables(call, s)
	for o := at; o.Outer != nil; o = o.Outer {
		if !o.Outer.IsList() {
			if o.Outer.Node.Kind == "ForStmt" && declares(o.Outer.Node.Child(0), ids) {
				return o
			}
			continue
		}
		if slices.ContainsFunc(o.Outer.Inner, func(d *code.Statement) bool { return declares(d.Node, ids) }) {
			return o.Outer
		}
	}
	if fn.Node.Name == "main" {
		return fn.Body
	}
	return nil
}

// declares reports whether a statement declares one of some variables.
func declares(n *syntax.Node, ids map[string]bool) bool {
	return n != nil && n.Kind == "DeclStmt" && slices.ContainsFunc(n.Inner, func(v *syntax.Node) bool { return v != nil && ids[v.ID] })
}
