package order

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
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

// StrengthenOrders gives the operations of atomics in the functions of a finding the order that they need to publish and to see what
// others write: all of them, and one by one.
func StrengthenOrders(p *code.Program, f *finding.Finding) []*code.Patch {
	var each []*code.Patch
	for _, fn := range code.FunctionsOf(p, f) {
		var visit func(n *syntax.Node)
		visit = func(n *syntax.Node) {
			if n == nil {
				return
			}
			if n.Kind == "CXXMemberCallExpr" || n.Kind == "CallExpr" {
				each = append(each, strengthenCall(fn, n)...)
			}
			for _, c := range n.Inner {
				visit(c)
			}
		}
		visit(fn.Body.Node)
	}
	if each = code.Distinct(each); len(each) < 2 {
		return each
	}
	return append([]*code.Patch{code.Join(each...)}, each...)
}

// strengthenAt gives the atomic operation of a repair its order: one of cuda::atomic and its functions, or an instruction of inline
// assembly; nil where there is none, or its order is not a constant there.
func strengthenAt(p *code.Program, o finding.Ordering) *code.Patch {
	fn, s, off := p.Place(o.At.Pos)
	if s == nil {
		return nil
	}
	var found *code.Patch
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if (n.Kind == "CXXMemberCallExpr" || n.Kind == "CallExpr") && n.Begin.Off <= off && off < n.End.End() {
			if made := orderCall(fn, n, string(o.Order)); len(made) > 0 {
				found = made[0] // of the innermost call
			}
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(s.Node)
	for _, a := range code.AssembliesIn(s) {
		for i := range a.Instructions {
			for _, made := range Ordered(a, &a.Instructions[i]) {
				if found == nil && made.Inline[0].Text == string(o.Order) {
					found = made
				}
			}
		}
	}
	return found
}

// strengthenCall gives the operation of a call the order that it needs to publish and to see what others write.
func strengthenCall(fn *code.Function, call *syntax.Node) []*code.Patch {
	return orderCall(fn, call, atomicMembers[atomicMember(call)])
}

// atomicMember is the name of the operation that a call makes on an atomic object: that of a member function, which the functions of the
// same purpose have between "atomic_" and "_explicit" ([atomics.nonmembers]).
func atomicMember(call *syntax.Node) string {
	if m := code.Stripped(call.Child(0)); m != nil && m.Kind == "MemberExpr" {
		return m.Name
	}
	name := code.Callee(call)
	if f, ok := strings.CutSuffix(name, "_explicit"); ok {
		return strings.TrimPrefix(f, "atomic_")
	}
	return name
}

// orderCall gives the operation of a call an order, where it has a weaker one.
func orderCall(fn *code.Function, call *syntax.Node, need string) (out []*code.Patch) {
	if atomicMembers[atomicMember(call)] == "" || len(call.Inner) < 2 {
		return nil
	}
	for _, a := range call.Inner[1:] {
		n := code.Stripped(a)
		if n == nil || n.Ref == nil || n.Ref.Kind != "EnumConstantDecl" && n.Ref.Kind != "VarDecl" {
			continue
		}
		order := strings.TrimPrefix(n.Ref.Name, "memory_order_")
		text := fn.Body.Text(n)
		if !slices.Contains(weakerOrders[need], order) || !strings.HasSuffix(text, order) {
			continue
		}
		now := strings.TrimSuffix(text, order) + need
		edits := []code.Edit{fn.File.Replace(n.Begin.Off, n.End.End(), now)}
		out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", now, fn.File.Line(n.Begin.Off))})
	}
	return out
}

// Rescope writes a wider scope for others of cuda::atomic and the like, everywhere in the program: types of parameters and
// variables have to agree.
func Rescope(p *code.Program, wide string, narrow ...string) []*code.Patch {
	var each []*code.Patch
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		file := p.Files[name]
		for i := 0; i < len(file.Text); {
			word := syntax.WordAt(file.Text, i)
			if word == "" {
				i = syntax.SkipToken(file.Text, i)
				continue
			}
			if slices.Contains(narrow, word) {
				edits := []code.Edit{file.Replace(i, i+len(word), wide)}
				each = append(each, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", wide, file.Line(i))})
			}
			i += len(word)
		}
	}
	if len(each) == 0 {
		return nil
	}
	return append([]*code.Patch{code.Join(each...)}, code.First(8, each)...)
}

// forSystem lets the atomic functions and fences of a finding's functions be those of the system: the host takes part.
func forSystem(p *code.Program, f *finding.Finding) []*code.Patch {
	var each []*code.Patch
	for _, fn := range code.FunctionsOf(p, f) {
		for _, call := range code.Calling(fn.Body.Node, func(name string) bool { return systemWide(name) != "" }) {
			at, name := code.Stripped(call.Child(0)), code.Callee(call)
			if fn.Body.Text(at) != name {
				continue
			}
			edits := []code.Edit{fn.File.Replace(at.Begin.Off, at.End.End(), systemWide(name))}
			each = append(each, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", systemWide(name), fn.File.Line(at.Begin.Off))})
		}
	}
	if each = code.Distinct(each); len(each) < 2 {
		return each
	}
	return append([]*code.Patch{code.Join(each...)}, each...)
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

// FenceTwice adds a fence to both sides of a flag: after what is written before the flag is set, and before what is read
// after it was seen.
func FenceTwice(p *code.Program, f *finding.Finding) []*code.Patch {
	if len(f.Related) == 0 {
		return nil
	}
	_, a := p.At(f.Related[0].Loc.Pos)
	_, z := p.At(f.Primary.Loc.Pos)
	if a == nil || z == nil || a == z {
		return nil
	}
	fence := "__threadfence()"
	if f.Repair.Call != "" {
		fence = f.Repair.Call
	}
	c, d := code.Calls{Text: fence + ";"}, code.Calls{Text: fence + ";"}
	c.Behind(a)
	d.Before(z)
	var out []*code.Patch
	for _, x := range c.Patches {
		for _, y := range d.Patches {
			out = append(out, code.Join(x, y))
		}
	}
	return out
}
