package repair

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// writable declares a variable that a kernel writes to as one of the device's memory instead of a constant.
func (p *Program) writable(f *finding.Finding) []*Patch {
	named := func(v *syntax.Node) bool { return f.Object != nil && v.Name == f.Object.Name }
	if f.Object == nil || f.Object.Name == "" { // unnamed: any variable of the project
		named = func(*syntax.Node) bool { return true }
	}
	const attribute = "__constant__"
	var out []*Patch
	for _, v := range slices.Concat(p.variables, p.ownConstants(f)) {
		file := p.file(v.Loc.File)
		if !named(v) || !v.Has("CUDAConstantAttr") || file == nil || v.Loc.Macro {
			continue
		}
		from := bytes.LastIndexAny(file.Text[:v.Loc.Off], ";}#")
		at := bytes.LastIndex(file.Text[:v.Loc.Off], []byte(attribute))
		if at <= from || at < 0 {
			continue
		}
		edits := []Edit{{file.Name, at, at + len(attribute), "__device__"}}
		out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("declare %s as __device__ in line %d", v.Name, file.line(at))})
	}
	return out
}

// ownConstants are the variables in constant memory that the function of a finding declares.
func (p *Program) ownConstants(f *finding.Finding) (out []*syntax.Node) {
	fn, _ := p.at(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	fn.each(func(s *statement) {
		if s.node.Kind == "DeclStmt" {
			out = append(out, slices.DeleteFunc(slices.Clone(s.node.Inner), func(v *syntax.Node) bool { return v == nil || !v.Has("CUDAConstantAttr") })...)
		}
	})
	return out
}

// onDevice passes a kernel memory of the device where a launch passes memory of the host: a copy of an array, which
// is copied back, the address that a variable of the device has there, or managed memory.
func onDevice(p *Program, f *finding.Finding) []*Patch {
	var out []*Patch
	for _, fn := range p.functions {
		for _, l := range fn.launches(f.KernelName) {
			for _, call := range launchCalls(l.node) {
				for _, a := range call.Inner[min(2, len(call.Inner)):] {
					out = append(out, passesOnDevice(p, fn, l, uncast(a))...)
				}
			}
		}
	}
	return distinct(out)
}

func passesOnDevice(p *Program, fn *function, l *statement, a *syntax.Node) (out []*Patch) {
	whole := a // with the operator that takes its address
	if a != nil && a.Kind == "UnaryOperator" && a.Opcode == "&" {
		a = uncast(a.Child(0))
	}
	if a == nil || a.Ref == nil || a.Ref.Kind != "VarDecl" {
		return nil
	}
	text := l.text(a)
	name := l.unused(fmt.Sprintf("device%d", l.file.line(l.from)))
	m := extents.FindStringSubmatch(a.Desugared)
	switch {
	case text == "":
	case m != nil && (m[2] != "" || arithmetic[m[1]]):
		element := strings.TrimPrefix(m[1], "const ")
		use := Edit{l.file.Name, whole.Begin.Off, a.End.End(), name}
		pass := []string{
			fmt.Sprintf("%s *%s;", element, name), l.checked("cudaMalloc(&"+name+", sizeof("+text+"))") + ";",
			l.checked("cudaMemcpy("+name+", "+text+", sizeof("+text+"), cudaMemcpyHostToDevice)") + ";"}
		back := []string{l.checked("cudaMemcpy("+text+", "+name+", sizeof("+text+"), cudaMemcpyDeviceToHost)") + ";", l.checked("cudaFree("+name+")") + ";"}
		symbol := []string{fmt.Sprintf("%s *%s;", element, name), l.checked("cudaGetSymbolAddress((void **)&"+name+", "+text+")") + ";"}
		if m[2] == "" {
			pass[2] = strings.Replace(pass[2], ", "+text+", ", ", &"+text+", ", 1)
			back[0] = strings.Replace(back[0], "("+text+", ", "(&"+text+", ", 1)
		}
		if slices.ContainsFunc(p.variables, func(v *syntax.Node) bool {
			return v.ID == a.Ref.ID && (v.Has("CUDADeviceAttr") || v.Has("CUDAConstantAttr"))
		}) {
			return []*Patch{surrounded(l, symbol, nil, use, fmt.Sprintf("pass the address that %s has on the device in line %d", text, l.file.line(l.from)))}
		}
		return []*Patch{surrounded(l, pass, back, use, fmt.Sprintf("pass a copy of %s in the device's memory in line %d", text, l.file.line(l.from)))}
	case isPointer(a):
		fn.allocating(text, func(owner *statement, call *syntax.Node) {
			if a := allocates[callee(call)]; a.pointer == 0 && owner.outer != nil {
				out = append(out, fn.managedFor(owner, call, text))
			}
		})
	}
	return out
}

// surrounded puts statements before and after another one, in which it makes an edit.
func surrounded(s *statement, before, after []string, edit Edit, what string) *Patch {
	edits := func(sep, more string, at int) []Edit {
		open, end := "", ""
		if !s.outer.isList() {
			open, end, sep = "{"+sep+more, sep+"}", sep+more
		}
		first, last := open+strings.Join(before, sep)+sep, ""
		for _, text := range after {
			last += sep + text
		}
		if last += end; last == "" {
			return []Edit{s.insert(s.from, first), edit}
		}
		return []Edit{s.insert(s.from, first), edit, s.insert(at, last)}
	}
	return &Patch{Edits: edits("\n"+s.indent(), s.unit(), s.lineEnd()), Inline: edits(" ", "", s.to), What: what}
}

// managedFor allocates managed memory instead of the host's, and frees it so.
func (fn *function) managedFor(owner *statement, call *syntax.Node, pointer string) *Patch {
	size := owner.text(call.Child(allocates[callee(call)].size))
	if size == "" || !owner.outer.isList() {
		return nil
	}
	text := owner.checked("cudaMallocManaged(&"+pointer+", "+size+")") + ";"
	var edits []Edit
	switch {
	case owner.node.Kind == "DeclStmt" && len(owner.node.Inner) == 1:
		v := owner.node.Child(0)
		if v.Loc.Macro || !isPointer(v) {
			return nil
		}
		edits = []Edit{{owner.file.Name, v.Loc.Off + len(v.Name), owner.to, "; " + text}}
	case assigned(owner.node) != nil:
		edits = []Edit{{owner.file.Name, owner.from, owner.to, text}}
	default:
		return nil
	}
	for _, free := range calling(fn.body.node, func(name string) bool { return name == "free" }) {
		if at := stripped(free.Child(0)); len(free.Inner) == 2 && fn.body.text(uncast(free.Child(1))) == pointer && fn.body.text(at) == "free" {
			edits = append(edits, Edit{owner.file.Name, at.Begin.Off, at.End.End(), "cudaFree"})
		}
	}
	return &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("allocate %s as managed memory in line %d", pointer, owner.file.line(owner.from))}
}

