package memory

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// MakeWritable declares a variable that a kernel writes to as one of the device's memory instead of a constant.
func MakeWritable(p *code.Program, f *finding.Finding) []*code.Patch {
	named := func(v *syntax.Node) bool { return f.Object != nil && v.Name == f.Object.Name }
	if f.Object == nil || f.Object.Name == "" { // unnamed: any variable of the project
		named = func(*syntax.Node) bool { return true }
	}
	const attribute = "__constant__"
	var out []*code.Patch
	for _, v := range slices.Concat(p.Variables, constantsOf(p, f)) {
		file := p.File(v.Loc.File)
		if !named(v) || !v.Has("CUDAConstantAttr") || file == nil || v.Loc.Macro {
			continue
		}
		from := bytes.LastIndexAny(file.Text[:v.Loc.Off], ";}#")
		at := bytes.LastIndex(file.Text[:v.Loc.Off], []byte(attribute))
		if at <= from || at < 0 {
			continue
		}
		edits := []code.Edit{file.Replace(at, at+len(attribute), "__device__")}
		out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("declare %s as __device__ in line %d", v.Name, file.Line(at))})
	}
	return out
}

// constantsOf are the variables in constant memory that the function of a finding declares.
func constantsOf(p *code.Program, f *finding.Finding) (out []*syntax.Node) {
	fn, _ := p.At(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	fn.Each(func(s *code.Statement) {
		if s.Node.Kind == "DeclStmt" {
			out = append(out, slices.DeleteFunc(slices.Clone(s.Node.Inner), func(v *syntax.Node) bool { return v == nil || !v.Has("CUDAConstantAttr") })...)
		}
	})
	return out
}

// UseDevicePointer passes a kernel memory of the device where a launch passes memory of the host: a copy of an array, which
// is copied back, the address that a variable of the device has there, or managed memory.
func UseDevicePointer(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, fn := range p.Functions {
		for _, l := range code.LaunchesIn(fn, f.KernelName) {
			for _, call := range code.LaunchCalls(l.Node) {
				for _, a := range call.Inner[min(2, len(call.Inner)):] {
					out = append(out, passesOnDevice(p, fn, l, code.Uncast(a))...)
				}
			}
		}
	}
	return code.Distinct(out)
}

func passesOnDevice(p *code.Program, fn *code.Function, l *code.Statement, a *syntax.Node) (out []*code.Patch) {
	whole := a // with the operator that takes its address
	if a != nil && a.Kind == "UnaryOperator" && a.Opcode == "&" {
		a = code.Uncast(a.Child(0))
	}
	if a == nil || a.Ref == nil || a.Ref.Kind != "VarDecl" {
		return nil
	}
	text := l.Text(a)
	name := l.Unused(fmt.Sprintf("device%d", l.File.Line(l.From)))
	m := code.Extents.FindStringSubmatch(a.Desugared)
	switch {
	case text == "":
	case m != nil && (m[2] != "" || code.Arithmetic[m[1]]):
		element := strings.TrimPrefix(m[1], "const ")
		use := l.File.Replace(whole.Begin.Off, a.End.End(), name)
		pass := []string{
			fmt.Sprintf("%s *%s;", element, name), l.Checked("cudaMalloc(&"+name+", sizeof("+text+"))") + ";",
			l.Checked("cudaMemcpy("+name+", "+text+", sizeof("+text+"), cudaMemcpyHostToDevice)") + ";"}
		back := []string{l.Checked("cudaMemcpy("+text+", "+name+", sizeof("+text+"), cudaMemcpyDeviceToHost)") + ";", l.Checked("cudaFree("+name+")") + ";"}
		symbol := []string{fmt.Sprintf("%s *%s;", element, name), l.Checked("cudaGetSymbolAddress((void **)&"+name+", "+text+")") + ";"}
		if m[2] == "" {
			pass[2] = strings.Replace(pass[2], ", "+text+", ", ", &"+text+", ", 1)
			back[0] = strings.Replace(back[0], "("+text+", ", "(&"+text+", ", 1)
		}
		if slices.ContainsFunc(p.Variables, func(v *syntax.Node) bool {
			return v.ID == a.Ref.ID && (v.Has("CUDADeviceAttr") || v.Has("CUDAConstantAttr"))
		}) {
			return []*code.Patch{code.Surrounded(l, symbol, nil, use, fmt.Sprintf("pass the address that %s has on the device in line %d", text, l.File.Line(l.From)))}
		}
		return []*code.Patch{code.Surrounded(l, pass, back, use, fmt.Sprintf("pass a copy of %s in the device's memory in line %d", text, l.File.Line(l.From)))}
	case code.IsPointer(a):
		eachAllocating(fn, text, func(owner *code.Statement, call *syntax.Node) {
			if a := allocates[code.Callee(call)]; a.pointer == 0 && owner.Outer != nil {
				out = append(out, allocateManagedFor(fn, owner, call, text))
			}
		})
	}
	return out
}

// allocateManagedFor allocates managed memory instead of the host's, and frees it so.
func allocateManagedFor(fn *code.Function, owner *code.Statement, call *syntax.Node, pointer string) *code.Patch {
	size := owner.Text(call.Child(allocates[code.Callee(call)].size))
	if size == "" || !owner.Outer.IsList() {
		return nil
	}
	text := owner.Checked("cudaMallocManaged(&"+pointer+", "+size+")") + ";"
	var edits []code.Edit
	switch {
	case owner.Node.Kind == "DeclStmt" && len(owner.Node.Inner) == 1:
		v := owner.Node.Child(0)
		if v.Loc.Macro || !code.IsPointer(v) {
			return nil
		}
		edits = []code.Edit{owner.File.Replace(v.Loc.Off+len(v.Name), owner.To, "; "+text)}
	case code.Assigned(owner.Node) != nil:
		edits = []code.Edit{owner.File.Replace(owner.From, owner.To, text)}
	default:
		return nil
	}
	for _, free := range code.Calling(fn.Body.Node, func(name string) bool { return name == "free" }) {
		if at := code.Stripped(free.Child(0)); len(free.Inner) == 2 && fn.Body.Text(code.Uncast(free.Child(1))) == pointer && fn.Body.Text(at) == "free" {
			edits = append(edits, owner.File.Replace(at.Begin.Off, at.End.End(), "cudaFree"))
		}
	}
	return &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("allocate %s as managed memory in line %d", pointer, owner.File.Line(owner.From))}
}

