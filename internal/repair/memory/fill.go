package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/order"
)

// FillAllocation sets memory to zero after it was allocated, at r.From, and, where that does not help, before
// each launch of the kernel in the same function; the other way round for what each launch has to find reset.
func FillAllocation(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Repair.From == nil {
		return nil
	}
	fn, s := p.At(f.Repair.From.Pos)
	if s == nil {
		return nil
	}
	s = s.Written()
	var out []*code.Patch
	for _, call := range callsOf(s.Node, allocations) {
		a := allocations[code.Callee(call)]
		arguments := hostCall{s}.allocated(call, a)
		if arguments == nil || s.Outer == nil {
			continue
		}
		c := code.Calls{Text: hostCall{s}.like(call, a.fill, arguments)}
		resets := f.Repair.Kind == finding.Reset
		if !resets {
			c.Behind(s)
		}
		var later []*code.Statement
		for _, l := range code.LaunchesIn(fn, f.KernelName) {
			if l.From > s.From {
				later = append(later, l)
			}
		}
		for _, l := range later {
			c.Before(l)
		}
		if resets {
			c.Behind(s)
		}
		for _, l := range later { // in the stream of the launch, which others need not wait for
			if stream := (hostCall{l}).stream(l.Node); stream != "" && a.inStream != "" {
				own := code.Calls{Text: hostCall{s}.like(call, a.inStream, append(slices.Clone(arguments), stream))}
				own.Before(l)
				c.Patches = append(c.Patches, own.Patches...)
			}
		}
		copies := copyContents(fn, s, call, arguments, later)
		for _, patch := range slices.Concat(copies, c.Patches) {
			patch.Fills = true
		}
		longer := fillWhole(fn, allocates[code.Callee(call)], arguments)
		if f.Range.Lo == 0 { // nothing has filled it from its start
			longer, copies = nil, append(copies, longer...)
		}
		if f.Object != nil && f.Object.Size <= oneElement { // the host's arrays have more
			copies, c.Patches = c.Patches, copies
		}
		out = slices.Concat(out, longer, copies, c.Patches)
	}
	return out
}

// oneElement is the size of memory for one value.
const oneElement = 8

// fillWhole fills and copies to all of what was allocated where a part of it is filled: as many bytes.
func fillWhole(fn *code.Function, a allocator, allocated []any) (out []*code.Patch) {
	if a.size != 2 { // the size is not the second argument
		return nil
	}
	pointer, size := allocated[0], allocated[1].(string)
	var visit func(s *code.Statement)
	visit = func(s *code.Statement) {
		for _, in := range s.Inner {
			visit(in)
		}
		if len(s.Inner) > 0 {
			return
		}
		for _, call := range code.Calling(s.Node, func(name string) bool { return Transfers[name].size > 0 }) {
			if t := Transfers[code.Callee(call)]; len(call.Inner) > t.size && s.Argument(code.Uncast(call.Child(t.to))) == pointer {
				patch := code.Rewrite(s, call.Child(t.size), size)
				if own := s.Argument(call.Child(t.size)); patch != nil && own != "" {
					own = code.Factor(own)
					patch.Sure = strings.HasPrefix(size, own+" * sizeof") || strings.HasPrefix(size, "sizeof") && strings.HasSuffix(size, " * "+own)
				}
				out = append(out, patch)
			}
		}
	}
	visit(fn.Body)
	return code.Distinct(out)
}

// hostCall is a statement as one with a call of the CUDA runtime's.
type hostCall struct{ *code.Statement }

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
		texts = append(texts, s.Argument(n))
	}
	if slices.Contains(texts, any("")) {
		return nil
	}
	return texts
}

// like is a call made as another one is: with its macro, if that is the argument of one.
func (s hostCall) like(call *syntax.Node, format string, texts []any) string {
	text := fmt.Sprintf(format, texts...)
	if name := s.Node.Begin; name.Macro && call.Begin.Arg > 0 {
		text = syntax.WordAt(s.File.Text, name.Off) + "(" + text + ")"
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

// callsOf are the calls of some functions in an expression or a statement.
func callsOf(n *syntax.Node, of map[string]allocation) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if _, ok := of[code.Callee(n)]; ok && n.Kind == "CallExpr" {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, callsOf(c, of)...)
	}
	return out
}

