package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Synchronization is what may be redundant.
type Synchronization string

// The kinds.
const (
	BarrierCall Synchronization = "barrier"
	FenceCall   Synchronization = "fence"
	AtomicCall  Synchronization = "atomic"
)

// Redundancy is a statement that synchronizes and does nothing else, or an atomic update whose
// result is not used, with the patches that do with less, the one that saves most first.
type Redundancy struct {
	Kind Synchronization
	// At is where it stands, Text what.
	At      source.Pos
	Text    string
	Patches []*Patch

	// Wide is set if more than the threads of a block wait at it.
	Wide bool

	statement *statement
	function  *function
	program   *Program
}

// weaker are the calls that synchronize, and what orders less in their place (CUDA C++ Programming
// Guide, "Synchronization Functions", "Memory Fence Functions").
var weaker = map[string]struct {
	kind Synchronization
	by   []string
}{
	"__syncthreads":        {BarrierCall, []string{"__syncwarp()"}},
	"__syncwarp":           {BarrierCall, nil},
	"__threadfence_block":  {FenceCall, nil},
	"__threadfence":        {FenceCall, []string{"__threadfence_block()"}},
	"__threadfence_system": {FenceCall, []string{"__threadfence_block()", "__threadfence()"}},
}

// plain are the operators that do what an atomic function does (CUDA C++ Programming Guide, "Atomic
// Functions").
var plain = map[string]string{"atomicAdd": "+=", "atomicSub": "-=", "atomicAnd": "&=", "atomicOr": "|=", "atomicXor": "^=", "atomicExch": "="}

// Redundancies are what may be redundant in the program, in the order of the source.
func (p *Program) Redundancies() []*Redundancy {
	var out []*Redundancy
	var visit func(fn *function, s *statement)
	visit = func(fn *function, s *statement) {
		if r := s.redundancy(); r != nil {
			r.function, r.program = fn, p
			out = append(out, r)
		}
		for _, in := range s.inner {
			visit(fn, in)
		}
	}
	for _, f := range p.functions {
		visit(f, f.body)
	}
	slices.SortStableFunc(out, func(a, b *Redundancy) int { return a.At.Compare(b.At) })
	return out
}

// Holds reports whether a position lies in the statement.
func (r *Redundancy) Holds(p *Program, at source.Pos) bool {
	_, s := p.at(at)
	return s == r.statement
}

// redundancy is what the statement is, nil if it may not be redundant.
func (s *statement) redundancy() *Redundancy {
	n := s.node
	for n != nil && n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	if n == nil || s.outer == nil || len(s.inner) > 0 || n.Begin.Macro || n.End.Macro {
		return nil
	}
	r := &Redundancy{statement: s, Text: strings.TrimSuffix(string(s.file.Text[s.from:s.to]), ";")}
	line := s.file.line(s.from)
	r.At = source.Pos{File: s.file.Name, Line: line, Col: s.from - s.file.lines[line-1] + 1}
	switch name := callee(n); {
	case n.Kind == "CXXMemberCallExpr":
		if !groupSync(n) {
			return nil
		}
		r.Kind = BarrierCall
		r.Wide = wideGroup(n)
		r.Patches = []*Patch{s.removed(r.Text)}
	case n.Kind != "CallExpr":
		return nil
	case weaker[name].kind != "":
		r.Kind = weaker[name].kind
		r.Patches = []*Patch{s.removed(r.Text)}
		for _, by := range weaker[name].by {
			r.Patches = append(r.Patches, s.replaced(n, by, "use %s instead of %s in line %d", by, r.Text, line))
		}
	case plain[name] != "":
		update := s.plainUpdate(n, plain[name])
		if update == "" {
			return nil
		}
		r.Kind = AtomicCall
		r.Patches = []*Patch{s.replaced(n, update, "make the atomic update in line %d a plain one", line)}
	default:
		return nil
	}
	return r
}

// groupSync reports whether a call is a barrier of a cooperative group.
func groupSync(n *syntax.Node) bool {
	member := n.Child(0)
	if member == nil || member.Kind != "MemberExpr" || member.Name != "sync" {
		return false
	}
	group := stripped(member.Child(0))
	return group != nil && strings.Contains(group.Desugared, "cooperative_groups::")
}

// wideGroup reports whether a barrier of a group is one of several blocks.
func wideGroup(n *syntax.Node) bool {
	group := stripped(n.Child(0).Child(0))
	return strings.Contains(group.Desugared, "cluster_group") || strings.Contains(group.Desugared, "grid_group")
}

// removed takes the statement out, with the branch that has no other.
func (s *statement) removed(text string) *Patch {
	what := fmt.Sprintf("remove %s in line %d", text, s.file.line(s.from))
	alone := s
	for o := s.outer; o.outer != nil; o = o.outer {
		if o.isList() && len(o.inner) == 1 && o.outer.node.Kind == "IfStmt" {
			continue
		}
		if o.node.Kind != "IfStmt" || o.node.Else || len(o.node.Inner) != 2 || acts(o.node.Child(0)) {
			break
		}
		alone = o
	}
	take := Edit{s.file.Name, alone.from, alone.to, ""}
	inline := Edit{s.file.Name, s.from, s.to, ";"}
	if !alone.outer.isList() {
		take.Text = ";"
	}
	if last := alone.lineEnd(); take.Text == "" && last > alone.to { // with the comment on it, where nothing else stands in its lines
		if whole := (&statement{file: s.file, from: alone.from, to: last}).lines(Edit{s.file.Name, alone.from, last, ""}); whole.From < alone.from {
			return &Patch{Edits: []Edit{whole}, Inline: []Edit{inline}, What: what}
		}
	}
	return &Patch{Edits: []Edit{alone.lines(take)}, Inline: []Edit{inline}, What: what}
}

// acts reports whether the evaluation of an expression may do more than give its value.
func acts(n *syntax.Node) bool {
	switch {
	case n == nil || n.Kind == "PseudoObjectExpr": // threadIdx.x
		return false
	case changed(n) != nil, n.Kind == "CallExpr", n.Kind == "CXXMemberCallExpr", n.Kind == "CXXOperatorCallExpr", n.Kind == "CXXConstructExpr":
		return true
	}
	return slices.ContainsFunc(n.Inner, acts)
}

// replaced puts another text in an expression's place.
func (s *statement) replaced(n *syntax.Node, by, format string, args ...any) *Patch {
	edits := []Edit{{s.file.Name, n.Begin.Off, n.End.End(), by}}
	return &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf(format, args...)}
}

// plainUpdate is an atomic update as an assignment; "" if there is none.
func (s *statement) plainUpdate(n *syntax.Node, operator string) string {
	if len(n.Inner) != 3 {
		return ""
	}
	pointer, value := stripped(n.Child(1)), s.text(n.Child(2))
	text := s.text(pointer)
	if text == "" || value == "" || !atomicTypes[cmp.Or(pointee(pointer), "none")] {
		return ""
	}
	object := "*(" + text + ")"
	switch inner := pointer.Child(0); {
	case pointer.Kind == "UnaryOperator" && pointer.Opcode == "&" && s.text(inner) != "":
		object = s.text(inner)
	case pointer.Kind == "DeclRefExpr":
		object = "*" + text
	}
	return object + " " + operator + " " + value
}

// pointee is the type that a pointer points to, or of an array's elements; "" for others.
func pointee(n *syntax.Node) string {
	if t, ok := strings.CutSuffix(n.Desugared, "*"); ok {
		return strings.TrimSpace(t)
	}
	if t, _, ok := strings.Cut(n.Desugared, "["); ok {
		return strings.TrimSpace(t)
	}
	return ""
}
