package repair

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// filled sets memory to zero after it was allocated, at r.From, and, where that does not help, before
// each launch of the kernel in the same function.
func (p *Program) filled(f *finding.Finding) []*Patch {
	if f.Repair.From == nil {
		return nil
	}
	fn, s := p.at(f.Repair.From.Pos)
	if s == nil {
		return nil
	}
	s = s.written()
	var out []*Patch
	for _, call := range callsOf(s.node, allocations) {
		a := allocations[callee(call)]
		arguments := hostCall{s}.allocated(call, a)
		if arguments == nil || s.outer == nil {
			continue
		}
		c := calls{text: hostCall{s}.like(call, a.fill, arguments)}
		c.behind(s)
		var later []*statement
		for _, l := range fn.launches(f.KernelName) {
			if l.from > s.from {
				later = append(later, l)
			}
		}
		for _, l := range later {
			c.before(l)
		}
		for _, l := range later { // in the stream of the launch, which others need not wait for
			if stream := (hostCall{l}).stream(l.node); stream != "" && a.inStream != "" {
				own := calls{text: hostCall{s}.like(call, a.inStream, append(slices.Clone(arguments), stream))}
				own.before(l)
				c.patches = append(c.patches, own.patches...)
			}
		}
		copies := fn.copies(s, call, arguments, later)
		for _, patch := range slices.Concat(copies, c.patches) {
			patch.Fills = true
		}
		longer := fn.fuller(allocates[callee(call)], arguments)
		if f.Range.Lo == 0 { // nothing has filled it from its start
			longer, copies = nil, append(copies, longer...)
		}
		if f.Object != nil && f.Object.Size <= oneElement { // the host's arrays have more
			copies, c.patches = c.patches, copies
		}
		out = slices.Concat(out, longer, copies, c.patches)
	}
	return out
}

// oneElement is the size of memory for one value.
const oneElement = 8

// fuller fills and copies to all of what was allocated where a part of it is filled: as many bytes.
func (fn *function) fuller(a allocator, allocated []any) (out []*Patch) {
	if a.size != 2 { // the size is not the second argument
		return nil
	}
	pointer, size := allocated[0], allocated[1].(string)
	var visit func(s *statement)
	visit = func(s *statement) {
		for _, in := range s.inner {
			visit(in)
		}
		if len(s.inner) > 0 {
			return
		}
		for _, call := range calling(s.node, func(name string) bool { return transfers[name].size > 0 }) {
			if t := transfers[callee(call)]; len(call.Inner) > t.size && s.argument(uncast(call.Child(t.to))) == pointer {
				patch := rewrite(s, call.Child(t.size), size)
				if own := s.argument(call.Child(t.size)); patch != nil && own != "" {
					own = factor(own)
					patch.Sure = strings.HasPrefix(size, own+" * sizeof") || strings.HasPrefix(size, "sizeof") && strings.HasSuffix(size, " * "+own)
				}
				out = append(out, patch)
			}
		}
	}
	visit(fn.body)
	return distinct(out)
}

// hostCall is a statement as one with a call of the CUDA runtime's.
type hostCall struct{ *statement }

// allocated are the texts of what a call allocates: the pointer first. It is nil where one has no text.
func (s hostCall) allocated(call *syntax.Node, a allocation) []any {
	arguments := call.Inner[1:]
	if len(arguments) < a.arguments {
		return nil
	}
	texts := []any{s.pointee(arguments[0])}
	for i, n := range arguments[1:a.arguments] {
		if a.pitched && i == 0 {
			texts = append(texts, s.pointee(n))
			continue
		}
		texts = append(texts, s.argument(n))
	}
	if slices.Contains(texts, any("")) {
		return nil
	}
	return texts
}

// like is a call made as another one is: with its macro, if that is the argument of one.
func (s hostCall) like(call *syntax.Node, format string, texts []any) string {
	text := fmt.Sprintf(format, texts...)
	if name := s.node.Begin; name.Macro && call.Begin.Arg > 0 {
		text = syntax.WordAt(s.file.Text, name.Off) + "(" + text + ")"
	}
	return text + ";"
}

