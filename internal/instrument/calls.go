package instrument

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// callee holds the facts about a called function.
type callee struct {
	name string
	// known is set if the function is the project's, own if the source has a
	// body for it, which is instrumented itself.
	known, own bool
	// object is the expression of the object that a method is called on.
	object *syntax.Node
	args   []*syntax.Node
	// member is set if the first operand of an operator is its object.
	member bool
}

// calleeOf finds out what an expression calls.
func (f *finder) calleeOf(n *syntax.Node) callee {
	var c callee
	if len(n.Inner) == 0 {
		return c
	}
	fn := n.Inner[0]
	for fn.Kind == "ImplicitCastExpr" || fn.Kind == "ParenExpr" {
		if fn.Child(0) == nil {
			return c
		}
		fn = fn.Child(0)
	}
	id := fn.Member
	c.name = fn.Name
	if fn.Ref != nil {
		id, c.name = fn.Ref.ID, fn.Ref.Name
		c.member = fn.Ref.Kind == "CXXMethodDecl"
	}
	c.own, c.known = f.functions[id]
	c.args = n.Inner[1:]
	if n.Kind == "CXXMemberCallExpr" {
		c.object = fn.Child(0)
		if fn.Arrow {
			c.object = nil
		}
	} else if n.Kind == "CXXOperatorCallExpr" && c.member && len(c.args) > 0 {
		c.object, c.args = c.args[0], c.args[1:]
	}
	return c
}

// call notes what a call does to memory that the called function, being the
// compiler's or a library's, does not show.
func (f *finder) call(n *syntax.Node, c where) {
	if n.Kind == "CXXConstructExpr" || n.Kind == "CXXTemporaryObjectExpr" {
		f.construct(n, c)
		return
	}
	to := f.calleeOf(n)
	if f.out.calls[c.function] == nil {
		f.out.calls[c.function] = map[string]bool{}
	}
	f.out.calls[c.function][to.name] = true
	if !c.device {
		if !to.known && (to.name == "cudaDeviceReset" || to.name == "cudaThreadExit") {
			f.add(n, access{wrap: asReset}, c)
		}
		return
	}
	if f.barrier(n, to, c) || to.own {
		return
	}
	if !to.known && f.builtin(to, c) {
		return
	}
	f.operands(n, to, c)
}

// barrier notes a barrier of the whole block.
func (f *finder) barrier(n *syntax.Node, to callee, c where) bool {
	switch {
	case to.known:
		return false
	case to.name == "__syncthreads", to.name == "__barrier_sync" && len(to.args) == 1 && isZero(to.args[0]):
		f.add(n, access{kind: Barrier, wrap: asVoid}, c)
	case to.name == "__syncthreads_or", to.name == "__syncthreads_and", to.name == "__syncthreads_count":
		f.add(n, access{kind: Barrier, wrap: asValue}, c)
	case to.name == "sync" && wholeBlock(n, to):
		f.add(n, access{kind: Barrier, wrap: asVoid}, c)
	default:
		return false
	}
	return true
}

func isZero(n *syntax.Node) bool {
	for n.Kind == "ImplicitCastExpr" && n.Child(0) != nil {
		n = n.Child(0)
	}
	return n.Kind == "IntegerLiteral" && n.Value == "0"
}

// wholeBlock reports whether a sync of cooperative groups is one of a group
// that holds the whole block.
func wholeBlock(n *syntax.Node, to callee) bool {
	group := to.object
	for fn := n.Child(0); fn != nil && group == nil; fn = fn.Child(0) {
		if fn.Kind == "MemberExpr" { // p->sync(), or a static sync
			group = fn.Child(0)
		}
	}
	if group == nil && len(to.args) == 1 {
		group = to.args[0]
	}
	for group != nil && group.Kind == "ImplicitCastExpr" && group.Child(0) != nil {
		group = group.Child(0)
	}
	if group == nil {
		return false
	}
	t := strings.TrimSuffix(strings.TrimSuffix(group.Desugared, " *"), " &")
	t = t[strings.LastIndexAny(t, " :")+1:]
	return t == "thread_block" || t == "grid_group" || t == "cluster_group"
}

