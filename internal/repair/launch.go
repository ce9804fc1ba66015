package repair

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// rounded rounds up the quotients of which a launch makes its grid and its blocks.
func (p *Program) rounded(f *finding.Finding) []*Patch {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	var out []*Patch
	for _, config := range configurations(s.node) {
		for i := 1; i <= 2; i++ { // the grid and the block
			out = append(out, fn.quotients(config.Child(i), map[string]bool{})...)
		}
	}
	return distinct(out)
}

// configurations are the calls with what stands between <<< and >>> in a statement: grid, block, bytes of shared
// memory, stream.
func configurations(n *syntax.Node) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "CUDAKernelCallExpr" && n.Child(1) != nil {
		out = append(out, n.Child(1))
	}
	for _, c := range n.Inner {
		out = append(out, configurations(c)...)
	}
	return out
}

// quotients round up the divisions in an expression, and in what initializes the variables in it.
func (fn *function) quotients(n *syntax.Node, seen map[string]bool) (out []*Patch) {
	if n == nil {
		return nil
	}
	if n.Kind == "BinaryOperator" && n.Opcode == "/" && whole[n.Desugared] {
		a, b := fn.body.text(n.Child(0)), fn.body.text(n.Child(1))
		if a != "" && b != "" {
			edits := []Edit{{fn.file.Name, n.Begin.Off, n.End.End(), fmt.Sprintf("(%s + %s - 1) / %s", a, b, b)}}
			out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("round %s / %s in line %d up", a, b, fn.file.line(n.Begin.Off))})
		}
	}
	if n.Ref != nil && n.Ref.Kind == "VarDecl" && !seen[n.Ref.ID] {
		seen[n.Ref.ID] = true
		if _, v := fn.body.declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID {
			for _, c := range v.Inner {
				out = append(out, fn.quotients(c, seen)...)
			}
		}
	}
	for _, c := range n.Inner {
		out = append(out, fn.quotients(c, seen)...)
	}
	return out
}

// larger gives the launches of a kernel as much dynamic shared memory as they access: an element for each
// thread of the block, or as many bytes as are missing.
func (p *Program) larger(f *finding.Finding) (elements, bytes []*Patch) {
	if f.Object == nil || f.Object.Space != "shared" || f.Range.Hi <= int64(f.Object.Size) || f.Range.Lo < 0 {
		return nil, nil
	}
	kernel, _ := p.at(f.Primary.Loc.Pos)
	for _, fn := range p.functions {
		for _, l := range fn.launches(f.KernelName) {
			for _, config := range configurations(l.node) {
				n := config.Child(3)
				size, block := l.text(stripped(n)), l.text(stripped(config.Child(2)))
				if size == "" {
					continue
				}
				patch := func(text string) *Patch {
					edits := []Edit{{l.file.Name, stripped(n).Begin.Off, stripped(n).End.End(), text}}
					return &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch with %s bytes of shared memory in line %d", text, l.file.line(l.from))}
				}
				if element := kernel.element(f.Object.Name); element != "" && widths[element] > 1 && !fn.sizeof(n) && f.Range.Hi <= int64(f.Object.Size)*widths[element] {
					elements = append(elements, patch(fmt.Sprintf("%s * sizeof(%s)", factor(size), element)))
				}
				if element := kernel.element(f.Object.Name); element != "" && block != "" {
					elements = append(elements, patch(fmt.Sprintf("%s * sizeof(%s)", factor(block), element)))
				}
				bytes = append(bytes, patch(fmt.Sprintf("%s + %d", size, f.Range.Hi-int64(f.Object.Size))))
			}
		}
	}
	return elements, bytes
}

// sharedFits gives a launch as much dynamic shared memory as its kernel has threads in a block that each need an element.
func sharedFits(p *Program, f *finding.Finding) (out []*Patch) {
	_, all := p.inLine(f.Primary.Loc.Pos)
	for _, s := range all {
		for _, launch := range launchCalls(s.node) {
			config := launch.Child(1)
			n := stripped(config.Child(3))
			block := s.text(stripped(config.Child(2)))
			if n == nil || s.text(n) == "" || block == "" {
				continue
			}
			for _, fn := range p.functions {
				if fn.node.Name != callee(launch) || !fn.node.Has("CUDAGlobalAttr") {
					continue
				}
				for _, element := range fn.dynamic() {
					out = append(out, rewrite(s, n, factor(block)+" * sizeof("+element+")"))
				}
			}
		}
	}
	return distinct(out)
}

