package repair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// The orders that an operation of cuda::atomic needs to publish what comes before it, to see what another thread has published,
// and both (libcu++, "cuda::atomic"; C++ [atomics.order]).
const (
	acquires = "acquire"
	releases = "release"
	both     = "acq_rel"
)

// atomicMembers are the member functions of atomics by the order that they need.
var atomicMembers = map[string]string{"load": acquires, "test": acquires, "wait": acquires, "store": releases, "clear": releases,
	"exchange": both, "compare_exchange_strong": both, "compare_exchange_weak": both, "test_and_set": both,
	"fetch_add": both, "fetch_sub": both, "fetch_and": both, "fetch_or": both, "fetch_xor": both, "fetch_max": both, "fetch_min": both,
	"atomic_thread_fence": both}

// weakerOrders are the orders that do not do as much as another.
var weakerOrders = map[string][]string{acquires: {"relaxed", "consume"}, releases: {"relaxed"}, both: {"relaxed", "consume", acquires, releases}}

// reordered gives the operations of atomics in the functions of a finding the order that they need to publish and to see what
// others write: all of them, and one by one.
func (p *Program) reordered(f *finding.Finding) []*Patch {
	var each []*Patch
	for _, fn := range p.functionsOf(f) {
		var visit func(n *syntax.Node)
		visit = func(n *syntax.Node) {
			if n == nil {
				return
			}
			if n.Kind == "CXXMemberCallExpr" || n.Kind == "CallExpr" {
				each = append(each, fn.stronger(n)...)
			}
			for _, c := range n.Inner {
				visit(c)
			}
		}
		visit(fn.body.node)
	}
	if each = distinct(each); len(each) < 2 {
		return each
	}
	return append([]*Patch{Join(each...)}, each...)
}

