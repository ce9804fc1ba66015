package repair

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// released frees memory that the program still holds at its end: at the end of what declares the pointer, after the
// last statement that names it, or in the pass of a loop that allocated it.
func (p *Program) released(f *finding.Finding) []*Patch {
	fn, all := p.inLine(f.Primary.Loc.Pos)
	var out []*Patch
	for _, s := range all {
		out = append(out, releasedAt(p, fn, s)...)
	}
	if !f.Primary.Loc.IsValid() || f.Object != nil && f.Object.Kind == finding.Heap { // device code allocates it
		for _, fn := range p.functions {
			if fn.node.Has("CUDAGlobalAttr") || fn.node.Has("CUDADeviceAttr") {
				fn.each(func(s *statement) { out = append(out, releasedAt(p, fn, s)...) })
			}
		}
	}
	return distinct(out)
}

// releasedAt frees what a statement of a function allocates: in the function if the pointer is its own, at the end of main if it is
// one of the program's.
func releasedAt(p *Program, fn *function, s *statement) (out []*Patch) {
	eachAllocation(s, s.node, "", func(pointer string, call *syntax.Node) {
		a := allocates[callee(call)]
		texts := []any{pointer}
		if a.stream > 0 {
			stream := s.argument(stripped(call.Child(a.stream)))
			if stream == "" {
				return
			}
			texts = append(texts, stream)
		}
		at := s.written()
		c := calls{text: hostCall{s}.like(call, a.free, texts)}
		list := fn.scope(call, s, at)
		if list == nil {
			list = mainFor(p, pointerVariables(call, s))
		}
		if list == nil {
			return
		}
		if len(list.inner) > 0 {
			if last := list.inner[len(list.inner)-1]; leaves(last) {
				c.before(last)
			} else {
				c.behind(last)
			}
			if !list.holds(at.from) { // the end of main
				for _, patch := range c.patches {
					patch.What = fmt.Sprintf("free %s: %s", pointer, patch.What)
				}
				out = append(out, c.patches...)
				return
			}
			var use *statement
			for _, in := range list.inner {
				if in.from >= at.from && mentions(in.node, pointerVariables(call, s)) || in.holds(at.from) {
					use = in
				}
			}
			if use != nil && !leaves(use) {
				c.behind(use)
			}
		}
		c.behind(at)
		for _, patch := range c.patches {
			patch.What = fmt.Sprintf("free %s: %s", pointer, patch.What)
		}
		out = append(out, c.patches...)
	})
	return out
}

// each visits the innermost statements of a function.
func (fn *function) each(visit func(*statement)) {
	var inner func(s *statement)
	inner = func(s *statement) {
		for _, in := range s.inner {
			inner(in)
		}
		if len(s.inner) == 0 && s.outer != nil {
			visit(s)
		}
	}
	inner(fn.body)
}

// mainFor is the body of main, if variables are the program's, so that it can name them; else nil.
func mainFor(p *Program, ids map[string]bool) *statement {
	named := 0
	for _, v := range p.variables {
		if ids[v.ID] {
			named++
		}
	}
	if named == 0 || named < len(ids) {
		return nil
	}
	for _, fn := range p.functions {
		if fn.node.Name == "main" && fn.node.Kind == "FunctionDecl" {
			return fn.body
		}
	}
	return nil
}

// pointerVariables are the IDs of the variables that an allocation stores its pointer in, or by which it finds that place.
func pointerVariables(call *syntax.Node, s *statement) map[string]bool {
	ids := map[string]bool{}
	n := call.Child(allocates[callee(call)].pointer)
	if allocates[callee(call)].pointer == 0 {
		n = s.node
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

// scope is the list of statements in which all variables can be named by which a call finds the pointer that it sets: the
// innermost one around the call that declares one of them, or that of main. There is none for what is not the function's own.
func (fn *function) scope(call *syntax.Node, s, at *statement) *statement {
	ids := pointerVariables(call, s)
	for o := at; o.outer != nil; o = o.outer {
		if !o.outer.isList() {
			if o.outer.node.Kind == "ForStmt" && declares(o.outer.node.Child(0), ids) {
				return o
			}
			continue
		}
		if slices.ContainsFunc(o.outer.inner, func(d *statement) bool { return declares(d.node, ids) }) {
			return o.outer
		}
	}
	if fn.node.Name == "main" {
		return fn.body
	}
	return nil
}

// declares reports whether a statement declares one of some variables.
func declares(n *syntax.Node, ids map[string]bool) bool {
	return n != nil && n.Kind == "DeclStmt" && slices.ContainsFunc(n.Inner, func(v *syntax.Node) bool { return v != nil && ids[v.ID] })
}