// pointee is the text of what a pointer, as it is passed to a function, points to.
func (s hostCall) pointee(n *syntax.Node) string {
	n = code.Uncast(n)
	if n != nil && n.Kind == "UnaryOperator" && n.Opcode == "&" {
		return s.Argument(n.Child(0))
	}
	if text := s.Argument(n); text != "" {
		return "*" + text
	}
	return ""
}

// stream is the text of the stream of a launch; "" for the default one.
func (s hostCall) stream(n *syntax.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind == "CUDAKernelCallExpr" {
		if config := n.Child(1); config != nil {
			return s.Text(code.Stripped(config.Child(4))) // the function, grid, block and shared memory come before
		}
	}
	for _, c := range n.Inner {
		if text := s.stream(c); text != "" {
			return text
		}
	}
	return ""
}

// InitializeVariable gives a local variable an initializer, or lets the threads of the block set an array
// in shared memory to zero where it is declared: before a barrier that there is, else with one.
func InitializeVariable(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Object == nil || f.Object.Name == "" {
		return nil
	}
	own, at := p.At(f.Primary.Loc.Pos)
	var out []*code.Patch
	if own != nil && f.Object.Space == "local" { // what is returned has no name of its own
		if s, v := returnedVariable(own, at); v != nil {
			out = append(out, code.Initializer(s, v)...)
		}
	}
	for _, fn := range order.RankNear(p, f) {
		if own != nil && fn != own && f.Object.Space == "local" {
			continue
		}
		s, v := fn.Body.Declaration(f.Object.Name)
		if v == nil || v.Has("CUDASharedAttr") != (f.Object.Space == "shared") {
			continue
		}
		if f.Object.Space == "local" {
			out = append(out, code.Initializer(s, v)...)
			continue
		}
		zero, barrier := code.Calls{Text: zeroed(s, v, fn)}, code.Calls{Text: finding.Syncthreads + ";"}
		if zero.Text == "" {
			continue
		}
		zero.Behind(s)
		barrier.Behind(s)
		for i, z := range zero.Patches {
			z.What = fmt.Sprintf("set %s to zero after line %d", v.Name, s.File.Line(s.To-1))
			out = append(out, code.Join(z, barrier.Patches[i]), z)
		}
	}
	return out
}

// returnedVariable is the variable of a function that a statement returns, and the statement that declares it; nil for others.
func returnedVariable(fn *code.Function, s *code.Statement) (*code.Statement, *syntax.Node) {
	if s == nil || s.Node.Kind != "ReturnStmt" {
		return nil, nil
	}
	n := s.Node.Child(0)
	for n != nil && n.Ref == nil && len(n.Inner) == 1 {
		n = n.Child(0)
	}
	if n == nil || n.Ref == nil {
		return nil, nil
	}
	if d, v := fn.Body.Declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID {
		return d, v
	}
	return nil, nil
}

// zeroed is a statement with which the threads of a block set a variable in shared memory to zero, "" where its type has no such form.
func zeroed(s *code.Statement, v *syntax.Node, fn *code.Function) string {
	m := code.Extents.FindStringSubmatch(v.Desugared)
	if m == nil {
		return ""
	}
	value := m[1] + "()"
	if code.Arithmetic[m[1]] {
		value = "0"
	}
	thread, threads := "threadIdx.x", "blockDim.x"
	if namesMember(fn.Body, fn.Body.Node, "threadIdx", "y") {
		thread, threads = "threadIdx.y * blockDim.x + threadIdx.x", "blockDim.x * blockDim.y"
	}
	counts := dimensionsOf(s, v)
	if n := strings.Split(strings.Trim(m[2], "[]"), "]["); len(counts) != len(n) || slices.Contains(counts, "") {
		counts = n
	}
	if len(counts) > 1 {
		for i := range counts {
			counts[i] = code.Factor(counts[i])
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

// namesMember reports whether an expression has a member of a variable: threadIdx.y.
func namesMember(s *code.Statement, n *syntax.Node, variable, member string) bool {
	if n == nil {
		return false
	}
	if base := n.Child(0); n.Kind == "MemberExpr" || n.Kind == "PseudoObjectExpr" || n.Kind == "MSPropertyRefExpr" {
		if s.Text(n) == variable+"."+member || base != nil && s.Text(base) == variable && n.Name == member {
			return true
		}
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return namesMember(s, c, variable, member) })
}
