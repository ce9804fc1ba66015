package instrument

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// scope is what declarations say that expressions need.
type scope struct {
	vars map[string]*variable
	// functions are the project's, by ID: true if the source has a body for
	// it, false if the compiler makes one. Those of others are not in it.
	functions map[string]bool
	// made are the types of constructors that the source has a body for.
	made map[string]bool
	// unaddressable are fields to which no reference can be had, with why.
	unaddressable map[string]string
	// launchable are the kernels.
	launchable map[string]bool
}

// finder walks the declarations and notes accesses.
type finder struct {
	scope
	project *project
	watch   spaces
	// constant is set if hooks may stand in constexpr functions.
	constant bool
	out      *found
}

// where is the place of the walk.
type where struct {
	function  string
	implicit  bool // it is called without being named
	device    bool
	statement span
	loops     []span
	body      span // of the host function
}

// find returns what there is to instrument.
func find(p *project, decls []*syntax.Node, watch spaces, constant bool) *found {
	f := &finder{project: p, watch: watch, constant: constant, out: newFound(),
		scope: scope{map[string]*variable{}, map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}}}
	for _, d := range decls {
		f.register(d, false)
	}
	for _, d := range decls {
		f.decl(d, where{})
	}
	return f.out
}

// functionKinds are the declarations of functions.
var functionKinds = map[string]bool{"FunctionDecl": true, "CXXMethodDecl": true, "CXXConstructorDecl": true,
	"CXXDestructorDecl": true, "CXXConversionDecl": true}

// register notes declarations that may be used before they come.
func (f *finder) register(n *syntax.Node, packed bool) {
	switch {
	case n.Implicit && n.Kind == "FunctionDecl": // a builtin, declared where it is used
		return
	case functionKinds[n.Kind]:
		own := !n.Implicit && n.Default == ""
		f.functions[n.ID] = own
		if n.Has("CUDAGlobalAttr") {
			f.launchable[n.ID] = true
		}
		if n.Kind == "CXXConstructorDecl" && own {
			f.made[n.Type] = true
		}
		// The body may have lambdas and classes.
	case n.Kind == "VarDecl":
		f.declare(n, false)
	case n.Kind == "FieldDecl":
		switch {
		case n.BitField:
			f.unaddressable[n.ID] = "a bit-field"
		case packed || n.Has("PackedAttr"):
			f.unaddressable[n.ID] = "a field of a packed structure"
		case isReference(n.Desugared):
			f.vars[n.ID] = &variable{in: anywhere}
		}
	}
	packed = n.Has("PackedAttr") || n.Has("MaxFieldAlignmentAttr") // of #pragma pack
	for _, c := range n.Inner {
		f.register(c, packed)
	}
}

// decl walks a declaration. Templates are seen in their instantiations, all of
// which have the same text.
func (f *finder) decl(n *syntax.Node, c where) {
	switch {
	case n.Implicit && n.Kind != "CXXMethodDecl":
	case functionKinds[n.Kind]:
		f.function(n, c)
	case n.Kind == "FunctionTemplateDecl":
		pattern := true
		for _, d := range n.Inner {
			if functionKinds[d.Kind] && !pattern {
				f.function(d, c)
			} else if functionKinds[d.Kind] {
				pattern = false
			}
		}
	case n.Kind == "ClassTemplateDecl":
		for _, d := range n.Inner {
			if d.Kind == "ClassTemplateSpecializationDecl" {
				f.decl(d, c)
			}
		}
	case n.Kind == "ClassTemplatePartialSpecializationDecl", n.Kind == "VarTemplateDecl", n.Kind == "StaticAssertDecl":
	case n.Kind == "VarDecl":
		f.children(n, c)
	case strings.HasSuffix(n.Kind, "Decl"):
		for _, d := range n.Inner {
			f.decl(d, c)
		}
	}
}