// allocation says how the memory of a call that allocates is filled. The call has at least so many
// arguments; pitched is set if the second is where it writes the pitch to. inStream has the stream as
// another argument, copied the host's memory and its size in bytes.
type allocation struct {
	arguments              int
	fill, inStream, copied string
	pitched                bool
}

// allocations are the calls that allocate, by what fills their memory: %[1]s is the pointer.
var allocations = map[string]allocation{
	"cudaMalloc": {2, "cudaMemset(%[1]s, 0, %[2]s)", "cudaMemsetAsync(%[1]s, 0, %[2]s, %[3]s)",
		"cudaMemcpy(%[1]s, %[3]s, %[4]s, cudaMemcpyHostToDevice)", false},
	"cudaMallocAsync": {3, "cudaMemsetAsync(%[1]s, 0, %[2]s, %[3]s)", "cudaMemsetAsync(%[1]s, 0, %[2]s, %[4]s)",
		"cudaMemcpyAsync(%[1]s, %[4]s, %[5]s, cudaMemcpyHostToDevice, %[3]s)", false},
	"cudaMallocPitch": {4, "cudaMemset2D(%[1]s, %[2]s, 0, %[3]s, %[4]s)", "cudaMemset2DAsync(%[1]s, %[2]s, 0, %[3]s, %[4]s, %[5]s)",
		"cudaMemcpy2D(%[1]s, %[2]s, %[5]s, %[3]s, %[3]s, %[4]s, cudaMemcpyHostToDevice)", true},
	"cudaMalloc3D":  {2, "cudaMemset3D(%[1]s, 0, %[2]s)", "cudaMemset3DAsync(%[1]s, 0, %[2]s, %[3]s)", "", false},
	"cuMemAlloc":    {2, "cuMemsetD8(%[1]s, 0, %[2]s)", "cuMemsetD8Async(%[1]s, 0, %[2]s, %[3]s)", "cuMemcpyHtoD(%[1]s, %[3]s, %[4]s)", false},
	"cuMemAlloc_v2": {2, "cuMemsetD8(%[1]s, 0, %[2]s)", "cuMemsetD8Async(%[1]s, 0, %[2]s, %[3]s)", "cuMemcpyHtoD(%[1]s, %[3]s, %[4]s)", false},
}

// callee is the name of the function that is called, "" where there is none.
func callee(call *syntax.Node) string {
	if n := stripped(call.Child(0)); n != nil && n.Ref != nil {
		return n.Ref.Name
	}
	return ""
}

// callsOf are the calls of some functions in an expression or a statement.
func callsOf(n *syntax.Node, of map[string]allocation) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if _, ok := of[callee(n)]; ok && n.Kind == "CallExpr" {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, callsOf(c, of)...)
	}
	return out
}

// pointee is the text of what a pointer, as it is passed to a function, points to.
func (s hostCall) pointee(n *syntax.Node) string {
	n = uncast(n)
	if n != nil && n.Kind == "UnaryOperator" && n.Opcode == "&" {
		return s.argument(n.Child(0))
	}
	if text := s.argument(n); text != "" {
		return "*" + text
	}
	return ""
}

// uncast is an expression without conversions, also those that are written, and parentheses.
func uncast(n *syntax.Node) *syntax.Node {
	for n != nil && (strings.HasSuffix(n.Kind, "CastExpr") || n.Kind == "ParenExpr") {
		n = n.Child(0)
	}
	return n
}

// argument is text, also of an expression that a macro has as an argument. What consists of several
// arguments has a comma in it.
func (s *statement) argument(n *syntax.Node) string {
	if n == nil || !n.Begin.Macro && !n.End.Macro {
		return s.text(n)
	}
	if n.Begin.Arg == 0 || n.End.Arg == 0 || n.Begin.File != n.End.File {
		return ""
	}
	from, to := n.Begin.Arg-1, n.End.Arg-1+n.End.ArgLen
	if from < s.from || to > s.to || from >= to {
		return ""
	}
	return string(s.file.Text[from:to])
}