// strongerAt gives the atomic operation of a repair its order: one of cuda::atomic and its functions, or an instruction of inline
// assembly; nil where there is none, or its order is not a constant there.
func (p *Program) strongerAt(o finding.Ordering) *Patch {
	fn, s, off := p.place(o.At.Pos)
	if s == nil {
		return nil
	}
	var found *Patch
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if (n.Kind == "CXXMemberCallExpr" || n.Kind == "CallExpr") && n.Begin.Off <= off && off < n.End.End() {
			if made := fn.ordered(n, string(o.Order)); len(made) > 0 {
				found = made[0] // of the innermost call
			}
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(s.node)
	for _, a := range assembliesIn(s) {
		for i := range a.instructions {
			for _, made := range ordered(a, &a.instructions[i]) {
				if found == nil && made.Inline[0].Text == string(o.Order) {
					found = made
				}
			}
		}
	}
	return found
}

// stronger gives the operation of a call the order that it needs to publish and to see what others write.
func (fn *function) stronger(call *syntax.Node) []*Patch {
	return fn.ordered(call, atomicMembers[atomicMember(call)])
}

// atomicMember is the name of the operation that a call makes on an atomic object: that of a member function, which the functions of the
// same purpose have between "atomic_" and "_explicit" ([atomics.nonmembers]).
func atomicMember(call *syntax.Node) string {
	if m := stripped(call.Child(0)); m != nil && m.Kind == "MemberExpr" {
		return m.Name
	}
	name := callee(call)
	if f, ok := strings.CutSuffix(name, "_explicit"); ok {
		return strings.TrimPrefix(f, "atomic_")
	}
	return name
}

// ordered gives the operation of a call an order, where it has a weaker one.
func (fn *function) ordered(call *syntax.Node, need string) (out []*Patch) {
	if atomicMembers[atomicMember(call)] == "" || len(call.Inner) < 2 {
		return nil
	}
	for _, a := range call.Inner[1:] {
		n := stripped(a)
		if n == nil || n.Ref == nil || n.Ref.Kind != "EnumConstantDecl" && n.Ref.Kind != "VarDecl" {
			continue
		}
		order := strings.TrimPrefix(n.Ref.Name, "memory_order_")
		text := fn.body.text(n)
		if !slices.Contains(weakerOrders[need], order) || !strings.HasSuffix(text, order) {
			continue
		}
		now := strings.TrimSuffix(text, order) + need
		edits := []Edit{{fn.file.Name, n.Begin.Off, n.End.End(), now}}
		out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", now, fn.file.line(n.Begin.Off))})
	}
	return out
}

// functionsOf are the functions in which the places of a finding are, and those into which these were inlined.
func (p *Program) functionsOf(f *finding.Finding) (out []*function) {
	for _, at := range places(f) {
		for _, pos := range append([]source.Pos{at.Loc.Pos}, at.Loc.InlinedAt...) {
			if fn, _ := p.at(pos); fn != nil && !slices.Contains(out, fn) {
				out = append(out, fn)
			}
		}
	}
	return out
}

// rescoped writes a wider scope for others of cuda::atomic and the like, everywhere in the program: types of parameters and
// variables have to agree.
func rescoped(p *Program, wide string, narrow ...string) []*Patch {
	var each []*Patch
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		file := p.files[name]
		for i := 0; i < len(file.Text); {
			word := syntax.WordAt(file.Text, i)
			if word == "" {
				i = syntax.SkipToken(file.Text, i)
				continue
			}
			if slices.Contains(narrow, word) {
				edits := []Edit{{file.Name, i, i + len(word), wide}}
				each = append(each, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", wide, file.line(i))})
			}
			i += len(word)
		}
	}
	if len(each) == 0 {
		return nil
	}
	return append([]*Patch{Join(each...)}, first(8, each)...)
}

// forSystem lets the atomic functions and fences of a finding's functions be those of the system: the host takes part.
func forSystem(p *Program, f *finding.Finding) []*Patch {
	var each []*Patch
	for _, fn := range p.functionsOf(f) {
		for _, call := range calling(fn.body.node, func(name string) bool { return systemWide(name) != "" }) {
			at, name := stripped(call.Child(0)), callee(call)
			if fn.body.text(at) != name {
				continue
			}
			edits := []Edit{{fn.file.Name, at.Begin.Off, at.End.End(), systemWide(name)}}
			each = append(each, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", systemWide(name), fn.file.line(at.Begin.Off))})
		}
	}
	if each = distinct(each); len(each) < 2 {
		return each
	}
	return append([]*Patch{Join(each...)}, each...)
}

// systemWide is the function with the scope of the system for one with a narrower scope, "" for others.
func systemWide(name string) string {
	switch base := strings.TrimSuffix(name, "_block"); {
	case base == "__threadfence":
		return "__threadfence_system"
	case atomicFunctions[base]:
		return base + "_system"
	}
	return ""
}

// atomicFunctions are those with a twin for the block and one for the system (CUDA C++ Programming Guide, "Atomic Functions").
var atomicFunctions = map[string]bool{"atomicAdd": true, "atomicSub": true, "atomicExch": true, "atomicMin": true, "atomicMax": true, "atomicInc": true,
	"atomicDec": true, "atomicCAS": true, "atomicAnd": true, "atomicOr": true, "atomicXor": true}

// fencedTwice adds a fence to both sides of a flag: after what is written before the flag is set, and before what is read
// after it was seen.
func fencedTwice(p *Program, f *finding.Finding) []*Patch {
	if len(f.Related) == 0 {
		return nil
	}
	_, a := p.at(f.Related[0].Loc.Pos)
	_, z := p.at(f.Primary.Loc.Pos)
	if a == nil || z == nil || a == z {
		return nil
	}
	fence := "__threadfence()"
	if f.Repair.Call != "" {
		fence = f.Repair.Call
	}
	c, d := calls{text: fence + ";"}, calls{text: fence + ";"}
	c.behind(a)
	d.before(z)
	var out []*Patch
	for _, x := range c.patches {
		for _, y := range d.patches {
			out = append(out, Join(x, y))
		}
	}
	return out
}