// function walks a function's body.
func (f *finder) function(n *syntax.Node, c where) {
	if n.Implicit || n.Default != "" {
		return
	}
	isKernel := n.Has("CUDAGlobalAttr")
	inner := where{function: n.Name, device: c.device || isKernel || n.Has("CUDADeviceAttr")}
	inner.implicit = n.Kind != "FunctionDecl" && n.Kind != "CXXMethodDecl"
	if n.Name == "operator()" && c.function != "" {
		inner.function = c.function // a lambda is named by its function
	}
	if n.Const && !f.constant && n.Name != "operator()" {
		if inner.device {
			f.refuse(n.Begin, "a constexpr function of C++11")
		}
		return
	}
	body := f.enter(n, isKernel)
	if body == nil {
		return
	}
	if isKernel {
		f.kernel(n, body)
	}
	if !inner.device {
		if inner.body, _ = f.text(body); n.Name == "main" && inner.body.file != nil {
			f.out.starts[inner.body] = true
		}
	}
	for _, d := range n.Inner {
		f.children(d, inner) // initializers of members and parameters, the body
	}
}

// enter declares a function's parameters and local variables and returns its
// body, nil if it has none.
func (f *finder) enter(n *syntax.Node, isKernel bool) (body *syntax.Node) {
	for _, d := range n.Inner {
		switch d.Kind {
		case "ParmVarDecl":
			f.declare(d, isKernel)
		case "CompoundStmt":
			body = d
		}
	}
	if body != nil {
		f.follow(body)
	}
	return body
}

// kernel notes a kernel's body.
func (f *finder) kernel(n, body *syntax.Node) {
	s, ok := f.span(body)
	if !ok {
		return
	}
	k := f.out.kernels[s]
	if k == nil {
		k = &kernel{name: n.Name, body: s}
		f.out.kernels[s] = k
	}
	k.returns = k.returns || has(body, "ReturnStmt")
	k.assembly = k.assembly || has(body, "GCCAsmStmt")
}

// has reports whether a statement has a part of a kind, lambdas left out.
func has(n *syntax.Node, kind string) bool {
	if n.Kind == kind {
		return true
	}
	if n.Kind == "LambdaExpr" {
		return false
	}
	for _, c := range n.Inner {
		if has(c, kind) {
			return true
		}
	}
	return false
}

// children walks all parts of a statement or expression.
func (f *finder) children(n *syntax.Node, c where) {
	for _, d := range n.Inner {
		f.statement(d, n, c)
	}
}

// statement walks a child of parent, which may be a statement of its own.
func (f *finder) statement(n, parent *syntax.Node, c where) {
	switch parent.Kind {
	case "CompoundStmt", "IfStmt", "ForStmt", "WhileStmt", "DoStmt", "SwitchStmt", "CaseStmt", "DefaultStmt", "CXXForRangeStmt", "LabelStmt":
		if n.Category != "" || n.Kind == "DeclStmt" || n.Kind == "ReturnStmt" {
			c.statement, _ = f.text(n)
		}
	}
	f.node(n, c)
}

// node walks a statement, expression or declaration within a function.
func (f *finder) node(n *syntax.Node, c where) {
	switch n.Kind {
	case "PseudoObjectExpr", "UnaryExprOrTypeTraitExpr", "CXXNoexceptExpr", "CXXTypeidExpr", "CXXDefaultArgExpr",
		"CXXDefaultInitExpr", "ConstantExpr", "SubstNonTypeTemplateParmExpr", "SizeOfPackExpr", "RequiresExpr",
		"StaticAssertDecl", "FunctionDecl", "TypedefDecl", "TypeAliasDecl":
		return // not evaluated, or evaluated elsewhere
	case "LambdaExpr":
		f.lambda(n, c)
		return
	case "CXXForRangeStmt":
		f.rangeLoop(n, c)
		return
	case "CXXRecordDecl":
		f.decl(n, c)
		return
	case "ForStmt", "WhileStmt", "DoStmt":
		if s, ok := f.text(n); ok {
			c.loops = append(c.loops[:len(c.loops):len(c.loops)], s)
		}
	}
	if strings.HasSuffix(n.Kind, "Attr") {
		return
	}
	f.effect(n, c)
	f.children(n, c)
}

// effect notes what an expression itself does to memory.
func (f *finder) effect(n *syntax.Node, c where) {
	switch n.Kind {
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr", "CXXConstructExpr", "CXXTemporaryObjectExpr":
		f.call(n, c)
		return
	}
	if !c.device {
		f.launch(n)
		if n.Kind == "DeclRefExpr" && n.Ref != nil && f.launchable[n.Ref.ID] && c.body.file != nil {
			f.out.starts[c.body] = true
		}
		return
	}
	switch n.Kind {
	case "ImplicitCastExpr":
		if n.Cast == "LValueToRValue" {
			f.access(n.Child(0), Read, c)
		}
	case "BinaryOperator":
		if n.Opcode == "=" {
			f.access(n.Child(0), Write, c)
		}
	case "CompoundAssignOperator":
		f.access(n.Child(0), Update, c)
	case "UnaryOperator":
		if n.Opcode == "++" || n.Opcode == "--" {
			f.access(n.Child(0), Update, c)
		}
	case "GCCAsmStmt":
		f.assembly(n, c)
	}
}