// written is the statement as it stands in the source: a macro's use for what the macro makes.
func (s *statement) written() *statement {
	for s.outer != nil && (s.outer.node.Begin.Macro || !s.outer.isList()) && s.outer.from == s.from {
		s = s.outer
	}
	return s
}

// launches are the statements of a function that launch a kernel of a name.
func (fn *function) launches(kernel string) []*statement {
	var out []*statement
	var visit func(s *statement)
	visit = func(s *statement) {
		if len(s.inner) == 0 && s.outer != nil && launches(s.node, kernel) {
			out = append(out, s)
		}
		for _, in := range s.inner {
			visit(in)
		}
	}
	visit(fn.body)
	return out
}

// stream is the text of the stream of a launch; "" for the default one.
func (s hostCall) stream(n *syntax.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind == "CUDAKernelCallExpr" {
		if config := n.Child(1); config != nil {
			return s.text(stripped(config.Child(4))) // the function, grid, block and shared memory come before
		}
	}
	for _, c := range n.Inner {
		if text := s.stream(c); text != "" {
			return text
		}
	}
	return ""
}

// launches reports whether an expression launches a kernel, which is named as it is demangled.
func launches(n *syntax.Node, kernel string) bool {
	if n == nil {
		return false
	}
	if name := callee(n); n.Kind == "CUDAKernelCallExpr" && name != "" && (kernel == name || strings.HasPrefix(kernel, name+"(") || strings.HasPrefix(kernel, name+"<") ||
		strings.Contains(kernel, "::"+name+"(") || strings.Contains(kernel, "::"+name+"<") || strings.Contains(kernel, " "+name+"<")) {
		return true
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return launches(c, kernel) })
}

// initialized gives a local variable an initializer, or lets the threads of the block set an array
// in shared memory to zero where it is declared: before a barrier that there is, else with one.
func (p *Program) initialized(f *finding.Finding) []*Patch {
	if f.Object == nil || f.Object.Name == "" {
		return nil
	}
	own, at := p.at(f.Primary.Loc.Pos)
	var out []*Patch
	if own != nil && f.Object.Space == "local" { // what is returned has no name of its own
		if s, v := own.returned(at); v != nil {
			out = append(out, s.initializer(v)...)
		}
	}
	for _, fn := range p.nearFirst(f) {
		if own != nil && fn != own && f.Object.Space == "local" {
			continue
		}
		s, v := fn.body.declaration(f.Object.Name)
		if v == nil || v.Has("CUDASharedAttr") != (f.Object.Space == "shared") {
			continue
		}
		if f.Object.Space == "local" {
			out = append(out, s.initializer(v)...)
			continue
		}
		zero, barrier := calls{text: zeroed(s, v, fn)}, calls{text: finding.Syncthreads + ";"}
		if zero.text == "" {
			continue
		}
		zero.behind(s)
		barrier.behind(s)
		for i, z := range zero.patches {
			z.What = fmt.Sprintf("set %s to zero after line %d", v.Name, s.file.line(s.to-1))
			out = append(out, Join(z, barrier.patches[i]), z)
		}
	}
	return out
}

// declaration is the statement in s that declares a variable of a name, and the variable.
func (s *statement) declaration(name string) (*statement, *syntax.Node) {
	if s.node.Kind == "DeclStmt" {
		for _, v := range s.node.Inner {
			if v.Kind == "VarDecl" && v.Name == name {
				return s, v
			}
		}
	}
	for _, in := range s.inner {
		if d, v := in.declaration(name); v != nil {
			return d, v
		}
	}
	return nil, nil
}

