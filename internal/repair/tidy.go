package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/order"
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
	Patches []*code.Patch

	// Wide is set if more than the threads of a block wait at it.
	Wide bool

	statement *code.Statement
	function  *code.Function
	program   *code.Program
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
func Redundancies(p *code.Program) []*Redundancy {
	var out []*Redundancy
	var visit func(fn *code.Function, s *code.Statement)
	visit = func(fn *code.Function, s *code.Statement) {
		if r := redundancyOf(s); r != nil {
			r.function, r.program = fn, p
			out = append(out, r)
		}
		for _, in := range s.Inner {
			visit(fn, in)
		}
	}
	for _, f := range p.Functions {
		visit(f, f.Body)
	}
	slices.SortStableFunc(out, func(a, b *Redundancy) int { return a.At.Compare(b.At) })
	return out
}

// Holds reports whether a position lies in the statement.
func (r *Redundancy) Holds(p *code.Program, at source.Pos) bool {
	_, s := p.At(at)
	return s == r.statement
}

// redundancyOf is what the statement is, nil if it may not be redundant.
func redundancyOf(s *code.Statement) *Redundancy {
	n := s.Node
	for n != nil && n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	if n == nil || s.Outer == nil || len(s.Inner) > 0 || n.Begin.Macro || n.End.Macro {
		return nil
	}
	r := &Redundancy{statement: s, Text: strings.TrimSuffix(string(s.File.Text[s.From:s.To]), ";")}
	line := s.File.Line(s.From)
	r.At = source.Pos{File: s.File.Name, Line: line, Col: s.From - s.File.Lines[line-1] + 1}
	switch name := code.Callee(n); {
	case n.Kind == "CXXMemberCallExpr":
		if !groupSync(n) {
			return nil
		}
		r.Kind = BarrierCall
		r.Wide = wideGroup(n)
		r.Patches = []*code.Patch{removeStatement(s, r.Text)}
	case n.Kind != "CallExpr":
		return nil
	case weaker[name].kind != "":
		r.Kind = weaker[name].kind
		r.Patches = []*code.Patch{removeStatement(s, r.Text)}
		for _, by := range weaker[name].by {
			r.Patches = append(r.Patches, replaceExpression(s, n, by, "use %s instead of %s in line %d", by, r.Text, line))
		}
	case plain[name] != "":
		update := plainUpdateFor(s, n, plain[name])
		if update == "" {
			return nil
		}
		r.Kind = AtomicCall
		r.Patches = []*code.Patch{replaceExpression(s, n, update, "make the atomic update in line %d a plain one", line)}
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
	group := code.Stripped(member.Child(0))
	return group != nil && strings.Contains(group.Desugared, "cooperative_groups::")
}

// wideGroup reports whether a barrier of a group is one of several blocks.
func wideGroup(n *syntax.Node) bool {
	group := code.Stripped(n.Child(0).Child(0))
	return strings.Contains(group.Desugared, "cluster_group") || strings.Contains(group.Desugared, "grid_group")
}

// removeStatement takes the statement out, with the branch that has no other.
func removeStatement(s *code.Statement, text string) *code.Patch {
	what := fmt.Sprintf("remove %s in line %d", text, s.File.Line(s.From))
	alone := s
	for o := s.Outer; o.Outer != nil; o = o.Outer {
		if o.IsList() && len(o.Inner) == 1 && o.Outer.Node.Kind == "IfStmt" {
			continue
		}
		if o.Node.Kind != "IfStmt" || o.Node.Else || len(o.Node.Inner) != 2 || code.Acts(o.Node.Child(0)) {
			break
		}
		alone = o
	}
	take := s.File.Replace(alone.From, alone.To, "")
	inline := s.File.Replace(s.From, s.To, ";")
	if !alone.Outer.IsList() {
		take.Text = ";"
	}
	if last := alone.LineEnd(); take.Text == "" && last > alone.To { // with the comment on it, where nothing else stands in its lines
		if whole := (&code.Statement{File: s.File, From: alone.From, To: last}).Lines(s.File.Replace(alone.From, last, "")); whole.From < alone.From {
			return &code.Patch{Edits: []code.Edit{whole}, Inline: []code.Edit{inline}, What: what}
		}
	}
	return &code.Patch{Edits: []code.Edit{alone.Lines(take)}, Inline: []code.Edit{inline}, What: what}
}

// replaceExpression puts another text in an expression's place.
func replaceExpression(s *code.Statement, n *syntax.Node, by, format string, args ...any) *code.Patch {
	edits := []code.Edit{s.File.Replace(n.Begin.Off, n.End.End(), by)}
	return &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf(format, args...)}
}

// plainUpdateFor is an atomic update as an assignment; "" if there is none.
func plainUpdateFor(s *code.Statement, n *syntax.Node, operator string) string {
	if len(n.Inner) != 3 {
		return ""
	}
	pointer, value := code.Stripped(n.Child(1)), s.Text(n.Child(2))
	text := s.Text(pointer)
	if text == "" || value == "" || !order.AtomicTypes[cmp.Or(pointee(pointer), "none")] {
		return ""
	}
	object := "*(" + text + ")"
	switch inner := pointer.Child(0); {
	case pointer.Kind == "UnaryOperator" && pointer.Opcode == "&" && s.Text(inner) != "":
		object = s.Text(inner)
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
