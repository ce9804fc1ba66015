package instrument

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// spaces is a set of memory spaces that an expression may denote.
type spaces uint8

const (
	shared spaces = 1 << iota
	global
	private  // local variables, temporaries, constants
	anywhere = shared | global | private
)

// variable holds the facts about a variable.
type variable struct {
	in spaces
	// pointer is set if the variable is a local pointer whose every change is
	// seen; points is where it may point to.
	pointer bool
	points  spaces
}

// declare notes a variable.
func (s *scope) declare(n *syntax.Node, kernelParam bool) {
	v := &variable{in: private}
	switch {
	case n.Has("CUDASharedAttr"):
		v.in = shared
	case n.Has("CUDAConstantAttr"), isTextureReference(n.Desugared):
		v.in = private
	case n.Has("CUDADeviceAttr"), n.Has("HIPManagedAttr"), n.Storage == "static" && !strings.HasPrefix(n.Desugared, "const "):
		v.in = global // device code has no static variables of the host
	case isReference(n.Desugared):
		v.in = anywhere
	}
	switch {
	case !isPointer(n.Desugared):
	case kernelParam: // the host has no pointers to shared memory
		v.pointer, v.points = true, global
	case n.Kind == "VarDecl" && v.in == private && n.Storage == "":
		v.pointer = true
	}
	s.vars[n.ID] = v
}

// isReference reports whether a type is a reference: "int &", "int (&)[4]", and
// "int &[4]", as clang writes the latter where it comes from auto or a parameter of
// a template.
func isReference(t string) bool {
	return strings.HasSuffix(t, "&") || strings.Contains(t, "(&") || strings.Contains(t, "&[")
}

// isTextureReference reports whether a variable of the type stands for a texture or
// a surface, of which device code has no object.
func isTextureReference(t string) bool {
	return strings.HasPrefix(t, "texture<") || strings.HasPrefix(t, "surface<")
}

// isPointer reports whether a type is a pointer to objects.
func isPointer(t string) bool {
	for before := ""; before != t; {
		before = t
		for _, q := range []string{"__restrict", "const", "volatile", " "} {
			t = strings.TrimSuffix(t, q)
		}
	}
	return strings.HasSuffix(t, "*")
}

// lvalue returns where the object lies that an expression denotes.
func (s *scope) lvalue(n *syntax.Node) spaces {
	if n == nil {
		return anywhere
	}
	if n.Category == "prvalue" {
		return private
	}
	switch n.Kind {
	case "ParenExpr", "ExprWithCleanups", "OpaqueValueExpr", "ImplicitCastExpr", "CStyleCastExpr", "CXXFunctionalCastExpr",
		"CXXStaticCastExpr", "CXXConstCastExpr", "CXXReinterpretCastExpr":
		return s.lvalue(n.Child(0))
	case "MaterializeTemporaryExpr", "CompoundLiteralExpr", "StringLiteral", "PredefinedExpr", "SubstNonTypeTemplateParmExpr":
		return private
	case "DeclRefExpr":
		return s.named(n)
	case "MemberExpr":
		return s.member(n)
	case "ArraySubscriptExpr":
		if base := n.Child(0); strings.HasSuffix(base.Type, "*") || isPointer(base.Desugared) {
			return s.pointer(base)
		}
		return s.pointer(n.Child(1))
	case "UnaryOperator":
		if n.Opcode == "*" {
			return s.pointer(n.Child(0))
		}
		return s.lvalue(n.Child(0))
	case "ConditionalOperator":
		return s.lvalue(n.Child(1)) | s.lvalue(n.Child(2))
	case "CompoundAssignOperator":
		return s.lvalue(n.Child(0))
	case "BinaryOperator":
		switch n.Opcode {
		case ",":
			return s.lvalue(n.Child(1))
		case "->*":
			return s.pointer(n.Child(0))
		}
		return s.lvalue(n.Child(0))
	}
	return anywhere
}

// named is lvalue for a name.
func (s *scope) named(n *syntax.Node) spaces {
	if n.Ref == nil {
		return anywhere
	}
	if v := s.vars[n.Ref.ID]; v != nil {
		return v.in
	}
	if n.Ref.Kind == "BindingDecl" || isReference(n.Ref.Type) {
		return anywhere
	}
	return private // a constant, or a variable of the compiler's such as threadIdx
}