// initializer gives a variable that has none one.
func (s *statement) initializer(v *syntax.Node) []*Patch {
	if v.Begin.Macro || v.End.Macro {
		return nil
	}
	if hasInitializer(v) {
		return cleared(s, v)
	}
	edits := []Edit{s.insert(v.End.End(), " = {}")}
	return []*Patch{{Edits: edits, Inline: edits, What: fmt.Sprintf("initialize %s in line %d", v.Name, s.file.line(v.Begin.Off))}}
}

// isExpression reports whether a node is an expression, as one that initializes a variable.
func isExpression(n *syntax.Node) bool {
	return strings.HasSuffix(n.Kind, "Expr") || strings.HasSuffix(n.Kind, "Literal") || strings.HasSuffix(n.Kind, "Operator")
}

// cleared sets all of a variable to zero whose constructor, which has no arguments, leaves a part of it as it is.
func cleared(s *statement, v *syntax.Node) []*Patch {
	made := v.Child(0)
	if made == nil || made.Kind != "CXXConstructExpr" || len(made.Inner) > 0 || v.End.End() != v.Loc.End() || s.outer == nil || !s.outer.isList() {
		return nil
	}
	c := calls{text: "memset(&" + v.Name + ", 0, sizeof " + v.Name + ");"}
	c.behind(s)
	return c.patches
}

// returned is the variable of a function that a statement returns, and the statement that declares it; nil for others.
func (fn *function) returned(s *statement) (*statement, *syntax.Node) {
	if s == nil || s.node.Kind != "ReturnStmt" {
		return nil, nil
	}
	n := s.node.Child(0)
	for n != nil && n.Ref == nil && len(n.Inner) == 1 {
		n = n.Child(0)
	}
	if n == nil || n.Ref == nil {
		return nil, nil
	}
	if d, v := fn.body.declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID {
		return d, v
	}
	return nil, nil
}

// extents are those of an array's type; the rest of it is the type of the elements.
var extents = regexp.MustCompile(`^([^\[\]]+?)\s*((?:\[\d+\])*)$`)

// zeroed is a statement with which the threads of a block set a variable in shared memory to zero, "" where its type has no such form.
func zeroed(s *statement, v *syntax.Node, fn *function) string {
	m := extents.FindStringSubmatch(v.Desugared)
	if m == nil {
		return ""
	}
	value := m[1] + "()"
	if arithmetic[m[1]] {
		value = "0"
	}
	thread, threads := "threadIdx.x", "blockDim.x"
	if fn.body.names(fn.body.node, "threadIdx", "y") {
		thread, threads = "threadIdx.y * blockDim.x + threadIdx.x", "blockDim.x * blockDim.y"
	}
	counts := s.dimensions(v)
	if n := strings.Split(strings.Trim(m[2], "[]"), "]["); len(counts) != len(n) || slices.Contains(counts, "") {
		counts = n
	}
	if len(counts) > 1 {
		for i := range counts {
			counts[i] = factor(counts[i])
		}
	}
	size, element := strings.Join(counts, " * "), v.Name+"[i]"
	if n := strings.Count(m[2], "["); n > 1 {
		element = "(&" + v.Name + strings.Repeat("[0]", n) + ")[i]"
	}
	text := fmt.Sprintf("for (unsigned i = %s; i < %s; i += %s) %s = %s;", thread, size, threads, element, value)
	if m[2] == "" {
		text = fmt.Sprintf("if (%s == 0) %s = %s;", thread, v.Name, value)
	}
	return text
}

// names reports whether an expression has a member of a variable: threadIdx.y.
func (s *statement) names(n *syntax.Node, variable, member string) bool {
	if n == nil {
		return false
	}
	if base := n.Child(0); n.Kind == "MemberExpr" || n.Kind == "PseudoObjectExpr" || n.Kind == "MSPropertyRefExpr" {
		if s.text(n) == variable+"."+member || base != nil && s.text(base) == variable && n.Name == member {
			return true
		}
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return s.names(c, variable, member) })
}
