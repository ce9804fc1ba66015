package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// launchCalls are the launches by <<< and >>> in a statement.
func launchCalls(n *syntax.Node) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "CUDAKernelCallExpr" && n.Child(1) != nil {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, launchCalls(c)...)
	}
	return out
}

// optedIn allows a kernel the dynamic shared memory that a launch gives it.
func (p *Program) optedIn(f *finding.Finding) []*Patch {
	_, all := p.inLine(f.Primary.Loc.Pos)
	var out []*Patch
	for _, s := range all {
		for _, l := range launchCalls(s.node) {
			at := s.written()
			kernel, bytes := at.argument(stripped(l.Child(0))), at.argument(stripped(l.Child(1).Child(3)))
			if kernel == "" || bytes == "" {
				continue
			}
			c := calls{text: s.checked("cudaFuncSetAttribute("+kernel+", cudaFuncAttributeMaxDynamicSharedMemorySize, "+bytes+")") + ";"}
			c.before(at)
			out = append(out, c.patches...)
		}
	}
	return distinct(out)
}

// launchedWith launches a kernel with an attribute, by cudaLaunchKernelEx.
func (p *Program) launchedWith(f *finding.Finding, id, set string) []*Patch {
	fn, all := p.inLine(f.Primary.Loc.Pos)
	if fn != nil && onGPU(fn) { // the launches of the kernel that it is in
		all = nil
		for _, fn := range p.functions {
			all = append(all, fn.launches(f.KernelName)...)
		}
		if len(all) == 0 {
			all = launchesByPointer(p)
		}
	}
	var out []*Patch
	for _, s := range all {
		if s.outer != nil && !s.node.Begin.Macro {
			out = append(out, launchesWith(s, id, set)...)
		}
	}
	return distinct(out)
}

// launchesByPointer are the statements that launch a kernel that a variable names.
func launchesByPointer(p *Program) (out []*statement) {
	for _, fn := range p.functions {
		fn.each(func(s *statement) {
			if slices.ContainsFunc(launchCalls(s.node), func(l *syntax.Node) bool {
				n := uncast(l.Child(0))
				return n != nil && n.Ref != nil && (n.Ref.Kind == "VarDecl" || n.Ref.Kind == "ParmVarDecl")
			}) {
				out = append(out, s)
			}
		})
	}
	return out
}

func launchesWith(s *statement, id, set string) (out []*Patch) {
	for _, l := range launchCalls(s.node) {
		if s.node != l && !(s.node.Kind == "ExprWithCleanups" && s.node.Child(0) == l) {
			continue
		}
		line := s.file.line(s.from)
		config, attribute := s.unused(fmt.Sprintf("config%d", line)), s.unused(fmt.Sprintf("attribute%d", line))
		parts := []string{"cudaLaunchConfig_t " + config + " = {};"}
		for i, member := range []string{"gridDim", "blockDim", "dynamicSmemBytes", "stream"} {
			n := l.Child(1).Child(i + 1)
			if n == nil || n.Kind == "CXXDefaultArgExpr" {
				continue
			}
			text := s.text(uncastConstructor(n))
			if text == "" {
				return nil
			}
			parts = append(parts, config+"."+member+" = "+text+";")
		}
		kernel := s.text(stripped(l.Child(0)))
		arguments := []string{"&" + config, kernel}
		for _, a := range l.Inner[2:] {
			arguments = append(arguments, s.text(a))
		}
		if kernel == "" || slices.Contains(arguments, "") {
			continue
		}
		parts = append(parts, "cudaLaunchAttribute "+attribute+";", attribute+".id = "+id+";", fmt.Sprintf(set, attribute), config+".attrs = &"+attribute+";", config+".numAttrs = 1;",
			"cudaLaunchKernelEx("+strings.Join(arguments, ", ")+");")
		edits := func(sep, more string) []Edit {
			return []Edit{{s.file.Name, s.from, s.to, "{" + sep + more + strings.Join(parts, sep+more) + sep + "}"}}
		}
		out = append(out, &Patch{Edits: edits("\n"+s.indent(), s.unit()), Inline: edits(" ", ""), What: fmt.Sprintf("launch the kernel of line %d by cudaLaunchKernelEx with %s", line, id)})
	}
	return out
}

// uncastConstructor is an expression without conversions, those by constructors that are not written included.
func uncastConstructor(n *syntax.Node) *syntax.Node {
	for n != nil && (n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr" || n.Kind == "MaterializeTemporaryExpr" || n.Kind == "ExprWithCleanups" ||
		n.Kind == "CXXConstructExpr" && n.Child(0) != nil && n.Begin == n.Child(0).Begin && n.End == n.Child(0).End) {
		n = n.Child(0)
	}
	return n
}
