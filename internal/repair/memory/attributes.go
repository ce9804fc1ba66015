package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// OptIntoShared allows a kernel the dynamic shared memory that a launch gives it.
func OptIntoShared(p *code.Program, f *finding.Finding) []*code.Patch {
	_, all := p.InLine(f.Primary.Loc.Pos)
	var out []*code.Patch
	for _, s := range all {
		for _, l := range code.LaunchCalls(s.Node) {
			at := s.Written()
			kernel, bytes := at.Argument(code.Stripped(l.Child(0))), at.Argument(code.Stripped(l.Child(1).Child(3)))
			if kernel == "" || bytes == "" {
				continue
			}
			c := code.Calls{Text: s.Checked("cudaFuncSetAttribute("+kernel+", cudaFuncAttributeMaxDynamicSharedMemorySize, "+bytes+")") + ";"}
			c.Before(at)
			out = append(out, c.Patches...)
		}
	}
	return code.Distinct(out)
}

// LaunchWithAttribute launches a kernel with an attribute, by cudaLaunchKernelEx.
func LaunchWithAttribute(p *code.Program, f *finding.Finding, id, set string) []*code.Patch {
	fn, all := p.InLine(f.Primary.Loc.Pos)
	if fn != nil && code.OnGPU(fn) { // the launches of the kernel that it is in
		all = nil
		for _, fn := range p.Functions {
			all = append(all, code.LaunchesIn(fn, f.KernelName)...)
		}
		if len(all) == 0 {
			all = launchesByPointer(p)
		}
	}
	var out []*code.Patch
	for _, s := range all {
		if s.Outer != nil && !s.Node.Begin.Macro {
			out = append(out, launchesWith(s, id, set)...)
		}
	}
	return code.Distinct(out)
}

// launchesByPointer are the statements that launch a kernel that a variable names.
func launchesByPointer(p *code.Program) (out []*code.Statement) {
	for _, fn := range p.Functions {
		fn.Each(func(s *code.Statement) {
			if slices.ContainsFunc(code.LaunchCalls(s.Node), func(l *syntax.Node) bool {
				n := code.Uncast(l.Child(0))
				return n != nil && n.Ref != nil && (n.Ref.Kind == "VarDecl" || n.Ref.Kind == "ParmVarDecl")
			}) {
				out = append(out, s)
			}
		})
	}
	return out
}

func launchesWith(s *code.Statement, id, set string) (out []*code.Patch) {
	for _, l := range code.LaunchCalls(s.Node) {
		if s.Node != l && !(s.Node.Kind == "ExprWithCleanups" && s.Node.Child(0) == l) {
			continue
		}
		line := s.File.Line(s.From)
		config, attribute := s.Unused(fmt.Sprintf("config%d", line)), s.Unused(fmt.Sprintf("attribute%d", line))
		parts := []string{"cudaLaunchConfig_t " + config + " = {};"}
		for i, member := range []string{"gridDim", "blockDim", "dynamicSmemBytes", "stream"} {
			n := l.Child(1).Child(i + 1)
			if n == nil || n.Kind == "CXXDefaultArgExpr" {
				continue
			}
			text := s.Text(code.UncastConstructor(n))
			if text == "" {
				return nil
			}
			parts = append(parts, config+"."+member+" = "+text+";")
		}
		kernel := s.Text(code.Stripped(l.Child(0)))
		arguments := []string{"&" + config, kernel}
		for _, a := range l.Inner[2:] {
			arguments = append(arguments, s.Text(a))
		}
		if kernel == "" || slices.Contains(arguments, "") {
			continue
		}
		parts = append(parts, "cudaLaunchAttribute "+attribute+";", attribute+".id = "+id+";", fmt.Sprintf(set, attribute), config+".attrs = &"+attribute+";", config+".numAttrs = 1;",
			"cudaLaunchKernelEx("+strings.Join(arguments, ", ")+");")
		edits := func(sep, more string) []code.Edit {
			return []code.Edit{s.File.Replace(s.From, s.To, "{"+sep+more+strings.Join(parts, sep+more)+sep+"}")}
		}
		out = append(out, &code.Patch{Edits: edits("\n"+s.Indent(), s.Unit()), Inline: edits(" ", ""), What: fmt.Sprintf("launch the kernel of line %d by cudaLaunchKernelEx with %s", line, id)})
	}
	return out
}