// mostThreads is how many threads a block has at most (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
const mostThreads = 1024

// smaller launches blocks of fewer threads, and more of them, where both are numbers.
func (p *Program) smaller(f *finding.Finding) []*Patch {
	_, all := p.inLine(f.Primary.Loc.Pos)
	var out []*Patch
	for _, s := range all {
		for _, config := range configurations(s.node) {
			grid, block := uncastConstructor(config.Child(1)), uncastConstructor(config.Child(2))
			if !mayHave(block, f) {
				continue
			}
			out = append(out, halved(s, grid, block)...)
			g, b := s.argument(grid), s.argument(block)
			if g == "" || b == "" || !whole[grid.Desugared] || !whole[block.Desugared] {
				continue
			}
			for n := mostThreads; n >= mostThreads/8; n /= 2 {
				more := rewrite(s, grid, fmt.Sprintf("(%s * %s + %d) / %d", factor(g), factor(b), n-1, n))
				fewer := rewrite(s, block, fmt.Sprint(n))
				if more == nil || fewer == nil {
					continue
				}
				edits := append(more.Edits, fewer.Edits...)
				out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch blocks of %d threads in line %d, and more of them", n, s.file.line(s.from))})
			}
		}
	}
	return distinct(out)
}

// halved launches blocks with half of the threads in one of three dimensions, and twice as many blocks in that one.
func halved(s *statement, grid, block *syntax.Node) (out []*Patch) {
	if !isDim3(block) || s.argument(grid) == "" {
		return nil
	}
	blocks := []string{s.argument(grid), "1", "1"}
	if isDim3(grid) {
		for i, n := range grid.Inner {
			if blocks[i] = s.argument(n); n.Kind == "CXXDefaultArgExpr" {
				blocks[i] = "1"
			}
		}
	}
	order := []int{2, 1, 0} // the last one is the least likely to be an index's unit
	slices.SortStableFunc(order, func(a, b int) int { return tooMany(block, b) - tooMany(block, a) })
	for _, i := range order {
		n := block.Child(i)
		if n == nil || n.Kind == "CXXDefaultArgExpr" || s.argument(n) == "" || slices.Contains(blocks, "") {
			continue
		}
		more := slices.Clone(blocks)
		more[i] = factor(more[i]) + " * 2"
		a, b := rewrite(s, grid, "dim3("+strings.Join(more, ", ")+")"), rewrite(s, n, "("+s.argument(n)+" + 1) / 2")
		if a != nil && b != nil {
			edits := append(a.Edits, b.Edits...)
			out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch blocks of half as many threads in %c in line %d, and twice as many", 'x'+rune(i), s.file.line(s.from))})
		}
	}
	return out
}

// mostIn is how many threads a block has at most in each dimension.
var mostIn = [3]int{1024, 1024, 64}

// threadsIn is the constant number of threads of a block in a dimension, 0 where it is none.
func threadsIn(block *syntax.Node, i int) int {
	n := stripped(block.Child(i))
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
