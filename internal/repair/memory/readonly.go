package memory

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// constWord is the qualifier of a parameter that is a thread's own.
var constWord = regexp.MustCompile(`\bconst\s+|\s+const\b`)

// CopyParameters gives each thread a copy of the kernel's parameters that are read-only memory for all: without __grid_constant__
// a parameter is the thread's own, and it may change it.
func CopyParameters(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	const attribute = "__grid_constant__"
	for _, fn := range p.Functions {
		if !code.IsKernel(fn, f.KernelName) {
			continue
		}
		from := fn.Node.Loc.Off
		for _, v := range fn.Node.Inner {
			if v == nil || v.Kind != "ParmVarDecl" || v.Loc.Macro || p.File(v.Loc.File) != fn.File || v.Loc.Off <= from {
				continue
			}
			begin := max(from, from+bytes.LastIndexAny(fn.File.Text[from:v.Loc.Off], "(,")+1)
			if to := v.Loc.Off; bytes.Contains(fn.File.Text[begin:to], []byte(attribute)) {
				text := fn.File.Text[begin:to]
				own := bytes.Replace(text, []byte(attribute), nil, 1)
				if !code.IsPointer(v) {
					own = constWord.ReplaceAll(own, []byte(" "))
				}
				own = bytes.Join(bytes.Fields(own), []byte(" "))
				edits := []code.Edit{fn.File.Replace(begin, to, leading(text)+string(own)+" ")}
				out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("pass %s to each thread as a copy of its own, without %s, in line %d", v.Name, attribute, fn.File.Line(v.Loc.Off))})
			}
			from = v.End.End()
		}
	}
	return out
}

// leading is the white space that a text begins with.
func leading(text []byte) string { return string(text[:len(text)-len(bytes.TrimLeft(text, " \t\n"))]) }

// FreeAfter moves device code's free of memory behind the last use of it in its list of statements.
func FreeAfter(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil || !code.OnGPU(fn) {
		return nil
	}
	fn.Each(func(free *code.Statement) {
		if free.From > s.From {
			return
		}
		for _, call := range code.Calling(free.Node, func(name string) bool { return name == "free" }) {
			pointer := code.Uncast(call.Child(1))
			if text := free.Text(pointer); text != "" && pointer.Ref != nil && code.Mentions(s.Node, map[string]bool{pointer.Ref.ID: true}) {
				for _, at := range []*syntax.Node{lastUse(fn, pointer.Ref.ID), s.Node} {
					if to := statementOf(fn, at); to != nil && to != free {
						out = append(out, moveBehindLaunch(free, to, text))
					}
				}
			}
		}
	})
	return code.Distinct(out)
}

// lastUse is the last innermost statement that names a variable.
func lastUse(fn *code.Function, id string) (last *syntax.Node) {
	fn.Each(func(s *code.Statement) {
		if code.Mentions(s.Node, map[string]bool{id: true}) {
			last = s.Node
		}
	})
	return last
}

// statementOf is the statement that is a node.
func statementOf(fn *code.Function, n *syntax.Node) (found *code.Statement) {
	fn.Each(func(s *code.Statement) {
		if s.Node == n {
			found = s
		}
	})
	return found
}
