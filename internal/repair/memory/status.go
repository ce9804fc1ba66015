package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// statuses are the types of what functions of CUDA return, as clang prints them, by their names and their zero.
var statuses = map[string]string{"cudaError": "cudaError_t", "enum cudaError": "cudaError_t", "cudaError_enum": "CUresult", "enum cudaError_enum": "CUresult"}

// CheckStatus looks at the result of the call that failed, or of the launch: with the macro that others are the argument of,
// by handing it to the caller, or by a message and the program's end.
func CheckStatus(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, all := p.InLine(f.Primary.Loc.Pos)
	var out []*code.Patch
	for _, s := range all {
		if s.Outer != nil && !s.Node.Begin.Macro {
			out = append(out, looksAt(p, fn, s, f.Repair.Kind == finding.CheckLaunch)...)
		}
	}
	return code.Distinct(out)
}

func looksAt(p *code.Program, fn *code.Function, s *code.Statement, launch bool) (out []*code.Patch) {
	if launch {
		if len(code.Configurations(s.Node)) == 0 {
			return nil
		}
		for _, text := range statusHandlers(p, fn, "cudaGetLastError()", "cudaError_t") {
			c := code.Calls{Text: text}
			c.Behind(s)
			out = append(out, c.Patches...)
		}
		return out
	}
	if v := unusedStatus(s); v != nil {
		for _, text := range statusHandlers(p, fn, v.Name, statuses[v.Desugared]) {
			c := code.Calls{Text: text}
			c.Behind(s)
			out = append(out, c.Patches...)
		}
		return out
	}
	call := discarded(s.Node)
	if call == nil || statuses[call.Desugared] == "" {
		return nil
	}
	text := s.Text(call)
	if text == "" {
		return nil
	}
	for _, h := range statusHandlers(p, fn, text, statuses[call.Desugared]) {
		if !s.Outer.IsList() { // an else may follow
			h = "{ " + h + " }"
		}
		edits := []code.Edit{s.File.Replace(s.From, s.To, h)}
		out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("check the result of %s in line %d", code.Callee(call), s.File.Line(s.From))})
	}
	return out
}

// unusedStatus is the variable that a statement declares for the result of a call.
func unusedStatus(s *code.Statement) *syntax.Node {
	if s.Node.Kind != "DeclStmt" || !s.Outer.IsList() {
		return nil
	}
	for _, v := range s.Node.Inner {
		if v != nil && v.Kind == "VarDecl" && statuses[v.Desugared] != "" {
			return v
		}
	}
	return nil
}

// discarded is the call that a statement is, whose result is not used; nil for other statements.
func discarded(n *syntax.Node) *syntax.Node {
	for n != nil && (n.Kind == "ExprWithCleanups" || strings.HasSuffix(n.Kind, "CastExpr") && n.Desugared == "void" || n.Kind == "ParenExpr") {
		n = n.Child(0)
	}
	if n == nil || n.Kind != "CallExpr" {
		return nil
	}
	return n
}

// statusHandlers are statements that look at a status, which is a call or a variable.
func statusHandlers(p *code.Program, fn *code.Function, status, kind string) (out []string) {
	for _, macro := range statusMacros(p, kind) {
		out = append(out, macro+"("+status+");")
	}
	if returns, _, _ := strings.Cut(fn.Node.Type, " ("); returns == kind {
		out = append(out, "if ("+kind+" failed = "+status+") return failed;")
	}
	message := `fprintf(stderr, "%%s\n", cudaGetErrorString(failed))`
	if kind != "cudaError_t" {
		message = `fprintf(stderr, "CUDA error %%d\n", (int)failed)`
	}
	return append(out, fmt.Sprintf("if (%s failed = %s) { "+message+"; exit(EXIT_FAILURE); }", kind, status),
		fmt.Sprintf("if (%s failed = %s) { exit((int)failed); }", kind, status),
		fmt.Sprintf("if (%s failed = %s) throw failed;", kind, status))
}

// statusMacros are the macros that the program uses on calls that return a status of a type, the most frequent first.
func statusMacros(p *code.Program, kind string) []string {
	n := map[string]int{}
	var names []string
	for _, fn := range p.Functions {
		var visit func(c *syntax.Node)
		visit = func(c *syntax.Node) {
			if c == nil {
				return
			}
			if c.Kind == "CallExpr" && statuses[c.Desugared] == kind && c.Begin.Macro && c.Begin.Arg > 0 && p.File(c.Begin.File) == fn.File {
				if name := syntax.WordAt(fn.File.Text, c.Begin.Off); name != "" {
					if n[name]++; n[name] == 1 {
						names = append(names, name)
					}
				}
				return
			}
			for _, in := range c.Inner {
				visit(in)
			}
		}
		visit(fn.Node)
	}
	slices.SortStableFunc(names, func(a, b string) int { return n[b] - n[a] })
	return names
}