// mostThreads is how many threads a block has at most (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
const mostThreads = 1024

// ShrinkBlocks launches blocks of fewer threads, and more of them, where both are numbers.
func ShrinkBlocks(p *code.Program, f *finding.Finding) []*code.Patch {
	_, all := p.InLine(f.Primary.Loc.Pos)
	var out []*code.Patch
	for _, s := range all {
		for _, config := range code.Configurations(s.Node) {
			grid, block := code.UncastConstructor(config.Child(1)), code.UncastConstructor(config.Child(2))
			if !mayHave(block, f) {
				continue
			}
			out = append(out, halved(s, grid, block)...)
			g, b := s.Argument(grid), s.Argument(block)
			if g == "" || b == "" || !code.Whole[grid.Desugared] || !code.Whole[block.Desugared] {
				continue
			}
			for n := mostThreads; n >= mostThreads/8; n /= 2 {
				more := code.Rewrite(s, grid, fmt.Sprintf("(%s * %s + %d) / %d", code.Factor(g), code.Factor(b), n-1, n))
				fewer := code.Rewrite(s, block, fmt.Sprint(n))
				if more == nil || fewer == nil {
					continue
				}
				edits := append(more.Edits, fewer.Edits...)
				out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch blocks of %d threads in line %d, and more of them", n, s.File.Line(s.From))})
			}
		}
	}
	return code.Distinct(out)
}

// halved launches blocks with half of the threads in one of three dimensions, and twice as many blocks in that one.
func halved(s *code.Statement, grid, block *syntax.Node) (out []*code.Patch) {
	if !isDim3(block) || s.Argument(grid) == "" {
		return nil
	}
	blocks := []string{s.Argument(grid), "1", "1"}
	if isDim3(grid) {
		for i, n := range grid.Inner {
			if blocks[i] = s.Argument(n); n.Kind == "CXXDefaultArgExpr" {
				blocks[i] = "1"
			}
		}
	}
	order := []int{2, 1, 0} // the last one is the least likely to be an index's unit
	slices.SortStableFunc(order, func(a, b int) int { return tooMany(block, b) - tooMany(block, a) })
	for _, i := range order {
		n := block.Child(i)
		if n == nil || n.Kind == "CXXDefaultArgExpr" || s.Argument(n) == "" || slices.Contains(blocks, "") {
			continue
		}
		more := slices.Clone(blocks)
		more[i] = code.Factor(more[i]) + " * 2"
		a, b := code.Rewrite(s, grid, "dim3("+strings.Join(more, ", ")+")"), code.Rewrite(s, n, "("+code.Summand(s.Argument(n))+" + 1) / 2")
		if a != nil && b != nil {
			edits := append(a.Edits, b.Edits...)
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch blocks of half as many threads in %c in line %d, and twice as many", 'x'+rune(i), s.File.Line(s.From))})
		}
	}
	return out
}

// mostIn is how many threads a block has at most in each dimension.
var mostIn = [3]int{1024, 1024, 64}

// threadsIn is the constant number of threads of a block in a dimension, 0 where it is none.
func threadsIn(block *syntax.Node, i int) int {
	n := code.Stripped(block.Child(i))
	switch {
	case n == nil:
		return 0
	case n.Kind == "CXXDefaultArgExpr":
		return 1
	case n.Kind != "IntegerLiteral":
		return 0
	}
	threads, _ := strconv.Atoi(n.Value)
	return threads
}

// tooMany is 1 for a dimension in which a block has more threads than any may have.
func tooMany(block *syntax.Node, i int) int {
	if threadsIn(block, i) > mostIn[i] {
		return 1
	}
	return 0
}

// Shaped gives the number of threads that the blocks of a launch have.
type Shaped interface{ BlockShape() finding.Coord }

// mayHave reports whether a block, as far as it is made of constants, has the shape of the one that a finding is about.
func mayHave(block *syntax.Node, f *finding.Finding) bool {
	d, ok := f.Details.(Shaped)
	if !ok || !isDim3(block) {
		return true
	}
	shape := d.BlockShape()
	for i, threads := range []uint32{shape.X, shape.Y, shape.Z} {
		if n := threadsIn(block, i); n > 0 && n != int(threads) {
			return false
		}
	}
	return true
}

// isDim3 reports whether an expression makes a dim3 of three numbers.
func isDim3(n *syntax.Node) bool {
	return n != nil && (n.Kind == "CXXConstructExpr" || n.Kind == "CXXTemporaryObjectExpr") && len(n.Inner) == 3 && strings.HasSuffix(n.Desugared, "dim3")
}
