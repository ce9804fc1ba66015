package repair

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// constWord is the qualifier of a parameter that is a thread's own.
var constWord = regexp.MustCompile(`\bconst\s+|\s+const\b`)

// ownParameters gives each thread a copy of the kernel's parameters that are read-only memory for all: without __grid_constant__
// a parameter is the thread's own, and it may change it.
func ownParameters(p *Program, f *finding.Finding) (out []*Patch) {
	const attribute = "__grid_constant__"
	for _, fn := range p.functions {
		if !fn.kernel(f.KernelName) {
			continue
		}
		from := fn.node.Loc.Off
		for _, v := range fn.node.Inner {
			if v == nil || v.Kind != "ParmVarDecl" || v.Loc.Macro || p.file(v.Loc.File) != fn.file || v.Loc.Off <= from {
				continue
			}
			begin := max(from, from+bytes.LastIndexAny(fn.file.Text[from:v.Loc.Off], "(,")+1)
			if to := v.Loc.Off; bytes.Contains(fn.file.Text[begin:to], []byte(attribute)) {
				text := fn.file.Text[begin:to]
				own := bytes.Replace(text, []byte(attribute), nil, 1)
				if !isPointer(v) {
					own = constWord.ReplaceAll(own, []byte(" "))
				}
				own = bytes.Join(bytes.Fields(own), []byte(" "))
				edits := []Edit{{fn.file.Name, begin, to, leading(text) + string(own) + " "}}
				out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("pass %s to each thread as a copy of its own, without %s, in line %d", v.Name, attribute, fn.file.line(v.Loc.Off))})
			}
			from = v.End.End()
		}
	}
	return out
}

// leading is the white space that a text begins with.
func leading(text []byte) string { return string(text[:len(text)-len(bytes.TrimLeft(text, " \t\n"))]) }

// freedAfter moves device code's free of memory behind the last use of it in its list of statements.
func freedAfter(p *Program, f *finding.Finding) (out []*Patch) {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil || !onGPU(fn) {
		return nil
	}
	fn.each(func(free *statement) {
		if free.from > s.from {
			return
		}
		for _, call := range calling(free.node, func(name string) bool { return name == "free" }) {
			pointer := uncast(call.Child(1))
			if text := free.text(pointer); text != "" && pointer.Ref != nil && mentions(s.node, map[string]bool{pointer.Ref.ID: true}) {
				for _, at := range []*syntax.Node{lastUse(fn, pointer.Ref.ID), s.node} {
					if to := statementOf(fn, at); to != nil && to != free {
						out = append(out, free.behind(to, text))
					}
				}
			}
		}
	})
	return distinct(out)
}

// lastUse is the last innermost statement that names a variable.
func lastUse(fn *function, id string) (last *syntax.Node) {
	fn.each(func(s *statement) {
		if mentions(s.node, map[string]bool{id: true}) {
			last = s.node
		}
	})
	return last
}

// statementOf is the statement that is a node.
func statementOf(fn *function, n *syntax.Node) (found *statement) {
	fn.each(func(s *statement) {
		if s.node == n {
			found = s
		}
	})
	return found
}