// pointerCalls are functions of CUDA that access what their first argument
// points to.
var pointerCalls = map[string]Kind{
	"__ldg": Read, "__ldcg": Read, "__ldca": Read, "__ldcs": Read, "__ldlu": Read, "__ldcv": Read,
	"__stwb": Write, "__stcg": Write, "__stcs": Write, "__stwt": Write,
}

// builtin notes an access through a pointer argument.
func (f *finder) builtin(to callee, c where) bool {
	k := pointerCalls[to.name]
	if strings.HasPrefix(to.name, "atomic") && to.object == nil {
		k = Atomic
	}
	if k == 0 || len(to.args) == 0 || !isPointer(to.args[0].Desugared) {
		return false
	}
	if arg := to.args[0]; f.pointer(arg)&f.watch != 0 {
		to, _, _ := strings.Cut(to.args[0].Desugared, "*")
		f.add(arg, access{kind: k, wrap: asPointer, variable: variableOf(arg), size: leastSize(to)}, c)
	}
	return true
}

// operands notes accesses through the references that a function of others
// gets: constants are read, what it may change is updated, unless it hands the
// reference on.
func (f *finder) operands(n *syntax.Node, to callee, c where) {
	handsOn := n.Category != "prvalue" || isPointer(n.Desugared)
	assign := assignment(to.name)
	if to.object != nil && to.object.Category != "prvalue" && !ofLibrary(to.object.Desugared) {
		switch {
		case assign != 0:
			f.access(to.object, assign, c)
		case !handsOn && strings.HasPrefix(to.object.Desugared, "const "):
			f.access(to.object, Read, c)
		}
	}
	for i, a := range to.args {
		if a.Category != "lvalue" || isArray(a.Desugared) || ofLibrary(a.Desugared) {
			continue
		}
		constant := strings.HasPrefix(a.Desugared, "const ")
		switch {
		case constant && (!handsOn || assign != 0 || isScalar(a.Desugared)):
			f.access(a, Read, c)
		case !constant && i == 0 && assign != 0 && !to.member:
			f.access(a, assign, c)
		case !constant && !handsOn:
			f.access(a, Update, c)
		}
	}
}

// assignment returns what an assignment operator does to its first operand; 0
// for other functions.
func assignment(name string) Kind {
	op, ok := strings.CutPrefix(name, "operator")
	switch {
	case !ok:
		return 0
	case op == "=":
		return Write
	case op == "++" || op == "--":
		return Update
	case len(op) >= 2 && strings.HasSuffix(op, "=") && !strings.Contains("== != <= >=", op):
		return Update
	}
	return 0
}

// ofLibrary reports whether a type is one whose objects synchronize or manage
// data by themselves.
func ofLibrary(t string) bool {
	t = strings.TrimPrefix(strings.TrimPrefix(t, "const "), "volatile ")
	for _, p := range []string{"cuda::", "nvcuda::", "cooperative_groups::", "std::atomic", "std::"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return strings.Contains(t, "(")
}

func isArray(t string) bool { return strings.HasSuffix(t, "]") }

// isScalar recognizes the arithmetic types.
func isScalar(t string) bool {
	for _, w := range strings.Fields(t) {
		switch w {
		case "const", "volatile", "unsigned", "signed", "int", "char", "short", "long", "float", "double", "bool", "size_t":
		default:
			return false
		}
	}
	return true
}

// construct notes the read of an object that is copied by the compiler or by a
// library's constructor.
func (f *finder) construct(n *syntax.Node, c where) {
	if !c.device || len(n.Inner) != 1 || f.made[n.CtorType] {
		return
	}
	from := n.Inner[0]
	if from.Category == "prvalue" || isArray(from.Desugared) || ofLibrary(from.Desugared) {
		return
	}
	bare := func(t string) string { return strings.TrimPrefix(strings.TrimPrefix(t, "const "), "volatile ") }
	if bare(from.Desugared) == bare(n.Desugared) {
		f.access(from, Read, c)
	}
}