// dynamic are the types of the elements of a kernel's dynamic shared arrays.
func (fn *function) dynamic() (out []string) {
	fn.each(func(s *statement) {
		if s.node.Kind != "DeclStmt" {
			return
		}
		for _, v := range s.node.Inner {
			if v != nil && v.Storage == "extern" && v.Has("CUDASharedAttr") {
				if element, _, ok := strings.Cut(v.Desugared, "["); ok {
					out = append(out, strings.TrimSpace(element))
				}
			}
		}
	})
	return out
}

// deeper lets grids wait for their children deeper than two, by a limit that is set before the host launches a kernel (CUDA C++
// Programming Guide, "Synchronization Depth").
func deeper(p *Program, f *finding.Finding) (out []*Patch) {
	for _, fn := range p.functions {
		if onGPU(fn) {
			continue
		}
		fn.each(func(s *statement) {
			if len(launchCalls(s.node)) == 0 {
				return
			}
			for _, depth := range []int{4, 8, 24} {
				c := calls{text: s.checked(fmt.Sprintf("cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, %d)", depth)) + ";"}
				c.before(s.written())
				out = append(out, c.patches...)
			}
		})
	}
	return distinct(out)
}

// factor is a text as it stands in a product.
func factor(text string) string {
	if word.MatchString(text) {
		return text
	}
	return "(" + text + ")"
}

var word = regexp.MustCompile(`^[\w.]+$`)

// element is the type of the elements of an array that a function declares, "" for none.
func (fn *function) element(name string) string {
	if fn == nil {
		return ""
	}
	_, v := fn.body.declaration(name)
	if v == nil {
		return ""
	}
	if element, _, ok := strings.Cut(v.Desugared, "["); ok {
		return strings.TrimSpace(element)
	}
	return ""
}

// resized gives an array in shared memory as many elements as are accessed.
func (p *Program) resized(f *finding.Finding) []*Patch {
	fn, _ := p.at(f.Primary.Loc.Pos)
	if fn == nil || f.Object == nil || f.Object.Space != "shared" || f.Range.Hi <= int64(f.Object.Size) || f.Range.Lo < 0 {
		return nil
	}
	s, v := fn.body.declaration(f.Object.Name)
	if v == nil {
		return nil
	}
	m := extents.FindStringSubmatch(v.Desugared)
	from, to := s.extent(v)
	if m == nil || strings.Count(m[2], "[") != 1 || to <= from {
		return nil
	}
	var n int64
	if _, err := fmt.Sscanf(m[2], "[%d]", &n); err != nil || n < 1 || int64(f.Object.Size)%n != 0 {
		return nil
	}
	size := int64(f.Object.Size) / n
	edits := []Edit{{s.file.Name, from, to, grown(strings.TrimSpace(string(s.file.Text[from:to])), n, (f.Range.Hi+size-1)/size)}}
	return []*Patch{{Edits: edits, Inline: edits, What: fmt.Sprintf("give %s in line %d %s elements", v.Name, s.file.line(from), edits[0].Text)}}
}

// sum is an expression that ends with a number that is added or subtracted.
var sum = regexp.MustCompile(`^(.*\S)\s*([+-])\s*(\d+)$`)

// grown is a text of a number of elements that is as large as needed: of the names in the text as it is, so that it stays right where
// they change.
func grown(text string, was, now int64) string {
	switch _, err := strconv.ParseInt(text, 0, 64); {
	case err == nil:
		return fmt.Sprint(now)
	case now%was == 0:
		return fmt.Sprintf("%d * %s", now/was, factor(text))
	case strings.ContainsAny(text, "?<>=&|^,"): // these bind less than a sum does
		text = "(" + text + ")"
	}
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

// dimensions are the numbers of elements of an array as its declaration has them, nil where they are not read.
func (s *statement) dimensions(v *syntax.Node) (out []string) {
	text := s.file.Text
	if v.Loc.Macro || v.Loc.Off < s.from || v.End.Macro || v.End.End() > s.to {
		return nil
	}
	for at := syntax.SkipBlank(text, v.Loc.Off+len(v.Name)); at < v.End.End() && text[at] == '['; {
		to := enclosed(text, at, v.End.End())
		if to < 0 {
			return nil
		}
		out = append(out, strings.TrimSpace(string(text[at+1:to-1])))
		at = syntax.SkipBlank(text, to)
	}
	return out
}

// extent is where the number of an array's elements stands behind its name.
func (s *statement) extent(v *syntax.Node) (from, to int) {
	text := s.file.Text
	if v.Loc.Macro || v.Loc.Off < s.from || v.End.Macro || v.End.End() > s.to {
		return 0, 0
	}
	from = syntax.SkipBlank(text, v.Loc.Off+len(v.Name))
	to = v.End.End() - 1
	if from >= to || text[from] != '[' || text[to] != ']' || slices.Contains(text[from+1:to], '[') {
		return 0, 0
	}
	return from + 1, to
}