// launch notes the first operand of a launch, unless a macro has more than that.
func (f *finder) launch(n *syntax.Node) {
	if n.Kind != "CUDAKernelCallExpr" || n.Begin.Macro || n.End.Macro {
		return
	}
	grid, ok := f.operand(n.Child(1), 1)
	block, ok2 := f.operand(n.Child(1), 2)
	if ok && ok2 && grid.end <= block.begin && grid.file.text[grid.begin] != '{' {
		f.out.add(access{span: grid, wrap: asLaunch})
	}
}

// operand returns the text of a node's child.
func (f *finder) operand(n *syntax.Node, i int) (span, bool) {
	if n == nil || n.Child(i) == nil {
		return span{}, false
	}
	return f.text(n.Child(i))
}

// lambda walks a lambda's body, which runs where its function does, unless it has
// an execution space of its own, and what its captures are initialized with. The
// copies that simple captures make have no text of their own.
func (f *finder) lambda(n *syntax.Node, c where) {
	for i, d := range n.Inner {
		switch {
		case d.Kind == "CXXRecordDecl":
			for _, m := range d.Inner {
				f.decl(m, c)
			}
		case i < len(n.Inner)-1 && f.initializes(n, d):
			f.node(d, c)
		}
	}
}

// initializes reports whether a part of a lambda is the initializer of a capture,
// as in [x = s[0]], [x(s[0])] and [x{s[0]}].
func (f *finder) initializes(lambda, part *syntax.Node) bool {
	whole, ok := f.text(lambda)
	s, ok2 := f.text(part)
	if !ok || !ok2 || s.file != whole.file {
		return false
	}
	text, last := s.file.text, byte(0)
	for i := syntax.SkipBlank(text, whole.begin); i < s.begin; i = syntax.SkipBlank(text, syntax.SkipToken(text, i)) {
		last = text[i]
	}
	return last == '=' || last == '(' || text[s.begin] == '{'
}

// rangeLoop walks a range-based for: the range and the body are the user's,
// the rest is the compiler's.
func (f *finder) rangeLoop(n *syntax.Node, c where) {
	if s, ok := f.text(n); ok {
		c.loops = append(c.loops[:len(c.loops):len(c.loops)], s)
	}
	// The parts: initialization, range, begin, end, condition, increment,
	// variable, body.
	for i, d := range n.Inner {
		switch {
		case i == 0 && d.Kind != "", i == len(n.Inner)-1:
			f.statement(d, n, c)
		case i == 1 && d.Child(0) != nil:
			f.children(d.Child(0), c)
		}
	}
	f.elements(n, c)
}

// elements notes that the variable of a range-based for is a copy of each element
// of an array, or of another range, which may go through memory by pointers.
func (f *finder) elements(n *syntax.Node, c where) {
	array, element := n.Child(1).Child(0).Child(0), n.Child(6).Child(0)
	if array == nil || element == nil || isReference(element.Desugared) || !c.device {
		return
	}
	if init := initializer(element); init != nil && f.made[init.CtorType] { // it reads by itself
		return
	}
	if !isArray(array.Desugared) && array.Category == "lvalue" || f.lvalue(array)&f.watch != 0 {
		f.add(array, access{kind: Read, wrap: asRange, variable: variableOf(array), size: leastSize(element.Desugared)}, c)
	}
}

