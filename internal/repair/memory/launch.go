package memory

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
)

// RoundUpGrid rounds up the quotients of which a launch makes its grid and its blocks.
func RoundUpGrid(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	var out []*code.Patch
	for _, config := range code.Configurations(s.Node) {
		for i := 1; i <= 2; i++ { // the grid and the block
			out = append(out, roundUpQuotients(fn, config.Child(i), map[string]bool{})...)
		}
	}
	return code.Distinct(out)
}

// roundUpQuotients round up the divisions in an expression, and in what initializes the variables in it.
func roundUpQuotients(fn *code.Function, n *syntax.Node, seen map[string]bool) (out []*code.Patch) {
	if n == nil {
		return nil
	}
	if n.Kind == "BinaryOperator" && n.Opcode == "/" && code.Whole[n.Desugared] {
		a, b := fn.Body.Text(n.Child(0)), fn.Body.Text(n.Child(1))
		if a != "" && b != "" {
			edits := []code.Edit{fn.File.Replace(n.Begin.Off, n.End.End(), fmt.Sprintf("(%s + %s - 1) / %s", a, b, b))}
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("round %s / %s in line %d up", a, b, fn.File.Line(n.Begin.Off))})
		}
	}
	if n.Ref != nil && n.Ref.Kind == "VarDecl" && !seen[n.Ref.ID] {
		seen[n.Ref.ID] = true
		if _, v := fn.Body.Declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID {
			for _, c := range v.Inner {
				out = append(out, roundUpQuotients(fn, c, seen)...)
			}
		}
	}
	for _, c := range n.Inner {
		out = append(out, roundUpQuotients(fn, c, seen)...)
	}
	return out
}

// EnlargeShared gives the launches of a kernel as much dynamic shared memory as they access: an element for each
// thread of the block, or as many bytes as are missing.
func EnlargeShared(p *code.Program, f *finding.Finding) (elements, bytes []*code.Patch) {
	if f.Object == nil || f.Object.Space != "shared" || f.Range.Hi <= int64(f.Object.Size) || f.Range.Lo < 0 {
		return nil, nil
	}
	kernel, _ := p.At(f.Primary.Loc.Pos)
	for _, fn := range p.Functions {
		for _, l := range code.LaunchesIn(fn, f.KernelName) {
			for _, config := range code.Configurations(l.Node) {
				n := config.Child(3)
				size, threads := l.Text(code.Stripped(n)), threadsOf(l, config.Child(2))
				if size == "" {
					continue
				}
				patch := func(text string) *code.Patch {
					edits := []code.Edit{l.File.Replace(code.Stripped(n).Begin.Off, code.Stripped(n).End.End(), text)}
					return &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch with %s bytes of shared memory in line %d", text, l.File.Line(l.From))}
				}
				if element := elementType(kernel, f.Object.Name); element != "" && guard.Widths[element] > 1 && !hasSizeof(fn, n) && f.Range.Hi <= int64(f.Object.Size)*guard.Widths[element] {
					elements = append(elements, patch(fmt.Sprintf("%s * sizeof(%s)", code.Factor(size), element)))
				}
				if element := elementType(kernel, f.Object.Name); element != "" && threads != "" {
					elements = append(elements, patch(fmt.Sprintf("%s * sizeof(%s)", threads, element)))
				}
				bytes = append(bytes, patch(fmt.Sprintf("%s + %d", code.Summand(size), f.Range.Hi-int64(f.Object.Size))))
			}
		}
	}
	return elements, bytes
}

// threadsOf is how many threads a block of a launch has, as a product; "" where that has no text.
func threadsOf(l *code.Statement, block *syntax.Node) string {
	block = code.UncastConstructor(block)
	text := l.Text(block)
	switch {
	case text == "":
		return ""
	case isDim3(block):
		var factors []string
		for _, n := range block.Inner {
			if n.Kind == "CXXDefaultArgExpr" {
				continue
			}
			if l.Text(n) == "" {
				return ""
			}
			factors = append(factors, code.Factor(l.Text(n)))
		}
		return strings.Join(factors, " * ")
	case strings.HasSuffix(block.Desugared, "dim3"):
		return fmt.Sprintf("%[1]s.x * %[1]s.y * %[1]s.z", code.Factor(text))
	}
	return code.Factor(text)
}

// FitShared gives a launch as much dynamic shared memory as its kernel has threads in a block that each need an element.
func FitShared(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	_, all := p.InLine(f.Primary.Loc.Pos)
	for _, s := range all {
		for _, launch := range code.LaunchCalls(s.Node) {
			config := launch.Child(1)
			n := code.Stripped(config.Child(3))
			threads := threadsOf(s, config.Child(2))
			if n == nil || s.Text(n) == "" || threads == "" {
				continue
			}
			for _, fn := range p.Functions {
				if fn.Node.Name != code.Callee(launch) || !fn.Node.Has("CUDAGlobalAttr") {
					continue
				}
				for _, element := range dynamicElements(fn) {
					out = append(out, code.Rewrite(s, n, threads+" * sizeof("+element+")"))
				}
			}
		}
	}
	return code.Distinct(out)
}