// member is lvalue for a member of an object.
func (s *scope) member(n *syntax.Node) spaces {
	if v := s.vars[n.Member]; v != nil {
		return v.in // a static member, or one that is a reference
	}
	if n.Arrow {
		return s.pointer(n.Child(0))
	}
	return s.lvalue(n.Child(0))
}

// pointer returns where a pointer points to.
func (s *scope) pointer(n *syntax.Node) spaces {
	if n == nil {
		return anywhere
	}
	switch n.Kind {
	case "ParenExpr", "ExprWithCleanups", "CStyleCastExpr", "CXXStaticCastExpr", "CXXConstCastExpr", "CXXReinterpretCastExpr",
		"CXXFunctionalCastExpr", "ImplicitCastExpr":
		return s.castPointer(n)
	case "UnaryOperator":
		if n.Opcode == "&" {
			return s.lvalue(n.Child(0))
		}
		if n.Opcode == "++" || n.Opcode == "--" {
			return s.pointees(n.Child(0))
		}
	case "BinaryOperator":
		switch l, r := n.Child(0), n.Child(1); {
		case n.Opcode == ",", n.Opcode == "=":
			return s.pointer(r)
		case isPointer(l.Desugared):
			return s.pointer(l)
		default:
			return s.pointer(r)
		}
	case "CompoundAssignOperator":
		return s.pointees(n.Child(0))
	case "ConditionalOperator":
		return s.pointer(n.Child(1)) | s.pointer(n.Child(2))
	}
	return anywhere
}

func (s *scope) castPointer(n *syntax.Node) spaces {
	switch n.Cast {
	case "ArrayToPointerDecay":
		return s.lvalue(n.Child(0))
	case "LValueToRValue":
		return s.pointees(n.Child(0))
	case "NullToPointer":
		return 0
	case "IntegralToPointer", "UserDefinedConversion":
		return anywhere
	}
	return s.pointer(n.Child(0))
}

// pointees is where a pointer points to that lies in memory.
func (s *scope) pointees(n *syntax.Node) spaces {
	for n != nil && n.Kind == "ParenExpr" {
		n = n.Child(0)
	}
	if n == nil || n.Kind != "DeclRefExpr" || n.Ref == nil {
		return anywhere
	}
	if v := s.vars[n.Ref.ID]; v != nil && v.pointer {
		return v.points
	}
	return anywhere
}

// change is an expression that a local pointer is set to.
type change struct {
	v    *variable
	from *syntax.Node
}

// follow finds out where the local pointers of a function point to, whatever
// way the function takes.
func (s *scope) follow(body *syntax.Node) {
	changes := s.changes(body, body, nil)
	for again := true; again; {
		again = false
		for _, c := range changes {
			if to := c.v.points | s.pointer(c.from); to != c.v.points {
				c.v.points, again = to, true
			}
		}
	}
}

// changes declares the variables in a part of a function and adds what its
// local pointers are set to. A pointer that is used in another way than to be
// read, set or moved is one whose changes are not all seen.
func (s *scope) changes(n, parent *syntax.Node, all []change) []change {
	if n.Kind == "VarDecl" {
		if s.vars[n.ID] == nil {
			s.declare(n, false)
		}
		if init := initializer(n); init != nil && s.vars[n.ID].pointer {
			all = append(all, change{s.vars[n.ID], init})
		}
	}
	if n.Kind == "DeclRefExpr" && n.Ref != nil {
		if v := s.vars[n.Ref.ID]; v != nil && v.pointer {
			switch {
			case parent.Cast == "LValueToRValue", parent.Kind == "CompoundAssignOperator" && parent.Child(0) == n,
				parent.Kind == "UnaryOperator" && (parent.Opcode == "++" || parent.Opcode == "--"):
			case parent.Kind == "BinaryOperator" && parent.Opcode == "=" && parent.Child(0) == n:
				all = append(all, change{v, parent.Child(1)})
			default:
				v.pointer = false
			}
		}
	}
	for _, c := range n.Inner {
		all = s.changes(c, n, all)
	}
	return all
}

// initializer returns a variable's initializing expression.
func initializer(n *syntax.Node) *syntax.Node {
	for _, c := range n.Inner {
		if c.Category != "" {
			return c
		}
	}
	return nil
}