// access notes an access to the object that an expression denotes.
func (f *finder) access(e *syntax.Node, k Kind, c where) {
	if e == nil {
		return
	}
	if e.Kind == "BinaryOperator" && e.Opcode == "," {
		f.access(e.Child(1), k, c)
		return
	}
	inner := e
	for inner.Kind == "ParenExpr" || inner.Kind == "ImplicitCastExpr" && inner.Cast == "NoOp" {
		inner = inner.Child(0)
	}
	if k == Read && (assigns(inner) || f.chooses(inner)) {
		return
	}
	if f.lvalue(inner)&f.watch == 0 || inner.NonODR == "constant" || inner.Kind == "CXXThisExpr" {
		return
	}
	if why := f.unaddressable[inner.Member]; why != "" || inner.Kind == "ExtVectorElementExpr" {
		f.refuse(inner.Begin, why)
		return
	}
	if inner.Kind == "ImplicitCastExpr" && inner.Cast == "UserDefinedConversion" { // the text is that of another object
		f.refuse(inner.Begin, "what an implicit conversion refers to")
		return
	}
	f.add(e, access{kind: k, variable: variableOf(inner), size: leastSize(inner.Desugared)}, c)
}

// chooses reports whether an expression is a call such as std::max(a, b), which
// hands on one of the numbers that it has read.
func (f *finder) chooses(n *syntax.Node) bool {
	return n.Kind == "CallExpr" && strings.HasPrefix(n.Desugared, "const ") && isScalar(n.Desugared) && !f.calleeOf(n).known
}

// assigns reports whether an expression is an assignment to what it denotes,
// whose value is at hand.
func assigns(n *syntax.Node) bool {
	return n.Kind == "CompoundAssignOperator" || n.Kind == "BinaryOperator" && n.Opcode == "=" ||
		n.Kind == "UnaryOperator" && (n.Opcode == "++" || n.Opcode == "--")
}

// add notes a range of text to wrap.
func (f *finder) add(e *syntax.Node, a access, c where) {
	s, ok := f.span(e)
	if !ok {
		return
	}
	a.span, a.function, a.implicit, a.statement, a.loops = s, c.function, c.implicit, c.statement, c.loops
	f.out.add(a)
}

// span returns a node's text. If a macro made an end of it the macro is noted.
func (f *finder) span(n *syntax.Node) (span, bool) {
	for _, p := range []syntax.Pos{n.Begin, n.End} {
		if file := f.project.file(p.File); p.Macro && file != nil {
			f.out.macros[hidden{file, p.Off}] = true
		}
	}
	if n.Begin.Macro || n.End.Macro {
		return span{}, false
	}
	return f.text(n)
}

// text returns a node's text; a macro at an end of it counts as a whole.
func (f *finder) text(n *syntax.Node) (span, bool) {
	file := f.project.file(n.Begin.File)
	if file == nil || n.End.File != n.Begin.File || n.End.End() > len(file.text) || n.Begin.Off >= n.End.End() {
		return span{}, false
	}
	return span{file, n.Begin.Off, n.End.End()}, true
}

// refuse notes that something is not watched.
func (f *finder) refuse(at syntax.Pos, why string) {
	file := f.project.file(at.File)
	if file == nil || why == "" {
		return
	}
	line, _ := file.place(at.Off)
	f.out.unwatched[fmt.Sprintf("%s:%d: %s is not watched", file.name, line, why)] = true
}

// assembly notes an inline barrier.
func (f *finder) assembly(n *syntax.Node, c where) {
	s, ok := f.span(n)
	if !ok {
		return
	}
	if blockBarrier.Match(s.file.text[s.begin:s.end]) {
		f.add(n, access{kind: Barrier, wrap: asText}, c)
	}
}

// blockBarrier is the barrier of all threads as PTX writes it ("Parallel
// Synchronization and Communication Instructions: bar, barrier").
var blockBarrier = regexp.MustCompile(`"\s*(bar(\.cta)?\.sync|barrier(\.cta)?\.sync(\.aligned)?)\s+0\s*;`)

// variableOf names the array or pointer of an access, "" if it has no name.
func variableOf(n *syntax.Node) string {
	for n != nil {
		switch n.Kind {
		case "DeclRefExpr":
			if n.Ref != nil {
				return n.Ref.Name
			}
			return ""
		case "BinaryOperator", "ArraySubscriptExpr", "MemberExpr", "ParenExpr", "UnaryOperator", "ImplicitCastExpr", "CStyleCastExpr",
			"CXXStaticCastExpr", "CXXReinterpretCastExpr":
			if n.Kind == "MemberExpr" && n.Child(0) != nil && n.Child(0).Kind == "CXXThisExpr" {
				return n.Name
			}
			n = n.Child(0)
		default:
			return ""
		}
	}
	return ""
}