// dynamicElements are the types of the elements of a kernel's dynamic shared arrays.
func dynamicElements(fn *code.Function) (out []string) {
	fn.Each(func(s *code.Statement) {
		if s.Node.Kind != "DeclStmt" {
			return
		}
		for _, v := range s.Node.Inner {
			if v != nil && v.Storage == "extern" && v.Has("CUDASharedAttr") {
				if element, _, ok := strings.Cut(v.Desugared, "["); ok {
					out = append(out, strings.TrimSpace(element))
				}
			}
		}
	})
	return out
}

// RaiseSyncDepth lets grids wait for their children deeper than two, by a limit that is set before the host launches a kernel (CUDA C++
// Programming Guide, "Synchronization Depth").
func RaiseSyncDepth(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, fn := range p.Functions {
		if code.OnGPU(fn) {
			continue
		}
		fn.Each(func(s *code.Statement) {
			if len(code.LaunchCalls(s.Node)) == 0 {
				return
			}
			for _, depth := range []int{4, 8, 24} {
				c := code.Calls{Text: s.Checked(fmt.Sprintf("cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, %d)", depth)) + ";"}
				c.Before(s.Written())
				out = append(out, c.Patches...)
			}
		})
	}
	return code.Distinct(out)
}

// elementType is the type of the elements of an array that a function declares, "" for none.
func elementType(fn *code.Function, name string) string {
	if fn == nil {
		return ""
	}
	_, v := fn.Body.Declaration(name)
	if v == nil {
		return ""
	}
	if element, _, ok := strings.Cut(v.Desugared, "["); ok {
		return strings.TrimSpace(element)
	}
	return ""
}

// ResizeArray gives an array in shared memory as many elements as are accessed.
func ResizeArray(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, _ := p.At(f.Primary.Loc.Pos)
	if fn == nil || f.Object == nil || f.Object.Space != "shared" || f.Range.Hi <= int64(f.Object.Size) || f.Range.Lo < 0 {
		return nil
	}
	s, v := fn.Body.Declaration(f.Object.Name)
	if v == nil {
		return nil
	}
	m := code.Extents.FindStringSubmatch(v.Desugared)
	from, to := ExtentAt(s, v)
	if m == nil || strings.Count(m[2], "[") != 1 || to <= from {
		return nil
	}
	var n int64
	if _, err := fmt.Sscanf(m[2], "[%d]", &n); err != nil || n < 1 || int64(f.Object.Size)%n != 0 {
		return nil
	}
	size := int64(f.Object.Size) / n
	edits := []code.Edit{s.File.Replace(from, to, grown(strings.TrimSpace(string(s.File.Text[from:to])), n, (f.Range.Hi+size-1)/size))}
	return []*code.Patch{{Edits: edits, Inline: edits, What: fmt.Sprintf("give %s in line %d %s elements", v.Name, s.File.Line(from), edits[0].Text)}}
}

// sum is an expression that ends with a number that is added or subtracted.
var sum = regexp.MustCompile(`^(.*\S)\s*([+-])\s*(\d+)$`)

// grown is a text of a number of elements that is as large as needed: of the names in the text as it is, so that it stays right where
// they change.
func grown(text string, was, now int64) string {
	if _, err := strconv.ParseInt(text, 0, 64); err == nil {
		return fmt.Sprint(now)
	}
	if now%was == 0 {
		return fmt.Sprintf("%d * %s", now/was, code.Factor(text))
	}
	text = code.Summand(text)
	more := now - was
	if m := sum.FindStringSubmatch(text); m != nil {
		last, err := strconv.ParseInt(m[2]+m[3], 10, 64)
		if more += last; err != nil || more == 0 {
			return m[1]
		}
		text = m[1]
	}
	if more < 0 {
		return fmt.Sprintf("%s - %d", text, -more)
	}
	return fmt.Sprintf("%s + %d", text, more)
}

// dimensionsOf are the numbers of elements of an array as its declaration has them, nil where they are not read.
func dimensionsOf(s *code.Statement, v *syntax.Node) (out []string) {
	text := s.File.Text
	if v.Loc.Macro || v.Loc.Off < s.From || v.End.Macro || v.End.End() > s.To {
		return nil
	}
	for at := syntax.SkipBlank(text, v.Loc.Off+len(v.Name)); at < v.End.End() && text[at] == '['; {
		to := code.Enclosed(text, at, v.End.End())
		if to < 0 {
			return nil
		}
		out = append(out, strings.TrimSpace(string(text[at+1:to-1])))
		at = syntax.SkipBlank(text, to)
	}
	return out
}

// ExtentAt is where the number of an array's elements stands behind its name.
func ExtentAt(s *code.Statement, v *syntax.Node) (from, to int) {
	text := s.File.Text
	if v.Loc.Macro || v.Loc.Off < s.From || v.End.Macro || v.End.End() > s.To {
		return 0, 0
	}
	from = syntax.SkipBlank(text, v.Loc.Off+len(v.Name))
	to = v.End.End() - 1
	if from >= to || text[from] != '[' || text[to] != ']' || slices.Contains(text[from+1:to], '[') {
		return 0, 0
	}
	return from + 1, to
}
